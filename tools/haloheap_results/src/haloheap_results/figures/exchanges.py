# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Exchanges alone (run.measure = "exchange"), and the terms of an overlap (run.measure = "overlap")."""

from __future__ import annotations

import collections
from collections.abc import Sequence

from haloheap_results import labels
from haloheap_results.group import row_labels, title_of, varying_keys
from haloheap_results.load import Point, Results
from haloheap_results.style import (BLUE, SERIES, VERSIONS, Figure, Handle, Picture, Pictures, frame, panels,
                                    plain_numbers, row_axis, tidy)

EXCHANGE = "Time of an exchange"
SIZES = ("halo.depth", "grid.size")  # what changes the bytes of an exchange, not its way

TERM_COLORS = {
    "serial_s": BLUE,
    "overlapped_s": VERSIONS.known["sync", "all_steps"][0],
    "exchange_s": VERSIONS.known["async", "none"][0],
    "interior_s": VERSIONS.known["async", "first_step"][0],
}


def pictures(results: Results) -> Pictures:
    exchanges = [point for point in results.points if point.exchange_s is not None]
    overlaps = [point for point in results.points if all(key in point.overlap_terms for key in TERM_COLORS)]
    if exchanges:
        yield Picture("exchange", lambda: draw_exchanges(exchanges, results))
    if overlaps:
        yield Picture("overlap", lambda: draw_overlaps(overlaps, results))


def draw_exchanges(points: Sequence[Point], results: Results) -> Figure:
    """Against what the busiest rank sends in an exchange, a curve for each way; bars where only the way varies."""
    varying = varying_keys(points)
    curves: dict[str, list[Point]] = collections.defaultdict(list)
    for point in points:
        way = ", ".join(labels.word(point.swept.get(key)) for key in varying if key not in SIZES)
        curves[way or point.transport].append(point)
    notes = ["packing, sending and unpacking, with nothing else running", "this run: " + results.machine()]
    title = title_of(points, EXCHANGE)
    if all(len(curve) == 1 for curve in curves.values()):
        return bars({way: curve[0] for way, curve in curves.items()}, title, notes)
    figure, ((axes,),) = panels(1, 1, (8.5, 5.6))
    handles: dict[str, Handle] = {}
    for number, (way, curve) in enumerate(curves.items()):
        curve.sort(key=lambda point: point.bytes_per_exchange)
        color, marker = SERIES[number % len(SERIES)]
        handles[way], = axes.plot([kib_of(point) for point in curve], [us_of(point) for point in curve], color=color,
                                  marker=marker, markersize=6, linewidth=1.6,
                                  linestyle="-" if number < len(SERIES) else "--")
    if all(point.bytes_per_exchange > 0 for point in points):
        axes.set_xscale("log")
        plain_numbers(axes.xaxis, [kib_of(point) for point in points])
    axes.set_yscale("log")
    plain_numbers(axes.yaxis, [us_of(point) for point in points])
    axes.set_xlabel(labels.EXCHANGE_BYTES.axis())
    axes.set_ylabel(labels.EXCHANGE.axis())
    tidy(axes, which="both")
    return frame(figure, [title], handles, notes)


def kib_of(point: Point) -> float:
    return point.bytes_per_exchange / 1024


def us_of(point: Point) -> float:
    return 1e6 * (point.exchange_s or 0.0)


def bars(points: dict[str, Point], title: str, notes: Sequence[str]) -> Figure:
    """A row for each way."""
    figure, ((axes,),) = panels(1, 1, (9, 2.4 + 0.45 * len(points)))
    times = list(map(us_of, points.values()))
    axes.barh(range(len(points)), times, 0.72, color=BLUE)
    for row, (point, time) in enumerate(zip(points.values(), times)):
        axes.text(time, row, f" {time:.3g} µs  ({kib_of(point):.4g} KiB)", va="center", fontsize=9)
    row_axis(axes, list(points))
    axes.set_xlim(0, 1.3 * max(times))
    axes.set_xlabel(labels.EXCHANGE.axis())
    return frame(figure, [title], {}, notes)


def draw_overlaps(points: Sequence[Point], results: Results) -> Figure:
    """Four bars a point, and what follows from them."""
    figure, ((axes,),) = panels(1, 1, (9.5, 2.2 + 1.05 * len(points)))
    handles: dict[str, Handle] = {}
    for number, (key, color) in enumerate(TERM_COLORS.items()):
        rows = [row + 0.2 * (number - 1.5) for row in range(len(points))]
        title = labels.quantity(points[0].work.problem, f"overlap_terms.{key}", results.labels).title
        handles[title] = axes.barh(rows, [point.overlap_terms[key] for point in points], 0.19, color=color)
    ends = [max(point.overlap_terms[key] for key in TERM_COLORS) for point in points]
    for row, (point, end) in enumerate(zip(points, ends)):
        shares = [f"{name} {100 * point.overlap_terms[name]:.0f} %" for name in ("hidden", "efficiency")
                  if name in point.overlap_terms]
        axes.text(1.02 * end, row, "\n".join(shares), va="center", fontsize=9)
    row_axis(axes, row_labels(points))
    axes.set_xlim(0, 1.25 * max(ends))
    axes.set_xlabel(labels.ALL_STEPS.axis())
    notes = ["hidden: saved time / exchanges alone; efficiency: saved time / the shorter of exchanges and interior",
             "this run: " + results.machine()]
    return frame(figure, [title_of(points, "Overlap")], handles, notes)
