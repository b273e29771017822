# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""[Valen2023]: deep halos, two exchanges, and computation that overlaps communication."""

from __future__ import annotations

import dataclasses
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence

from haloheap_results import papers
from haloheap_results.depths import (THESIS_OVERLAP, THESIS_STEPS, Sample, Version, communication_of, samples_of, split,
                                     thesis_samples, versions_of)
from haloheap_results.group import Group
from haloheap_results.labels import DEPTH, PHASES, shape
from haloheap_results.load import Point, Work
from haloheap_results.report.charts import Chart, Panel, Series, line
from haloheap_results.report.decks import DECKS
from haloheap_results.report.model import NOTHING, Claim, Exhibit, Finding, Listing, Run, Section, Verdict
from haloheap_results.report.numbers import geometric_mean, seconds, span, times
from haloheap_results.report.sections import hosts
from haloheap_results.report.verdicts import ENOUGH, NOTABLE, apart, doubt_of, far, of_gain
from haloheap_results.style import VERSIONS
from haloheap_results.tables import thesis
from haloheap_results.tables.markdown import Grid
from haloheap_results.tables.overlap import OVERLAPS, rows_of

DECK = "thesis"
GPUS = {"A100": "4 x A100", "V100": "4 x V100"}
LARGEST = 35000
COMPUTATION = ("inner_s", "outer_s", "primary_s")
SERIAL = ("sync", "none")
LEVEL = 1.005
"""A factor below which two versions are level: [Valen2023] has 1.006 between the best two on A100, of 35 runs."""
MUCH = 1.2
"""A factor above what is usual that no reader would call regular: appendix C has up to 1.9."""
# Figures of [Valen2023] by GPU and side.
TIMES_FIGURES = {("V100", 5000): "Figure 5.1", ("V100", 10000): "Figure 5.2", ("V100", 30000): "Figure 5.3",
                 ("A100", 5000): "Figure 5.4", ("A100", 15000): "Figure 5.5", ("A100", 35000): "Figure 5.6"}
@dataclasses.dataclass(frozen=True)
class PhaseFigure:
    """A phase against depth, with a curve a size: the mean of these versions, as [Valen2023] draws it."""

    key: str
    phase: str
    what: str
    versions: tuple[Version, ...]
    figures: dict[str, str]
    """By GPU; without one its appendix C has the numbers."""


def of_exchange(exchange: str) -> tuple[Version, ...]:
    return tuple((exchange, overlap) for overlap in THESIS_OVERLAP.values())


def of_overlap(overlap: str) -> tuple[Version, ...]:
    return tuple((exchange, overlap) for exchange in ("sync", "async"))


PHASE_FIGURES = (
    PhaseFigure("message-sync", "message_s", "sync", of_exchange("sync"), {"V100": "Figure 5.7", "A100": "Figure 5.9"}),
    PhaseFigure("message-async", "message_s", "async", of_exchange("async"),
                {"V100": "Figure 5.8", "A100": "Figure 5.10"}),
    PhaseFigure("desynchronisation-sync", "desynchronisation_s", "sync", of_exchange("sync"),
                {"V100": "Figure 5.11", "A100": "Figure 5.11"}),
    PhaseFigure("desynchronisation-async", "desynchronisation_s", "async", of_exchange("async"),
                {"V100": "Figure 5.11", "A100": "Figure 5.11"}),
    PhaseFigure("pack", "pack_s", "all versions", (*of_overlap("none"), *of_overlap("first_step")),
                {"V100": "Figure 5.12", "A100": "Figure 5.15"}),
    PhaseFigure("unpack-none", "unpack_s", "without overlap", of_overlap("none"),
                {"V100": "Figure 5.13", "A100": "Figure 5.16"}),
    PhaseFigure("unpack-first-step", "unpack_s", "with overlap", of_overlap("first_step"), {"V100": "Figure 5.14"}),
)


# ------------------------------------------------------------------------------------------------- what is there


def sweeps(points: Iterable[Point]) -> list[Group]:
    """Groups in which the depth varies, the largest grid first. Transports that send nothing do not count."""
    groups, _ = split(point for point in points if not point.exchange_alone and point.transport != "mock"
                      and point.exchange and "halo.depth" in point.deck)
    return sorted((group for group in groups if samples_of(group.points)), key=lambda group: -cells(group.work))


def cells(work: Work) -> int:
    product = 1
    for length in work.size:
        product *= length
    return product


def thesis_work(side: int) -> Work:
    return Work("heat2d", (side, side), THESIS_STEPS, "float", 1)


def sides_of(runs: Sequence[Run]) -> list[int]:
    """Those of [Valen2023] that were measured here; its largest where there are none."""
    known = set(papers.deep_halo_thesis()["side"])
    found = {group.work.size[0] for run in runs for group in sweeps(run.points)
             if len(set(group.work.size)) == 1 and group.work.size[0] in known}
    return sorted(found) or [LARGEST]


def version_name(version: Version) -> str:
    exchange, overlap = version
    return f"{exchange}, {'no overlap' if overlap == 'none' else overlap}"


# ------------------------------------------------------------------------------------------------------ charts


def times_chart(title: str, samples: Sequence[Sample], origin: str, notes: Sequence[str] = ()) -> Chart:
    known = versions_of(samples)
    series = [line(version_name(version), [sample for sample in samples if sample.version == version],
                   lambda sample: sample.depth, lambda sample: sample.time, lambda sample: (sample.low, sample.high),
                   style=VERSIONS.of(version, known)) for version in VERSIONS.in_order(known)]
    if all(sample.low == sample.time == sample.high for sample in samples):
        series = [Series(one.name, one.x, one.y, style=one.style) for one in series]
    return Chart(title, DEPTH.axis(), "time for all steps [s]", [Panel("", series)], origin, log_x=True, notes=notes)


def own_times(run: Run) -> list[Chart]:
    return [times_chart(group.title(), samples_of(group.points), group.extra_text(), told_of(group))
            for group in sweeps(run.points)]


def told_of(group: Group) -> list[str]:
    return [] if any("desynchronisation_s" in (point.phases or {}) for point in group.points) else [
        "no barrier before the messages: waiting for slower ranks is part of message"]


def thesis_times(runs: Sequence[Run]) -> list[Chart]:
    charts = []
    for side in sides_of(runs):
        for gpu, samples in thesis_samples(thesis_work(side), 4).items():
            printed = TIMES_FIGURES.get((gpu, side), "its appendix C")
            charts.append(times_chart(f"[Valen2023], {printed}: {side} x {side}, {GPUS[gpu]}", samples,
                                      f"{THESIS_STEPS} steps, float, 4 ranks, means of 35 runs"))
    return charts


def phase_curve(name: str, samples: Sequence[Sample], figure: PhaseFigure) -> Series:
    """The mean of the versions that there are at each depth."""
    values: dict[int, list[float]] = {}
    for sample in samples:
        value = (sample.phases or {}).get(figure.phase)
        if sample.version in figure.versions and value is not None:
            values.setdefault(sample.depth, []).append(value)
    depths = sorted(values)
    return Series(name, depths, [sum(values[depth]) / len(values[depth]) for depth in depths])


def phase_chart(title: str, figure: PhaseFigure, series: Sequence[Series], origin: str) -> Chart:
    return Chart(title, DEPTH.axis(), f"{PHASES[figure.phase]}, all steps [s]", [Panel("", series)], origin, log_x=True,
                 log_y=all(y for one in series for y in one.y))


def own_phases(figure: PhaseFigure) -> Callable[[Run], list[Chart]]:
    def drawn(run: Run) -> list[Chart]:
        curves = [phase_curve(", ".join(filter(None, [shape(group.work.size), group.extra_text()])),
                              samples_of(group.points), figure) for group in sweeps(run.points)]
        curves = [curve for curve in curves if curve.x]
        return [phase_chart(f"{PHASES[figure.phase]}, {figure.what}", figure, curves,
                            f"over all steps, mean of {told_versions(figure)}")] if curves else []

    return drawn


def told_versions(figure: PhaseFigure) -> str:
    return "; ".join(version_name(version) for version in figure.versions)


def thesis_phases_of(figure: PhaseFigure) -> Callable[[Sequence[Run]], list[Chart]]:
    def drawn(_: Sequence[Run]) -> list[Chart]:
        charts = []
        for gpu, name in GPUS.items():
            curves = [phase_curve(f"{side} x {side}", thesis_samples(thesis_work(side), 4).get(gpu, []), figure)
                      for side in sorted(set(papers.deep_halo_thesis()["side"]))]
            charts.append(phase_chart(f"[Valen2023], {figure.figures.get(gpu, 'its appendix C')}: {name}", figure,
                                      [curve for curve in curves if curve.x],
                                      f"{THESIS_STEPS} steps, float, 4 ranks, means of 35 runs"))
        return charts

    return drawn


def hidden_chart(title: str, series: Sequence[Series], origin: str) -> Chart:
    return Chart(title, DEPTH.axis(), "communication hidden [%]", [Panel("", series)], origin, log_x=True)


def hidden_series(samples: Sequence[Sample]) -> Iterator[Series]:
    for exchange in dict.fromkeys(sample.version[0] for sample in samples):
        for overlap in OVERLAPS:
            rows = {depth: row for depth, row in rows_of(samples, exchange, overlap).items() if row.communication > 0}
            if rows:
                depths = sorted(rows)
                yield Series(version_name((exchange, overlap)), depths,
                             [100 * rows[depth].saved / rows[depth].communication for depth in depths],
                             style=VERSIONS.of((exchange, overlap), [(exchange, overlap)]))


def own_hidden(run: Run) -> list[Chart]:
    charts = []
    for group in sweeps(run.points):
        series = list(hidden_series(samples_of(group.points)))
        if series:
            charts.append(hidden_chart(group.title(), series, "time saved by the overlap / (message + "
                                                              "desynchronisation "
                                       "+ unpack of the run without)"))
    return charts


def thesis_hidden(_: Sequence[Run]) -> list[Chart]:
    found = thesis_samples(thesis_work(LARGEST), 4)
    return [hidden_chart(f"[Valen2023], {table}: {LARGEST} x {LARGEST}, {GPUS[gpu]}",
                         [one for one in hidden_series(found[gpu]) if one.name.startswith("sync")],
                         "from the means in its appendix C")
            for gpu, table in (("A100", "Table 5.2"), ("V100", "Table 5.1"))]


# ------------------------------------------------------------------------------------------------------ tables


def quoted_ratios(runs: Sequence[Run]) -> list[tuple[Grid, Run | None]]:
    return [(grid, run) for run in runs for grid in thesis.grids(run.results) if grid.title.startswith("Ratios")]


def appendix_c(runs: Sequence[Run]) -> list[tuple[Grid, Run | None]]:
    """Beside ours where a run has one of its grids; else its own of the largest grid."""
    own: list[tuple[Grid, Run | None]] = [(grid, run) for run in runs for grid in thesis.grids(run.results)
                                          if grid.title.startswith("Appendix")]
    return own or [(grid, None) for grid in thesis.printed_appendix(LARGEST)]


# ------------------------------------------------------------------------------------------------------ claims


def first_sweep(points: Sequence[Point]) -> list[Sample]:
    """Of the largest grid."""
    found = sweeps(points)
    return samples_of(found[0].points) if found else []


def at(samples: Iterable[Sample], version: Version, depth: int) -> Sample | None:
    return next((sample for sample in samples if (sample.version, sample.depth) == (version, depth)), None)


def best_of(samples: Iterable[Sample]) -> Sample | None:
    return min(samples, key=lambda sample: sample.time, default=None)


def computing(sample: Sample) -> float | None:
    found = [sample.phases[key] for key in COMPUTATION if sample.phases and key in sample.phases]
    return sum(found) if found else None


def why(base: Sample, other: Sample) -> str:
    """What the phases say of the way from one to the other: they are of runs without overlap."""
    if not base.phases or not other.phases:
        return "; the run has no phase times, which would say why"
    before, after = computing(base), computing(other)
    sent = [communication_of(phases) + phases.get("pack_s", 0.0) for phases in (base.phases, other.phases)]
    if not before or not after:
        return ""
    return (f"; without overlap, from depth {base.depth} to {other.depth} an exchange's phases go from "
            f"{seconds(sent[0])} to {seconds(sent[1])} and the computation, with its redundant cells, from "
            f"{seconds(before)} to {seconds(after)}")


def overlap_wins(over: Version, claimed: float) -> Callable[[Sequence[Point]], Finding]:
    """The best depth of sync with overlap against another version at depth 1."""
    def judge(points: Sequence[Point]) -> Finding:
        samples = first_sweep(points)
        base, overlapped = at(samples, over, 1), [one for one in samples if one.version == ("sync", "first_step")]
        best = best_of(overlapped)
        if base is None or best is None:
            return NOTHING
        factor, serial = base.time / best.time, at(samples, over, best.depth)
        text = f"best at depth {best.depth}: {times(factor)} times as fast as {version_name(over)} at depth 1"
        text += why(base, serial) if serial and serial.depth > 1 else ""
        return of_gain(factor, claimed, text, apart([(base.low, base.high), (best.low, best.high)]))

    return judge


def sync_overlap_is_best(points: Sequence[Point]) -> Finding:
    samples = first_sweep(points)
    if len({sample.version for sample in samples} & set(THESIS_VERSIONS)) < len(THESIS_VERSIONS):
        return NOTHING
    best = {version: best_of(sample for sample in samples if sample.version == version) for version in THESIS_VERSIONS}
    order = sorted((sample for sample in best.values() if sample), key=lambda sample: sample.time)
    text = ", ".join(f"{version_name(sample.version)} {seconds(sample.time)} (depth {sample.depth})"
                     for sample in order)
    lead, noise = order[1].time / order[0].time, apart((sample.low, sample.high) for sample in order[:2])
    if lead < LEVEL:
        return Finding(Verdict.OPEN, f"the fastest two are level, {100 * (lead - 1):.2f} % apart; best of each: {text}")
    if doubt := doubt_of([lead], noise):
        return Finding(Verdict.OPEN, f"{doubt}; best of each: {text}")
    return Finding.of(order[0].version == ("sync", "first_step"), f"best of each: {text}")


THESIS_VERSIONS = [(exchange, overlap) for exchange in ("sync", "async") for overlap in THESIS_OVERLAP.values()]


def message_falls(points: Sequence[Point]) -> Finding:
    return falls(points, "message_s", 8, 1.68)


def packing_falls(points: Sequence[Point]) -> Finding:
    return falls(points, "pack_s", 8, 1.47)


def falls(points: Sequence[Point], phase: str, depth: int, claimed: float) -> Finding:
    samples = first_sweep(points)
    base, deep = at(samples, SERIAL, 1), at(samples, SERIAL, depth)
    if not (base and deep and base.phases and deep.phases and base.phases.get(phase) and deep.phases.get(phase)):
        return NOTHING
    factor = base.phases[phase] / deep.phases[phase]
    change = f"{times(factor)} times less" if factor >= 1 else f"{times(1 / factor)} times more"
    return of_gain(factor, claimed, f"{PHASES[phase]} {seconds(base.phases[phase])} at depth 1 and "
                                    f"{seconds(deep.phases[phase])} at depth {depth}: {change}; an exchange is made "
                                    f"{depth} times less often and carries as many bytes a step",
                   apart([(base.low, base.high), (deep.low, deep.high)]))


def unpacking_halves(points: Sequence[Point]) -> Finding:
    """With overlap, the mean of both exchanges: from depth 1 to 8, where [Valen2023] draws it so."""
    depths = (1, 2, 4, 8)
    samples = [[at(first_sweep(points), version, depth) for version in of_overlap("first_step")] for depth in depths]
    spent = [[taken for sample in both if sample and (taken := (sample.phases or {}).get("unpack_s"))]
             for both in samples]
    if not all(spent):
        return NOTHING
    means = [sum(both) / len(both) for both in spent]
    factor = (means[0] / means[-1]) ** (1 / (len(depths) - 1))
    ranges = [(sample.low, sample.high) for both in samples for sample in both if sample]
    text = ", ".join(f"{seconds(mean)} at depth {depth}" for depth, mean in zip(depths, means))
    return of_gain(factor, 2, f"unpack {text}: {times(factor)} times less with each doubling", apart(ranges))


def hides_slow_async(points: Sequence[Point]) -> Finding:
    """Where async without overlap loses most against sync, up to depth 8: whether it loses less with overlap."""
    samples = first_sweep(points)
    losses = {}
    for depth in (1, 2, 4, 8):
        four = [at(samples, (exchange, overlap), depth) for overlap in THESIS_OVERLAP.values()
                for exchange in ("sync", "async")]
        there = [sample for sample in four if sample]
        if len(there) == len(four):
            sync, late, sync_overlapped, late_overlapped = there
            losses[depth] = (late.time / sync.time, late_overlapped.time / sync_overlapped.time,
                             apart((sample.low, sample.high) for sample in there))
    if not losses:
        return NOTHING
    depth = max(losses, key=lambda depth: losses[depth][0])
    alone, overlapped, noise = losses[depth]
    text = (f"async takes {times(alone)} times as long as sync without overlap at depth {depth}, where it loses most, "
            f"and {times(overlapped)} times with overlap")
    if alone <= NOTABLE:
        return Finding(Verdict.OPEN, f"async is not slower here; {text}")
    if doubt := doubt_of([alone], noise):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding.of(overlapped < alone, text)


@dataclasses.dataclass(frozen=True)
class Pair:
    """Both exchanges at the same grid, depth and overlap."""

    sync: Sample
    late: Sample
    """The asynchronous one."""
    where: str

    @property
    def ratio(self) -> float:
        """Time of async over that of sync."""
        return self.late.time / self.sync.time


def pairs_of(points: Sequence[Point]) -> list[Pair]:
    """Over all grids, depths and overlaps."""
    found = []
    for group in sweeps(points):
        samples = samples_of(group.points)
        for sync in samples:
            exchange, overlap = sync.version
            late = at(samples, ("async", overlap), sync.depth)
            if exchange == "sync" and late:
                found.append(Pair(sync, late, f"{shape(group.work.size)}, depth {sync.depth}, "
                                              f"{version_name(('async', overlap)).removeprefix('async, ')}"))
    return found


def noise_of(pairs: Iterable[Pair]) -> float:
    return apart((sample.low, sample.high) for pair in pairs for sample in (pair.sync, pair.late))


def sync_is_not_slower(points: Sequence[Point]) -> Finding:
    """As fast as async or faster, in most places, and not the slower one where they differ."""
    pairs = pairs_of(points)
    if not pairs:
        return NOTHING
    ratios = [pair.ratio for pair in pairs]
    gains, losses = sum(ratio > NOTABLE for ratio in ratios), sum(ratio < 1 / NOTABLE for ratio in ratios)
    text = (f"async takes {span(ratios)} times as long as sync over {len(pairs)} pairs of the same grid, depth and "
            f"overlap: by more than {100 * (NOTABLE - 1):.0f} % longer in {gains}, shorter in {losses}")
    if doubt := doubt_of([max(NOTABLE, geometric_mean(far(ratio) for ratio in ratios))], noise_of(pairs)):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    if losses > gains:
        return Finding(Verdict.FAILS, text)
    return Finding(Verdict.HOLDS if losses <= (1 - ENOUGH) * len(pairs) else Verdict.LESS, text)


def async_is_erratic(points: Sequence[Point]) -> Finding:
    """Somewhere much slower, in comparison with sync, than it mostly is: what is slow everywhere can be foreseen."""
    pairs = pairs_of(points)
    if not pairs:
        return NOTHING
    worst, middle = max(pairs, key=lambda pair: pair.ratio), statistics.median(pair.ratio for pair in pairs)
    text = (f"async takes {times(middle)} times as long as sync in the median of {len(pairs)} pairs, and at most "
            f"{times(worst.ratio)} times ({worst.where}); {times(MUCH)} times the median would be erratic")
    if doubt := doubt_of([max(MUCH, worst.ratio / middle)], noise_of([worst])):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding.of(worst.ratio >= MUCH * middle, text)


def ideal_depth_is_lower(points: Sequence[Point]) -> Finding:
    """On most grids."""
    lower, there = 0, []
    for group in sweeps(points):
        samples = samples_of(group.points)
        for best in best_overlaps(samples, ("sync",)):
            lower += best.overlapped.depth < best.serial.depth
            there.append(f"{best.serial.depth} and {best.overlapped.depth} ({shape(group.work.size)})")
    if not there:
        return NOTHING
    text = f"best depths of sync without overlap and with it: {', '.join(there)}; lower on {lower} of {len(there)}"
    return Finding(Verdict.HOLDS if lower > len(there) / 2 else Verdict.LESS if lower else Verdict.FAILS, text)


@dataclasses.dataclass(frozen=True)
class Overlapped:
    """A version with overlap and the same without."""

    serial: Sample
    overlapped: Sample

    @property
    def gain(self) -> float:
        return self.serial.time / self.overlapped.time


def overlaps_of(points: Sequence[Point]) -> list[Overlapped]:
    """Over all grids, depths and exchanges."""
    return [pair for group in sweeps(points) for pair in overlaps_among(samples_of(group.points))]


def overlaps_among(samples: Sequence[Sample]) -> list[Overlapped]:
    """Of one grid."""
    found = []
    for overlapped in samples:
        exchange, overlap = overlapped.version
        serial = at(samples, (exchange, "none"), overlapped.depth)
        if overlap == "first_step" and serial:
            found.append(Overlapped(serial, overlapped))
    return found


def overlap_noise(pairs: Iterable[Overlapped]) -> float:
    return apart((sample.low, sample.high) for pair in pairs for sample in (pair.serial, pair.overlapped))


def overlap_is_faster(points: Sequence[Point]) -> Finding:
    """In almost every case: by the share in which it is."""
    pairs = overlaps_of(points)
    if not pairs:
        return NOTHING
    faster, middle = sum(pair.gain > 1 for pair in pairs), geometric_mean(pair.gain for pair in pairs)
    text = (f"faster with overlap in {faster} of {len(pairs)} pairs of the same grid, depth and exchange: "
            f"{span([pair.gain for pair in pairs])} times as fast, {times(middle)} on average")
    if doubt := doubt_of([max(NOTABLE, far(middle))], overlap_noise(pairs)):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    if faster >= ENOUGH * len(pairs):
        return Finding(Verdict.HOLDS, text)
    return Finding(Verdict.LESS if middle > NOTABLE else Verdict.FAILS, text)


def overlap_gains_on_large_grids(points: Sequence[Point]) -> Finding:
    """At the best depth of each version: more on the larger half of the grids than on the smaller one."""
    grids = [pairs for group in sweeps(points) if (pairs := best_overlaps(samples_of(group.points)))]
    if len(grids) < 2:
        return NOTHING
    halves = grids[: len(grids) // 2], grids[len(grids) // 2:]
    large, small = (geometric_mean(pair.gain for pairs in half for pair in pairs) for half in halves)
    text = (f"at the best depths {times(large)} times as fast with overlap on the {len(halves[0])} largest of "
            f"{len(grids)} grids, and {times(small)} times on the others")
    if doubt := doubt_of([max(NOTABLE, far(large / small))], overlap_noise(pair for pairs in grids for pair in pairs)):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding.of(large > small, text)


def best_overlaps(samples: Sequence[Sample], exchanges: Sequence[str] = ("sync", "async")) -> list[Overlapped]:
    """Of these exchanges, as far as they are there, each version at its best depth."""
    best = [[best_of(sample for sample in samples if sample.version == (exchange, overlap))
             for overlap in THESIS_OVERLAP.values()] for exchange in exchanges]
    return [Overlapped(serial, overlapped) for serial, overlapped in best if serial and overlapped]


def depth_pays(points: Sequence[Point]) -> Finding:
    """Without overlap, on every grid, up to some depth."""
    gains, told, ranges = [], [], []
    for group in sweeps(points):
        samples = [sample for sample in samples_of(group.points) if sample.version == SERIAL]
        base, best = at(samples, SERIAL, 1), best_of(sample for sample in samples if sample.depth > 1)
        if base and best:
            gains.append(base.time / best.time)
            told.append(f"{times(gains[-1])} times as fast at depth {best.depth} ({shape(group.work.size)})")
            ranges += [(sample.low, sample.high) for sample in (base, best)]
    if not gains:
        return NOTHING
    text = f"sync without overlap, the best of the depths beyond 1 over depth 1: {', '.join(told)}"
    if doubt := doubt_of([max(NOTABLE, far(geometric_mean(gains)))], apart(ranges)):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding(Verdict.HOLDS if min(gains) > NOTABLE else Verdict.LESS if max(gains) > NOTABLE else Verdict.FAILS,
                   text)


def hidden_shares(samples: Sequence[Sample]) -> dict[int, float]:
    """Of sync, by depth: 1 is all of the communication."""
    return {depth: row.saved / row.communication
            for depth, row in sorted(rows_of(samples, "sync", "first_step").items()) if row.communication > 0}


def as_much_is_hidden(points: Sequence[Point]) -> Finding:
    """The worse of both depths decides."""
    samples = first_sweep(points)
    shares = hidden_shares(samples)
    asked = {1: 0.833, 8: 0.751}
    if not set(asked) <= set(shares):
        return NOTHING
    there = [sample for sample in samples if sample.version[0] == "sync" and sample.depth in asked]
    text = " and ".join(f"{100 * shares[depth]:.1f} % at depth {depth}" for depth in asked)
    gains = [far(pair.gain) for pair in overlaps_among(there)]
    if doubt := doubt_of([max(NOTABLE, gain) for gain in gains], apart((one.low, one.high) for one in there)):
        return Finding(Verdict.OPEN, f"{doubt}; hidden {text}")
    if all(shares[depth] >= ENOUGH * share for depth, share in asked.items()):
        return Finding(Verdict.HOLDS, f"hidden {text}")
    return Finding(Verdict.LESS if min(shares[depth] for depth in asked) > 0 else Verdict.FAILS,
                   f"hidden {text}; {100 * ENOUGH:.0f} % of what is claimed are enough")


def less_is_hidden_beyond_8(points: Sequence[Point]) -> Finding:
    samples = first_sweep(points)
    shares = hidden_shares(samples)
    deeper = {depth: share for depth, share in shares.items() if depth > 8}
    if 8 not in shares or not deeper:
        return NOTHING
    text = ", ".join(f"{100 * share:.1f} % at depth {depth}" for depth, share in {8: shares[8], **deeper}.items())
    there = [sample for sample in samples if sample.version[0] == "sync" and sample.depth >= 8]
    gain = max(far(pair.gain) for pair in overlaps_among(there))
    if doubt := doubt_of([max(NOTABLE, gain)], apart((sample.low, sample.high) for sample in there)):
        return Finding(Verdict.OPEN, f"{doubt}; hidden {text}")
    less = sum(share < shares[8] for share in deeper.values())
    return Finding(Verdict.HOLDS if less == len(deeper) else Verdict.LESS if less else Verdict.FAILS, f"hidden {text}")


def printed(figure: PhaseFigure) -> str:
    return " and ".join(dict.fromkeys(figure.figures.values()))


SYNC_IS_FASTER = (
    "Not because of the number of messages: with eight, as there, asynchronous exchange is as fast or faster on two "
    "H200; with three it is as fast as with eight there, and on a CPU no difference could be seen beyond the noise.")
SHARED_GPU = (
    "Where two ranks share a GPU, as on the two H200, unpacking is most of the communication: most probably what one "
    "rank places waits for the kernels of the other. Four H200 with a rank each hide 100.5 % at depth 1 and 82.9 % at "
    "depth 8.")
MESSAGES_BY_BYTES = (
    "As many bytes a step move at every depth; a deeper halo spares only what an exchange costs whatever its size. By "
    "the times at depths 1 and 8 (93 us for 0.28 MB of a rank, 658 for 2.24) that is 12 us of 93, and the rest are "
    "bytes at 3.5 GB/s, through the memory of one host. At depth 2 messages take 1.34 times less than at depth 1; why "
    "they take more again from depth 4 on was not looked into.")
UNPACKING_BY_BYTES = (
    "As many bytes a step are unpacked at every depth. By its times an unpacking takes 78, 106, 165 and 287 us at "
    "depths 1, 2, 4 and 8: some 50, and some 30 for each cell of depth. Only the first part halves. What of it is the "
    "copy to the device, which two ranks share, was not looked into.")
LEVEL_BEST = (
    "On two H200 async with overlap is 0.16 % ahead of sync with overlap, both at depth 4, which is less than the 0.6 "
    "% between the best two of [Valen2023] on A100; its three repetitions are all ahead. Four H200 with a rank each "
    "have async with overlap ahead on all seven grids, by 0.2 to 3 %, and in a second run on three of four; there two "
    "repetitions are up to 2.5 % apart.")
NOTHING_SLOW = (
    "There are no slow messages to hide: up to depth 8 async without overlap takes 0.96 to 1.02 times as long as sync "
    "on the largest grid of two H200.")

CLAIMS = (
    Claim("all-three-a100", "The three optimisations together are 1.17 times as fast as sync without overlap at depth "
          "1 (A100, 35000 x 35000, section 5.2)", DECK, overlap_wins(SERIAL, 1.17), because_on_host=hosts.NO_OVERLAP),
    Claim("all-three-v100", "They are 1.09 times as fast as async without overlap at depth 1, the slowest (V100, 30000 "
          "x 30000, section 5.2; the abstract says of it: the largest grid)", DECK,
          overlap_wins(("async", "none"), 1.09), because_on_host=hosts.NO_OVERLAP),
    Claim("best-version", "Sync with overlap is the fastest of the four versions (chapter 6)", DECK,
          sync_overlap_is_best, undecided=LEVEL_BEST, because_on_host=hosts.NO_OVERLAP),
    Claim("overlap-faster", "Overlap is faster in almost every case (chapter 6)", DECK, overlap_is_faster,
          because_on_host=hosts.NO_OVERLAP),
    Claim("overlap-large-grids", "Overlap gains most on large grids (chapter 6)", DECK, overlap_gains_on_large_grids,
          command=f"{DECKS[DECK].command()} grid.size=[[500,500],[1000,1000],[2000,2000]]"),
    Claim("depth-pays", "A deeper halo pays until redundant cells cost more than messages (abstract)", DECK,
          depth_pays, because_on_host=hosts.CHEAP_EXCHANGES),
    Claim("hidden-share", "Overlap hides 83.3 % of the communication at depth 1 and 75.1 % at depth 8 (A100, 35000 x "
          "35000, section 5.5)", DECK, as_much_is_hidden, because=SHARED_GPU, because_on_host=hosts.NO_OVERLAP),
    Claim("hidden-deeper", "Beyond depth 8 the interior is too short to cover the messages (section 5.3)", DECK,
          less_is_hidden_beyond_8, because_on_host=hosts.NO_OVERLAP),
    Claim("sync-faster", "Sync is slightly or vastly faster than async (chapter 6)", DECK, sync_is_not_slower,
          because=SYNC_IS_FASTER, because_on_host=hosts.ONE_MEMORY),
    Claim("async-erratic", "Async is at times unpredictably much slower than sync (chapter 6)", DECK,
          async_is_erratic, because=SYNC_IS_FASTER, because_on_host=hosts.ONE_MEMORY),
    Claim("message-falls", "Sync, message time falls with the depth: 1.68 times from depth 1 to 8 on V100, 1.78 on "
          "A100 (section 5.3)", DECK, message_falls, because=MESSAGES_BY_BYTES),
    Claim("packing-falls", "Packing time falls with the depth: 1.47 times from depth 1 to 8 on V100 (section 5.4)",
          DECK, packing_falls),
    Claim("unpacking-halves", "With overlap the time of unpacking halves with each doubling of the depth (section "
          "5.4)", DECK, unpacking_halves, because=UNPACKING_BY_BYTES, because_on_host=hosts.UNPACKING_GROWS),
    Claim("async-hidden", "Overlap hides slow messages of async at low depths (chapter 6)", DECK, hides_slow_async,
          undecided=NOTHING_SLOW),
    Claim("lower-depth", "With overlap the ideal depth is lower (chapter 6)", DECK, ideal_depth_is_lower,
          because_on_host=hosts.LEVEL_DEPTHS),
)

SECTION = Section(
    "deep-halos", "Deep halos", "[Valen2023] R. S. Valen, Analysing Deep Halos on Modern GPUs, NTNU 2023",
    "A halo of depth d is exchanged every d steps: fewer, larger messages for redundant cells. Four versions: "
    "dimension after dimension (sync) or all neighbours at once (async), with or without computing the interior "
    "meanwhile.",
    (Exhibit("depth", "Time against halo depth (Figures 5.1 to 5.6)", DECK, own_times, thesis_times),
     Exhibit("hidden", "Communication hidden by the overlap (Tables 5.1 and 5.2)", DECK, own_hidden, thesis_hidden),
     *(Exhibit(f"phase-{figure.key}", f"{PHASES[figure.phase]}, {figure.what} ({printed(figure)})", DECK,
               own_phases(figure), thesis_phases_of(figure)) for figure in PHASE_FIGURES)),
    CLAIMS,
    (Listing("quoted", "Ratios that its text quotes", DECK, quoted_ratios),
     Listing("appendix", "Times and phases (appendix C)", DECK, appendix_c)))
