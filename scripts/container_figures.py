#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what applications on smart containers leave as PNG files beside it: of results.json the normalised times of each
application by mechanism, as in Figures 6 and 7 of the paper (input/figure6.toml, input/figure7.toml); with output.fields=true
the particles of problems nbody and sph (*_particles.csv), and the picture of problem mandelbrot (mandelbrot_*.pgm).

Exit code 0: done; 2: the input is none of these, or no point has a normalised time; 3: matplotlib is missing; 5: cannot write.
"""

import argparse
import csv
import pathlib
import sys

import allocator_figures
import plot

SIZES = (0.5, 40)  # area of a dot in points, at least and at most
POLICY, PEER = "coherence.policy", "coherence.peer"
# Okabe and Ito's palette, by policy; without peer copies bars are hatched.
POLICY_COLORS = {"initial": "#E69F00", "none": "#D55E00", "paper": "#56B4E9", "region": "#009E73"}
SPARE_COLORS = ["#CC79A7", "#0072B2", "#F0E442", "#000000"]
LONGEST_LINEAR = 4  # where the longest bar is longer than so many references, the axis is logarithmic


class WrongInput(Exception):
    pass


def read_particles(path):
    """(what the colour says, rows of x, y, z and it)"""
    try:
        with open(path, encoding="utf-8") as file:
            header, *rows = csv.reader(file)
            rows = [[float(cell) for cell in row] for row in rows]
    except (OSError, ValueError) as error:
        raise WrongInput(f"{path}: {error}") from error
    if header[:3] != ["x", "y", "z"] or len(header) != 4 or not rows or any(len(row) != 4 for row in rows):
        raise WrongInput(f"{path}: not columns x, y, z and one more")
    return header[3], rows


def draw_particles(path, picture):
    """From above (x, y) and from the side (x, z); those nearer to the eye are drawn over the others."""
    from matplotlib import pyplot

    value, rows = read_particles(path)
    figure, axes = pyplot.subplots(1, 2, figsize=(11, 5), layout="constrained")
    size = min(max(20000 / len(rows), SIZES[0]), SIZES[1])
    for axis, across, up, depth in ((axes[0], 0, 1, 2), (axes[1], 0, 2, 1)):
        # The y axis points away from who looks from the side.
        ordered = sorted(rows, key=lambda row: row[depth] if depth == 2 else -row[depth])
        dots = axis.scatter([row[across] for row in ordered], [row[up] for row in ordered], c=[row[3] for row in ordered],
                            s=size, cmap="viridis", linewidths=0)
        axis.set_xlabel("xyz"[across])
        axis.set_ylabel("xyz"[up])
        axis.set_aspect("equal")
        axis.set_title("from above" if depth == 2 else "from the side")
    figure.colorbar(dots, ax=axes, label={"density": "density [kg/m³]"}.get(value, value))
    figure.suptitle(f"{path.stem}: {len(rows)} particles")
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


def read_counts(path):
    """Iterations of each pixel, row by row, from a greymap of two bytes a pixel."""
    import numpy

    try:
        magic, size, most, pixels = path.read_bytes().split(b"\n", 3)
        if (magic, most) != (b"P5", b"65535"):
            raise ValueError(f"it begins with {magic[:9]!r}, and values go to {most[:9]!r}")
        width, height = map(int, size.split())
        return numpy.frombuffer(pixels, dtype=">u2").astype(float).reshape(height, width)
    except (OSError, ValueError) as error:
        raise WrongInput(f"{path}: no picture of problem mandelbrot: {error}") from error


def draw_mandelbrot(path, picture):
    """Points that stayed to the last iteration are black, others the brighter the longer they stayed."""
    import numpy
    from matplotlib import colors, pyplot

    counts = read_counts(path)
    height, width = counts.shape
    figure, axis = pyplot.subplots(figsize=(9.5, 0.5 + 8 * height / width), layout="constrained")
    shown = numpy.ma.masked_equal(counts, counts.max())
    palette = pyplot.get_cmap("viridis").with_extremes(bad="black")
    # Half of the points leave within a few iterations: equal steps of the logarithm are seen as such.
    drawn = axis.imshow(shown, cmap=palette, norm=colors.LogNorm(), interpolation="antialiased")
    axis.set_axis_off()
    figure.colorbar(drawn, ax=axis, label=f"iterations (black: {counts.max():g})", fraction=0.03)
    figure.suptitle(f"{path.stem}: {width} x {height} pixels")
    figure.savefig(picture, dpi=120)
    pyplot.close(figure)


def mechanism_of(point, with_peers):
    """(policy, whether peer copies are made); the second only where it varies."""
    return point["deck"].get(POLICY), point["deck"].get(PEER) if with_peers else None


def name_of(mechanism):
    policy, peer = mechanism
    return policy if peer is None else f"{policy}, {'peer' if peer else 'no peer'} copies"


def style_of(mechanism, mechanisms):
    policy, peer = mechanism
    unknown = [known for known in dict.fromkeys(policy for policy, _ in mechanisms) if known not in POLICY_COLORS]
    color = POLICY_COLORS.get(policy) or SPARE_COLORS[unknown.index(policy) % len(SPARE_COLORS)]
    return {"facecolor": color, "edgecolor": "white", "hatch": "///" if peer is False else None, "linewidth": 0}


def setting(key, value):
    if key == "coherence.devices" and value > 0:
        return f"{value} device{'s' if value > 1 else ''}"
    return allocator_figures.setting(key, value)


def panels_of(points):
    """{title: points}: what varies beside the problem, the policy and the peer copies."""
    keys = [key for key in plot.varying_keys(points) if key not in ("problem", POLICY, PEER)]
    panels = {}
    for point in points:
        # Keys of other problems say nothing of this one.
        own = [key for key in keys if key in point["swept"] and key.split(".")[0] in ("coherence", point["work"]["problem"])]
        panels.setdefault(", ".join(setting(key, point["swept"][key]) for key in own), []).append(point)
    return panels


def reference_of(points):
    """The point that the others are compared with: by name, as others may happen to take as long."""
    by_mechanism = {mechanism_of(point, True): point for point in points}
    return next((by_mechanism[found] for policy in ("paper", "region") for found in ((policy, True), (policy, False))
                 if found in by_mechanism), None)


def by_problem(points):
    problems = {}
    for point in points:
        problems.setdefault(point["work"]["problem"], []).append(point)
    return problems


def normalised(point):
    return point["figures"]["normalised"]


def number_text(value):
    return f"{value:.3g}" if value < 999.5 else f"{value:.0f}"


def time_text(seconds):
    return f"{number_text(seconds)} s" if seconds >= 1 else f"{number_text(1e3 * seconds)} ms"


def range_of(point):
    """Normalised times of the fastest and the slowest repetition; the median twice where they are not known."""
    value, wall = normalised(point), point["wall_s"]
    if not plot.finite(wall.get("minimum")) or not plot.finite(wall.get("maximum")) or wall["median"] <= 0:
        return value, value
    return tuple(value * wall[end] / wall["median"] for end in ("minimum", "maximum"))


def draw_panel(axes, points, mechanisms, with_peers):
    """A group of bars for each problem, in each a bar for each mechanism. Returns what the legend shows."""
    handles, labels = {}, []
    width = 0.84 / len(mechanisms)
    for group, (problem, own) in enumerate(by_problem(points).items()):
        reference = reference_of(own)
        labels.append(problem if reference is None else f"{problem}\n1 = {time_text(reference['wall_s']['median'])}")
        for point in own:
            mechanism = mechanism_of(point, with_peers)
            place = group + (mechanisms.index(mechanism) - (len(mechanisms) - 1) / 2) * width
            value, (low, top) = normalised(point), range_of(point)
            bar = axes.bar(place, value, 0.92 * width, **style_of(mechanism, mechanisms))
            if low < top:
                axes.errorbar(place, value, yerr=[[value - low], [top - value]], color="#444444", capsize=2, linewidth=1)
            text = f"{value:.2f}" if value < 9.995 else number_text(value)
            axes.annotate(text, (place, top), (0, 2), textcoords="offset points", ha="center", va="bottom",
                          fontsize=8 if len(mechanisms) < 4 else 7,
                          bbox={"facecolor": "white", "edgecolor": "none", "pad": 0.5})
            handles.setdefault(name_of(mechanism), bar[0])
    axes.axhline(1, color="#444444", linewidth=0.8)
    axes.set_xticks(range(len(labels)), labels)
    axes.tick_params(axis="x", length=0)
    axes.set_xlim(-0.6, len(labels) - 0.4)
    axes.grid(True, axis="y", color="#DDDDDD", linewidth=0.7)
    axes.set_axisbelow(True)
    return handles


def value_axis(axes, values):
    from matplotlib import ticker

    longest, shortest = max(values), min(values)
    if longest > LONGEST_LINEAR:
        axes.set_yscale("log")
        axes.set_ylim(min(0.5, 0.6 * shortest), 1.8 * longest)
        axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 5)))
        axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
        axes.yaxis.set_minor_locator(ticker.NullLocator())
    else:
        axes.set_ylim(0, 1.15 * longest)


def figure_of_times(pyplot, document):
    points = [point for point in document["points"] if plot.finite(point.get("figures", {}).get("normalised"))]
    if not points:
        raise WrongInput("no point has a normalised time: it takes a sweep over coherence.policy with paper or region among it")
    with_peers = len({point["deck"].get(PEER) for point in points}) > 1
    mechanisms = list(dict.fromkeys(mechanism_of(point, with_peers) for point in points))
    panels = panels_of(points)
    groups = max(len(by_problem(own)) for own in panels.values())
    figure, grid = pyplot.subplots(len(panels), 1, squeeze=False,
                                   figsize=(min(16, max(8.5, 1.2 + groups * (0.4 + 0.42 * len(mechanisms)))),
                                            1.3 + 3.3 * len(panels)))
    handles = {}
    for axes, (title, own) in zip(grid.flat, panels.items()):
        handles |= draw_panel(axes, own, mechanisms, with_peers)
        value_axis(axes, [end for point in points for end in range_of(point)])
        axes.set_title(title, fontsize=10)
        axes.set_ylabel("normalised time", fontsize=9)
    names = {name_of(mechanism_of(reference, with_peers)) for own in panels.values() for problem in by_problem(own).values()
             if (reference := reference_of(problem))}
    lines = [f"1: policy {' or '.join(sorted(names))}; ranges: fastest to slowest repetition"] if names else []
    plot.frame(figure, ["Smart containers: normalised times"], {name: handles[name] for name in map(name_of, mechanisms)},
               [*lines, "this run: " + plot.machine(document["provenance"])])
    return figure


def draw_times(path, picture):
    from matplotlib import pyplot

    try:
        figure = figure_of_times(pyplot, plot.load(path))
    except plot.BadInput as error:
        raise WrongInput(error) from error
    except WrongInput as error:
        raise WrongInput(f"{path}: {error}") from error
    figure.savefig(picture, dpi=130)
    pyplot.close(figure)


DRAW = {".json": draw_times, ".pgm": draw_mandelbrot}  # of others particles


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="results.json, *_particles.csv, mandelbrot_*.pgm")
    arguments = parser.parse_args()
    try:
        import matplotlib
    except ImportError:
        print("container_figures.py: matplotlib is missing (apt install python3-matplotlib)", file=sys.stderr)
        return 3
    matplotlib.use("Agg")
    for path in arguments.files:
        picture = path.with_suffix(".png")
        try:
            DRAW.get(path.suffix, draw_particles)(path, picture)
        except WrongInput as error:
            print(f"container_figures.py: {error}", file=sys.stderr)
            return 2
        except OSError as error:
            print(f"container_figures.py: cannot write {picture}: {error}", file=sys.stderr)
            return 5
        print(picture)
    return 0


if __name__ == "__main__":
    sys.exit(main())
