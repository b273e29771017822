# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""s-step conjugate gradients: the time to the solution against the steps of a block, other methods beside it."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

from matplotlib.axes import Axes
from matplotlib.lines import Line2D

from haloheap_results.group import known_first, title_of, varying_keys
from haloheap_results.labels import setting, shape
from haloheap_results.load import Point, Results
from haloheap_results.style import (DARK_GREY, DASHES, SERIES, Figure, Handle, Picture, Pictures, frame, panels,
                                    plain_numbers, powers_axis, spans_decades, tidy)

STEPS, METHOD, SIZE = "solver.block_steps", "solver.method", "grid.size"
S_STEP = "s_step_cg"
OTHERS = (DASHES, ":", "-.", (0, (1, 3)))  # dashes of other methods, in turn

Lines = dict[tuple[str, str], list[Point]]
"""Points by their settings and their method."""
Colors = Mapping[str, tuple[str, str]]
"""Colour and marker, by settings."""


def pictures(points: Sequence[Point], results: Results) -> Pictures:
    """Of points of solvers that have a time."""
    steps = {steps_of(point) for point in points if method_of(point) == S_STEP}
    if len(steps) > 1:
        yield Picture("block_steps", lambda: draw(points, results))


def steps_of(point: Point) -> int:
    return int(point.deck[STEPS])


def method_of(point: Point) -> str:
    return str(point.deck.get(METHOD, S_STEP))


def seconds(point: Point) -> float:
    value = point.wall.median
    assert value is not None
    return value


def draw(points: Sequence[Point], results: Results) -> Figure:
    """A panel for each size; in it a colour for each other setting, a curve of s-step, and a line for each method."""
    sizes = panels_of(points)
    colors = dict(zip(dict.fromkeys(name for lines in sizes.values() for name, _ in lines), SERIES * len(points)))
    methods = known_first((method_of(point) for point in points), [S_STEP])
    figure, (row,) = panels(1, len(sizes), (max(8, 5.6 * len(sizes)), 5.6))
    for axes, (size, lines) in zip(row, sizes.items()):
        draw_panel(axes, lines, colors, methods)
        axes.set_title(f"{shape(size)} cells" if len(sizes) > 1 else "", fontsize=11)
    note = "median of the repetitions" + ("; each panel has its own time axis" if len(sizes) > 1 else "")
    return frame(figure, [title_of(points, "s-step conjugate gradients")], legend(colors, methods),
                 [note, "this run: " + results.machine()])


def panels_of(points: Sequence[Point]) -> dict[tuple[int, ...], Lines]:
    """By size, as far as there are blocks of it."""
    keys = [key for key in varying_keys(points) if key not in (STEPS, METHOD, SIZE)]
    sizes: dict[tuple[int, ...], Lines] = {}
    with_blocks = {point.work.size for point in points if method_of(point) == S_STEP}
    for point in points:
        if point.work.size not in with_blocks:
            continue
        name = ", ".join(setting(key, point.swept.get(key)) for key in keys)
        sizes.setdefault(point.work.size, {}).setdefault((name, method_of(point)), []).append(point)
    return sizes


def draw_panel(axes: Axes, lines: Lines, colors: Colors, methods: Sequence[str]) -> None:
    for (name, method), points in lines.items():
        color, marker = colors[name]
        if method == S_STEP:
            curve = sorted(points, key=steps_of)
            axes.plot(list(map(steps_of, curve)), list(map(seconds, curve)), color=color, marker=marker, markersize=6,
                      linewidth=1.6)
        else:  # blocks are nothing to it
            time = statistics.median(map(seconds, points))
            axes.plot([0, 0.97, 1], [time] * 3, color=color, marker=marker, markevery=[1], markersize=6, linewidth=1.6,
                      linestyle=dashes_of(method, methods), transform=axes.get_yaxis_transform())
    scales(axes, [point for points in lines.values() for point in points])


def scales(axes: Axes, points: Sequence[Point]) -> None:
    powers_axis(axes, {float(steps_of(point)) for point in points if method_of(point) == S_STEP})
    times = list(map(seconds, points))
    if spans_decades(times):
        axes.set_yscale("log")
        plain_numbers(axes.yaxis, times)
    else:
        axes.set_ylim(bottom=0)
    axes.set_xlabel("iterations for each exchange and each sum of all ranks")
    axes.set_ylabel("time to the solution [s]")
    tidy(axes)


def dashes_of(method: str, methods: Sequence[str]) -> Any:
    """As matplotlib takes them; each other method has its own."""
    others = [other for other in methods if other != S_STEP]
    return "-" if method == S_STEP else OTHERS[others.index(method) % len(OTHERS)]


def legend(colors: Colors, methods: Sequence[str]) -> dict[str, Handle]:
    """What colours stand for, and what dashes, as far as there are several."""
    handles: dict[str, Handle] = {}
    if len(colors) > 1:
        handles |= {name: Line2D([], [], color=color, marker=marker) for name, (color, marker) in colors.items()}
    if len(methods) > 1:
        handles |= {method: Line2D([], [], color=DARK_GREY, linestyle=dashes_of(method, methods)) for method in methods}
    return handles
