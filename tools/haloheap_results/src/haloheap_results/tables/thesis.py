# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Appendix C of [Valen2023], and the ratios that its text quotes, beside this run's.

One table of appendix C for each grid, exchange and overlap that [Valen2023] measured too, and one table of ratios for
each grid. They need a run over depths of heat2d in float, such as that of input/thesis_h200.toml.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Sequence

from haloheap_results.depths import (THESIS_OVERLAP, THESIS_STEPS, Sample, Version, communication_of, samples_of, split,
                                     thesis_samples, thesis_scaled)
from haloheap_results.group import Group
from haloheap_results.load import Results, Work
from haloheap_results.tables.markdown import Grid

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

    def quotation(self) -> str:
        return f"{self.quoted:g}"

    @staticmethod
    def spelt(value: float) -> str:
        return f"{value:.3f}"


@dataclasses.dataclass(frozen=True)
class Saved:
    """Seconds of a phase that a depth saves over depth 1, as a range over all grids; the mean of the versions."""

    quoted: tuple[float, float]
    gpu: str
    side: int
    what: str
    versions: tuple[Version, ...]
    depth: int
    where: str
    told: str

    def of(self, samples: Iterable[Sample]) -> float | None:
        known = {(sample.version, sample.depth): sample for sample in samples}
        before, after = (mean(known, self.versions, depth, self.what) for depth in (1, self.depth))
        return None if before is None or after is None else before - after

    def quotation(self) -> str:
        return f"{self.quoted[0]:.2f} to {self.quoted[1]:.2f} s"

    @staticmethod
    def spelt(value: float) -> str:
        return f"{value:.4f} s"


@dataclasses.dataclass(frozen=True)
class Hidden:
    """Share of the communication that the overlap of sync hides at a depth, in percent."""

    quoted: float
    gpu: str
    side: int
    depth: int
    where: str

    @property
    def told(self) -> str:
        return f"communication hidden, sync, depth {self.depth}"

    def of(self, samples: Iterable[Sample]) -> float | None:
        known = {(sample.version, sample.depth): sample for sample in samples}
        alone, overlapped = (known.get((("sync", overlap), self.depth)) for overlap in (SERIAL, OVERLAPPED))
        sent = communication_of(alone.phases) if alone and alone.phases else 0.0
        return 100 * (alone.time - overlapped.time) / sent if alone and overlapped and sent > 0 else None

    def quotation(self) -> str:
        return f"{self.quoted:g} %"

    @staticmethod
    def spelt(value: float) -> str:
        return f"{value:.1f} %"


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
    return Ratio(quoted, gpu, side, what, versions, first, versions, second, where,
                 f"{told}, depth {first} over {second}")


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


QUOTED: tuple[Ratio | Saved | Hidden, ...] = (
    *RATIOS,
    Saved((0.08, 0.10), "V100", 35000, "pack_s", ALL, 64, "6", "packing, all versions, depth 1 less 64"),
    Saved((0.09, 0.11), "A100", 35000, "pack_s", ALL, 64, "6", "packing, all versions, depth 1 less 64"),
    Hidden(83.3, "A100", 35000, 1, "5.5"), Hidden(75.1, "A100", 35000, 8, "5.5"),
    Hidden(63.9, "A100", 10000, 1, "5.5"), Hidden(21.0, "A100", 10000, 8, "5.5"),
)


def thesis_at(side: int, gpu: str) -> list[Sample]:
    return thesis_samples(Work("heat2d", (side, side), THESIS_STEPS, "float", 1), 4).get(gpu, [])


# ------------------------------------------------------------------------------------------------------ tables


def of_appendix(samples: Sequence[Sample], version: Version) -> dict[int, list[float | None]]:
    """{depth: time and phases}."""
    return {sample.depth: [sample.time, *((sample.phases or {}).get(key) for key in COLUMNS)]
            for sample in samples if sample.version == version}


def appendix_rows(tables: Sequence[tuple[str, dict[int, list[float | None]]]],
                  depths: Sequence[int]) -> list[list[str]]:
    """Of [(whose, {depth: time and phases})]."""
    return [[str(depth), name, *("-" if value is None else f"{value:.4f}" for value in table[depth])]
            for depth in depths for name, table in tables if depth in table]


APPENDIX_HEADS = ("depth", "of", "time [s]", *(f"{name} [s]" for name in COLUMNS.values()))


def appendix(group: Group, version: Version) -> Grid | None:
    """None where [Valen2023] has no such table, or this run no phases."""
    own = of_appendix(samples_of(group.points), version)
    theirs = {gpu: of_appendix(samples, version) for gpu, samples in thesis_samples(group.work, group.ranks).items()}
    if not theirs or not any(row[1] is not None for row in own.values()):
        return None
    scaled = thesis_scaled(group.work)
    return Grid(titled("Appendix C of [Valen2023]", group, f"{version[0]}, overlap {version[1]}"), APPENDIX_HEADS,
                appendix_rows([("this run", own), *sorted(theirs.items())], sorted(own)),
                f"Seconds of [Valen2023] {scaled}." if scaled else "", numbers_from=2)


def printed_appendix(side: int) -> list[Grid]:
    """That of [Valen2023] alone, for a reader whose run has other sizes."""
    found = {gpu: thesis_at(side, gpu) for gpu in ("A100", "V100")}
    versions = dict.fromkeys(sample.version for samples in found.values() for sample in samples)
    grids = []
    for version in versions:
        theirs = [(gpu, of_appendix(samples, version)) for gpu, samples in found.items()]
        depths = sorted({depth for _, table in theirs for depth in table})
        grids.append(Grid(f"Appendix C of [Valen2023], {side} x {side}, {version[0]}, overlap {version[1]}",
                          APPENDIX_HEADS, appendix_rows(theirs, depths), numbers_from=2))
    return grids


def titled(what: str, group: Group, more: str = "") -> str:
    return ", ".join(filter(None, [what, group.title(), more, group.extra_text()]))


def ratios(group: Group) -> Grid | None:
    """At the depths of this run, whatever its grid: what its phases do from one depth to another can be compared."""
    samples, rows = samples_of(group.points), []
    for quoted in QUOTED:
        own, theirs = quoted.of(samples), quoted.of(thesis_at(quoted.side, quoted.gpu))
        if own is not None and theirs is not None:
            rows.append([quoted.told, f"{quoted.gpu}, {quoted.side}", f"{quoted.quotation()} ({quoted.where})",
                         quoted.spelt(theirs), quoted.spelt(own)])
    if not rows:
        return None
    return Grid(titled("Ratios that [Valen2023] quotes", group),
                ["ratio", "quoted of", "quoted (section)", "from its appendix C", "this run"], rows,
                "Messages and packing are means over runs with and without overlap, as in its figures. Of 10000 x "
                "10000 cells its text has 63.9 % hidden at depth 1, and its appendix C 62.9 %.", numbers_from=2)


def comparable(group: Group) -> bool:
    work = group.work
    return (work.problem, work.scalar, group.ranks) == ("heat2d", "float", 4) and len(work.size) == 2


def grids(results: Results) -> Iterator[Grid]:
    groups, _ = split(point for point in results.points if not point.exchange_alone)
    for group in groups:
        if not comparable(group):
            continue
        for version in dict.fromkeys((point.exchange, point.overlap) for point in group.points):
            if table := appendix(group, version):
                yield table
        if quoted := ratios(group):
            yield quoted


def tables(results: Results) -> Iterator[str]:
    """Markdown, a text for each table."""
    for grid in grids(results):
        yield grid.markdown()
