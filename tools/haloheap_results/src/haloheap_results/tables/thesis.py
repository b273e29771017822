# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Appendix C of [Valen2023], and the ratios that its text quotes, beside this run's.

One table of appendix C for each grid, exchange and overlap that [Valen2023] measured too, and one table of ratios for
each grid. They need a run over depths of heat2d in float, such as that of input/thesis_h200.toml.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from haloheap_results.depths import (THESIS_OVERLAP, THESIS_STEPS, Sample, Version, samples_of, split, thesis_samples,
                                     thesis_scaled)
from haloheap_results.group import Group
from haloheap_results.load import Results, Work
from haloheap_results.tables import markdown

# The columns of appendix C after the time, by the names of our phases.
COLUMNS = {"pack_s": "pack", "unpack_s": "unpack", "inner_s": "inner", "outer_s": "outer", "primary_s": "primary",
           "message_s": "message", "desynchronisation_s": "desync"}
SERIAL, OVERLAPPED = "none", THESIS_OVERLAP["overlap"]
EXECUTION = "time"


@dataclasses.dataclass(frozen=True)
class Ratio:
    """What a text quotes: `what` of the first versions at a depth over that of the others; of several versions the
    mean."""

    quoted: float
    gpu: str
    side: int
    what: str
    first: tuple[Version, ...]
    first_depth: int
    second: tuple[Version, ...]
    second_depth: int
    where: str
    told: str

    def of(self, samples: Iterable[Sample]) -> float | None:
        known = {(sample.version, sample.depth): sample for sample in samples}
        before = mean(known, self.first, self.first_depth, self.what)
        after = mean(known, self.second, self.second_depth, self.what)
        return before / after if before and after else None


def mean(known: dict[tuple[Version, int], Sample], versions: Sequence[Version], depth: int, what: str) -> float | None:
    found = []
    for version in versions:
        sample = known.get((version, depth))
        value = None if sample is None else sample.time if what == EXECUTION else (sample.phases or {}).get(what)
        if value is None:
            return None
        found.append(value)
    return sum(found) / len(found)


def both(exchange: str) -> tuple[Version, ...]:
    """Its messages are drawn without regard to the overlap."""
    return (exchange, SERIAL), (exchange, OVERLAPPED)


def without_overlap() -> tuple[Version, ...]:
    return ("sync", SERIAL), ("async", SERIAL)


ALL = (*both("sync"), *both("async"))


def depths(quoted: float, gpu: str, side: int, what: str, versions: tuple[Version, ...], first: int, second: int,
           where: str, told: str) -> Ratio:
    told = f"{told}, depth {first} over {second}"
    return Ratio(quoted, gpu, side, what, versions, first, versions, second, where, told)


RATIOS = (
    Ratio(1.09, "V100", 30000, EXECUTION, (("async", SERIAL),), 1, (("sync", OVERLAPPED),), 8, "5.2",
          "async without overlap at depth 1 over sync with overlap at depth 8"),
    Ratio(1.1736, "A100", 35000, EXECUTION, (("sync", SERIAL),), 1, (("sync", OVERLAPPED),), 8, "5.2",
          "sync without overlap at depth 1 over sync with overlap at depth 8"),
    depths(1.680, "V100", 35000, "message_s", both("sync"), 1, 8, "5.3", "message, sync"),
    depths(1.639, "V100", 5000, "message_s", both("async"), 1, 64, "5.3", "message, async"),
    depths(1.333, "V100", 10000, "message_s", both("async"), 1, 32, "5.3", "message, async"),
    depths(2.01, "A100", 35000, "message_s", both("sync"), 1, 64, "5.3", "message, sync"),
    depths(1.78, "A100", 35000, "message_s", both("sync"), 1, 8, "5.3", "message, sync"),
    depths(1.47, "V100", 35000, "pack_s", ALL, 1, 8, "5.4", "packing, all versions"),
    depths(1.34, "V100", 30000, "unpack_s", without_overlap(), 1, 8, "5.4", "unpacking without overlap"),
    depths(1.099, "V100", 35000, "pack_s", ALL, 8, 64, "5.4", "packing, all versions"),
    depths(1.199, "A100", 35000, "pack_s", ALL, 8, 64, "5.4", "packing, all versions"),
)


def thesis_at(side: int, gpu: str) -> list[Sample]:
    return thesis_samples(Work("heat2d", (side, side), THESIS_STEPS, "float", 1), 4).get(gpu, [])


# ------------------------------------------------------------------------------------------------------ tables


def of_appendix(samples: Sequence[Sample], version: Version) -> dict[int, list[float | None]]:
    """{depth: time and phases}."""
    return {sample.depth: [sample.time, *((sample.phases or {}).get(key) for key in COLUMNS)]
            for sample in samples if sample.version == version}


def appendix(group: Group, version: Version) -> str:
    """Empty where [Valen2023] has no such table, or this run no phases."""
    own = of_appendix(samples_of(group.points), version)
    theirs = {gpu: of_appendix(samples, version) for gpu, samples in thesis_samples(group.work, group.ranks).items()}
    if not theirs or not any(row[1] is not None for row in own.values()):
        return ""
    heads = ["depth", "of", "time [s]", *(f"{name} [s]" for name in COLUMNS.values())]
    rows = []
    for depth in sorted(own):
        for name, table in (("this run", own), *sorted(theirs.items())):
            if depth in table:
                rows.append([str(depth), name, *("-" if value is None else f"{value:.4f}" for value in table[depth])])
    return markdown.table(heads, rows)


def ratios(group: Group) -> str:
    """At the depths of this run, whatever its grid: what its phases do from one depth to another can be compared."""
    samples, rows = samples_of(group.points), []
    for ratio in RATIOS:
        own, theirs = ratio.of(samples), ratio.of(thesis_at(ratio.side, ratio.gpu))
        if own is not None and theirs is not None:
            rows.append([ratio.told, f"{ratio.gpu}, {ratio.side}", f"{ratio.quoted:g} ({ratio.where})", f"{theirs:.3f}",
                         f"{own:.3f}"])
    if not rows:
        return ""
    return markdown.table(["ratio", "quoted of", "quoted (section)", "from its appendix C", "this run"], rows)


def comparable(group: Group) -> bool:
    work = group.work
    return (work.problem, work.scalar, group.ranks) == ("heat2d", "float", 4) and len(work.size) == 2


def tables(results: Results) -> Iterator[str]:
    """Markdown, a text for each table."""
    groups, _ = split(point for point in results.points if not point.exchange_alone)
    for group in groups:
        if not comparable(group):
            continue
        scaled = thesis_scaled(group.work)
        for version in dict.fromkeys((point.exchange, point.overlap) for point in group.points):
            table = appendix(group, version)
            if table:
                title = ", ".join(filter(None, ["Appendix C of [Valen2023]", group.title(),
                                                f"{version[0]}, overlap {version[1]}", group.extra_text()]))
                yield f"### {title}\n\n{table}" + (f"\n\nSeconds of [Valen2023] {scaled}." if scaled else "") + "\n"
        quoted = ratios(group)
        if quoted:
            title = ", ".join(filter(None, ["Ratios that [Valen2023] quotes", group.title(), group.extra_text()]))
            yield (f"### {title}\n\n{quoted}\n\nMessages and packing are means over runs with and without overlap, as "
                   "in its figures.\n")
