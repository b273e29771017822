# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What problems write beside their results: particles of nbody and sph (*_particles.csv), the iterations of each pixel
of mandelbrot (mandelbrot_*.pgm), and what the receivers of waves have recorded (*_receivers.csv)."""

from __future__ import annotations

import pathlib
from typing import Any

import numpy
import numpy.typing
import pandas
from matplotlib import colormaps, colors

from haloheap_results.figures import seismograms
from haloheap_results.load import BadInput, read_numbers
from haloheap_results.style import Figure, panels

SIZES = (0.5, 40)  # area of a dot in points, at least and at most
LABELS = {"density": "density [kg/m³]"}


def draw(path: pathlib.Path) -> Figure:
    if path.name.endswith("_receivers.csv"):
        return seismograms.draw(path)
    return draw_counts(path) if path.suffix == ".pgm" else draw_particles(path)


def read_particles(path: pathlib.Path) -> pandas.DataFrame:
    """Columns x, y, z, and what the colour says."""
    def fits(rows: pandas.DataFrame) -> bool:
        # Rows of five columns have the first as their names.
        columns = list(rows.columns) if isinstance(rows.index, pandas.RangeIndex) else []
        return columns[:3] == ["x", "y", "z"] and len(columns) == 4

    return read_numbers(path, "columns x, y, z and one more", fits)


def draw_particles(path: pathlib.Path) -> Figure:
    """From above (x, y) and from the side (x, z); those nearer to the eye are drawn over the others."""
    rows = read_particles(path)
    value = str(rows.columns[3])
    figure, ((*row,),) = panels(1, 2, (11, 5), layout="constrained")
    size = min(max(20000 / len(rows), SIZES[0]), SIZES[1])
    # The y axis points away from who looks from the side.
    views = (("from above", "y", rows.sort_values("z", kind="stable")),
             ("from the side", "z", rows.sort_values("y", ascending=False, kind="stable")))
    for axes, (title, up, ordered) in zip(row, views):
        dots = axes.scatter(ordered["x"], ordered[up], c=ordered[value], s=size, cmap="viridis", linewidths=0)
        axes.set_xlabel("x")
        axes.set_ylabel(up)
        axes.set_aspect("equal")
        axes.set_title(title)
    figure.colorbar(dots, ax=row, label=LABELS.get(value, value))
    figure.suptitle(f"{path.stem}: {len(rows)} particles")
    return figure


def read_counts(path: pathlib.Path) -> numpy.typing.NDArray[Any]:
    """Iterations of each pixel, row by row, from a greymap of two bytes a pixel."""
    try:
        magic, size, most, pixels = path.read_bytes().split(b"\n", 3)
        if (magic, most) != (b"P5", b"65535"):
            raise ValueError(f"it begins with {magic[:9]!r}, and values go to {most[:9]!r}")
        width, height = map(int, size.split())
        return numpy.frombuffer(pixels, dtype=">u2").astype(float).reshape(height, width)
    except (OSError, ValueError) as error:
        raise BadInput(f"{path}: no picture of problem mandelbrot: {error}") from error


def draw_counts(path: pathlib.Path) -> Figure:
    """Points that stayed to the last iteration are black, others the brighter the longer they stayed."""
    counts = read_counts(path)
    height, width = counts.shape
    figure, ((axes,),) = panels(1, 1, (9.5, 0.5 + 8 * height / width), layout="constrained")
    shown = numpy.ma.masked_equal(counts, counts.max())
    palette = colormaps["viridis"].with_extremes(bad="black")
    # Half of the points leave within a few iterations: equal steps of the logarithm are seen as such.
    drawn = axes.imshow(shown, cmap=palette, norm=colors.LogNorm(), interpolation="antialiased")
    axes.set_axis_off()
    figure.colorbar(drawn, ax=axes, label=f"iterations (black: {counts.max():g})", fraction=0.03)
    figure.suptitle(f"{path.stem}: {width} x {height} pixels")
    return figure
