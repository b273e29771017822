# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What the tests share: made-up points, and the command run in a folder of its own."""

import collections
import contextlib
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import warnings

ROOT = pathlib.Path(__file__).resolve().parents[3]
PACKAGE = ROOT / "tools" / "haloheap_results" / "src" / "haloheap_results"
CHECK_SCHEMA = ROOT / "unit" / "tools" / "check_schema.py"
KEEP = None  # where pictures are left to be looked at

from haloheap_results.command import main as command
from haloheap_results.load import results_of

Finished = collections.namedtuple("Finished", "returncode stdout stderr")


def provenance():
    texts = ("program_version", "git_revision", "compiler", "compiler_flags", "kokkos_version", "kokkos_configuration",
             "gpu_aware", "gpu_aware_from", "command_line")
    return {**{name: "x" for name in texts}, "execution_space": "OpenMP", "mpi_library": "Open MPI 4.1.4, build 1",
            "devices": ["test CPU"] * 2, "hosts": ["node"], "ranks": 4, "start_time": "2026-01-02T03:04:05Z", "seeds": {}}


def point(depth, exchange, overlap, seconds, side=1000, steps=100, transport="pageable", rate=1.0, **more):
    """Of a stencil, as the program writes it."""
    swept = {"grid.size": [side, side], "halo.depth": depth, "halo.exchange": exchange, "halo.overlap": overlap,
             "halo.transport": transport}
    return {
        "deck": {"verify": False, **swept}, "swept": swept,
        "work": {"problem": "heat2d", "size": [side, side], "steps": steps, "scalar": "float", "quantities": 1},
        "ranks": 4, "rank_grid": [2, 2],
        "path": {"transport": transport, "exchange": exchange, "overlap": overlap, "fields": "device", "buffers": "pageable",
                 "graph": False},
        "wall_s": {"median": seconds, "minimum": 0.97 * seconds, "maximum": 1.05 * seconds},
        "gcells_per_s": rate, "effective_bandwidth_bytes_per_s": 8e9 * rate, "messages_per_exchange": 4,
        "bytes_per_exchange": 4 * side * depth, "redundant_fraction": 0.01, "memory_per_rank_bytes": 10**6, "warm_up_s": 0.1,
        "notes": [], **more,
    }


def problem_point(problem, deck, swept, figures, seconds=1.0, work=(), **more):
    """Of a problem that has figures in the place of rates."""
    result = point(1, "none", "none", seconds, figures=figures, **more)
    for of_halos in ("path", "gcells_per_s", "effective_bandwidth_bytes_per_s", "messages_per_exchange",
                     "bytes_per_exchange", "redundant_fraction"):
        del result[of_halos]
    result["work"] = {"problem": problem, "size": [], "steps": 0, "scalar": "", "quantities": 1, **dict(work)}
    return {**result, "deck": {"problem": problem, **deck}, "swept": swept, "ranks": 1, "rank_grid": [1]}


def document(points):
    return {"format": "haloheap-results", "format_version": 1, "provenance": provenance(), "points": points}


def points_read(points):
    """As the package reads them."""
    return results_of(document(points)).points


def figures_drawn(pictures):
    """{stem: figure as matplotlib has it} of what a family of figures yields."""
    return {picture.stem: picture.draw() for picture in pictures if not isinstance(picture, str)}


def paper_rows(name):
    """Of a file of the package, read without it."""
    with open(PACKAGE / "data" / name, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def panels(figure):
    return [axes for axes in figure.axes if axes.get_visible()]


def legend(figure):
    return [text.get_text() for text in figure.legends[0].get_texts()]


def below(figure):
    """The lines below a figure."""
    return figure.texts[1].get_text().split("\n")


class CommandTest(unittest.TestCase):
    """Runs haloheap-results in a folder of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_results_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        """A file: of bytes, of a text, or of what becomes one."""
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else
                         (content if isinstance(content, str) else json.dumps(content)).encode())
        return path

    def written(self, *contents):
        """A file for each, and their paths."""
        return [self.write(f"results{number or ''}.json", content) for number, content in enumerate(contents)]

    def run_command(self, *arguments):
        out, err = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err), warnings.catch_warnings():
            # As a user has them: unittest also shows what libraries say to each other.
            warnings.simplefilter("default")
            warnings.simplefilter("ignore", DeprecationWarning)
            warnings.simplefilter("ignore", PendingDeprecationWarning)
            code = command([str(argument) for argument in arguments])
        return Finished(code, out.getvalue(), err.getvalue())

    def run_tables(self, content):
        return self.run_command("tables", *self.written(content))

    def assert_refused(self, result, text):
        """It says so in one line."""
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertTrue(result.stderr.startswith("haloheap-results: "), result.stderr)
        self.assertEqual(result.stderr.count("\n"), 1, result.stderr)
        self.assertIn(text, result.stderr)

    def assert_obeys_schema(self, results):
        path = self.write("schema.json", results)
        result = subprocess.run([sys.executable, CHECK_SCHEMA, path], capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)


class PictureTest(CommandTest):
    """Looks at what the command draws."""

    def run_plot(self, *contents):
        return self.run_command("plot", *self.written(*contents), "-o", self.folder / "out")

    def drawn(self, *contents):
        """Plots, expects success, and returns the names of the pictures and what was printed."""
        result = self.run_plot(*contents)
        self.assertEqual((result.returncode, result.stderr), (0, ""), "no warning of the library either")
        pictures = sorted((self.folder / "out").glob("*.png"))
        for picture in pictures:
            self.assert_drawn(picture, result)
        return [picture.name for picture in pictures], result.stdout

    def assert_drawn(self, picture, result):
        self.assert_not_blank(picture)
        self.assertIn(f"wrote {picture}", result.stdout)
        if KEEP:
            shutil.copy(picture, KEEP / f"{self._testMethodName}_{picture.name}")

    def assert_not_blank(self, picture):
        from matplotlib import image

        pixels = image.imread(picture)[:, :, :3]
        self.assertGreater(min(pixels.shape[:2]), 300, picture)
        self.assertGreater(float((pixels.max(axis=2) - pixels.min(axis=2) > 0.2).mean()), 0.001, f"no colour in {picture}")
        for name, edge in (("left", pixels[:, :2]), ("right", pixels[:, -2:]), ("top", pixels[:2]), ("bottom", pixels[-2:])):
            self.assertGreater(float(edge.min()), 0.99, f"something is cut off at the {name} of {picture}")


def main():
    """--keep FOLDER leaves the pictures there, beside what unittest takes."""
    if "--keep" in sys.argv:
        place = sys.argv.index("--keep")
        global KEEP
        KEEP = pathlib.Path(sys.argv[place + 1])
        KEEP.mkdir(parents=True, exist_ok=True)
        del sys.argv[place : place + 2]
    unittest.main()
