#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""How haloheap-results is started: as a module, without its packages, and by scripts/report in an environment of its own."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys

import support
from haloheap_results import labels
from haloheap_results.figures import allocators
from haloheap_results.load import load
from haloheap_results.report.inputs import shipped
from support import PACKAGE, ROOT, CommandTest, document, point, problem_point

# Whatever this machine has installed as packages: the tests are of the Python environment only.
DPKG_QUERY = '#!/bin/sh\nfor name; do echo "$name installed"; done\n'
FAILS = '#!/bin/sh\necho "$0 must not be called" >&2\nexit 1\n'


class CommandLineTest(CommandTest):
    def start(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-m", "haloheap_results", *arguments], capture_output=True, text=True, check=False,
                              env={**os.environ, **environment})

    def test_help_names_the_commands(self):
        result = self.start("--help")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith("usage: haloheap-results "), result.stdout)
        for command in ("plot", "fields", "picture", "tables", "guidelines", "report", "decks"):
            self.assertRegex(result.stdout, rf"\n    {command}\s")

    def test_a_missing_package_is_named(self):
        (path,) = self.written(document([point(1, "sync", "none", 1.0)]))
        for package in ("pandas", "matplotlib"):
            broken = self.folder / f"without_{package}"
            broken.mkdir()
            (broken / f"{package}.py").write_text(f'raise ImportError("no {package} here")\n')
            result = self.start("plot", path, PYTHONPATH=f"{broken}:{PACKAGE.parent}")
            self.assertEqual(result.returncode, 3, result.stderr)
            self.assertTrue(result.stderr.startswith(f"haloheap-results: no {package} here; it needs "), result.stderr)

    def test_tables_take_no_matplotlib(self):
        (path,) = self.written(document([problem_point("collectives", {}, {}, {"x": 1.0})]))
        (self.folder / "matplotlib.py").write_text("raise ImportError\n")
        result = self.start("tables", path, PYTHONPATH=f"{self.folder}:{PACKAGE.parent}")
        self.assertNotEqual(result.returncode, 3, result.stderr)


class FrameTest(CommandTest):
    def test_a_frame_has_a_row_a_point_and_what_the_file_says(self):
        points = [point(depth, "sync", "none", 1.0 / depth, phases={"pack_s": 0.25, "unpack_s": None}) for depth in (1, 2)]
        points.append(problem_point("getpage", {"getpage.threads": 32}, {}, {"tas": 1.5, "was_formula": None}))
        frame = load(self.written(document(points))).frame()
        self.assertEqual(list(frame["wall_s.median"]), [1.0, 0.5, 1.0])
        self.assertEqual(list(frame["halo.depth"][:2]), [1, 2])
        self.assertEqual(list(frame["phases.pack_s"][:2]), [0.25, 0.25])
        self.assertEqual(frame.loc[2, ["work.problem", "figures.tas", "getpage.threads"]].tolist(), ["getpage", 1.5, 32])
        self.assertTrue(frame.loc[2, ["figures.was_formula", "phases.pack_s"]].isna().all())


class LabelsTest(CommandTest):
    def labels(self, *quantities):
        """Of files that say this of their quantities; None: an older file."""
        points = [problem_point("getpage", {}, {}, {"tas": 1.5})]
        return load(self.written(*({**document(points), **({} if said is None else {"quantities": said})}
                                   for said in quantities))).labels

    def test_a_quantity_is_called_what_its_file_says(self):
        said = self.labels({"getpage": {"figures.new_us": {"title": "new", "unit": "us", "description": "Time of it."},
                                        "figures.tas": {"title": "TAS"}, "speedup": {"title": "speed-up"}}})
        new, tas, speedup = (labels.figure("getpage", name, said) for name in ("new_us", "tas", "speedup"))
        self.assertEqual((new.axis(), new.sentence()), ("new [µs]", "new: Time of it."))
        self.assertEqual((tas.axis(), tas.sentence(), speedup.axis()), ("TAS", "", "speed-up"))
        self.assertEqual(labels.quantity("getpage", "speedup", said), speedup)

    def test_without_a_title_a_quantity_has_its_own_name(self):
        for said in (self.labels(None), self.labels({"getpage": {}, "atomics": {"figures.new_us": {"title": "other"}}})):
            label = labels.figure("getpage", "new_us", said)
            self.assertEqual((label.axis(), label.sentence()), ("new_us", ""))
            self.assertEqual(labels.figure("getpage", labels.SPEEDUP, said).axis(), "speedup")
            self.assertEqual(labels.quantity("heat2d", "overlap_terms.serial_s", said).title, "serial_s")

    def test_of_several_files_the_first_that_names_a_quantity_does(self):
        said = self.labels(None, {"getpage": {"figures.tas": {"title": "first"}}},
                           {"getpage": {"figures.tas": {"title": "second"}, "figures.was": {"title": "second"}}})
        self.assertEqual([labels.figure("getpage", name, said).title for name in ("tas", "was")], ["first", "second"])

    def test_refuses_quantities_without_titles(self):
        for said in ({"getpage": {"figures.tas": {}}}, {"getpage": {"figures.tas": "TAS"}}, {"getpage": 3}, None, []):
            path = self.write("results.json", {**document([point(1, "sync", "none", 1.0)]), "quantities": said})
            self.assert_refused(self.run_command("plot", path), "results.json', quantities: missing or malformed")

    def test_what_is_drawn_of_allocators_is_what_the_program_measures(self):
        schema = json.loads((ROOT / "docs/reference/results.schema.json").read_text())["$defs"]
        for problem, quantities in allocators.QUANTITIES.items():
            figures = schema[problem]["properties"]["figures"]["properties"]
            for quantity in quantities:
                for name in (quantity.name, quantity.lowest, quantity.highest, quantity.deviation):
                    self.assertIn(name, [None, *figures], problem)
            self.assertEqual(problem in allocators.COMPARED, labels.SPEEDUP in schema[problem]["properties"], problem)

    def test_speedups_are_of_the_times_that_figures_name(self):
        seen = set()
        for run in shipped("gpu") + shipped("cpu"):
            points = [one for one in run.points if one.work.problem in allocators.COMPARED]
            places = [json.dumps({**one.deck, allocators.NAME: ""}) for one in points]
            times = [one.figure(allocators.COMPARED[one.work.problem]) for one in points]
            native = {place: time for one, place, time in zip(points, places, times) if one.deck[allocators.NAME] == "native"}
            for one, place, time in zip(points, places, times):
                if one.speedup:
                    seen.add(one.work.problem)
                    self.assertAlmostEqual(one.speedup * time / native[place], 1, msg=place)
        without = {"getpage", "graph", "work_generation"}  # none of theirs, or none with native, is shipped
        self.assertEqual(seen, set(allocators.COMPARED) - without)

    def test_keys_have_units(self):
        self.assertEqual(labels.setting("malloc.size", 16), "malloc.size = 16 bytes")
        self.assertEqual(labels.setting("output.fields", True), "output.fields = true")
        self.assertEqual((labels.key_axis("getpage.free"), labels.key_axis("halo.depth")), ("getpage.free [%]", "halo.depth"))


class EnvironmentTest(CommandTest):
    """scripts/bootstrap --python and scripts/report, in a tree of their own."""

    def setUp(self):
        super().setUp()
        for name in ("scripts/bootstrap", "scripts/common.bash", "scripts/report", "unit/tools/python_packages.py"):
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, self.folder / name)
        shutil.copytree(PACKAGE.parent, self.folder / "tools/haloheap_results/src",
                        ignore=shutil.ignore_patterns("__pycache__"))
        (self.folder / "fakes").mkdir()
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", FAILS)):
            self.fake(name, text)
        self.environment = {**os.environ, "PATH": f"{self.folder / 'fakes'}:{os.environ['PATH']}",
                            "PIP_INDEX_URL": "http://127.0.0.1:9", "PIP_RETRIES": "0", "HALOHEAP_PYTHON": sys.executable}
        self.environment.pop("PYTHONPATH", None)

    def fake(self, name, text):
        (self.folder / "fakes" / name).write_text(text)
        (self.folder / "fakes" / name).chmod(0o755)

    def run_script(self, name, *arguments, folder=None):
        return subprocess.run([(folder or self.folder) / "scripts" / name, *arguments], capture_output=True, text=True,
                              check=False, env=self.environment)

    def assert_plots(self, folder=None):
        (path,) = self.written(document([point(1, "sync", "none", 1.0)]))
        result = self.run_script("report", "plot", path, "-o", self.folder / "out", folder=folder)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn(f"wrote {self.folder / 'out' / 'throughput.png'}", result.stdout)

    def test_the_first_python_of_the_path_may_be_another(self):
        """`python3` of the path has nothing, and that of the distribution has all."""
        packages = [sys.executable, ROOT / "unit/tools/python_packages.py"]
        if subprocess.run(["/usr/bin/python3", *packages[1:]], capture_output=True, check=False).returncode != 0:
            self.skipTest("this machine's /usr/bin/python3 lacks the packages")
        del self.environment["HALOHEAP_PYTHON"]
        self.fake("python3", FAILS)
        self.assert_plots()

    def test_it_is_made_once_and_again_where_it_does_not_work(self):
        self.assert_plots()
        made = (self.folder / ".venv/pyvenv.cfg").stat().st_mtime_ns
        self.assert_plots()
        self.assertEqual((self.folder / ".venv/pyvenv.cfg").stat().st_mtime_ns, made)
        (self.folder / ".venv/bin/python").unlink()
        self.assert_plots()
        (pth,) = (self.folder / ".venv/lib").glob("python3*/site-packages/haloheap_results.pth")
        pth.unlink()  # as if python3 were another version now
        self.assert_plots()

    def test_the_tree_may_be_moved(self):
        self.assert_plots()
        moved = self.folder / "moved"
        moved.mkdir()
        for name in (".venv", "scripts", "tools", "unit"):
            (self.folder / name).rename(moved / name)
        self.assert_plots(moved)

    def test_without_a_network_a_report_says_what_is_missing_and_the_rest_works(self):
        if importlib.util.find_spec("plotly"):
            self.skipTest("this Python has plotly")
        (path,) = self.written(document([point(1, "sync", "none", 1.0)]))
        result = self.run_script("report", "report", path)
        self.assertEqual((result.returncode, result.stdout), (3, ""), result.stderr)
        self.assertIn("no plotly for the report. Where PyPI can be reached: pip ", result.stderr)
        self.assert_plots()

    def test_without_any_python_it_says_what_to_do(self):
        self.fake("bare", FAILS)
        self.environment["HALOHEAP_PYTHON"] = str(self.folder / "fakes/bare")
        result = self.run_script("report", "plot", "results.json")
        self.assertEqual((result.returncode, result.stdout), (3, ""))
        self.assertIn("install the Debian packages python3 ", result.stderr)
        self.assertIn("HALOHEAP_PYTHON=... scripts/bootstrap --python", result.stderr)
        self.assertFalse((self.folder / ".venv").exists())
        result = self.run_script("bootstrap")
        self.assertEqual(result.returncode, 0, "a build does without")
        self.assertIn("building goes on without it", result.stderr)


if __name__ == "__main__":
    support.main()
