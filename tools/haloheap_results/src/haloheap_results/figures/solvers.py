# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Solvers of linear systems: the time to the solution, against the steps of a block where these vary, and how residuals
fall (*_history.csv)."""

from __future__ import annotations

import json
import pathlib
from collections.abc import Sequence

import pandas

from haloheap_results.group import Group, grouped, row_labels, title_of, varying_keys
from haloheap_results.load import BadInput, Point, Results, load
from haloheap_results.style import (BLUE, SERIES, Figure, Handle, Picture, Pictures, frame, panels, powers_axis,
                                    row_axis, tidy)

PROBLEMS = ("implicit2d", "implicit3d")
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
    row_height = 0.2 * max(1, len(varying_keys(points))) + 0.18
    figure, ((axes,),) = panels(1, 1, (9, 2.0 + row_height * len(points)))
    times = [seconds(point) for point in points]
    axes.barh(range(len(points)), times, 0.72, color=BLUE)
    for row, (point, time) in enumerate(zip(points, times)):
        iterations = point.figure("iterations") or 0
        axes.text(time, row, f" {time:.3g} s, {iterations:.0f} iterations", va="center", fontsize=9)
    row_axis(axes, row_labels(points))
    axes.set_xlim(0, 1.5 * max([*times, 1e-12]))
    axes.set_xlabel("time to the solution [s]")
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
    try:
        rows = pandas.read_csv(path)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: {error}") from error
    if list(rows.columns) != ["look", "norm"] or rows.empty or rows.isna().any(axis=None):
        raise BadInput(f"{path}: not columns look and norm")
    try:
        return rows.astype(float)["norm"]
    except ValueError as error:
        raise BadInput(f"{path}: {error}") from error


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
    points = [point_of(path) for path in paths]
    known = [point for point in points if point is not None]
    if len(known) < len(points) or not varying_keys(known):
        return [path.name.removesuffix(HISTORY) for path in paths]
    return [text.replace("\n", ", ") for text in row_labels(known)]


def point_of(path: pathlib.Path) -> Point | None:
    """"point_003_history.csv" is of the third point."""
    number = path.name.removesuffix(HISTORY).rpartition("_")[2]
    try:
        return load([path.parent / "results.json"]).points[int(number) - 1]
    except (BadInput, OSError, ValueError, IndexError, json.JSONDecodeError):
        return None
