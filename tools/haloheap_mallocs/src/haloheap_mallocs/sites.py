# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is found out about the places where kernels allocate."""

from __future__ import annotations

import dataclasses
import enum

from haloheap_mallocs.cursors import Place
from haloheap_mallocs.values import Level, Value, greatest


class Kind(enum.Enum):
    """Which threads a condition leaves."""

    GUARD = "guard"
    """All but those beyond the end of what there is to do: `if (i < n)` with the number of a thread in the grid."""
    ONE = "one"
    """One of a block, or of the grid."""
    LANE = "lane"
    """One of each warp, or none of it."""
    PART = "part"


@dataclasses.dataclass(frozen=True)
class Condition:
    """Something on the way to a place that not all threads decide alike."""

    text: str
    place: Place
    level: Level
    kind: Kind = Kind.PART


Control = tuple[Condition, ...]


class Who(enum.Enum):
    """Who executes a place."""

    GRID = "grid"
    BLOCKS = "blocks"
    WARPS = "warps"
    GUARDED = "guarded"
    LANE = "lane"
    ONE = "one"
    PART = "part"

    @property
    def sentence(self) -> str:
        return {
            Who.GRID: "all threads of the grid",
            Who.BLOCKS: "all threads of some blocks",
            Who.WARPS: "all threads of some warps",
            Who.GUARDED: "all threads but those beyond the end",
            Who.LANE: "one thread of each warp",
            Who.ONE: "one thread of a group",
            Who.PART: "some threads, which differ within a warp",
        }[self]


def level_of(control: Control) -> Level:
    """For whom all of it is decided together."""
    return max((condition.level for condition in control), default=Level.GRID)


def who_of(control: Control) -> Who:
    by_thread = [condition for condition in control if condition.level is Level.THREAD]
    if by_thread:
        kinds = {condition.kind for condition in by_thread}
        if Kind.ONE in kinds:  # whatever else it decides, nobody is beside it
            return Who.ONE
        if Kind.LANE in kinds:
            return Who.LANE
        return Who.GUARDED if kinds == {Kind.GUARD} else Who.PART
    return {Level.GRID: Who.GRID, Level.BLOCK: Who.BLOCKS, Level.WARP: Who.WARPS}[level_of(control)]


@dataclasses.dataclass(frozen=True)
class Visit:
    """One way from a kernel to a place."""

    entry: str
    calls: tuple[Place, ...]
    """Of functions, from the kernel's on."""
    control: Control
    size: Value
    loops: tuple[Place, ...]
    """Around it, of all functions on the way."""
    heap: Level = Level.GRID
    """Of which threads the handle that is asked is the same."""


@dataclasses.dataclass
class Site:
    number: int
    place: Place
    text: str
    function: str
    size_text: str
    visits: list[Visit] = dataclasses.field(default_factory=list)
    freed: set[Place] = dataclasses.field(default_factory=set)
    freed_in: set[Place] = dataclasses.field(default_factory=set)
    """Loops in which it is."""
    freed_by: set[str] = dataclasses.field(default_factory=set)
    """Names of the functions that give it back, or take it and give another one."""
    escapes: dict[Place, str] = dataclasses.field(default_factory=dict)
    """Where the block is left to others than its thread's kernel, and how."""
    is_kept: bool = False
    """Its thread has more than one of its blocks, or has it when the function that asked for it has ended."""
    is_shared: bool = False
    """Other threads of the block learn its address."""
    is_known: bool = True
    """A kernel that reaches it is among the files."""

    def forget(self) -> None:
        """All but its number, which others know."""
        self.visits, self.freed, self.freed_in, self.freed_by, self.escapes = [], set(), set(), set(), {}
        self.is_kept = self.is_shared = False

    @property
    def block(self) -> str:
        return f"block {self.number}"

    @property
    def who(self) -> Who:
        found = {who_of(visit.control) for visit in self.visits}
        if found & {Who.ONE, Who.LANE} and len(found) > 1:
            return Who.PART
        return max(found, key=list(Who).index)

    @property
    def conditions(self) -> list[Condition]:
        return list(dict.fromkeys(condition for visit in self.visits for condition in visit.control))

    @property
    def size_level(self) -> Level:
        """Of the threads that a call in one of the kernels asks for at the same time."""
        return max(visit.size.level for visit in self.visits)

    @property
    def bytes(self) -> int | None:
        """If it is always the same."""
        found = {visit.size.constant for visit in self.visits}
        return found.pop() if len(found) == 1 else None

    @property
    def largest(self) -> int | None:
        """Bytes, if there is a limit."""
        largest = self.visits[0].size.high
        for visit in self.visits[1:]:
            largest = greatest(largest, visit.size.high)
        return largest

    @property
    def is_repeated(self) -> bool:
        return any(visit.loops for visit in self.visits)

    @property
    def is_one_at_a_time(self) -> bool:
        """A thread gives its block back before it asks for the next one."""
        returns = all(not visit.loops or visit.loops[-1] in self.freed_in for visit in self.visits)
        return bool(self.freed) and returns and not self.is_kept

    @property
    def entries(self) -> list[str]:
        return list(dict.fromkeys(visit.entry for visit in self.visits))
