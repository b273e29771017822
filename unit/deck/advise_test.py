#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""`haloheap advise`, and decks whose keys are "auto"."""

import re
import unittest

import grids_test
from app import ROOT, USAGE, AppTest, here, listed, schedules, total

HEAT = """
problem = "heat2d"
grid = {size = [60, 40], steps = 12, precision = "float"}
run = {verify = true, repetitions = 1, warmup = 0}
"""
# Kernels and copies of about the same length.
TRANSFER = """
problem = "transfer"
transfer = {mode = "pinned", bytes = 40000, streams = 4, bound = "none", iterations = 4}
link = {h2d = 0.05, d2h = 0.05, kernel = 0.05, kernel_latency = 1.0, h2d_latency = 1.0, d2h_latency = 1.0, submit = 0.1}
run = {repetitions = 1, warmup = 0}
"""
HEATING = """
problem = "implicit2d"
grid = {size = [60, 50], steps = 2}
boundary = {x_low = "neumann", x_high = "neumann", y_low = "neumann", y_high = "neumann", z_low = "neumann", z_high = "neumann"}
implicit = {start = "mode", time_step = 1.0}
solver.tolerance = 1e-9
run = {verify = true, repetitions = 1, warmup = 0, copy_baseline = false}
"""
HPCG = """
problem = "hpcg"
grid.size = [16, 16, 16]
run = {verify = true, repetitions = 1, warmup = 0, copy_baseline = false}
"""
MALLOC = """
problem = "malloc_sweep"
malloc = {threads = 512, size = 64}
allocator.pool = 0.01
run = {repetitions = 1, warmup = 0}
"""


# Less to choose from, where that does not matter.
KEEP = ("--keep=halo.transport", "--keep=halo.exchange", "--keep=halo.graph")
# A row of the table of solvers: method, preconditioner, steps, if it has some.
SOLVER = re.compile(r"(?m)^(\w+) +(none|jacobi|polynomial|multigrid) +(?:(\d\d?) +|)(?:> )?\d+ +\S+ +(?:> )?\S+ +(?:-|\d\S*)$")
# A row of the table of candidates: depth, exchange, graph, overlap, transport, fused steps, predicted, measured.
ROW = re.compile(r"(?m)^ *(\d+) +(sync|async) +(true|false) +(none|first_step|all_steps) +(\w+) +(\d+) +(\S+) +(\S+) *$")

HALO_KEYS = ["halo.depth", "halo.exchange", "halo.graph", "halo.overlap", "halo.transport", "stencil.fused_steps"]


def nothing_left(problem, keys):
    return (f"--keep of {', '.join(keys)}: nothing stays to be chosen for problem {problem}", "nothing was measured",
            f"leave any of these out: {', '.join(keys)}")


class AdviseStencils(AppTest):
    RANKS = 2

    def test_a_stencil_gets_a_deck_that_runs(self):
        out = self.run_ok("advise", self.write_deck(HEAT), ranks=2).stdout
        for column in ("H2D [GB/s]", "frames [G/s]", "predicted [us/step]", "measured"):
            self.assertIn(column, out)
        self.assertRegex(out, r"(?m)^advice: halo\.depth = \d+, .*halo\.transport = \"\w+\", stencil\.fused_steps = \d+: "
                              r"predicted \S+ us a step")
        self.assertRegex(out, r"residual of the fit \S+ %")
        self.assertIn("deck: results/advised.toml", out)
        self.run_ok("results/advised.toml", ranks=2)
        point = self.results()["points"][0]
        self.assertTrue(point["verification"]["passed"])
        advice = dict(re.findall(r"((?:halo|stencil)\.\w+) = \"?(\w+)\"?", out))
        for key in ("halo.depth", "halo.exchange", "halo.graph", "halo.overlap", "halo.transport", "stencil.fused_steps"):
            self.assertEqual(str(point["deck"][key]).lower(), advice[key])

    def test_an_ordinary_deck_gets_fused_steps(self):
        out = self.run_ok("advise", ROOT / "input/heat2d.toml", "grid.size=[400,400]").stdout
        rows = ROW.findall(out)
        tried = {int(row[5]) for row in rows if row[7] != "-"}
        self.assertGreater(len(rows), 10, out)
        self.assertGreater(len(tried), 1, out)
        self.assertGreater(max(tried), 1, out)
        advised, = re.findall(r"(?m)^advice: .*stencil\.fused_steps = (\d+)", out)
        self.assertEqual(advised, rows[0][5])
        self.assertIn(f"fused_steps = {advised}\n", (self.folder / "results/advised.toml").read_text())

    def test_what_is_to_be_kept_is_kept(self):
        deck = self.write_deck(HEAT)
        out = self.run_ok("advise", deck, "--keep", "stencil.fused_steps", "--keep=halo.overlap", *KEEP, "halo.depth=3",
                          "halo.overlap=all_steps", "stencil.fused_steps=2", ranks=2).stdout
        rows = ROW.findall(out)
        self.assertEqual({(row[3], row[5]) for row in rows}, {("all_steps", "2")}, out)
        self.assertGreater(len({row[0] for row in rows}), 1, "the depth is free")
        advised, = re.findall(r"(?m)^advice: (.*): predicted", out)
        self.assertNotIn("fused_steps", advised)
        self.assertNotIn("halo.overlap", advised)
        text = (self.folder / "results/advised.toml").read_text()
        self.assertIn("fused_steps = 2\n", text)
        self.assertIn('overlap = "all_steps"\n', text)

    def test_what_cannot_be_kept(self):
        deck = self.write_deck(HEAT)
        failed = self.run_app("advise", deck, "--keep", "halo.dpeth")
        self.assert_refused(failed, USAGE, "--keep halo.dpeth: advice on problem heat2d does not choose that key "
                                           "(nearest: halo.depth)")
        failed = self.run_app("advise", deck, "halo.depth=auto", "--keep", "halo.depth")
        self.assert_refused(failed, USAGE, '--keep halo.depth: the deck says "auto", which is no value to keep')
        self.assert_refused(self.run_app(deck, "--keep", "halo.depth"), USAGE, "--keep goes with advise only")

    def test_something_stays_to_be_chosen(self):
        deck = self.write_deck(HEAT)
        halo = [f"--keep={key}" for key in HALO_KEYS]
        self.assert_refused(self.run_app("advise", deck, *halo), USAGE, *nothing_left("heat2d", HALO_KEYS))
        keys = [*HALO_KEYS, "transfer.mode", "transfer.schedule", "transfer.streams"]
        failed = self.run_app("advise", deck, "transfer.mode=pinned", *(f"--keep={key}" for key in keys))
        self.assert_refused(failed, USAGE, *nothing_left("heat2d", keys))
        out = self.run_ok("advise", deck, *halo, "transfer.mode=pinned").stdout
        self.assertRegex(out, r'(?m)^advice: transfer\.mode = "\w+", transfer\.schedule = "\w+", transfer\.streams = \d+: ')

    def test_a_kept_depth_may_be_one_pass(self):
        keep = [f"--keep={key}" for key in HALO_KEYS if key != "stencil.fused_steps"]
        for depth, passes in ("5", {"1", "2", "3", "5"}), ("7", {"1", "2", "3", "4", "7"}), ("9", {"1", "2", "3", "6"}):
            rows = ROW.findall(self.run_ok("advise", self.write_deck(HEAT), *keep, f"halo.depth={depth}").stdout)
            self.assertEqual({(row[0], row[5]) for row in rows}, {(depth, fused) for fused in passes})

    def test_every_physics_on_a_grid_is_advised_on(self):
        keep = [f"--keep={key}" for key in HALO_KEYS if key != "stencil.fused_steps"]
        for problem in grids_test.PHYSICS:
            with self.subTest(problem):
                deck = self.write_deck(grids_test.deck(problem, "run = {verify = true, repetitions = 1, warmup = 0}\n"))
                out = self.run_ok("advise", deck, *keep, "halo.depth=4", "grid.steps=12", ranks=2).stdout
                rows = ROW.findall(out)
                passes = "12" if problem in ("advection3d", "euler2d", "miniweather") else "124"  # of several stages
                self.assertEqual({(row[0], row[5]) for row in rows}, {("4", fused) for fused in passes}, out)
                advised, = re.findall(r"(?m)^advice: stencil\.fused_steps = (\d+): predicted", out)
                self.run_ok("results/advised.toml", ranks=2)
                point, = self.results()["points"]
                self.assertTrue(point["verification"]["passed"])
                self.assertEqual(point["deck"]["problem"], problem)
                self.assertEqual(str(point["deck"]["stencil.fused_steps"]), advised)

    def test_a_residual_leaves_single_steps(self):
        out = self.run_ok("advise", self.write_deck(HEAT), "run.residual=true", *KEEP).stdout
        self.assertEqual({row[5] for row in ROW.findall(out)}, {"1"})
        self.assertIn("stencil.fused_steps = 1: run.residual needs every step", out)
        self.run_ok("results/advised.toml")
        out = self.run_ok("advise", self.write_deck(HEAT), "run.residual=true", "run.residual_interval=12", *KEEP).stdout
        self.assertEqual({row[5] for row in ROW.findall(out)} - {"1", "2", "3", "4", "6"}, set())
        self.assertIn("advice: halo.depth = ", out)
        self.run_ok("results/advised.toml")

    def test_without_a_deck_it_is_about_the_default_one(self):
        out = self.run_ok("advise", "grid.size=[64,64]", *KEEP).stdout
        self.assertIn("advice: halo.depth = ", out)


class AdviseSolvers(AppTest):
    RANKS = 2

    def advised(self, *arguments, text=HEATING):
        """The rows of the table of candidates: method, preconditioner, steps; and what was chosen."""
        out = self.run_ok("advise", self.write_deck(text), *arguments, ranks=2).stdout
        rows = SOLVER.findall(out)
        self.assertGreater(len(rows), 0, out)
        found, = re.findall(r"(?m)^advice: (.*): (?:measured|predicted) \S+ ms a solution", out)
        return rows, dict(re.findall(r'solver\.(\w+) = "?(\w+)"?', found))

    def test_every_symmetric_method_is_tried_and_the_deck_runs(self):
        for text, overrides in (HEATING, ()), (HEATING.replace("2d", "3d"), ("grid.size=[20,20,18]",)), (HPCG, ()):
            with self.subTest(text):
                rows, chosen = self.advised(*overrides, text=text)
                if text == HPCG:  # whose residual falls below what rounding leaves of b - A x
                    self.assertLessEqual({"cg"}, {row[0] for row in rows})
                else:
                    self.assertEqual({row[0] for row in rows}, {"cg", "pipelined_cg", "s_step_cg", "chebyshev", "multigrid"})
                    self.assertEqual({row[2] for row in rows if row[0] == "s_step_cg"}, {"2", "3", "4", "8"})
                self.assertEqual({row[1] for row in rows}, {"none", "jacobi", "polynomial", "multigrid"})
                self.assertEqual((chosen["method"], chosen["preconditioner"]), rows[0][:2])
                self.run_ok("results/advised.toml", ranks=2)
                point, = self.results()["points"]
                self.assertTrue(point["verification"]["passed"], point["notes"])
                for key, value in chosen.items():
                    self.assertEqual(str(point["deck"][f"solver.{key}"]), value)
                self.assertEqual([file.name for file in (self.folder / "results").glob("*history.csv")],
                                 ["point_001_history.csv"], "advice leaves none")

    def test_what_is_kept_is_kept(self):
        rows, chosen = self.advised("solver.method=s_step_cg", "--keep=solver.method")
        self.assertEqual({row[:2] for row in rows}, {("s_step_cg", "none")})
        self.assertLessEqual(set(chosen), {"preconditioner", "block_steps"})
        rows, _ = self.advised("solver.method=bicgstab", "--keep=solver.method")
        self.assertEqual({row[:2] for row in rows}, {("bicgstab", "none"), ("bicgstab", "jacobi")})
        rows, _ = self.advised("solver.preconditioner=polynomial", "solver.inner_steps=7", "--keep=solver.preconditioner",
                               "--keep=solver.inner_steps")
        self.assertEqual({row[:3] for row in rows}, {("cg", "polynomial", "7")})

    def test_where_there_is_no_room_for_cycles_the_others_are_chosen_from(self):
        rows, chosen = self.advised("grid.size=[40,2]", "implicit.mode=[2,1]", "ranks.grid=[1,2]")
        self.assertNotIn("multigrid", {name for row in rows for name in row})
        self.assertIn(chosen["method"], ("cg", "pipelined_cg", "s_step_cg", "chebyshev"))

    def test_in_a_flow_what_solves_it_is_chosen_from(self):
        flow = 'problem = "implicit2d"\ngrid = {size = [60, 50], steps = 2}\nimplicit.courant = [3, -2]\nrun.verify = true\n'
        out = self.run_ok("advise", self.write_deck(flow), "solver.method=gmres", ranks=2).stdout
        rows = SOLVER.findall(out)
        self.assertEqual({row[:2] for row in rows}, {(method, preconditioner) for method in ("bicgstab", "gmres")
                                                     for preconditioner in ("none", "jacobi")}, out)
        self.assertNotIn("not here", out, "conjugate gradients are not asked")
        self.assertIn(f'solver.method = "{rows[0][0]}", solver.preconditioner = "{rows[0][1]}": measured', out)
        self.run_ok("results/advised.toml", ranks=2)
        point, = self.run_points(flow, "solver.method=auto", "solver.preconditioner=auto", ranks=2)
        self.assertIn(point["deck"]["solver.method"], ("bicgstab", "gmres"))
        self.assertTrue(point["verification"]["passed"], point["notes"])

    def test_auto(self):
        point, = self.run_points(HEATING, "solver.method=auto", "solver.preconditioner=auto", "solver.smoothing_steps=auto",
                                 "solver.block_steps=auto", "solver.inner_steps=auto", ranks=2)
        self.assertTrue(point["verification"]["passed"])
        self.assertNotIn("auto", [value for key, value in point["deck"].items() if key.startswith("solver.")])
        self.assertRegex(" ".join(point["notes"]), r"auto: solver\.\w+ = .*: (measured|predicted) \S+ ms a solution")
        point, = self.run_points(HEATING, "solver.method=pipelined_cg", "solver.preconditioner=auto", ranks=2)
        self.assertEqual(point["deck"]["solver.method"], "pipelined_cg")
        self.assertIn(point["deck"]["solver.preconditioner"], ("none", "jacobi"))


class Advise(AppTest):
    def test_a_transfer_is_as_fast_as_the_best(self):
        self.run_ok("advise", self.write_deck(TRANSFER), "-q")
        self.run_ok("results/advised.toml")
        chosen = total(self.results()["points"][0])
        points = self.run_points(
            TRANSFER, f"transfer.mode={listed(here('transfer modes'))}", f"transfer.schedule={listed(schedules())}",
            "transfer.streams=[1,2,4,8,16,32,64]")
        self.assertLessEqual(chosen, 1.05 * min(total(point) for point in points))

    def test_a_list_stands_for_its_first_point(self):
        out = self.run_ok("advise", self.write_deck(MALLOC), 'allocator.name=["native","slab_walk"]').stdout
        self.assertIn("of 2 points the first", out)
        self.assertRegex(out, r"advice: allocator\.name = \"\w+\": measured \S+ us")

    def test_what_is_kept_is_not_measured(self):
        failed = self.run_app("advise", self.write_deck(MALLOC), "--keep", "allocator.name")
        self.assert_refused(failed, USAGE, *nothing_left("malloc_sweep", ["allocator.name"]))
        keys = ["transfer.mode", "transfer.schedule", "transfer.streams"]
        failed = self.run_app("advise", self.write_deck(TRANSFER), *(f"--keep={key}" for key in keys))
        self.assert_refused(failed, USAGE, *nothing_left("transfer", keys))

    def test_nothing_to_choose_is_said(self):
        deck = 'problem = "bandwidth"\ntransfer = {mode = "pinned", bytes = 4000}\n'
        out = self.run_ok("advise", self.write_deck(deck)).stdout
        self.assertIn("advice: this problem leaves nothing to choose", out)

    def test_wrong_decks_are_refused_before_anything_is_measured(self):
        failed = self.run_app("advise", self.write_deck(HEAT), "halo.dpeth=3")
        self.assert_refused(failed, USAGE, "nearest valid key: halo.depth")
        self.assertNotIn("mode pageable", failed.stderr)


class Automatic(AppTest):
    RANKS = 2

    def test_depth_exchange_and_overlap(self):
        point, = self.run_points(HEAT, "halo.depth=auto", "halo.exchange=auto", "halo.overlap=auto", ranks=2)
        self.assertTrue(point["verification"]["passed"])
        self.assertIn(point["deck"]["halo.depth"], [1, 2, 3, 4, 6, 8, 12], "no deeper than there are steps")
        note, = [note for note in point["notes"] if note.startswith("auto: ")]
        self.assertIn(f"halo.depth = {point['deck']['halo.depth']}, ", note)
        self.assertRegex(note, r"predicted \S+ us a step, measured \S+ us; residual of the fit \S+ %")

    def test_fused_steps(self):
        points = self.run_points(HEAT, 'halo.depth=["auto",6]', 'stencil.fused_steps=["auto",4]', ranks=2)
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertGreaterEqual(point["deck"]["halo.depth"], point["deck"]["stencil.fused_steps"])
        self.assertIn("auto: stencil.fused_steps = ", " ".join(points[1]["notes"]))
        self.assertIn(points[1]["deck"]["stencil.fused_steps"], (1, 2, 3, 4, 6))
        self.assertEqual(points[2]["deck"]["stencil.fused_steps"], 4)
        point, = self.run_points(HEAT, "stencil.fused_steps=auto", "run.residual=true", ranks=2)
        self.assertEqual(point["deck"]["stencil.fused_steps"], 1)
        self.assertEqual(point["notes"], ["auto: stencil.fused_steps = 1: run.residual needs every step"])

    def test_what_has_no_use_needs_no_note(self):
        point, = self.run_points(HEAT, "transfer.schedule=auto")
        self.assertEqual((point["deck"]["transfer.mode"], point["deck"]["transfer.schedule"]), ("none", "none"))
        self.assertEqual(point["notes"], [])

    def test_the_way_of_a_field(self):
        point, = self.run_points(HEAT, "transfer.mode=auto", "transfer.schedule=auto", ranks=2)
        self.assertTrue(point["verification"]["passed"])
        self.assertNotIn(point["deck"]["transfer.mode"], ("auto", "none"))
        self.assertIn("auto: transfer.mode = ", " ".join(point["notes"]))
        self.assertEqual(point["deck"]["halo.depth"], 1)

    def test_what_the_deck_says_is_kept(self):
        points = self.run_points(HEAT, 'halo.depth=[3,"auto"]', "halo.overlap=first_step", "halo.exchange=async", ranks=2)
        self.assertEqual(points[0]["deck"]["halo.depth"], 3)
        self.assertEqual(points[0]["notes"], [])
        self.assertEqual(points[1]["deck"]["halo.overlap"], "first_step")
        self.assertEqual(points[1]["deck"]["halo.exchange"], "async")
        self.assertIn("auto: halo.depth = ", " ".join(points[1]["notes"]))

    def test_depths_that_the_grid_has_no_room_for(self):
        point, = self.run_points(HEAT, "grid.size=[5,3]", "halo.depth=auto", "halo.overlap=auto", ranks=1)
        self.assertTrue(point["verification"]["passed"])
        self.assertLessEqual(point["deck"]["halo.depth"], 3)

    def test_streams_are_within_5_percent_of_the_best(self):
        points = self.run_points(TRANSFER, "transfer.schedule=breadth_first",
                                 'transfer.streams=["auto",1,2,3,4,6,8,12,16,24,32,48,64]')
        self.assertLessEqual(total(points[0]), 1.05 * min(total(point) for point in points))
        self.assertIn("auto: transfer.streams = ", " ".join(points[0]["notes"]))

    def test_mode_and_schedule(self):
        point, = self.run_points(TRANSFER, "transfer.mode=auto", "transfer.schedule=auto", "transfer.streams=auto")
        self.assertTrue(point["verification"]["passed"])
        self.assertNotIn("auto", (point["deck"]["transfer.mode"], point["deck"]["transfer.schedule"]))

    def test_allocator(self):
        point, = self.run_points(MALLOC, "allocator.name=auto", "malloc.threads=64")
        self.assertNotEqual(point["deck"]["allocator.name"], "auto")

    def test_a_dry_run_measures_nothing(self):
        out = self.run_ok(self.write_deck(HEAT), "halo.depth=auto", "--dry-run").stdout
        self.assertIn("point 1/1", out)

    def test_auto_is_refused_where_a_number_is_needed(self):
        failed = self.run_app(self.write_deck(HEAT), "grid.steps=auto")
        self.assert_refused(failed, USAGE, "grid.steps: expected an integer, found the string \"auto\"")


if __name__ == "__main__":
    unittest.main()
