# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of linear systems: the time to the solution, against the steps of a block where these vary, and how residuals
fall (*_history.csv)."""

from __future__ import annotations

import pathlib
from collections.abc import Sequence

import pandas

from haloheap_results.group import Group, grouped, row_labels, title_of, varying_keys
from haloheap_results.load import BadInput, Point, Results, load, read_numbers
from haloheap_results.style import (SERIES, Figure, Handle, Picture, Pictures, bars, frame, panels, powers_axis,
                                    tidy)

PROBLEMS = ("implicit2d", "implicit3d", "hpcg")
STEPS = "solver.block_steps"
HISTORY = "_history.csv"


def pictures(results: Results) -> Pictures:
    points = [point for point in results.points if point.work.problem in PROBLEMS and point.wall.median is not None]
    if points:
        yield Picture("time_to_solution", lambda: draw_times(points, results))
    blocks = [group for group in grouped(points, [STEPS]) if len(steps_of(group)) > 1]
    if blocks:
        yield Picture("block_steps", lambda: draw_blocks(blocks, results))


def steps_of(group: Group) -> set[int]:
    return {int(point.deck[STEPS]) for point in group.points}


def seconds(point: Point) -> float:
    value = point.wall.median
    assert value is not None
    return value


def draw_times(points: Sequence[Point], results: Results) -> Figure:
    """A bar for each point, with what it took."""
    times = [seconds(point) for point in points]
    texts = [f" {time:.3g} s, {point.figure('iterations') or 0:.0f} iterations" for point, time in zip(points, times)]
    figure = bars(points, times, texts, "time to the solution [s]", 1.5)
    return frame(figure, [title_of(points, "Time to the solution")], {}, ["this run: " + results.machine()])


def draw_blocks(groups: Sequence[Group], results: Results) -> Figure:
    figure, ((axes,),) = panels(1, 1, (8, 5))
    texts = row_labels([group.points[0] for group in groups])
    handles: dict[str, Handle] = {}
    for group, text, (color, marker) in zip(groups, texts, SERIES * len(groups)):
        ordered = sorted(group.points, key=lambda point: int(point.deck[STEPS]))
        line, = axes.plot([int(point.deck[STEPS]) for point in ordered], [seconds(point) for point in ordered],
                          color=color, marker=marker)
        handles[text.replace("\n", ", ")] = line
    powers_axis(axes, {float(steps) for group in groups for steps in steps_of(group)})
    axes.set_ylim(bottom=0)
    axes.set_xlabel("iterations for each exchange and each sum of all ranks")
    axes.set_ylabel("time to the solution [s]")
    tidy(axes)
    points = [point for group in groups for point in group.points]
    return frame(figure, [title_of(points, "s-step conjugate gradients")], handles if len(groups) > 1 else {},
                 ["this run: " + results.machine()])


def read_history(path: pathlib.Path) -> pandas.Series[float]:
    """Norms of the residual, each time that the solver looked."""
    return read_numbers(path, "columns look and norm", lambda rows: list(rows.columns) == ["look", "norm"])["norm"]


def draw_histories(paths: Sequence[pathlib.Path]) -> Figure:
    """All in one picture; what tells their points apart is read from the results.json beside them."""
    figure, ((axes,),) = panels(1, 1, (9, 5.5))
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
    """By the swept keys that differ; the file's name where nobody says."""
    known = {path: point for folder in {path.parent for path in paths} for path, point in histories_in(folder).items()}
    points = [known[path] for path in paths if path in known]
    if len(points) < len(paths) or not varying_keys(points):
        return [path.name.removesuffix(HISTORY) for path in paths]
    return [text.replace("\n", ", ") for text in row_labels(points)]


def histories_in(folder: pathlib.Path) -> dict[pathlib.Path, Point]:
    """The point of each file that a run may have written; none where there are no results."""
    try:
        points = load([folder / "results.json"]).points
    except BadInput:
        return {}
    return {folder / f"point_{number:03}{HISTORY}": point for number, point in enumerate(points, 1)}
