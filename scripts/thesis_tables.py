#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Prints how much of the communication an overlap hides, in Markdown: Tables 5.1 and 5.2 of the deep-halo thesis.

One table for each grid and exchange of a results.json that has points with and without overlap at several depths (such as
that of input/thesis_h200.toml). Where the thesis measured the same, its V100 (Table 5.1) and A100 (Table 5.2) stand beside.

Exit code 0: done; 2: the input is no results.json of haloheap, or has no such points.
"""

import argparse
import sys

import plot

COMMUNICATION = ("message_s", "desynchronisation_s", "unpack_s")
OVERLAPS = ("first_step", "all_steps")
THESIS_TABLE = {"V100": "Table 5.1", "A100": "Table 5.2"}  # of sync on the largest grid
THESIS_SIDE = 35000
OWN = "this run"


def rows_of(samples, exchange, overlap):
    """{depth: (communication, time saved by the overlap, share hidden)}; seconds."""
    by_version = {(sample.version, sample.depth): sample for sample in samples}
    rows = {}
    for (version, depth), overlapped in by_version.items():
        serial = by_version.get(((exchange, "none"), depth))
        if version != (exchange, overlap) or serial is None or not serial.phases:
            continue
        communication = sum(serial.phases.get(key, 0.0) for key in COMMUNICATION)
        saved = serial.time - overlapped.time
        rows[depth] = (communication, saved, saved / communication if communication > 0 else None)
    return rows


def columns_of(group, exchange):
    """[(heading, rows)]: this run's overlaps, then the thesis'."""
    columns = [(f"{OWN}, {overlap}", rows_of(group.samples, exchange, overlap)) for overlap in OVERLAPS]
    columns = [(heading, rows) for heading, rows in columns if rows]
    if not columns:
        return []
    thesis = plot.thesis_samples(group.work, group.ranks)
    for gpu, table in THESIS_TABLE.items():
        rows = rows_of(thesis.get(gpu, []), exchange, "first_step")
        printed = exchange == "sync" and group.work["size"][0] == THESIS_SIDE
        columns += [(f"thesis, {gpu}" + (f" ({table})" if printed else ""), rows)] if rows else []
    return columns


def cells_of(row):
    if row is None:
        return ["-", "-", "-"]
    communication, saved, share = row
    return [f"{communication:.4f}", f"{saved:.4f}", "-" if share is None else f"{100 * share:.1f}"]


def table_of(columns):
    """Lines of a Markdown table with a row for each depth of this run."""
    heads = [f"{heading}: {what}" for heading, _ in columns for what in ("communication [s]", "saved [s]", "hidden [%]")]
    depths = sorted(set().union(*(rows for heading, rows in columns if heading.startswith(OWN))))
    lines = [[str(depth)] + [cell for _, rows in columns for cell in cells_of(rows.get(depth))] for depth in depths]
    rule = ["---:"] * (1 + len(heads))
    return [f"| {' | '.join(line)} |" for line in [["depth", *heads], rule, *lines]]


def remarks_of(group, with_thesis):
    lines = ["Communication: message + desynchronisation + unpack of the run without overlap; saved: its time less the "
             "overlapped run's; hidden: saved / communication."]
    if not any("desynchronisation_s" in (sample.phases or {}) for sample in group.samples):
        lines.append("This run had no barrier (run.desynchronisation): waiting for slower ranks is part of message.")
    if with_thesis:
        scaled = "" if group.work["steps"] == plot.THESIS_STEPS else \
            f", its seconds scaled from {plot.THESIS_STEPS} to {group.work['steps']} steps"
        lines.append(f"The thesis' columns follow from the means in its appendix C{scaled}.")
    return lines


def tables(document):
    """Markdown, a text for each table."""
    groups, _ = plot.split([point for point in document["points"] if "exchange_s" not in point])
    for group in groups:
        for exchange in dict.fromkeys(version[0] for version in group.versions()):
            columns = columns_of(group, exchange)
            if not columns:
                continue
            title = ", ".join([group.title(), exchange] + [f"{key} = {plot.word(value)}" for key, value in group.extra])
            with_thesis = any(heading.startswith("thesis") for heading, _ in columns)
            parts = [f"### {title}", f"This run: {plot.machine(document['provenance'])}.", "\n".join(table_of(columns)),
                     "\n".join(remarks_of(group, with_thesis))]
            yield "\n\n".join(parts) + "\n"


def main(arguments):
    parser = argparse.ArgumentParser(prog="thesis_tables.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("results", help="results.json of a run")
    options = parser.parse_args(arguments)
    try:
        found = list(tables(plot.load(options.results)))
    except plot.BadInput as error:
        print(f"thesis_tables.py: {error}", file=sys.stderr)
        return 2
    if not found:
        print(f"thesis_tables.py: '{options.results}' has no points with and without overlap at several depths, or no phase "
              'times: use halo.overlap=["none","first_step"], several of halo.depth, and run.phases=true', file=sys.stderr)
        return 2
    print("\n".join(found), end="")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
