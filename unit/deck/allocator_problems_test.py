#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Problems malloc_sweep, allocation, hash_join, work_generation, graph and collectives: figures, checks and errors of whole runs."""

import os
import unittest
from unittest import mock

from app import OUT_OF_MEMORY, USAGE, AppTest, listed, quick

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
WORK = """
problem = "work_generation"
allocator.pool = 0.00390625
"""
GRAPH = """
problem = "graph"
allocator.pool = 0.00390625
graph = {vertices = 90, degree = 4, batches = 3, inserted = 70}
"""
# Those that any lane may call.
HEAPS = ("native", "bump", "page_queue", "kokkos_pool", "warp_table", "warp_header", "random_walk", "random_walk_bitmap",
         "collaborative_random_walk", "rw_malloc", "virtual_queues", "slab_walk")
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

    def test_how_far_blocks_are_spread(self):
        for point in self.run_points(MALLOC, 'allocator.name=["slab_walk","random_walk"]', "malloc.size=[16,256]",
                                     'malloc.pattern=["allocate_free","churn","fill"]', "malloc.held=1"):
            figures = point["figures"]
            if point["deck"]["malloc.pattern"] == "fill":
                self.assertNotIn("address_range_bytes", figures, point["swept"])
                continue
            asked = 300 * point["deck"]["malloc.size"]
            self.assertGreaterEqual(figures["address_range_bytes"], asked, point["swept"])
            self.assertAlmostEqual(figures["address_range_over_least"] * asked, figures["address_range_bytes"])
            self.assertGreaterEqual(figures["all_address_ranges_bytes"], figures["address_range_bytes"])

    def test_wider_words_of_a_bitmap_are_fewer_steps(self):
        deck = 'problem = "malloc_sweep"\nallocator = {name = "rw_malloc", pool = 0.001, page = 16}\n' \
               "malloc = {threads = 65000, size = 8}"  # 97 % of the pages
        narrow, wide = (point["figures"]["steps_thread"] - 1 for point in self.run_points(deck, "allocator.word=[32,64]"))
        self.assertGreater(narrow, 0.05)
        self.assertLess(wide, 0.75 * narrow)


class Atomics(AppTest):
    def test_no_operation_is_lost(self):
        points = self.run_points('problem = "atomics"\natomics.threads = [1,33,1000]', "atomics.addresses=[1,0]",
                                 'atomics.operation=["add","exchange"]', "atomics.spacing=[4,64]", "atomics.rounds=7")
        self.assert_obeys_schema()
        self.assertEqual(len(points), 24)
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
            figures = point["figures"]
            self.assertGreater(figures["latency_ns"], 0, point["swept"])
            self.assertGreaterEqual(figures["latency_slowest_ns"], 0.999 * figures["latency_minimum_ns"])
            self.assertAlmostEqual(figures["operations_per_ns"] * figures["kernel_median_us"],
                                   7e-3 * point["deck"]["atomics.threads"], places=6)

    def test_what_cannot_be_is_refused(self):
        for setting, cause in (("atomics.addresses=200", "100 threads cannot change 200 words"),
                               ("atomics.spacing=6", "words of 4 bytes cannot stand 6 apart")):
            result = self.run_app(self.write_deck('problem = "atomics"\natomics.threads = 100'), *quick(setting))
            self.assert_refused(result, USAGE, cause)


class PageSteps(AppTest):
    def test_figure_4_is_lines_without_a_run(self):
        points = self.run_points('problem = "page_steps"', "steps.free=[50.0,0.5]", "steps.threads=[1,5000]")
        self.assert_obeys_schema()
        one, half, _, scarce = (point["figures"] for point in points)
        self.assertAlmostEqual(one["tas_walk"], 2)
        self.assertAlmostEqual(half["tas_queue"], 2500.5)
        self.assertAlmostEqual(half["tas_walk"], 2.00957, places=4)
        self.assertLess(scarce["tas_walk"], scarce["tas_queue"], "the argument of the paper")
        self.assertGreater(scarce["was_walk"], scarce["was_queue"], "and its limit")
        self.assertAlmostEqual(scarce["was_limit"] / scarce["was_bitmap"], 1, places=3)
        result = self.run_app(self.write_deck('problem = "page_steps"'), *quick("steps.free=0.5", "steps.threads=6000"))
        self.assert_refused(result, USAGE, "6000 threads want a page each, and 5243 of 1048576 pages are free")


class Getpage(AppTest):
    def test_formulas_and_theorems_stand_beside_the_steps(self):
        deck = 'problem = "getpage"\nallocator = {pool = 0.0009765625, page = 16}\ngetpage = {threads = 100, free = 10.0}'
        walk, bitmap = self.run_points(deck, 'allocator.name=["random_walk","random_walk_bitmap"]', "allocator.word=64")
        self.assert_obeys_schema()
        figures = walk["figures"]
        self.assertAlmostEqual(figures["collisions"], 100 * 99 / 2 / 65536)
        self.assertAlmostEqual(figures["collision_bound"], figures["collisions"] * figures["free_pages"] / 65536)
        self.assertAlmostEqual(figures["tas_approximation"] / figures["tas_formula"], 1, places=3)
        self.assertNotIn("tas_limit", figures)
        self.assertAlmostEqual(bitmap["figures"]["tas_limit"], figures["tas_formula"] / 64, delta=0.01)
        self.assertGreater(bitmap["figures"]["was_limit"], 0.5)
        self.assertNotIn("tas_approximation", bitmap["figures"])


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

    def test_as_many_threads_in_blocks_of_any_size(self):
        points = self.run_points(ALLOCATION, "allocator.name=block_table", "allocation.total=96", "allocation.threads=[12,32,96]")
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
        plan = self.run_ok(self.write_deck(ALLOCATION), "allocation.total=96", "allocation.threads=12", "--dry-run").stdout
        self.assertIn("8 blocks of 12 threads", plan)
        result = self.run_app(self.write_deck(ALLOCATION), *quick("allocation.total=90", "allocation.threads=40"))
        self.assert_refused(result, USAGE, "90 threads cannot be divided into blocks of 40")

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


class WorkGeneration(AppTest):
    RANKS = 2

    def test_every_heap_beside_a_prefix_sum(self):
        points = self.run_points(WORK, f"allocator.name={listed(HEAPS)}", "work.threads=[1,33,1000]", "run.repetitions=3")
        self.assert_obeys_schema()
        self.assertEqual(len(points), 3 * len(HEAPS))
        for point in points:
            figures = point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertGreater(figures["generate_us"], 0, point["swept"])
            self.assertAlmostEqual(figures["over_packed"] * figures["packed_us"], figures["work_us"])
            self.assertGreater(point["speedup"], 0, point["swept"])
            if point["deck"]["allocator.name"] != "native":
                self.assertGreaterEqual(figures["in_use_bytes"], figures["packed_bytes"], point["swept"])
        of_1000 = {point["figures"]["packed_bytes"] for point in points if point["deck"]["work.threads"] == 1000}
        self.assertEqual(len(of_1000), 1, "all heaps get the same requests")
        self.assertAlmostEqual(of_1000.pop(), 34 * 1000, delta=2000)

    def test_a_heap_that_is_full_ends_the_run(self):
        result = self.run_app(self.write_deck(WORK), *quick("allocator.name=bump", "work.threads=100", "work.smallest=1024",
                                                            "work.largest=1024", f"allocator.pool={96 * 1024 / 2**30}"))
        self.assert_refused(result, OUT_OF_MEMORY, "4 of 100 threads got no piece from 'bump'")

    def test_more_ranks_are_refused(self):
        result = self.run_app(self.write_deck(WORK), *quick(), ranks=2)
        self.assert_refused(result, USAGE, "'work_generation' runs on one rank")


class Graph(AppTest):
    RANKS = 2

    def test_every_heap_has_the_hosts_edges(self):
        points = self.run_points(GRAPH, f"allocator.name={listed(HEAPS)}", 'graph.lists=["arrays","container"]',
                                 "graph.sources=[0,30]", "run.verify=true", "run.warmup=1")
        self.assert_obeys_schema()
        self.assertEqual(len(points), 4 * len(HEAPS))
        for point in points:
            figures = point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertEqual(figures["edges"], 4 * 90 + 3 * 70)
            self.assertAlmostEqual(figures["updated_per_s"] * figures["update_us"], 210e6, delta=1)
            if point["deck"]["allocator.name"] == "native":
                self.assertNotIn("in_use_bytes", figures)
            else:
                self.assertGreater(figures["in_use_bytes"], figures["initial_in_use_bytes"], point["swept"])
                self.assertAlmostEqual(figures["in_use_bytes"] * (1 - figures["wasted_percent"] / 100), 4 * figures["edges"])

    def test_every_heap_lacks_what_the_host_has_deleted(self):
        points = self.run_points(GRAPH, f"allocator.name={listed(HEAPS)}", 'graph.lists=["arrays","container"]',
                                 "graph.deleted=[0,60]", "run.verify=true", "run.repetitions=2")
        self.assert_obeys_schema()
        for point in points:
            figures, deleted = point["figures"], point["deck"]["graph.deleted"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertEqual(figures["edges"], 4 * 90 + 3 * (70 - deleted))
            frees = point["deck"]["allocator.name"] != "bump"
            self.assertEqual("delete_us" in figures, deleted > 0, point["swept"])
            self.assertEqual("compact_us" in figures, deleted > 0 and frees and point["deck"]["graph.lists"] == "container")
            if deleted:
                self.assertAlmostEqual(figures["deleted_per_s"] * figures["delete_us"], 180e6, delta=1)
            if "compacted_in_use_bytes" in figures:
                self.assertLess(figures["compacted_in_use_bytes"], figures["in_use_bytes"], point["swept"])

    def test_few_vertices_have_many_edges(self):
        for point in self.run_points(GRAPH, 'allocator.name=["slab_walk","warp_header"]', 'graph.kind=["uniform","rmat"]',
                                     'graph.lists=["arrays","container"]', "graph.vertices=[1,2,700]", "run.verify=true"):
            self.assertTrue(point["verification"]["passed"], point["swept"])

    def test_a_heap_that_is_full_ends_the_run(self):
        for lists in ("arrays", "container"):
            result = self.run_app(self.write_deck(GRAPH), *quick("allocator.name=slab_walk", "graph.vertices=5000",
                                                                 f"graph.lists={lists}", "graph.degree=400"))
            self.assert_refused(result, OUT_OF_MEMORY, "of 2000210 edges found no room in lists from 'slab_walk'")

    def test_what_cannot_be_is_refused(self):
        for setting, cause in (("graph.sources=91", "a batch cannot go to 91 of 90 vertices"),
                               ("graph.deleted=71", "71 edges cannot go after a batch of 70"),
                               ("allocator.name=block_table", "here each thread asks for itself")):
            self.assert_refused(self.run_app(self.write_deck(GRAPH), *quick(setting)), USAGE, cause)
        self.assert_refused(self.run_app(self.write_deck(GRAPH), *quick(), ranks=2), USAGE, "'graph' runs on one rank")


class Collectives(AppTest):
    def test_every_operation_is_right_between_threads(self):
        with threads(4):
            points = self.run_points(COLLECTIVES, 'allocator.name=["native","block_table_over_native","warp_header_over_native"]',
                                     'collectives.operation=["reduce","broadcast","alltoall"]', "collectives.threads=[1,3,4]",
                                     'collectives.method=["collective","point_to_point"]', "run.repetitions=3")
        self.assert_obeys_schema()
        self.assertEqual(len(points), 54)
        for point in points:
            figures = point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertLessEqual(figures["collective_5th_us"], figures["collective_us"])
            self.assertLessEqual(figures["collective_us"], figures["collective_95th_us"])
            if point["deck"]["allocator.name"] == "native":
                self.assertNotIn("superblocks", figures)
            else:  # a host's threads share nothing
                self.assertEqual(figures["superblocks"], figures["requests"], point["swept"])
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
