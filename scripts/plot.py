#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws the figures of a results.json, or of several together, as PNG files.

Time, phases and hidden share against halo depth where the depth varies; the time of a step against it with a curve for each
number of fused steps where that varies too; bars of GCells/s where no depth varies; the time of an exchange against its
bytes and the terms of an overlap where they were measured; what the problems of in-kernel allocators measure, each quantity
with a line or a bar for each allocator; what a transfer between host and device takes against bytes and streams. Where a
deck is one of the deep-halo thesis' experiments, its measurements stand beside.

Of several files the points are taken together, whatever folders their runs wrote to: a sweep over depths without fused steps
and one with them are two runs, since a halo is never less deep than the steps that are fused.

Exit code 0: done; 2: an input is no results.json of haloheap; 3: matplotlib is missing; 5: cannot write.
"""

import argparse
import collections
import csv
import json
import math
import pathlib
import re
import sys

THESIS_CSV = pathlib.Path(__file__).resolve().parent / "data" / "deep_halo_thesis_tables.csv"
THESIS_STEPS = 2048
THESIS_RANKS = 4
THESIS_OVERLAP = {"serial": "none", "overlap": "first_step"}

# Okabe and Ito's palette: distinct for colour-blind readers; the markers and dashes tell the same apart in grey.
VERSION_STYLE = {
    ("sync", "none"): ("#0072B2", "o"),
    ("sync", "first_step"): ("#D55E00", "s"),
    ("async", "none"): ("#56B4E9", "^"),
    ("async", "first_step"): ("#E69F00", "D"),
    ("sync", "all_steps"): ("#009E73", "v"),
    ("async", "all_steps"): ("#CC79A7", "P"),
}
SPARE_STYLES = [("#000000", "X"), ("#666666", "*")]
ALL_STYLES = [*VERSION_STYLE.values(), *SPARE_STYLES]
# In the order of the time line: what is packed, sent, waited for and unpacked, then the computation.
PHASES = [
    ("pack_s", "pack", "#56B4E9"),
    ("message_s", "message", "#0072B2"),
    ("desynchronisation_s", "desynchronisation", "#000000"),
    ("unpack_s", "unpack", "#009E73"),
    ("inner_s", "inner cells", "#F0E442"),
    ("outer_s", "outer cells", "#CC79A7"),
    ("primary_s", "whole-subdomain steps", "#D55E00"),
]

# Of an overlap, each measured by itself.
TERMS = [
    ("serial_s", "without overlap", "#0072B2"),
    ("overlapped_s", "overlapped", "#009E73"),
    ("exchange_s", "exchanges alone", "#56B4E9"),
    ("interior_s", "interior alone", "#E69F00"),
]

# One curve's sample. `phases` is a dict of seconds or None; `low` and `high` bound the time over repetitions; `fused` is the
# number of steps that a pass over memory makes.
Sample = collections.namedtuple("Sample", "version depth time low high phases hidden fused", defaults=(1,))


class BadInput(Exception):
    pass


# ---------------------------------------------------------------------------------------------------- input


def finite(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def load(path):
    """The document, checked as far as the figures need it."""
    try:
        with open(path, encoding="utf-8") as file:
            document = json.load(file)
    except (OSError, ValueError) as error:
        raise BadInput(f"cannot read '{path}': {error}") from error
    if not isinstance(document, dict) or document.get("format") != "haloheap-results":
        raise BadInput(f"'{path}' is not a results.json of haloheap: no \"format\": \"haloheap-results\"")
    if document.get("format_version") != 1:
        raise BadInput(f"'{path}' has format version {document.get('format_version')}; this script reads version 1")
    points = document.get("points")
    if not isinstance(points, list) or not points:
        raise BadInput(f"'{path}' has no points: the run did not finish one")
    for number, point in enumerate(points):
        try:
            point["wall_s"]["median"], point["path"]["exchange"], point["path"]["overlap"], point["path"]["transport"]
            point["deck"].items(), point["swept"].items(), point["ranks"], point["rank_grid"]
            point["work"]["problem"], point["work"]["size"], point["work"]["steps"], point["work"]["scalar"]
        except (KeyError, TypeError, AttributeError) as error:
            raise BadInput(f"'{path}', point {number}: missing or malformed: {error}") from error
    if not isinstance(document.get("provenance"), dict):
        raise BadInput(f"'{path}' has no provenance")
    completion = document.get("completion", {})  # older files, which were written at the end, have none
    if completion.get("complete") is False:
        print(f"'{path}' is not complete: {len(points)} of {completion.get('planned_points')} points", file=sys.stderr)
    return document


def load_all(paths):
    """One document with the points of all files and the provenance of the first; what differs between them counts as swept."""
    first, *others = [load(path) for path in paths]
    if not others:
        return first
    points = [point for document in (first, *others) for point in document["points"]]
    values = collections.defaultdict(set)
    for point in points:
        for key, value in what_counts(point["deck"]).items():
            values[key].add(json.dumps(value))
    for point in points:
        point["swept"].update((key, value) for key, value in point["deck"].items() if len(values[key]) > 1)
    for path, document in zip(paths[1:], others):
        if machine({**document["provenance"], "start_time": ""}) != machine({**first["provenance"], "start_time": ""}):
            print(f"the figures name the machine of '{paths[0]}' only; '{path}' is of {machine(document['provenance'])}")
    return {**first, "points": points}


def what_counts(deck, *apart_from):
    """Without the keys that say where results go."""
    return {key: value for key, value in deck.items() if key not in apart_from and not key.startswith("output.")}


def version_of(point):
    return point["path"]["exchange"], point["path"]["overlap"]


def fused_of(point):
    return point["deck"].get(FUSED, 1)


def sample_of(point):
    wall = point["wall_s"]
    phases = point.get("phases")
    if phases is not None:
        phases = {key: value for key, value in phases.items() if finite(value)}
    return Sample(
        version=version_of(point),
        depth=point["deck"]["halo.depth"],
        time=wall["median"],
        low=wall["minimum"] if finite(wall.get("minimum")) else wall["median"],
        high=wall["maximum"] if finite(wall.get("maximum")) else wall["median"],
        phases=phases,
        hidden=point.get("hidden_share"),
        fused=fused_of(point),
    )


def thesis_samples(work, ranks):
    """{gpu: samples} of the thesis for this work, scaled to its number of steps; empty where the deck is another."""
    size = work["size"]
    if (work["problem"], work["scalar"], ranks) != ("heat2d", "float", THESIS_RANKS) or work.get("quantities", 1) != 1:
        return {}
    if len(size) != 2 or size[0] != size[1] or not work["steps"]:
        return {}
    scale = work["steps"] / THESIS_STEPS
    rows = {}
    with open(THESIS_CSV, encoding="utf-8") as file:
        for row in csv.DictReader(line for line in file if not line.startswith("#")):
            if int(row["side"]) == size[0]:
                rows[row["gpu"], row["exchange"], row["schedule"], int(row["depth"])] = row
    samples = collections.defaultdict(list)
    for (gpu, exchange, schedule, depth), row in rows.items():
        hidden = None
        if schedule == "overlap":
            serial = rows[gpu, exchange, "serial", depth]
            communication = sum(float(serial[key]) for key in ("message_s", "desync_s", "unpack_s"))
            hidden = (float(serial["execution_s"]) - float(row["execution_s"])) / communication
        phases = {key: scale * float(row[key]) for key, _, _ in PHASES if key in row}
        phases["desynchronisation_s"] = scale * float(row["desync_s"])
        time = scale * float(row["execution_s"])
        samples[gpu].append(Sample((exchange, THESIS_OVERLAP[schedule]), depth, time, time, time, phases, hidden))
    return dict(samples)


# -------------------------------------------------------------------------------------------------- grouping


class Group:
    """The points of one figure: they differ in nothing but depth, exchange, overlap and, in a figure of it, fused steps."""

    def __init__(self, first):
        self.work, self.ranks, self.rank_grid = first["work"], first["ranks"], first["rank_grid"]
        self.swept, self.samples, self.extra = dict(first["swept"]), [], []

    def title(self):
        work = self.work
        quantities = f", {work['quantities']} quantities" if work.get("quantities", 1) != 1 else ""
        text = f"{work['problem']}, {shape(work['size'])} {work['scalar']}{quantities}, {work['steps']} steps, "
        text += f"{self.ranks} rank{'s' if self.ranks != 1 else ''}"
        return text + (f" ({shape(self.rank_grid)})" if len(self.rank_grid) else "")

    def versions(self):
        return ordered(sample.version for sample in self.samples)


EXCHANGE = "Time of an exchange"
FIGURE_KEYS = ("halo.depth", "halo.exchange", "halo.overlap")
FUSED = "stencil.fused_steps"


def grouped(points, figure_keys):
    """[(group, its points)]: they differ in nothing but these keys."""
    groups, members = {}, collections.defaultdict(list)
    for point in points:
        name = json.dumps([what_counts(point["deck"], *figure_keys), point["ranks"], point["work"]], sort_keys=True)
        groups.setdefault(name, Group(point))
        members[name].append(point)
    return [(group, members[name]) for name, group in groups.items()]


def depth_varies(points):
    depths = {point["deck"].get("halo.depth") for point in points}
    return len(depths) > 1 and all(isinstance(depth, int) and depth > 0 for depth in depths)


def samples_of(points):
    return [sample_of(point) for point in points if finite(point["wall_s"]["median"])]


def split(points):
    """Groups in which the depth varies, and the points outside of such groups."""
    with_depth, others = [], []
    for group, members in grouped(points, FIGURE_KEYS):
        if depth_varies(members):
            group.samples = samples_of(members)
            with_depth.append(group)
        else:
            others.extend(members)
    name_groups(with_depth, FIGURE_KEYS)
    return with_depth, [point for point in others if finite(point.get("gcells_per_s"))]


def fused_groups(points):
    """Groups in which the depth varies and, at the same exchange and overlap, the number of fused steps."""
    keys, found = (*FIGURE_KEYS, FUSED), []
    for group, members in grouped(points, keys):
        numbers = collections.defaultdict(set)
        for point in members:
            numbers[version_of(point)].add(fused_of(point))
        members = [point for point in members if len(numbers[version_of(point)]) > 1]
        group.samples = samples_of(members) if depth_varies(members) else []
        if group.samples and group.work["steps"]:
            found.append(group)
    name_groups(found, keys)
    return found


def name_groups(groups, figure_keys):
    """Finds which swept keys tell the groups apart beyond what their titles say, and gives each a file name."""
    keys = list(dict.fromkeys(key for group in groups for key in group.swept if key not in figure_keys))
    differing = [key for key in keys if len({json.dumps(group.swept.get(key)) for group in groups}) > 1]
    told = [key for key in differing if all(group.swept.get(key) in group.work.values() for group in groups)]
    used = set()
    for group in groups:
        group.extra = [(key, group.swept.get(key)) for key in differing if key not in told]
        parts = [group.work["problem"], "x".join(map(str, group.work["size"])), group.work["scalar"]]
        parts += [str(value) for _, value in group.extra]
        stem = re.sub(r"[^A-Za-z0-9.-]+", "_", "_".join(parts)).strip("_")
        group.stem, number = stem, 2
        while group.stem in used:
            group.stem, number = f"{stem}_{number}", number + 1
        used.add(group.stem)


def word(value):
    """A deck's value, spelt as in a deck."""
    return str(value).lower() if isinstance(value, bool) else str(value)


def shape(numbers):
    return " x ".join(map(str, numbers))


def machine(provenance):
    """'Cuda on 4 x NVIDIA H200, Open MPI 4.1.4, 2026-01-02'"""
    # The name is enough here; number, memory and driver of each device stand in results.json.
    names = (re.sub(r"^\w+ device \d+: ", "", device).split(",")[0] for device in provenance.get("devices", []))
    counts = collections.Counter(names)
    devices = ", ".join(f"{n} x {name}" if n > 1 else name for name, n in counts.items())
    parts = [f"{provenance.get('execution_space', '')} on {devices}" if devices else provenance.get("execution_space")]
    parts += [str(provenance.get("mpi_library", "")).split(",")[0][:40], str(provenance.get("start_time", ""))[:10]]
    return ", ".join(part for part in parts if part)


# --------------------------------------------------------------------------------------------------- drawing


def style_of(version, versions):
    if version in VERSION_STYLE:
        return VERSION_STYLE[version]
    unknown = [v for v in versions if v not in VERSION_STYLE]
    return SPARE_STYLES[unknown.index(version) % len(SPARE_STYLES)]


def ordered(versions):
    """Each version once, the known ones first: the same order in every figure."""
    known = list(VERSION_STYLE)
    return sorted(dict.fromkeys(versions), key=lambda v: known.index(v) if v in known else len(known))


def name_of(version):
    return f"{version[0]}, overlap {version[1]}"


def depth_axis(axes, depths):
    from matplotlib import ticker

    depths = sorted(depths)
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(ticker.FixedLocator(depths))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlim(depths[0] / 2**0.3, depths[-1] * 2**0.3)
    axes.set_xlabel("halo depth [steps per exchange]")
    axes.grid(True, color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)


def sources_of(group):
    """[(panel title, samples, dashed)]: this run first."""
    sources = [("this run", group.samples, False)]
    for gpu, samples in sorted(thesis_samples(group.work, group.ranks).items()):
        sources.append((f"thesis, 4 {gpu} nodes", samples, True))
    return sources


def frame(figure, heading, handles, remarks):
    """Title above, legend and remarks below; the panels get the rest. Inches, so that it suits every figure height."""
    width, height = figure.get_size_inches()
    entry_width = 0.9 + 0.085 * max(map(len, handles), default=0)
    legend_rows = math.ceil(len(handles) / max(1, int(width / entry_width)))
    columns = math.ceil(len(handles) / max(1, legend_rows))
    remark_height = 0.1 + 0.18 * len(remarks)
    bottom = remark_height + 0.26 * legend_rows + 0.05
    top = 0.3 * len(heading) + 0.15
    figure.tight_layout(rect=(0, bottom / height, 1, 1 - top / height))
    figure.text(0.5, 1 - 0.12 / height, "\n".join(heading), ha="center", va="top", fontsize=13)
    figure.text(0.5, 0.06 / height, "\n".join(remarks), ha="center", va="bottom", fontsize=9, color="#555555")
    if handles:
        figure.legend(list(handles.values()), list(handles), loc="lower center", ncol=columns,
                      bbox_to_anchor=(0.5, remark_height / height), frameon=False, fontsize=10)


def heading(group, what):
    lines = [f"{what}: {group.title()}"]
    return lines + [", ".join(f"{key} = {word(value)}" for key, value in group.extra)] if group.extra else lines


def remarks(provenance, group, with_thesis, *others):
    first = [text for text in others if text]
    if with_thesis and group.work["steps"] != THESIS_STEPS:
        first.append(f"thesis times scaled from {THESIS_STEPS} to {group.work['steps']} steps")
    return (["; ".join(first)] if first else []) + ["this run: " + machine(provenance)]


def curves_of(samples, value):
    """[(version, samples by depth)] of the versions that have the value."""
    for version in ordered(sample.version for sample in samples):
        curve = [s for s in samples if s.version == version and finite(value(s))]
        if curve:
            yield version, sorted(curve, key=lambda s: s.depth)


def draw_time(plt, group, provenance):
    sources = sources_of(group)
    count = len(sources)
    figure, panels = plt.subplots(1, count, figsize=(max(8.5, 4.7 * count), 5.6), squeeze=False)
    handles = {}
    for axes, (name, samples, dashed) in zip(panels[0], sources):
        for version, curve in curves_of(samples, lambda s: s.time):
            color, marker = style_of(version, group.versions())
            ranges = [[s.time - s.low for s in curve], [s.high - s.time for s in curve]]
            line = axes.errorbar(
                [s.depth for s in curve], [s.time for s in curve], yerr=None if dashed else ranges, color=color,
                marker=marker, markersize=6, linestyle="--" if dashed else "-", capsize=3, linewidth=1.6,
            )
            handles.setdefault(name_of(version), line)
        axes.set_title(name if count > 1 else "", fontsize=11)
        axes.set_ylabel("time for all steps [s]")
        depth_axis(axes, {sample.depth for sample in samples})
    own_axes = "each panel has its own time axis, not from zero" if count > 1 else "the time axis is not from zero"
    notes = remarks(provenance, group, count > 1, "bars: fastest and slowest repetition", own_axes)
    frame(figure, heading(group, "Time against halo depth"), handles, notes)
    return figure


def draw_fused(plt, group, provenance):
    """A panel for each exchange and overlap, in it a curve for each number of fused steps."""
    versions, numbers = group.versions(), sorted({sample.fused for sample in group.samples})
    columns = len(versions) if len(versions) <= 3 else math.ceil(len(versions) / 2)
    rows = math.ceil(len(versions) / columns)
    size = (max(9, 5.2 * columns), 1.9 + 3.7 * rows)
    figure, panels = plt.subplots(rows, columns, figsize=size, squeeze=False, sharey=True)
    for axes, version in zip(panels.flat, versions):
        for number, style in zip(numbers, ALL_STYLES):
            curve = [s for s in group.samples if (s.version, s.fused) == (version, number)]
            if curve:
                fused_curve(axes, sorted(curve, key=lambda s: s.depth), 1e6 / group.work["steps"], *style)
        axes.set_title(name_of(version), fontsize=11)
        axes.legend(fontsize=10)
        depth_axis(axes, {sample.depth for sample in group.samples})
    for axes in panels[:, 0]:
        axes.set_ylabel("time of a step [µs]")
    for axes in panels.flat[len(versions):]:
        axes.set_visible(False)
    notes = ["a pass over memory makes so many steps, at most as many as the halo is deep; ring: the curve's shortest time"]
    notes += remarks(provenance, group, False, "bars: fastest and slowest repetition", "the time axis is not from zero")
    frame(figure, heading(group, "Fused steps and halo depth"), {}, notes)
    return figure


def fused_curve(axes, curve, scale, color, marker):
    """The samples' times by the scale, and a ring around the shortest, which the legend names."""
    best = min(curve, key=lambda s: s.time)
    label = f"{best.fused} step{'s' if best.fused != 1 else ''} a pass, best: depth {best.depth}"
    ranges = [[scale * (s.time - s.low) for s in curve], [scale * (s.high - s.time) for s in curve]]
    axes.errorbar([s.depth for s in curve], [scale * s.time for s in curve], yerr=ranges, color=color, marker=marker,
                  markersize=6, capsize=3, linewidth=1.6, label=label)
    axes.plot([best.depth], [scale * best.time], "o", color=color, markersize=13, markerfacecolor="none", markeredgewidth=1.8)


def draw_phases(plt, group, provenance):
    sources = [(n, [s for s in samples if s.phases], d) for n, samples, d in sources_of(group)]
    versions = ordered(s.version for s in sources[0][1])
    if not versions:
        return None
    rows, columns = len(sources), len(versions)
    size = (max(8.5, 1.2 + 3.6 * columns), 1.8 + 3.1 * rows)
    figure, panels = plt.subplots(rows, columns, figsize=size, squeeze=False, sharey="row")
    handles = {}
    for row, (name, samples, _) in zip(panels, sources):
        for axes, version in zip(row, versions):
            curve = sorted((s for s in samples if s.version == version), key=lambda s: s.depth)
            handles.update(stack(axes, curve))
            axes.set_title(f"{name}\n{name_of(version)}" if rows > 1 else name_of(version), fontsize=10)
        tallest = max(max(s.time, sum(s.phases.values())) for s in samples if s.version in versions)
        row[0].set_ylim(0, 1.05 * tallest)
        row[0].set_ylabel("time for all steps [s]")
    for axes in panels[-1]:
        axes.set_xlabel("halo depth [steps per exchange]")
    handles = {label: handles[label] for label in [label for _, label, _ in PHASES] + ["wall time"] if label in handles}
    note = "with overlap, inner cells are computed while messages travel: that stack may exceed the wall time"
    notes = remarks(provenance, group, rows > 1, note if any(v[1] != "none" for v in versions) else "")
    frame(figure, heading(group, "Phases against halo depth"), handles, notes)
    return figure


def stack(axes, curve):
    """One bar a depth, in equal distances: halo depths are powers of two."""
    handles, base = {}, [0.0] * len(curve)
    for key, label, color in PHASES:
        heights = [s.phases.get(key, 0.0) for s in curve]
        if any(heights):
            bars = axes.bar(range(len(curve)), heights, 0.75, base, color=color, edgecolor="white", linewidth=0.4)
            handles[label] = bars
        base = [b + h for b, h in zip(base, heights)]
    line = axes.plot(range(len(curve)), [s.time for s in curve], "_", color="black", markersize=17, markeredgewidth=2)
    handles["wall time"] = line[0]
    axes.set_xticks(range(len(curve)))
    axes.set_xticklabels([str(s.depth) for s in curve])
    axes.grid(True, axis="y", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    return handles


def draw_hidden(plt, group, provenance):
    if not any(finite(sample.hidden) for sample in group.samples):
        return None
    figure, axes = plt.subplots(figsize=(8.5, 5.6))
    handles, depths = {}, set()
    dashes = {"this run": "-"}
    for name, samples, _ in sources_of(group):
        dash = dashes.setdefault(name, ("--", ":")[(len(dashes) - 1) % 2])
        for version, curve in curves_of(samples, lambda s: s.hidden):
            color, marker = style_of(version, group.versions())
            line = axes.plot(
                [s.depth for s in curve], [100 * s.hidden for s in curve], dash, color=color, marker=marker,
                markersize=7 if dash == "-" else 4.5, linewidth=2.2 if dash == "-" else 1.3,
            )
            handles[f"{version[0]} {version[1]}, {name}"] = line[0]
            depths.update(s.depth for s in curve)
    depth_axis(axes, depths)
    axes.axhline(0, color="#444444", linewidth=1)
    axes.set_ylabel("communication hidden by the overlap [%]")
    formula = "(time without overlap - time with it) / (message + desynchronisation + unpack)"
    notes = [formula + "; negative: overlap costs time"] + remarks(provenance, group, False)
    frame(figure, heading(group, "Hidden communication"), handles, notes)
    return figure


def varying_keys(points):
    keys = list(dict.fromkeys(key for point in points for key in point["swept"]))
    return [key for key in keys if len({json.dumps(point["swept"].get(key)) for point in points}) > 1]


def title_of(points, what):
    """Names the problem; the rest too where it is the same for all."""
    if len({json.dumps([point["work"], point["ranks"]]) for point in points}) > 1:
        return f"{what}: {', '.join(sorted({point['work']['problem'] for point in points}))}"
    return f"{what}: {Group(points[0]).title()}"


def draw_exchange(plt, points, provenance):
    """Time of an exchange against what the busiest rank sends in it, a curve for each way; bars where only that varies."""
    sizes = ("halo.depth", "grid.size")
    varying = varying_keys(points)
    curves = collections.defaultdict(list)
    for point in points:
        way = ", ".join(word(point["swept"].get(key)) for key in varying if key not in sizes)
        curves[way or point["path"]["transport"]].append(point)
    notes = ["packing, sending and unpacking, with nothing else running", "this run: " + machine(provenance)]
    if all(len(curve) == 1 for curve in curves.values()):
        return bars_of_exchange(plt, {way: curve[0] for way, curve in curves.items()}, title_of(points, EXCHANGE), notes)
    figure, axes = plt.subplots(figsize=(8.5, 5.6))
    handles = {}
    for number, (way, curve) in enumerate(curves.items()):
        curve.sort(key=lambda point: point["bytes_per_exchange"])
        color, marker = ALL_STYLES[number % len(ALL_STYLES)]
        line = axes.plot([point["bytes_per_exchange"] / 1024 for point in curve],
                         [1e6 * point["exchange_s"] for point in curve], color=color, marker=marker, markersize=6,
                         linewidth=1.6, linestyle="-" if number < len(ALL_STYLES) else "--")
        handles[way] = line[0]
    if all(point["bytes_per_exchange"] > 0 for point in points):
        axes.set_xscale("log")
        plain_numbers(axes.xaxis, [point["bytes_per_exchange"] for point in points])
    axes.set_yscale("log")
    plain_numbers(axes.yaxis, [point["exchange_s"] for point in points])
    axes.set_xlabel("sent by the busiest rank in an exchange [KiB]")
    axes.set_ylabel("time of an exchange [µs]")
    axes.grid(True, which="both", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    frame(figure, [title_of(points, EXCHANGE)], handles, notes)
    return figure


def bars_of_exchange(plt, points, title, notes):
    figure, axes = plt.subplots(figsize=(9, 2.4 + 0.45 * len(points)))
    times = [1e6 * point["exchange_s"] for point in points.values()]
    axes.barh(range(len(points)), times, 0.72, color="#0072B2")
    for row, (point, time) in enumerate(zip(points.values(), times)):
        axes.text(time, row, f" {time:.3g} µs  ({point['bytes_per_exchange'] / 1024:.4g} KiB)", va="center", fontsize=9)
    axes.set_yticks(range(len(points)))
    axes.set_yticklabels(list(points), fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.3 * max(times))
    axes.set_xlabel("time of an exchange [µs]")
    axes.grid(True, axis="x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    frame(figure, [title], {}, notes)
    return figure


def plain_numbers(axis, values):
    """On a logarithmic axis; between the powers of ten too where there are few of them."""
    from matplotlib import ticker

    axis.set_major_locator(ticker.LogLocator(10, (1, 2, 5) if max(values) < 1e3 * min(values) else (1,)))
    axis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axis.set_minor_formatter(ticker.NullFormatter())


def draw_overlap(plt, points, provenance):
    """Four bars a point, and what follows from them."""
    varying = varying_keys(points)
    labels = ["\n".join(f"{key} = {word(point['swept'].get(key))}" for key in varying) for point in points]
    figure, axes = plt.subplots(figsize=(9.5, 2.2 + 1.05 * len(points)))
    handles, longest = {}, max(finite_terms(point)[key] for point in points for key, _, _ in TERMS)
    for number, (key, label, color) in enumerate(TERMS):
        rows = [row + 0.2 * (number - 1.5) for row in range(len(points))]
        handles[label] = axes.barh(rows, [finite_terms(point)[key] for point in points], 0.19, color=color)
    for row, point in enumerate(points):
        terms = finite_terms(point)
        shares = [f"{name} {100 * terms[name]:.0f} %" for name in ("hidden", "efficiency") if finite(terms.get(name))]
        axes.text(1.02 * max(terms[key] for key, _, _ in TERMS), row, "\n".join(shares), va="center", fontsize=9)
    axes.set_yticks(range(len(points)))
    axes.set_yticklabels(labels if varying else [shape(point["work"]["size"]) for point in points], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.25 * longest)
    axes.set_xlabel("time for all steps [s]")
    axes.grid(True, axis="x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    notes = ["hidden: saved time / exchanges alone; efficiency: saved time / the shorter of exchanges and interior"]
    frame(figure, [title_of(points, "Overlap")], handles, notes + ["this run: " + machine(provenance)])
    return figure


def finite_terms(point):
    return {key: value for key, value in point["overlap_terms"].items() if finite(value)}


def draw_bars(plt, points, provenance):
    varying = varying_keys(points)
    labels = ["\n".join(f"{key} = {word(point['swept'].get(key))}" for key in varying) for point in points]
    rates = [point["gcells_per_s"] for point in points]
    line_height = 0.2 * max(1, len(varying)) + 0.18
    figure, axes = plt.subplots(figsize=(9, 2.0 + line_height * len(points)))
    axes.barh(range(len(points)), rates, 0.72, color="#0072B2")
    for row, (point, rate) in enumerate(zip(points, rates)):
        share = point.get("fraction_of_copy")
        text = f" {rate:.3g}" + (f"  ({100 * share:.0f} % of copy)" if finite(share) else "")
        axes.text(rate, row, text, va="center", fontsize=9)
    axes.set_yticks(range(len(points)))
    axes.set_yticklabels(labels if varying else [shape(point["work"]["size"]) for point in points], fontsize=9)
    axes.invert_yaxis()
    axes.set_xlim(0, 1.3 * max(rates + [1e-12]))
    axes.set_xlabel("GCells/s (useful cell updates, 10$^9$ a second)")
    axes.grid(True, axis="x", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    title = [title_of(points, "Throughput")]
    notes = ["% of copy: effective bandwidth over that of a plain copy in the same run"]
    any_share = any(finite(point.get("fraction_of_copy")) for point in points)
    frame(figure, title, {}, (notes if any_share else []) + ["this run: " + machine(provenance)])
    return figure


# ------------------------------------------------------------------------------------------------------ main


def figures(document):
    """Yields (file stem, draw function, reason why there may be none)."""
    import allocator_figures
    import transfer_figures

    provenance = document["provenance"]
    exchanges = [point for point in document["points"] if finite(point.get("exchange_s"))]
    overlaps = [point for point in document["points"]
                if "overlap_terms" in point and all(key in finite_terms(point) for key, _, _ in TERMS)]
    if exchanges:
        yield "exchange", lambda plt: draw_exchange(plt, exchanges, provenance), ""
    if overlaps:
        yield "overlap", lambda plt: draw_overlap(plt, overlaps, provenance), ""
    yield from allocator_figures.figures(document)
    yield from transfer_figures.figures(document)
    rest = [point for point in document["points"] if "exchange_s" not in point and not point.get("figures")]
    if not rest:
        return
    groups, others = split(rest)
    if exchanges and not groups and not others:
        return
    if not groups:
        print("no figures against depth: halo.depth does not vary in this run")
    for group in groups:
        kinds = [
            ("time", draw_time, ""),
            ("phases", draw_phases, "no point has phases (switch the phase timers on in the deck)"),
            ("hidden", draw_hidden, "no point has a hidden share (it takes halo.overlap with none, and phase timers)"),
        ]
        for kind, draw, reason in kinds:
            yield f"{kind}_{group.stem}", lambda plt, d=draw, g=group: d(plt, g, provenance), reason
    for group in fused_groups(rest):
        yield f"fused_{group.stem}", lambda plt, g=group: draw_fused(plt, g, provenance), ""
    if others:
        yield "throughput", lambda plt: draw_bars(plt, others, provenance), ""
    elif not groups:
        print("no throughput figure: no point has a rate")


def draw_all(document, folder):
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    for stem, draw, reason in figures(document):
        figure = draw(plt)
        if figure is None:
            print(f"no figure {stem}: {reason}")
            continue
        path = folder / f"{stem}.png"
        figure.savefig(path, dpi=130)
        plt.close(figure)
        print(f"wrote {path}")


def main(arguments):
    parser = argparse.ArgumentParser(prog="plot.py", description=__doc__.split("\n\n")[0])
    parser.add_argument("results", nargs="+", help="results.json of a run; of several runs the points are taken together")
    parser.add_argument("-o", "--output", type=pathlib.Path,
                        help="folder for the pictures (default: beside the first input)")
    options = parser.parse_args(arguments)
    folder = options.output or pathlib.Path(options.results[0]).resolve().parent
    try:
        document = load_all(options.results)
        folder.mkdir(parents=True, exist_ok=True)
        draw_all(document, folder)
    except BadInput as error:
        print(f"plot.py: {error}", file=sys.stderr)
        return 2
    except ImportError as error:
        print(f"plot.py: {error}; it needs matplotlib (Debian: apt-get install python3-matplotlib)", file=sys.stderr)
        return 3
    except OSError as error:
        print(f"plot.py: cannot write: {error}", file=sys.stderr)
        return 5
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
