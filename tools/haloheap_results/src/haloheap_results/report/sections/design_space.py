# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""[Bhimani2016]: transfers between host and device, by memory, schedule and number of streams."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence

from haloheap_results.figures.transfers import MODES, PAPERS_TYPE, SCHEDULE_STYLES, bounds_of, modes_of
from haloheap_results.group import known_first, several
from haloheap_results.labels import size_text
from haloheap_results.load import Point, Results
from haloheap_results.report.charts import Chart, Panel, Series, line
from haloheap_results.report.conformity import deck_of, own_first
from haloheap_results.report.decks import DECKS
from haloheap_results.report.model import NOTHING, Claim, Exhibit, Finding, Listing, Run, Section, Verdict
from haloheap_results.report.numbers import geometric_mean, times
from haloheap_results.report.sections import hosts
from haloheap_results.report.verdicts import (ENOUGH, NOTABLE, apart, by_name, doubt_of, far, of_gain,
                                               of_order)
from haloheap_results.tables.guidelines import (COMMUNICATION, COMPUTE, GUIDELINES, ITS_SIGNS, MANAGED, MEMORIES,
                                                PAGEABLE, PINNED, RIGHTLY, STREAMED, Measured, compute_bound,
                                                measured_of, newer_bus, number, ratio_to_best, two_buses, with_version)
from haloheap_results.tables.markdown import Grid
from haloheap_results.transfers import EMULATED, NONE, SCHEDULES, RunGroup, groups_of, total_of
from haloheap_results.transfers import Run as Transfer

NO_NUMBERS = "[Bhimani2016] draws this figure without numbers."
TYPE_1 = STREAMED[0]
TEN_STREAMS = (5, 20)
"""What is about ten."""
SIZE, PER_BYTE, WHOLE = "size of an array [bytes]", "time a byte [ns]", "time of a run [µs]"


def groups(run: Run, problem: str) -> list[RunGroup]:
    return [group for group in groups_of(run.results) if group.problem == problem]


def told_of(runs: Iterable[Transfer]) -> list[str]:
    return list(dict.fromkeys(note for run in runs for note in run.notes if note.startswith(EMULATED)))



def size_chart(problem: str, whole: bool = False) -> Callable[[Run], list[Chart]]:
    """Time of a run, or time a byte, against bytes, one stream."""
    def drawn(run: Run) -> list[Chart]:
        charts = []
        for group in groups(run, problem):
            alone = [one for one in group.runs if one.schedule == NONE and one.per_byte("total")]
            if not several(one.bytes for one in alone):
                continue
            known = modes_of(alone)
            panels = [Panel(bound if problem == "transfer" else "",
                            [line(mode, [one for one in alone if (one.bound, one.mode) == (bound, mode)],
                                  lambda one: one.bytes,
                                  lambda one: one.total if whole else one.per_byte("total"),
                                  style=MODES.of(mode, known)) for mode in known]) for bound in bounds_of(alone)]
            charts.append(Chart(group.title(), SIZE, WHOLE if whole else PER_BYTE, panels,
                                "whole run, one stream; by bound", log_x=True,
                                log_y=True, notes=told_of(alone)))
        return charts

    return drawn


def stream_chart(problem: str) -> Callable[[Run], list[Chart]]:
    """Time a byte against streams at the largest size: a chart for each bound, a panel for each memory."""
    def drawn(run: Run) -> list[Chart]:
        charts = []
        for group in groups(run, problem):
            streamed = [one for one in group.runs if one.per_byte("total")]
            if not several(one.streams for one in streamed if one.schedule != NONE):
                continue
            size = max(one.bytes for one in streamed)
            there = [one for one in streamed if one.bytes == size]
            charts += [streams_of(group, [one for one in there if one.bound == bound], bound, size)
                       for bound in bounds_of(there)]
        return charts

    return drawn


def streams_of(group: RunGroup, runs: Sequence[Transfer], bound: str, size: float) -> Chart:
    panels = []
    for mode in modes_of(runs):
        own = [run for run in runs if run.mode == mode]
        series = [line(PAPERS_TYPE.get(schedule, schedule), [run for run in own if run.schedule == schedule],
                       lambda run: run.streams, lambda run: run.per_byte("total"),
                       style=SCHEDULE_STYLES.of(schedule, [schedule]))
                  for schedule in known_first((run.schedule for run in own), SCHEDULES)]
        panels.append(Panel(mode, series))
    title = ", ".join([group.title(), f"bound: {bound}"]) if group.problem == "transfer" else group.title()
    return Chart(title, "streams", PER_BYTE, panels, f"arrays of {size_text(round(size))}; by memory", log_x=True,
                 log_y=True, notes=told_of(runs))


def versions_chart(run: Run) -> list[Chart]:
    """All versions at the largest size."""
    charts = []
    for group in groups(run, "transfer"):
        timed = [one for one in group.runs if one.total]
        if not several(one.schedule for one in timed) or several(one.streams for one in timed if one.schedule != NONE):
            continue
        size = max(one.bytes for one in timed)
        there = [one for one in timed if one.bytes == size]
        schedules = known_first((one.schedule for one in there), SCHEDULES)
        panels = [Panel(bound, [bars_of(schedule, [one for one in there if one.bound == bound
                                                   and one.schedule == schedule]) for schedule in schedules])
                  for bound in bounds_of(there)]
        charts.append(Chart(f"{group.title()}, {size_text(round(size))}", "memory", "time of a run [µs]", panels,
                            "by bound", bars=True, log_y=True, notes=told_of(there)))
    return charts


def bars_of(schedule: str, runs: Sequence[Transfer]) -> Series:
    return Series(PAPERS_TYPE.get(schedule, schedule), [run.mode for run in runs], [run.total for run in runs],
                  [run.low for run in runs], [run.high for run in runs],
                  ("#999999", "o") if schedule == NONE else SCHEDULE_STYLES.of(schedule, [schedule]))


# ------------------------------------------------------------------------------------------------------- claims


def measured(points: Sequence[Point]) -> list[Measured]:
    return measured_of(Results(list(points), {}))


def guideline(place: int) -> Callable[[Sequence[Point]], Finding]:
    """By the rules of the command 'guidelines'."""
    _, rule, _ = GUIDELINES[place]

    def judge(points: Sequence[Point]) -> Finding:
        for one in measured(points):
            found = rule(one, one.sizes()[-1])
            if found.truth is not None:
                verdict = Verdict.LESS if rule is compute_bound and found.truth and with_streams_alone(one) else (
                    Verdict.of(found.truth))
                return Finding(verdict, f"µs (schedule, streams): {found.text}{emulated(one)}")
        return NOTHING

    return judge


def with_streams_alone(one: Measured) -> bool:
    """Whether managed memory is the best with streams only, against which guideline 6 advises."""
    alone = ratio_to_best(one, MANAGED, COMPUTE, one.sizes()[-1], [NONE])
    return alone is not None and alone[0] > RIGHTLY


def emulated(one: Measured) -> str:
    return "; the link is emulated: this follows from the deck's rates, it is not measured" if any(
        run.emulated for run in one.runs) else ""


def good_choices(points: Sequence[Point]) -> Finding:
    """Worst over best of the 27, at each bound."""
    for one in measured(points):
        size, parts, factors, compared = one.sizes()[-1], [], [], []
        for bound in one.bounds:
            versions = one.of(bound, size, MEMORIES)
            if len(versions) < 9:
                return NOTHING
            best, worst = min(versions, key=total_of), max(versions, key=total_of)
            factors.append(total_of(worst) / total_of(best))
            compared.append((best, worst))
            parts.append(f"{bound}: {times(factors[-1])} ({worst.mode} {with_version(worst)} over {best.mode} "
                         f"{with_version(best)})")
        highest = compared[factors.index(max(factors))]
        return of_gain(max(factors), 2.6, "worst over best of its versions, µs (schedule, streams): "
                                          f"{'; '.join(parts)}{emulated(one)}",
                       apart((run.low, run.high) for run in highest))
    return NOTHING


def pinned_is_dear(points: Sequence[Point]) -> Finding:
    """To allocate, at every size."""
    found = {}
    for one in measured(points):
        for size in one.sizes(COMMUNICATION):
            costs = [run.figures.get("allocate_us") for mode in (PINNED, PAGEABLE)
                     if (run := one.best(COMMUNICATION, size, [mode], [NONE]))]
            if len(costs) == 2 and costs[0] and costs[1]:
                found[size] = (costs[0], costs[1])
    if not found:
        return NOTHING
    text = ", ".join(f"{size_text(round(size))}: {number(pinned)} and {number(pageable)}"
                     for size, (pinned, pageable) in found.items())
    dear = [pinned / pageable > NOTABLE for pinned, pageable in found.values()]
    return Finding(Verdict.HOLDS if all(dear) else Verdict.LESS if any(dear) else Verdict.FAILS,
                   f"µs to allocate pinned and pageable memory: {text}")


def pinned_gains_up_to_ten(points: Sequence[Point]) -> Finding:
    """With how many streams it is the fastest, at each bound."""
    parts, best, gains, ranges = [], [], [], []
    for one in measured(points):
        for bound in one.bounds:
            runs = one.of(bound, one.sizes()[-1], [PINNED], STREAMED)
            alone, more = ([run for run in runs if (run.streams == 1) == one_alone] for one_alone in (True, False))
            if not alone or max((run.streams for run in more), default=0) <= 10:
                continue
            first, fastest = min(alone, key=total_of), min(more, key=total_of)
            best.append(fastest.streams)
            gains.append(total_of(first) / total_of(fastest))
            ranges += [(run.low, run.high) for run in (first, fastest)]
            parts.append(f"{bound} {fastest.streams:g} ({times(gains[-1])} times as fast as with one)")
    if not parts:
        return NOTHING
    text = f"pinned memory is the fastest with so many streams: {', '.join(parts)}"
    if doubt := doubt_of([max(NOTABLE, far(geometric_mean(gains)))], apart(ranges)):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    if max(gains) <= NOTABLE:
        return Finding(Verdict.FAILS, text)
    low, high = TEN_STREAMS
    return Finding(Verdict.HOLDS if all(low <= streams <= high for streams in best) else Verdict.LESS, text)


def type_1_is_slower(points: Sequence[Point]) -> Finding:
    """Pageable memory with streams of type I against none, at each size and bound."""
    found: dict[str, list[float]] = {}
    ranges = []
    for one in measured(points):
        for size in one.sizes():
            for bound in one.bounds:
                alone = one.best(bound, size, [PAGEABLE], [NONE])
                streamed = one.best_with_streams(bound, size, PAGEABLE, TYPE_1)
                if alone and streamed:
                    found.setdefault(size_text(round(size)), []).append(total_of(streamed) / total_of(alone))
                    ranges += [(run.low, run.high) for run in (alone, streamed)]
    return of_order(found, f"time of pageable memory with type I over that without streams: {by_name(found)}",
                    apart(ranges)) if found else NOTHING


def traits(one: Measured, size: float) -> dict[str, object]:
    """How transfers of a size behave where communication bounds: which memory is the best and the worst without
    streams, and which gains by them."""
    alone = [run for mode in MEMORIES if (run := one.best(COMMUNICATION, size, [mode], [NONE]))]
    if len(alone) < len(MEMORIES):
        return {}
    told = size_text(round(size))
    found: dict[str, object] = {f"{told}: fastest": min(alone, key=total_of).mode,
                                f"{told}: slowest": max(alone, key=total_of).mode}
    for run in alone:
        streamed = [other for schedule in STREAMED
                    if (other := one.best_with_streams(COMMUNICATION, size, run.mode, schedule))]
        if streamed:
            found[f"{told}: {run.mode} with streams"] = (
                "faster" if min(map(total_of, streamed)) < total_of(run) else "not faster")
    return found


def vector_addition_is_alike(runs: Sequence[Run]) -> tuple[Run, Finding] | None:
    """The traits of both, at the sizes that both have."""
    def first(problem: str) -> tuple[Run, Measured] | None:
        return next(((run, one) for run in own_first(runs, "transfer" if problem == "transfer" else "vector_add")
                     for one in measured(run.points) if one.problem == problem), None)

    vector, transfer = first("vector_add"), first("transfer")
    if not vector or not transfer:
        return None
    both = [{key: value for size in one.sizes(COMMUNICATION) for key, value in traits(one, size).items()}
            for _, one in (vector, transfer)]
    keys = [key for key in both[0] if key in both[1]]
    if not keys:
        return None
    alike = [key for key in keys if both[0][key] == both[1][key]]
    others = "; ".join(f"{key} {both[0][key]}, there {both[1][key]}" for key in keys if key not in alike)
    text = (f"as where communication bounds ({transfer[0].name}) in {len(alike)} of {len(keys)} traits"
            + (f"; others: {others}" if others else ""))
    share = len(alike) / len(keys)
    return vector[0], Finding(Verdict.HOLDS if share >= ENOUGH else Verdict.LESS if share > 0.5 else Verdict.FAILS,
                              text)


OLDER_DECK, NEWER_DECK = "transfer_pcie2", "transfer_pcie3"


def buses(runs: Sequence[Run]) -> tuple[Run, Measured, Measured] | None:
    """Both buses: the newer one's run and what it measured, and the older one's."""
    newer, older = (next(((run, one) for run in runs if deck_of(run) == DECKS[deck].source
                          for one in measured(run.points)), None) for deck in (NEWER_DECK, OLDER_DECK))
    return (*newer, older[1]) if newer and older else None


def newer_bus_gains(runs: Sequence[Run]) -> tuple[Run, Finding] | None:
    """By the rule of the command 'guidelines'."""
    if not (found := buses(runs)):
        return None
    run, newer, older = found
    judged = newer_bus(newer, older)
    return run, Finding.of(judged.truth, f"µs: {judged.text}")


def table_3(runs: Sequence[Run]) -> list[tuple[Grid, Run | None]]:
    """Its signs, and ours."""
    found = buses(runs)
    if found and (grid := two_buses(found[1], found[2])):
        note = f"{grid.note} Both buses are emulated: this follows from the rates in the decks."
        return [(dataclasses.replace(grid, note=note), found[0])]
    return [(Grid("Table III of [Bhimani2016], two buses", ["memory", "[Bhimani2016], each bound"],
                  [[memory, sign] for memory, sign in ITS_SIGNS.items()], numbers_from=2), None)]


DECKS_OF = ("transfer", "transfer_sizes", "transfer", "transfer", "transfer", "transfer")

STAGED = (
    "Pageable memory goes through the driver's staging buffer, and the host waits: 6.8 and 13.5 GB/s at 256 MiB, where "
    "pinned memory has 55.")
OPERATIONS = (
    "On an H200 an operation costs 3 to 5 us to start (64 streams, 192 operations, unless the kernel bounds: 613 to "
    "858 us), while 1.6 MB cross PCIe 5 in 35: where copies bound little is left to hide from two streams on, and "
    "where the kernel bounds four streams hide most of it (820 us become 781, and 776 with ten). With 256 MiB an H200 "
    "gains up to 32 streams.")
BLOCKING = (
    "On an H200 copies of pageable memory block the host, so that with type I chunks run one after the other, and "
    "what 24 operations cost to start comes on top: 0.3 of 0.7 ms at 1.6 MB, where it is slower at every bound. At "
    "256 MiB that is nothing beside 54 ms; there repetitions are up to 26 % apart, and the 11 % that type I gains "
    "where both are balanced lie within.")
HOST_FAULTS = (
    "Without streams the faults of the kernel are hidden by what it computes (98.0 ms, pinned 97.3), but the host "
    "then takes the result back by faults in 48 ms, where a copy takes 4.9 (H200, 256 MiB). With type II it does so "
    "while the other kernels run: 102 ms in all.")
FAULTS_OVERLAP = (
    "With type II the host takes back the first results by faults while later kernels run. On an H200, 256 MiB, "
    "computing bound: kernels take 98 ms and the host 39, both together 102; with type I, where the host reads a "
    "chunk before it enqueues the next, both take 134 to 149 one after the other, as without streams (134 to 145). "
    "Where copies bound the host takes longer beside the kernels (43 and 39 ms become 41 and 52, 49 together). Vector "
    "addition gains so, too. Why streams did not gain in [Bhimani2016] is not known.")
BECAUSE = {
    1: HOST_FAULTS, 2: STAGED, 3: STAGED,
    6: FAULTS_OVERLAP,
    7: "What goes through a copy of the host gains less than the bus does. This follows from rates, and was not "
       "measured.",
}
BECAUSE_ON_HOST = {1: hosts.PAGES_COME_BACK, 2: hosts.SMALL_PAGES, 3: hosts.RATES, 6: hosts.TYPE_2_OVERLAPS}

CLAIMS = (
    Claim("good-choices", "Good choices alone make a transfer 2.6 times as fast (abstract)", "transfer", good_choices),
    Claim("pinned-allocation", "Pinned memory is dear to allocate (section IV)", "transfer", pinned_is_dear),
    Claim("pinned-streams", "Pinned memory gains by up to about 10 streams, and little by more (section V)",
          "transfer_streams", pinned_gains_up_to_ten, because=OPERATIONS, because_on_host=hosts.LATENCIES),
    Claim("pageable-type-1", "Pageable memory is slower with streams of type I (section V)", "transfer",
          type_1_is_slower, because=BLOCKING),
    Claim("vector-addition", "Vector addition behaves as the communication bound does (section VI)", "vector_add",
          lambda points: NOTHING, together=vector_addition_is_alike,
          command=f"{DECKS['transfer'].command()}; {DECKS['vector_add'].command()}"),
    *(Claim(f"guideline-{place + 1}", f"Guideline {place + 1}: {text} (section VIII)", deck, guideline(place),
            because=BECAUSE.get(place + 1, ""), because_on_host=BECAUSE_ON_HOST.get(place + 1, ""))
      for place, ((text, _, _), deck) in enumerate(zip(GUIDELINES, DECKS_OF))),
    Claim("guideline-7", "Guideline 7: a newer bus is worth it for managed and pageable memory (section VIII)",
          NEWER_DECK, lambda points: NOTHING, together=newer_bus_gains, because=BECAUSE[7],
          because_on_host=BECAUSE[7],
          command=f"{DECKS[OLDER_DECK].command()}; {DECKS[NEWER_DECK].command()}"),
)

SECTION = Section(
    "design-space", "Transfers",
    "[Bhimani2016] J. Bhimani et al., Design Space Exploration of GPU Accelerated Cluster Systems for Optimal Data "
    "Transfer Using PCIe Bus, HPEC 2016",
    "An array goes to the device, is worked on, and comes back: three memories, three schedules of streams and three "
    "bounds make 27 versions.",
    (Exhibit("versions", "The 27 versions", "transfer", versions_chart,
             unpublished="[Bhimani2016] has no figure of all of them at one size."),
     Exhibit("bytes", "Total time against bytes (Figure 3)", "transfer_sizes", size_chart("transfer", whole=True),
             unpublished=NO_NUMBERS, once=True),
     Exhibit("bytes-each", "Time a byte against bytes", "transfer_sizes", size_chart("transfer"),
             unpublished="[Bhimani2016] has no such figure of this problem.", once=True),
     Exhibit("streams", "Time a byte against streams (Figure 4)", "transfer_streams", stream_chart("transfer"),
             unpublished=NO_NUMBERS),
     Exhibit("vector-bytes", "Vector addition against bytes (Figure 5)", "vector_add", size_chart("vector_add"),
             unpublished=NO_NUMBERS),
     Exhibit("vector-streams", "Vector addition against streams (Figure 6)", "vector_add", stream_chart("vector_add"),
             unpublished=NO_NUMBERS)),
    CLAIMS, (Listing("buses", "Two buses (Table III)", NEWER_DECK, table_3),))
