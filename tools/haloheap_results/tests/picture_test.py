#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results picture on made-up fields.

picture_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import contextlib
import io
import math
import shutil
import struct

import numpy
import support
from haloheap_results import formula, vtk
from haloheap_results.figures import grids
from haloheap_results.load import BadInput
from PIL import Image, ImageChops
from support import PictureTest, document, point, problem_point

TYPES = {"Float32": "f", "Float64": "d", "UInt8": "B"}
HEAD = '<?xml version="1.0"?>\n<VTKFile type="{}" version="1.0" byte_order="LittleEndian" header_type="UInt64">\n'


def extent(box, size):
    flat = len(size) == 2
    return " ".join(f"{first} {first if flat and axis == 2 else last}" for axis, (first, last) in enumerate(box))


def vti(box, size, fields, kind):
    """A file of haloheap, of fields {name: function of (x, y, z)} in a box ((first, last) of x, y, z)."""
    (x0, x1), (y0, y1), (z0, z1) = box
    whole = extent([(0, cells) for cells in (*size, 1)[:3]], size)
    text, blocks = HEAD.format("ImageData") + f'  <ImageData WholeExtent="{whole}" Origin="0 0 0" Spacing="1 1 1">\n', b""
    text += f'    <Piece Extent="{extent(box, size)}">\n      <CellData>\n'
    for name, function in fields.items():
        values = [function(x, y, z) for z in range(z0, z1) for y in range(y0, y1) for x in range(x0, x1)]
        data = struct.pack(f"<{len(values)}{TYPES[kind]}", *values)
        text += f'        <DataArray type="{kind}" Name="{name}" format="appended" offset="{len(blocks)}"/>\n'
        blocks += struct.pack("<Q", len(data)) + data
    text += '      </CellData>\n    </Piece>\n  </ImageData>\n  <AppendedData encoding="raw">\n_'
    return text.encode() + blocks + b"\n  </AppendedData>\n</VTKFile>\n"


def pvti(pieces, size, names, kind):
    whole = extent([(0, cells) for cells in (*size, 1)[:3]], size)
    text = HEAD.format("PImageData") + f'  <PImageData GhostLevel="0" WholeExtent="{whole}" Origin="0 0 0" Spacing="1 1 1">\n'
    text += "    <PCellData>\n" + "".join(f'      <PDataArray type="{kind}" Name="{name}"/>\n' for name in names)
    text += "    </PCellData>\n"
    text += "".join(f'    <Piece Extent="{extent(box, size)}" Source="{source}"/>\n' for source, box in pieces)
    return text + "  </PImageData>\n</VTKFile>\n"


def halves(size):
    """Boxes of two ranks, one beside the other in x."""
    x, y, z = (*size, 1)[:3]
    return [((0, x // 3), (0, y), (0, z)), ((x // 3, x), (0, y), (0, z))]


def grid_point(size, steps=20, swept=(), problem="waves2d", scalar="float"):
    result = point(1, "sync", "none", 1.0)
    deck = {"problem": problem, "grid.size": list(size), "grid.steps": steps}
    return {**result, "deck": deck, "swept": dict(swept),
            "work": {"problem": problem, "size": list(size), "steps": steps, "scalar": scalar, "quantities": 2}}


def ring(step):
    """A wave that has both signs."""
    return lambda x, y, z=0: math.sin(0.2 * (math.hypot(x - 40, y - 30) - step)) * math.exp(-0.02 * math.hypot(x - 40, y - 30))


class FieldsTest(PictureTest):
    def fields(self, name, size, fields, kind="Float32"):
        """Writes the files of two ranks."""
        pieces = [(f"{name}_rank000{rank}.vti", box) for rank, box in enumerate(halves(size))]
        for source, box in pieces:
            self.write(source, vti(box, size, fields, kind))
        return self.write(f"{name}.pvti", pvti(pieces, size, fields, kind))

    def series(self, frames):
        """A .pvd of {step: file}."""
        text = HEAD.format("Collection") + "  <Collection>\n"
        text += "".join(f'    <DataSet timestep="{step}" part="0" file="{file.name}"/>\n' for step, file in frames.items())
        return self.write("point_001.pvd", text + "  </Collection>\n</VTKFile>\n")

    def waves(self):
        """results.json of a run with four frames, and the fields at the end."""
        size = (80, 60)
        self.series({step: self.fields(f"point_001_frame{step // 5:04d}", size, {"u": ring(step), "dx": lambda x, y, z: x})
                     for step in range(0, 25, 5)})
        self.fields("point_001", size, {"u": ring(20), "dx": lambda x, y, z: x})
        return self.written(document([grid_point(size)]))[0]


class ReaderTest(FieldsTest):
    def test_the_ranks_pieces_are_put_together(self):
        for size, kind in (((7, 5), "Float64"), ((7, 5, 3), "Float32"), ((6, 4), "UInt8"), ((3, 1), "Float32")):
            with self.subTest(size):
                path = self.fields("a", size, {"u": lambda x, y, z: x + 7 * y + 35 * z, "v": lambda x, y, z: y}, kind)
                fields = vtk.read_fields(path)
                x, y, z = (*size, 1)[:3]
                self.assertEqual(list(fields), ["u", "v"])
                self.assertEqual(fields["u"].shape, (z, y, x))
                self.assertEqual(fields["u"].dtype.itemsize, struct.calcsize(TYPES[kind]))
                for k in range(z):
                    for j in range(y):
                        self.assertEqual(fields["u"][k, j].tolist(), [i + 7 * j + 35 * k for i in range(x)])
                self.assertEqual(fields["v"][0, :, 0].tolist(), list(range(y)))

    def assert_refuses(self, path, text, name=None):
        with self.assertRaises(BadInput) as caught:
            vtk.read_fields(path)
        said = str(caught.exception)
        self.assertTrue(said.startswith(f"cannot read '{self.folder / (name or path.name)}': "), said)
        self.assertIn(text, said)

    def test_pieces_that_are_not_as_haloheap_writes_them(self):
        path, piece = self.fields("a", (6, 4), {"u": ring(0)}), self.folder / "a_rank0001.vti"
        good = piece.read_bytes()
        for old, new, text in (
                (b"ImageData", b"RectilinearGrid", "not the ImageData"),
                (b"LittleEndian", b"BigEndian", "not the ImageData"),
                (b"UInt64", b"UInt32", "not the ImageData"),
                (b"<CellData>", b"<CellData", "no XML"),
                (b'encoding="raw"', b'encoding="base64"', "no appended data"),
                (b"Float32", b"Int32", "no field of haloheap has the type Int32"),
                (b"Float32", b"Float64", "field u does not have 16 values"),
                (b'Name="u"', b'Name="w"', "its fields are not those of 'a.pvti'"),
                (b'Name="u"', b"", "a DataArray has no Name"),
                (b'offset="0"', b'offset="8"', "do not follow each other"),
                (b'Piece Extent="2 6', b'Piece Extent="1 5', "not those that the .pvti says"),
                (b'WholeExtent="0 6', b'WholeExtent="0 7', "not those that the .pvti says"),
                (b'Piece Extent="2 6', b'Piece Extent="2', "is no box"),
                (b"\n  </AppendedData>", b"\0\n  </AppendedData>", "does not end behind its fields"),
                (good[-60:], b"", "it ends within field u")):
            with self.subTest(text, old=old):
                self.assertIn(old, good)
                piece.write_bytes(good.replace(old, new))
                self.assert_refuses(path, text, piece.name)
        piece.write_bytes(good[:40])
        self.assert_refuses(path, "no appended data", piece.name)
        piece.unlink()
        self.assert_refuses(path, "No such file", piece.name)

    def test_grids_that_are_not_whole(self):
        size = (6, 4)
        left, right = halves(size)
        for boxes, text, name in (([left], "16 of 24 cells are in no piece", None),
                                  ([left, right, left], "those of another piece too", "a2.vti"),
                                  ([left, ((2, 9), (0, 4), (0, 1))], "", None)):
            for number, box in enumerate(boxes):
                self.write(f"a{number}.vti", vti(box, size, {"u": ring(0)}, "Float32"))
            pieces = [(f"a{number}.vti", box) for number, box in enumerate(boxes)]
            path = self.write("a.pvti", pvti(pieces, size, ["u"], "Float32"))
            with self.subTest(text), self.assertRaises(BadInput) as caught:
                vtk.read_fields(path)
            self.assertIn(text, str(caught.exception))
            self.assertIn(name or "a", str(caught.exception))

    def listing(self, attributes):
        return HEAD.format("Collection") + f"<Collection><DataSet {attributes}/></Collection></VTKFile>"

    def test_series_that_are_none(self):
        for content, text in (("", "no XML"), (HEAD.format("PImageData") + "</VTKFile>", "not the Collection"),
                              (HEAD.format("Collection") + "<Collection/></VTKFile>", "it lists no times"),
                              (self.listing('timestep="1"'), "a DataSet has no file"),
                              (self.listing('timestep="x" file="a"'), "invalid literal")):
            with self.subTest(text), self.assertRaises(BadInput) as caught:
                vtk.read_series(self.write("a.pvd", content))
            self.assertIn(text, str(caught.exception))


class FormulaTest(PictureTest):
    FIELDS = {"u": numpy.arange(24.0).reshape(2, 3, 4), "n": numpy.full((2, 3, 4), 200, numpy.uint8)}

    def test_values(self):
        u = self.FIELDS["u"]
        self.assertIs(formula.evaluate("u", self.FIELDS), u)
        for text, expected in (("n + n", 400 + 0 * u), ("-u * 2 + 1e1", 10 - 2 * u), ("(u - 3) / 2", (u - 3) / 2),
                               ("abs(1 - u)", abs(1 - u)), ("u ** 2", u * u), ("sqrt(u * u)", u), ("7", 7 + 0 * u),
                               ("ddx(u)", 1 + 0 * u), ("ddy(u) - ddz(u)", 4 - 12 + 0 * u),
                               ("log10(u / u * 100)", numpy.where(u > 0, 2, numpy.nan))):
            with self.subTest(text):
                numpy.testing.assert_allclose(formula.evaluate(text, self.FIELDS), expected)
        flat = {"u": numpy.arange(6.0).reshape(1, 2, 3)}
        self.assertEqual(formula.evaluate("ddz(u)", flat).tolist(), numpy.zeros((1, 2, 3)).tolist())

    def test_what_is_none(self):
        others = ("open('x')", "sqrt(u, u)", "u < 3", "'u'", "__import__('os')", "u[0]", "not u")
        for text, why in (("w", "there is no field w"), ("u +", "invalid syntax"), ("", "invalid syntax"),
                          ("u.real", "'u.real' is not of + - * / **"), *((text, "is not of") for text in others)):
            with self.subTest(text), self.assertRaises(BadInput) as caught:
                formula.evaluate(text, self.FIELDS)
            self.assertTrue(str(caught.exception).startswith(f"'{text}' is neither a field (u, n) nor a formula of fields: "))
            self.assertIn(why, str(caught.exception))


class ColoursTest(PictureTest):
    def colours(self, *arrays):
        return grids.colours_of([grids.Shot(0, numpy.array(values)) for values in arrays])

    def test_white_is_0_where_there_are_both_signs(self):
        both = self.colours([[-1.0, 0.5]], [[3.0, 0.0]])
        self.assertEqual((both.norm.vmin, both.norm.vmax, both.palette.name), (-3, 3, "RdBu_r"))
        self.assertGreater(min(both.palette(both.norm(0.0))[:3]), 0.95)
        for values in ([[1.0, 3.0]], [[-1e-9, 3.0]], [[-3.0, 1e-9]]):
            one = self.colours(values)
            self.assertEqual((one.norm.vmin, one.norm.vmax, one.palette.name), (min(*values[0]), max(*values[0]), "viridis"))

    def test_limits(self):
        given = grids.colours_of([grids.Shot(0, numpy.array([[-1.0, 5.0]]))], (-0.1, 0.2))
        self.assertEqual((given.norm.vmin, given.norm.vmax, given.palette.name), (-0.2, 0.2, "RdBu_r"))
        given = grids.colours_of([grids.Shot(0, numpy.array([[0, 1]], numpy.uint8))], (0, 7))
        self.assertEqual((given.norm.vmin, given.norm.vmax, given.ticks), (0, 7, None))

    def test_equal_values(self):
        same = self.colours([[2.0, 2.0]])
        self.assertEqual((same.norm.vmin, same.norm.vmax), (1.5, 2.5))

    def test_few_whole_numbers(self):
        few = self.colours(numpy.array([[0, 1], [1, 1]], numpy.uint8))
        self.assertEqual(few.ticks, [0, 1])
        self.assertEqual([few.palette(few.norm(value))[0] for value in (0, 1)], [1, 0])
        self.assertIsNone(self.colours(numpy.arange(9, dtype=numpy.uint8)).ticks)

    def test_what_is_not_finite(self):
        self.assertTrue(self.colours([[math.nan, 1.0, math.inf]]).spoilt)
        self.assertEqual(self.colours([[math.nan, 1.0, math.inf]]).norm.vmax, 1.5)
        self.assertFalse(self.colours([[0.0, 1.0]]).spoilt)
        with self.assertRaisesRegex(BadInput, "no value of the field is finite"):
            self.colours([[math.nan]])

    def test_cells_are_whole_pixels_where_that_suits(self):
        for cells, panels, pixels in (((256, 256), 1, (512, 512)), ((256, 256), 4, (256, 256)), ((60, 80), 1, (480, 640)),
                                      ((3000, 3000), 1, (640, 640)), ((400, 400), 2, (400, 400)), ((1, 300), 1, (60, 600)),
                                      ((600, 2), 1, (600, 60)), ((1, 1), 1, (640, 640))):
            self.assertEqual(grids.pixels_of(*cells, panels), pixels)


class PictureCommandTest(FieldsTest):
    def picture(self, results, name, *options):
        """Draws, and returns the file."""
        path = self.folder / name
        result = self.run_command("picture", results, "-o", path, *options)
        self.assertEqual((result.returncode, result.stderr, result.stdout), (0, "", f"wrote {path}\n"), "no warning either")
        if support.KEEP:
            shutil.copy(path, support.KEEP / f"{self._testMethodName}_{name}")
        return path

    def assert_shows(self, results, name, *options):
        path = self.picture(results, name, *options)
        copy = self.folder / "rgb.png"
        with Image.open(path) as drawn:
            drawn.convert("RGB").save(copy)
        self.assert_not_blank(copy)

    def assert_no_picture(self, results, text, name="a.png", *options):
        self.assert_refused(self.run_command("picture", results, "-o", self.folder / name, *options), text)
        self.assertFalse((self.folder / name).exists())

    def texts(self, results, *frames, **wanted):
        """What stands in the figure."""
        from haloheap_results.load import load

        figure = grids.draw(grids.Scene(load([results]), self.folder, grids.Wanted(**wanted)), frames)
        *panels, bar = figure.axes
        return (figure._suptitle.get_text().split("\n"), [axes.get_title() for axes in panels], bar.get_ylabel(),
                figure.texts[-1].get_text(), figure.axes)

    def test_the_end(self):
        results = self.waves()
        self.assert_shows(results, "u.png")
        title, _, label, remarks, (axes, _) = self.texts(results)
        self.assertEqual((title, label, remarks), (["waves2d: u after 20 steps", "80 x 60 cells, float"], "u", ""))
        self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), ("x [cells]", "y [cells]"))
        expected = [[ring(20)(x, y) for x in range(80)] for y in range(60)]
        numpy.testing.assert_allclose(axes.images[0].get_array(), expected, atol=1e-6)
        self.assertEqual(axes.images[0].origin, "lower")

    def test_frames_side_by_side(self):
        results = self.waves()
        self.assert_shows(results, "frames.png", "--frame", "0", "2", "4", "--field", "u * 2")
        title, panels, label, _, _ = self.texts(results, 0, 1, field="dx")
        self.assertEqual((title[0], panels, label), ("waves2d: dx", ["at the start", "after 5 steps"], "dx"))
        title, _, label, _, _ = self.texts(results, 0, 1, field="u * dx", label="momentum")
        self.assertEqual((title[0], label), ("waves2d: momentum", "momentum"))
        self.assert_shows(results, "label.png", "--field", "u * dx", "--label", "momentum")
        *_, (axes, _) = self.texts(results, 0, limits=(0, 0.5))
        self.assertEqual(axes.images[0].get_clim(), (0, 0.5))
        self.assert_shows(results, "rows.png", "--limits", "-0.5", "0.5", "--frame", "0", "1", "2", "3", "4")

    def test_the_last_frame_where_the_end_was_not_written_by_itself(self):
        results = self.waves()
        (self.folder / "point_001.pvti").unlink()
        self.assertEqual(self.texts(results)[0][0], "waves2d: u after 20 steps")

    def test_animations(self):
        results = self.waves()
        for name in ("u.gif", "u.apng"):
            with Image.open(self.picture(results, name, "--rate", "20")) as movie:
                self.assertEqual((movie.n_frames, movie.info["loop"]), (5, 0))
                durations, seen = [], set()
                for number in range(5):
                    movie.seek(number)
                    durations.append(movie.info["duration"])
                    seen.add(movie.convert("RGB").tobytes())
                self.assertEqual(durations, [50] * 4 + [1500])
                self.assertEqual(len(seen), 5)

    def test_both_animations_have_the_same_colours(self):
        results = self.waves()
        with Image.open(self.picture(results, "u.gif")) as gif, Image.open(self.picture(results, "u.apng")) as apng:
            for number in range(5):
                gif.seek(number)
                apng.seek(number)
                difference = ImageChops.difference(gif.convert("RGB"), apng.convert("RGB"))
                self.assertLess(max(high for _, high in difference.getextrema()), 64, number)

    def test_slices_in_3d(self):
        size = (12, 10, 8)
        self.fields("point_001", size, {"u": lambda x, y, z: x + 20 * y + 400 * z}, "Float64")
        (results,) = self.written(document([grid_point(size, problem="heat3d", scalar="double")]))
        self.assert_shows(results, "slice.png", "--slice", "x=3")
        for cut, title, labels, corners in (
                (None, "z = 4", ("x [cells]", "y [cells]"), (1600, 1600 + 11 + 180)),
                (grids.Cut("x", 11), "x = 11", ("y [cells]", "z [cells]"), (11, 11 + 180 + 2800)),
                (grids.Cut("y", 0), "y = 0", ("x [cells]", "z [cells]"), (0, 11 + 2800))):
            heading, _, _, _, (axes, _) = self.texts(results, cut=cut)
            self.assertEqual(heading[1], f"12 x 10 x 8 cells, slice {title}, double")
            self.assertEqual((axes.get_xlabel(), axes.get_ylabel()), labels)
            values = axes.images[0].get_array()
            self.assertEqual((values[0, 0], values[-1, -1]), corners)

    def test_bytes(self):
        self.fields("point_001", (30, 20), {"alive": lambda x, y, z: (x * y) % 3 == 0}, "UInt8")
        (results,) = self.written(document([grid_point((30, 20), problem="life", scalar="uint8")]))
        self.picture(results, "life.png")
        *_, (_, bar) = self.texts(results)
        self.assertEqual([text.get_text() for text in bar.get_yticklabels()], ["0", "1"])

    def test_points_of_a_sweep(self):
        self.fields("point_002", (30, 20), {"u": ring(0)})
        points = [grid_point((30, 20), swept={"halo.depth": depth}) for depth in (1, 2)]
        (results,) = self.written(document(points))
        self.assert_shows(results, "second.png", "--point", "2")
        self.assertEqual(self.texts(results, point=2)[3], "halo.depth = 2")

    def test_what_is_not_finite_is_said(self):
        self.fields("point_001", (30, 20), {"u": lambda x, y, z: math.nan if x < 3 else x})
        (results,) = self.written(document([grid_point((30, 20))]))
        self.assertEqual(self.texts(results)[3], "magenta: not finite")
        self.assert_shows(results, "nan.png")

    def test_wrong_requests(self):
        results = self.waves()
        for options, text in ((("--point", "2"), "there is no point 2: the run has 1 point"),
                              (("--point", "0"), "there is no point 0"), (("--slice", "z=0"), "a grid in 2D has no slices"),
                              (("--field", "w"), "there is no field w"),
                              (("--frame", "5"), "there is no frame 5: frames go from 0 to 4")):
            self.assert_no_picture(results, text, "a.png", *options)
        self.assert_no_picture(results, "--limits 2 1: give the lower one first", "a.png", "--limits", "2", "1")
        self.assert_no_picture(results, "leave --frame out", "a.gif", "--frame", "1")
        self.assert_no_picture(results, "a picture is a .png, and an animation a .gif or .apng", "a.jpg")
        self.fields("point_001", (20, 30), {"u": ring(0)})
        self.assert_no_picture(results, "is not of 80 x 60 cells, as the results: is it of another run?")
        for name in ("point_001.pvti", "point_001.pvd"):
            (self.folder / name).unlink()
        self.assert_no_picture(results, "run with output.fields=true")
        self.assert_no_picture(results, "run with output.frames=20", "a.gif")

    def test_slices_and_problems_that_there_are_not(self):
        (results,) = self.written(document([grid_point((4, 5, 6))]))
        self.assert_no_picture(results, "there is no slice y=5: y goes from 0 to 4", "a.png", "--slice", "y=5")
        (results,) = self.written(document([problem_point("getpage", {}, {}, {})]))
        self.assert_no_picture(results, "point 1 is of problem getpage, which has no grid")

    def test_arguments_that_are_none(self):
        for *options, text in (("--slice", "z", "'z' is no slice as z=12 is one"), ("--slice", "w=1", "no slice"),
                               ("--slice", "xy=1", "no slice"), ("--slice", "z=-1", "no slice"), ("--rate", "0", "0.1 to 50"),
                               ("--rate", "nan", "0.1 to 50"), ("--rate", "fast", "invalid rate value: 'fast'")):
            err = io.StringIO()
            with self.subTest(options), self.assertRaises(SystemExit) as caught, contextlib.redirect_stderr(err):
                support.command(["picture", "results.json", "-o", "a.png", *options])
            self.assertEqual(caught.exception.code, 2)
            self.assertIn(text, err.getvalue())

    def test_says_that_it_cannot_write(self):
        result = self.run_command("picture", self.waves(), "-o", self.folder / "none" / "a.png")
        self.assertEqual(result.returncode, 5)
        self.assertIn("haloheap-results: cannot write", result.stderr)


if __name__ == "__main__":
    support.main()
