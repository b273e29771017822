# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The tables of [Blach2022], beside its numbers.

Of problem allocation (input/allocation.toml): Figure 3 (speed-up of the work over native) and Figure 4 (malloc and
free time), and GFlop/s as in Figures 1 and 2. Of problem collectives (input/collectives.toml, input/alltoall.toml):
Figure 5.
"""

from __future__ import annotations

import decimal
import functools
import math
from collections.abc import Callable, Iterator
from typing import Any

import pandas

from haloheap_results import papers
from haloheap_results.load import Results, frame_of
from haloheap_results.tables import markdown

TAKES = "problem allocation or collectives"
BASE = "native"
# The variants of [Blach2022] by our names; over_native is what it measured, the other stands on slab_walk.
VARIANTS = {
    "native": "native",
    "block_header": "header_block",
    "block_header_over_native": "header_block",
    "block_table": "no_header_block",
    "block_table_over_native": "no_header_block",
    "warp_header": "header_warp",
    "warp_header_over_native": "header_warp",
    "warp_table": "no_header_warp",
    "warp_table_over_native": "no_header_warp",
}
MPI_VARIANTS = {"native": "native", "warp_header": "header", "warp_header_over_native": "header",
                "warp_table": "no_header", "warp_table_over_native": "no_header"}
FIGURE_5 = ("collective_5th_us", "collective_us", "collective_95th_us")
# Requests of all ranks, and those of them that reach the heap below.
COUNTS = ("requests", "superblocks")
COLLECTIVES = ["collectives.operation", "collectives.blocks", "collectives.threads", "collectives.doubles"]

Pair = tuple[float, float]
"""Mean and standard deviation."""
Place = tuple[str, str, int]
"""Allocator, work and floats of a thread."""


def tables(results: Results) -> Iterator[str]:
    """Markdown, a text for each table; the machine before the first."""
    found = [*allocation_tables(measured(results, "allocation")), *collectives_tables(measured(results, "collectives"))]
    if found:
        yield f"This run: {results.machine()}.\n"
    yield from found


def measured(results: Results, problem: str) -> pandas.DataFrame:
    """The points of one problem that measured something."""
    return frame_of(point for point in results.points if point.work.problem == problem and point.figures)


def pair_text(pair: Pair) -> str:
    mean, deviation = pair
    return f"{without_exponent(mean, 3)} ± {without_exponent(deviation, 2)}"


def without_exponent(value: float, digits: int) -> str:
    """'0.000035'"""
    return f"{decimal.Decimal(f'{value:.{digits}g}'):f}"


def titled(title: str, table: str) -> str:
    return f"### {title}\n\n{table}\n"


# ------------------------------------------------------------------------------------------------ allocation


def allocation_tables(frame: pandas.DataFrame) -> Iterator[str]:
    """Of each size of blocks its own."""
    if frame.empty:
        return
    keys = [key for key in ("allocation.blocks", "allocation.threads", "allocation.total") if key in frame.columns]
    groups = list(frame.groupby(keys, sort=False, dropna=False)) if keys else [((), frame)]
    for _, group in groups:
        if len(groups) > 1:
            yield f"## {blocks_text(group.iloc[0])}\n"
        yield from tables_of_blocks(group)


def blocks_text(point: pandas.Series[Any]) -> str:
    threads = int(point["allocation.threads"])
    total = point.get("allocation.total", 0)
    blocks = int(total) // threads if pandas.notna(total) and total else int(point["allocation.blocks"])
    return f"{blocks} blocks of {threads} threads"


def tables_of_blocks(frame: pandas.DataFrame) -> Iterator[str]:
    own = Allocation(frame)
    for work in own.works:
        yield own.table(f"{work}: GFlop/s by floats of a thread (Figures 1 and 2)", work,
                        functools.partial(own.value, "gflops", "gflops_deviation"))
    for work in own.works if BASE in own.names else []:
        yield own.table(f"{work}: speed-up of the work over {BASE} (Figure 3; [Blach2022]: GTX 1050 Ti)", work,
                        own.speedup, ("work_speedup", work) if work in ("linear", "quadratic") else None)
    # [Blach2022] does not say with which work.
    for work in own.works:
        for what, metric in (("allocate", "malloc_time"), ("free", "free_time")):
            yield own.table(f"{what} [ms] by floats of a thread, with {work} work (Figure 4; [Blach2022]: GTX 1050 "
                            "Ti)", work, functools.partial(own.milliseconds, what), (metric, "any"))


class Allocation:
    """What was measured and what [Blach2022] says, by allocator, work and floats of a thread."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        keys = ["allocator.name", "allocation.work", "allocation.floats"]
        names, works, lengths = (frame[key] for key in keys)
        self.names: list[str] = list(names.unique())
        self.works: list[str] = list(works.unique())
        self.lengths: list[int] = sorted(lengths.unique())
        self.measured = frame.drop_duplicates(keys, keep="last").set_index(keys)
        columns = ["metric", "workload", "variant", "floats_per_thread", "mean", "std"]
        paper = papers.coalescing_allocators()[columns].itertuples(index=False)
        self.paper = {tuple(key): (float(mean), float(deviation)) for *key, mean, deviation in paper}

    def value(self, mean: str, deviation: str, place: Place) -> Pair | None:
        """None where one of the two figures is missing."""
        figures = [f"figures.{mean}", f"figures.{deviation}"]
        if place not in self.measured.index or not set(figures) <= set(self.measured.columns):
            return None
        found = self.measured.loc[place, figures]
        return None if found.isna().any() else (float(found.iloc[0]), float(found.iloc[1]))

    def milliseconds(self, what: str, place: Place) -> Pair | None:
        found = self.value(f"{what}_us", f"{what}_deviation_us", place)
        return (1e-3 * found[0], 1e-3 * found[1]) if found else None

    def speedup(self, place: Place) -> Pair | None:
        """Over BASE; the deviation to first order."""
        base, own = (self.value("work_us", "work_deviation_us", at) for at in ((BASE, *place[1:]), place))
        if base is None or own is None or not own[0] > 0 or not base[0] > 0:
            return None
        mean = base[0] / own[0]
        return mean, mean * math.hypot(base[1] / base[0], own[1] / own[0])

    def table(self, title: str, work: str, cell: Callable[[Place], Pair | None],
              paper: tuple[str, str] | None = None) -> str:
        """A row for each allocator; the metric and work of [Blach2022], if it has them, in columns of their own.

        Without these, and of more lengths than allocators, a row for each length.
        """
        heads, rows = ["allocator"], []
        for length in self.lengths:
            heads += [str(length), f"[Blach2022], {length}"] if paper else [str(length)]
        for name in self.names:
            row = [name]
            for length in self.lengths:
                own = cell((name, work, length))
                row.append(pair_text(own) if own else "-")
                if paper:
                    theirs = self.paper.get((*paper, VARIANTS.get(name), length))
                    row.append(pair_text(theirs) if theirs else "-")
            rows.append(row)
        if not paper and len(self.lengths) > len(self.names):
            heads, *rows = (list(row) for row in zip(["floats", *heads[1:]], *rows))
        return titled(title, markdown.table(heads, rows, numbers_from=1))


# ----------------------------------------------------------------------------------------------- collectives


def collectives_tables(frame: pandas.DataFrame) -> Iterator[str]:
    """Figure 5, a table for each operation."""
    if frame.empty:
        return
    columns = ["operation", "variant", "p5_ms", "median_ms", "p95_ms", "speedup"]
    printed = papers.gpu_mpi()[columns].itertuples(index=False)
    paper = {(operation, variant): cells for operation, variant, *cells in printed}
    heads = ["allocator", "5th [ms]", "median [ms]", "95th [ms]", "speed-up"]
    heads += [f"[Blach2022], {head}" for head in heads[1:]]
    counted = [name for name in COUNTS if f"figures.{name}" in frame.columns]
    heads += counted
    for (operation, blocks, threads, doubles), group in frame.groupby(COLLECTIVES, sort=False):
        rows = []
        for _, point in group.iterrows():
            name, speedup = point["allocator.name"], point["speedup"]
            row = [name, *(f"{point[f'figures.{key}'] / 1e3:.4g}" for key in FIGURE_5)]
            row.append(f"{speedup:.2f}" if pandas.notna(speedup) else "-")
            row += paper.get((operation, MPI_VARIANTS.get(name)), ["-"] * 4)
            counts = (point[f"figures.{key}"] for key in counted)
            rows.append([*row, *("-" if pandas.isna(count) else f"{count:.0f}" for count in counts)])
        yield titled(f"{operation}, {blocks} blocks of {threads} ranks, {doubles} doubles "
                     "(Figure 5; [Blach2022]: RTX 2060)",
                     markdown.table(heads, rows, numbers_from=1))
