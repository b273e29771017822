# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""[Blach2022]: requests of a warp or a thread block that are served by one allocation."""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Sequence

from haloheap_results import papers
from haloheap_results.figures.allocators import NAME
from haloheap_results.load import Point, frame_of
from haloheap_results.report.charts import Chart, Panel, Series
from haloheap_results.report.model import NOTHING, Claim, Exhibit, Finding, Listing, Run, Section, Verdict
from haloheap_results.report.numbers import geometric_mean, span, times
from haloheap_results.report.sections import hosts
from haloheap_results.report.sections.heaps import figure_value, names_of, of_problem, ratios, style_of
from haloheap_results.report.verdicts import apart, by_name, far, of_gain, of_gains, of_likeness
from haloheap_results.tables.markdown import Grid
from haloheap_results.tables.allocation import BASE, MPI_VARIANTS, VARIANTS, Allocation, Pair, Place

OPERATION = "collectives.operation"
FLOATS = "floats of a thread"
WORKS = ("linear", "quadratic")
# Our names by those of [Blach2022]: those that stand on native, as its own do.
OURS = {theirs: name for name, theirs in VARIANTS.items()}
OURS_MPI = {theirs: name for name, theirs in MPI_VARIANTS.items()}
WARPS = ("warp_header_over_native", "warp_table_over_native")
ALIKE = 1.1
LITTLE = 0.1
"""Of native's time: Figure 4 has up to 0.08."""
ONE_LANE = "on a host a warp is one lane, so that there is nothing to coalesce"
MORE = ["further allocators: click their names"]
SETUP = "GTX 1050 Ti, 12 blocks of 1024 threads; mean and standard deviation of 20 runs"


def own(points: Sequence[Point]) -> Allocation | None:
    there = of_problem(points, "allocation")
    return Allocation(frame_of(there)) if there else None


def series_of(name: str, place: int, pairs: dict[int, Pair]) -> Series:
    lengths = sorted(pairs)
    return Series(name, lengths, [pairs[length][0] for length in lengths],
                  [pairs[length][0] - pairs[length][1] for length in lengths],
                  [pairs[length][0] + pairs[length][1] for length in lengths], style=style_of(name, place),
                  hidden=name not in OURS.values())


def own_panel(found: Allocation, title: str, work: str, cell: Callable[[Place], Pair | None]) -> Panel:
    series = []
    for place, name in enumerate(found.names):
        pairs = {int(length): pair for length in found.lengths if (pair := cell((name, work, length)))}
        if pairs:
            series.append(series_of(name, place, pairs))
    return Panel(title, series)


def paper_panel(title: str, metric: str, work: str) -> Panel:
    table = papers.coalescing_allocators()
    rows = table[(table["metric"] == metric) & (table["workload"] == work)]
    series = []
    for place, (variant, of_variant) in enumerate(rows.groupby("variant", sort=False)):
        pairs = {int(row["floats_per_thread"]): (float(row["mean"]), float(row["std"]))
                 for row in of_variant.to_dict("records")}
        series.append(series_of(OURS.get(str(variant), str(variant)), place, pairs))
    return Panel(title, series)


def allocation_chart(title: str, y: str, panels: Sequence[Panel], origin: str,
                     notes: Sequence[str] = ()) -> Chart:
    return Chart(title, FLOATS, y, [panel for panel in panels if panel.series], origin, log_y=True, notes=notes)


def setup_of(run: Run) -> str:
    deck = of_problem(run.points, "allocation")[0].deck
    return f"{deck.get('allocation.blocks')} blocks of {deck.get('allocation.threads')} threads"


def own_speedup(run: Run) -> list[Chart]:
    found = own(run.points)
    if found is None or BASE not in found.names:
        return []
    panels = [own_panel(found, work, work, found.speedup) for work in found.works]
    return [allocation_chart("Work: speed-up over native", "speed-up over native", panels, setup_of(run), MORE)]


def paper_speedup(_: Sequence[Run]) -> list[Chart]:
    panels = [paper_panel(work, "work_speedup", work) for work in WORKS]
    return [allocation_chart("[Blach2022], Figure 3", "speed-up over native", panels, SETUP)]


def own_times(run: Run) -> list[Chart]:
    found = own(run.points)
    if found is None:
        return []
    panels = [own_panel(found, what if len(found.works) == 1 else f"{what}, {work} work", work,
                        functools.partial(found.milliseconds, what))
              for work in found.works for what in ("allocate", "free")]
    return [allocation_chart("Allocate and free", "time, mean thread [ms]", panels, setup_of(run), MORE)]


def paper_times(_: Sequence[Run]) -> list[Chart]:
    panels = [paper_panel("allocate", "malloc_time", "any"), paper_panel("free", "free_time", "any")]
    return [allocation_chart("[Blach2022], Figure 4", "time, mean thread [ms]", panels, SETUP)]


def own_rates(run: Run) -> list[Chart]:
    found = own(run.points)
    if found is None:
        return []
    panels = [own_panel(found, work, work, functools.partial(found.value, "gflops", "gflops_deviation"))
              for work in found.works]
    return [allocation_chart("Rate of the work", "GFlop/s", panels, setup_of(run), MORE)]


# -------------------------------------------------------------------------------------------------- collectives


def own_collectives(run: Run) -> list[Chart]:
    points = of_problem(run.points, "collectives")
    if not points:
        return []
    operations = list(dict.fromkeys(str(point.deck.get(OPERATION)) for point in points))
    series = [collective_series(name, place, operations, [point for point in points if point.deck[NAME] == name])
              for place, name in enumerate(names_of(points))]
    deck = points[0].deck
    return [Chart("Collectives: " + ", ".join(operations), "operation", "time [ms]", [Panel("", series)],
                  f"{deck.get('collectives.blocks')} x {deck.get('collectives.threads')} ranks, "
                  f"{deck.get('collectives.doubles')} doubles; medians, 5th to 95th percentile", bars=True, log_y=True,
                  notes=MORE)]


def collective_series(name: str, place: int, operations: Sequence[str], points: Sequence[Point]) -> Series:
    by_operation = {str(point.deck.get(OPERATION)): point for point in points}

    def column(figure: str) -> list[float | None]:
        value = figure_value(figure, 1e-3)
        return [value(by_operation[operation]) if operation in by_operation else None for operation in operations]

    return Series(name, operations, column("collective_us"), column("collective_5th_us"), column("collective_95th_us"),
                  style_of(name, place), hidden=name not in OURS_MPI.values())


def requests_table(runs: Sequence[Run]) -> list[tuple[Grid, Run | None]]:
    """What the ranks ask for, and how much of it is left for the heap below: why all-to-all gains, or does not."""
    found: list[tuple[Grid, Run | None]] = []
    for run in runs:
        rows = []
        for point in of_problem(run.points, "collectives"):
            requests, left = point.figure("requests"), point.figure("superblocks")
            if requests:
                rows.append([str(point.deck[NAME]), str(point.deck.get(OPERATION)),
                             str(point.deck.get("collectives.method", "-")), f"{requests:.0f}",
                             "-" if left is None else f"{left:.0f}",
                             "-" if not left else times(requests / left)])
        if rows:
            found.append((Grid("Requests of all ranks in one run, and those that reach the heap below",
                               ["allocator", "operation", "method", "requests", "superblocks", "requests of each"],
                               rows, "A lane of a host is a warp of its own: there is nothing to coalesce in a warp.",
                               numbers_from=3), run))
    return found


def paper_collectives(runs: Sequence[Run]) -> list[Chart]:
    """The operations that were measured here, or all: they have not the same length of time."""
    printed = papers.gpu_mpi()
    here = {str(point.deck.get(OPERATION)) for run in runs for point in of_problem(run.points, "collectives")}
    operations = [operation for operation in printed["operation"].unique() if operation in here or not here]
    series = []
    for place, (variant, rows) in enumerate(printed.groupby("variant", sort=False)):
        of = {row["operation"]: row for row in rows.to_dict("records")}
        values, low, high = ([float(of[operation][key]) for operation in operations]
                             for key in ("median_ms", "p5_ms", "p95_ms"))
        name = OURS_MPI.get(str(variant), str(variant))
        series.append(Series(name, operations, values, low, high, style_of(name, place)))
    return [Chart("[Blach2022], Figure 5", "operation", "time [ms]", [Panel("", series)],
                  "RTX 2060; reduce and broadcast: 30 x 512 ranks, 16 doubles; alltoall: 8 x 32 ranks, 4 doubles; "
                  "medians, 5th to 95th percentile", bars=True, log_y=True)]


# ------------------------------------------------------------------------------------------------------- claims


def of_work(points: Sequence[Point], work: str) -> list[Point]:
    return [point for point in of_problem(points, "allocation") if point.deck.get("allocation.work") == work]


def speeds_up(work: str, names: Sequence[str], claimed: float, largest: bool = False
              ) -> Callable[[Sequence[Point]], Finding]:
    def judge(points: Sequence[Point]) -> Finding:
        there = of_work(points, work)
        judged = of_largest(there) if largest else there
        found = {name: values for name in names if (values := ratios(judged, BASE, name, figure_value("work_us")))}
        if len(found) < len(names):
            return NOTHING
        where = " with the most floats a thread" if largest else ", geometric means of all lengths count"
        return of_gains([(geometric_mean(values), claimed) for values in found.values()],
                        f"{work} work{where}, native's time over theirs: {by_name(found)}",
                        apart(map(work_range, (point for point in judged if point.deck.get(NAME) in (BASE, *names)))))

    return judge


def of_largest(points: Sequence[Point]) -> list[Point]:
    most = max((point.deck.get("allocation.floats", 0) for point in points), default=0)
    return [point for point in points if point.deck.get("allocation.floats", 0) == most]


def work_range(point: Point) -> tuple[float | None, float | None]:
    """A standard deviation to either side."""
    mean, deviation = point.figure("work_us"), point.figure("work_deviation_us")
    return (None, None) if mean is None or deviation is None else (mean - deviation, mean + deviation)


def header_block_allocates_fastest(points: Sequence[Point]) -> Finding:
    there = of_problem(points, "allocation")
    names = [name for name in names_of(there) if name.endswith("_over_native") or name == BASE]
    found = {name: values for name in names if name != BASE
             and (values := ratios(there, BASE, name, figure_value("allocate_us")))}
    if len(found) < 2:
        return NOTHING
    order = sorted(found, key=lambda name: -geometric_mean(found[name]))
    text = by_name({name: found[name] for name in order})
    return Finding.of(order[0] == "block_header_over_native", f"native's time over theirs: {text}")


def slowest_allocates_faster(points: Sequence[Point]) -> Finding:
    """The slowest variant at its slowest: 4.07 times in Figure 4."""
    there = of_problem(points, "allocation")
    found = {name: values for name in names_of(there) if name.endswith("_over_native")
             and (values := ratios(there, BASE, name, figure_value("allocate_us")))}
    if len(found) < 2:
        return NOTHING
    name = min(found, key=lambda name: min(found[name]))
    return of_gain(min(found[name]), 4, f"native's time over that of {name}, the slowest: {span(found[name])}; the "
                                        "least counts")


def freeing_costs_little(points: Sequence[Point]) -> Finding:
    """What freeing takes longer than native's, beside what native takes to allocate and free."""
    losses: dict[str, float] = {}
    for point, native in beside_native(of_problem(points, "allocation")):
        own, freed, taken = point.figure("free_us"), native.figure("free_us"), native.figure("allocate_us")
        if own and freed and taken:
            name = str(point.deck[NAME])
            losses[name] = max(losses.get(name, -math.inf), (own - freed) / (taken + freed))
    if not losses:
        return NOTHING
    worst = max(losses, key=lambda name: losses[name])
    if losses[worst] <= 0:
        return Finding(Verdict.HOLDS, f"no variant takes longer to free than native, {worst} the longest")
    return Finding.of(losses[worst] <= LITTLE,
                      f"freeing takes longer than native's by at most {times(100 * losses[worst])} % of what native "
                      f"takes to allocate and free ({worst}); {100 * LITTLE:.0f} % is little")


def beside_native(points: Sequence[Point]) -> list[tuple[Point, Point]]:
    """Each of our variants with native at the same work."""
    def rest(point: Point) -> str:
        return str(sorted((key, value) for key, value in point.swept.items() if key != NAME))

    natives = {rest(point): point for point in points if point.deck[NAME] == BASE}
    return [(point, natives[rest(point)]) for point in points
            if str(point.deck[NAME]).endswith("_over_native") and rest(point) in natives]


def alltoall_gains(points: Sequence[Point]) -> Finding:
    found = collective_ratios(points, ("alltoall",))
    if not found:
        return NOTHING
    told = told_requests([point for point in of_problem(points, "collectives")
                          if point.deck.get(OPERATION) == "alltoall"])
    return of_gains([(geometric_mean(values), 4.4) for values in found.values()],
                    f"native's time over theirs, each of which has to reach it: {by_name(found)}{told}",
                    collective_noise(points, ("alltoall",)))


def others_do_not(points: Sequence[Point]) -> Finding:
    found = collective_ratios(points, ("reduce", "broadcast"))
    if not found:
        return NOTHING
    values = [value for of_name in found.values() for value in of_name]
    return of_likeness(values, ALIKE, f"native's time over theirs: {span(values)}, furthest from 1: "
                                      f"{times(max(values, key=far))}",
                       collective_noise(points, ("reduce", "broadcast")))


def collective_noise(points: Sequence[Point], operations: Sequence[str]) -> float:
    """From the 5th to the 95th percentile."""
    return apart((point.figure("collective_5th_us"), point.figure("collective_95th_us"))
                 for point in of_problem(points, "collectives")
                 if point.deck.get(OPERATION) in operations and point.deck.get(NAME) in (BASE, *WARPS))


def told_requests(points: Sequence[Point]) -> str:
    """How many of a rank's requests are left for the heap below; empty of results without these counts."""
    parts = []
    for point in points:
        requests, left = point.figure("requests"), point.figure("superblocks")
        if point.deck.get(NAME) in WARPS and requests and left:
            parts.append(f"{point.deck[NAME]} {left:g} of {requests:g}")
    return f"; requests that are left for the heap below: {', '.join(parts)}" if parts else ""


def collective_ratios(points: Sequence[Point], operations: Sequence[str]) -> dict[str, list[float]]:
    there = [point for point in of_problem(points, "collectives") if point.deck.get(OPERATION) in operations]
    return {name: values for name in WARPS if (values := ratios(there, BASE, name, figure_value("collective_us")))}


MESSAGES_ALONE = (
    "With buffers that all allocate together an H100 needs at least 982 us for the messages of all-to-all alone, "
    "against 2374 with native, and an H200 916 against 1623: no heap can win more. In reduce and broadcast native is "
    "the slow part today.")
CACHES = "It is an effect of caches: an H200's second level holds all blocks of these sizes."
TABLES_AND_CACHES = (
    "It is an effect of caches here, too: with 400 floats all blocks have 20 MB, and an H200's second level 50. "
    "Tables take 46 to 47 ms whether native or slab_walk gives the superblocks, against 54 on native's blocks; "
    "warp_header_over_native, whose headers move blocks apart, takes 30, with 300 floats 26 against 29, and tables 20 "
    "there. How far apart the blocks of neighbouring lanes are decides where they meet in the cache, as with headers "
    "of other sizes on an H100; multiples of a cache line of 128 bytes, as with 125 and 350 floats, halve the rate.")

CLAIMS = (
    Claim("linear-work", "Linear work on blocks of a warp's superblocks is 2 to 3 times as fast as on native's "
          "(chapter 5; up to 3.8 in Figure 3)", "allocation",
          speeds_up("linear", ("warp_header_over_native", "warp_table_over_native"), 2), ONE_LANE, because=CACHES,
          because_on_host=hosts.BLOCKS_AS_NATIVE),
    Claim("quadratic-work", "Quadratic work is about twice as fast where blocks have no headers and are long (Figure "
          "3: 2.18 and 2.21)", "allocation",
          speeds_up("quadratic", ("block_table_over_native", "warp_table_over_native"), 2, largest=True), ONE_LANE,
          because=TABLES_AND_CACHES, because_on_host=hosts.WITHIN_REPETITIONS),
    Claim("block-header-fastest", "Superblocks of a thread block with headers allocate and free the fastest (section "
          "4.1, Figure 4)", "allocation", header_block_allocates_fastest, ONE_LANE,
          because_on_host=hosts.TEAMS_OF_TWO),
    Claim("slowest-allocates", "The slowest variant allocates far faster than native (chapter 5; 4 times at the least "
          "in Figure 4)", "allocation", slowest_allocates_faster, ONE_LANE,
          because_on_host=hosts.TEAMS_OF_TWO),
    Claim("freeing", "Freeing costs little more than native's (chapter 5)", "allocation", freeing_costs_little,
          ONE_LANE, because_on_host=hosts.FREE_IS_CHEAP),
    Claim("alltoall", "All-to-all is 4.4 times as fast, over 4 in the abstract (Figure 5)", "alltoall", alltoall_gains,
          ONE_LANE, because=MESSAGES_ALONE, because_on_host=hosts.ALL_ARE_LEFT),
    Claim("reduce-broadcast", "Reduce and broadcast take the same time, within 10 % (section 4.2, Figure 5)",
          "collectives", others_do_not, ONE_LANE, because=MESSAGES_ALONE),
)

SECTION = Section(
    "superblocks", "Coalesced allocations",
    "[Blach2022] N. Blach et al., Coalescing Memory Allocations for GPU MPI, ETH Zürich 2022",
    "One leader allocates a superblock for all lanes of a warp, or all threads of a block, that ask together, so that "
    "what they then read lies together. H: header, N (here table): no header; B: block, W: warp.",
    (Exhibit("work-speedup", "Speed-up of the work over native (Figure 3)", "allocation", own_speedup, paper_speedup),
     Exhibit("allocate-free", "Time to allocate and to free (Figure 4)", "allocation", own_times, paper_times),
     Exhibit("work-rate", "Rate of the work (Figures 1 and 2)", "allocation", own_rates,
             unpublished="[Blach2022] draws these two without numbers; its Figure 3 above has their ratios."),
     Exhibit("collectives", "Collectives of GPU-MPI (Figure 5)", "collectives", own_collectives, paper_collectives)),
    CLAIMS,
    (Listing("requests", "Requests and superblocks of the collectives", "alltoall", requests_table),))
