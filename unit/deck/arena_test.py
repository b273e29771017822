#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Fields and halo buffers in heaps of in-kernel allocators: the same bits as in any other memory."""

import re
import unittest

from app import CAPABILITY, OUT_OF_MEMORY, QUICK, USAGE, AppTest, arenas, listed

DECK = """
problem = "heat2d"
grid = {size = [29, 23], steps = 13, precision = "float"}
initial.kind = "random"
halo.depth = 3
run = {verify = true, residual = true, phases = false}
"""


class Arenas(AppTest):
    RANKS = 4
    LARGE = ("memory.fields=rw_malloc", "grid.size=[2000,2000]")
    SERVING = {}

    def that_serve(self, *overrides):
        """The arenas that serve all that a run needs: the program names them to whoever asks rw_malloc, which does not."""
        if overrides not in self.SERVING:
            result = self.run_app(self.write_deck(DECK), *QUICK, *overrides)
            self.assert_refused(result, CAPABILITY, "rw_malloc cannot serve '", "remedy: use one of: ")
            self.SERVING[overrides] = re.search("remedy: use one of: (.*)\n", result.stderr)[1].split(", ")
        return self.SERVING[overrides]

    @property
    def serving(self):
        """The blocks of the deck, of which that with the parts of the residual is the largest."""
        return self.that_serve("memory.buffers=rw_malloc")

    @property
    def large(self):
        """Any field that fits into their pool; native has none."""
        return [name for name in self.that_serve(*self.LARGE) if name != "native"]

    @property
    def small(self):
        return [name for name in arenas() if name not in self.serving]

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

    def test_some_serve_all_and_some_little(self):
        self.assertLess({"bump", "slab_walk"}, set(self.large))
        self.assertLess(set(self.large), set(self.serving))
        self.assertIn("page_queue", self.serving)
        self.assertIn("rw_malloc", self.small)

    def test_fields(self):
        names = ["device", *self.serving]
        for ranks in (1, 2, 4):
            self.check(len(names), f"memory.fields={listed(names)}", ranks=ranks)

    def test_buffers(self):
        names = ["device", *self.serving]
        self.check(len(names), f"memory.buffers={listed(names)}", ranks=4)
        self.check(len(self.large), f"memory.buffers={listed(self.large)}", "halo.transport=gpu_aware", ranks=4)

    def test_small_buffers(self):
        points = self.run_points(DECK, f"memory.buffers={listed(self.small)}", "run.residual=false", ranks=4)
        self.assertEqual([point["verification"]["bitwise"] for point in points], [True] * len(self.small))
        self.refuse(CAPABILITY, "command line: memory.buffers: rw_malloc cannot serve 'haloheap::stencil::residual_slots' of ",
                    overrides=["memory.buffers=rw_malloc"])

    def test_both_in_three_dimensions(self):
        self.check(len(self.large)**2, "problem=heat3d", "grid.size=[13,14,17]", "halo.depth=2", f"memory.fields={listed(self.large)}",
                   f"memory.buffers={listed(self.large)}", "grid.quantities=2", "grid.precision=double", ranks=4)

    def test_peers_map_them(self):
        for graph in ("true", "false"):
            self.check(len(self.large), f"memory.fields={listed(self.large)}", "halo.transport=peer_store", f"halo.graph={graph}", ranks=4)
            self.check(len(self.large), f"memory.buffers={listed(self.large)}", "halo.transport=peer_copy", f"halo.graph={graph}", ranks=4)

    def test_peers_cannot_map_what_is_in_no_pool(self):
        self.refuse(CAPABILITY, "other processes cannot map it", overrides=["memory.fields=native", "halo.transport=peer_store"])

    def test_buffers_of_each_part_of_an_overlap(self):
        points = self.run_points(DECK, "run.measure=overlap", "halo.overlap=all_steps", "run.repetitions=5", "run.residual=false",
                                 f"memory.buffers={listed(self.large)}", ranks=2)
        self.assertEqual([point["path"]["buffers"] for point in points], self.large)

    def test_requests_that_are_too_large(self):
        self.refuse(CAPABILITY, "command line: memory.fields: kokkos_pool cannot serve 'haloheap::grids::now' of ", " one request can have 1048336 at most",
                    f"remedy: use one of: {', '.join(self.that_serve(*self.LARGE))}\n",
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
