# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the receivers of waves have recorded (*_receivers.csv): a trace for each, time downwards."""

from __future__ import annotations

import pathlib

import numpy
import pandas

from haloheap_results.load import read_numbers
from haloheap_results.style import BLUE, DARK_GREY, Figure, panels, tidy

SPACING_OF_LOUD = 0.7  # how far a trace goes from its own line where it is as loud as LOUD
LOUD = 0.98  # share of all samples that are less loud: the first arrivals may go beyond
BEYOND = 1.4


def read_receivers(path: pathlib.Path) -> pandas.DataFrame:
    """One column a receiver, named by its cell, and the seconds as index."""
    rows = read_numbers(path, "columns step, time_s and one for each receiver",
                        lambda table: list(table.columns[:2]) == ["step", "time_s"] and len(table.columns) > 2)
    return rows.drop(columns="step").set_index("time_s").rename(columns=cell_of)


def cell_of(column: str) -> str:
    """"u_80_4" is of cell (80, 4)."""
    return f"({', '.join(column.split('_')[1:])})"


def draw(path: pathlib.Path) -> Figure:
    """All traces have one scale; what is above 0 is filled. Where few receivers stand each has its cell below it."""
    traces = read_receivers(path)
    count = traces.shape[1]
    loud = numpy.quantile(numpy.abs(traces.to_numpy()), LOUD) or 1.0
    figure, ((axes,),) = panels(1, 1, (min(3 + 0.6 * count, 9), 6), layout="constrained")
    for number, cell in enumerate(traces):
        swing = numpy.clip(SPACING_OF_LOUD * traces[cell].to_numpy() / loud, -BEYOND, BEYOND)
        axes.plot(number + swing, traces.index, color=DARK_GREY, linewidth=0.6)
        axes.fill_betweenx(traces.index, number, number + swing, where=(swing > 0).tolist(), color=BLUE, linewidth=0)
    axes.set_ylim(traces.index.max(), traces.index.min())
    axes.set_xlim(-1.2, count + 0.2)
    axes.set_ylabel("time [s]")
    shown = range(0, count, max(1, -(-count // 8)))
    axes.set_xticks(list(shown), [traces.columns[number] for number in shown])
    axes.set_xlabel("receiver (cell)")
    tidy(axes, "y")
    figure.suptitle(f"{path.stem}: {count} receiver{'s'[:count != 1]}")
    return figure
