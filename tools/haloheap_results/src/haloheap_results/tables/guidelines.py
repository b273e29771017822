# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Judges the seven guidelines of [Bhimani2016] (section VIII) by the results of problem transfer or vector_add, as a
Markdown table or plain text.

Times are total_median_us. A memory is recommended rightly when its best time, over all schedules and streams, is at
most 5 % above the best of the three memories of [Bhimani2016] (pageable, pinned, managed) at that bound and size.

1. Compute bound: managed is recommended rightly.
2. Communication bound: pinned is at the smallest size measured, and pageable at the largest; it takes two sizes.
3. Balanced: the worst of the three memories is at most 10 % above the best, with schedule none, as
   [Bhimani2016] measured it.
4. Pinned: at every bound and with both schedules, the best over numbers of streams above 1 is faster than schedule
   none.
5. Pageable: at some bound and some number of streams above 1, the two schedules differ by more than 10 %.
6. Managed: at every bound, no schedule with more than one stream is faster than schedule none.
7. Newer bus: communication bound, schedule none, the largest size of both files: the older machine's time / that here
   is at least 1.5 for pageable and managed, and less for pinned. The kernel's time, which pinned memory shows, is not
   counted where both files have it: each machine's kernel is fitted to its own link.

All but 2 and 7 are judged at the largest size. One counterexample decides (of 5: one example); where none is found
but some of the times are missing, it is not measured. vector_add is communication bound.
"""

from __future__ import annotations

import collections
import dataclasses
import math
import textwrap
from collections.abc import Callable, Iterable, Sequence

from haloheap_results.labels import size_text
from haloheap_results.load import Results
from haloheap_results.tables import markdown
from haloheap_results.tables.markdown import Grid
from haloheap_results.transfers import BOUNDS, NONE, SCHEDULES, Run, RunGroup, groups_of, total_of

PAGEABLE, PINNED, MANAGED = MEMORIES = ("pageable", "pinned", "managed")
STREAMED = SCHEDULES[1:]
COMMUNICATION, BALANCED, COMPUTE = BOUNDS
RIGHTLY = 1.05  # of the best time, for a memory that is recommended
ALIKE = 1.10  # of the best time, for what is said not to matter
GAIN = 1.5  # of a newer bus
KERNEL = {COMMUNICATION: 0.1, BALANCED: 1.0, COMPUTE: 10.0}
"""How long the kernel takes over the copies of pinned memory, by bound."""
VERDICTS = {True: "holds here", False: "does not hold here", None: "not measured"}
HEADS = ("#", "guideline", "verdict", "times [us] (schedule, streams)", "rule")
WIDTH = 100  # of plain text

Truth = bool | None
"""None: not measured."""


@dataclasses.dataclass(frozen=True)
class Finding:
    """`text`: the numbers that say so, of this bound if it names one."""

    truth: Truth
    text: str
    bound: str = ""


# ------------------------------------------------------------------------------------------------- judgement


Rule = Callable[[Iterable[Truth]], Truth]


def every(found: Iterable[Truth]) -> Truth:
    """Of all: one False decides, else one None."""
    truths = list(found)
    return False if False in truths else None if None in truths or not truths else True


def some(truths: Iterable[Truth]) -> Truth:
    """Of any: one True decides, else one None."""
    opposite = every(None if truth is None else not truth for truth in truths)
    return None if opposite is None else not opposite


def together(rule: Rule, found: Iterable[Finding]) -> Finding:
    """What is said of several bounds is said once."""
    findings = list(found)
    bounds: dict[str, list[str]] = collections.defaultdict(list)
    for finding in findings:
        bounds[finding.text] += [finding.bound] if finding.bound else []
    texts = (f"{', '.join(of)}: {text}" if of else text for text, of in bounds.items())
    return Finding(rule(finding.truth for finding in findings), "; ".join(texts))


class Measured:
    """The runs of a group that have a time, and one of the bounds of [Bhimani2016]."""

    def __init__(self, group: RunGroup) -> None:
        self.problem, self.title = group.problem, group.title()
        self.bounds: Sequence[str] = BOUNDS if self.problem == "transfer" else (COMMUNICATION,)
        self.runs = [run for run in group.runs if run.total and run.bound in self.bounds]

    def sizes(self, bound: str | None = None) -> list[float]:
        return sorted({run.bytes for run in self.runs if bound in (None, run.bound)})

    def of(self, bound: str, size: float, modes: Sequence[str] | None = None,
           schedules: Sequence[str] | None = None) -> list[Run]:
        return [run for run in self.runs if (run.bound, run.bytes) == (bound, size)
                and (modes is None or run.mode in modes) and (schedules is None or run.schedule in schedules)]

    def best(self, bound: str, size: float, modes: Sequence[str] | None = None,
             schedules: Sequence[str] | None = None) -> Run | None:
        """The fastest run, None where there is none."""
        return min(self.of(bound, size, modes, schedules), key=total_of, default=None)

    def best_with_streams(self, bound: str, size: float, mode: str, schedule: str) -> Run | None:
        runs = self.of(bound, size, [mode], [schedule])
        return min((run for run in runs if run.streams > 1), key=total_of, default=None)


def number(value: float, digits: int = 3) -> str:
    """Without an exponent."""
    return f"{float(f'{value:.{digits}g}'):.10g}"


def with_version(run: Run) -> str:
    """'67.3 (depth_first, 4)'"""
    return number(total_of(run)) + ("" if run.schedule == NONE else f" ({run.schedule}, {run.streams:g})")


def ratio_to_best(measured: Measured, mode: str, bound: str, size: float,
                  schedules: Sequence[str] | None = None) -> tuple[float, Run, Run] | None:
    """(ratio of the mode's best time to that of the three, the mode's run, the best of the other two); or None."""
    own = measured.best(bound, size, [mode], schedules)
    other = measured.best(bound, size, [memory for memory in MEMORIES if memory != mode], schedules)
    if own is None or other is None:
        return None
    return total_of(own) / min(total_of(own), total_of(other)), own, other


def recommended(measured: Measured, mode: str, bound: str, size: float) -> Finding:
    found = ratio_to_best(measured, mode, bound, size)
    if found is None:
        return Finding(None, f"{size_text(size)}: no {mode} beside another")
    ratio, own, other = found
    complete = all(measured.of(bound, size, [memory]) for memory in MEMORIES)
    truth = False if ratio > RIGHTLY else True if complete else None
    text = f"{size_text(size)}: {mode} {with_version(own)}, {other.mode} {with_version(other)}"
    text += f": {ratio:.2f}" if ratio > 1 else ": the best"
    alone = ratio_to_best(measured, mode, bound, size, [NONE])
    # [Bhimani2016] found these without streams: a reader is to see where that would be another verdict.
    if bound != COMPUTE and alone and (alone[0] > RIGHTLY) != (ratio > RIGHTLY):
        text += f" (schedule none alone: {alone[0]:.2f})"
    absent = [memory for memory in MEMORIES if not measured.of(bound, size, [memory])]
    return Finding(truth, text + (f"; no {', '.join(absent)}" if absent else ""))


def paid_back(measured: Measured, size: float) -> str:
    """After how many runs faster transfers make up for what allocating pinned memory takes longer; '' if unknown."""
    pageable, pinned = (measured.best(COMMUNICATION, size, [mode]) for mode in (PAGEABLE, PINNED))
    if pageable is None or pinned is None:
        return ""
    costs = [run.figures.get("allocate_us") for run in (pageable, pinned)]
    if costs[0] is None or costs[1] is None:
        return ""
    extra, saved = costs[1] - costs[0], total_of(pageable) - total_of(pinned)
    text = f"{size_text(size)}: allocating pinned takes {number(abs(extra))} us {'more' if extra > 0 else 'less'}"
    if extra <= 0:
        return text
    if saved <= 0:
        return f"{text}, never paid back"
    runs = math.ceil(extra / saved)
    return f"{text}, paid back after {runs} run{'s' if runs > 1 else ''}"


def compute_bound(measured: Measured, size: float) -> Finding:
    if COMPUTE not in measured.bounds:
        return Finding(None, f"{measured.problem} is communication bound")
    found = recommended(measured, MANAGED, COMPUTE, size)
    alone = ratio_to_best(measured, MANAGED, COMPUTE, size, [NONE])
    if alone is None:
        return Finding(found.truth, f"{found.text}; without streams: not measured")
    ratio, own, other = alone
    # [Bhimani2016] found it without streams, and recommends them elsewhere: a reader is to see both.
    return Finding(found.truth, f"{found.text}; without streams: {own.mode} {number(total_of(own))}, {other.mode} "
                                f"{number(total_of(other))}: {ratio:.2f}, so that it "
                                f"{VERDICTS[ratio <= RIGHTLY]}")


def communication_bound(measured: Measured, _: float) -> Finding:
    sizes = measured.sizes(COMMUNICATION)
    ends = sorted({*sizes[:1], *sizes[-1:]})
    if len(ends) == 2:
        finding = together(every, [recommended(measured, PINNED, COMMUNICATION, ends[0]),
                                   recommended(measured, PAGEABLE, COMMUNICATION, ends[1])])
    else:
        finding = Finding(None, "one size alone" if ends else "no such times")
    costs = filter(None, (paid_back(measured, size) for size in ends))
    return Finding(finding.truth, "; ".join([finding.text, *costs]))


def balanced(measured: Measured, size: float) -> Finding:
    if BALANCED not in measured.bounds:
        return Finding(None, f"{measured.problem} is communication bound")
    runs = [measured.best(BALANCED, size, [mode], [NONE]) for mode in MEMORIES]
    there = [run for run in runs if run]
    if len(there) < 2:
        return Finding(None, "no two memories with schedule none")
    times = [total_of(run) for run in there]
    ratio = max(times) / min(times)
    text = ", ".join(f"{run.mode} {number(total_of(run))}" for run in there) + f": {ratio:.2f}"
    return Finding(False if ratio > ALIKE else True if len(there) == len(MEMORIES) else None, text)


def with_streams(measured: Measured, size: float, bound: str, mode: str,
                 good: Callable[[float, float], bool]) -> Finding:
    """Schedule none against the best of either schedule; `good(streamed, alone)`: what is claimed of their times."""
    alone = measured.best(bound, size, [mode], [NONE])
    streamed = [measured.best_with_streams(bound, size, mode, schedule) for schedule in STREAMED]
    if alone is None or not any(streamed):
        return Finding(None, f"no {mode} with and without streams", bound)
    truth = every(None if run is None else good(total_of(run), total_of(alone)) for run in streamed)
    # One digit more: here the least difference counts.
    cells = [f"{number(total_of(run), 4)} ({run.streams:g})" if run else "-" for run in streamed]
    return Finding(truth, f"{number(total_of(alone), 4)} -> {' / '.join(cells)}", bound)


def pinned_streams(measured: Measured, size: float) -> Finding:
    return together(every, (with_streams(measured, size, bound, PINNED, lambda streamed, alone: streamed < alone)
                            for bound in measured.bounds))


def managed_streams(measured: Measured, size: float) -> Finding:
    return together(every, (with_streams(measured, size, bound, MANAGED, lambda streamed, alone: streamed >= alone)
                            for bound in measured.bounds))


def schedules_of(measured: Measured, size: float, bound: str) -> Finding:
    """Where they differ most."""
    times: dict[float, dict[str, float]] = collections.defaultdict(dict)
    for run in measured.of(bound, size, [PAGEABLE], STREAMED):
        if run.streams > 1:
            times[run.streams][run.schedule] = total_of(run)
    pairs = {streams: [of[schedule] for schedule in STREAMED] for streams, of in times.items()
             if len(of) == len(STREAMED)}
    if not pairs:
        return Finding(None, f"no {PAGEABLE} with both schedules", bound)
    streams, pair = max(pairs.items(), key=lambda item: max(item[1]) / min(item[1]))
    ratio = max(pair) / min(pair)
    return Finding(ratio > ALIKE, f"{' / '.join(map(number, pair))} ({streams:g}): {ratio:.2f}", bound)


def pageable_schedules(measured: Measured, size: float) -> Finding:
    return together(some, (schedules_of(measured, size, bound) for bound in measured.bounds))


def newer_bus(measured: Measured, older: Measured | None) -> Finding:
    if older is None:
        return Finding(None, "no older machine (--older)")
    sizes = set(measured.sizes(COMMUNICATION)) & set(older.sizes(COMMUNICATION))
    if not sizes:
        return Finding(None, "no size that both machines have")
    found = together(every, (gain(measured, older, mode, max(sizes)) for mode in MEMORIES))
    of_deck = any(run.emulated for each in (measured, older) for run in each.runs)
    told = ", an emulated bus: what the rates in the decks say, not measured" if of_deck else ""
    return Finding(found.truth, f"{size_text(max(sizes))}: {found.text}{told}")


def gain(measured: Measured, older: Measured, mode: str, size: float) -> Finding:
    pair = transfers_alone(measured, older, mode, size)
    if pair is None:
        runs = [of.best(COMMUNICATION, size, [mode], [NONE]) for of in (older, measured)]
        if runs[0] is None or runs[1] is None:
            return Finding(None, f"no {mode}")
        pair = total_of(runs[0]), total_of(runs[1])
    times = pair[0] / pair[1]
    return Finding(times < GAIN if mode == PINNED else times >= GAIN,
                   f"{mode} {number(pair[0])} -> {number(pair[1])}: {times:.2f}")


def transfers_alone(measured: Measured, older: Measured, mode: str, size: float) -> tuple[float, float] | None:
    """Microseconds there and here of a run without its kernel; None where one of the times is missing.

    Pinned memory shows what the kernel takes: with managed memory it waits for pages, too.
    """
    found = []
    for of in (older, measured):
        run, pinned = (of.best(COMMUNICATION, size, [memory], [NONE]) for memory in (mode, PINNED))
        kernel = pinned.figure("kernel_us") if pinned else None
        if run is None or kernel is None or total_of(run) <= kernel:
            return None
        found.append(total_of(run) - kernel)
    return found[0], found[1]


def two_buses(measured: Measured, older: Measured) -> Grid | None:
    """Table III of [Bhimani2016] at all three bounds; None where no size has all times of pinned memory."""
    sizes = set(measured.sizes(COMMUNICATION)) & set(older.sizes(COMMUNICATION))
    pinned = transfers_alone(measured, older, PINNED, max(sizes)) if sizes else None
    if pinned is None:
        return None
    rows = []
    for memory in MEMORIES:
        pair = transfers_alone(measured, older, memory, max(sizes))
        kernels = [0.0, *(KERNEL[bound] * pinned[1] for bound in BOUNDS)]
        rows.append([memory, ITS_SIGNS[memory],
                     *("-" if pair is None else beside(pair[0] + kernel, pair[1] + kernel) for kernel in kernels)])
    factors = [f"{KERNEL[bound]:g}" for bound in BOUNDS]
    note = ("Older -> newer bus [us]. The sign of [Bhimani2016] is the same at each bound. Ours: the newer bus takes "
            f"less (<), more (>), or within {100 * (ALIKE - 1):.0f} % as long (~). The transfers were run where "
            f"communication bounds; a kernel that takes {', '.join(factors[:-1])} and {factors[-1]} times as long as "
            "the transfers of pinned memory by the newer bus, the same on both, is added by calculation.")
    return Grid(f"Table III of [Bhimani2016], two buses, {size_text(max(sizes))}",
                ["memory", "[Bhimani2016]", "transfers alone", *BOUNDS], rows, note, numbers_from=len(BOUNDS) + 3)


ITS_SIGNS = {PAGEABLE: "V.3 < V.2", PINNED: "V.3 ~ V.2", MANAGED: "V.3 < V.2"}


def beside(older: float, newer: float) -> str:
    times = older / newer
    sign = "<" if times > ALIKE else ">" if times < 1 / ALIKE else "~"
    return f"{sign} {number(older)} -> {number(newer)}: {times:.2f}"


# The guideline of [Bhimani2016], how it is judged, and the rule.
GUIDELINES = [
    ("compute bound: take managed memory", compute_bound, "managed at most 5 % above the best of the three memories"),
    ("communication bound: pinned memory for small arrays, pageable for large", communication_bound,
     "pinned at the smallest size and pageable at the largest at most 5 % above the best of the three"),
    ("balanced: any memory will do", balanced, "worst of the three at most 10 % above the best, schedule none"),
    ("pinned: use streams, whatever the bound and schedule", pinned_streams,
     "none -> depth_first / breadth_first (streams): the best of both is faster than none, at every bound"),
    ("pageable: it depends on the schedule", pageable_schedules,
     "depth_first / breadth_first (streams): more than 10 % apart somewhere"),
    ("managed: do not use streams", managed_streams,
     "none -> depth_first / breadth_first (streams): the best of neither is faster than none, at any bound"),
]
NEWER_BUS = ("newer bus: worth it for managed and pageable memory",
             "communication bound, none, without the kernel, older -> here: pageable and managed gain 1.5 at least, "
             "pinned less")


def judged(measured: Measured, older: Measured | None) -> list[tuple[str, Finding, str]]:
    """[(guideline, finding, rule)]"""
    size = measured.sizes()[-1]
    rows = [(guideline, judge(measured, size), rule) for guideline, judge, rule in GUIDELINES]
    return [*rows, (NEWER_BUS[0], newer_bus(measured, older), NEWER_BUS[1])]


# ---------------------------------------------------------------------------------------------------- output


@dataclasses.dataclass(frozen=True)
class Verdicts:
    """Of one problem and one value of the other keys that vary; older runs of the same stand beside."""

    measured: Measured
    older: Measured | None
    machine: str
    older_machine: str

    def introduction(self) -> list[str]:
        sizes = self.measured.sizes()
        judged_at = f"Judged at {size_text(sizes[-1])}" + (f", the largest of {len(sizes)} sizes" if sizes[1:] else "")
        lines = [f"This run: {self.machine}. {judged_at}."]
        if self.older:
            lines.append(f"Older: {self.older_machine}.")
        lines += emulated_note("This run", self.measured)
        return lines + (emulated_note("Older", self.older) if self.older else [])

    def markdown(self) -> str:
        rows = [[str(place), guideline, VERDICTS[finding.truth], finding.text, rule]
                for place, (guideline, finding, rule) in enumerate(judged(self.measured, self.older), 1)]
        table = markdown.table(HEADS, rows, numbers_from=len(HEADS))
        buses = self.buses()
        return "\n\n".join([f"### {self.measured.title}", "\n".join(self.introduction()), table,
                            good_choices(self.measured), best_versions(self.measured)]) + "\n" + (
                                f"\n{buses.markdown()}" if buses else "")

    def buses(self) -> Grid | None:
        return two_buses(self.measured, self.older) if self.older else None

    def plain(self) -> str:
        parts = [self.measured.title, "\n".join(map(wrapped, self.introduction()))]
        for place, (guideline, finding, rule) in enumerate(judged(self.measured, self.older), 1):
            parts.append("\n".join([f"{place}. {guideline}: {VERDICTS[finding.truth]}", wrapped(finding.text, "   "),
                                    wrapped(f"Rule: {rule}.", "   ")]))
        parts += map(wrapped, (good_choices(self.measured), best_versions(self.measured)))
        if buses := self.buses():
            parts.append(buses.title)
            for memory, *cells in buses.rows:
                parts.append("\n".join([memory, *(f"   {head}: {cell}" for head, cell in zip(buses.heads[1:], cells))]))
            parts.append(wrapped(buses.note))
        return "\n\n".join(parts) + "\n"


def wrapped(text: str, indent: str = "") -> str:
    return textwrap.fill(text, WIDTH, initial_indent=indent, subsequent_indent=indent)


def good_choices(measured: Measured) -> str:
    """One line: the worst of the versions of [Bhimani2016] over the best, at each bound and in all."""
    size, parts = measured.sizes()[-1], []
    for bound in measured.bounds:
        versions = measured.of(bound, size, MEMORIES)
        if len(versions) < 2:
            parts.append(f"{bound}: not measured")
            continue
        best, worst = min(versions, key=total_of), max(versions, key=total_of)
        parts.append(f"{bound}: {worst.mode} {with_version(worst)} over {best.mode} {with_version(best)}: "
                     f"{total_of(worst) / total_of(best):.2f} of {len(versions)}")
    return ("Worst over best of the versions of [Bhimani2016], which says that good choices alone give 2.6 [us], "
            f"{'; '.join([size_text(size), *parts])}.")


def best_versions(measured: Measured) -> str:
    """One line: the versions of [Bhimani2016] against all modes."""
    size, parts = measured.sizes()[-1], []
    for bound in measured.bounds:
        papers, best = measured.best(bound, size, MEMORIES), measured.best(bound, size)
        if papers is None or best is None:
            parts.append(f"{bound}: not measured")
        elif total_of(best) == total_of(papers):
            parts.append(f"{bound}: {papers.mode} {with_version(papers)}, best of all")
        else:
            ratio = f"{total_of(papers) / total_of(best):.2f}"
            parts.append(f"{bound}: {papers.mode} {with_version(papers)}, {best.mode} {with_version(best)}: {ratio}")
    others = {run.mode for run in measured.runs} - set(MEMORIES)
    note = "" if others else "; no other modes in the file"
    text = "; ".join([size_text(size), *parts])
    return f"Best of the versions of [Bhimani2016] against the best of all modes [us], {text}{note}."


def emulated_note(name: str, measured: Measured) -> list[str]:
    emulated = [run.emulated for run in measured.runs]
    if not any(emulated):
        return []
    where = "" if all(emulated) else " at some points"
    return [f"{name}: the link is emulated{where}; its times follow from section link of the deck, they are not "
            "measured."]


def measured_of(results: Results) -> list[Measured]:
    """What can be judged."""
    return [measured for measured in map(Measured, groups_of(results)) if measured.runs]


def verdicts(results: Results, older: Results | None = None) -> list[Verdicts]:
    """One for each problem and each value of the other keys that vary; none where the results have no such points."""
    # An older run stands beside what has the same problem and the same other keys.
    of_older = {measured.title: measured for measured in measured_of(older)} if older else {}
    return [Verdicts(measured, of_older.get(measured.title), results.machine(), older.machine() if older else "")
            for measured in measured_of(results)]
