# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads .vti, .pvti and .pvd files by the rules of the VTK XML format, as far as haloheap uses them."""

import pathlib
import struct
import xml.etree.ElementTree as xml


def extent(text):
    """[(first, last)] of points in x, y, z."""
    numbers = list(map(int, text.split()))
    return list(zip(numbers[0::2], numbers[1::2]))


def cells(bounds):
    """Cell indices along each direction; a flat direction has one layer of cells."""
    return [range(first, max(last, first + 1)) for first, last in bounds]


def read_vti(path):
    """(whole extent, extent of this piece, {name: {(x, y, z): value}}) of a file."""
    head, tail = pathlib.Path(path).read_bytes().split(b'<AppendedData encoding="raw">\n_', 1)
    tree = xml.fromstring(head + b"</VTKFile>")
    if (tree.get("type"), tree.get("byte_order"), tree.get("header_type")) != ("ImageData", "LittleEndian", "UInt64"):
        raise ValueError(f"{path}: not the kind of file that haloheap writes: {tree.attrib}")
    piece = tree.find("ImageData/Piece")
    xs, ys, zs = cells(extent(piece.get("Extent")))
    places = [(x, y, z) for z in zs for y in ys for x in xs]
    arrays, end = {}, 0
    for array in piece.findall("CellData/DataArray"):
        code = {"Float32": "f", "Float64": "d", "UInt8": "B"}[array.get("type")]
        offset = int(array.get("offset"))
        (size,) = struct.unpack_from("<Q", tail, offset)
        values = struct.unpack_from(f"<{size // struct.calcsize(code)}{code}", tail, offset + 8)
        arrays[array.get("Name")] = dict(zip(places, values, strict=True))
        end = offset + 8 + size
    if tail[end:] != b"\n  </AppendedData>\n</VTKFile>\n":
        raise ValueError(f"{path}: bytes that belong to no array")
    return tree.find("ImageData").get("WholeExtent"), piece.get("Extent"), arrays


def read_pvti(path):
    """(the PImageData element, {name: {(x, y, z): value}}) of a file and its pieces, which must not overlap."""
    path = pathlib.Path(path)
    tree = xml.parse(path).getroot()
    if (tree.get("type"), tree.get("byte_order")) != ("PImageData", "LittleEndian"):
        raise ValueError(f"{path}: not the kind of file that haloheap writes: {tree.attrib}")
    image = tree.find("PImageData")
    whole = {array.get("Name"): {} for array in image.findall("PCellData/PDataArray")}
    for piece in image.findall("Piece"):
        whole_extent, own_extent, arrays = read_vti(path.parent / piece.get("Source"))
        if (whole_extent, own_extent) != (image.get("WholeExtent"), piece.get("Extent")):
            raise ValueError(f"{path}: the extents of {piece.get('Source')} are not those of the whole")
        for name, values in arrays.items():
            if whole[name].keys() & values.keys():
                raise ValueError(f"{path}: pieces overlap")
            whole[name].update(values)
    return image, whole


def read_pvd(path):
    """[(time, what read_pvti has of the file at that time)] of a series."""
    path = pathlib.Path(path)
    tree = xml.parse(path).getroot()
    if tree.get("type") != "Collection":
        raise ValueError(f"{path}: not the kind of file that haloheap writes: {tree.attrib}")
    return [(int(frame.get("timestep")), read_pvti(path.parent / frame.get("file"))) for frame in tree.findall("Collection/DataSet")]
