# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Applications on smart containers: normalised times by mechanism, as in Figures 6 and 7 of [Dastgeer2016]
(input/figure6.toml, input/figure7.toml)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from matplotlib import ticker
from matplotlib.axes import Axes

from haloheap_results.group import by_problem, several, varying_keys
from haloheap_results.labels import setting
from haloheap_results.load import Point, Results
from haloheap_results.style import (DARK_GREY, Figure, Handle, Picture, Pictures, Styles, formatted, frame, panels,
                                    plain, tidy)

PROBLEMS = ("nbody", "sph", "lu", "mandelbrot", "ppmcc", "mse")
POLICY, PEER = "coherence.policy", "coherence.peer"
# By policy; without peer copies bars are hatched.
POLICIES = Styles(
    {"initial": ("#E69F00", ""), "initial_flush": ("#F0E442", ""), "none": ("#D55E00", ""), "paper": ("#56B4E9", ""),
     "region": ("#009E73", "")},
    [("#CC79A7", ""), ("#0072B2", ""), ("#000000", "")],
)
LONGEST_LINEAR = 4  # where the longest bar is longer than so many references, the axis is logarithmic

Mechanism = tuple[str, bool | None]
"""Policy, and whether peer copies are made; the second only where it varies."""


def pictures(results: Results) -> Pictures:
    points = [point for point in results.points if normalised_or_none(point) is not None]
    if points:
        yield Picture("normalised_times", lambda: draw(points, results))
    elif any(point.work.problem in PROBLEMS for point in results.points):
        yield ("no figure normalised_times: no point has a normalised time: it takes a sweep over coherence.policy "
               "with paper or region among it")


def normalised_or_none(point: Point) -> float | None:
    return point.figure("normalised")


def normalised(point: Point) -> float:
    """Of a point that has one."""
    value = normalised_or_none(point)
    assert value is not None
    return value


def mechanism_of(point: Point, with_peers: bool) -> Mechanism:
    return str(point.deck.get(POLICY)), point.deck.get(PEER) if with_peers else None


def name_of(mechanism: Mechanism) -> str:
    policy, peer = mechanism
    return policy if peer is None else f"{policy}, {'peer' if peer else 'no peer'} copies"


def panel_setting(key: str, value: int) -> str:
    if key == "coherence.devices" and value > 0:
        return f"{value} device{'s' if value > 1 else ''}"
    return setting(key, value)


def panels_of(points: Sequence[Point]) -> dict[str, list[Point]]:
    """{title: points}: what varies beside the problem, the policy and the peer copies."""
    keys = [key for key in varying_keys(points) if key not in ("problem", POLICY, PEER)]
    found: dict[str, list[Point]] = {}
    for point in points:
        # Keys of other problems say nothing of this one.
        own = [key for key in keys if key in point.swept and key.split(".")[0] in ("coherence", point.work.problem)]
        found.setdefault(", ".join(panel_setting(key, point.swept[key]) for key in own), []).append(point)
    return found


def reference_of(points: Iterable[Point]) -> Point | None:
    """The point that the others are compared with: by name, as others may happen to take as long."""
    by_mechanism = {mechanism_of(point, True): point for point in points}
    return next((by_mechanism[found] for policy in ("paper", "region") for found in ((policy, True), (policy, False))
                 if found in by_mechanism), None)


def number_text(value: float) -> str:
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"


def time_text(seconds: float) -> str:
    return f"{number_text(seconds)} s" if seconds >= 1 else f"{number_text(1e3 * seconds)} ms"


def range_of(point: Point) -> tuple[float, float]:
    """Normalised times of the fastest and the slowest repetition; the median twice where they are not known."""
    value, wall = normalised(point), point.wall
    if wall.median is None or wall.minimum is None or wall.maximum is None or wall.median <= 0:
        return value, value
    return value * wall.minimum / wall.median, value * wall.maximum / wall.median


def group_label(problem: str, points: Iterable[Point]) -> str:
    """What stands below a group of bars: the problem, and the time of its reference."""
    reference = reference_of(points)
    if reference is None or reference.wall.median is None:
        return problem
    return f"{problem}\n1 = {time_text(reference.wall.median)}"


def draw_panel(axes: Axes, points: Sequence[Point], mechanisms: Sequence[Mechanism],
               with_peers: bool) -> dict[str, Handle]:
    """A group of bars for each problem, in each a bar for each mechanism. Returns what the legend shows."""
    handles: dict[str, Handle] = {}
    groups = by_problem(points)
    width = 0.84 / len(mechanisms)
    for group, own in enumerate(groups.values()):
        for point in own:
            mechanism = mechanism_of(point, with_peers)
            place = group + (mechanisms.index(mechanism) - (len(mechanisms) - 1) / 2) * width
            handles.setdefault(name_of(mechanism), draw_bar(axes, place, 0.92 * width, point, mechanism, mechanisms))
    axes.axhline(1, color=DARK_GREY, linewidth=0.8)
    axes.set_xticks(range(len(groups)), [group_label(problem, own) for problem, own in groups.items()])
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.6, len(groups) - 0.4)
    tidy(axes, "y")
    return handles


def draw_bar(axes: Axes, place: float, width: float, point: Point, mechanism: Mechanism,
             mechanisms: Sequence[Mechanism]) -> Handle:
    """With the range of the repetitions and the number above."""
    policy, peer = mechanism
    value, (low, top) = normalised(point), range_of(point)
    color, _ = POLICIES.of(policy, [name for name, _ in mechanisms])
    bars = axes.bar(place, value, width, facecolor=color, edgecolor="white", linewidth=0,
                    hatch="///" if peer is False else None)
    if low < top:
        axes.errorbar(place, value, yerr=[[value - low], [top - value]], color=DARK_GREY, capsize=2, linewidth=1)
    axes.annotate(f"{value:.2f}" if value < 9.995 else number_text(value), (place, top), (0, 2),
                  textcoords="offset points", ha="center", va="bottom", fontsize=8 if len(mechanisms) < 4 else 7,
                  bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
    return bars.patches[0]


def value_axis(axes: Axes, values: Sequence[float]) -> None:
    longest, shortest = max(values), min(values)
    if longest > LONGEST_LINEAR:
        axes.set_yscale("log")
        axes.set_ylim(min(0.5, 0.6 * shortest), 1.8 * longest)
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        formatted(axes.yaxis, plain)
        axes.yaxis.set_minor_locator(ticker.NullLocator())
    else:
        axes.set_ylim(0, 1.15 * longest)


def draw(points: Sequence[Point], results: Results) -> Figure:
    with_peers = several(point.deck.get(PEER) for point in points)
    mechanisms = list(dict.fromkeys(mechanism_of(point, with_peers) for point in points))
    found = panels_of(points)
    groups = max(len(by_problem(own)) for own in found.values())
    width = min(16, max(8.5, 1.2 + groups * (0.4 + 0.42 * len(mechanisms))))
    figure, grid = panels(len(found), 1, (width, 1.3 + 3.3 * len(found)))
    handles: dict[str, Handle] = {}
    for axes, (title, own) in zip(grid.flat, found.items()):
        handles |= draw_panel(axes, own, mechanisms, with_peers)
        value_axis(axes, [end for point in points for end in range_of(point)])
        axes.set_title(title, fontsize=10)
        axes.set_ylabel("normalised time", fontsize=9)
    names = {name_of(mechanism_of(reference, with_peers)) for own in found.values()
             for problem in by_problem(own).values() if (reference := reference_of(problem))}
    lines = [f"1: policy {' or '.join(sorted(names))}; ranges: fastest to slowest repetition"] if names else []
    return frame(figure, ["Smart containers: normalised times"],
                 {name: handles[name] for name in map(name_of, mechanisms)}, [*lines, "this run: " + results.machine()])
