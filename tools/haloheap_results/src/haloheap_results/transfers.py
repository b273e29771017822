# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What problems transfer and vector_add measured, as runs: versions of a transfer at a size."""

from __future__ import annotations

import collections
import dataclasses
import json
import statistics
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from haloheap_results.group import by_problem, varying_keys
from haloheap_results.labels import setting
from haloheap_results.load import Point, Results, number

PROBLEMS = ("transfer", "vector_add")
BOUNDS = ("communication", "balanced", "compute")
NONE = "none"
SCHEDULES = (NONE, "depth_first", "breadth_first")
# What tells the points of one group apart.
KEYS = ("problem", *(f"transfer.{name}" for name in ("mode", "schedule", "streams", "bytes", "bound", "iterations")))
EMULATED = "the link is emulated"


@dataclasses.dataclass(frozen=True)
class Run:
    """One version at one size. `low` and `high` are the fastest and slowest repetition's µs, or None."""

    mode: str
    schedule: str
    streams: float
    bytes: float
    bound: str
    figures: dict[str, float | None]
    low: float | None
    high: float | None
    notes: tuple[str, ...]

    @property
    def version(self) -> tuple[str, str, float, float, str]:
        return self.mode, self.schedule, self.streams, self.bytes, self.bound

    def figure(self, name: str) -> float | None:
        """None where it is missing or zero."""
        value = self.figures.get(name)
        return value if value is not None and value > 0 else None

    @property
    def total(self) -> float | None:
        """µs."""
        return self.figure("total_median_us")

    def per_byte(self, part: str) -> float | None:
        """Nanoseconds of a part of the transfer."""
        return self.figure(f"{part}_ns_per_byte")

    @property
    def emulated(self) -> bool:
        return any(note.startswith(EMULATED) for note in self.notes)


@dataclasses.dataclass(frozen=True)
class RunGroup:
    """Runs that differ in nothing but what Run says; `extra` is what else tells this group from others."""

    problem: str
    extra: list[tuple[str, Any]]
    runs: list[Run]

    def title(self) -> str:
        return ", ".join([self.problem, *self.extra_texts()])

    def extra_texts(self) -> list[str]:
        return [setting(key, value) for key, value in self.extra]


def total_of(run: Run) -> float:
    """µs of a run that has a time."""
    assert run.total is not None
    return run.total


def run_of(point: Point) -> Run | None:
    """None where the deck has not what a run needs."""
    mode, schedule, streams, size, bound = (point.deck.get(key) for key in KEYS[1:6])
    if point.work.problem == "vector_add":
        bound = BOUNDS[0]  # the deck's is not looked at
    if schedule == NONE:
        streams = 1  # whatever the deck has
    streams, size = number(streams), number(size)
    if point.figures is None or streams is None or size is None or streams < 1 or size < 1:
        return None
    if not (isinstance(mode, str) and isinstance(schedule, str) and isinstance(bound, str)):
        return None
    if bound == "none":
        bound = f"none, {point.deck.get('transfer.iterations', 0)} iterations"
    low, high = (None if value is None else 1e6 * value for value in (point.wall.minimum, point.wall.maximum))
    return Run(mode, schedule, streams, size, bound, point.figures, low, high, point.notes)


def without_repeats(runs: Iterable[Run]) -> Iterator[Run]:
    """A sweep over streams repeats what has none: of such, the one with the median time stays."""
    alike: dict[tuple[str, str, float, float, str], list[Run]] = collections.defaultdict(list)
    for run in runs:
        alike[run.version].append(run)
    for same in alike.values():
        measured = [run for run in same if run.total] or same[:1]
        middle = statistics.median_low(run.total or 0 for run in measured)
        yield next(run for run in measured if (run.total or 0) == middle)


def groups_of(results: Results) -> Iterator[RunGroup]:
    """The groups of both problems; none where the results have neither."""
    points = by_problem(results.points)
    for problem in PROBLEMS:
        yield from groups_of_problem(problem, points.get(problem, []))


def groups_of_problem(problem: str, points: Sequence[Point]) -> Iterator[RunGroup]:
    extra_keys = [key for key in varying_keys(points) if key not in KEYS]
    groups: dict[str, tuple[list[tuple[str, Any]], list[Run]]] = {}
    for point in points:
        if run := run_of(point):
            extra = [(key, point.swept.get(key)) for key in extra_keys]
            groups.setdefault(json.dumps(extra), (extra, []))[1].append(run)
    for extra, runs in groups.values():
        yield RunGroup(problem, extra, list(without_repeats(runs)))
