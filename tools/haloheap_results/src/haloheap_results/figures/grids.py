# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What problems on grids write with output.fields and output.frames: a field as a picture, or animated."""

from __future__ import annotations

import dataclasses
import math
import pathlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy
from matplotlib import colormaps, colors, ticker
from matplotlib.axes import Axes
from matplotlib.image import AxesImage

from haloheap_results import vtk
from haloheap_results.formula import evaluate
from haloheap_results.labels import setting, shape
from haloheap_results.load import BadInput, Point, Results
from haloheap_results.style import Figure
from haloheap_results.vtk import Array, Frame

AXES = "xyz"
DISCRETE = 4  # so many values of whole numbers, at most, are colours apart
SHADES = 128  # with those of the text they are fewer than the 256 colours of a GIF
NOT_FINITE = "magenta"
NEGLIGIBLE = 0.01  # a sign whose largest value is a smaller share of the other's is none


@dataclasses.dataclass(frozen=True)
class Cut:
    """A plane of cells across a grid in 3D."""

    axis: str
    cell: int


@dataclasses.dataclass(frozen=True)
class Wanted:
    """What is to be drawn of a point."""

    point: int = 1
    """Its number in the file, from 1 on."""
    field: str | None = None
    """A name or formula; None: the first field."""
    cut: Cut | None = None
    """None: across the middle of z."""
    limits: tuple[float, float] | None = None
    """Of the scale of colours; None: the values' own."""
    label: str | None = None
    """What the picture calls the field; None: its name or formula."""


@dataclasses.dataclass(frozen=True)
class Shot:
    """A field at one time, in the plane that is drawn."""

    step: int
    values: Array
    """Rows from below."""


class Scene:
    """A point of a run, and the fields that it wrote beside its results."""

    def __init__(self, results: Results, folder: pathlib.Path, wanted: Wanted) -> None:
        if not 1 <= wanted.point <= len(results.points):
            raise BadInput(f"there is no point {wanted.point}: the run has {counted(len(results.points), 'point')}")
        self.point: Point = results.points[wanted.point - 1]
        self.wanted = wanted
        self.size = self.point.work.size
        if len(self.size) not in (2, 3) or "grid.steps" not in self.point.deck:
            raise BadInput(f"point {wanted.point} is of problem {self.point.work.problem}, which has no grid")
        self.cut = cut_of(self.size, wanted.cut)
        self.stem = folder / f"point_{wanted.point:03d}"
        self.field = wanted.field or ""

    @property
    def label(self) -> str:
        return self.wanted.label or self.field

    def last(self) -> Frame:
        """After all steps."""
        path = self.stem.with_suffix(".pvti")
        if path.exists():
            return Frame(self.point.work.steps, path)
        if self.stem.with_suffix(".pvd").exists():
            return self.frames()[-1]
        raise BadInput(f"there is no '{path}': run with output.fields=true")

    def frames(self) -> list[Frame]:
        path = self.stem.with_suffix(".pvd")
        if not path.exists():
            raise BadInput(f"there is no '{path}': run with output.frames=20, say")
        return vtk.read_series(path)

    def fields(self, frame: Frame) -> dict[str, Array]:
        fields = vtk.read_fields(frame.path)
        cells = (*self.size, 1)[:3]
        if not fields or next(iter(fields.values())).shape != cells[::-1]:
            raise BadInput(f"'{frame.path}' is not of {shape(self.size)} cells, as the results: is it of another run?")
        return fields

    def shot(self, frame: Frame) -> Shot:
        fields = self.fields(frame)
        self.field = self.field or next(iter(fields))
        values = evaluate(self.field, fields)
        return Shot(frame.step, numpy.array(values.take(self.cut.cell, axis=2 - AXES.index(self.cut.axis))))

    def heading(self, step: int | None) -> str:
        work = self.point.work
        time = "" if step is None else f" {after(step)}"
        slice_text = f", slice {self.cut.axis} = {self.cut.cell}" if len(self.size) == 3 else ""
        return f"{work.problem}: {self.label}{time}\n{shape(self.size)} cells{slice_text}, {work.scalar}"

    def remarks(self, colours: Colours) -> str:
        settings = [setting(key, value) for key, value in self.point.swept.items()]
        return ", ".join([*settings, *([f"{NOT_FINITE}: not finite"] if colours.spoilt else [])])


def counted(number: int, word: str) -> str:
    return f"{number} {word}{'' if number == 1 else 's'}"


def cut_of(size: Sequence[int], wanted: Cut | None) -> Cut:
    if len(size) == 2:
        if wanted:
            raise BadInput("a grid in 2D has no slices")
        return Cut("z", 0)
    cut = wanted or Cut("z", size[2] // 2)
    cells = size[AXES.index(cut.axis)]
    if not 0 <= cut.cell < cells:
        raise BadInput(f"there is no slice {cut.axis}={cut.cell}: {cut.axis} goes from 0 to {cells - 1}")
    return cut


# ---------------------------------------------------------------------------------------------------- colours


@dataclasses.dataclass(frozen=True)
class Colours:
    """The same for all times of a picture."""

    norm: colors.Normalize
    palette: colors.Colormap
    ticks: list[float] | None = None
    spoilt: bool = False
    """Some values are not finite."""


def colours_of(shots: Sequence[Shot], limits: tuple[float, float] | None = None) -> Colours:
    """From dark to bright; from blue over white, which is 0, to red where values have both signs."""
    finite = [shot.values[numpy.isfinite(shot.values)] for shot in shots]
    values = numpy.concatenate(finite) if finite else numpy.empty(0)
    if not values.size:
        raise BadInput("no value of the field is finite")
    spoilt = values.size < sum(shot.values.size for shot in shots)
    low, high = limits or (float(values.min()), float(values.max()))
    if not limits and values.dtype.kind == "u" and (few := numpy.unique(values)).size <= DISCRETE:
        return discrete([float(value) for value in few])
    if min(-low, high) > NEGLIGIBLE * max(-low, high):
        most = max(-low, high)
        return Colours(colors.Normalize(-most, most), palette("RdBu_r", SHADES + 1), spoilt=spoilt)
    if low == high:
        low, high = low - 0.5, high + 0.5
    return Colours(colors.Normalize(low, high), palette("viridis", SHADES), spoilt=spoilt)


def palette(name: str, shades: int) -> colors.Colormap:
    return colormaps[name].resampled(shades).with_extremes(bad=NOT_FINITE)


def discrete(values: list[float]) -> Colours:
    """White and shades of grey up to black."""
    edges = [values[0] - 0.5, *((a + b) / 2 for a, b in zip(values, values[1:])), values[-1] + 0.5]
    shades = [str(1 - place / max(1, len(values) - 1)) for place in range(len(values))]
    return Colours(colors.BoundaryNorm(edges, len(values)), colors.ListedColormap(shades), values)


# ---------------------------------------------------------------------------------------------------- drawing

DPI = 100  # a cell is a whole number of pixels where that suits
LONGEST, LONGEST_OF_SEVERAL = 640, 320  # side of a panel in pixels, about
IN_A_ROW = 4
# Room in inches: around all panels, between them, and of the scale of colours.
LEFT, RIGHT, BOTTOM, TOP, REMARKS = 0.85, 0.2, 0.65, 0.65, 0.3
BETWEEN, TITLE = 0.3, 0.3
LETTER = 0.1  # of the heading
BAR, BAR_GAP, BAR_TEXT = 0.2, 0.2, 0.85


def pixels_of(rows: int, columns: int, panels: int) -> tuple[int, int]:
    """Height and width of a panel of so many cells."""
    scale = (LONGEST if panels == 1 else LONGEST_OF_SEVERAL) / max(rows, columns)
    if scale > 0.7:
        scale = max(1, round(scale))
    height, width = round(rows * scale), round(columns * scale)
    # A strip would be too thin to be seen.
    return max(height, width // 10), max(width, height // 10)


@dataclasses.dataclass
class Layout:
    """Where the panels of a figure are, in inches."""

    panels: int
    height: float
    width: float
    heading: str
    remarks: str

    def __post_init__(self) -> None:
        self.down = math.ceil(self.panels / IN_A_ROW)
        self.across = math.ceil(self.panels / self.down)
        self.title = TITLE if self.panels > 1 else 0.0
        self.all_width = self.across * (self.width + BETWEEN) - BETWEEN
        self.all_height = self.down * (self.height + self.title + BETWEEN) - BETWEEN
        needed = LEFT + self.all_width + BAR_GAP + BAR + BAR_TEXT + RIGHT
        longest = max(map(len, (*self.heading.split("\n"), self.remarks)))
        self.total_width = max(needed, LETTER * longest)
        self.left = LEFT + (self.total_width - needed) / 2
        self.bottom = BOTTOM + (REMARKS if self.remarks else 0)
        self.figure = Figure(figsize=(self.total_width, self.bottom + self.all_height + TOP), dpi=DPI)

    def axes(self, x: float, y: float, width: float, height: float) -> Axes:
        """With a corner there, from the left of the first panel and from below the lowest, at a whole pixel."""
        total = self.figure.get_size_inches()
        corner = (round((self.left + x) * DPI) / DPI, round((self.bottom + y) * DPI) / DPI)
        return self.figure.add_axes((corner[0] / total[0], corner[1] / total[1], width / total[0], height / total[1]))

    def panel(self, number: int) -> Axes:
        row, column = divmod(number, self.across)
        above = row * (self.height + self.title + BETWEEN) + self.title + self.height
        return self.axes(column * (self.width + BETWEEN), self.all_height - above, self.width, self.height)

    def bar(self) -> Axes:
        return self.axes(self.all_width + BAR_GAP, 0, BAR, self.all_height - self.title)


def figure_of(scene: Scene, shots: Sequence[Shot], colours: Colours) -> tuple[Figure, list[AxesImage]]:
    """A panel for each time, and beside them the scale of colours."""
    rows, columns = shots[0].values.shape
    height, width = (side / DPI for side in pixels_of(rows, columns, len(shots)))
    alone = len(shots) == 1
    layout = Layout(len(shots), height, width, scene.heading(shots[0].step if alone else None), scene.remarks(colours))
    images = []
    for number, shot in enumerate(shots):
        axes = layout.panel(number)
        images.append(draw_panel(axes, shot, colours))
        label_axes(axes, scene.cut, lowest=number + layout.across >= len(shots), first=number % layout.across == 0)
        if not alone:
            axes.set_title(after(shot.step), fontsize=10)
    bar = layout.figure.colorbar(images[0], cax=layout.bar(), label=scene.label, ticks=colours.ticks)
    if colours.ticks:
        bar.minorticks_off()
        bar.ax.set_yticklabels([f"{tick:g}" for tick in colours.ticks])
    total = layout.figure.get_figheight()
    layout.figure.suptitle(layout.heading, fontsize=12, y=1 - 0.12 / total, va="top")
    layout.figure.text(0.5, 0.1 / total, layout.remarks, ha="center", va="bottom", fontsize=9, color="#555555")
    return layout.figure, images


def after(step: int) -> str:
    return f"after {counted(step, 'step')}" if step else "at the start"


def draw_panel(axes: Axes, shot: Shot, colours: Colours) -> AxesImage:
    rows, columns = shot.values.shape
    return axes.imshow(seen(shot.values), cmap=colours.palette, norm=colours.norm, origin="lower", aspect="auto",
                       extent=(0, columns, 0, rows))


def seen(values: Array) -> Any:
    return numpy.ma.masked_invalid(values) if values.dtype.kind == "f" else values


def label_axes(axes: Axes, cut: Cut, lowest: bool, first: bool) -> None:
    right, up = (axis for axis in AXES if axis != cut.axis)
    for axis, name, shown in ((axes.xaxis, right, lowest), (axes.yaxis, up, first)):
        axis.set_major_locator(ticker.MaxNLocator(5, integer=True, steps=[1, 2, 5, 10]))
        if shown:
            axis.set_label_text(f"{name} [cells]")
        else:
            axis.set_ticklabels([])


def draw(scene: Scene, numbers: Sequence[int]) -> Figure:
    """The frames of these numbers side by side; the end where there are none."""
    frames = scene.frames() if numbers else [scene.last()]
    for number in numbers:
        if not 0 <= number < len(frames):
            raise BadInput(f"there is no frame {number}: frames go from 0 to {len(frames) - 1}")
    shots = [scene.shot(frames[number]) for number in numbers or [0]]
    return figure_of(scene, shots, colours_of(shots, scene.wanted.limits))[0]


def animate(scene: Scene) -> Iterator[Figure]:
    """All frames, one after the other, in the same figure."""
    shots = [scene.shot(frame) for frame in scene.frames()]
    figure, (image,) = figure_of(scene, shots[-1:], colours_of(shots, scene.wanted.limits))
    for shot in shots:
        image.set_data(seen(shot.values))
        figure.suptitle(scene.heading(shot.step))
        yield figure
