#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems malloc_sweep, allocation, hash_join and collectives: figures, checks and errors of whole runs."""

import os
import unittest
from unittest import mock

from app import OUT_OF_MEMORY, USAGE, AppTest, quick

MALLOC = """
problem = "malloc_sweep"
allocator = {name = "slab_walk", pool = 0.00390625}
malloc.threads = 300
"""
ALLOCATION = """
problem = "allocation"
allocation = {blocks = 3, threads = 40, floats = 60}
"""
JOIN = """
problem = "hash_join"
hash_join = {tuples = 3000, match = 0.7, skew = 0.4, copies = 3, per_thread = 5}
"""
COLLECTIVES = """
problem = "collectives"
collectives = {blocks = 1, threads = 4, doubles = 5}
"""


def threads(count):
    """Threads of the program's host backend."""
    return mock.patch.dict(os.environ, {"OMP_NUM_THREADS": str(count), "KOKKOS_NUM_THREADS": str(count)})


class MallocSweep(AppTest):
    def test_a_soak_loses_nothing(self):
        points = self.run_points(MALLOC, 'allocator.name=["slab_walk","warp_header","kokkos_pool"]', "malloc.pattern=churn",
                                 "malloc.size=16", "malloc.largest=1000", "malloc.rounds=100", "run.verify=true")
        self.assert_obeys_schema()
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertNotIn("pass_over_packed", point["figures"])

    def test_what_it_takes_to_make_a_heap_and_to_pass_over_its_blocks(self):
        for point in self.run_points(MALLOC, 'allocator.name=["slab_walk","native"]', "malloc.size=[16,256]"):
            self.assertGreater(point["figures"]["create_us"], 0, point["swept"])
            self.assertGreater(point["figures"]["pass_over_packed"], 0, point["swept"])


class Allocation(AppTest):
    RANKS = 2

    def test_every_workload_is_right_with_lanes_and_teams(self):
        names = '["native","slab_walk","warp_table_over_native","block_header","block_table_over_native"]'
        points = self.run_points(ALLOCATION, f"allocator.name={names}", "run.repetitions=3",
                                 'allocation.work=["linear","quadratic","strided","gather","transposed"]')
        self.assert_obeys_schema()
        self.assertEqual(len(points), 25)
        for point in points:
            figures = point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            for what in ("allocate", "work", "free"):
                self.assertGreater(figures[f"{what}_us"], 0, point["swept"])
                self.assertGreaterEqual(figures[f"{what}_deviation_us"], 0)
            self.assertGreater(figures["gflops"], 0)

    def test_speed_up_is_that_of_the_work_over_native(self):
        native, bump = self.run_points(ALLOCATION, 'allocator.name=["native","bump"]')
        self.assertEqual(native["speedup"], 1)
        self.assertAlmostEqual(bump["speedup"], native["figures"]["work_us"] / bump["figures"]["work_us"])
        only = self.run_points(ALLOCATION, "allocator.name=bump")[0]
        self.assertNotIn("speedup", only)

    def test_a_heap_that_is_full_ends_the_run(self):
        result = self.run_app(self.write_deck(ALLOCATION), *quick("allocator.name=bump", "allocation.floats=61",
                                                                  f"allocator.pool={30000 / 2**30}"))
        self.assert_refused(result, OUT_OF_MEMORY, "3 of 120 threads got no 244 bytes from 'bump'")

    def test_more_ranks_are_refused(self):
        result = self.run_app(self.write_deck(ALLOCATION), *quick(), ranks=2)
        self.assert_refused(result, USAGE, "'allocation' runs on one rank")


class HashJoin(AppTest):
    def test_all_rows_are_the_hosts(self):
        for lists in ("thread", "warp"):
            points = self.run_points(JOIN, 'allocator.name=["bump","random_walk","slab_walk","native"]', "allocator.page=64",
                                     f"hash_join.list={lists}", "hash_join.tuples=[1,31,3000]", "run.warmup=1")
            self.assertEqual(len(points), 12)
            for point in points:
                self.assertTrue(point["verification"]["passed"], point["swept"])
            rows = {point["figures"]["rows"] for point in points if point["deck"]["hash_join.tuples"] == 3000}
            self.assertEqual(len(rows), 1)
            self.assertAlmostEqual(rows.pop(), 3000 * 0.7 * 3, delta=300)

    def test_warps_need_fewer_pages(self):
        pages = [self.run_points(JOIN, "hash_join.copies=1", f"hash_join.list={lists}")[0]["figures"]["pages"]
                 for lists in ("thread", "warp")]
        self.assertGreater(pages[0], 4 * pages[1])

    def test_a_heap_that_is_full_ends_the_run(self):
        result = self.run_app(self.write_deck(JOIN), *quick("allocator.name=random_walk", f"allocator.pool={50 * 256 / 2**30}"))
        self.assert_refused(result, OUT_OF_MEMORY, "rows of the join got no output page from 'random_walk'")


class Collectives(AppTest):
    def test_every_operation_is_right_between_threads(self):
        with threads(4):
            points = self.run_points(COLLECTIVES, 'allocator.name=["native","slab_walk","warp_header_over_native"]',
                                     'collectives.operation=["reduce","broadcast","alltoall"]', "collectives.threads=[1,3,4]",
                                     "run.repetitions=3")
        self.assert_obeys_schema()
        self.assertEqual(len(points), 27)
        for point in points:
            figures = point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertLessEqual(figures["collective_5th_us"], figures["collective_us"])
            self.assertLessEqual(figures["collective_us"], figures["collective_95th_us"])
            self.assertGreater(point["speedup"], 0)

    def test_ranks_that_cannot_run_at_once_are_refused(self):
        with threads(2):
            result = self.run_app(self.write_deck(COLLECTIVES), *quick("collectives.threads=1", "collectives.blocks=3"))
        self.assert_refused(result, USAGE, "all 3 blocks of 1 must run at once, and here no more than 2 do")

    def test_ranks_without_memory_end_the_run(self):
        with threads(2):
            result = self.run_app(self.write_deck(COLLECTIVES), *quick("collectives.threads=2", "allocator.name=random_walk",
                                                                       "allocator.page=4096",
                                                                       f"allocator.pool={2 * 4096 / 2**30}"))
        self.assert_refused(result, OUT_OF_MEMORY, "a rank got no memory from 'random_walk'")


if __name__ == "__main__":
    unittest.main()
