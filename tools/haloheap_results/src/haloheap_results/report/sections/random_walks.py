# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""[Pham2022]: free pages found by random walks instead of through a queue."""

from __future__ import annotations

import dataclasses
import math
import statistics
from collections.abc import Callable, Sequence

from haloheap_results.figures.allocators import NAME
from haloheap_results.group import several
from haloheap_results.labels import Label, figure
from haloheap_results.load import Point
from haloheap_results.report.charts import Chart, Panel, line
from haloheap_results.report.model import NOTHING, Claim, Exhibit, Finding, Run, Section, Verdict
from haloheap_results.report.numbers import span, times
from haloheap_results.report.sections import hosts
from haloheap_results.report.sections.heaps import (by, figure_value, line_panels, of_problem, of_requests, ratios,
                                                     style_of)
from haloheap_results.report.verdicts import (ENOUGH, apart, by_name, doubt_of, far, of_gain, of_likeness, of_order,
                                               walls_apart)

QUEUE, TOGETHER = "page_queue", "collaborative_random_walk"
QUEUES = "virtual_queues"
"""Of size classes, after [Winter2020]."""
OF_ITS_KIND = "is of the kind of Ouroboros, from its paper and not its code"
WALKS = ("random_walk", "random_walk_bitmap", TOGETHER)
SIZES_AT_LEAST = 4
INSENSITIVE = 1.5
"""Times the median: that of the queues of [Winter2020] goes up more than tenfold with the size (section 5.2.2)."""
SAME_STEPS = 1.01
CLOSE = 95
"""Percent of a pool that are "close to 100 %"."""
NO_NUMBERS = "[Pham2022] draws this figure without numbers."
FEW_THREADS = "on a host few threads run at once, so that a queue is hardly contended"


def explained(label: Label) -> list[str]:
    """What the title is short for, as the file says it."""
    return [label.sentence()] if label.sentence() else []


def getpage_chart(name: str) -> Callable[[Run], list[Chart]]:
    def drawn(run: Run) -> list[Chart]:
        points = of_problem(run.points, "getpage")
        least = figure_value("getpage_minimum_us") if name == "getpage_median_us" else None
        panels = line_panels(points, "getpage.free", "getpage.threads", figure_value(name),
                             (lambda point: (least(point), point.figure(name))) if least else None,
                             figure_value(f"{name}_formula"))
        label = figure("getpage", name, run.results.labels)
        notes = explained(label)
        if any(point.figure(f"{name}_formula") for point in points):
            notes.append("dashed: by the formula of [Pham2022]")
        return [Chart(label.title, "threads", label.axis(), panels, "by free pages at the start, in percent; median, "
                                                                    "down "
                      "to the fastest" if least else "by free pages at the start, in percent", log_x=True, log_y=True,
                      notes=notes)] if panels else []

    return drawn


@dataclasses.dataclass(frozen=True)
class MallocSweep:
    """Figures 8 to 10: what varies along the axis, and what tells the panels apart."""

    axis_key: str
    axis: str
    panel_key: str
    by: str


THREADS = MallocSweep("malloc.threads", "threads", "malloc.size", "by size of a request in bytes")
SIZES = MallocSweep("malloc.size", "size of a request [bytes]", "malloc.threads", "by number of threads")
MIXED = MallocSweep("malloc.largest", "largest of the mixed sizes [bytes]", "malloc.threads", "by number of threads")


def malloc_chart(what: str, sweep: MallocSweep) -> Callable[[Run], list[Chart]]:
    name = f"{what}_median_us"

    def drawn(run: Run) -> list[Chart]:
        points = [point for point in of_requests(run.points) if point.figure(name)]
        if not several(point.deck.get(sweep.axis_key) for point in points):
            return []
        least = figure_value(f"{what}_minimum_us")
        panels = line_panels(points, sweep.panel_key, sweep.axis_key, figure_value(name),
                             lambda point: (least(point), point.figure(name)))
        label = figure("malloc_sweep", name, run.results.labels)
        return [Chart(label.title, sweep.axis, label.axis(), panels, f"{sweep.by}; median, down to the fastest",
                      log_x=True, log_y=True, notes=explained(label))] if panels else []

    return drawn


def fill_chart(run: Run) -> list[Chart]:
    """How much of the pool is of use when no more fits in, by allocator."""
    return utilisation(run, NAME) if not several_units(run) else []


def units_chart(run: Run) -> list[Chart]:
    """The same, by the allocator's unit."""
    return utilisation(run, "allocator.page") if several_units(run) else []


def filled(run: Run) -> list[Point]:
    return [point for point in of_problem(run.points, "malloc_sweep") if point.figure("utilisation_percent")]


def several_units(run: Run) -> bool:
    return several(point.deck.get("allocator.page") for point in filled(run))


def utilisation(run: Run, key: str) -> list[Chart]:
    points = filled(run)
    if not several(point.deck.get("malloc.size") for point in points):
        return []
    lines = [line(str(what) if key == NAME else f"units of {what} bytes", there,
                  lambda point: point.deck["malloc.size"], figure_value("utilisation_percent"),
                  style=style_of(str(what), place)) for place, (what, there) in enumerate(by(points, key).items())]
    label = figure("malloc_sweep", "utilisation_percent", run.results.labels)
    return [Chart(label.title, "size of a request [bytes]", label.axis(), [Panel("", lines)],
                  "bytes that were asked for over those of the pool, when a request is refused", log_x=True,
                  notes=explained(label))]


def join_chart(run: Run) -> list[Chart]:
    panels = line_panels(of_problem(run.points, "hash_join"), "hash_join.list", "hash_join.tuples",
                         figure_value("join_us"))
    label = figure("hash_join", "join_us", run.results.labels)
    return [Chart(label.title, "tuples", label.axis(), panels, "by who has a list of output pages of its own",
                  log_x=True, log_y=True, notes=explained(label))] if panels else []


def atomics_chart(run: Run) -> list[Chart]:
    """A line for each number of words: Figure 1 is that of one word."""
    points = of_problem(run.points, "atomics")
    panels: list[Panel] = []
    for operation, of_operation in by(points, "atomics.operation").items():
        lines = []
        for place, (words, there) in enumerate(by(of_operation, "atomics.addresses").items()):
            name = "a word for each thread" if words == 0 else "one word" if words == 1 else f"{words} words"
            lines.append(line(name, there, lambda point: point.deck["atomics.threads"], figure_value("latency_ns"),
                              lambda point: (point.figure("latency_minimum_ns"), point.figure("latency_ns")),
                              style=style_of(name, place)))
        panels.append(Panel(str(operation), lines))
    label = figure("atomics", "latency_ns", run.results.labels)
    return [Chart(label.title, "threads", label.axis(), panels, "by the words that they share; median, down to the "
                  "fastest", log_x=True, log_y=True, notes=explained(label))] if panels else []


def curves(what: str) -> Callable[[Run], list[Chart]]:
    """Figure 4: formulas alone, the queue's and those of a random walk by the share of free pages."""
    def drawn(run: Run) -> list[Chart]:
        points = of_problem(run.points, "page_steps")
        if not points:
            return []
        shares = by(points, "steps.free")
        lines = [line("queue", next(iter(shares.values())), lambda point: point.deck["steps.threads"],
                      figure_value(f"{what}_queue"), style=style_of(QUEUE, 0), formula=True)]
        lines += [line(f"{share:g} % free", there, lambda point: point.deck["steps.threads"],
                       figure_value(f"{what}_walk"), style=style_of(f"{share:g}", place), formula=True)
                  for place, (share, there) in enumerate(shares.items())]
        label = figure("page_steps", f"{what}_walk", run.results.labels)
        return [Chart(label.title, "threads", label.axis(), [Panel("", lines)],
                      f"formulas, {points[0].deck['steps.pages']} pages: nothing was run", log_y=True,
                      notes=explained(label))]

    return drawn


# ------------------------------------------------------------------------------------------------------- claims


def grows_with_threads(points: Sequence[Point]) -> Finding:
    """Twice the threads, twice the time: between the two largest numbers of threads on one word that all run at once.
    Further ones wait for those to end, outside of what is timed."""
    there = sorted((point for point in of_problem(points, "atomics") if point.deck["atomics.addresses"] == 1
                    and point.deck["atomics.operation"] == "add" and point.figure("latency_ns")),
                   key=lambda point: point.deck["atomics.threads"])
    if len(there) < 2:
        return NOTHING
    at_once = [point for point in there if active_threads(point) > 0.5 * point.deck["atomics.threads"]]
    few, many = at_once[-2:] if len(at_once) > 1 else there[-2:]
    threads = many.deck["atomics.threads"] / few.deck["atomics.threads"]
    few_ns, many_ns = (point.figure("latency_ns") or math.nan for point in (few, many))
    text = (f"{times(threads)} the threads, {times(many_ns / few_ns)} the time of an operation on one word: from "
            f"{few_ns:.3g} ns with {few.deck['atomics.threads']} threads to {many_ns:.3g} ns with "
            f"{many.deck['atomics.threads']}")
    if len(at_once) < 2:
        return Finding(Verdict.OPEN, f"some {active_threads(many):.0f} threads run at once, which is too few to see "
                                     f"it; {text}")
    more = f"; of more threads only some {active_threads(there[-1]):.0f} run at once" if there[-1] is not many else ""
    return Finding.of(many_ns / few_ns > 0.7 * threads, text + more)


def active_threads(point: Point) -> float:
    """Of atomics, how many run at once on average: operations a nanosecond times the nanoseconds of each."""
    return (point.figure("latency_ns") or 0) * (point.figure("operations_per_ns") or 0)


def beats_queue(points: Sequence[Point]) -> Finding:
    found = ratios(of_problem(points, "getpage"), QUEUE, TOGETHER, figure_value("getpage_median_us"))
    if not found:
        return NOTHING
    middle = statistics.median(found)
    return of_gain(middle, 10, f"the queue's time over that of {TOGETHER}: {span(found)}, {times(middle)} as median of "
                               f"{len(found)} points; here the queue is one ring of pages, not Ouroboros",
                   noise(points, "getpage", ("getpage_minimum_us", "getpage_median_us")))


def with_formula(points: Sequence[Point], name: str) -> list[tuple[float, float]]:
    """[(measured, by the formula)] of the random walks."""
    return [(measured, formula) for point in of_problem(points, "getpage") if point.deck.get(NAME) in WALKS
            and (measured := point.figure(name)) and (formula := point.figure(f"{name}_formula"))]


def formula_holds(points: Sequence[Point]) -> Finding:
    pairs = with_formula(points, "tas")
    if not pairs:
        return NOTHING
    furthest = max((measured / formula for measured, formula in pairs), key=lambda value: max(value, 1 / value))
    close = sum(0.9 <= measured / formula <= 1.1 for measured, formula in pairs)
    return Finding.of(close >= 0.9 * len(pairs), f"{close} of {len(pairs)} points within 10 % of the formula, the "
                                              f"furthest at {times(furthest)} of it")


def bound_holds(points: Sequence[Point]) -> Finding:
    pairs = with_formula(points, "was")
    if not pairs:
        return NOTHING
    highest = max(measured / formula for measured, formula in pairs)
    within = sum(measured <= 1.1 * formula for measured, formula in pairs)
    return Finding.of(within >= 0.9 * len(pairs), f"{within} of {len(pairs)} points below 1.1 times the bound on the "
                                               f"mean, the highest at {times(highest)} of it: few threads are a small "
                                               "sample")


def over_queues(what: str, claimed: float, key: str = "") -> Callable[[Sequence[Point]], Finding]:
    """Up to so many times as fast: by the highest factor. `key`: what has to vary."""
    def judge(points: Sequence[Point]) -> Finding:
        there = of_requests(points)
        other = queue_of(there, "native")
        found = ratios(there, other, "rw_malloc", figure_value(f"{what}_median_us"))
        if not found or (key and not several(point.deck.get(key) for point in there)):
            return NOTHING
        stands = OF_ITS_KIND if other == QUEUES else "stands for Ouroboros here"
        return of_gain(max(found), claimed, f"{other}'s time to {what} over that of rw_malloc: {span(found)}; the "
                                            f"highest counts; {other} {stands}",
                       noise(there, "malloc_sweep", (f"{what}_minimum_us", f"{what}_median_us")))

    return judge


def queues_win_at_once(points: Sequence[Point]) -> Finding:
    there = of_requests(points)
    found = ratios(there, "rw_malloc", QUEUES, figure_value("at_once_median_us"))
    if not found:
        return NOTHING
    return of_order({QUEUES: found}, f"rw_malloc's time to allocate and free in one kernel over that of {QUEUES}: "
                                     f"{span(found)}; {QUEUES} {OF_ITS_KIND}",
                    noise(there, "malloc_sweep", ("at_once_minimum_us", "at_once_median_us")))


def sizes_do_not_matter(points: Sequence[Point]) -> Finding:
    """To RW_malloc: how far its times are from their median, at each number of threads."""
    there = [point for point in of_requests(points)
             if point.deck[NAME] == "rw_malloc" and point.figure("allocate_median_us")]
    factors: dict[int, list[float]] = {}
    for same in by(there, "malloc.threads").values():
        times_of = {point.deck["malloc.size"]: point.figure("allocate_median_us") or math.nan for point in same}
        if len(times_of) >= SIZES_AT_LEAST:
            middle = statistics.median(times_of.values())
            for size, taken in times_of.items():
                factors.setdefault(size, []).append(taken / middle)
    every = [far(factor) for found in factors.values() for factor in found]
    if not every:
        return NOTHING
    close = sum(factor <= INSENSITIVE for factor in every)
    worst = max(factors, key=lambda size: max(map(far, factors[size])))
    text = (f"{close} of {len(every)} times of rw_malloc within {times(INSENSITIVE)} times their median; furthest "
            f"with {worst} bytes, {times(max(factors[worst], key=far))} times")
    if doubt := doubt_of([INSENSITIVE], noise(there, "malloc_sweep", ("allocate_minimum_us", "allocate_median_us"))):
        return Finding(Verdict.OPEN, f"{doubt}; {text}")
    return Finding(Verdict.HOLDS if close == len(every) else Verdict.LESS if close >= ENOUGH * len(every)
                   else Verdict.FAILS, text)


def steps_are_the_same(points: Sequence[Point]) -> Finding:
    """TAS and WAS of the collaborative walk."""
    found = [was / tas for point in of_problem(points, "getpage") if point.deck[NAME] == TOGETHER
             and (was := point.figure("was")) and (tas := point.figure("tas"))]
    return of_likeness(found, SAME_STEPS, f"WAS over TAS: {span(found)} at {len(found)} points") if found else NOTHING


def fills_its_pool(points: Sequence[Point]) -> Finding:
    """By RW_malloc, by the size of a unit: at how many of the sizes a pool is of use as a whole."""
    there = [point for point in of_problem(points, "malloc_sweep") if point.deck[NAME] == "rw_malloc"
             and point.figure("utilisation_percent") is not None]
    if not there:
        return NOTHING
    told, full = [], 0
    for unit, filled in sorted(by(there, "allocator.page").items()):
        used = {point.deck["malloc.size"]: point.figure("utilisation_percent") or 0 for point in filled}
        least = min(used, key=lambda size: used[size])
        reached = sum(value >= CLOSE for value in used.values())
        full += reached
        told.append(f"units of {unit} bytes: {CLOSE} % and more at {reached} of {len(used)} sizes, at the least "
                    f"{used[least]:.1f} % at {least} bytes")
    verdict = Verdict.HOLDS if full == len(there) else Verdict.LESS if full else Verdict.FAILS
    return Finding(verdict, "; ".join(told))


def noise(points: Sequence[Point], problem: str, ends: tuple[str, str]) -> float:
    low, high = ends
    return apart((point.figure(low), point.figure(high)) for point in of_problem(points, problem))


def join_order(points: Sequence[Point]) -> Finding:
    there = of_problem(points, "hash_join")
    names = ("random_walk_bitmap", TOGETHER)
    found = {name: values for name in names if (values := ratios(there, "bump", name, figure_value("join_us")))}
    if len(found) < len(names):
        return NOTHING
    return of_order(found, f"time with the direct output buffer (bump) over theirs: {by_name(found)}",
                    walls_apart(point for point in there if point.deck[NAME] in ("bump", *names)))


def queue_is_slowest(points: Sequence[Point]) -> Finding:
    there = of_problem(points, "hash_join")
    queue = queue_of(there, QUEUE)
    found = {name: values for name in ("bump", "random_walk", "random_walk_bitmap", TOGETHER)
             if (values := ratios(there, queue, name, figure_value("join_us")))}
    if len(found) < 2:
        return NOTHING
    return of_order(found, f"time with {queue} over theirs: {by_name(found)}",
                    walls_apart(point for point in there if point.deck[NAME] in (queue, *found)))


def queue_of(points: Sequence[Point], otherwise: str) -> str:
    """What stands for Ouroboros: the queues that are of its kind, if they were run."""
    return QUEUES if any(point.deck[NAME] == QUEUES for point in points) else otherwise


ONE_OPERATION_A_WARP = (
    "Not because one address were cheap: the time of an operation on it grows with the threads, as [Pham2022] says "
    "(H100). But today's compiler makes one atomic operation of what a warp adds to a counter, as its machine code "
    "shows (CUDA 13.0): 2^18 requests, which change two counters each, are 2 x 2^13 operations. At the 1.35 a "
    "nanosecond that one word serves these take 12 us, where 2 x 2^18 would take 388; with launch and all an H100 "
    "takes 26 to 27 us and an H200 26 to 28. In nearly full pools the queue stays ahead. Ouroboros, which [Pham2022] "
    "measured, is another code, and whether its compiler did the same there is not known.")
NOT_OUROBOROS = (
    "1.2 to 76 times is what an H200 gives, 2.6 to 72 with 2^20 threads and twelve sizes, against virtual_queues, the "
    "design of Ouroboros by the paper of [Winter2020]. A ratio to its code over all threads cannot be had: it is no "
    "part of haloheap and was run once, with 2^20 threads on an H200 (0.9 to 2.9 times), and Figure 8 has no numbers. "
    "[Pham2022] did not give blocks back, so that queues were extended all the time, on a Titan V; which of this makes "
    "the rest of the factor was not measured.")
WHOLE_POOL = (
    "8192 bytes for each of 2^20 threads are the whole pool, in which the last free pages are searched for long; "
    "[Pham2022] excepts them in Figure 8. With 128 bytes it takes 1.7 times the median, and does not search longer: a "
    "thread takes 1.003 steps, and 1.002 with less. Each block of less than a page has a header in front, and times "
    "grow with the distance between blocks: 44 to 46 us at 16 and 32 bytes, 47 at 48, 56 at 80 and 80 at 144. From a "
    "page on there is no header, and 256 bytes take 44. What writing the headers takes alone was not measured.")
HEADERS = (
    "Below a page the blocks of a warp have headers of 4 bytes and take multiples of 16, and their run takes whole "
    "pages; from a page on the rest of the last page is lost.")
CHUNKS = (
    "virtual_queues is the design of Ouroboros by the paper of [Winter2020]; its code was not run so. A warp needs one "
    "chunk of it for requests of 16 and of 256 bytes, and on an H200 it takes 4.6 and 5.6 times as long as rw_malloc; "
    "it needs 16 and 32 chunks at 4096 and 8192 bytes, and takes 97 and 166 times as long. Up to 4096 bytes it takes "
    "about what its two kernels take that allocate and free, so that its queues cost as much where blocks come back at "
    "once.")
LEVEL_JOINS = (
    "On an H200 both are within 3 % of it or faster from 256 K tuples on; with fewer, where repetitions are up to 35 % "
    "apart, they took up to 1.2 times as long in one run and 1.04 in another. With lists of threads all three are "
    "level from 64 K to 1 M, and the other heaps without a queue within 15 %, so that the join itself seems to take "
    "most of the time. From 4 M tuples on both are faster than direct output, with lists of warps up to 1.68 and 1.40 "
    "times. It is the probe that differs: with lists of warps a page costs direct output 3.5 ns from 1 M tuples on, "
    "however many there are, random_walk_bitmap 1.8 and collaborative_random_walk 2.3, while one counter alone serves "
    "an addition in 0.7. Whether the rest is the look at the counter before each addition, or pages that several lanes "
    "asked for at once, was not measured.")

CLAIMS = (
    Claim("one-word", "The latency of an atomic operation on one word grows linearly with the threads (Figure 1)",
          "atomics", grows_with_threads, FEW_THREADS),
    Claim("page-tenfold", "To get a page, the collaborative walk is over ten times as fast as a queue in most cases "
          "(section 5.2.1, Figure 7)", "getpage", beats_queue, FEW_THREADS,
          because=ONE_OPERATION_A_WARP, because_on_host=hosts.STEPS_COUNT),
    Claim("tas-formula", "The steps of a thread (TAS) are those of the formula (section 5.2.1, Figure 7)", "getpage",
          formula_holds),
    Claim("was-bound", "The bound on the steps of the slowest lane of a warp (WAS) holds (section 5.2.1, Figure 7)",
          "getpage", bound_holds, "on a host a warp is one lane"),
    Claim("tas-is-was", "With the collaborative walk TAS and WAS are the same (section 4.2)", "getpage",
          steps_are_the_same, "on a host a warp is one lane", because_on_host=hosts.LONE_LANES),
    Claim("allocates-thousandfold", "RW_malloc allocates up to a thousand times as fast as the state of the art "
          "(section 5.2.2, Figure 8)", "malloc_sweep", over_queues("allocate", 1000, "malloc.threads"), FEW_THREADS,
          because=NOT_OUROBOROS, because_on_host=hosts.ONE_REQUEST),
    Claim("frees-tenfold", "RW_malloc frees up to ten times as fast (section 5.2.2, Figure 8)", "malloc_sweep",
          over_queues("free", 10, "malloc.threads"), FEW_THREADS),
    Claim("size-independent", "RW_malloc does not depend on the size of a request (section 5.2.2, Figure 9)",
          "malloc_sizes", sizes_do_not_matter, because=WHOLE_POOL),
    Claim("mixed-hundredfold", "With mixed sizes RW_malloc allocates up to a hundred times as fast (section 5.2.2, "
          "Figure 10)", "malloc_mixed", over_queues("allocate", 100, "malloc.largest"), FEW_THREADS,
          because=NOT_OUROBOROS, because_on_host=hosts.ONE_REQUEST),
    Claim("freed-at-once", "Ouroboros wins where blocks are freed at once (section 5.2.2)", "malloc_at_once",
          queues_win_at_once, FEW_THREADS, because=CHUNKS, because_on_host=hosts.QUEUES_COST_AS_MUCH),
    Claim("full-pool", "The utilisation of the pool is always close to 100 % (section 5.2.2, Figure 11)",
          "malloc_fill", fills_its_pool,
          "on a host a warp is one lane, so that a small request takes whole units alone", because=HEADERS,
          because_on_host=hosts.WHOLE_UNITS),
    Claim("join-queue", "A hash join is slowest with a queue (section 5.2.3, Figure 12)", "hash_join",
          queue_is_slowest, FEW_THREADS),
    Claim("join-direct", "With bitmaps and collaboration it is faster than with a direct output buffer (section 5.2.3, "
          "Figure 12)", "hash_join", join_order, FEW_THREADS, because=LEVEL_JOINS,
          because_on_host=hosts.ONE_COUNTER),
)

SECTION = Section(
    "random-walks", "Random walks",
    "[Pham2022] M. Pham et al., Dynamic Memory Management in Massively Parallel Systems: A Case on GPUs, ICS 2022",
    "Each thread tries random pages until it finds a free one, so that no queue is shared; bitmaps show 32 pages at a "
    "look, and lanes of a warp share what they find.",
    (Exhibit("atomics", "Latency of atomic operations on one word (Figure 1)", "atomics", atomics_chart,
             unpublished=NO_NUMBERS),
     Exhibit("curves-tas", "Steps of a thread by formula (Figure 4 a)", "page_steps", curves("tas"),
             unpublished=f"{NO_NUMBERS} The formulas are the same.", once=True),
     Exhibit("curves-was", "Steps of the slowest of a warp by formula (Figure 4 b)", "page_steps", curves("was"),
             unpublished=f"{NO_NUMBERS} The formulas are the same.", once=True),
     Exhibit("getpage", "Time to get a page (Figure 7, first row)", "getpage", getpage_chart("getpage_median_us"),
             unpublished=NO_NUMBERS),
     Exhibit("tas", "Steps of a thread (Figure 7, second row)", "getpage", getpage_chart("tas"),
             unpublished=f"{NO_NUMBERS} Its formula is drawn in ours."),
     Exhibit("was", "Steps of the slowest of a warp (Figure 7, third row)", "getpage", getpage_chart("was"),
             unpublished=f"{NO_NUMBERS} Its bound is drawn in ours."),
     Exhibit("malloc", "Time to allocate against threads (Figure 8)", "malloc_sweep", malloc_chart("allocate", THREADS),
             unpublished=NO_NUMBERS),
     Exhibit("malloc-free", "Time to free against threads (Figure 8)", "malloc_sweep", malloc_chart("free", THREADS),
             unpublished=NO_NUMBERS),
     Exhibit("malloc-sizes", "Time to allocate against sizes (Figure 9)", "malloc_sizes",
             malloc_chart("allocate", SIZES), unpublished=NO_NUMBERS),
     Exhibit("malloc-mixed", "Time to allocate mixed sizes (Figure 10)", "malloc_mixed",
             malloc_chart("allocate", MIXED), unpublished=NO_NUMBERS),
     Exhibit("malloc-at-once", "Time of blocks that are freed at once", "malloc_at_once",
             malloc_chart("at_once", SIZES), unpublished="[Pham2022] says who wins (section 5.2.2) and draws nothing."),
     Exhibit("malloc-fill", "Utilisation of the pool (Figure 11)", "malloc_fill", fill_chart, unpublished=NO_NUMBERS),
     Exhibit("malloc-units", "Utilisation by size of a unit (Figure 11)", "malloc_units", units_chart,
             unpublished=NO_NUMBERS),
     Exhibit("hash-join", "Hash join against tuples (Figure 12)", "hash_join", join_chart, unpublished=NO_NUMBERS)),
    CLAIMS)
