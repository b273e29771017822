# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What charts of in-kernel allocators share: points by panel, a line for each allocator."""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from haloheap_results.figures.allocators import IN_ORDER, NAME, line_style
from haloheap_results.group import known_first, several
from haloheap_results.labels import setting
from haloheap_results.load import Point
from haloheap_results.report.charts import Panel, Series, line

Value = Callable[[Point], float | None]
Bounds = Callable[[Point], tuple[float | None, float | None]]


def of_problem(points: Iterable[Point], problem: str) -> list[Point]:
    return [point for point in points if point.work.problem == problem and point.figures]


def of_requests(points: Iterable[Point]) -> list[Point]:
    """Of malloc_sweep, but for the runs that fill a pool: their times are those of requests that nearly fail."""
    return [point for point in of_problem(points, "malloc_sweep") if point.figure("utilisation_percent") is None]


def style_of(name: str, place: int) -> tuple[str, str]:
    color, marker, _, _ = line_style(name, place)
    return color, marker


def by(points: Iterable[Point], key: str) -> dict[Any, list[Point]]:
    found: dict[Any, list[Point]] = collections.defaultdict(list)
    for point in points:
        found[point.deck.get(key)].append(point)
    return dict(found)


def names_of(points: Iterable[Point]) -> list[str]:
    return known_first((str(point.deck[NAME]) for point in points), IN_ORDER)


def line_panels(points: Sequence[Point], panel_key: str, axis_key: str, value: Value, bounds: Bounds | None = None,
                formula: Value | None = None) -> list[Panel]:
    """A panel for each value of a key, in it a line for each allocator; what a formula says beside it."""
    names, panels = names_of(points), []
    for panel, of_panel in sorted(by(points, panel_key).items(), key=lambda item: str(item[0]).zfill(12)):
        lines: list[Series] = []
        for place, name in enumerate(names):
            there = [point for point in of_panel if point.deck[NAME] == name and (value(point) or 0) > 0]
            if there:
                lines.append(line(name, there, lambda point: point.deck[axis_key], value, bounds,
                                  style=style_of(name, place)))
            computed = [point for point in there if formula and formula(point)]
            if formula and computed:
                lines.append(line(f"{name}: formula", computed, lambda point: point.deck[axis_key], formula,
                                  style=style_of(name, place), formula=True))
        if lines:
            title = setting(panel_key, panel).split(".", 1)[-1] if several(p.deck.get(panel_key)
                                                                           for p in points) else ""
            panels.append(Panel(title, lines))
    return panels


def figure_value(name: str, scale: float = 1.0) -> Value:
    def value(point: Point) -> float | None:
        found = point.figure(name)
        return None if found is None else scale * found

    return value


def ratios(points: Iterable[Point], slow: str, fast: str, value: Value) -> list[float]:
    """Value of one allocator over that of another, wherever both were measured and all else is the same."""
    pairs: dict[str, dict[str, float]] = collections.defaultdict(dict)
    for point in points:
        if found := value(point):
            rest = {key: what for key, what in point.swept.items() if key != NAME}
            pairs[str(sorted(rest.items()))][str(point.deck[NAME])] = found
    return [pair[slow] / pair[fast] for pair in pairs.values() if slow in pair and fast in pair]
