# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The figures of the problems of in-kernel allocators, for plot.py: one for each quantity that a problem measures.

The number that varies most is the horizontal axis, with a line for each allocator; what else varies makes panels. Without
such a number there are bars.
"""

import math
import re

import plot

# Of each problem what is drawn: the figure's name, its axis, and what the repetitions ranged over: its lowest and highest
# figure, or the one deviation to both sides.
QUANTITIES = {
    "malloc_sweep": [
        ("allocate_median_us", "time of the kernel that allocates [µs]", ("allocate_minimum_us", None)),
        ("churn_median_us", "time of the churn [µs]", ("churn_minimum_us", None)),
        ("free_median_us", "time of the kernel that frees [µs]", ("free_minimum_us", None)),
        ("steps_thread", "steps of a request, on average", None),
        ("utilisation_percent", "utilisation of the pool when it is full [%]", None),
        ("fragmentation_percent", "fragmentation of what is free [%]", None),
        ("footprint_over_in_use", "footprint / in use", None),
        ("pass_over_packed", "pass over the blocks / pass over a packed array", None),
    ],
    "getpage": [
        ("getpage_median_us", "time of the kernel that gets the pages [µs]", ("getpage_minimum_us", None)),
        ("tas", "steps of a thread (TAS)", None),
        ("was", "steps of the slowest of a warp (WAS)", None),
    ],
    "allocation": [
        ("allocate_us", "time of an allocation, mean thread [µs]", ("allocate_deviation_us",)),
        ("work_us", "time of the work, mean thread [µs]", ("work_deviation_us",)),
        ("free_us", "time of a free, mean thread [µs]", ("free_deviation_us",)),
        ("gflops", "GFlop/s of the work", ("gflops_deviation",)),
    ],
    "hash_join": [
        ("join_us", "time of the join: partition, build, probe [µs]", None),
        ("probe_us", "time of the probing, which allocates [µs]", None),
        ("free_us", "time to free all output pages [µs]", None),
    ],
    "collectives": [
        ("collective_us", "time of the operation [µs]", ("collective_5th_us", "collective_95th_us")),
        ("allocate_us", "time to allocate a rank's buffers [µs]", None),
        ("free_us", "time to free a rank's buffers [µs]", None),
    ],
}
SPEEDUP = "speedup"
# What of a problem is compared with allocator native.
COMPARED = {"malloc_sweep": "the kernel that allocates", "getpage": "the kernel", "allocation": "the work",
            "hash_join": "the join", "collectives": "the operation"}
RANGES = {"minimum": "range down to the fastest repetition", "deviation": "ranges: standard deviation of the repetitions",
          "95th": "ranges: 5th to 95th percentile of the repetitions"}

# What each problem's title says of what does not vary.
TOLD = {
    "malloc_sweep": ("malloc.pattern", "malloc.threads", "malloc.size", "malloc.largest", "malloc.state", "malloc.free"),
    "getpage": ("getpage.threads", "getpage.free", "allocator.page"),
    "allocation": ("allocation.work", "allocation.floats", "allocation.blocks", "allocation.threads"),
    "hash_join": ("hash_join.tuples", "hash_join.list", "hash_join.copies"),
    "collectives": ("collectives.operation", "collectives.blocks", "collectives.threads", "collectives.doubles"),
}
NOT_TOLD = {"malloc.largest": 0, "malloc.free": 100, "hash_join.copies": 1}
UNITS = {
    "malloc.size": "bytes", "malloc.largest": "bytes", "malloc.free": "%", "getpage.free": "%", "allocator.page": "bytes",
    "allocator.pool": "GiB", "allocator.word": "bits",
}

# Families of allocators share a hue where there are not enough; markers tell all apart in grey.
STYLES = {
    "slab_walk": ("#D55E00", "o"),
    "native": ("#000000", "X"),
    "bump": ("#666666", "*"),
    "page_queue": ("#999999", "<"),
    "kokkos_pool": ("#8C564B", "h"),
    "random_walk": ("#009E73", "D"),
    "random_walk_bitmap": ("#A6A800", "P"),
    "collaborative_random_walk": ("#CC79A7", "v"),
    "rw_malloc": ("#E69F00", "p"),
    "warp_header": ("#0072B2", "^"),
    "warp_table": ("#56B4E9", "s"),
    "block_header": ("#332288", ">"),
    "block_table": ("#AA4499", "d"),
}
OVER_NATIVE = "_over_native"
NAME = "allocator.name"


def style(label, number):
    """(colour, marker, marker's face, dashes) of a line; `number` counts those that are no allocators."""
    base = label.removesuffix(OVER_NATIVE)
    color, marker = STYLES.get(base) or plot.ALL_STYLES[number % len(plot.ALL_STYLES)]
    return (color, marker, "white", ":") if base != label else (color, marker, color, "-")


def setting(key, value):
    """'malloc.size = 16 bytes'"""
    text = f"{value:g}" if isinstance(value, float) else plot.word(value)
    return f"{key} = {text}" + (f" {UNITS[key]}" if key in UNITS else "")


def number_of(point, name):
    value = point.get("speedup") if name == SPEEDUP else point["figures"].get(name)
    return value if plot.finite(value) else None


def measured(point, name):
    """Neither missing nor zero."""
    return (number_of(point, name) or 0) > 0


class Layout:
    """Which key is the horizontal axis (None: bars), which tell lines apart, and which panels."""

    def __init__(self, points):
        varying = plot.varying_keys(points)
        values = {key: {point["swept"].get(key) if not isinstance(point["swept"].get(key), list) else None
                        for point in points} for key in varying}
        numeric = [key for key in varying if all(plot.finite(value) for value in values[key])]
        self.axis = max(numeric, key=lambda key: len(values[key]), default=None)
        others = [key for key in varying if key != self.axis]
        self.lines = [NAME] if NAME in others else others
        self.panels = [key for key in others if key not in self.lines]

    def line_of(self, point):
        if self.lines == [NAME]:
            return point["deck"][NAME]
        return ", ".join(setting(key, point["swept"].get(key)) for key in self.lines) or point["deck"][NAME]

    def panel_of(self, point):
        return ", ".join(setting(key, point["swept"].get(key)) for key in self.panels)


def bounds(point, value, names):
    """What the value's range reaches (below, above), as lengths."""
    if not names:
        return 0.0, 0.0
    if len(names) == 1:
        deviation = number_of(point, names[0]) or 0.0
        return deviation, deviation
    low, high = (number_of(point, name) if name else None for name in names)
    return max(0.0, value - (value if low is None else low)), max(0.0, (value if high is None else high) - value)


def figures(document):
    """Yields (file stem, draw function, reason why there may be none), as plot.figures does."""
    points = [point for point in document["points"] if point.get("figures")]
    for problem in dict.fromkeys(point["work"]["problem"] for point in points):
        own = [point for point in points if point["work"]["problem"] == problem]
        speedup = (SPEEDUP, f"speed-up of {COMPARED.get(problem, 'the problem')} over native", None)
        for quantity in [*QUANTITIES.get(problem, []), speedup]:
            there = [point for point in own if measured(point, quantity[0])]
            if not there or (quantity == speedup and len({p["deck"][NAME] for p in there}) < 2):
                continue
            stem = f"{problem}_{re.sub('(_median)?(_us|_percent)?$', '', quantity[0])}"
            yield stem, lambda plt, o=own, q=quantity: draw(plt, o, q, document["provenance"]), ""


def draw(plt, points, quantity, provenance):
    """One quantity. Points in which it is zero or was not measured have no place in it, nor on a logarithmic axis."""
    name, axis_label, range_names = quantity
    layout = Layout(points)
    panels = {}
    for point in points:
        if measured(point, name):
            panels.setdefault(layout.panel_of(point), {}).setdefault(layout.line_of(point), []).append(point)
    if layout.axis is None:
        return draw_bars(plt, points, layout, panels, quantity, provenance)
    columns = len(panels) if len(panels) < 4 else 2 if len(panels) == 4 else 3
    rows = math.ceil(len(panels) / columns)
    width = max(8.5, 4.3 * columns)
    labels = {label for lines in panels.values() for label in lines}
    legend_rows = math.ceil(len(labels) * (0.9 + 0.085 * max(map(len, labels))) / width)
    figure, grid = plt.subplots(rows, columns, figsize=(width, 1.9 + 0.26 * legend_rows + 3.7 * rows), squeeze=False,
                                sharex=True, sharey=True)
    handles, formula = {}, None
    for axes, (title, lines) in zip(grid.flat, panels.items()):
        formulas = []
        for label, line in lines.items():
            handles.setdefault(label, None)
            own_style = style(label, list(handles).index(label))
            handles[label] = draw_line(axes, layout.axis, line, name, range_names, own_style)
            formula = draw_formula(axes, layout.axis, line, f"{name}_formula", own_style[0], formulas) or formula
        axes.set_title(title, fontsize=10)
        axes.grid(True, which="major", color="#DDDDDD", linewidth=0.7)
        axes.set_axisbelow(True)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    values = [number_of(p, name) for p in points if measured(p, name)]
    scale(grid[0][0], [p["swept"][layout.axis] for p in points], values, name.endswith("_percent"))
    label_axes(grid, len(panels), setting_label(layout.axis), axis_label)
    if formula:
        handles["by the paper's formula"] = formula
    plot.frame(figure, heading(points, axis_label), in_order(handles), notes(points, quantity, layout, provenance))
    return figure


def setting_label(key):
    return f"{key} [{UNITS[key]}]" if key in UNITS else key


def in_order(handles):
    """The allocators as STYLES has them, so that legends are alike; then the rest."""
    names = [name + end for name in STYLES for end in ("", OVER_NATIVE)]
    return {label: handles[label] for label in sorted(handles, key=lambda l: names.index(l) if l in names else len(names))}


def draw_line(axes, key, line, name, range_names, line_style):
    color, marker, face, dashes = line_style
    line.sort(key=lambda point: point["swept"][key])
    values = [number_of(point, name) for point in line]
    ranges = list(zip(*(bounds(point, value, range_names) for point, value in zip(line, values))))
    # Ranges that reach zero have no end on a logarithmic axis.
    ranges[0] = tuple(min(below, 0.95 * value) for below, value in zip(ranges[0], values))
    return axes.errorbar([point["swept"][key] for point in line], values, yerr=ranges if range_names else None, color=color,
                         marker=marker, markersize=6, markerfacecolor=face, linestyle=dashes, linewidth=1.5, capsize=2.5)


def draw_formula(axes, key, line, name, color, drawn):
    """Dashed, unless the same stands there already: some allocators share a formula."""
    curve = [(point["swept"][key], number_of(point, name)) for point in line if number_of(point, name)]
    if not curve or curve in drawn:
        return None
    drawn.append(curve)
    axes.plot(*zip(*curve), linestyle=(0, (5, 3)), color=color, linewidth=2.6, alpha=0.55)
    return axes.plot([], [], linestyle=(0, (5, 3)), color="#444444", linewidth=2.6, alpha=0.55)[0]


def spans_decades(values):
    return min(values) > 0 and max(values) >= 10 * min(values)


def scale(axes, places, values, percent):
    """Both axes; logarithmic where they span decades. All panels share them."""
    from matplotlib import ticker

    places = sorted(set(places))
    if spans_decades(places) and all(math.log2(place).is_integer() for place in places):
        axes.set_xscale("log", base=2)
        shown = places if len(places) <= 7 else places[:: math.ceil(len(places) / 6)]
        axes.xaxis.set_major_locator(ticker.FixedLocator(shown))
        axes.xaxis.set_major_formatter(ticker.FuncFormatter(
            lambda value, _: f"{value:g}" if places[-1] < 1e5 else f"$2^{{{round(math.log2(value))}}}$"))
        axes.xaxis.set_minor_locator(ticker.NullLocator())
    elif spans_decades(places):
        axes.set_xscale("log")
        readable(axes.xaxis, places)
    if percent:
        axes.set_ylim(0, 105)
    elif spans_decades(values):
        axes.set_yscale("log")
        readable(axes.yaxis, values)
    elif max(values) > 1.5 * min(values) or max(values) > 2:
        axes.set_ylim(0, 1.08 * max(values))


def readable(axis, values):
    from matplotlib import ticker

    plot.plain_numbers(axis, values)
    axis.set_major_formatter(ticker.FuncFormatter(
        lambda value, _: f"{value:g}" if 1e-3 < value < 1e5 else f"${power_of_ten(value)}$"))


def power_of_ten(value):
    exponent = math.floor(math.log10(value) + 1e-9)
    factor = round(value / 10**exponent)
    return (f"{factor} \\cdot " if factor > 1 else "") + f"10^{{{exponent}}}"


def label_axes(grid, panels, below, beside):
    """The outer panels alone: all share their axes."""
    columns = len(grid[0])
    for number, axes in enumerate(grid.flat[:panels]):
        if number % columns == 0:
            axes.set_ylabel(beside)
        if number + columns >= panels:
            axes.set_xlabel(below)
            axes.tick_params(labelbottom=True)


def heading(points, axis_label):
    problem = points[0]["work"]["problem"]
    varying = plot.varying_keys(points)
    told = [setting(key, points[0]["deck"][key]).split(".", 1)[1] for key in TOLD.get(problem, ())
            if key not in varying and points[0]["deck"].get(key) not in (None, NOT_TOLD.get(key))]
    if NAME not in varying:
        told.insert(0, points[0]["deck"][NAME])
    return [problem + ": " + axis_label.split(" [")[0], *([", ".join(told)] if told else [])]


def notes(points, quantity, layout, provenance):
    name, _, range_names = quantity
    lines = []
    if range_names:
        lines += [text for word, text in RANGES.items() if word in "".join(filter(None, range_names))][:1]
    left_out = sorted({point["deck"][NAME] for point in points if number_of(point, name) in (None, 0)})
    if left_out and name != SPEEDUP:
        lines.append("zero or not measured, at some points at least: " + ", ".join(left_out))
    if any(number_of(point, f"{name}_formula") for point in points):
        lines += dict.fromkeys(note for point in points for note in point.get("notes", []) if "formula" in note)
    pools = {point["deck"].get("allocator.pool") for point in points}
    pool = f"pool {pools.pop():g} GiB, " if len(pools) == 1 and None not in pools else ""
    return [*lines, f"this run: {pool}{plot.machine(provenance)}"]


def draw_bars(plt, points, layout, panels, quantity, provenance):
    """A panel beside the other, in each a bar for each allocator, from zero."""
    from matplotlib import ticker

    name, axis_label, range_names = quantity
    labels = list(in_order({label: None for lines in panels.values() for label in lines}))
    columns = min(3, len(panels))
    rows = math.ceil(len(panels) / columns)
    figure, grid = plt.subplots(rows, columns, figsize=(max(8.5, 2.2 + 4.2 * columns), 1.7 + rows * (0.8 + 0.34 * len(labels))),
                                squeeze=False, sharey=True)
    formula = None
    for axes, (title, lines) in zip(grid.flat, panels.items()):
        for row, label in enumerate(labels):
            for point in lines.get(label, []):
                formula = bar(axes, row, point, name, range_names, style(label, row)[0]) or formula
        longest = max(number_of(point, name) + bounds(point, number_of(point, name), range_names)[1]
                      for line in lines.values() for point in line)
        axes.set_xlim(0, 1.35 * longest)
        axes.xaxis.set_major_locator(ticker.MaxNLocator(5))
        axes.set_title(title, fontsize=10)
        axes.grid(True, axis="x", color="#DDDDDD", linewidth=0.7)
        axes.set_axisbelow(True)
    for axes in grid.flat[len(panels):]:
        axes.set_visible(False)
    grid[0][0].set_yticks(range(len(labels)))
    grid[0][0].set_yticklabels(labels, fontsize=9)
    grid[0][0].invert_yaxis()
    for axes in grid.flat[max(0, len(panels) - columns):len(panels)]:
        axes.set_xlabel(axis_label, fontsize=9)
    handles = {"by the paper's formula": formula} if formula else {}
    plot.frame(figure, heading(points, axis_label), handles, notes(points, quantity, layout, provenance))
    return figure


def bar(axes, row, point, name, range_names, color):
    value = number_of(point, name)
    below, above = bounds(point, value, range_names)
    axes.barh(row, value, 0.72, color=color)
    if range_names:
        axes.errorbar(value, row, xerr=[[below], [above]], color="#444444", capsize=2.5, linewidth=1)
    axes.text(value + above, row, f"  {value:.3g}" if value < 1000 else f"  {value:,.0f}", va="center", fontsize=9)
    formula = number_of(point, f"{name}_formula")
    return axes.plot(formula, row, "d", color="white", markeredgecolor="black", markersize=7)[0] if formula else None
