# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How much of the communication an overlap hides: Tables 5.1 and 5.2 of [Valen2023].

One table for each grid and exchange that has points with and without overlap at several depths (such as the run of
input/thesis_h200.toml). Where [Valen2023] measured the same, its V100 (Table 5.1) and A100 (Table 5.2) stand beside.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Sequence

from haloheap_results.depths import Sample, communication_of, samples_of, split, thesis_samples, thesis_scaled
from haloheap_results.group import Group
from haloheap_results.load import Results
from haloheap_results.tables import markdown

TAKES = ('points with and without overlap at several depths, and phase times: use halo.overlap=["none","first_step"], '
         "several of halo.depth, and run.phases=true")
OVERLAPS = ("first_step", "all_steps")
THESIS_TABLE = {"V100": "Table 5.1", "A100": "Table 5.2"}  # of sync on the largest grid
THESIS_SIDE = 35000
CELLS = ("communication [s]", "saved [s]", "hidden [%]")


@dataclasses.dataclass(frozen=True)
class Row:
    """Seconds; None where there was nothing to hide."""

    communication: float
    saved: float

    def cells(self) -> list[str]:
        share = f"{100 * self.saved / self.communication:.1f}" if self.communication > 0 else "-"
        return [f"{self.communication:.4f}", f"{self.saved:.4f}", share]


@dataclasses.dataclass(frozen=True)
class Column:
    heading: str
    rows: dict[int, Row]
    """By depth."""
    own: bool


def rows_of(samples: Sequence[Sample], exchange: str, overlap: str) -> dict[int, Row]:
    by_version = {(sample.version, sample.depth): sample for sample in samples}
    rows = {}
    for (version, depth), overlapped in by_version.items():
        serial = by_version.get(((exchange, "none"), depth))
        if version == (exchange, overlap) and serial is not None and serial.phases:
            rows[depth] = Row(communication_of(serial.phases), serial.time - overlapped.time)
    return rows


def columns_of(group: Group, exchange: str) -> list[Column]:
    """This run's overlaps, then those of [Valen2023]."""
    samples = samples_of(group.points)
    found = [Column(f"this run, {overlap}", rows_of(samples, exchange, overlap), True) for overlap in OVERLAPS]
    thesis = thesis_samples(group.work, group.ranks)
    for gpu, table in THESIS_TABLE.items():
        printed = f" ({table})" if exchange == "sync" and THESIS_SIDE in group.work.size else ""
        rows = rows_of(thesis.get(gpu, []), exchange, "first_step")
        found.append(Column(f"[Valen2023], {gpu}{printed}", rows, False))
    columns = [column for column in found if column.rows]
    return columns if any(column.own for column in columns) else []


def table_of(columns: Sequence[Column]) -> str:
    """A row for each depth of this run."""
    depths = sorted({depth for column in columns if column.own for depth in column.rows})
    rows = []
    for depth in depths:
        cells = [column.rows[depth].cells() if depth in column.rows else ["-"] * len(CELLS) for column in columns]
        rows.append([str(depth), *(cell for of_column in cells for cell in of_column)])
    heads = ["depth", *(f"{column.heading}: {what}" for column in columns for what in CELLS)]
    return markdown.table(heads, rows)


def remarks_of(group: Group, with_thesis: bool) -> list[str]:
    lines = ["Communication: message + desynchronisation + unpack of the run without overlap; saved: its time less the "
             "overlapped run's; hidden: saved / communication."]
    if not any("desynchronisation_s" in (point.phases or {}) for point in group.points):
        lines.append("This run had no barrier (run.desynchronisation): waiting for slower ranks is part of message.")
    if with_thesis:
        scaled = thesis_scaled(group.work)
        seconds = f", its seconds {scaled}" if scaled else ""
        lines.append(f"The columns of [Valen2023] follow from the means in its appendix C{seconds}.")
    return lines


def tables(results: Results) -> Iterator[str]:
    """Markdown, a text for each table."""
    groups, _ = split(point for point in results.points if not point.exchange_alone)
    for group in groups:
        for exchange in dict.fromkeys(point.exchange for point in group.points):
            columns = columns_of(group, exchange)
            if not columns:
                continue
            title = ", ".join(filter(None, [group.title(), exchange, group.extra_text()]))
            yield "\n\n".join([f"### {title}", f"This run: {results.machine()}.", table_of(columns),
                               "\n".join(remarks_of(group, not all(column.own for column in columns)))]) + "\n"
