#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints the tables of "Coalescing Memory Allocations for GPU MPI" in Markdown, from a results.json, beside the paper's.

Of problem allocation (input/allocation.toml): Figure 3 (speed-up of the work over native) and Figure 4 (malloc and free
time), and GFlop/s as in Figures 1 and 2. Of problem collectives (input/collectives.toml, input/alltoall.toml): Figure 5.

Exit code 0: done; 2: the input is no results.json of haloheap, or has no such points.
"""

import argparse
import csv
import math
import pathlib
import sys

import plot

DATA = pathlib.Path(__file__).resolve().parent / "data"
BASE = "native"
# The paper's variants by our names; over_native is what the paper measured, the other stands on slab_walk.
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


def rows_of_csv(name):
    with open(DATA / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def points_of(document, problem):
    """Those of one problem that measured something."""
    return [point for point in document["points"] if point["deck"]["problem"] == problem and point.get("figures")]


def in_order(values):
    return list(dict.fromkeys(values))


def pair(mean, deviation):
    return f"{mean:.3g} ± {deviation:.2g}"


def ratio(base, own):
    """(mean, standard deviation) of base / own, both (mean, deviation), to first order."""
    if not own[0] > 0 or not base[0] > 0:
        return None
    mean = base[0] / own[0]
    return mean, mean * math.hypot(base[1] / base[0], own[1] / own[0])


def markdown(title, heads, rows):
    lines = [heads, ["---"] + ["---:"] * (len(heads) - 1), *rows]
    return f"### {title}\n\n" + "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


class Allocation:
    """Problem allocation: what was measured, by allocator, work and floats."""

    def __init__(self, points):
        self.figures = {(p["deck"]["allocator.name"], p["deck"]["allocation.work"], p["deck"]["allocation.floats"]):
                        p["figures"] for p in points}
        self.names = in_order(key[0] for key in self.figures)
        self.works = in_order(key[1] for key in self.figures)
        self.lengths = sorted({key[2] for key in self.figures})
        self.paper = {(row["metric"], row["workload"], row["variant"], int(row["floats_per_thread"])):
                      pair(float(row["mean"]), float(row["std"])) for row in rows_of_csv("coalescing_allocator_tables.csv")}

    def value(self, name, work, length, what, unit="_us", factor=1.0):
        figures = self.figures.get((name, work, length))
        if figures is None:
            return None
        return factor * figures[what + unit], factor * figures[f"{what}_deviation{unit}"]

    def table(self, title, work, cell, metric=None, paper_work=None):
        """A row for each allocator; where the paper has the same, its number after a bar of its own."""
        heads = ["allocator"]
        for length in self.lengths:
            heads += [str(length)] + ([f"paper, {length}"] if metric else [])
        rows = []
        for name in self.names:
            row = [name]
            for length in self.lengths:
                own = cell(name, work, length)
                row.append(pair(*own) if own else "-")
                if metric:
                    row.append(self.paper.get((metric, paper_work or work, VARIANTS.get(name), length), "-"))
            rows.append(row)
        return markdown(title, heads, rows)

    def speedup(self, name, work, length):
        base, own = (self.value(n, work, length, "work") for n in (BASE, name))
        return ratio(base, own) if base and own else None

    def tables(self):
        for work in self.works:
            yield self.table(f"{work}: GFlop/s by floats of a thread (Figures 1 and 2)", work,
                             lambda *key: self.value(*key, "gflops", ""))
        for work in self.works if BASE in self.names else []:
            metric = "work_speedup" if work in ("linear", "quadratic") else None
            yield self.table(f"{work}: speed-up of the work over {BASE} (Figure 3; paper: GTX 1050 Ti)", work, self.speedup,
                             metric)
        for what, metric in (("allocate", "malloc_time"), ("free", "free_time")):
            yield self.table(f"{what} [ms] by floats of a thread, with {self.works[0]} work (Figure 4; paper: GTX 1050 Ti)",
                             self.works[0], lambda *key, what=what: self.value(*key, what, factor=1e-3), metric, "any")


def collectives_tables(points):
    """Figure 5, a table for each operation."""
    paper = {(row["operation"], row["variant"]): row for row in rows_of_csv("gpu_mpi_tables.csv")}
    groups = in_order((p["deck"]["collectives.operation"], p["deck"]["collectives.blocks"], p["deck"]["collectives.threads"],
                       p["deck"]["collectives.doubles"]) for p in points)
    for operation, blocks, threads, doubles in groups:
        rows = []
        for point in points:
            deck, figures = point["deck"], point["figures"]
            if (deck["collectives.operation"], deck["collectives.blocks"], deck["collectives.threads"],
                    deck["collectives.doubles"]) != (operation, blocks, threads, doubles):
                continue
            row = [deck["allocator.name"]]
            row += [f"{figures[key] / 1e3:.4g}" for key in ("collective_5th_us", "collective_us", "collective_95th_us")]
            row.append(f"{point['speedup']:.2f}" if "speedup" in point else "-")
            theirs = paper.get((operation, MPI_VARIANTS.get(row[0])))
            row += [theirs[key] for key in ("p5_ms", "median_ms", "p95_ms", "speedup")] if theirs else ["-"] * 4
            rows.append(row)
        heads = ["allocator", "5th [ms]", "median [ms]", "95th [ms]", "speed-up"]
        heads += [f"paper, {head}" for head in heads[1:]]
        yield markdown(f"{operation}, {blocks} blocks of {threads} ranks, {doubles} doubles (Figure 5; paper: RTX 2060)",
                       heads, rows)


def tables(document):
    """Markdown, a text for each table."""
    allocation, collectives = points_of(document, "allocation"), points_of(document, "collectives")
    if allocation:
        yield from Allocation(allocation).tables()
    if collectives:
        yield from collectives_tables(collectives)


def main(arguments):
    parser = argparse.ArgumentParser(prog="allocation_tables.py", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("results", help="results.json of a run")
    options = parser.parse_args(arguments)
    try:
        document = plot.load(options.results)
        found = list(tables(document))
    except plot.BadInput as error:
        print(f"allocation_tables.py: {error}", file=sys.stderr)
        return 2
    if not found:
        print(f"allocation_tables.py: '{options.results}' has no points of problem allocation or collectives",
              file=sys.stderr)
        return 2
    print(f"This run: {plot.machine(document['provenance'])}.\n")
    print("\n".join(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
