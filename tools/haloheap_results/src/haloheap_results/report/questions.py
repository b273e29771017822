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
from haloheap_results.group import Group
from haloheap_results.labels import shape, size_text
from haloheap_results.load import Point
from haloheap_results.report.model import Answer, Question
from haloheap_results.report.numbers import apart, fastest, geometric_mean, span, times, wall
from haloheap_results.report.sections.deep_halos import cells, sweeps, version_name
from haloheap_results.report.sections.design_space import emulated, measured
from haloheap_results.report.sections.heaps import of_problem
from haloheap_results.report.sections.transports import TRANSPORT, exchange_us, exchanges
from haloheap_results.tables.guidelines import COMMUNICATION, MEMORIES, PAGEABLE
from haloheap_results.transfers import NONE, total_of


@dataclasses.dataclass(frozen=True)
class Deepest:
    """The fastest point of a grid, and that of depth 1 with the same exchange and overlap."""

    group: Group
    best: Point
    base: Point | None

    @property
    def depth(self) -> int:
        return int(self.best.deck["halo.depth"])

    @property
    def version(self) -> str:
        return version_name(version_of(self.best))

    @property
    def gain(self) -> float | None:
        before, after = wall(self.base) if self.base else None, wall(self.best)
        return before / after if before and after else None

    @property
    def doubt(self) -> str:
        certain = self.base is None or apart(self.best, self.base)
        return "" if certain else " The repetitions of both overlap: it may be chance."

    @property
    def of(self) -> str:
        return f"of {self.group.work.problem}, {self.group.work.scalar}, {self.group.ranks} ranks"

    def where(self, beside: Deepest | None = None) -> str:
        """Without what is the same of another one that stands beside it."""
        cells_there = f"on {shape(self.group.work.size)} cells"
        return cells_there if beside and beside.of == self.of else f"{cells_there} {self.of}"


def deepest(group: Group) -> Deepest | None:
    if (best := fastest(group.points)) is None:
        return None
    alike = (point for point in group.points if point.deck["halo.depth"] == 1 and version_of(point) == version_of(best)
             and point.deck.get("stencil.fused_steps") == best.deck.get("stencil.fused_steps"))
    return Deepest(group, best, next(alike, None))


def halo_depth(points: Sequence[Point]) -> Answer | None:
    """The best point of the largest grid; and where depth is worth most, if that is another grid."""
    found = list(filter(None, map(deepest, sweeps(points))))
    if not found:
        return None
    largest = found[0]
    where, more = largest.where(), most_worth(found)
    if largest.depth == 1:
        return Answer("depth 1", None, f"No depth beyond 1 pays, {where}: {largest.version} is the fastest.{more}")
    if largest.gain is None:
        return Answer(f"depth {largest.depth}", None, f"{largest.version} is the fastest {where}; depth 1 was not "
                                                      f"measured.{more}")
    of_all = ", the largest grid" if any(cells(one.group.work) < cells(largest.group.work) for one in found) else ""
    return Answer(f"depth {largest.depth}", largest.gain,
                  f"With {largest.version}, depth {largest.depth} is {times(largest.gain)} times as fast as depth 1, "
                  f"{where}{of_all}.{largest.doubt}{more}")


def most_worth(found: Sequence[Deepest]) -> str:
    """Of the largest grid and all others: nothing where the largest one gains most."""
    most = max(found, key=lambda one: one.gain or 1.0)
    if most is found[0] or most.gain is None or most.gain <= 1:
        return ""
    return (f" It is worth most {most.where(beside=found[0])}: depth {most.depth} is {times(most.gain)} times as fast "
            f"there, with {most.version}.{most.doubt}")


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

