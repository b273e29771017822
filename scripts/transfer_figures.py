# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of problems transfer and vector_add, for plot.py, as in "Design Space Exploration of GPU Accelerated Cluster
Systems for Optimal Data Transfer Using PCIe Bus".

Time a byte against bytes without streams, a line for each mode (Figures 3 and 5), where several sizes were measured; against
streams, a line for each schedule (Figures 4 and 6), where several numbers of streams were; otherwise bars of all versions.
"""

import collections
import json
import math
import re
import statistics

import allocator_figures
import plot

PROBLEMS = ("transfer", "vector_add")
BOUNDS = ("communication", "balanced", "compute")
NONE = "none"
SCHEDULES = (NONE, "depth_first", "breadth_first")
PAPERS_TYPE = {NONE: "none: one stream", "depth_first": "depth_first (type I)", "breadth_first": "breadth_first (type II)"}
# What tells the points of one group apart.
KEYS = ("problem", *(f"transfer.{name}" for name in ("mode", "schedule", "streams", "bytes", "bound", "iterations")))

# The paper's three memories have the strong colours; what is akin to one shares its hue, and markers tell all apart in grey.
MODE_STYLE = {
    "pageable": ("#D55E00", "o"),
    "pinned": ("#0072B2", "s"),
    "managed": ("#009E73", "^"),
    "write_combined": ("#56B4E9", "D"),
    "registered": ("#E69F00", "v"),
    "staged": ("#A6761D", "P"),
    "stream_ordered": ("#332288", ">"),
    "batched": ("#7B9FE0", "<"),
    "graph": ("#000000", "X"),
    "managed_prefetch": ("#66A61E", "p"),
    "managed_advise": ("#A6A800", "h"),
    "mapped": ("#CC79A7", "d"),
    "system": ("#666666", "*"),
}
MODES = list(MODE_STYLE)
OTHER_MODES = [("#8C564B", "H"), ("#AA4499", "8")]
SCHEDULE_STYLE = {NONE: ("#000000", "o"), "depth_first": ("#D55E00", "s"), "breadth_first": ("#0072B2", "^")}
OTHER_STYLE = ("#666666", "*")

QUANTITIES = {"total": "whole run", "up": "copies up", "kernel": "kernel", "down": "copies down"}
UNITS = {"µs": 1, "ms": 1e-3, "s": 1e-6}  # of µs
LEAST = "least time possible (bound_us)"
RANGES = "ranges: fastest to slowest repetition"
EMULATED = "the link is emulated"
MARKERS = 16  # on a line, at most: more would hide it
WIDE = 4  # longest over shortest time in a panel: beyond, the axis is logarithmic
FEW_SIZES = 4  # up to here bars of each, beyond lines

# One version at one size. `low` and `high` are the fastest and slowest repetition's µs, or None.
Run = collections.namedtuple("Run", "mode schedule streams bytes bound figures low high notes")
# Runs that differ in nothing but what Run says; `extra` is [[key, value]] of what else tells this group from others.
Group = collections.namedtuple("Group", "problem extra runs provenance")


# ---------------------------------------------------------------------------------------------------- input


def run_of(point):
    """None where the deck has not what a run needs."""
    problem, deck = point["work"]["problem"], point["deck"]
    mode, schedule, streams, size, bound = (deck.get(key) for key in KEYS[1:6])
    if problem == "vector_add":
        bound = BOUNDS[0]  # the deck's is not looked at
    if schedule == NONE:
        streams = 1  # whatever the deck has
    if not all(isinstance(name, str) for name in (mode, schedule, bound)) or not isinstance(point.get("figures"), dict):
        return None
    if not all(plot.finite(number) and number >= 1 for number in (streams, size)):
        return None
    if bound == "none":
        bound = f"none, {deck.get('transfer.iterations', 0)} iterations"
    low, high = (1e6 * value if plot.finite(value) else None for value in map(point["wall_s"].get, ("minimum", "maximum")))
    return Run(mode, schedule, streams, size, bound, point["figures"], low, high, point.get("notes") or [])


def figure_of(run, name):
    """Neither missing nor zero; else None."""
    value = run.figures.get(name)
    return value if plot.finite(value) and value > 0 else None


def total_of(run):
    return figure_of(run, "total_median_us")


def without_repeats(runs):
    """A sweep over streams repeats what has none: of such, the one with the median time stays."""
    alike = collections.defaultdict(list)
    for run in runs:
        alike[run[:5]].append(run)
    for same in alike.values():
        measured = [run for run in same if total_of(run)] or same[:1]
        middle = statistics.median_low(total_of(run) or 0 for run in measured)
        yield next(run for run in measured if (total_of(run) or 0) == middle)


def groups_of(document):
    """The groups of both problems; none where the document has neither."""
    for problem in PROBLEMS:
        points = [point for point in document["points"] if point["work"]["problem"] == problem]
        extra_keys = [key for key in plot.varying_keys(points) if key not in KEYS]
        groups = collections.defaultdict(list)
        for point in points:
            run = run_of(point)
            if run:
                groups[json.dumps([[key, point["swept"].get(key)] for key in extra_keys])].append(run)
        for name, runs in groups.items():
            yield Group(problem, json.loads(name), list(without_repeats(runs)), document["provenance"])


def is_emulated(run):
    return any(note.startswith(EMULATED) for note in run.notes)


def in_order(names, known):
    """Each once: the known ones first, in their order."""
    known = list(known)
    return sorted(dict.fromkeys(names), key=lambda name: known.index(name) if name in known else len(known))


def size_text(size):
    """'1600 KiB'; bytes where no unit makes it short."""
    for unit, factor in (("TiB", 2**40), ("GiB", 2**30), ("MiB", 2**20), ("KiB", 2**10)):
        text = f"{size / factor:g}"
        if size >= factor and len(text) < 6 and float(text) * factor == size:
            return f"{text} {unit}"
    return f"{size} bytes"


# -------------------------------------------------------------------------------------------------- choosing


def figures(document):
    """Yields (file stem, draw function, reason why there may be none), as plot.figures does."""
    for group in groups_of(document):
        pictures = list(pictures_of(group))
        if not pictures:
            yield group.problem, lambda plt: None, "no point has a time"
        for stem, draw, *arguments in pictures:
            stem = "_".join([group.problem, stem, *(f"{key}_{plot.word(value)}" for key, value in group.extra)])
            stem = re.sub(r"[^A-Za-z0-9.-]+", "_", stem).strip("_")
            yield stem, lambda plt, d=draw, g=group, a=arguments: d(plt, g, *a), ""


def pictures_of(group):
    """Yields (file stem, draw function, its arguments)."""
    measured = [run for run in group.runs if total_of(run)]
    with_streams = [run for run in measured if run.schedule != NONE]
    sizes = sorted({run.bytes for run in measured})
    alone = [run for run in group.runs if run.schedule == NONE]
    if several(run.bytes for run in alone):
        for name in QUANTITIES:
            there = [run for run in alone if per_byte(run, name)]
            if there:
                yield f"bytes_{name}", draw_bytes, there, name, alone
    if several(run.streams for run in with_streams):
        for size in sizes:
            there = [run for run in measured if run.bytes == size and per_byte(run, "total")]
            if several(run.streams for run in there if run.schedule != NONE):
                yield f"streams_{size}", draw_streams, there
    elif len(sizes) == 1 or (with_streams and len(sizes) <= FEW_SIZES):
        for size in sizes:
            yield f"versions_{size}", draw_versions, [run for run in measured if run.bytes == size]
    else:
        for schedule in in_order({run.schedule for run in with_streams}, SCHEDULES):
            there = [run for run in with_streams if run.schedule == schedule and per_byte(run, "total")]
            if there:
                yield f"bytes_total_{schedule}", draw_bytes, there, "total", there


def several(values):
    return len(set(values)) > 1


# --------------------------------------------------------------------------------------------------- drawing


def per_byte(run, name):
    """Nanoseconds."""
    return figure_of(run, f"{name}_ns_per_byte")


def range_of(run, factor):
    """What the repetitions reach beyond the median (below, above), as lengths; `factor` turns µs into the axis' unit."""
    total = total_of(run)
    below = max(0.0, total - (run.low if run.low is not None else total))
    above = max(0.0, (run.high if run.high is not None else total) - total)
    # Ranges that reach zero have no end on a logarithmic axis.
    return factor * min(below, 0.95 * total), factor * above


def ranges_note(runs):
    return RANGES if any(any(range_of(run, 1)) for run in runs if total_of(run)) else ""


def mode_style(mode, modes):
    unknown = [name for name in modes if name not in MODE_STYLE]
    return MODE_STYLE.get(mode) or OTHER_MODES[unknown.index(mode) % len(OTHER_MODES)]


def bound_title(group, bound):
    return "" if group.problem == "vector_add" else f"bound: {bound}"


def heading(group, what, told):
    told = [*told, *(allocator_figures.setting(key, value) for key, value in group.extra)]
    return [f"{group.problem}: {what}", *([", ".join(told)] if told else [])]


def notes(group, runs, *lines):
    # What the program says of them, once.
    emulated = list(dict.fromkeys(note for run in runs for note in run.notes if note.startswith(EMULATED)))
    if emulated and not all(map(is_emulated, runs)):
        emulated = [f"at some points {note}" for note in emulated]
    return [*filter(None, lines), *emulated, f"this run: {plot.machine(group.provenance)}"]


def tidy(axes, which="both"):
    axes.grid(True, axis=which, which="major", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)


def draw_bytes(plt, group, runs, name, all_runs):
    """Figures 3 and 5: a panel for each bound. All share both axes, as the bounds are told apart by their times."""
    bounds, modes = in_order((run.bound for run in runs), BOUNDS), in_order((run.mode for run in runs), MODES)
    width = max(8.5, 4.3 * len(bounds))
    figure, grid = plt.subplots(1, len(bounds), figsize=(width, 5.9), squeeze=False, sharex=True, sharey=True)
    handles = {}
    for axes, bound in zip(grid[0], bounds):
        for mode in modes:
            line = sorted((run for run in runs if (run.bound, run.mode) == (bound, mode)), key=lambda run: run.bytes)
            if line:
                # Many modes take the same time: each is smaller than those below it, so that all can be seen.
                handles[mode] = draw_line(axes, [run.bytes for run in line], line, name, mode_style(mode, modes),
                                          markersize=6 + 0.25 * len(modes) - 0.4 * modes.index(mode))
        axes.set_title(bound_title(group, bound), fontsize=10)
        axes.set_xlabel("size of an array")
        tidy(axes)
    byte_axis(grid[0][0], [run.bytes for run in runs])
    log_axis(grid[0][0], [per_byte(run, name) for run in runs])
    grid[0][0].set_ylabel(f"{QUANTITIES[name]}: time a byte [ns]")
    left_out = in_order((run.mode for run in all_runs if not per_byte(run, name)), MODES)
    schedule = runs[0].schedule
    told = ["one stream" if schedule == NONE else f"{PAPERS_TYPE.get(schedule, schedule)}, {streams_text(runs)}"]
    lines = [ranges_note(runs) if name == "total" else "",
             f"zero or not measured, at some points at least: {', '.join(left_out)}" if left_out else ""]
    plot.frame(figure, heading(group, f"{QUANTITIES[name]}, time a byte against bytes", told),
               {mode: handles[mode] for mode in modes}, notes(group, runs, *lines))
    return figure


def streams_text(runs):
    return ", ".join(f"{number} streams" for number in sorted({run.streams for run in runs}))


def draw_line(axes, places, line, name, style, **more):
    """Each run at its place; of whole runs with the range of the repetitions. Returns what the legend shows."""
    color, marker = style
    ranges = None
    if name == "total":
        ranges = list(zip(*(range_of(run, 1e3 / run.bytes) if total_of(run) else (0, 0) for run in line)))
    return axes.errorbar(places, [per_byte(run, name) for run in line], yerr=ranges, color=color, marker=marker,
                         elinewidth=0.9, markevery=math.ceil(len(line) / MARKERS), **{"linewidth": 1.4, **more})[0]


def byte_axis(axes, sizes):
    """Logarithmic, with ticks at powers of two: those are read as KiB and MiB."""
    from matplotlib import ticker

    axes.set_xscale("log", base=2)
    first, last = math.ceil(math.log2(min(sizes))), math.floor(math.log2(max(sizes)))
    # Every 2nd, 4th, 5th or 10th power: so that KiB and MiB come in round numbers.
    step = next(step for step in (1, 2, 4, 5, 10, 20) if (last - first) / step <= 5)
    first = math.ceil(first / step) * step
    ticks = [2**power for power in range(first, last + 1, step)]
    if len(ticks) < 2:
        ticks = sorted({min(sizes), max(sizes)})
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: size_text(round(value))))
    axes.xaxis.set_minor_locator(ticker.NullLocator())


def log_axis(axes, values):
    """However alike the values are, they do not fill it, and at least two of its ticks (1, 2, 5) are in sight."""
    axes.set_yscale("log")
    low, high = min(values), max(values)
    if high < 5 * low:
        middle = math.sqrt(low * high)
        axes.set_ylim(middle / 2.5, middle * 2.5)
    allocator_figures.readable(axes.yaxis, [low, high])


def draw_streams(plt, group, runs):
    """Figures 4 and 6: a row for each mode, a column for each bound."""
    bounds, modes = in_order((run.bound for run in runs), BOUNDS), in_order((run.mode for run in runs), MODES)
    height = 2.7 if len(modes) == 1 else 2.1 if len(modes) < 5 else 1.6
    figure, grid = plt.subplots(len(modes), len(bounds), figsize=(max(8.5, 3.7 * len(bounds)), 2.2 + height * len(modes)),
                                squeeze=False, sharex=True)
    handles, panels = {}, collections.defaultdict(list)
    for run in runs:
        panels[run.mode, run.bound].append(run)
    times = [[per_byte(run, "total") for run in panel] for panel in panels.values()]
    # For all panels alike, so that their shapes can be compared.
    logarithmic = any(max(values) > WIDE * min(values) for values in times)
    for row, mode in zip(grid, modes):
        for axes, bound in zip(row, bounds):
            panel = panels.get((mode, bound))
            axes.set_visible(panel is not None)
            if panel:
                handles.update(draw_panel(axes, panel, logarithmic))
        first = next(axes for axes in row if axes.get_visible())
        first.set_ylabel(f"{mode}\n[ns a byte]")
    stream_axis(grid[0][0], [run.streams for run in runs])
    for bound, column in zip(bounds, zip(*grid)):
        visible = [axes for axes in column if axes.get_visible()]
        visible[0].set_title(bound_title(group, bound), fontsize=10)
        visible[-1].set_xlabel("streams")
        visible[-1].tick_params(labelbottom=True)
    own_axes = "each panel has its own axis" + ("" if logarithmic else ", from zero")
    lines = [own_axes if len(panels) > 1 else "", ranges_note(runs)]
    plot.frame(figure, heading(group, "time a byte against streams", [f"arrays of {size_text(runs[0].bytes)}"]),
               {label: handles[label] for label in [*PAPERS_TYPE.values(), LEAST] if label in handles},
               notes(group, runs, "; ".join(filter(None, lines))))
    return figure


def draw_panel(axes, panel, logarithmic):
    """{legend's text: what was drawn}"""
    handles = {}
    alone = [run for run in panel if run.schedule == NONE]
    for schedule in in_order((run.schedule for run in panel if run.schedule != NONE), SCHEDULES):
        line = sorted((run for run in panel if run.schedule == schedule), key=lambda run: run.streams)
        # What runs without streams is where a line starts, unless the schedule was measured with one stream itself.
        line = line if line[0].streams == 1 else alone + line
        # Both may take the same time: the wide line is seen below the narrow one.
        width, size = (2.2, 7.5) if schedule == SCHEDULES[1] else (1.1, 5)
        handles[PAPERS_TYPE.get(schedule, schedule)] = draw_line(
            axes, [run.streams for run in line], line, "total", SCHEDULE_STYLE.get(schedule, OTHER_STYLE), linewidth=width,
            markersize=size)
    if alone:
        # Around the lines' own markers, which it would hide were it filled.
        handles[PAPERS_TYPE[NONE]] = draw_line(axes, [1], alone, "total", SCHEDULE_STYLE[NONE], markerfacecolor="none",
                                               markersize=10, markeredgewidth=1.2, linestyle="none", zorder=5)
    least = collections.defaultdict(list)
    for run in panel:
        if figure_of(run, "bound_us"):
            least[run.streams].append(1e3 * run.figures["bound_us"] / run.bytes)
    if least:
        curve = sorted((streams, statistics.median_low(values)) for streams, values in least.items())
        handles[LEAST] = axes.plot(*zip(*curve), linestyle=(0, (5, 3)), color="#444444", linewidth=1)[0]
    reached = [value for values in least.values() for value in values]
    for run in panel:
        below, above = range_of(run, 1e3 / run.bytes)
        reached += [per_byte(run, "total") - below, per_byte(run, "total") + above]
    (log_axis if logarithmic else axis_from_zero)(axes, reached)
    tidy(axes)
    return handles


def axis_from_zero(axes, values):
    from matplotlib import ticker

    axes.set_ylim(0, 1.1 * max(values))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(4))
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))


def stream_axis(axes, numbers):
    from matplotlib import ticker

    axes.set_xscale("log", base=2)
    last = math.ceil(math.log2(max(numbers)))
    axes.xaxis.set_major_locator(ticker.FixedLocator([2**power for power in range(last + 1)]))
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.set_xlim(2**-0.25 * min(numbers), 2**0.25 * max(numbers))


def draw_versions(plt, group, runs):
    """Bars of the whole run: a panel for each bound, in it a row for each mode, with a bar for each schedule."""
    from matplotlib import ticker

    bounds, modes = in_order((run.bound for run in runs), BOUNDS), in_order((run.mode for run in runs), MODES)
    schedules = in_order((run.schedule for run in runs), SCHEDULES)
    longest = max(map(total_of, runs))
    unit, factor = next((item for item in UNITS.items() if item[1] * longest < 1e4), ("s", UNITS["s"]))
    row_height = 0.24 * len(schedules) + 0.16
    figure, grid = plt.subplots(1, len(bounds), figsize=(max(8.5, 1.5 + 3.8 * len(bounds)), 2.9 + row_height * len(modes)),
                                squeeze=False, sharey=True)
    handles = {}
    for axes, bound in zip(grid[0], bounds):
        panel = [run for run in runs if run.bound == bound]
        for run in panel:
            row = modes.index(run.mode) + 0.84 * ((schedules.index(run.schedule) + 0.5) / len(schedules) - 0.5)
            handles.update(draw_version(axes, row, 0.8 / len(schedules), run, factor))
        axes.set_xlim(0, 1.3 * factor * max(reach_of(run) for run in panel))
        axes.xaxis.set_major_locator(ticker.MaxNLocator(4))
        axes.set_title(bound_title(group, bound), fontsize=10)
        axes.set_xlabel(f"whole run [{unit}]")
        tidy(axes, "x")
    grid[0][0].set_yticks(range(len(modes)))
    grid[0][0].set_yticklabels(modes, fontsize=9)
    grid[0][0].set_ylim(len(modes) - 0.5, -0.5)
    told = [f"arrays of {size_text(runs[0].bytes)}"]
    if any(run.schedule != NONE for run in runs):
        told.append(streams_text([run for run in runs if run.schedule != NONE]))
    lines = ["each panel has its own axis" if len(bounds) > 1 else "", ranges_note(runs)]
    plot.frame(figure, heading(group, "time of the versions", told),
               {label: handles[label] for label in [*PAPERS_TYPE.values(), LEAST] if label in handles},
               notes(group, runs, "; ".join(filter(None, lines))))
    return figure


def reach_of(run):
    """µs of the right end of all that is drawn of a run."""
    return max(total_of(run) + range_of(run, 1)[1], figure_of(run, "bound_us") or 0)


def draw_version(axes, row, height, run, factor):
    """{legend's text: what was drawn}"""
    total = factor * total_of(run)
    color = "#AAAAAA" if run.schedule == NONE else SCHEDULE_STYLE.get(run.schedule, OTHER_STYLE)[0]
    handles = {PAPERS_TYPE.get(run.schedule, run.schedule): axes.barh(row, total, 0.95 * height, color=color)}
    axes.errorbar(total, row, xerr=[[length] for length in range_of(run, factor)], color="#222222", linewidth=0.9)
    if figure_of(run, "bound_us"):
        handles[LEAST] = axes.plot(factor * run.figures["bound_us"], row, "d", color="white", markeredgecolor="black",
                                   markersize=5)[0]
    axes.annotate(f"{total:.3g}" if total < 1000 else f"{total:.0f}", (factor * reach_of(run), row), (5, 0),
                  textcoords="offset points", va="center", fontsize=8)
    return handles
