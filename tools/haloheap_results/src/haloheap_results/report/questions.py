# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The five questions, each answered in a sentence from the points of one run."""

from __future__ import annotations

import collections
import dataclasses
from collections.abc import Sequence

from haloheap_results.depths import version_of
from haloheap_results.figures.allocators import NAME
from haloheap_results.figures.containers import PEER, POLICY
from haloheap_results.labels import shape, size_text
from haloheap_results.load import Point
from haloheap_results.report.model import Answer, Question
from haloheap_results.report.numbers import apart, fastest, geometric_mean, span, times, wall
from haloheap_results.report.sections.deep_halos import sweeps, version_name
from haloheap_results.report.sections.design_space import emulated, measured
from haloheap_results.report.sections.heaps import of_problem
from haloheap_results.report.sections.transports import TRANSPORT, exchange_us, exchanges
from haloheap_results.tables.guidelines import COMMUNICATION, MEMORIES, PAGEABLE
from haloheap_results.transfers import NONE, total_of


def halo_depth(points: Sequence[Point]) -> Answer | None:
    """The best point of the largest grid against depth 1 with the same exchange and overlap."""
    for group in sweeps(points):
        best = fastest(group.points)
        if best is None:
            continue
        depth, version = best.deck["halo.depth"], version_of(best)
        base = next((point for point in group.points if point.deck["halo.depth"] == 1 and version_of(point) == version
                     and point.deck.get("stencil.fused_steps") == best.deck.get("stencil.fused_steps")), None)
        where = f"on {shape(group.work.size)} cells of {group.work.problem}, {group.work.scalar}, {group.ranks} ranks"
        if depth == 1:
            return Answer("depth 1", None, f"No depth beyond 1 pays, {where}: {version_name(version)} is the fastest.")
        if base is None or not (before := wall(base)) or not (after := wall(best)):
            return Answer(f"depth {depth}", None, f"{version_name(version)} is the fastest {where}; depth 1 was not "
                                                  "measured.")
        doubt = "" if apart(best, base) else " The repetitions of both overlap: it may be chance."
        return Answer(f"depth {depth}", before / after,
                      f"With {version_name(version)}, depth {depth} is {times(before / after)} times as fast as depth "
                      f"1, {where}.{doubt}")
    return None


def transport(points: Sequence[Point]) -> Answer | None:
    """The transport with the best geometric mean over all depths, against pageable memory, or else the slowest."""
    cases: list[dict[str, float]] = []
    for group in exchanges(points):
        by_depth: dict[object, dict[str, float]] = collections.defaultdict(dict)
        for point in group.points:
            if time := exchange_us(point):
                by_depth[point.deck.get("halo.depth")][str(point.deck[TRANSPORT])] = time
        cases += by_depth.values()
    return best_name(cases, PAGEABLE, "depths")


def allocator(points: Sequence[Point]) -> Answer | None:
    """By the round trip of malloc_sweep, or else by the time of the join, or of the work."""
    for rank, (problem, exhibit, what, time) in enumerate((
            ("malloc_sweep", "malloc", "to allocate and free", round_trip),
            ("hash_join", "hash-join", "in a hash join", joining),
            ("allocation", "work-speedup", "to work on what was allocated", working))):
        cases: dict[str, dict[str, float]] = collections.defaultdict(dict)
        for point in of_problem(points, problem):
            rest = str(sorted((key, value) for key, value in point.swept.items() if key != NAME))
            if (value := time(point)) and point.deck[NAME] != "bump":  # it frees nothing
                cases[rest][str(point.deck[NAME])] = value
        if answer := best_name(list(cases.values()), "native", "points", f", {what}"):
            return dataclasses.replace(answer, rank=rank, exhibit=exhibit)
    return None


def round_trip(point: Point) -> float | None:
    taken, freed = point.figure("allocate_median_us"), point.figure("free_median_us")
    filled = point.figure("utilisation_percent") is not None
    return taken + freed if taken and freed and not filled else None


def joining(point: Point) -> float | None:
    return point.figure("join_us")


def working(point: Point) -> float | None:
    return point.figure("work_us")


def best_name(cases: Sequence[dict[str, float]], base: str, what: str, why: str = "") -> Answer | None:
    """Of names that were measured in all cases: the one with the least geometric mean of its times."""
    full = [case for case in cases if len(case) > 1]
    names = set.intersection(*(set(case) for case in full)) if full else set()
    if len(names) < 2:
        return None
    means = {name: geometric_mean(case[name] for case in full) for name in sorted(names)}
    best = min(means, key=lambda name: means[name])
    other = base if base in means and base != best else max(means, key=lambda name: means[name])
    ratios = [case[other] / case[best] for case in full]
    won = sum(min(case, key=lambda name: case[name]) == best for case in full)
    return Answer(best, mean := geometric_mean(ratios),
                  f"{best} is {times(mean)} times as fast as {other}{why}: geometric mean over {len(full)} {what} "
                  f"({span(ratios)}); it is the fastest in {won} of them.")


def transfer_mode(points: Sequence[Point]) -> Answer | None:
    """Communication bound, the largest size: the best version against pageable memory without streams."""
    for one in sorted(measured(points), key=lambda one: one.problem != "transfer"):
        sizes = one.sizes(COMMUNICATION)
        if not sizes or len({run.mode for run in one.of(COMMUNICATION, sizes[-1])}) < 2:
            continue
        best = one.best(COMMUNICATION, sizes[-1])
        base = one.best(COMMUNICATION, sizes[-1], [PAGEABLE], [NONE])
        if best is None or base is None:
            continue
        choice = best.mode if best.schedule == NONE else f"{best.mode}, {best.schedule}, {best.streams:g} streams"
        worst = max(one.of(COMMUNICATION, sizes[-1], MEMORIES), key=total_of, default=base)
        factor, spread = (total_of(run) / total_of(best) for run in (base, worst))
        return Answer(choice, factor,
                      f"Communication bound, {size_text(round(sizes[-1]))}: {times(factor)} times as fast as pageable "
                      f"memory without streams, and {times(spread)} times as fast as the worst version ({worst.mode}, "
                      f"{worst.schedule}){emulated(one)}.", rank=one.problem != "transfer",
                      exhibit="" if one.problem == "transfer" else "vector-streams")
    return None


def container_policy(points: Sequence[Point]) -> Answer | None:
    """By wall time over all applications; against moving operands at each call, or else the initial mechanism."""
    cases: dict[str, dict[str, float]] = collections.defaultdict(dict)
    for point in points:
        time = wall(point)
        if time and point.deck.get(POLICY) and point.deck.get(PEER) is not False:
            rest = str(sorted((key, value) for key, value in point.swept.items() if key not in (POLICY, PEER)))
            cases[rest].setdefault(str(point.deck[POLICY]), time)
    bases = [name for name in ("none", "initial") if any(name in case for case in cases.values())]
    return best_name(list(cases.values()), bases[0] if bases else "", "applications and numbers of devices, by wall "
                                                                      "time")


QUESTIONS: tuple[Question, ...] = (
    Question("Which halo depth?", "thesis", "depth", halo_depth),
    Question("Which transport?", "bench_halo", "exchange", transport),
    Question("Which allocator?", "malloc_sweep", "malloc", allocator),
    Question("Which transfer mode?", "transfer", "versions", transfer_mode),
    Question("Which container policy?", "figure6", "policies", container_policy),
)

