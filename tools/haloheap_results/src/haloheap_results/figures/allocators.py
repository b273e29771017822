# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The problems of in-kernel allocators: a figure for each quantity that a problem measures.

The number that varies most is the horizontal axis, with a line for each allocator; what else varies makes panels.
Without such a number there are bars.
"""

from __future__ import annotations

import dataclasses
import functools
import math
import re
from collections.abc import Iterable, Sequence
from typing import Any

from matplotlib import ticker
from matplotlib.axes import Axes

from haloheap_results import labels
from haloheap_results.group import by_problem, known_first, several, varying_keys
from haloheap_results.labels import SPEEDUP, Label, setting
from haloheap_results.load import Point, Results, number
from haloheap_results.style import (DARK_GREY, DASHES, GREY, REMARK_HEIGHT, SERIES, Figure, Grid, Handle, Picture,
                                    Pictures, frame, hide_beyond, legend_rows, panels, plain, remark_lines, row_axis,
                                    short_numbers, spans_decades, ticks_at, tidy)


@dataclasses.dataclass(frozen=True)
class Quantity:
    """A figure of a problem, and what its repetitions ranged over: a lowest and a highest figure, or one deviation
    to both sides."""

    name: str
    lowest: str | None = None
    highest: str | None = None
    deviation: str | None = None

    def range_note(self) -> str:
        if self.deviation:
            return "ranges: standard deviation of the repetitions"
        if self.lowest and self.highest:
            return "ranges: 5th to 95th percentile of the repetitions"
        return "range down to the fastest repetition" if self.lowest else ""


def median_of(what: str) -> Quantity:
    return Quantity(f"{what}_median_us", lowest=f"{what}_minimum_us")


QUANTITIES = {
    "malloc_sweep": [
        median_of("allocate"), median_of("churn"), median_of("free"), median_of("at_once"),
        Quantity("steps_thread"), Quantity("utilisation_percent"), Quantity("fragmentation_percent"),
        Quantity("footprint_over_in_use"), Quantity("pass_over_packed"), Quantity("address_range_over_least"),
    ],
    "atomics": [Quantity("latency_ns", lowest="latency_minimum_ns"), Quantity("operations_per_ns")],
    "page_steps": [Quantity("tas_queue"), Quantity("tas_walk"), Quantity("was_queue"), Quantity("was_walk")],
    "getpage": [median_of("getpage"), Quantity("tas"), Quantity("was")],
    "allocation": [*(Quantity(f"{what}_us", deviation=f"{what}_deviation_us") for what in ("allocate", "work", "free")),
                   Quantity("gflops", deviation="gflops_deviation")],
    "hash_join": [Quantity("join_us"), Quantity("probe_us"), Quantity("free_us")],
    "work_generation": [Quantity("work_us"), Quantity("generate_us"), Quantity("consume_us"), Quantity("over_packed")],
    "graph": [Quantity("initialise_us"), Quantity("update_us"), Quantity("delete_us"), Quantity("free_us"),
              Quantity("updated_per_s"), Quantity("deleted_per_s"), Quantity("wasted_percent")],
    "collectives": [Quantity("collective_us", "collective_5th_us", "collective_95th_us"), Quantity("allocate_us"),
                    Quantity("free_us")],
}

# The times that `speedup` compares, which results.json does not say.
COMPARED = {"malloc_sweep": "allocate_median_us", "getpage": "getpage_median_us", "allocation": "work_us",
            "hash_join": "join_us", "work_generation": "work_us", "graph": "graph_us", "collectives": "collective_us"}

# What each problem's title says of what does not vary, unless it has a value that says nothing.
TOLD = {
    "malloc_sweep": ("malloc.pattern", "malloc.callers", "malloc.threads", "malloc.size", "malloc.largest",
                     "malloc.state", "malloc.free"),
    "atomics": ("atomics.operation", "atomics.threads", "atomics.addresses", "atomics.rounds"),
    "page_steps": ("steps.pages", "steps.threads", "steps.free"),
    "getpage": ("getpage.threads", "getpage.free", "allocator.page"),
    "allocation": ("allocation.work", "allocation.floats", "allocation.blocks", "allocation.threads",
                   "allocation.total"),
    "hash_join": ("hash_join.tuples", "hash_join.list", "hash_join.copies"),
    "work_generation": ("work.threads", "work.smallest", "work.largest"),
    "graph": ("graph.kind", "graph.lists", "graph.vertices", "graph.degree", "graph.batches", "graph.inserted",
              "graph.deleted", "graph.sources"),
    "collectives": ("collectives.operation", "collectives.blocks", "collectives.threads", "collectives.doubles"),
}
NOT_TOLD = {"malloc.callers": "lanes", "malloc.largest": 0, "allocation.total": 0, "malloc.free": 100,
            "hash_join.copies": 1, "graph.deleted": 0, "graph.sources": 0}

# Families of allocators share a hue where there are not enough; markers tell all apart in grey.
STYLES = {
    "slab_walk": ("#D55E00", "o"),
    "native": ("#000000", "X"),
    "bump": (GREY, "*"),
    "page_queue": ("#999999", "<"),
    "kokkos_pool": ("#8C564B", "h"),
    "random_walk": ("#009E73", "D"),
    "random_walk_bitmap": ("#A6A800", "P"),
    "collaborative_random_walk": ("#CC79A7", "v"),
    "rw_malloc": ("#E69F00", "p"),
    "virtual_queues": ("#DDCC77", "8"),
    "warp_header": ("#0072B2", "^"),
    "warp_table": ("#56B4E9", "s"),
    "block_header": ("#332288", ">"),
    "block_table": ("#AA4499", "d"),
}
OVER_NATIVE = "_over_native"
NAME = "allocator.name"
IN_ORDER = [name + end for name in STYLES for end in ("", OVER_NATIVE)]
FORMULA = "by the formula of [Pham2022]"

Panels = dict[str, dict[str, list[Point]]]
"""Points by panel and line."""


def pictures(results: Results) -> Pictures:
    for problem, points in by_problem(point for point in results.points if point.figures).items():
        for quantity in QUANTITIES.get(problem, []):
            if any(measured(point, quantity.name) for point in points):
                stem = f"{problem}_{re.sub('(_median)?(_us|_ns|_percent)?$', '', quantity.name)}"
                yield Picture(stem, functools.partial(draw, points, quantity, results))
        if several(point.deck.get(NAME) for point in points if measured(point, SPEEDUP)):
            yield Picture(f"{problem}_{SPEEDUP}", functools.partial(draw, points, Quantity(SPEEDUP), results))


def value_of(point: Point, name: str) -> float | None:
    return point.speedup if name == SPEEDUP else point.figure(name)


def measured(point: Point, name: str) -> bool:
    """Neither missing nor zero."""
    return (value_of(point, name) or 0) > 0


def measured_value(point: Point, name: str) -> float:
    """Of a point that has one."""
    value = value_of(point, name)
    assert value is not None
    return value


def bounds(point: Point, quantity: Quantity) -> tuple[float, float]:
    """What the value's range reaches (below, above), as lengths."""
    value = measured_value(point, quantity.name)
    if quantity.deviation:
        deviation = point.figure(quantity.deviation) or 0.0
        return deviation, deviation
    low, high = (point.figure(name) if name else None for name in (quantity.lowest, quantity.highest))
    return max(0.0, value - (value if low is None else low)), max(0.0, (value if high is None else high) - value)


def line_style(label: str, place: int) -> tuple[str, str, str, str]:
    """(colour, marker, marker's face, dashes); `place` is the line's in the figure."""
    base = label.removesuffix(OVER_NATIVE)
    color, marker = STYLES.get(base) or SERIES[place % len(SERIES)]
    return (color, marker, "white", ":") if base != label else (color, marker, color, "-")


class Layout:
    """Which key is the horizontal axis (None: bars), which tell lines apart, and which panels."""

    def __init__(self, points: Sequence[Point]) -> None:
        varying = varying_keys(points)
        values: dict[str, set[Any]] = {key: {None if isinstance(value := point.swept.get(key), list) else value
                                             for point in points} for key in varying}
        numeric = [key for key in varying if all(number(value) is not None for value in values[key])]
        self.axis = max(numeric, key=lambda key: len(values[key]), default=None)
        others = [key for key in varying if key != self.axis]
        self.lines = [NAME] if NAME in others else others
        self.panels = [key for key in others if key not in self.lines]

    def line_of(self, point: Point) -> str:
        if self.lines == [NAME]:
            return str(point.deck[NAME])
        return settings(self.lines, point) or str(point.deck.get(NAME, point.work.problem))

    def panels_of(self, points: Iterable[Point]) -> Panels:
        found: Panels = {}
        for point in points:
            found.setdefault(settings(self.panels, point), {}).setdefault(self.line_of(point), []).append(point)
        return found


def settings(keys: Iterable[str], point: Point) -> str:
    return ", ".join(setting(key, point.swept.get(key)) for key in keys)


def draw(points: Sequence[Point], quantity: Quantity, results: Results) -> Figure:
    """One quantity. Points in which it is zero or was not measured have no place in it, nor on a logarithmic axis."""
    layout = Layout(points)
    found = layout.panels_of(point for point in points if measured(point, quantity.name))
    problem = points[0].work.problem
    label = labels.figure(problem, quantity.name, results.labels)
    if layout.axis is None:
        figure, handles = draw_bars(found, quantity, label.axis())
    else:
        figure, handles = draw_lines(found, quantity, layout.axis, label.axis())
    width, height = figure.get_size_inches()
    said = [line for text in explained(problem, quantity, results) for line in remark_lines(text, width)]
    figure.set_size_inches(width, height + REMARK_HEIGHT * len(said))
    return frame(figure, heading(points, label), handles, [*said, *notes(points, quantity, results)])


def explained(problem: str, quantity: Quantity, results: Results) -> list[str]:
    """What is drawn; of a speed-up also what it compares."""
    told = [labels.figure(problem, quantity.name, results.labels).sentence()]
    if quantity.name == SPEEDUP and problem in COMPARED:
        compared = labels.figure(problem, COMPARED[problem], results.labels)
        told.append("compared by " + (compared.sentence() or compared.title))
    return [text for text in told if text]


def heading(points: Sequence[Point], label: Label) -> list[str]:
    problem, deck, varying = points[0].work.problem, points[0].deck, varying_keys(points)
    told = [setting(key, deck[key]).split(".", 1)[1] for key in TOLD.get(problem, ())
            if key not in varying and deck.get(key) not in (None, NOT_TOLD.get(key))]
    if NAME not in varying and NAME in deck:
        told.insert(0, str(deck[NAME]))
    return [f"{problem}: {label.axis()}", *([", ".join(told)] if told else [])]


def notes(points: Sequence[Point], quantity: Quantity, results: Results) -> list[str]:
    lines = [quantity.range_note()]
    left_out = sorted({str(point.deck[NAME]) for point in points if value_of(point, quantity.name) in (None, 0)})
    if left_out and quantity.name != SPEEDUP:
        lines.append("zero or not measured, at some points at least: " + ", ".join(left_out))
    if any(point.figure(f"{quantity.name}_formula") for point in points):
        lines += dict.fromkeys(note for point in points for note in point.notes if "formula" in note)
    pools = {point.deck.get("allocator.pool") for point in points}
    pool = f"pool {pools.pop():g} GiB, " if len(pools) == 1 and None not in pools else ""
    return [*filter(None, lines), f"this run: {pool}{results.machine()}"]


# ----------------------------------------------------------------------------------------------------- lines


def draw_lines(found: Panels, quantity: Quantity, key: str, axis: str) -> tuple[Figure, dict[str, Handle]]:
    """Panels in a grid, all with the same axes."""
    columns = len(found) if len(found) < 4 else 2 if len(found) == 4 else 3
    rows = math.ceil(len(found) / columns)
    width = max(8.5, 4.3 * columns)
    below = 0.26 * legend_rows({label for lines in found.values() for label in lines}, width)
    figure, grid = panels(rows, columns, (width, 1.9 + below + 3.7 * rows), sharex=True, sharey=True)
    handles: dict[str, Handle] = {}
    formula: Handle | None = None
    for axes, (title, lines) in zip(grid.flat, found.items()):
        formulas: list[list[tuple[float, float]]] = []
        for label, line in lines.items():
            place = list(handles).index(label) if label in handles else len(handles)
            style = line_style(label, place)
            line.sort(key=lambda point: point.swept[key])
            handles[label] = draw_line(axes, key, line, quantity, style)
            formula = draw_formula(axes, key, line, quantity, style[0], formulas) or formula
        axes.set_title(title, fontsize=10)
        tidy(axes)
    hide_beyond(grid, len(found))
    points = [point for lines in found.values() for line in lines.values() for point in line]
    scale(grid[0][0], [point.swept[key] for point in points],
          [measured_value(point, quantity.name) for point in points], quantity.name.endswith("_percent"))
    label_axes(grid, len(found), labels.key_axis(key), axis)
    handles = {label: handles[label] for label in known_first(handles, IN_ORDER)}
    return figure, {**handles, FORMULA: formula} if formula else handles


def draw_line(axes: Axes, key: str, line: Sequence[Point], quantity: Quantity,
              style: tuple[str, str, str, str]) -> Handle:
    color, marker, face, dashes = style
    values = [measured_value(point, quantity.name) for point in line]
    below, above = zip(*(bounds(point, quantity) for point in line))
    # Ranges that reach zero have no end on a logarithmic axis.
    ranges = [[min(length, 0.95 * value) for length, value in zip(below, values)], above]
    return axes.errorbar([point.swept[key] for point in line], values, yerr=ranges if quantity.range_note() else None,
                         color=color, marker=marker, markersize=6, markerfacecolor=face, linestyle=dashes,
                         linewidth=1.5, capsize=2.5)


def draw_formula(axes: Axes, key: str, line: Sequence[Point], quantity: Quantity, color: str,
                 drawn: list[list[tuple[float, float]]]) -> Handle | None:
    """Dashed, unless the same stands there already: some allocators share a formula."""
    curve = [(point.swept[key], value) for point in line if (value := point.figure(f"{quantity.name}_formula"))]
    if not curve or curve in drawn:
        return None
    drawn.append(curve)
    axes.plot(*zip(*curve), linestyle=DASHES, color=color, linewidth=2.6, alpha=0.55)
    return axes.plot([], [], linestyle=DASHES, color=DARK_GREY, linewidth=2.6, alpha=0.55)[0]


def scale(axes: Axes, places: Iterable[float], values: Sequence[float], percent: bool) -> None:
    """Both axes; logarithmic where they span decades. All panels share them."""
    places = sorted(set(places))
    if spans_decades(places) and all(math.log2(place).is_integer() for place in places):
        axes.set_xscale("log", base=2)
        ticks_at(axes.xaxis, places if len(places) <= 7 else places[:: math.ceil(len(places) / 6)],
                 plain if places[-1] < 1e5 else lambda value: f"$2^{{{round(math.log2(value))}}}$")
    elif spans_decades(places):
        axes.set_xscale("log")
        short_numbers(axes.xaxis, places)
    if percent:
        axes.set_ylim(0, 105)
    elif spans_decades(values):
        axes.set_yscale("log")
        short_numbers(axes.yaxis, values)
    elif max(values) > 1.5 * min(values) or max(values) > 2:
        axes.set_ylim(0, 1.08 * max(values))


def label_axes(grid: Grid, count: int, below: str, beside: str) -> None:
    """The outer panels alone: all share their axes."""
    columns = len(grid[0])
    for place, axes in enumerate(grid.flat[:count]):
        if place % columns == 0:
            axes.set_ylabel(beside)
        if place + columns >= count:
            axes.set_xlabel(below)
            axes.tick_params(labelbottom=True)


# ------------------------------------------------------------------------------------------------------ bars


def draw_bars(found: Panels, quantity: Quantity, axis: str) -> tuple[Figure, dict[str, Handle]]:
    """A panel beside the other, in each a bar for each allocator, from zero."""
    lines = known_first((label for of_panel in found.values() for label in of_panel), IN_ORDER)
    columns = min(3, len(found))
    rows = math.ceil(len(found) / columns)
    size = (max(8.5, 2.2 + 4.2 * columns), 1.7 + rows * (0.8 + 0.34 * len(lines)))
    figure, grid = panels(rows, columns, size, sharey=True)
    formula: Handle | None = None
    for axes, (title, of_panel) in zip(grid.flat, found.items()):
        for row, label in enumerate(lines):
            for point in of_panel.get(label, []):
                formula = draw_bar(axes, row, point, quantity, line_style(label, row)[0]) or formula
        axes.set_xlim(0, 1.35 * max(measured_value(point, quantity.name) + bounds(point, quantity)[1]
                                    for line in of_panel.values() for point in line))
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.set_title(title, fontsize=10)
        tidy(axes, "x")
    hide_beyond(grid, len(found))
    row_axis(grid[0][0], lines)
    for axes in grid.flat[max(0, len(found) - columns):len(found)]:
        axes.set_xlabel(axis, fontsize=9)
    return figure, {FORMULA: formula} if formula else {}


def draw_bar(axes: Axes, row: int, point: Point, quantity: Quantity, color: str) -> Handle | None:
    """Returns the mark of the formula, if there is one."""
    value = measured_value(point, quantity.name)
    below, above = bounds(point, quantity)
    axes.barh(row, value, 0.72, color=color)
    if quantity.range_note():
        axes.errorbar(value, row, xerr=[[below], [above]], color=DARK_GREY, capsize=2.5, linewidth=1)
    axes.text(value + above, row, f"  {value:.3g}" if value < 1000 else f"  {value:,.0f}", va="center", fontsize=9)
    formula = point.figure(f"{quantity.name}_formula")
    if not formula:
        return None
    return axes.plot(formula, row, "d", color="white", markeredgecolor="black", markersize=7)[0]
