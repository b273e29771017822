# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How figures look: colours, axes, and what stands around the panels."""

from __future__ import annotations

import dataclasses
import math
import textwrap
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar

import matplotlib.figure
import numpy.typing
from matplotlib import ticker
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.container import Container

from haloheap_results.group import known_first, row_labels, varying_keys
from haloheap_results.load import Point

Figure = matplotlib.figure.Figure
Handle = Artist | Container
"""What stands before a text in a legend."""
Handles = Mapping[str, Handle]
Grid = numpy.typing.NDArray[Any]
"""Of Axes: rows, columns."""
Name = TypeVar("Name", bound=Hashable)

GREY, LIGHT_GREY, DARK_GREY = "#666666", "#DDDDDD", "#444444"
BLUE = "#0072B2"
REMARK_HEIGHT = 0.18  # inches of a line below a figure
DASHES = (0, (5, 3))  # of formulas and bounds, which were not measured


@dataclasses.dataclass(frozen=True)
class Styles(Generic[Name]):
    """Colour and marker by name, for unknown names in turn of the spare ones.

    Okabe and Ito's palette: distinct for colour-blind readers; the markers tell the same apart in grey."""

    known: Mapping[Name, tuple[str, str]]
    spare: Sequence[tuple[str, str]]

    def of(self, name: Name, names: Iterable[Name]) -> tuple[str, str]:
        """`names` are all of the figure."""
        unknown = [other for other in dict.fromkeys(names) if other not in self.known]
        return self.known[name] if name in self.known else self.spare[unknown.index(name) % len(self.spare)]

    def in_order(self, names: Iterable[Name]) -> list[Name]:
        return known_first(names, self.known)


# Of exchange and overlap.
VERSIONS = Styles(
    {
        ("sync", "none"): (BLUE, "o"),
        ("sync", "first_step"): ("#D55E00", "s"),
        ("async", "none"): ("#56B4E9", "^"),
        ("async", "first_step"): ("#E69F00", "D"),
        ("sync", "all_steps"): ("#009E73", "v"),
        ("async", "all_steps"): ("#CC79A7", "P"),
    },
    [("#000000", "X"), (GREY, "*")],
)
# Of what has no style of its own.
SERIES = [*VERSIONS.known.values(), *VERSIONS.spare]


@dataclasses.dataclass(frozen=True)
class Picture:
    """A figure that can be drawn, and what its file is called. What cannot be drawn is a text that says why."""

    stem: str
    draw: Callable[[], Figure]


Pictures = Iterator[Picture | str]


def panels(rows: int, columns: int, size: tuple[float, float], layout: Any = None, **more: Any) -> tuple[Figure, Grid]:
    """A figure of so many inches, and its axes."""
    figure = Figure(figsize=size, layout=layout)
    return figure, figure.subplots(rows, columns, squeeze=False, **more)


def hide_beyond(grid: Grid, count: int) -> None:
    for axes in grid.flat[count:]:
        axes.set_visible(False)


def frame(figure: Figure, heading: Sequence[str], handles: Handles, remarks: Sequence[str]) -> Figure:
    """Title above, legend and remarks below; the panels get the rest. Inches, so that it suits every figure height."""
    width, height = figure.get_size_inches()
    rows = legend_rows(handles, width)
    columns = math.ceil(len(handles) / max(1, rows))
    remark_height = 0.1 + REMARK_HEIGHT * len(remarks)
    bottom = remark_height + 0.26 * rows + 0.05
    top = 0.3 * len(heading) + 0.15
    figure.tight_layout(rect=(0, bottom / height, 1, 1 - top / height))
    figure.text(0.5, 1 - 0.12 / height, "\n".join(heading), ha="center", va="top", fontsize=13)
    figure.text(0.5, 0.06 / height, "\n".join(remarks), ha="center", va="bottom", fontsize=9, color="#555555")
    if handles:
        shown: list[Any] = list(handles.values())
        figure.legend(shown, list(handles), loc="lower center", ncol=columns,
                      bbox_to_anchor=(0.5, remark_height / height), frameon=False, fontsize=10)
    return figure


def remark_lines(text: str, width: float) -> list[str]:
    """A text below a figure so many inches wide."""
    return textwrap.wrap(text, int(14 * width))


def legend_rows(texts: Iterable[str], width: float) -> int:
    """Of a legend below a figure so many inches wide."""
    lengths = list(map(len, texts))
    return math.ceil(len(lengths) / max(1, int(width / (0.9 + 0.085 * max(lengths, default=0)))))


# ------------------------------------------------------------------------------------------------------ axes


def tidy(axes: Axes, axis: str = "both", which: str = "major") -> None:
    """Grid lines below what is drawn."""
    axes.grid(True, axis=axis, which=which, color=LIGHT_GREY, linewidth=0.7)  # type: ignore[arg-type]
    axes.set_axisbelow(True)


def formatted(axis: Axis, text: Callable[[float], str]) -> None:
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: text(value)))


def plain(value: float) -> str:
    return f"{value:g}"


def ticks_at(axis: Axis, places: Sequence[float], text: Callable[[float], str] = plain) -> None:
    """There and nowhere else."""
    axis.set_major_locator(ticker.FixedLocator(places))
    formatted(axis, text)
    axis.set_minor_locator(ticker.NullLocator())


def powers_axis(axes: Axes, values: Iterable[float], ticks: Sequence[float] | None = None) -> None:
    """For depths, numbers of streams and the like: logarithmic, a tick at each value if nothing else is said."""
    ordered = sorted(values)
    axes.set_xscale("log", base=2)
    ticks_at(axes.xaxis, ordered if ticks is None else ticks)
    axes.set_xlim(ordered[0] / 2**0.3, ordered[-1] * 2**0.3)


def plain_numbers(axis: Axis, values: Sequence[float], text: Callable[[float], str] = plain) -> None:
    """On a logarithmic axis; between the powers of ten too where there are few of them."""
    axis.set_major_locator(ticker.LogLocator(10, (1, 2, 5) if max(values) < 1e3 * min(values) else (1,)))
    formatted(axis, text)
    axis.set_minor_formatter(ticker.NullFormatter())


def short_numbers(axis: Axis, values: Sequence[float]) -> None:
    """As plain_numbers; very small and very large ones as powers of ten."""
    plain_numbers(axis, values, lambda value: plain(value) if 1e-3 < value < 1e5 else f"${power_of_ten(value)}$")


def power_of_ten(value: float) -> str:
    exponent = math.floor(math.log10(value) + 1e-9)
    factor = round(value / 10**exponent)
    return (f"{factor} \\cdot " if factor > 1 else "") + f"10^{{{exponent}}}"


def spans_decades(values: Sequence[float]) -> bool:
    return min(values) > 0 and max(values) >= 10 * min(values)


def bars(points: Sequence[Point], values: Sequence[float], texts: Sequence[str], label: str, room: float) -> Figure:
    """A horizontal bar for each point with a text behind it. The axis is `room` times as long as the longest."""
    row_height = 0.2 * max(1, len(varying_keys(points))) + 0.18
    figure, ((axes,),) = panels(1, 1, (9, 2.0 + row_height * len(points)))
    axes.barh(range(len(points)), values, 0.72, color=BLUE)
    for row, (value, text) in enumerate(zip(values, texts)):
        axes.text(value, row, text, va="center", fontsize=9)
    row_axis(axes, row_labels(points))
    axes.set_xlim(0, room * max([*values, 1e-12]))
    axes.set_xlabel(label)
    return figure


def row_axis(axes: Axes, labels: Sequence[str]) -> None:
    """For horizontal bars: a row each, the first one above."""
    axes.set_yticks(range(len(labels)))
    axes.set_yticklabels(labels, fontsize=9)
    axes.invert_yaxis()
    tidy(axes, "x")
