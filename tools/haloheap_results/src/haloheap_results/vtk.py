# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The fields that problems on grids write (.vti, .pvti, .pvd), as arrays. The one place that knows how the files are
laid out; what haloheap does not write so is refused."""

from __future__ import annotations

import dataclasses
import pathlib
import struct
import xml.etree.ElementTree as xml
from typing import Any

import numpy
import numpy.typing

from haloheap_results.load import BadInput

Array = numpy.typing.NDArray[Any]
"""Of a field: z, y, x."""
Box = tuple[slice, slice, slice]
"""Cells, in the same order."""

TYPES = {"Float32": "<f4", "Float64": "<f8", "UInt8": "u1"}
START = b'<AppendedData encoding="raw">\n_'
END = b"\n  </AppendedData>\n</VTKFile>\n"


class Malformed(Exception):
    """What is wrong with a file."""


@dataclasses.dataclass(frozen=True)
class Frame:
    """A file of all fields, and the number of steps before it."""

    step: int
    path: pathlib.Path


def read_series(path: pathlib.Path) -> list[Frame]:
    """What a .pvd lists. @raises BadInput"""
    try:
        root = opened(path.read_bytes(), "Collection")
        frames = [Frame(int(attribute(entry, "timestep")), path.parent / attribute(entry, "file"))
                  for entry in root.iterfind("Collection/DataSet")]
        if not frames:
            raise Malformed("it lists no times")
        return frames
    except (OSError, ValueError, Malformed) as error:
        raise BadInput(f"cannot read '{path}': {error}") from error


def read_fields(path: pathlib.Path) -> dict[str, Array]:
    """All fields of a .pvti by name, put together of what the ranks wrote. @raises BadInput"""
    reading = path
    try:
        root = opened(path.read_bytes(), "PImageData")
        image = child(root, "PImageData")
        whole = box_of(image, "WholeExtent")
        shape = tuple(part.stop for part in whole)
        fields = {attribute(array, "Name"): numpy.empty(shape, type_of(array))
                  for array in image.iterfind("PCellData/PDataArray")}
        filled = numpy.zeros(shape, bool)
        for piece in image.iterfind("Piece"):
            box = box_of(piece, "Extent")
            reading = path.parent / attribute(piece, "Source")
            values = piece_of(reading, whole, box)
            if {name: of.dtype for name, of in values.items()} != {name: of.dtype for name, of in fields.items()}:
                raise Malformed(f"its fields are not those of '{path.name}'")
            for name, cells in values.items():
                fields[name][box] = cells
            if filled[box].any():
                raise Malformed("its cells are those of another piece too")
            filled[box] = True
        reading = path
        if not filled.all():
            raise Malformed(f"{numpy.count_nonzero(~filled)} of {filled.size} cells are in no piece")
        return fields
    except (OSError, ValueError, Malformed) as error:
        raise BadInput(f"cannot read '{reading}': {error}") from error


def piece_of(path: pathlib.Path, whole: Box, box: Box) -> dict[str, Array]:
    """The fields of a .vti, which must be of these cells."""
    head, mark, data = path.read_bytes().partition(START)
    if not mark:
        raise Malformed("it has no appended data")
    image = child(opened(head + b"</VTKFile>", "ImageData"), "ImageData")
    piece = child(image, "Piece")
    if (box_of(image, "WholeExtent"), box_of(piece, "Extent")) != (whole, box):
        raise Malformed("its cells are not those that the .pvti says")
    shape = tuple(part.stop - part.start for part in box)
    fields, end = {}, 0
    for array in piece.iterfind("CellData/DataArray"):
        kind = type_of(array)
        count = shape[0] * shape[1] * shape[2]
        if (attribute(array, "format"), int(attribute(array, "offset"))) != ("appended", end):
            raise Malformed("its fields do not follow each other")
        if data[end:end + 8] != struct.pack("<Q", count * kind.itemsize):
            raise Malformed(f"field {attribute(array, 'Name')} does not have {count} values")
        if len(data) < end + 8 + count * kind.itemsize:
            raise Malformed(f"it ends within field {attribute(array, 'Name')}")
        fields[attribute(array, "Name")] = numpy.frombuffer(data, kind, count, end + 8).reshape(shape)
        end += 8 + count * kind.itemsize
    if data[end:] != END:
        raise Malformed("it does not end behind its fields")
    return fields


def opened(text: bytes, kind: str) -> xml.Element:
    """The root of a file of this kind."""
    try:
        root = xml.fromstring(text)
    except xml.ParseError as error:
        raise Malformed(f"no XML: {error}") from error
    layout = tuple(map(root.get, ("type", "version", "byte_order", "header_type")))
    if root.tag != "VTKFile" or layout != (kind, "1.0", "LittleEndian", "UInt64"):
        raise Malformed(f"not the {kind} that haloheap writes")
    return root


def child(element: xml.Element, name: str) -> xml.Element:
    found = element.find(name)
    if found is None:
        raise Malformed(f"it has no {name}")
    return found


def attribute(element: xml.Element, name: str) -> str:
    value = element.get(name)
    if value is None:
        raise Malformed(f"a {element.tag} has no {name}")
    return value


def type_of(array: xml.Element) -> numpy.dtype[Any]:
    name = attribute(array, "type")
    if name not in TYPES:
        raise Malformed(f"no field of haloheap has the type {name}")
    return numpy.dtype(TYPES[name])


def box_of(element: xml.Element, name: str) -> Box:
    """VTK counts points, one more than cells; a flat direction has one layer of points, and of cells."""
    numbers = [int(number) for number in attribute(element, name).split()]
    if len(numbers) != 6 or any(first < 0 or last < first for first, last in zip(numbers[::2], numbers[1::2])):
        raise Malformed(f"{name} '{attribute(element, name)}' is no box")
    x, y, z = (slice(first, max(last, first + 1)) for first, last in zip(numbers[::2], numbers[1::2]))
    return z, y, x
