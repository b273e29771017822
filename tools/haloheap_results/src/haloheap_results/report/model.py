# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the report is made of: runs, sections with exhibits and claims, questions with answers."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence

from haloheap_results.load import Point, Results
from haloheap_results.report.charts import Chart
from haloheap_results.report.decks import DECKS
from haloheap_results.tables.markdown import Grid


class Verdict(enum.Enum):
    """Of a claim, in words."""

    HOLDS = "holds"
    LESS = "less than claimed"
    """Right in its direction, not in its size."""
    FAILS = "does not hold"
    OPEN = "not measured"
    """Or with repetitions that are too far apart."""

    @staticmethod
    def of(truth: bool | None) -> Verdict:
        return Verdict.OPEN if truth is None else Verdict.HOLDS if truth else Verdict.FAILS


# Keys of decks that have other values than in the reference results, as they changed since or took too long: to be
# emptied when they are taken anew.
STALE = {
    "gpu/thesis_h200": ("run.repetitions",),
}


@dataclasses.dataclass(frozen=True)
class Run:
    """A result file. `number` is what the report calls it by."""

    number: int
    path: str
    results: Results
    reference: bool = False
    """Shipped with the package, to stand beside what was measured here."""

    @property
    def points(self) -> list[Point]:
        return self.results.points

    @property
    def name(self) -> str:
        return f"reference run {self.number}" if self.reference else f"run {self.number}"

    @property
    def key(self) -> str:
        return self.name.replace(" ", "-")


@dataclasses.dataclass(frozen=True)
class Finding:
    """`text`: the numbers that say so, and why."""

    verdict: Verdict
    text: str = ""

    @staticmethod
    def of(truth: bool | None, text: str) -> Finding:
        """Of a claim that has no size."""
        return Finding(Verdict.of(truth), text)


NOTHING = Finding(Verdict.OPEN)


@dataclasses.dataclass(frozen=True)
class Claim:
    """What a paper says; `judge` looks at the points of one run.

    `key`: by what a link to it and docs/papers.md, where its state follows from the verdict, know it.
    """

    key: str
    text: str
    deck: str
    judge: Callable[[Sequence[Point]], Finding]
    on_host: str = ""
    """What is to be known where kernels run on the host."""
    command: str = ""
    """What measures it, if that is not the deck alone."""
    because: str = ""
    """Why it holds less or not on the GPUs that it was measured on; docs/papers.md quotes it."""
    undecided: str = ""
    """Why the GPUs that it was measured on decide nothing; docs/papers.md quotes it, too."""
    because_on_host: str = ""
    """Why it holds less or not where kernels run on the host, in the place of both."""
    together: Callable[[Sequence[Run]], tuple[Run, Finding] | None] | None = None
    """In the place of `judge`, of a claim that takes several runs; the run is the one to be named."""

    @property
    def anchor(self) -> str:
        return f"claim-{self.key}"

    def explained(self, finding: Finding, on_host: bool) -> str:
        """What a host does not decide has its reason in the finding: repetitions or threads."""
        if finding.verdict is Verdict.HOLDS:
            return ""
        if on_host:
            return "" if finding.verdict is Verdict.OPEN else self.because_on_host
        return self.undecided if finding.verdict is Verdict.OPEN else self.because

    def how(self) -> str:
        return self.command or DECKS[self.deck].command()


@dataclasses.dataclass(frozen=True)
class Exhibit:
    """A figure or table of a paper with ours beside it, drawn alike."""

    key: str
    title: str
    deck: str
    drawn: Callable[[Run], Sequence[Chart]]
    """Ours, of one run; nothing where it has no such points."""
    published: Callable[[Sequence[Run]], Sequence[Chart]] = lambda runs: ()
    """What the paper measured: as far as the runs have the same sizes."""
    unpublished: str = ""
    """Why there is nothing of the paper to draw."""
    once: bool = False
    """Of one run only, that of its deck if it is there: others measure the same with other sizes."""


@dataclasses.dataclass(frozen=True)
class Listing:
    """Tables without a chart, which a reader opens."""

    key: str
    title: str
    deck: str
    listed: Callable[[Sequence[Run]], Sequence[tuple[Grid, Run | None]]]
    """Of the runs, those of the reference among them; a run where a table is of one."""


@dataclasses.dataclass(frozen=True)
class Section:
    key: str
    title: str
    source: str
    """The paper's key and title; empty where it is none of the five."""
    summary: str
    exhibits: Sequence[Exhibit]
    claims: Sequence[Claim]
    listings: Sequence[Listing] = ()


@dataclasses.dataclass(frozen=True)
class Answer:
    """`choice` is `factor` times as fast as what `sentence` names; None where there is none to tell."""

    choice: str
    factor: float | None
    sentence: str
    rank: int = 0
    """Of answers of several runs the one with the least counts."""
    exhibit: str = ""
    """Where the evidence is, if it is not where the question says."""


@dataclasses.dataclass(frozen=True)
class Question:
    """`exhibit`: the chart that has the evidence."""

    text: str
    deck: str
    exhibit: str
    answer: Callable[[Sequence[Point]], Answer | None]
