#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Bad input: each with its message, said once, and its exit code."""

import pathlib
import re
import unittest

from app import CAPABILITY, IO, OUT_OF_MEMORY, QUICK, USAGE, AppTest, arenas, here, listed, listing

GOOD = """problem = "heat2d"
[grid]
size = [24, 17]
steps = 9
[halo]
depth = 2
"""


class WrongDecks(AppTest):
    """Found before anything runs, all in one place of the program, where the ranks agree on what is wrong. Four of them (a
    rank grid of 2 x 2) show that they say it once, and where it depends on them; elsewhere one does, which ends sooner."""

    RANKS = 4

    def refuse(self, *messages, deck=GOOD, overrides=(), ranks=1, code=USAGE):
        result = self.run_app(self.write_deck(deck), *overrides, ranks=ranks)
        self.assert_refused(result, code, *messages, "consequence: nothing was run", "remedy: ")
        self.assertEqual(result.stdout, "")
        self.assertFalse((self.folder / "results").exists())

    def test_unknown_key(self):
        self.refuse("haloheap: deck.toml:6:1: halo.dpeth: unknown key (nearest valid key: halo.depth)\n",
                    deck=GOOD.replace("depth", "dpeth"), ranks=4)

    def test_unknown_key_on_the_command_line(self):
        self.refuse("haloheap: command line: halo.dpeth: unknown key (nearest valid key: halo.depth)\n",
                    overrides=["halo.dpeth=1"])

    def test_wrong_type(self):
        self.refuse('deck.toml:6:9: halo.depth: expected an integer, found the string "2" (allowed: 1 to 1024 steps, "auto")',
                    deck=GOOD.replace("depth = 2", 'depth = "2"'))

    def test_not_toml(self):
        self.refuse("deck.toml:6:7: not valid TOML: ", deck=GOOD.replace("depth = 2", "depth 2"))

    def test_every_mistake_is_named_at_once(self):
        self.refuse("deck.toml:3:8: grid.size: 0 is out of range (allowed: 1 to 2147483647 cells)",
                    "deck.toml:4:9: grid.steps: -9 is out of range (allowed: 0 to 2147483647 steps)",
                    "command line: halo.depth: 0 is out of range (allowed: 1 to 1024 steps)",
                    deck=GOOD.replace("24", "0").replace("9", "-9"), overrides=["halo.depth=0"])

    def test_negative_size(self):
        self.refuse("command line: grid.size: -4 is out of range (allowed: 1 to 2147483647 cells)",
                    overrides=["grid.size=[24,-4]"])

    def test_halo_deeper_than_the_smallest_subdomain(self):
        self.refuse("deck.toml:6:9: halo.depth: a halo of 9 cells is wider than the smallest subdomain, 8 cells in y",
                    "consequence: nothing was run: a rank would need cells of its neighbour's neighbour",
                    deck=GOOD.replace("depth = 2", "depth = 9"), ranks=4)

    def test_halo_as_deep_as_the_smallest_subdomain_is_fine(self):
        self.assertTrue(self.run_points(GOOD, "halo.depth=8", "run.verify=true", ranks=4)[0]["verification"]["passed"])

    def test_wide_stencils_have_wide_halos(self):
        self.refuse("halo.depth: a halo of 10 cells is wider than the smallest subdomain, 8 cells in y",
                    overrides=["halo.depth=5", "stencil.radius=2"], ranks=4)

    def test_a_bad_point_late_in_a_sweep_stops_the_first(self):
        self.refuse("halo.depth: a halo of 9 cells is wider", overrides=["halo.depth=[1,9]"], ranks=4)

    def test_grid_smaller_than_the_rank_grid(self):
        self.refuse("command line: grid.size: 3 cells in x cannot be divided among 4 ranks (rank grid 4 x 1)",
                    overrides=["grid.size=[3,17]", "ranks.grid=[4,1]"], ranks=4)

    def test_one_side_periodic(self):
        self.refuse("default: boundary.x_high: one side of x is periodic and the other is not",
                    overrides=["boundary.x_low=neumann"])

    def test_wrong_number_of_ranks(self):
        self.refuse("ranks.grid: 3 x 2 ranks are not the 4 that run", "remedy: start 6 ranks, or leave ranks.grid out",
                    overrides=["ranks.grid=[3,2]"], ranks=4)
        # Modulo 2^64 their product is 4.
        self.refuse("ranks.grid: 968973220 x 49477 x 384773 ranks are not the 4 that run",
                    "remedy: start 1.844674407e+19 ranks, or leave ranks.grid out",
                    overrides=["problem=heat3d", "grid.size=[2000000000,2000000000,2000000000]",
                               "ranks.grid=[968973220,49477,384773]"], ranks=4)

    def test_wrong_number_of_dimensions(self):
        self.refuse("grid.size: has 3 numbers, but problem heat2d has 2 dimensions", overrides=["grid.size=[24,17,5]"])
        self.refuse("grid.size: has 2 numbers, but problem heat3d has 3 dimensions", overrides=["problem=heat3d"])

    def test_wrong_number_of_coefficients(self):
        self.refuse("stencil.coefficients: the star stencil of radius 1 in 2D has 5 coefficients, not 4",
                    overrides=["stencil.coefficients=[1.0,2.0,3.0,4.0]"])

    def test_stencil_without_a_kernel(self):
        self.refuse("stencil.radius: there is no kernel for a box stencil of radius 2 in 2D",
                    "remedy: use a star of radius 1, 2, 3, 4",
                    overrides=["stencil.shape=box", "stencil.radius=2"])

    def test_unknown_transport(self):
        self.refuse('command line: halo.transport: "pined" is not a valid choice (allowed: ', '; nearest: "pinned")',
                    overrides=["halo.transport=pined"])

    def test_unknown_memory(self):
        self.refuse('memory.fields: "hbm" is not a valid choice', overrides=["memory.fields=hbm"])

    def test_unknown_problem(self):
        self.refuse('problem: "heat4d" is not a valid choice (allowed: "heat2d", "heat3d", ', '; nearest: "heat2d")',
                    overrides=["problem=heat4d"])

    def test_missing_deck(self):
        result = self.run_app("none.toml", ranks=4)
        self.assert_refused(result, USAGE, "haloheap: none.toml: cannot read the deck: No such file or directory")

    def test_two_decks(self):
        self.assert_refused(self.run_app(self.write_deck(GOOD), "other.toml", ranks=4), USAGE,
                            '"other.toml" is not of the form key=value')

    def test_sizes_beyond_counting(self):
        self.refuse("grid.size: fields of 7.38e+19 bytes are more than can be counted",
                    overrides=["grid.size=[2147483647,2147483647]"])
        self.refuse("are more than can be counted",
                    overrides=["problem=heat3d", "grid.size=[2147483647,2147483647,2147483647]"])

    def test_graph_of_what_needs_the_host(self):
        self.refuse("command line: halo.graph: a graph cannot hold transport 'pinned', which needs the host",
                    "remedy: use transport = peer_copy or peer_store, or no graph",
                    overrides=["halo.graph=true"], ranks=4)
        self.refuse("halo.graph: a graph cannot hold the barrier of desynchronisation, which needs the host",
                    overrides=["halo.graph=true", "halo.transport=peer_store", "run.desynchronisation=true"], ranks=4)

    def test_graph_of_too_few_steps(self):
        self.refuse("halo.graph: a graph holds two exchanges with their 10 steps, and grid.steps is 9",
                    "remedy: use at least 10 steps, a smaller halo.depth, or halo.graph = false",
                    overrides=["halo.graph=true", "halo.transport=peer_store", "halo.depth=5"])
        self.assertTrue(self.run_points(GOOD, "halo.graph=true", "halo.transport=peer_store", "halo.depth=4",
                                        "run.verify=true", ranks=4)[0]["verification"]["passed"])

    def test_passes_of_too_many_steps(self):
        self.refuse("command line: stencil.fused_steps: 3 fused steps need a halo for as many, but the depth is 2",
                    "remedy: use a depth of 3 or more, or fewer fused steps", overrides=["stencil.fused_steps=3"])
        self.refuse("run.residual_interval: a residual each 3 steps is not always that of the last step before an exchange, "
                    "each 2 steps,", "remedy: use an interval of 4 steps or another multiple of the depth, or fused_steps = 1",
                    overrides=["stencil.fused_steps=2", "halo.depth=2", "run.residual=true", "run.residual_interval=3"])
        self.refuse("stencil.fused_steps", overrides=["stencil.fused_steps=9"])

    def test_neighbor_reaches_faces_only(self):
        self.refuse("command line: halo.mpi: mpi = neighbor reaches the neighbours across a rank's faces only, and "
                    "exchange = async also sends across edges and corners",
                    "remedy: use exchange = sync, or mpi = persistent or isend or dist_graph",
                    overrides=["halo.mpi=neighbor", "halo.exchange=async"])
        self.run_ok(self.write_deck(GOOD), *QUICK, "halo.mpi=neighbor", "halo.exchange=async", "halo.transport=peer_store",
                    ranks=4)  # no MPI in it

    def test_what_needs_buffers_of_the_host(self):
        for key, other in (("packing=datatype", "kernel"), ("corners=host", "device")):
            name, value = key.split("=")
            for transport in ("auto", "peer_store", "gpu_aware"):
                self.refuse(f"command line: halo.{name}: {name} = {value} needs messages that MPI takes from buffers of the host, "
                            f"and transport '{transport}' has none", f"or {name} = {other}",
                            overrides=[f"halo.{key}", f"halo.transport={transport}"])
        self.refuse("halo.mpi: mpi = neighbor passes rows of bytes",
                    "remedy: use packing = kernel, or mpi = persistent or isend or dist_graph",
                    overrides=["halo.packing=datatype", "halo.mpi=neighbor"])
        self.refuse("stencil.redundant: redundant = whole computes the whole halo's cells in each step, and a pass of 2 steps",
                    "remedy: use fused_steps = 1, or redundant = shrinking",
                    overrides=["stencil.redundant=whole", "stencil.fused_steps=2", "halo.depth=2"])

    def test_neighbor_passes_one_message_to_a_neighbour(self):
        self.refuse("command line: halo.mpi: mpi = neighbor passes one message to each neighbour, and messages = direction sends "
                    "one each way, also where two go to the same",
                    "remedy: use messages = neighbour, or mpi = persistent or isend or dist_graph",
                    overrides=["halo.mpi=neighbor", "halo.messages=direction"])

    def test_neighbor_is_a_collective(self):
        self.refuse("halo.mpi: neighbor is a collective of all ranks of a line, and auto leaves some of them to another",
                    'remedy: name the transport, or use halo.mpi = "persistent" or "isend" or "dist_graph"',
                    overrides=["halo.mpi=neighbor", "halo.transport=auto"], ranks=4)

    def test_shared_host_buffers_are_those_of_pinned(self):
        self.run_ok(self.write_deck(GOOD), *QUICK, f"halo.transport={listed(here('transports'))}", "-o", "all")
        by_mpi = {point["deck"]["halo.transport"] for point in self.results("all")["points"] if "mpi" in point["path"]}
        self.assertIn("pinned", by_mpi)
        for transport in by_mpi - {"pinned"}:
            self.refuse(f"command line: halo.mpi: transport '{transport}' has no host buffers that neighbours could copy into",
                        "remedy: use transport = pinned, or another mpi",
                        overrides=["halo.mpi=shared", f"halo.transport={transport}"])
        self.refuse("halo.mpi: shared does not leave a node, and auto uses MPI only to do so",
                    'remedy: use another halo.mpi, or halo.transport = "pinned"',
                    overrides=["halo.mpi=shared", "halo.transport=auto"])
        self.run_ok(self.write_deck(GOOD), *QUICK, "halo.mpi=shared", "halo.transport=peer_store", ranks=4)  # no MPI in it

    def test_residual_without_a_bound(self):
        self.refuse("command line: run.residual: one step of the stencil can multiply values by 1.4",
                    "or use run.residual = false", overrides=["run.residual=true", "stencil.diffusion=0.3"])

    def test_residual_beyond_counting(self):
        self.refuse("run.residual: the bound of the squared residual is ",
                    overrides=["run.residual=true", "boundary.x_low=dirichlet", "boundary.x_high=dirichlet",
                               "boundary.value=1e200"])

    def test_overlap_measured_where_there_is_none(self):
        self.refuse("command line: run.measure: halo.overlap is none, so that there is no overlap to measure",
                    'remedy: use halo.overlap = "first_step" or "all_steps"', overrides=["run.measure=overlap"])

    def test_exchanges_alone_have_nothing_behind_them(self):
        self.refuse("run.measure: nothing runs behind exchanges that are measured alone",
                    overrides=["run.measure=exchange", "halo.overlap=all_steps"])
        self.refuse("run.measure: exchanges that are measured alone have no residual",
                    overrides=["run.measure=exchange", "run.residual=true"])

    def test_the_offline_actions_refuse_as_well(self):
        for action in ("--validate", "--print-deck", "--dry-run"):
            self.refuse("deck.toml:6:1: halo.dpeth: unknown key", deck=GOOD.replace("depth", "dpeth"), overrides=[action], ranks=4)


def free_bytes():
    return 1024 * int(re.search(r"MemAvailable: +(\d+) kB", pathlib.Path("/proc/meminfo").read_text()).group(1))


class Memory(AppTest):
    RANKS = 4

    BYTES_A_CELL = 2 * 8  # two fields of double

    def test_more_than_there_is(self):
        """Refused with numbers, and before anything is allocated: whoever filled such a grid would be killed."""
        side = max(200000, int((4 * free_bytes() / self.BYTES_A_CELL) ** 0.5))
        result = self.run_app(self.write_deck(GOOD), *QUICK, f"grid.size=[{side},{side}]", ranks=4)
        self.assert_refused(result, OUT_OF_MEMORY, "consequence: nothing was allocated", "remedy: use a smaller grid")
        said = re.search(r"haloheap: (\d+\.\d\d) GiB are needed in host memory by 4 ranks, and \d+\.\d\d GiB are free",
                         result.stderr)
        self.assertAlmostEqual(float(said.group(1)) / (self.BYTES_A_CELL * side**2 / 2**30), 1, delta=0.01)

    def test_what_verification_takes_counts(self):
        """A grid whose fields fit, but not with the reference beside them, is refused rather than killed."""
        side = int((0.6 * free_bytes() / self.BYTES_A_CELL) ** 0.5)
        result = self.run_app(self.write_deck(GOOD), *QUICK, f"grid.size=[{side},{side}]", "run.verify=true", ranks=1)
        self.assert_refused(result, OUT_OF_MEMORY, "GiB are needed in host memory by 1 rank")

    def test_a_long_thin_grid_does_not_fill_the_host(self):
        length = 2147483647
        rows = max(32, int(4 * free_bytes() / self.BYTES_A_CELL / length))
        result = self.run_app(self.write_deck(GOOD), *QUICK, f"grid.size=[{length},{rows}]", ranks=1)
        self.assert_refused(result, OUT_OF_MEMORY, "GiB are needed in host memory by 1 rank")

    def test_the_limit_of_the_deck(self):
        deck = self.write_deck(GOOD)
        result = self.run_app(deck, *QUICK, "grid.size=[1000,1000]", "memory.limit=0.001", ranks=4)
        self.assert_refused(result, OUT_OF_MEMORY, "'haloheap::grids::now' needs", "are left of a limit of 1073741",
                            "remedy: raise the limit, or use a smaller problem")
        self.run_ok(deck, *QUICK, "grid.size=[1000,1000]", "memory.limit=1", ranks=4)

    def test_each_allocation_may_fail(self):
        """Whatever allocation fails on all ranks: one message, the right exit code, no rank left behind."""
        deck = self.write_deck(GOOD)
        for number in range(1, 50):
            result = self.run_app(deck, *QUICK, f"memory.fail_allocation={number}", ranks=4)
            if result.returncode == 0:
                break
            self.assert_refused(result, OUT_OF_MEMORY, f"allocation {number} was told to fail")
        self.assertGreaterEqual(number, 5, "two fields, and at least a buffer to send and one to receive")
        self.assertEqual(result.returncode, 0)

    def test_every_memory_of_the_list_runs_or_says_why_not(self):
        for name in listing()["memory"]:
            if name in arenas():
                continue  # arena_test.py
            for key in ("memory.fields", "memory.buffers"):
                result = self.run_app(self.write_deck(GOOD), *QUICK, f"{key}={name}", "run.verify=true", ranks=2)
                if name not in here("memory"):
                    self.assert_refused(result, CAPABILITY, name)
                else:
                    self.assertEqual(result.returncode, 0, result.stderr)
                    self.assertEqual(self.results()["points"][0]["path"][key.split(".")[1]], name)


class Transports(AppTest):
    """What this machine or MPI library cannot do is refused when the run starts, once for all ranks."""

    RANKS = 4

    def refuse(self, code, *messages, overrides):
        result = self.run_app(self.write_deck(GOOD), *QUICK, *overrides, ranks=4)
        self.assert_refused(result, code, *messages, "remedy: ")
        self.assertFalse((self.folder / "results" / "results.json").exists())

    def test_neighbours_on_other_nodes_are_named(self):
        within_a_node = [name for name in here("transports") if " node" in listing()["transports"][name]]
        self.assertGreater(len(within_a_node), 1)
        for name in within_a_node:
            self.refuse(CAPABILITY, f"transport '{name}' does not leave a node, and rank 0 has neighbours on others: ranks 1, 2",
                        'remedy: use transport auto', overrides=[f"halo.transport={name}", "halo.ranks_per_node=1"])

    def test_a_mode_that_mpi_does_not_have(self):
        if "partitioned" in here("messages of transports that use MPI"):
            self.run_ok(self.write_deck(GOOD), *QUICK, "halo.mpi=partitioned", "run.verify=true", ranks=4)
        else:
            self.refuse(CAPABILITY, "has no partitioned communication", "remedy: the nearest that works here is 'persistent'",
                        overrides=["halo.mpi=partitioned"])
        # Nobody asks MPI here.
        self.run_ok(self.write_deck(GOOD), *QUICK, "halo.mpi=partitioned", "halo.transport=peer_store", ranks=4)

    def test_memory_that_peers_cannot_map(self):
        self.refuse(CAPABILITY, "pinned, managed and pageable memory cannot be shared", "remedy: use memory 'device'",
                    overrides=["halo.transport=peer_store", "memory.fields=pageable"])

    def test_auto_does_without_memory_that_peers_cannot_map(self):
        self.run_ok(self.write_deck(GOOD), *QUICK, "halo.transport=auto", "memory.fields=pageable", "run.verify=true", ranks=4)
        point, = self.results()["points"]
        self.assertTrue(point["verification"]["passed"])
        self.assertEqual(point["path"]["transport"], "auto: mapped 2")
        self.assertRegex(" ".join(point["notes"]), "auto maps no memory of neighbours: the memory at .* cannot be shared")

    def test_a_graph_where_auto_needs_the_host(self):
        self.refuse(USAGE, "a graph cannot hold exchanges that need the host (transport: peer_store 1, mapped 1)",
                    overrides=["halo.transport=auto", "halo.graph=true", "halo.ranks_per_node=2"])

    def test_each_allocation_may_fail_with_any_transport(self):
        deck = self.write_deck(GOOD)
        for overrides in (["halo.transport=peer_store", "run.residual=true"], ["halo.transport=peer_copy"],
                          ["halo.transport=gpu_aware"]):
            for number in range(1, 50):
                result = self.run_app(deck, *QUICK, f"memory.fail_allocation={number}", *overrides, ranks=4)
                if result.returncode == 0:
                    break
                self.assert_refused(result, OUT_OF_MEMORY, f"allocation {number} was told to fail")
            self.assertEqual(result.returncode, 0, overrides)
            self.assertGreater(number, 2, overrides)


class Output(AppTest):
    RANKS = 4

    def refuse(self, folder, message):
        result = self.run_app(self.write_deck(GOOD), *QUICK, "-o", folder, ranks=4)
        self.assert_refused(result, IO, message, "no result could be written, so nothing was run", "remedy: ")
        self.assertEqual(result.stdout, "")

    def test_a_file_in_the_place_of_the_folder(self):
        (self.folder / "taken").write_text("a file")
        self.refuse("taken", "cannot use output folder 'taken': it is not a folder")
        self.assertEqual((self.folder / "taken").read_text(), "a file")

    def test_a_file_in_the_path_of_the_folder(self):
        (self.folder / "taken").write_text("a file")
        self.refuse("taken/results", "cannot use output folder 'taken/results': it cannot be created: Not a directory")

    def test_a_place_where_nobody_may_write(self):
        self.refuse("/proc/haloheap", "cannot use output folder '/proc/haloheap': it cannot be created: ")

    def test_files_that_cannot_be_written_in_the_end(self):
        deck = self.write_deck(GOOD)
        for name in ("results.json", "results.csv", "point_001.pvti", "point_001_rank0003.vti",
                     "point_001_frame0002.pvti", "point_001_frame0001_rank0002.vti", "point_001.pvd"):
            in_the_way = self.folder / name.replace(".", "_") / name
            in_the_way.mkdir(parents=True)
            result = self.run_app(deck, *QUICK, "output.fields=true", "output.frames=2", "-o", in_the_way.parent.name,
                                  ranks=4)
            self.assert_refused(result, IO, f"cannot write '{in_the_way.parent.name}/{name}'", "consequence: the file was not written")
            self.assertEqual(list(in_the_way.parent.glob("*.part")), [])

    def test_a_name_longer_than_the_system_takes(self):
        self.refuse("a" * 5000, "it cannot be created: File name too long")

    def test_an_empty_name(self):
        self.refuse("", "cannot use output folder '': the name is empty")


if __name__ == "__main__":
    unittest.main()
