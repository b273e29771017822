# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems transfer and vector_add, as in [Bhimani2016].

Times, and times a byte, against bytes without streams, a line for each mode (Figures 3 and 5), where several sizes
were measured;
against streams, a line for each schedule (Figures 4 and 6), where several numbers of streams were; otherwise bars of
all versions.
"""

from __future__ import annotations

import collections
import functools
import math
import statistics
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from matplotlib import ticker
from matplotlib.axes import Axes

from haloheap_results.group import file_stem, known_first, several
from haloheap_results.labels import TRANSFER_PARTS, size_text
from haloheap_results.load import Results
from haloheap_results.style import (DARK_GREY, DASHES, GREY, Figure, Handle, Picture, Pictures, Styles, formatted,
                                    frame, panels, plain, powers_axis, short_numbers, ticks_at, tidy)
from haloheap_results.transfers import BOUNDS, EMULATED, NONE, SCHEDULES, Run, RunGroup, groups_of, total_of

PAPERS_TYPE = {NONE: "none: one stream", "depth_first": "depth_first (type I)",
               "breadth_first": "breadth_first (type II)"}

# The three memories of [Bhimani2016] have the strong colours; what is akin to one shares its hue, and markers tell all
# apart in grey.
MODES = Styles(
    {
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
        "system": (GREY, "*"),
    },
    [("#8C564B", "H"), ("#AA4499", "8")],
)
SCHEDULE_STYLES = Styles({NONE: ("#000000", "o"), "depth_first": ("#D55E00", "s"), "breadth_first": ("#0072B2", "^")},
                         [(GREY, "*")])

UNITS = {"µs": 1.0, "ms": 1e-3, "s": 1e-6}  # of µs
LEAST = "least time possible (bound_us)"
RANGES = "ranges: fastest to slowest repetition"
MARKERS = 16  # on a line, at most: more would hide it
WIDE = 4  # longest over shortest time in a panel: beyond, the axis is logarithmic
FEW_SIZES = 4  # up to here bars of each, beyond lines


# -------------------------------------------------------------------------------------------------- choosing


def pictures(results: Results) -> Pictures:
    for group in groups_of(results):
        drawings = list(drawings_of(group, results))
        if not drawings:
            yield f"no figure {group.problem}: no point has a time"
        extra = [part for pair in group.extra for part in pair]
        for stem, draw in drawings:
            yield Picture(file_stem([group.problem, stem, *extra]), draw)


def drawings_of(group: RunGroup, results: Results) -> Iterator[tuple[str, Callable[[], Figure]]]:
    """(end of the file's name, what draws it)"""
    measured = [run for run in group.runs if run.total]
    with_streams = [run for run in measured if run.schedule != NONE]
    sizes = sorted({run.bytes for run in measured})
    alone = [run for run in group.runs if run.schedule == NONE]
    machine = results.machine()
    if several(run.bytes for run in alone):
        if any(run.total for run in alone):
            yield "times", functools.partial(draw_bytes, group, alone, "total", machine, whole=True)
        for part in TRANSFER_PARTS:
            if any(run.per_byte(part) for run in alone):
                yield f"bytes_{part}", functools.partial(draw_bytes, group, alone, part, machine)
    if several(run.streams for run in with_streams):
        for size in sizes:
            there = [run for run in measured if run.bytes == size and run.per_byte("total")]
            if several(run.streams for run in there if run.schedule != NONE):
                yield f"streams_{size}", functools.partial(draw_streams, group, there, machine)
    elif len(sizes) == 1 or (with_streams and len(sizes) <= FEW_SIZES):
        for size in sizes:
            there = [run for run in measured if run.bytes == size]
            yield f"versions_{size}", functools.partial(draw_versions, group, there, machine)
    else:
        for schedule in known_first((run.schedule for run in with_streams), SCHEDULES):
            there = [run for run in with_streams if run.schedule == schedule and run.per_byte("total")]
            if there:
                yield f"bytes_total_{schedule}", functools.partial(draw_bytes, group, there, "total", machine)


# ----------------------------------------------------------------------------------------- what figures share


def bounds_of(runs: Iterable[Run]) -> list[str]:
    return known_first((run.bound for run in runs), BOUNDS)


def modes_of(runs: Iterable[Run]) -> list[str]:
    return MODES.in_order(run.mode for run in runs)


def per_byte(run: Run, part: str) -> float:
    """Nanoseconds of a run that has them."""
    value = run.per_byte(part)
    assert value is not None
    return value


def range_of(run: Run, factor: float) -> tuple[float, float]:
    """What the repetitions reach beyond the median (below, above), as lengths; µs times `factor`: the axis' unit."""
    if run.total is None:
        return 0.0, 0.0
    below = max(0.0, run.total - (run.total if run.low is None else run.low))
    above = max(0.0, (run.total if run.high is None else run.high) - run.total)
    # Ranges that reach zero have no end on a logarithmic axis.
    return factor * min(below, 0.95 * run.total), factor * above


def ranges_note(runs: Iterable[Run]) -> str:
    return RANGES if any(any(range_of(run, 1)) for run in runs) else ""


def bound_title(group: RunGroup, bound: str) -> str:
    return "" if group.problem == "vector_add" else f"bound: {bound}"


def heading(group: RunGroup, what: str, told: Iterable[str]) -> list[str]:
    return [f"{group.problem}: {what}", ", ".join([*told, *group.extra_texts()])]


def notes(runs: Sequence[Run], machine: str, *lines: str) -> list[str]:
    # What the program says of them, once.
    emulated = list(dict.fromkeys(note for run in runs for note in run.notes if note.startswith(EMULATED)))
    if not all(run.emulated for run in runs):
        emulated = [f"at some points {note}" for note in emulated]
    return [*filter(None, lines), *emulated, f"this run: {machine}"]


def schedules_legend(handles: dict[str, Handle]) -> dict[str, Handle]:
    return {label: handles[label] for label in [*PAPERS_TYPE.values(), LEAST] if label in handles}


def type_of(schedule: str) -> str:
    return PAPERS_TYPE.get(schedule, schedule)


def schedule_style(schedule: str) -> tuple[str, str]:
    return SCHEDULE_STYLES.of(schedule, [schedule])


def streams_text(runs: Iterable[Run]) -> str:
    return ", ".join(f"{number} streams" for number in sorted({run.streams for run in runs}))


def draw_line(axes: Axes, places: Sequence[float], line: Sequence[Run], part: str, style: tuple[str, str],
              whole: bool = False, **more: Any) -> Handle:
    """Each run at its place: its time a byte, or the whole time. Of whole runs with the range of the repetitions.
    Returns what the legend shows."""
    color, marker = style
    ranges = ([*zip(*(range_of(run, 1 if whole else 1e3 / run.bytes) for run in line))] if part == "total" else None)
    times = [total_of(run) if whole else per_byte(run, part) for run in line]
    container = axes.errorbar(places, times, yerr=ranges, color=color, marker=marker,
                              elinewidth=0.9, markevery=math.ceil(len(line) / MARKERS), **{"linewidth": 1.4, **more})
    drawn: Handle = container[0]
    return drawn


# -------------------------------------------------------------------------------------------- against bytes


def draw_bytes(group: RunGroup, all_runs: Sequence[Run], part: str, machine: str, whole: bool = False) -> Figure:
    """Figures 3 (`whole`: the time of a run) and 5 (the time a byte): a panel for each bound. All share both axes, as
    the bounds are told apart by their times."""
    runs = [run for run in all_runs if (run.total if whole else run.per_byte(part))]
    bounds, modes = bounds_of(runs), modes_of(runs)
    figure, ((*row,),) = panels(1, len(bounds), (max(8.5, 4.3 * len(bounds)), 5.9), sharex=True, sharey=True)
    handles: dict[str, Handle] = {}
    for axes, bound in zip(row, bounds):
        for mode in modes:
            line = sorted((run for run in runs if (run.bound, run.mode) == (bound, mode)), key=lambda run: run.bytes)
            if line:
                # Many modes take the same time: each is smaller than those below it, so that all can be seen.
                handles[mode] = draw_line(axes, [run.bytes for run in line], line, part, MODES.of(mode, modes),
                                          whole, markersize=6 + 0.25 * len(modes) - 0.4 * modes.index(mode))
        axes.set_title(bound_title(group, bound), fontsize=10)
        axes.set_xlabel("size of an array")
        tidy(axes)
    byte_axis(row[0], [run.bytes for run in runs])
    log_axis(row[0], [total_of(run) if whole else per_byte(run, part) for run in runs])
    row[0].set_ylabel(f"{TRANSFER_PARTS[part]}: " + ("time [µs]" if whole else "time a byte [ns]"))
    left_out = modes_of(run for run in all_runs if not run.per_byte(part))
    schedule = runs[0].schedule
    told = "one stream" if schedule == NONE else f"{type_of(schedule)}, {streams_text(runs)}"
    what = f"{TRANSFER_PARTS[part]}, " + ("time against bytes" if whole else "time a byte against bytes")
    return frame(figure, heading(group, what, [told]),
                 {mode: handles[mode] for mode in modes},
                 notes(runs, machine, ranges_note(runs) if part == "total" else "",
                       f"zero or not measured, at some points at least: {', '.join(left_out)}" if left_out else ""))


def byte_axis(axes: Axes, sizes: Sequence[float]) -> None:
    """Logarithmic, with ticks at powers of two: those are read as KiB and MiB."""
    axes.set_xscale("log", base=2)
    first, last = math.ceil(math.log2(min(sizes))), math.floor(math.log2(max(sizes)))
    # Every 2nd, 4th, 5th or 10th power: so that KiB and MiB come in round numbers.
    step = next(step for step in (1, 2, 4, 5, 10, 20) if (last - first) / step <= 5)
    first = math.ceil(first / step) * step
    ticks: list[float] = [2**power for power in range(first, last + 1, step)]
    ticks_at(axes.xaxis, ticks if len(ticks) > 1 else sorted({min(sizes), max(sizes)}),
             lambda value: size_text(round(value)))


def log_axis(axes: Axes, values: Sequence[float]) -> None:
    """However alike the values are, they do not fill it, and at least two of its ticks (1, 2, 5) are in sight."""
    axes.set_yscale("log")
    low, high = min(values), max(values)
    if high < 5 * low:
        middle = math.sqrt(low * high)
        axes.set_ylim(middle / 2.5, middle * 2.5)
    short_numbers(axes.yaxis, [low, high])


# ------------------------------------------------------------------------------------------ against streams


def draw_streams(group: RunGroup, runs: Sequence[Run], machine: str) -> Figure:
    """Figures 4 and 6: a row for each mode, a column for each bound."""
    bounds, modes = bounds_of(runs), modes_of(runs)
    height = 2.7 if len(modes) == 1 else 2.1 if len(modes) < 5 else 1.6
    size = (max(8.5, 3.7 * len(bounds)), 2.2 + height * len(modes))
    figure, grid = panels(len(modes), len(bounds), size, sharex=True)
    handles: dict[str, Handle] = {}
    by_panel: dict[tuple[str, str], list[Run]] = collections.defaultdict(list)
    for run in runs:
        by_panel[run.mode, run.bound].append(run)
    times = [[per_byte(run, "total") for run in panel] for panel in by_panel.values()]
    # For all panels alike, so that their shapes can be compared.
    logarithmic = any(max(values) > WIDE * min(values) for values in times)
    for row, mode in zip(grid, modes):
        for axes, bound in zip(row, bounds):
            panel = by_panel.get((mode, bound))
            axes.set_visible(panel is not None)
            if panel:
                handles.update(draw_panel(axes, panel, logarithmic))
        next(axes for axes in row if axes.get_visible()).set_ylabel(f"{mode}\n[ns a byte]")
    stream_axis(grid[0][0], [run.streams for run in runs])
    for bound, column in zip(bounds, grid.T):
        visible = [axes for axes in column if axes.get_visible()]
        visible[0].set_title(bound_title(group, bound), fontsize=10)
        visible[-1].set_xlabel("streams")
        visible[-1].tick_params(labelbottom=True)
    own_axes = "each panel has its own axis" + ("" if logarithmic else ", from zero")
    lines = [own_axes if len(by_panel) > 1 else "", ranges_note(runs)]
    return frame(figure, heading(group, "time a byte against streams", [f"arrays of {size_text(runs[0].bytes)}"]),
                 schedules_legend(handles), notes(runs, machine, "; ".join(filter(None, lines))))


def draw_panel(axes: Axes, panel: Sequence[Run], logarithmic: bool) -> dict[str, Handle]:
    """{legend's text: what was drawn}"""
    handles: dict[str, Handle] = {}
    alone = [run for run in panel if run.schedule == NONE]
    for schedule in known_first((run.schedule for run in panel if run.schedule != NONE), SCHEDULES):
        line = sorted((run for run in panel if run.schedule == schedule), key=lambda run: run.streams)
        # What runs without streams is where a line starts, unless the schedule was measured with one stream itself.
        line = line if line[0].streams == 1 else alone + line
        # Both may take the same time: the wide line is seen below the narrow one.
        width, size = (2.2, 7.5) if schedule == SCHEDULES[1] else (1.1, 5)
        handles[type_of(schedule)] = draw_line(axes, [run.streams for run in line], line, "total",
                                               schedule_style(schedule), linewidth=width, markersize=size)
    if alone:
        # Around the lines' own markers, which it would hide were it filled.
        handles[type_of(NONE)] = draw_line(axes, [1], alone, "total", schedule_style(NONE), markerfacecolor="none",
                                           markersize=10, markeredgewidth=1.2, linestyle="none", zorder=5)
    least = least_times(panel)
    if least:
        handles[LEAST], = axes.plot(*zip(*((streams, statistics.median_low(values)) for streams, values in least)),
                                    linestyle=DASHES, color=DARK_GREY, linewidth=1)
    reached = [value for _, values in least for value in values]
    for run in panel:
        below, above = range_of(run, 1e3 / run.bytes)
        reached += [per_byte(run, "total") - below, per_byte(run, "total") + above]
    (log_axis if logarithmic else axis_from_zero)(axes, reached)
    tidy(axes)
    return handles


def least_times(panel: Iterable[Run]) -> list[tuple[float, list[float]]]:
    """[(streams, bounds of the runs)]; nanoseconds a byte."""
    least: dict[float, list[float]] = collections.defaultdict(list)
    for run in panel:
        if bound := run.figure("bound_us"):
            least[run.streams].append(1e3 * bound / run.bytes)
    return sorted(least.items())


def axis_from_zero(axes: Axes, values: Sequence[float]) -> None:
    axes.set_ylim(0, 1.1 * max(values))
    axes.yaxis.set_major_locator(ticker.MaxNLocator(4))
    formatted(axes.yaxis, plain)


def stream_axis(axes: Axes, numbers: Sequence[float]) -> None:
    powers_axis(axes, numbers, [2**power for power in range(math.ceil(math.log2(max(numbers))) + 1)])


# -------------------------------------------------------------------------------------------------- versions


def draw_versions(group: RunGroup, runs: Sequence[Run], machine: str) -> Figure:
    """Bars of the whole run: a panel for each bound, in it a row for each mode, with a bar for each schedule."""
    bounds, modes = bounds_of(runs), modes_of(runs)
    schedules = known_first((run.schedule for run in runs), SCHEDULES)
    longest = max(map(total_of, runs))
    unit, factor = next((item for item in UNITS.items() if item[1] * longest < 1e4), ("s", UNITS["s"]))
    height = 2.9 + (0.24 * len(schedules) + 0.16) * len(modes)
    figure, ((*row,),) = panels(1, len(bounds), (max(8.5, 1.5 + 3.8 * len(bounds)), height), sharey=True)
    handles: dict[str, Handle] = {}
    for axes, bound in zip(row, bounds):
        panel = [run for run in runs if run.bound == bound]
        for run in panel:
            place = modes.index(run.mode) + 0.84 * ((schedules.index(run.schedule) + 0.5) / len(schedules) - 0.5)
            handles.update(draw_version(axes, place, 0.8 / len(schedules), run, factor))
        axes.set_xlim(0, 1.3 * factor * max(reach_of(run) for run in panel))
        axes.xaxis.set_major_locator(ticker.MaxNLocator(4))
        axes.set_title(bound_title(group, bound), fontsize=10)
        axes.set_xlabel(f"{TRANSFER_PARTS['total']} [{unit}]")
        tidy(axes, "x")
    row[0].set_yticks(range(len(modes)))
    row[0].set_yticklabels(modes, fontsize=9)
    row[0].set_ylim(len(modes) - 0.5, -0.5)
    told = [f"arrays of {size_text(runs[0].bytes)}"]
    if any(run.schedule != NONE for run in runs):
        told.append(streams_text(run for run in runs if run.schedule != NONE))
    lines = ["each panel has its own axis" if len(bounds) > 1 else "", ranges_note(runs)]
    return frame(figure, heading(group, "time of the versions", told), schedules_legend(handles),
                 notes(runs, machine, "; ".join(filter(None, lines))))


def reach_of(run: Run) -> float:
    """µs of the right end of all that is drawn of a run."""
    return max(total_of(run) + range_of(run, 1)[1], run.figure("bound_us") or 0)


def draw_version(axes: Axes, row: float, height: float, run: Run, factor: float) -> dict[str, Handle]:
    """{legend's text: what was drawn}"""
    total = factor * total_of(run)
    color = "#AAAAAA" if run.schedule == NONE else schedule_style(run.schedule)[0]
    handles: dict[str, Handle] = {type_of(run.schedule): axes.barh(row, total, 0.95 * height, color=color)}
    axes.errorbar(total, row, xerr=[[length] for length in range_of(run, factor)], color="#222222", linewidth=0.9)
    if bound := run.figure("bound_us"):
        handles[LEAST], = axes.plot(factor * bound, row, "d", color="white", markeredgecolor="black", markersize=5)
    axes.annotate(f"{total:.3g}" if total < 1000 else f"{total:.0f}", (factor * reach_of(run), row), (5, 0),
                  textcoords="offset points", va="center", fontsize=8)
    return handles
