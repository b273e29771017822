# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields along a line beside what is known of them: Sod's tube (euler2d) and the cavity with a moving lid (lbm2d)."""

from __future__ import annotations

import dataclasses
import pathlib
from collections.abc import Callable, Mapping, Sequence

import numpy

from haloheap_results.figures.grids import Scene, Wanted, after
from haloheap_results.group import row_labels
from haloheap_results.labels import shape
from haloheap_results.load import BadInput, Point, Results
from haloheap_results.papers import cavity
from haloheap_results.riemann import SOD, solution
from haloheap_results.style import DARK_GREY, SERIES, Figure, Handle, frame, panels, tidy
from haloheap_results.vtk import Array

FINE = 2000  # places at which an exact solution is drawn
MOST_MARKS = 120  # cells of a line that are dots; more are a line


@dataclasses.dataclass(frozen=True)
class Line:
    """Values at places."""

    places: Array
    values: Array


@dataclasses.dataclass(frozen=True)
class Profile:
    """What a panel shows of a point."""

    across: str
    """What the places are."""
    along: str
    """What the values are."""
    found: Line
    known: Line


@dataclasses.dataclass(frozen=True)
class Kind:
    """A problem of which something is known along a line."""

    heading: str
    source: str
    """Of what is known, in the legend."""
    exact: bool
    """It is known everywhere, and drawn as a line; else at points."""
    profiles: Callable[[Point, Mapping[str, Array]], list[Profile]]


def middle_of(cells: int) -> Array:
    """In widths of the grid."""
    return (numpy.arange(cells) + 0.5) / cells


def tube(point: Point, fields: Mapping[str, Array]) -> list[Profile]:
    """Density, velocity and pressure of euler2d along the tube."""
    if point.deck.get("euler2d.start") != "sod":
        raise BadInput("of problem euler2d the profile is known of euler2d.start = \"sod\" alone")
    time = point.figure("time")
    if time is None:
        raise BadInput("the results do not say the time of the gas (figures.time)")
    axis = 0 if point.deck["euler2d.along"] == "x" else 1
    gamma = float(point.deck["euler2d.gamma"])

    def row(name: str) -> Array:
        rows = fields[name][0] if axis == 0 else fields[name][0].T
        return numpy.array(rows[rows.shape[0] // 2])

    density = row("density")
    velocity = row(f"momentum_{'xy'[axis]}") / density
    pressure = (gamma - 1) * (row("energy") - density * velocity**2 / 2)
    fine = middle_of(FINE)
    speeds = (fine - 0.5) / time if time > 0 else numpy.copysign(numpy.inf, fine - 0.5)
    exact = solution(gamma, *SOD, speeds)
    return [Profile("xy"[axis], name, Line(middle_of(density.size), found), Line(fine, known))
            for name, found, known in zip(("density", "velocity", "pressure"), (density, velocity, pressure), exact)]


def lines_of_cavity(point: Point, fields: Mapping[str, Array]) -> list[Profile]:
    """The velocities of lbm2d on the two lines through the middle of the cavity, over that of the lid."""
    reynolds = point.deck["lbm.reynolds"]
    table = cavity()
    column = f"reynolds_{reynolds:g}"
    if point.deck.get("lbm.flow") != "cavity" or len(set(point.work.size)) != 1 or column not in table:
        known = " and ".join(name.removeprefix("reynolds_") for name in map(str, table) if name.startswith("reynolds_"))
        raise BadInput("of problem lbm2d the profile is known of lbm.flow = \"cavity\" in a square alone, at Reynolds "
                       f"numbers of {known}")
    f = {name.removeprefix("f_"): values[0] for name, values in fields.items()}
    density = sum(f.values())
    u = (f["e"] + f["ne"] + f["se"] - f["w"] - f["nw"] - f["sw"]) / density
    v = (f["n"] + f["ne"] + f["nw"] - f["s"] - f["se"] - f["sw"]) / density
    places, lid = middle_of(u.shape[0]), float(point.deck["lbm.velocity"])
    profiles = []
    for name, across, values in (("u", "y", central(u)), ("v", "x", central(v.T))):
        rows = table[table["velocity"] == name]
        profiles.append(Profile(f"{across} on the line {'x' if across == 'y' else 'y'} = 1/2 [widths of the cavity]",
                                f"{name} / velocity of the lid", Line(places, values / lid),
                                Line(rows["at"].to_numpy(), rows[column].to_numpy())))
    return profiles


def central(rows: Array) -> Array:
    """On the line through the middle, which lies between two cells where their number is even."""
    cells = rows.shape[1]
    return (rows[:, (cells - 1) // 2] + rows[:, cells // 2]) / 2


KINDS = {
    "euler2d": Kind("Sod's tube", "exact solution", True, tube),
    "lbm2d": Kind("A cavity with a moving lid", "[Ghia1982]", False, lines_of_cavity),
}


def draw(results: Results, folder: pathlib.Path, numbers: Sequence[int]) -> Figure:
    """The points of these numbers, counted from 1; all of the run where there are none."""
    scenes = [Scene(results, folder, Wanted(number)) for number in numbers or range(1, len(results.points) + 1)]
    if not scenes:
        raise BadInput("the run has no points")
    points = [scene.point for scene in scenes]
    problem = points[0].work.problem
    if problem not in KINDS or any(point.work.problem != problem for point in points):
        raise BadInput(f"of problem {problem} no profile is known: of {' and '.join(KINDS)} there is one")
    kind = KINDS[problem]
    frames = [scene.last() for scene in scenes]
    found = [kind.profiles(scene.point, scene.fields(last)) for scene, last in zip(scenes, frames)]

    count = len(found[0])
    figure, (row,) = panels(1, count, (0.5 + 4 * count, 4.8))
    handles: dict[str, Handle] = {}
    texts = [text.replace("\n", ", ") or "this run" for text in row_labels(points)]
    for text, profiles, (color, marker) in zip(texts, found, SERIES * len(found)):
        known_color = DARK_GREY if same_known(found) else color
        for axes, profile in zip(row, profiles):
            known = axes.plot(profile.known.places, profile.known.values, color=known_color, linewidth=1,
                              **({} if kind.exact else {"marker": "o", "markerfacecolor": "none", "linestyle": "none"}))
            dots = kind.exact and profile.found.places.size <= MOST_MARKS
            drawn = axes.plot(profile.found.places, profile.found.values, color=color, linewidth=1.3,
                              **({"marker": marker, "markersize": 3, "linestyle": "none"} if dots else {}))
            axes.set_xlabel(profile.across)
            axes.set_ylabel(profile.along)
            tidy(axes)
        handles[kind.source if same_known(found) else f"{kind.source}: {text}"] = known[0]
        handles[text] = drawn[0]
    sizes, steps = {point.work.size for point in points}, {last.step for last in frames}
    remarks = [", ".join([*([f"{shape(points[0].work.size)} cells"] if len(sizes) == 1 else []),
                          *([after(frames[0].step)] if len(steps) == 1 else [])])]
    return frame(figure, [kind.heading], handles, [remark for remark in remarks if remark])


def same_known(found: Sequence[Sequence[Profile]]) -> bool:
    """The same is known of all points."""
    first = [profile.known for profile in found[0]]
    return all(known.values.shape == other.known.values.shape and (known.values == other.known.values).all()
               for profiles in found for known, other in zip(first, profiles))
