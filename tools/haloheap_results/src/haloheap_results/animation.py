# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Figures as small files, alone or one after the other: of 256 colours each, but for an animated PNG."""

from __future__ import annotations

import io
import pathlib
from collections.abc import Iterable

from matplotlib.backends.backend_agg import FigureCanvasAgg
from PIL import Image  # matplotlib needs it too

from haloheap_results.style import Figure

ANIMATED = {".gif": "GIF", ".apng": "PNG"}
HOLD = 1500  # milliseconds that the last figure stays at least


def drawn(figure: Figure) -> Image.Image:
    with io.BytesIO() as raw:
        figure.savefig(raw, format="raw", dpi="figure")
        return Image.frombytes("RGBA", FigureCanvasAgg(figure).get_width_height(), raw.getvalue()).convert("RGB")


def of_256_colours(figure: Figure) -> Image.Image:
    return drawn(figure).quantize(method=Image.Quantize.MAXCOVERAGE)  # no colour is far from what was drawn


def write_picture(path: pathlib.Path, figure: Figure) -> None:
    """A PNG."""
    of_256_colours(figure).save(path, "PNG", optimize=True)


def write_animation(path: pathlib.Path, figures: Iterable[Figure], per_second: float) -> None:
    """A GIF or an animated PNG, by the end of the name, which starts again when it is over."""
    # A GIF has colours for each frame, a PNG one palette for all of them.
    first, *others = map(of_256_colours if path.suffix == ".gif" else drawn, figures)
    each = round(1000 / per_second)
    durations = [each] * len(others) + [max(each, HOLD)]
    first.save(path, ANIMATED[path.suffix], save_all=True, append_images=others, duration=durations, loop=0)
