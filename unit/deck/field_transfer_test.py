# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields of heat2d and heat3d that come from the host and go back there: the same bits by every transfer mode."""

import csv
import sys
import unittest

from app import OUT_OF_MEMORY, QUICK, ROOT, AppTest, arenas, here, listed, quick, schedules
from error_test import free_bytes

sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

DECK = """
problem = "heat2d"
grid = {size = [7, 13], steps = 4, quantities = 2}
initial.kind = "random"
transfer.streams = 64
run = {verify = true, phases = false}
"""
MODES = ["none", *here("transfer modes")]
SCHEDULES = f"transfer.schedule={listed(schedules())}"
ALL_MODES = f"transfer.mode={listed(MODES)}"


class FieldTransfer(AppTest):
    RANKS = 3

    def check(self, count, *overrides, ranks=1, deck=DECK):
        """All points are the reference's; those with a mode say how long the ways took."""
        points = self.run_points(deck, *overrides, ranks=ranks)
        self.assertEqual(len(points), count)
        for point in points:
            self.assertTrue(point["verification"]["bitwise"], (ranks, point["swept"]))
            for way in ("h2d_us", "d2h_us"):
                self.assertEqual(point.get(way, 0) > 0, point["deck"]["transfer.mode"] != "none", point["swept"])
        return points

    def test_every_mode_has_the_same_bits(self):
        for ranks in (1, 2, 3):
            self.check(len(MODES) * len(schedules()) * 2, ALL_MODES, SCHEDULES, 'grid.precision=["float","double"]', ranks=ranks)
        self.assert_obeys_schema()

    def test_grids_of_single_rows_and_columns(self):
        self.check(len(MODES) * 2, ALL_MODES, "grid.size=[[1,40],[40,1]]", "transfer.schedule=depth_first",
                   "transfer.streams=3", ranks=2)

    def test_three_dimensions(self):
        self.check(len(MODES) * len(schedules()), ALL_MODES, SCHEDULES, "problem=heat3d", "grid.size=[5,6,7]", "halo.depth=2",
                   "transfer.streams=5", ranks=2)

    def test_any_memory_of_the_fields(self):
        fields = [name for name in here("memory") if name not in arenas()] + ["slab_walk"]  # of the arenas one
        self.check(len(MODES) * len(fields), ALL_MODES, f"memory.fields={listed(fields)}", "transfer.schedule=breadth_first",
                   "memory.arena=0.01", ranks=2)

    def test_with_walls_overlap_graphs_and_residuals(self):
        points = self.check(4, 'transfer.mode=["none","mapped"]', "halo.transport=peer_store", "halo.overlap=all_steps",
                            "halo.graph=[true,false]", "run.residual=true", "boundary.x_low=dirichlet",
                            "boundary.x_high=neumann", "run.repetitions=2", "grid.size=[29,23]", ranks=2)
        histories = {(self.folder / "results" / f"point_{n:03d}_residual.csv").read_text() for n in range(1, len(points) + 1)}
        self.assertEqual(len(histories), 1)

    def test_whatever_is_measured(self):
        self.check(1, "transfer.mode=pinned", "run.measure=overlap", "halo.overlap=first_step", "run.repetitions=2", ranks=2)
        exchange, = self.run_points(DECK, "transfer.mode=pinned", "run.measure=exchange", ranks=2)
        self.assertGreater(exchange["d2h_us"], 0)

    def test_what_comes_down_is_written(self):
        arrays = []
        for mode in ("none", "staged"):
            self.run_points(DECK, f"transfer.mode={mode}", "run.verify=false", "output.fields=true", "run.repetitions=2", ranks=3)
            arrays.append(vti.read_pvti(self.folder / "results" / "point_001.pvti")[1])
        self.assertEqual(len(arrays[0]["u1"]), 7 * 13)
        self.assertEqual(arrays[0], arrays[1])

    def test_the_ways_are_in_the_table_and_the_spreadsheet(self):
        deck = self.write_deck(DECK)
        text = self.run_ok(deck, *QUICK, 'transfer.mode=["none","pinned"]').stdout
        titles, _, *rows = text.split("\n\n")[0].splitlines()
        for title in ("time [s]", "GCells/s", "H2D [us]", "D2H [us]"):
            self.assertIn(title, titles)
        self.assertRegex(rows[0], r"none .* -  +-  ")
        with open(self.folder / "results/results.csv", encoding="utf-8", newline="") as file:
            without, with_mode = csv.DictReader(file)
        self.assertEqual((without["h2d_us"], without["d2h_us"]), ("", ""))
        point = self.results()["points"][1]
        self.assertEqual(float(with_mode["h2d_us"]), point["h2d_us"])
        self.assertNotIn("H2D", self.run_ok(deck, *QUICK).stdout)

    def test_memory_counts_and_is_given_back(self):
        def taken(mode, *overrides):
            return self.run_points(DECK, f"transfer.mode={mode}", "grid.precision=double", *overrides)[0]["memory_per_rank_bytes"]
        own = 7 * 13 * 2 * 8
        none = taken("none")
        self.assertEqual(taken("mapped") - none, own)
        self.assertEqual(taken("pinned") - none, 2 * own)  # both sides
        self.assertEqual(taken("pinned", "run.repetitions=5") - none, 2 * own)

    def test_memory_that_is_not_there(self):
        deck = self.write_deck(DECK)
        side = int((0.7 * free_bytes() / 32) ** 0.5)  # two fields of two quantities fit
        result = self.run_app(deck, *QUICK, f"grid.size=[{side},{side}]", "run.verify=false", "transfer.mode=pinned", ranks=2)
        self.assert_refused(result, OUT_OF_MEMORY, "GiB are needed in host memory by 2 ranks", "nothing was allocated")
        for number in (9, 10):  # fields and buffers are fewer allocations
            result = self.run_app(deck, *quick(f"memory.fail_allocation={number}", "transfer.mode=pinned", "run.repetitions=5"),
                                  ranks=2)
            self.assert_refused(result, OUT_OF_MEMORY, f"allocation {number} was told to fail")

    def test_a_dry_run_says_it(self):
        deck = self.write_deck(DECK)
        overrides = ("grid.size=[1024,512]", "transfer.mode=pinned", "transfer.schedule=depth_first", "transfer.streams=4")
        text = self.run_ok(deck, "--dry-run", *overrides, ranks=2).stdout
        self.assertIn("fields come from the host and go back there: mode 'pinned', 4 streams, 4.00 MiB each way\n", text)
        self.assertNotIn("host and go", self.run_ok(deck, "--dry-run").stdout)


if __name__ == "__main__":
    unittest.main()
