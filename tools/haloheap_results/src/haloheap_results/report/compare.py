# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Two machines or two versions side by side: points of the same deck, what became slower first."""

from __future__ import annotations

import collections
import dataclasses
import json
from collections.abc import Iterable, Iterator, Sequence

from haloheap_results.group import row_labels
from haloheap_results.load import BadInput, Point, what_counts
from haloheap_results.report.charts import Chart, Panel, Series, digits
from haloheap_results.report.html import element, join, table, text
from haloheap_results.report.model import Run
from haloheap_results.report.numbers import geometric_mean, times
from haloheap_results.report.page import Page, Parts, machine_of, provenance_of, stamps

NOTICED = 1.05
"""Times closer than this count as the same."""
HOW_MEASURED = ("run.repetitions", "run.warmup", "run.verify")
"""Keys that change what is known of a time, not the time."""
SLOWER, FASTER, SAME = "slower", "faster", "same"


@dataclasses.dataclass(frozen=True)
class Time:
    """Seconds, and what its repetitions ranged over."""

    value: float
    low: float
    high: float


@dataclasses.dataclass(frozen=True)
class Row:
    problem: str
    label: str
    quantity: str
    before: Time
    after: Time

    @property
    def ratio(self) -> float:
        return self.after.value / self.before.value

    def verdict(self) -> str:
        """Slower or faster only where the repetitions of both do not overlap."""
        if self.ratio > NOTICED and self.after.low > self.before.high:
            return SLOWER
        if self.ratio < 1 / NOTICED and self.after.high < self.before.low:
            return FASTER
        return SAME


def times_of(point: Point) -> Iterator[tuple[str, Time]]:
    """All times that a user would notice: of the run, and of what its problem measured with a fastest repetition."""
    wall = point.wall
    if wall.median and wall.median > 0:
        yield "wall time", Time(wall.median, wall.minimum or wall.median, wall.maximum or wall.median)
    for name, value in (point.figures or {}).items():
        if name.endswith("_median_us") and value:
            least = point.figure(name.replace("_median_us", "_minimum_us"))
            yield name.removesuffix("_median_us"), Time(1e-6 * value, 1e-6 * (least or value), 1e-6 * value)


def key_of(point: Point, known: frozenset[str]) -> str:
    """Of what was computed: keys that only one of two versions has do not tell points apart."""
    deck = {key: value for key, value in what_counts(point.deck, *HOW_MEASURED).items() if key in known}
    return json.dumps([point.work.problem, point.work.size, point.ranks, deck], sort_keys=True)


def keys_of(points: Iterable[Point]) -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = collections.defaultdict(set)
    for point in points:
        found[point.work.problem] |= set(point.deck)
    return {problem: frozenset(keys) for problem, keys in found.items()}


def rows_of(before: Sequence[Point], after: Sequence[Point]) -> list[Row]:
    """What became slower first."""
    ours, theirs = keys_of(before), keys_of(after)
    known = {problem: ours[problem] & theirs[problem] for problem in ours if problem in theirs}
    earlier = {key_of(point, known[point.work.problem]): point for point in before if point.work.problem in known}
    pairs = [(earlier[key], point) for point in after if point.work.problem in known
             and (key := key_of(point, known[point.work.problem])) in earlier]
    labels = row_labels([point for _, point in pairs]) if pairs else []
    rows = []
    for (old, new), label in zip(pairs, labels):
        old_times = dict(times_of(old))
        told = ", ".join(part for part in label.split("\n") if not part.startswith("problem = "))
        rows += [Row(new.work.problem, told, name, old_times[name], time)
                 for name, time in times_of(new) if name in old_times]
    order = {SLOWER: 0, SAME: 1, FASTER: 2}
    return sorted(rows, key=lambda row: (order[row.verdict()], -row.ratio))


def chart_of(rows: Sequence[Row]) -> Chart:
    by_problem: dict[str, list[float]] = collections.defaultdict(list)
    for row in rows:
        by_problem[row.problem].append(row.ratio)
    problems = sorted(by_problem, key=lambda problem: -geometric_mean(by_problem[problem]))
    series = Series("time of B / time of A", problems, [geometric_mean(by_problem[problem]) for problem in problems],
                    [min(by_problem[problem]) for problem in problems],
                    [max(by_problem[problem]) for problem in problems])
    return Chart("Times of B over those of A", "problem", "time of B / time of A", [Panel("", [series])],
                 "geometric means over all points; ranges: from the smallest to the largest ratio; below 1 B is faster",
                 bars=True)


def report(before: Sequence[Run], after: Sequence[Run]) -> Parts:
    runs = [*before, *(dataclasses.replace(run, number=len(before) + run.number) for run in after)]
    rows = rows_of([point for run in before for point in run.points], [point for run in after for point in run.points])
    if not rows:
        raise BadInput("the two have no point in common: compare runs of the same decks on as many ranks")
    page = Page(runs, [])
    counts = collections.Counter(row.verdict() for row in rows)
    summary = (f"{len(rows)} times in common: {counts[SLOWER]} slower in B, {counts[FASTER]} faster, {counts[SAME]} "
               f"the same (within {100 * (NOTICED - 1):.0f} %, or within the ranges of the repetitions); geometric "
               f"mean of B over A {times(geometric_mean(row.ratio for row in rows))}.")
    sides = join(element("p", element("strong", text(f"{name}: ")), *machine_of(of[0]), text(" "), *stamps(of))
                 for name, of in (("A", runs[: len(before)]), ("B", runs[len(before):])))
    kinds = {SLOWER: "fails", FASTER: "holds", SAME: "open"}
    cells = [[element("span", text(row.verdict()), class_=kinds[row.verdict()]),
              text(row.problem), text(row.label), text(row.quantity), text(digits(1e3 * row.before.value)),
              text(digits(1e3 * row.after.value)), text(times(row.ratio))] for row in rows]
    heads = ["B is", "problem", "point", "time", "A [ms]", "B [ms]", "B / A"]
    body = join([
        element("header", element("h1", text("haloheap: A against B")), sides, element("p", text(summary))),
        element("div", page.card("A and B", chart_of(rows), None), class_="pair"),
        element("h2", text("All times, what became slower first")),
        element("div", table(heads, cells, 4), class_="scroll"),
        element("section", element("h2", text("Where the numbers come from")), *(provenance_of(run) for run in runs),
                id="provenance"),
    ])
    return Parts("haloheap: A against B", body, page.charts)
