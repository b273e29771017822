#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Runs scripts/allocation_tables.py on made-up results."""

import unittest

from plot_test import ROOT, document, point
from table_script import TableScriptTest


def with_figures(deck, figures, **more):
    """A point as the program writes it, but with this deck and these figures."""
    return {**point(1, "sync", "none", 1.0), "deck": deck, "swept": {}, "figures": figures, **more}


def allocation(name, floats, work_us, deviation, work="linear"):
    figures = {"gflops": 12.5, "gflops_deviation": 0.5, "work_us": work_us, "work_deviation_us": deviation}
    for what in ("allocate", "free"):
        figures |= {f"{what}_us": 2000.0, f"{what}_deviation_us": 100.0}
    return with_figures({"problem": "allocation", "allocator.name": name, "allocation.work": work, "allocation.floats": floats},
                        figures)


def collectives(name, median_us, **more):
    deck = {"problem": "collectives", "allocator.name": name, "collectives.operation": "alltoall", "collectives.blocks": 8,
            "collectives.threads": 32, "collectives.doubles": 4}
    return with_figures(deck, {"collective_5th_us": 0.5 * median_us, "collective_us": median_us,
                               "collective_95th_us": 2 * median_us}, **more)


class AllocationTablesTest(TableScriptTest):
    SCRIPT = ROOT / "scripts" / "allocation_tables.py"

    def tables(self, points):
        result = self.run_tables(document(points))
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_speed_ups_stand_beside_the_papers(self):
        text = self.tables([allocation("native", 100, 8.0, 0.8), allocation("warp_header_over_native", 100, 4.0, 0.0)])
        self.assertIn("| allocator | 100 | paper, 100 |", text)
        self.assertIn("| warp_header_over_native | 2 ± 0.2 | 2.44 ± 0.34 |", text)

    def test_times_are_milliseconds_as_the_papers(self):
        text = self.tables([allocation("native", 400, 8.0, 0.8)])
        self.assertIn("| native | 2 ± 0.1 | 297 ± 5.1 |", text)
        self.assertIn("| native | 2 ± 0.1 | 0.79 ± 0.42 |", text)

    def test_what_the_paper_has_not_is_left_empty(self):
        text = self.tables([allocation("native", 125, 8.0, 0.8, "gather"), allocation("slab_walk", 125, 2.0, 0, "gather")])
        self.assertIn("| slab_walk | 4 ± 0.4 |\n", text)
        self.assertIn("| slab_walk | 2 ± 0.1 | - |", text)

    def test_without_native_there_are_no_speed_ups(self):
        self.assertNotIn("Figure 3", self.tables([allocation("slab_walk", 100, 2.0, 0.1)]))

    def test_collectives_stand_beside_figure_5(self):
        text = self.tables([collectives("native", 8000.0), collectives("warp_header_over_native", 2000.0, speedup=4.0)])
        self.assertIn("### alltoall, 8 blocks of 32 ranks, 4 doubles", text)
        self.assertIn("| native | 4 | 8 | 16 | - | 17953.02 | 18316.86 | 19527.91 | 1 |", text)
        self.assertIn("| warp_header_over_native | 1 | 2 | 4 | 4.00 | 3636.10 | 4172.95 | 4296.39 | 4.39 |", text)

    def test_other_results_are_refused(self):
        for content, message in (("{}", "is not a results.json of haloheap"), (document([]), "has no points")):
            result = self.run_tables(content)
            self.assertEqual(result.returncode, 2)
            self.assertIn(message, result.stderr)
            self.assertTrue(result.stderr.startswith("allocation_tables.py: "))


if __name__ == "__main__":
    unittest.main()
