# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Which points belong together: those that differ in nothing but the keys that a figure or table is about."""

from __future__ import annotations

import collections
import dataclasses
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from haloheap_results.labels import setting, shape
from haloheap_results.load import Point, Settings, Work, what_counts

Name = TypeVar("Name")


@dataclasses.dataclass
class Group:
    """The points of one figure or table."""

    points: list[Point]
    stem: str = ""
    """What its files are called."""
    extra: list[tuple[str, Any]] = dataclasses.field(default_factory=list)
    """What tells it from other groups beyond what its title says."""

    @property
    def work(self) -> Work:
        return self.points[0].work

    @property
    def ranks(self) -> int:
        return self.points[0].ranks

    @property
    def swept(self) -> Settings:
        return self.points[0].swept

    def title(self) -> str:
        return title(self.points[0])

    def extra_text(self) -> str:
        return ", ".join(setting(key, value) for key, value in self.extra)


def title(point: Point) -> str:
    """What was computed, on how many ranks."""
    work, grid = point.work, point.rank_grid
    quantities = f", {work.quantities} quantities" if work.quantities != 1 else ""
    ranks = f"{point.ranks} rank{'s' if point.ranks != 1 else ''}" + (f" ({shape(grid)})" if grid else "")
    return f"{work.problem}, {shape(work.size)} {work.scalar}{quantities}, {work.steps} steps, {ranks}"


def title_of(points: Sequence[Point], what: str) -> str:
    """Names the problem; the rest too where it is the same for all."""
    if len({(point.work, point.ranks) for point in points}) > 1:
        return f"{what}: {', '.join(sorted({point.work.problem for point in points}))}"
    return f"{what}: {title(points[0])}"


def grouped(points: Iterable[Point], keys: Sequence[str]) -> list[Group]:
    """They differ in nothing but these keys."""
    groups: dict[tuple[str, int, Work], list[Point]] = collections.defaultdict(list)
    for point in points:
        deck = json.dumps(what_counts(point.deck, *keys), sort_keys=True)
        groups[deck, point.ranks, point.work].append(point)
    return [Group(members) for members in groups.values()]


def name_groups(groups: Sequence[Group], keys: Sequence[str]) -> None:
    """Finds which swept keys tell the groups apart beyond what their titles say, and gives each a file name."""
    others = dict.fromkeys(key for group in groups for key in group.swept if key not in keys)
    differing = [key for key in others if several(json.dumps(group.swept.get(key)) for group in groups)]
    told = {key for key in differing if all(says(group.work, group.swept.get(key)) for group in groups)}
    used: set[str] = set()
    for group in groups:
        group.extra = [(key, group.swept.get(key)) for key in differing if key not in told]
        work, extra = group.work, [value for _, value in group.extra]
        stem = file_stem([work.problem, "x".join(map(str, work.size)), work.scalar, *extra])
        group.stem, number = stem, 2
        while group.stem in used:
            group.stem, number = f"{stem}_{number}", number + 1
        used.add(group.stem)


def says(work: Work, value: Any) -> bool:
    """Whether a group's title has the value."""
    value = tuple(value) if isinstance(value, list) else value
    return value in (work.problem, work.size, work.steps, work.scalar, work.quantities)


def file_stem(parts: Iterable[Any]) -> str:
    """Of a deck's values, with all their digits: files of different values have different names."""
    spelt = (str(part).lower() if isinstance(part, bool) else str(part) for part in parts)
    return re.sub(r"[^A-Za-z0-9.-]+", "_", "_".join(spelt)).strip("_")


def varying_keys(points: Sequence[Point]) -> list[str]:
    """The swept keys that have several values among the points."""
    keys = dict.fromkeys(key for point in points for key in point.swept)
    return [key for key in keys if several(json.dumps(point.swept.get(key)) for point in points)]


def row_labels(points: Sequence[Point]) -> list[str]:
    """What varies, a line each; the size where nothing does."""
    varying = varying_keys(points)
    return ["\n".join(setting(key, point.swept.get(key)) for key in varying) or shape(point.work.size)
            for point in points]


def by_problem(points: Iterable[Point]) -> dict[str, list[Point]]:
    problems: dict[str, list[Point]] = {}
    for point in points:
        problems.setdefault(point.work.problem, []).append(point)
    return problems


def several(values: Iterable[Any]) -> bool:
    return len(set(values)) > 1


def known_first(names: Iterable[Name], known: Iterable[Name]) -> list[Name]:
    """Each name once: the known ones in their order, so that all figures have the same one; then the rest."""
    places = {name: place for place, name in enumerate(known)}
    return sorted(dict.fromkeys(names), key=lambda name: places.get(name, len(places)))
