#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields and halo buffers in heaps of in-kernel allocators: the same bits as in any other memory."""

import unittest

from app import CAPABILITY, OUT_OF_MEMORY, QUICK, USAGE, AppTest

DECK = """
problem = "heat2d"
grid = {size = [29, 23], steps = 13, precision = "float"}
initial.kind = "random"
halo.depth = 3
run = {verify = true, residual = true, phases = false}
"""
LARGE = ["bump", "warp_table", "warp_header", "slab_walk"]  # serve any request that fits
OTHERS = ["native", "page_queue", "kokkos_pool", "random_walk", "random_walk_bitmap", "collaborative_random_walk"]
SMALL = ["rw_malloc", "virtual_queues"]  # 8 KiB at most


def listed(names):
    return "[" + ",".join(f'"{name}"' for name in names) + "]"


class Arenas(AppTest):
    RANKS = 4

    def check(self, count, *overrides, ranks, deck=DECK):
        """All points are the reference's and have one history of residuals, which is returned."""
        points = self.run_points(deck, *overrides, ranks=ranks)
        self.assertEqual(len(points), count)
        for point in points:
            self.assertTrue(point["verification"]["bitwise"], (ranks, point["swept"], point["notes"]))
        histories = {(self.folder / "results" / f"point_{n:03d}_residual.csv").read_text() for n in range(1, count + 1)}
        self.assertEqual(len(histories), 1)
        return histories.pop()

    def refuse(self, code, *messages, overrides, ranks=4):
        result = self.run_app(self.write_deck(DECK), *QUICK, *overrides, ranks=ranks)
        self.assert_refused(result, code, *messages, "remedy: ")

    def test_all_are_in_the_list(self):
        memories = self.run_ok("--list").stdout.split("\nmemory\n")[1].split("\ndevice\n")[0].splitlines()
        arenas = {line.split()[0] for line in memories if "arena of an in-kernel allocator: " in line}
        self.assertEqual(arenas, {*LARGE, *OTHERS, *SMALL})

    def test_fields(self):
        for ranks in (1, 2, 4):
            self.check(len(LARGE + OTHERS) + 1, f"memory.fields={listed(['device', *LARGE, *OTHERS])}", ranks=ranks)

    def test_buffers(self):
        names = ["device", *LARGE, *OTHERS]
        self.check(len(names), f"memory.buffers={listed(names)}", ranks=4)
        self.check(len(LARGE), f"memory.buffers={listed(LARGE)}", "halo.transport=gpu_aware", ranks=4)

    def test_small_buffers(self):
        points = self.run_points(DECK, f"memory.buffers={listed(SMALL)}", "run.residual=false", ranks=4)
        self.assertEqual([point["verification"]["bitwise"] for point in points], [True] * len(SMALL))
        self.refuse(CAPABILITY, "command line: memory.buffers: rw_malloc cannot serve 'haloheap::stencil::residual_slots' of ",
                    overrides=["memory.buffers=rw_malloc"])

    def test_both_in_three_dimensions(self):
        self.check(16, "problem=heat3d", "grid.size=[13,14,17]", "halo.depth=2", f"memory.fields={listed(LARGE)}",
                   f"memory.buffers={listed(LARGE)}", "grid.quantities=2", "grid.precision=double", ranks=4)

    def test_peers_map_them(self):
        for graph in ("true", "false"):
            self.check(len(LARGE), f"memory.fields={listed(LARGE)}", "halo.transport=peer_store", f"halo.graph={graph}", ranks=4)
            self.check(len(LARGE), f"memory.buffers={listed(LARGE)}", "halo.transport=peer_copy", f"halo.graph={graph}", ranks=4)

    def test_peers_cannot_map_what_is_in_no_pool(self):
        self.refuse(CAPABILITY, "other processes cannot map it", overrides=["memory.fields=native", "halo.transport=peer_store"])

    def test_buffers_of_each_part_of_an_overlap(self):
        points = self.run_points(DECK, "run.measure=overlap", "halo.overlap=all_steps", "run.repetitions=5", "run.residual=false",
                                 f"memory.buffers={listed(LARGE)}", ranks=2)
        self.assertEqual([point["path"]["buffers"] for point in points], LARGE)

    def test_requests_that_are_too_large(self):
        self.refuse(CAPABILITY, "command line: memory.fields: kokkos_pool cannot serve 'haloheap::grids::now' of ", " one request can have 1048336 at most",
                    "remedy: use one of: native, bump, warp_table, warp_header, slab_walk\n",
                    overrides=["memory.fields=kokkos_pool", "grid.size=[2000,2000]"])
        self.refuse(CAPABILITY, "random_walk cannot serve 'haloheap::grids::now' of ", " one request can have 65296 at most",
                    overrides=["memory.fields=random_walk", "grid.size=[500,500]"])

    def test_an_arena_that_is_too_small(self):
        self.refuse(OUT_OF_MEMORY, "command line: memory.arena: out of slab_walk memory: 'haloheap::grids::now' needs ",
                    ", the heap 'haloheap::arena' has ",
                    "remedy: use a larger pool, a smaller problem, or another memory resource\n",
                    overrides=["memory.fields=slab_walk", "memory.arena=0.001", "grid.size=[2000,2000]"])
        self.refuse(OUT_OF_MEMORY, "GiB are needed in host memory by 4 ranks",
                    overrides=["memory.fields=slab_walk", "memory.arena=1e6"])
        self.refuse(USAGE, "slab_walk needs 65536 bytes or more", overrides=["memory.fields=slab_walk", "memory.arena=1e-9"])

    def test_an_arena_of_a_given_size(self):
        self.check(2, 'memory.fields=["slab_walk","device"]', "memory.arena=0.01", ranks=2)


if __name__ == "__main__":
    unittest.main()
