# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the report is made of: decks, runs, sections with exhibits and claims, questions with answers."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Callable, Sequence

from haloheap_results.load import Point, Results
from haloheap_results.report.charts import Chart
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


VARIES, FIXED = "varies", "fixed"
# Files in input/ that several decks are made from, and what they are made different by.
SHARED = {"malloc_sweep": {"allocator.name": VARIES, "malloc.threads": VARIES, "malloc.size": VARIES,
                           "malloc.pattern": "allocate_free"}}


@dataclasses.dataclass(frozen=True)
class Deck:
    """A deck of the small set: each measures a part of the report. `settings` go behind its name."""

    name: str
    ranks: int = 1
    settings: tuple[str, ...] = ()
    base: str = ""
    """The deck that the settings make another one of, if it is not of this name."""

    @property
    def source(self) -> str:
        return f"{self.base or self.name}.toml"

    @property
    def file(self) -> str:
        return f"input/{self.source}"

    @property
    def kinds(self) -> dict[str, str]:
        """Of the keys by which runs of one file are told apart: VARIES, the word that it has, or FIXED."""
        found = dict(SHARED.get(self.base or self.name, {}))
        for given in self.settings:
            key, _, value = given.partition("=")
            if not key.startswith("run."):
                found[key] = VARIES if value.startswith("[") else FIXED if value[:1].isdigit() else value
        return found

    def command(self) -> str:
        ranks = "" if self.ranks == 4 else f"HALOHEAP_RANKS={self.ranks} "
        return " ".join([f"{ranks}scripts/run {self.file}", *self.settings])


# Threads that wait for each other must run at once: four of them can everywhere.
ONE_A_THREAD = ("collectives.blocks=1", "collectives.threads=4", "allocator.pool=0.125", "run.repetitions=5")

# Sizes that fit the units of an allocator, and those that do not.
FILLED = "[8,16,24,32,48,64,96,128,192,256,384,512,1024,3000,8192]"
FEW_FILLED = "[16,24,64,96,256,384,1024,3000]"

# All that scripts/papers runs, in this order.
DECKS = {deck.name: deck for deck in (
    Deck("thesis", ranks=4),
    Deck("bench_halo", ranks=4, settings=("grid.size=[2048,2048]", "grid.steps=192")),
    Deck("malloc_sweep", settings=("run.verify=true",)),
    Deck("malloc_sizes", base="malloc_sweep", settings=(
        "malloc.threads=4096", "malloc.size=[4,8,16,32,64,128,256,512,1024,2048,4096,8192]", "run.verify=true")),
    Deck("malloc_mixed", base="malloc_sweep", settings=(
        "malloc.threads=4096", "malloc.size=4", "malloc.largest=[16,64,256,1024,4096,8192]", "run.verify=true")),
    Deck("malloc_fill", base="malloc_sweep", settings=(
        "malloc.pattern=fill", "malloc.threads=1024", f"malloc.size={FEW_FILLED}",
        'allocator.name=["rw_malloc","virtual_queues","slab_walk"]',
        "allocator.pool=0.015625", "run.repetitions=3", "run.verify=true")),
    Deck("malloc_units", base="malloc_sweep", settings=(
        "malloc.pattern=fill", "malloc.threads=1024", f"malloc.size={FEW_FILLED}", "allocator.name=rw_malloc",
        "allocator.page=[16,64,256]", "allocator.pool=0.015625", "run.repetitions=3", "run.verify=true")),
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
    Deck("transfer_pcie2"),
    Deck("transfer_pcie3"),
    Deck("vector_add"),
    Deck("table1", settings=("run.repetitions=3",)),
    Deck("figure6"),
    Deck("figure7"),
)}

# The device's own malloc takes seconds for 2^20 threads.
ALL_MALLOC = ("allocator.pool=8", "malloc.threads=1048576", "run.repetitions=3", "run.warmup=1")
HUNDRED = ("run.repetitions=100", "run.warmup=3")
# With CUDA's malloc each join of 10 M tuples takes seconds.
WITHOUT_NATIVE = ('allocator.name=["bump","page_queue","virtual_queues","random_walk","random_walk_bitmap",'
                  '"collaborative_random_walk","rw_malloc","slab_walk"]')

# The same as the papers have them, for GPUs: what stands in the heads of the decks.
DEVICE_DECKS = {deck.name: deck for deck in (
    Deck("thesis_h200", ranks=4),
    Deck("bench_halo", ranks=4),
    Deck("malloc_sweep", settings=("allocator.pool=8", "malloc.threads=[1024,4096,16384,65536,262144,1048576]",
                                   "malloc.size=[16,256,4096,8192]", "run.repetitions=3", "run.warmup=1")),
    Deck("malloc_sizes", base="malloc_sweep", settings=(
        *ALL_MALLOC, "malloc.size=[4,8,16,32,64,128,256,512,1024,2048,4096,8192]",
        'allocator.name=["rw_malloc","virtual_queues","slab_walk"]')),
    Deck("malloc_mixed", base="malloc_sweep", settings=(
        *ALL_MALLOC, "malloc.size=4", "malloc.largest=[16,64,256,1024,4096,8192]")),
    Deck("malloc_fill", base="malloc_sweep", settings=(
        "allocator.pool=8", "malloc.pattern=fill", "malloc.threads=65536", f"malloc.size={FILLED}",
        'allocator.name=["rw_malloc","virtual_queues","slab_walk"]')),
    Deck("malloc_units", base="malloc_sweep", settings=(
        "allocator.pool=8", "malloc.pattern=fill", "malloc.threads=65536", f"malloc.size={FILLED}",
        "allocator.name=rw_malloc", "allocator.page=[16,32,64,128,256,512]")),
    Deck("allocation", settings=(
        "allocator.pool=1", 'allocation.work=["linear","quadratic","strided","gather","transposed"]',
        "allocation.floats=[100,200,300,400]", "run.repetitions=20", "run.warmup=2")),
    Deck("collectives"),
    Deck("alltoall"),
    Deck("atomics", settings=(
        "atomics.threads=[32,256,1024,4096,16384,65536,131072,262144,524288]", "atomics.addresses=[1,32,0]",
        'atomics.operation=["add","exchange"]', "run.repetitions=20")),
    Deck("page_steps"),
    Deck("getpage", settings=("allocator.pool=0.875", "getpage.threads=[32,128,512,2048,8192,32768,131072,262144]",
                              "run.repetitions=10")),
    Deck("hash_join", settings=(
        "allocator.pool=8", "hash_join.tuples=[16384,65536,262144,1048576,4194304,10000000]", WITHOUT_NATIVE,
        "run.repetitions=10", "run.warmup=2")),
    Deck("transfer", settings=("transfer.bytes=[1638400,268435456]", "run.repetitions=20", "run.warmup=3")),
    Deck("transfer_sizes", settings=("run.repetitions=1000", "run.warmup=3")),
    Deck("transfer_streams", settings=(
        'transfer.schedule=["none","depth_first","breadth_first"]',
        "transfer.streams=[1,2,3,4,6,8,10,12,16,24,32,48,64]",
        *HUNDRED)),
    Deck("vector_add", settings=(
        "transfer.streams=[1,2,4,8,16,32,64]", "transfer.bytes=[65536,262144,1638400,8388608,67108864,268435456]",
        "run.repetitions=10", "run.warmup=2")),
    Deck("table1"),
    Deck("figure6_h200"),
    Deck("figure7_h200"),
)}

# Keys of decks that have other values than in the reference results, as they changed since or took too long: to be
# emptied when they are taken anew.
STALE = {
    "cpu/alltoall": ("allocator.name",),
    "cpu/collectives": ("allocator.name",),
    "cpu/hash_join": ("allocator.name",),
    "cpu/malloc_sweep": ("allocator.name",),
    "cpu/table1": ("coherence.policy", "lu.size"),
    "gpu/thesis_h200": ("run.repetitions",),
    "cpu/thesis": ("halo.corners", "halo.messages", "halo.packing", "stencil.redundant"),
}
# Decks whose times were not taken on a quiet CPU yet.
WITHOUT_REFERENCE = ("malloc_sizes", "malloc_mixed")


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
    """Why it holds less or not on the machines that it was measured on; docs/papers.md quotes it."""
    together: Callable[[Sequence[Run]], tuple[Run, Finding] | None] | None = None
    """In the place of `judge`, of a claim that takes several runs; the run is the one to be named."""

    @property
    def anchor(self) -> str:
        return f"claim-{self.key}"

    def explained(self, finding: Finding) -> str:
        return self.because if finding.verdict in (Verdict.LESS, Verdict.FAILS) else ""

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
