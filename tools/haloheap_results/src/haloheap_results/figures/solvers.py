# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of linear systems: the time to the solution, against the steps of a block where these vary (block_steps.py),
and how residuals fall (*_history.csv)."""

from __future__ import annotations

import contextlib
import pathlib
from collections.abc import Iterable, Sequence

import pandas

from haloheap_results.figures import block_steps
from haloheap_results.figures.block_steps import seconds
from haloheap_results.group import row_labels, title_of, varying_keys
from haloheap_results.load import BadInput, Point, Results, joined, load_one, read_numbers
from haloheap_results.style import SERIES, Figure, Handle, Picture, Pictures, bars, frame, panels, tidy

PROBLEMS = ("implicit2d", "implicit3d", "hpcg")
HISTORY = "_history.csv"


def pictures(results: Results) -> Pictures:
    points = [point for point in results.points if point.work.problem in PROBLEMS and point.wall.median is not None]
    if points:
        yield Picture("time_to_solution", lambda: draw_times(points, results))
    yield from block_steps.pictures(points, results)


def draw_times(points: Sequence[Point], results: Results) -> Figure:
    """A bar for each point, with what it took."""
    times = [seconds(point) for point in points]
    texts = [f" {time:.3g} s, {point.figure('iterations') or 0:.0f} iterations" for point, time in zip(points, times)]
    figure = bars(points, times, texts, "time to the solution [s]", 1.5)
    return frame(figure, [title_of(points, "Time to the solution")], {}, ["this run: " + results.machine()])


def read_history(path: pathlib.Path) -> pandas.Series[float]:
    """Norms of the residual, each time that the solver looked."""
    return read_numbers(path, "columns look and norm", lambda rows: list(rows.columns) == ["look", "norm"])["norm"]


def draw_histories(paths: Sequence[pathlib.Path]) -> Figure:
    """All in one picture; what tells their points apart is read from the results.json beside them."""
    figure, ((axes,),) = panels(1, 1, (9, 5 + 0.35 * len(paths)))  # with room for a legend of so many lines
    handles: dict[str, Handle] = {}
    for number, (path, text, (color, _)) in enumerate(zip(paths, names_of(paths), SERIES * len(paths))):
        norms = read_history(path)
        width = max(1.2, 3.6 - 0.8 * number)  # where two are the same, both are seen
        handles[text], = axes.semilogy(norms.index, norms / norms.iloc[0], color=color, linewidth=width)
    axes.set_xlabel("look at the residual: each iteration; of Chebyshev iterations after the first ones some steps")
    axes.set_ylabel("norm of the residual, over that of the first")
    tidy(axes)
    return frame(figure, ["How residuals fall"], handles, [])


def names_of(paths: Sequence[pathlib.Path]) -> list[str]:
    """By the keys that differ; the file's name where nobody says."""
    known = histories_in(dict.fromkeys(path.parent for path in paths))
    points = [known[path] for path in paths if path in known]
    if len(points) < len(paths) or not varying_keys(points):
        return [path.name.removesuffix(HISTORY) for path in paths]
    return [text.replace("\n", ", ") for text in row_labels(points)]


def histories_in(folders: Iterable[pathlib.Path]) -> dict[pathlib.Path, Point]:
    """The point of each file that runs may have written, as if they were one; none where there are no results."""
    runs = {}
    for folder in folders:
        with contextlib.suppress(BadInput):
            runs[folder / "results.json"] = load_one(folder / "results.json")
    files = [path.parent / f"point_{number:03}{HISTORY}"
             for path, run in runs.items() for number in range(1, len(run.points) + 1)]
    return dict(zip(files, joined(list(runs), list(runs.values())).points)) if runs else {}
