# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Calls of functions and their loops, while kernels are run in the mind."""

from __future__ import annotations

import dataclasses

from clang.cindex import Cursor

from haloheap_mallocs.sites import Condition, Control, level_of
from haloheap_mallocs.values import Level, Value


@dataclasses.dataclass
class Leaving:
    """Those who leave a loop's round, a loop or a function early."""

    decided: list[Condition] = dataclasses.field(default_factory=list)
    """What those have decided who remain."""
    values: list[tuple[dict[str, Value], Level]] = dataclasses.field(default_factory=list)
    """Of variables, as they leave, and for whom that is the same."""

    def add(self, values: dict[str, Value], local: Control, remaining: list[Condition]) -> None:
        self.decided += remaining
        self.values.append((dict(values), level_of(local)))

    def join(self, values: dict[str, Value], is_reached: bool = True) -> dict[str, Value]:
        """What variables are for those who come to the end and those who left; `is_reached`: anybody comes there."""
        for found, level in self.values:
            values = joined(found, values, level) if is_reached else dict(found)
            is_reached = True
        return values

    @property
    def level(self) -> Level:
        return max((level for _, level in self.values), default=Level.GRID)


@dataclasses.dataclass
class Loop:
    is_switch: bool = False
    left: Leaving = dataclasses.field(default_factory=Leaving)
    skipped: Leaving = dataclasses.field(default_factory=Leaving)
    """Those who go on with the next round."""


@dataclasses.dataclass(frozen=True)
class Closure:
    """A lambda."""

    body: Cursor
    kept: dict[str, Value]
    """Of variables that it has copied."""


@dataclasses.dataclass
class Frame:
    """A call of a function."""

    name: str
    values: dict[str, Value]
    base: int
    """Conditions of the callers."""
    returned: Leaving = dataclasses.field(default_factory=Leaving)
    loops: list[Loop] = dataclasses.field(default_factory=list)
    objects: list[tuple[Cursor, Control]] = dataclasses.field(default_factory=list)
    """Variables of classes, and who has them."""
    exits: list[Control] = dataclasses.field(default_factory=list)
    """What those have decided who end here, or in a function that it calls: callers go on without them."""
    result: Value | None = None
    jumps: bool = False
    """It has a goto: nothing is known of the order of its statements."""

    def gone(self) -> Control:
        """Decisions after which some threads are no longer there."""
        found = [*self.returned.decided]
        for loop in self.loops:
            found += loop.left.decided + loop.skipped.decided
        return tuple(found)

    def everything(self) -> frozenset[str]:
        """Where any of its variables leads."""
        return frozenset().union(*(value.points for value in self.values.values()))


def merged(control: Control, more: Control) -> Control:
    return control + tuple(condition for condition in more if condition not in control)


def joined(a: dict[str, Value], b: dict[str, Value], level: Level) -> dict[str, Value]:
    result = dict(a)
    for usr, value in b.items():
        result[usr] = a[usr].join(value, level) if usr in a else value
    return result
