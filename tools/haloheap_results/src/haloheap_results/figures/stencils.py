# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Stencils: time, phases and hidden communication against halo depth, beside [Valen2023] where a deck is one
of its experiments; the time of a step against depth for each number of fused steps; bars of GCells/s where no depth
varies."""

from __future__ import annotations

import dataclasses
import functools
import math
from collections.abc import Callable, Iterator, Sequence

from matplotlib.axes import Axes

from haloheap_results import labels
from haloheap_results.depths import (Sample, Version, fused_groups, samples_of, split, thesis_samples, thesis_scaled,
                                     versions_of)
from haloheap_results.group import Group, title_of
from haloheap_results.load import Point, Results
from haloheap_results.style import (BLUE, DARK_GREY, SERIES, VERSIONS, Figure, Handle, Picture, Pictures, bars, frame,
                                    hide_beyond, panels, powers_axis, tidy)

PHASE_COLORS = {
    "pack_s": "#56B4E9",
    "message_s": BLUE,
    "desynchronisation_s": "#000000",
    "unpack_s": "#009E73",
    "inner_s": "#F0E442",
    "outer_s": "#CC79A7",
    "primary_s": "#D55E00",
}
REPETITIONS = "bars: fastest and slowest repetition"


def pictures(results: Results) -> Pictures:
    rest = [point for point in results.points if not point.exchange_alone and not point.figures]
    if not rest:
        return
    groups, others = split(rest)
    rated = [point for point in others if point.gcells_per_s is not None]
    if not groups and not rated and any(point.exchange_s is not None for point in results.points):
        return
    if not groups:
        yield "no figures against depth: halo.depth does not vary in this run"
    for group in groups:
        yield from pictures_of(group, results)
    for group in fused_groups(rest):
        yield Picture(f"fused_{group.stem}", functools.partial(draw_fused, group, results))
    if rated:
        yield Picture("throughput", lambda: draw_throughput(rated, results))
    elif not groups:
        yield "no throughput figure: no point has a rate"


def pictures_of(group: Group, results: Results) -> Pictures:
    curves = Curves(group, results)
    if not curves.samples:
        yield f"no figure time_{group.stem}: no point has a time"
        return
    yield Picture(f"time_{group.stem}", lambda: draw_time(curves))
    if any(sample.phases for sample in curves.samples):
        yield Picture(f"phases_{group.stem}", lambda: draw_phases(curves))
    else:
        yield f"no figure phases_{group.stem}: no point has phases (switch the phase timers on in the deck)"
    if any(sample.hidden is not None for sample in curves.samples):
        yield Picture(f"hidden_{group.stem}", lambda: draw_hidden(curves))
    else:
        yield (f"no figure hidden_{group.stem}: no point has a hidden share (it takes halo.overlap with none, and "
               "phase timers)")


@dataclasses.dataclass(frozen=True)
class Source:
    """Of samples: this run, or [Valen2023] on one of its machines."""

    name: str
    samples: list[Sample]
    own: bool


class Curves:
    """What a group's figures are drawn from."""

    def __init__(self, group: Group, results: Results) -> None:
        self.group, self.machine = group, results.machine()
        self.samples = samples_of(group.points)
        self.versions = VERSIONS.in_order(versions_of(self.samples))
        self.sources = [Source("this run", self.samples, True)]
        for gpu, samples in sorted(thesis_samples(group.work, group.ranks).items()):
            self.sources.append(Source(f"[Valen2023], 4 {gpu} nodes", samples, False))

    def style(self, version: Version) -> tuple[str, str]:
        return VERSIONS.of(version, self.versions)

    def heading(self, what: str) -> list[str]:
        return [text for text in (f"{what}: {self.group.title()}", self.group.extra_text()) if text]

    def remarks(self, *texts: str, scaled: bool = False) -> list[str]:
        """`scaled`: whether times of [Valen2023] are drawn."""
        times = thesis_scaled(self.group.work) if scaled and len(self.sources) > 1 else ""
        first = "; ".join([*filter(None, texts), *([f"[Valen2023]'s times {times}"] if times else [])])
        return [*([first] if first else []), f"this run: {self.machine}"]


def name_of(version: Version) -> str:
    return f"{version[0]}, overlap {version[1]}"


def curves_of(samples: Sequence[Sample], value: Callable[[Sample], float | None]
              ) -> Iterator[tuple[Version, list[tuple[Sample, float]]]]:
    """(version, [(sample, its value)] by depth) of the versions that have the value."""
    for version in VERSIONS.in_order(versions_of(samples)):
        curve = [(sample, found) for sample in samples
                 if sample.version == version and (found := value(sample)) is not None]
        if curve:
            yield version, sorted(curve, key=lambda pair: pair[0].depth)


def depth_axis(axes: Axes, samples: Sequence[Sample]) -> None:
    powers_axis(axes, {sample.depth for sample in samples})
    axes.set_xlabel(labels.DEPTH.axis())
    tidy(axes)


def draw_time(curves: Curves) -> Figure:
    count = len(curves.sources)
    figure, grid = panels(1, count, (max(8.5, 4.7 * count), 5.6))
    handles: dict[str, Handle] = {}
    for axes, source in zip(grid[0], curves.sources):
        for version, curve in curves_of(source.samples, lambda sample: sample.time):
            color, marker = curves.style(version)
            ranges = [[time - sample.low for sample, time in curve], [sample.high - time for sample, time in curve]]
            line = axes.errorbar([sample.depth for sample, _ in curve], [time for _, time in curve],
                                 yerr=ranges if source.own else None, color=color, marker=marker, markersize=6,
                                 linestyle="-" if source.own else "--", capsize=3, linewidth=1.6)
            handles.setdefault(name_of(version), line)
        axes.set_title(source.name if count > 1 else "", fontsize=11)
        axes.set_ylabel(labels.ALL_STEPS.axis())
        depth_axis(axes, source.samples)
    own_axes = "each panel has its own time axis, not from zero" if count > 1 else "the time axis is not from zero"
    return frame(figure, curves.heading("Time against halo depth"), handles,
                 curves.remarks(REPETITIONS, own_axes, scaled=True))


def draw_fused(group: Group, results: Results) -> Figure:
    """A panel for each exchange and overlap, in it a curve for each number of fused steps."""
    curves = Curves(group, results)
    versions, numbers = curves.versions, sorted({sample.fused for sample in curves.samples})
    columns = len(versions) if len(versions) <= 3 else math.ceil(len(versions) / 2)
    rows = math.ceil(len(versions) / columns)
    figure, grid = panels(rows, columns, (max(9, 5.2 * columns), 1.9 + 3.7 * rows), sharey=True)
    for axes, version in zip(grid.flat, versions):
        for number, style in zip(numbers, SERIES):
            curve = [sample for sample in curves.samples if (sample.version, sample.fused) == (version, number)]
            if curve:
                fused_curve(axes, sorted(curve, key=lambda sample: sample.depth), 1e6 / group.work.steps, style)
        axes.set_title(name_of(version), fontsize=11)
        axes.legend(fontsize=10)
        depth_axis(axes, curves.samples)
    for axes in grid[:, 0]:
        axes.set_ylabel(labels.ONE_STEP.axis())
    hide_beyond(grid, len(versions))
    notes = ["a pass over memory makes so many steps, at most as many as the halo is deep; ring: the curve's shortest "
             "time"]
    notes += curves.remarks(REPETITIONS, "the time axis is not from zero")
    return frame(figure, curves.heading("Fused steps and halo depth"), {}, notes)


def fused_curve(axes: Axes, curve: Sequence[Sample], scale: float, style: tuple[str, str]) -> None:
    """The samples' times by the scale, and a ring around the shortest, which the legend names."""
    color, marker = style
    best = min(curve, key=lambda sample: sample.time)
    label = f"{best.fused} step{'s' if best.fused != 1 else ''} a pass, best: depth {best.depth}"
    ranges = [[scale * (sample.time - sample.low) for sample in curve],
              [scale * (sample.high - sample.time) for sample in curve]]
    axes.errorbar([sample.depth for sample in curve], [scale * sample.time for sample in curve], yerr=ranges,
                  color=color, marker=marker, markersize=6, capsize=3, linewidth=1.6, label=label)
    axes.plot([best.depth], [scale * best.time], "o", color=color, markersize=13, markerfacecolor="none",
              markeredgewidth=1.8)


def draw_phases(curves: Curves) -> Figure:
    """A row of panels for each source, in it a panel for each version."""
    sources = [Source(source.name, [sample for sample in source.samples if sample.phases], source.own)
               for source in curves.sources]
    versions = VERSIONS.in_order(versions_of(sources[0].samples))
    rows, columns = len(sources), len(versions)
    figure, grid = panels(rows, columns, (max(8.5, 1.2 + 3.6 * columns), 1.8 + 3.1 * rows), sharey="row")
    handles: dict[str, Handle] = {}
    for row, source in zip(grid, sources):
        for axes, version in zip(row, versions):
            curve = [sample for sample in source.samples if sample.version == version]
            handles.update(stack(axes, sorted(curve, key=lambda sample: sample.depth)))
            axes.set_title(f"{source.name}\n{name_of(version)}" if rows > 1 else name_of(version), fontsize=10)
        row[0].set_ylim(0, 1.05 * max(max(sample.time, sum((sample.phases or {}).values())) for sample in source.samples
                                      if sample.version in versions))
        row[0].set_ylabel(labels.ALL_STEPS.axis())
    for axes in grid[-1]:
        axes.set_xlabel(labels.DEPTH.axis())
    note = "with overlap, inner cells are computed while messages travel: that stack may exceed the wall time"
    overlapped = any(version[1] != "none" for version in versions)
    shown = {label: handles[label] for label in [*labels.PHASES.values(), "wall time"] if label in handles}
    return frame(figure, curves.heading("Phases against halo depth"), shown,
                 curves.remarks(note if overlapped else "", scaled=True))


def stack(axes: Axes, curve: Sequence[Sample]) -> dict[str, Handle]:
    """One bar a depth, in equal distances: halo depths are powers of two."""
    handles: dict[str, Handle] = {}
    base = [0.0] * len(curve)
    for key, color in PHASE_COLORS.items():
        heights = [(sample.phases or {}).get(key, 0.0) for sample in curve]
        if any(heights):
            handles[labels.PHASES[key]] = axes.bar(range(len(curve)), heights, 0.75, base, color=color,
                                                   edgecolor="white", linewidth=0.4)
        base = [below + height for below, height in zip(base, heights)]
    handles["wall time"], = axes.plot(range(len(curve)), [sample.time for sample in curve], "_", color="black",
                                      markersize=17, markeredgewidth=2)
    axes.set_xticks(range(len(curve)))
    axes.set_xticklabels([str(sample.depth) for sample in curve])
    tidy(axes, "y")
    return handles


def draw_hidden(curves: Curves) -> Figure:
    """In one panel, sources by their dashes."""
    figure, ((axes,),) = panels(1, 1, (8.5, 5.6))
    handles: dict[str, Handle] = {}
    drawn: list[Sample] = []
    for number, source in enumerate(curves.sources):
        dash = "-" if source.own else ("--", ":")[(number - 1) % 2]
        for version, curve in curves_of(source.samples, lambda sample: sample.hidden):
            color, marker = curves.style(version)
            handles[f"{version[0]} {version[1]}, {source.name}"], = axes.plot(
                [sample.depth for sample, _ in curve], [100 * hidden for _, hidden in curve], dash, color=color,
                marker=marker, markersize=7 if source.own else 4.5, linewidth=2.2 if source.own else 1.3)
            drawn += [sample for sample, _ in curve]
    depth_axis(axes, drawn)
    axes.axhline(0, color=DARK_GREY, linewidth=1)
    axes.set_ylabel(labels.HIDDEN.axis())
    formula = "(time without overlap - time with it) / (message + desynchronisation + unpack)"
    return frame(figure, curves.heading("Hidden communication"), handles,
                 [formula + "; negative: overlap costs time", *curves.remarks()])


def draw_throughput(points: Sequence[Point], results: Results) -> Figure:
    """A bar for each point."""
    rates = [point.gcells_per_s or 0.0 for point in points]
    shares = [point.fraction_of_copy for point in points]
    texts = [f" {rate:.3g}" + (f"  ({100 * share:.0f} % of copy)" if share is not None else "")
             for rate, share in zip(rates, shares)]
    figure = bars(points, rates, texts, labels.RATE, 1.3)
    notes = ["% of copy: effective bandwidth over that of a plain copy in the same run"]
    any_share = any(share is not None for share in shares)
    return frame(figure, [title_of(points, "Throughput")], {},
                 (notes if any_share else []) + ["this run: " + results.machine()])
