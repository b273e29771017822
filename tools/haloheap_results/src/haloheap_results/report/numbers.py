# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Ratios of times, and how they are told."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from haloheap_results.load import Point


def geometric_mean(values: Iterable[float]) -> float:
    logarithms = [math.log(value) for value in values]
    return math.exp(sum(logarithms) / len(logarithms))


def times(value: float) -> str:
    """'0.012', '1.23', '12.3', '1230'"""
    if value < 0.1:
        return f"{value:.2g}"
    return f"{value:.2f}" if value < 10 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def span(values: Sequence[float]) -> str:
    """'1.10 to 2.31', or one number where that says it."""
    low, high = times(min(values)), times(max(values))
    return low if low == high else f"{low} to {high}"


def seconds(value: float) -> str:
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6)):
        if value * factor >= 1 or unit == "µs":
            return f"{value * factor:.3g} {unit}"
    return ""


def wall(point: Point) -> float | None:
    return point.wall.median if point.wall.median and point.wall.median > 0 else None


def apart(fast: Point, slow: Point) -> bool:
    """Whether the slowest repetition of one is faster than the fastest one of the other."""
    high, low = fast.wall.maximum, slow.wall.minimum
    return high is not None and low is not None and high < low


def fastest(points: Iterable[Point], time: Callable[[Point], float | None] = wall) -> Point | None:
    """Of those that have a time."""
    found = [(value, number, point) for number, point in enumerate(points) if (value := time(point))]
    return min(found)[2] if found else None
