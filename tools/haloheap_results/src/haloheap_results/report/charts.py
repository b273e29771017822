# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A chart as data: what is drawn by Plotly in a browser, and the table of the same numbers.

Colours and markers are those of the PNG figures; a marker and a dash of its own tell each series apart without colour.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from haloheap_results.style import SERIES

Place = float | str
"""On the horizontal axis: a number, or the name of a group of bars."""

# What Plotly calls the markers of the PNG figures.
SYMBOLS = {"o": "circle", "s": "square", "^": "triangle-up", "D": "diamond", "v": "triangle-down", "P": "cross",
           "X": "x",
           "*": "star", "<": "triangle-left", ">": "triangle-right", "h": "hexagon", "p": "pentagon",
           "d": "diamond-tall", "H": "hexagon2", "8": "octagon"}
DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")
PATTERNS = ("", "/", "x", ".", "-", "+", "\\", "|")


@dataclasses.dataclass(frozen=True)
class Series:
    """A line or a kind of bar. `low` and `high` bound the value over the repetitions."""

    name: str
    x: Sequence[Place]
    y: Sequence[float | None]
    low: Sequence[float | None] = ()
    high: Sequence[float | None] = ()
    style: tuple[str, str] | None = None
    """Colour and marker as matplotlib has them; in turn where there is none."""
    formula: bool = False
    """Computed, not measured: dashed and without markers."""
    hidden: bool = False
    """Not drawn until somebody asks for it in the legend."""


@dataclasses.dataclass(frozen=True)
class Panel:
    title: str
    series: Sequence[Series]


@dataclasses.dataclass(frozen=True)
class Chart:
    """`origin`: what measured it and where it is printed, or how our numbers were computed."""

    title: str
    x: str
    y: str
    panels: Sequence[Panel]
    origin: str = ""
    bars: bool = False
    stacked: bool = False
    log_x: bool = False
    log_y: bool = False
    notes: Sequence[str] = ()

    def series_names(self) -> list[str]:
        return list(dict.fromkeys(series.name for panel in self.panels for series in panel.series))

    def styles(self) -> dict[str, tuple[str, str]]:
        """Colour and marker by the name of a series."""
        known = {series.name: series.style for panel in self.panels for series in panel.series}
        return {name: known[name] or SERIES[place % len(SERIES)] for place, name in enumerate(known)}


def drawable(chart: Chart) -> bool:
    return any(value is not None for panel in chart.panels for series in panel.series for value in series.y)


# -------------------------------------------------------------------------------------------------- for Plotly


def figure(chart: Chart) -> dict[str, Any]:
    """What Plotly.newPlot takes; text and grid get their colours in the browser, which knows whether it is dark."""
    styles = chart.styles()
    traces = [trace_of(chart, series, number, styles[series.name], chart.series_names().index(series.name))
              for number, panel in enumerate(chart.panels, 1) for series in panel.series]
    shown: set[str] = set()
    for trace in traces:
        trace["showlegend"] = trace["name"] not in shown
        shown.add(trace["name"])
    return {"data": traces, "layout": layout_of(chart)}


def axis_name(letter: str, number: int) -> str:
    return letter if number == 1 else f"{letter}{number}"


def trace_of(chart: Chart, series: Series, panel: int, style: tuple[str, str], place: int) -> dict[str, Any]:
    color, marker = style
    x = [str(value) for value in series.x] if chart.bars else list(series.x)
    trace: dict[str, Any] = {"name": series.name, "legendgroup": series.name, "x": x, "y": list(series.y),
                             "xaxis": axis_name("x", panel), "yaxis": "y",
                             "hovertemplate": "%{x}: %{y:.4g}<extra>%{fullData.name}</extra>"}
    if series.hidden:
        trace["visible"] = "legendonly"
    if chart.bars:
        pattern = {"shape": PATTERNS[place % len(PATTERNS)], "fillmode": "overlay", "size": 6, "solidity": 0.25}
        trace |= {"type": "bar", "marker": {"color": color, "pattern": pattern}}
    else:
        dash = "dash" if series.formula else DASHES[place // 4 % len(DASHES)]
        trace |= {"type": "scatter", "mode": "lines" if series.formula else "lines+markers",
                  "line": {"color": color, "width": 2, "dash": dash},
                  "marker": {"color": color, "symbol": SYMBOLS.get(marker, "circle"), "size": 8}}
    if series.low and series.high:
        trace["error_y"] = {"type": "data", "symmetric": False, "thickness": 1, "width": 3, "color": color,
                            "array": lengths(series.y, series.high, 1), "arrayminus": lengths(series.y, series.low, -1)}
    return trace


def lengths(values: Sequence[float | None], ends: Sequence[float | None], sign: int) -> list[float]:
    """From the values to the ends of their ranges."""
    return [0.0 if value is None or end is None else max(0.0, sign * (end - value)) for value, end in zip(values, ends)]


def layout_of(chart: Chart) -> dict[str, Any]:
    count = len(chart.panels)
    layout: dict[str, Any] = {
        "yaxis": value_axis(chart), "hovermode": "closest", "barmode": "stack" if chart.stacked else "group",
        "annotations": [panel_title(panel.title, number, count) for number, panel in enumerate(chart.panels)
                        if panel.title],
        "margin": {"t": 54 if any(panel.title for panel in chart.panels) else 32, "r": 10, "l": 64, "b": 56},
        "legend": {"orientation": "h", "y": -0.2, "yanchor": "top", "x": 0, "xanchor": "left"},
    }
    for number in range(1, count + 1):
        layout[f"xaxis{number if number > 1 else ''}"] = place_axis(chart, number - 1, count)
    return layout


def panel_title(title: str, place: int, count: int) -> dict[str, Any]:
    start, end = domain(place, count)
    return {"text": title, "x": (start + end) / 2, "xref": "paper", "y": 1.02, "yref": "paper", "yanchor": "bottom",
            "showarrow": False, "font": {"size": 12}}


def domain(place: int, count: int) -> tuple[float, float]:
    gap = 0.03
    width = (1 - gap * (count - 1)) / count
    return place * (width + gap), place * (width + gap) + width


def place_axis(chart: Chart, place: int, count: int) -> dict[str, Any]:
    axis: dict[str, Any] = {"domain": list(domain(place, count)), "anchor": "y", 
                            "title": {"text": chart.x, "standoff": 8},
                            "automargin": True}
    if place:
        axis["matches"] = "x"
    if chart.bars:
        return axis | {"type": "category"}
    values = sorted({float(x) for panel in chart.panels for series in panel.series for x in series.x})
    if chart.log_x and values:
        step = math.ceil(len(values) / max(3, 8 // count))
        ticks = values[::step]
        axis |= {"type": "log", "tickvals": ticks, "ticktext": [short(value) for value in ticks]}
    return axis


def value_axis(chart: Chart) -> dict[str, Any]:
    axis: dict[str, Any] = {"title": {"text": chart.y}, "automargin": True}
    # A bar starts at zero, which a logarithmic axis has not: there bars start where the axis does.
    return axis | ({"type": "log", "exponentformat": "power", "dtick": "D2"} if chart.log_y
                   else {"rangemode": "tozero"})


def short(value: float) -> str:
    """'1 Ki' of 1024, as sizes and numbers of threads are read."""
    for unit, factor in (("Gi", 2**30), ("Mi", 2**20), ("Ki", 2**10)):
        if value >= 2**13 and value >= factor and value % factor == 0:
            return f"{value / factor:g} {unit}"
    return f"{value:g}"


# -------------------------------------------------------------------------------------------------- as a table


@dataclasses.dataclass(frozen=True)
class Table:
    heads: Sequence[str]
    rows: Sequence[Sequence[str]]


def table(chart: Chart) -> Table:
    """A row for each place, a column for each series."""
    names = chart.series_names()
    with_panel = any(panel.title for panel in chart.panels)
    rows = []
    for panel in chart.panels:
        for place in ordered(x for series in panel.series for x in series.x):
            cells = [cell_of(panel.series, name, place) for name in names]
            name = f"{place:g}" if isinstance(place, float | int) else place
            rows.append([*([panel.title] if with_panel else []), name, *cells])
    return Table([*(["panel"] if with_panel else []), chart.x, *(f"{name} [{chart.y}]" for name in names)], rows)


def ordered(places: Iterable[Place]) -> list[Place]:
    """Each once; numbers by size."""
    found = list(dict.fromkeys(places))
    numbers = [place for place in found if isinstance(place, float | int)]
    return sorted(numbers) if len(numbers) == len(found) else found


def cell_of(panel: Sequence[Series], name: str, place: Place) -> str:
    for series in panel:
        if series.name == name and place in series.x:
            number = list(series.x).index(place)
            value = series.y[number]
            if value is None:
                return "-"
            if series.low and series.high and series.low[number] is not None and series.high[number] is not None:
                return f"{digits(value)} ({digits(series.low[number])} to {digits(series.high[number])})"
            return digits(value)
    return "-"


def digits(value: float | None) -> str:
    """Four of them, without an exponent."""
    return "-" if value is None else f"{float(f'{value:.4g}'):.10g}"


# ------------------------------------------------------------------------------------------------- from points


def line(name: str, points: Iterable[Any], x: Callable[[Any], float], y: Callable[[Any], float | None],
         bounds: Callable[[Any], tuple[float | None, float | None]] | None = None, **more: Any) -> Series:
    """A series over points, sorted by their places."""
    found = sorted(points, key=x)
    ends = [bounds(point) for point in found] if bounds else []
    return Series(name, [x(point) for point in found], [y(point) for point in found], [low for low, _ in ends],
                  [high for _, high in ends], **more)
