#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems transfer and vector_add: figures, checks and errors of whole runs, on an emulated link and without one."""

import unittest

from app import CAPABILITY, OUT_OF_MEMORY, QUICK, USAGE, AppTest, here, listed, schedules, total

TRANSFER = """
problem = "transfer"
transfer = {mode = "pageable", bytes = 4000, streams = 4}
link = {kernel = 100.0, kernel_latency = 0.1}
"""
VECTOR_ADD = """
problem = "vector_add"
transfer = {mode = "pageable", bytes = 4000000, streams = 4}
"""
BANDWIDTH = """
problem = "bandwidth"
transfer = {mode = "pinned", bytes = 4000000}
"""
MODES = here("transfer modes")
ALL_MODES = f"transfer.mode={listed(MODES)}"
SCHEDULES = f"transfer.schedule={listed(schedules())}"
BOUNDS = 'transfer.bound=["communication","balanced","compute"]'


class Transfer(AppTest):
    RANKS = 2

    def test_every_mode_is_right_in_every_schedule(self):
        points = self.run_points(TRANSFER, ALL_MODES, SCHEDULES)
        self.assert_obeys_schema()
        self.assertEqual(len(points), len(MODES) * len(schedules()))
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertTrue(any("emulated" in note for note in point["notes"]))
            figures = point["figures"]
            # One byte of the array, of the whole run.
            self.assertAlmostEqual(figures["total_ns_per_byte"], total(point) * 1e3 / 4000, delta=1e-6 * total(point))
            self.assertEqual(figures["chunks"], 1 if point["swept"]["transfer.schedule"] == "none" else 4)

    def test_all_versions_of_a_bound_do_the_same_work(self):
        points = self.run_points(TRANSFER, 'transfer.mode=["pageable","pinned","managed"]', SCHEDULES, BOUNDS)
        for bound, ratio in (("communication", 0.1), ("balanced", 1), ("compute", 10)):
            of_bound = [point["figures"] for point in points if point["swept"]["transfer.bound"] == bound]
            self.assertEqual(len(of_bound), 9)
            self.assertEqual(len({figures["iterations"] for figures in of_bound}), 1)
            for figures in of_bound:
                self.assertGreater(figures["iterations"], 0)
                self.assertAlmostEqual(figures["calibrated_ratio"] / ratio, 1, delta=0.1)

    def test_a_real_link_is_measured(self):
        for point in self.run_points(TRANSFER, "link.kind=real", ALL_MODES, "transfer.bound=none", "transfer.iterations=2"):
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertGreater(total(point), 0)
            self.assertFalse(point["notes"])

    def test_what_cannot_be_is_refused(self):
        deck = self.write_deck(TRANSFER)
        for override, message in (("transfer.bytes=4002", "4002 bytes are not a whole number of floats"),
                                  ("transfer.mode=pined", '"pined" is not a valid choice'),
                                  ("transfer.mode=none", "problem 'transfer' measures a mode, and none is chosen"),
                                  ("transfer.iterations=3", "the iterations are found for transfer.bound")):
            self.assert_refused(self.run_app(deck, *QUICK, override), USAGE, message)
        self.assert_refused(self.run_app(deck, *QUICK, ranks=2), USAGE, "'transfer' runs on one rank, not on 2")

    def test_allocations_may_fail(self):
        deck = self.write_deck(VECTOR_ADD)
        for number in (1, 2, 4):
            result = self.run_app(deck, *QUICK, f"memory.fail_allocation={number}")
            self.assert_refused(result, OUT_OF_MEMORY, f"allocation {number} was told to fail")
        self.run_ok(deck, *QUICK, "memory.fail_allocation=1000")

    def test_a_limit_holds(self):
        result = self.run_app(self.write_deck(TRANSFER), *QUICK, "memory.limit=0.000001")
        self.assert_refused(result, OUT_OF_MEMORY, "haloheap::transfer::a")


class Bandwidth(AppTest):
    COPYING = '["pageable","pinned","write_combined","registered","staged","batched","managed_prefetch"]'
    REACHED = '["pinned","write_combined","registered","managed_advise","mapped","system"]'

    def test_every_mode_moves_what_it_should(self):
        for by, modes in (("copies", self.COPYING), ("kernel", self.REACHED)):
            for link in ("real", "emulated"):
                points = self.run_points(BANDWIDTH, f"transfer.mode={modes}", f"bandwidth.by={by}", f"link.kind={link}",
                                         'bandwidth.path=["h2d","d2h","both"]', "transfer.bytes=[4,1236,3000000]")
                self.assert_obeys_schema()
                self.assertEqual(len(points), 9 * (modes.count(",") + 1))
                for point in points:
                    self.assertTrue(point["verification"]["passed"], point["swept"])
                    self.assertGreater(point["figures"]["single_us"], 0)

    def test_rates_are_those_of_the_link(self):
        link = [f"link.{key}={value}" for key, value in (
            ("h2d", 4), ("d2h", 2), ("d2h_latency", 0), ("submit", 0), ("pageable_h2d", 1))]
        both, = self.run_points(BANDWIDTH, *link, "link.h2d_latency=0", "bandwidth.path=both")
        self.assertAlmostEqual(both["figures"]["h2d_gb_per_s"], 4, delta=1e-6)
        self.assertAlmostEqual(both["figures"]["d2h_gb_per_s"], 2, delta=1e-6)
        self.assertAlmostEqual(both["figures"]["gb_per_s"], 4, delta=1e-6)  # twice the bytes in the time of the slower
        up, = self.run_points(BANDWIDTH, *link, "transfer.mode=pageable", "link.h2d_latency=5", "transfer.bytes=1000")
        self.assertAlmostEqual(up["figures"]["each_us"], 5 + 1, delta=1e-6)
        self.assertAlmostEqual(up["figures"]["single_us"], 5 + 1, delta=1e-6)

    def test_memory_of_the_device_is_copied_without_the_link(self):
        for point in self.run_points(BANDWIDTH, "bandwidth.path=device", 'bandwidth.by=["copies","kernel"]'):
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertFalse(point["notes"])

    def test_what_cannot_be_is_refused(self):
        deck = self.write_deck(BANDWIDTH)
        for code, override, message in (
                (USAGE, "transfer.mode=mapped", "mode 'mapped' copies nothing by itself"),
                (USAGE, "transfer.mode=managed", "pages of mode 'managed' go where they are touched"),
                (USAGE, "transfer.mode=graph", "mode 'graph' is of whole runs, and here are copies alone"),
                (CAPABILITY, "bandwidth.path=peer", "there is one device, which is emulated")):
            self.assert_refused(self.run_app(deck, *QUICK, override), code, message, "remedy: ")
        for overrides, message in ((("bandwidth.by=kernel", "transfer.mode=managed_prefetch"), "go where they are touched"),
                                   (("bandwidth.by=kernel", "transfer.mode=staged"), "kernels do not reach the memory of mode"),
                                   (("bandwidth.path=device", "link.kind=emulated"), "do not use the link")):
            self.assert_refused(self.run_app(deck, *QUICK, *overrides), USAGE, message, "remedy: ")


class VectorAdd(AppTest):
    def test_every_mode_is_right(self):
        points = self.run_points(VECTOR_ADD, ALL_MODES, SCHEDULES)
        self.assert_obeys_schema()
        self.assertEqual(len(points), len(MODES) * len(schedules()))
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])

    def test_its_time_is_that_of_two_arrays_up_and_one_down(self):
        link = [f"link.{key}={value}" for key, value in (
            ("h2d", 1), ("d2h", 2), ("kernel", 1), ("h2d_latency", 0), ("d2h_latency", 0), ("kernel_latency", 0), ("submit", 0))]
        point, = self.run_points(VECTOR_ADD, "transfer.mode=pinned", *link)
        # A million additions, and 8 MB at 1 GB/s, 4 MB at 2 GB/s.
        self.assertAlmostEqual(total(point), 8000 + 2000 + 1000, delta=1)
        self.assertAlmostEqual(point["figures"]["link_gb_per_s"], 12e6 / 11e-3 / 1e9, delta=1e-3)

    def test_streams_approach_the_bound(self):
        points = self.run_points(VECTOR_ADD, "transfer.mode=pinned", SCHEDULES, "transfer.bytes=40000000", "link.kernel=7",
                                 "transfer.streams=8")
        none, *others = points
        self.assertAlmostEqual(none["figures"]["total_over_bound"], 1, delta=0.01)
        for point in others:
            self.assertGreaterEqual(point["figures"]["total_over_bound"], 1)
            self.assertLess(point["figures"]["total_over_bound"], 1.05)
            self.assertLess(total(point), 0.65 * total(none))


if __name__ == "__main__":
    unittest.main()
