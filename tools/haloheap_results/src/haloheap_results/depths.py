# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sweeps over the halo depth, and the same of [Valen2023] where a deck is one of its experiments."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from haloheap_results import papers
from haloheap_results.group import Group, grouped, name_groups, several
from haloheap_results.labels import PHASES
from haloheap_results.load import Point, Work

KEYS = ("halo.depth", "halo.exchange", "halo.overlap")
FUSED = "stencil.fused_steps"
# Phases whose time an overlap may hide.
COMMUNICATION = ("message_s", "desynchronisation_s", "unpack_s")

THESIS_STEPS = 2048
THESIS_RANKS = 4
THESIS_OVERLAP = {"serial": "none", "overlap": "first_step"}

Version = tuple[str, str]
"""Exchange and overlap."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """Of a curve. `low` and `high` bound the time over the repetitions; a pass over memory makes `fused` steps."""

    version: Version
    depth: int
    time: float
    low: float
    high: float
    phases: dict[str, float] | None
    hidden: float | None
    fused: int = 1


def version_of(point: Point) -> Version:
    return point.exchange, point.overlap


def fused_of(point: Point) -> int:
    return int(point.deck.get(FUSED, 1))


def samples_of(points: Iterable[Point]) -> list[Sample]:
    """Of the points that have a time."""
    return [sample_of(point, point.wall.median) for point in points if point.wall.median is not None]


def sample_of(point: Point, time: float) -> Sample:
    wall = point.wall
    return Sample(version_of(point), point.deck["halo.depth"], time, time if wall.minimum is None else wall.minimum,
                  time if wall.maximum is None else wall.maximum, point.phases, point.hidden_share, fused_of(point))


def communication_of(phases: dict[str, float]) -> float:
    """Seconds."""
    return sum(phases.get(key, 0.0) for key in COMMUNICATION)


# -------------------------------------------------------------------------------------------------- grouping


def depth_varies(points: Iterable[Point]) -> bool:
    depths = {point.deck.get("halo.depth") for point in points}
    return several(depths) and all(isinstance(depth, int) and depth > 0 for depth in depths)


def split(points: Iterable[Point]) -> tuple[list[Group], list[Point]]:
    """Groups in which the depth varies, and the points outside of such groups."""
    with_depth: list[Group] = []
    others: list[Point] = []
    for group in grouped(points, KEYS):
        if depth_varies(group.points):
            with_depth.append(group)
        else:
            others.extend(group.points)
    name_groups(with_depth, KEYS)
    return with_depth, others


def fused_groups(points: Iterable[Point]) -> list[Group]:
    """Groups in which the depth varies and, at the same exchange and overlap, the number of fused steps."""
    keys, found = (*KEYS, FUSED), []
    for group in grouped(points, keys):
        numbers = collections.defaultdict(set)
        for point in group.points:
            numbers[version_of(point)].add(fused_of(point))
        group.points = [point for point in group.points if len(numbers[version_of(point)]) > 1]
        if depth_varies(group.points) and samples_of(group.points) and group.work.steps:
            found.append(group)
    name_groups(found, keys)
    return found


# ---------------------------------------------------------------------------------------------------- [Valen2023]


def thesis_samples(work: Work, ranks: int) -> dict[str, list[Sample]]:
    """{GPU: samples} of [Valen2023] for this work, scaled to its number of steps; empty where the deck is another."""
    if (work.problem, work.scalar, ranks, work.quantities) != ("heat2d", "float", THESIS_RANKS, 1):
        return {}
    if len(work.size) != 2 or several(work.size) or not work.steps:
        return {}
    table = papers.deep_halo_thesis()
    rows = {(row["gpu"], row["exchange"], row["schedule"], row["depth"]): row
            for row in table[table["side"] == work.size[0]].to_dict("records")}
    samples: dict[str, list[Sample]] = collections.defaultdict(list)
    for (gpu, exchange, schedule, depth), row in rows.items():
        phases = thesis_phases(row)
        hidden = None
        if schedule == "overlap":
            serial = rows[gpu, exchange, "serial", depth]
            hidden = (serial["execution_s"] - row["execution_s"]) / communication_of(thesis_phases(serial))
        scale = work.steps / THESIS_STEPS
        time = scale * row["execution_s"]
        samples[gpu].append(Sample((exchange, THESIS_OVERLAP[schedule]), depth, time, time, time,
                                   {key: scale * value for key, value in phases.items()}, hidden))
    return dict(samples)


def thesis_phases(row: Mapping[Any, Any]) -> dict[str, float]:
    """Of a row of a table of [Valen2023], under the names that results have."""
    return {key: row["desync_s" if key == "desynchronisation_s" else key] for key in PHASES}


def thesis_scaled(work: Work) -> str:
    """What is to be told of the seconds of [Valen2023]; "" where they are its own."""
    return "" if work.steps == THESIS_STEPS else f"scaled from {THESIS_STEPS} to {work.steps} steps"


def versions_of(samples: Sequence[Sample]) -> list[Version]:
    """Each once, in the order of the run."""
    return list(dict.fromkeys(sample.version for sample in samples))
