#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Reads back what the C++ writers wrote: files_test.py WRITE_SAMPLE, where WRITE_SAMPLE is the built write_sample."""

import csv
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

CHECK_SCHEMA = ROOT / "unit" / "tools" / "check_schema.py"
WRITE_SAMPLE = None


def expected(x, y, z, quantity):
    return x + 100 * y + 10000 * z + quantity / 2


class FilesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_files_"))
        subprocess.run([WRITE_SAMPLE, cls.folder / "out"], check=True)
        cls.out = cls.folder / "out"

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def check_schema(self, path):
        return subprocess.run([sys.executable, CHECK_SCHEMA, path], capture_output=True, text=True, check=False)

    def test_nothing_but_whole_files(self):
        self.assertEqual(sorted(path.name for path in self.out.iterdir()),
                         ["deep.pvti", "deep_0.vti", "deep_1.vti", "flat.pvti", "flat_0.vti", "flat_1.vti", "flat_2.vti",
                          "flat_3.vti", "results.csv", "results.json"])

    def test_results_obey_the_schema(self):
        result = self.check_schema(self.out / "results.json")
        self.assertEqual(result.returncode, 0, result.stderr)

    def test_the_schema_check_finds_errors(self):
        good = json.loads((self.out / "results.json").read_text())

        def spoil(change):
            document = json.loads(json.dumps(good))
            change(document)
            path = self.folder / "spoilt.json"
            path.write_text(json.dumps(document))
            return self.check_schema(path)

        spoilt = {
            "points/0/ranks": lambda d: d["points"][0].update(ranks="4"),
            "points/1/wall_s": lambda d: d["points"][1]["wall_s"].pop("median"),
            "points/0": lambda d: d["points"][0].update(unknown=1),
            "points/0/phases/pack_s": lambda d: d["points"][0]["phases"].update(pack_s=-1),
            "points/0/deck/halo.depth": lambda d: d["points"][0]["deck"].update({"halo.depth": {"a": 1}}),
            "completion": lambda d: d["completion"].pop("complete"),
            "provenance": lambda d: d["provenance"].pop("git_revision"),
        }
        for place, change in spoilt.items():
            result = spoil(change)
            self.assertEqual(result.returncode, 1, place)
            self.assertIn(place + ":", result.stderr)
        (self.folder / "nan.json").write_text('{"format": NaN}')
        self.assertEqual(self.check_schema(self.folder / "nan.json").returncode, 2)

    def test_json_reads_back(self):
        document = json.loads((self.out / "results.json").read_text(encoding="utf-8"))
        self.assertEqual(len(document["points"]), 16)
        first, second = document["points"][:2]
        self.assertEqual(first["wall_s"]["median"], 5.9476)
        self.assertEqual(list(first["deck"])[:2], ["grid.size", "grid.steps"])
        self.assertEqual(first["deck"]["grid.size"], [35000, 35000])
        self.assertIs(first["deck"]["verify"], True)
        self.assertEqual(first["verification"], {"passed": True, "bitwise": True, "sine_error": 1e-7, "tolerance": 1e-5})
        self.assertAlmostEqual(second["hidden_share"], 0.833, places=3)
        self.assertNotIn("hidden_share", first)
        self.assertEqual(document["provenance"]["command_line"], 'haloheap "input/thesis.toml"')
        overlap, exchange = document["points"][14:]
        self.assertEqual(overlap["overlap_terms"]["efficiency"], 0.75)
        self.assertEqual(overlap["path"]["mpi"], "isend")
        self.assertEqual((overlap["h2d_us"], overlap["d2h_us"]), (2500, 1250))
        self.assertNotIn("h2d_us", exchange)
        self.assertEqual(exchange["exchange_s"], 25e-6)

    def test_csv_says_the_same_as_json(self):
        document = json.loads((self.out / "results.json").read_text(encoding="utf-8"))
        with open(self.out / "results.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(document["points"]))
        for row, point in zip(rows, document["points"]):
            self.assertNotIn(None, row, "as many cells as titles")
            self.assertEqual(int(row["halo.depth"]), point["deck"]["halo.depth"])
            self.assertEqual(float(row["wall_s.median"]), point["wall_s"]["median"])
            self.assertEqual(row["notes"], "; ".join(point["notes"]))
            self.assertEqual(row["path.mpi"], point["path"].get("mpi", ""))
            self.assertEqual(row["path.graph"], str(point["path"]["graph"]).lower())
            for name, section in (("hidden_share", point), ("effective_bandwidth_bytes_per_s", point), ("exchange_s", point),
                                  ("h2d_us", point), ("d2h_us", point),
                                  ("phases.message_s", point.get("phases", {})), ("residual.last", point.get("residual", {})),
                                  *((f"overlap_terms.{term}", point.get("overlap_terms", {}))
                                    for term in ("serial_s", "interior_s", "hidden", "efficiency"))):
                value = section.get(name.split(".")[-1])
                self.assertEqual(row[name], "" if value is None else row[name])
                self.assertEqual(float(row[name]) if row[name] else None, value)

    def test_plot_draws_the_written_file(self):
        command = [sys.executable, "-m", "haloheap_results", "plot", self.out / "results.json", "-o", self.folder / "pictures"]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(sorted(path.name for path in (self.folder / "pictures").iterdir()),
                         ["exchange.png", "hidden_heat2d_35000x35000_float.png", "overlap.png",
                          "phases_heat2d_35000x35000_float.png", "time_heat2d_35000x35000_float.png"])

    def check_field(self, name, size):
        image, seen = vti.read_pvti(self.out / f"{name}.pvti")
        every = [(x, y, z) for x in range(size[0]) for y in range(size[1]) for z in range(size[2])]
        self.assertEqual(list(seen), ["u", "v"])
        for number, quantity in enumerate(("u", "v")):
            self.assertEqual(seen[quantity], {cell: expected(*cell, number) for cell in every})
        return image

    def test_vti_of_four_ranks_in_2d(self):
        image = self.check_field("flat", (7, 5, 1))
        self.assertEqual(image.get("WholeExtent"), "0 7 0 5 0 0")
        self.assertEqual(image.get("Spacing"), "0.5 0.25 1")

    def test_vti_of_two_ranks_in_3d(self):
        image = self.check_field("deep", (3, 2, 5))
        self.assertEqual(image.get("WholeExtent"), "0 3 0 2 0 5")


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    WRITE_SAMPLE = sys.argv.pop(1)
    unittest.main()
