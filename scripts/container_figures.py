#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Draws what applications on smart containers leave with output.fields=true as PNG files beside it: the particles of problems
nbody and sph (*_particles.csv), and the picture of problem mandelbrot (mandelbrot_*.pgm).

Exit code 0: done; 2: the input is no table of particles or no such picture; 3: matplotlib is missing; 5: cannot write.
"""

import argparse
import csv
import pathlib
import sys

SIZES = (0.5, 40)  # area of a dot in points, at least and at most


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=pathlib.Path, help="*_particles.csv, mandelbrot_*.pgm")
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
            (draw_mandelbrot if path.suffix == ".pgm" else draw_particles)(path, picture)
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
