# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the report is made of: decks, runs, sections with exhibits and claims, questions with answers."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence

from haloheap_results.load import Point, Results
from haloheap_results.report.charts import Chart


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


@dataclasses.dataclass(frozen=True)
class Deck:
    """A deck of the small set: each measures a part of the report. `settings` go behind its name."""

    name: str
    ranks: int = 1
    settings: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"input/{self.name}.toml"

    def command(self) -> str:
        ranks = "" if self.ranks == 4 else f"HALOHEAP_RANKS={self.ranks} "
        return " ".join([f"{ranks}scripts/run {self.file}", *self.settings])


# Threads that wait for each other must run at once: four of them can everywhere.
ONE_A_THREAD = ("collectives.blocks=1", "collectives.threads=4", "allocator.pool=0.125", "run.repetitions=5")

# All that scripts/papers runs, in this order.
DECKS = {deck.name: deck for deck in (
    Deck("thesis", ranks=4),
    Deck("bench_halo", ranks=4, settings=("grid.size=[2048,2048]", "grid.steps=192")),
    Deck("malloc_sweep", settings=("run.verify=true",)),
    Deck("allocation", settings=(
        'allocator.name=["native","block_header_over_native","block_table_over_native","warp_header_over_native",'
        '"warp_table_over_native","slab_walk"]',
        'allocation.work=["linear","quadratic"]', "allocation.floats=[100,200,300,400]")),
    Deck("collectives", settings=ONE_A_THREAD),
    Deck("alltoall", settings=ONE_A_THREAD),
    Deck("atomics"),
    Deck("page_steps"),
    Deck("getpage"),
    Deck("hash_join"),
    Deck("transfer"),
    Deck("transfer_sizes"),
    Deck("transfer_streams"),
    Deck("vector_add"),
    Deck("table1", settings=("run.repetitions=3",)),
    Deck("figure6"),
    Deck("figure7"),
)}


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
    """What a paper says; `judge` looks at the points of one run."""

    text: str
    deck: str
    judge: Callable[[Sequence[Point]], Finding]
    on_host: str = ""
    """What is to be known where kernels run on the host."""
    command: str = ""
    """What measures it, if that is not the deck alone."""

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
class Section:
    key: str
    title: str
    source: str
    """The paper's key and title; empty where it is none of the five."""
    summary: str
    exhibits: Sequence[Exhibit]
    claims: Sequence[Claim]


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
