#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs give the bits of the serial reference on 1 to 6 ranks, for sizes that do not divide."""

import re
import unittest

from app import ROOT, USAGE, AppTest, here, listed, listing

# Every combination is a point of one run: both precisions, exchanges, overlaps; depths that do not divide the steps.
SWEEP = """
grid.steps = 7
grid.quantities = 2
grid.precision = ["float", "double"]
halo.exchange = ["sync", "async"]
halo.overlap = ["none", "first_step", "all_steps"]
run.verify = true
"""
SIZES = {"heat2d": [29, 23], "heat3d": [13, 14, 17]}
DEPTHS = {"heat2d": [1, 3], "heat3d": [1, 2]}
WIDEST = int(re.search(r"`stencil.radius` .* 1 to (\d+) cells", (ROOT / "docs/reference/deck_reference.md").read_text(encoding="utf-8"))[1])
WIDE_STARS = {f"star of radius {radius}": [f"stencil.radius={radius}"] for radius in range(3, WIDEST + 1)}
CASES = {  # name: overrides
    "periodic star": [],
    "periodic box": ["stencil.shape=box", "initial.kind=random"],
    "star of radius 2": ["stencil.radius=2", "initial.kind=gaussian"],
    **WIDE_STARS,
    "walls": ["boundary.x_low=dirichlet", "boundary.x_high=dirichlet", "boundary.y_low=neumann", "boundary.y_high=neumann"],
    "mixed walls": ["boundary.x_low=neumann", "boundary.x_high=dirichlet", "boundary.value=0.3", "stencil.shape=box",
                    "halo.transport=pageable"],
    "walls between peers": ["boundary.x_low=dirichlet", "boundary.x_high=neumann", "stencil.radius=2",
                            "halo.transport=peer_store"],
}
EXACT = {"periodic star", "walls", *WIDE_STARS}  # sine modes that decay exactly


def deck(problem, name):
    """On grids that grow with the stencil, so that the halos fit."""
    scale = int(name.split()[-1]) / 2 if name in WIDE_STARS else 1
    return f'problem = "{problem}"\ngrid.size = {[int(cells * scale) for cells in SIZES[problem]]}\n{SWEEP}'


class Verified(AppTest):
    RANKS = 6

    def verify(self, problem, ranks):
        for name, overrides in CASES.items():
            with self.subTest(name, problem=problem, ranks=ranks):
                points = self.run_points(deck(problem, name), f"halo.depth={DEPTHS[problem]}", *overrides, ranks=ranks)
                self.assertEqual(len(points), 24)
                for point in points:
                    self.assertEqual(point["ranks"], ranks)
                    self.assertTrue(point["verification"]["bitwise"], point["swept"])
                    self.assertTrue(point["verification"]["passed"], point["swept"])
                self.assertEqual("sine_error" in points[0]["verification"], name in EXACT)


def add_tests():
    for problem in SIZES:
        for ranks in (1, 2, 3, 4, 6):
            def test(self, problem=problem, ranks=ranks):
                self.verify(problem, ranks)
            setattr(Verified, f"test_{problem}_on_{ranks}_ranks", test)


add_tests()


class FusedSteps(AppTest):
    """Several steps in one pass, with passes and exchanges that have fewer."""

    RANKS = 6

    def verify(self, problem, depths, fused, ranks):
        for name, overrides in CASES.items():
            with self.subTest(name, problem=problem, ranks=ranks):
                points = self.run_points(deck(problem, name), f"halo.depth={depths}", f"stencil.fused_steps={fused}",
                                         *overrides, ranks=ranks)
                self.assertEqual(len(points), 12 * len(depths) * len(fused))
                for point in points:
                    self.assertTrue(point["verification"]["passed"], point["swept"])

    def test_in_two_dimensions(self):
        for ranks in (1, 2, 4, 6):
            self.verify("heat2d", [3, 4], [2, 3], ranks)

    def test_in_three_dimensions(self):
        for ranks in (1, 4):
            self.verify("heat3d", [2], [2], ranks)

    def test_in_graphs(self):
        points = self.run_points('problem = "heat2d"\ngrid.size = [29, 23]', "halo.depth=3", "stencil.fused_steps=[1,2,3]",
                                 "halo.graph=true", "halo.transport=peer_store", "grid.steps=20", "run.verify=true",
                                 'halo.overlap=["none","first_step","all_steps"]', ranks=4)
        self.assertEqual([point["verification"]["passed"] for point in points], 9 * [True])


# All that must not change a bit of the field, nor of the residual of any step: a run is all combinations.
WAYS = """
problem = "heat2d"
grid = {size = [29, 23], steps = 13, quantities = 2, precision = "float"}
initial.kind = "random"
run = {verify = true, residual = true, phases = false}
"""
DELIVERING = [name for name in here("transports") if "sends nothing" not in listing()["transports"][name]]
OVERLAPS = 'halo.overlap=["none","first_step","all_steps"]'


class Ways(AppTest):
    """Transports, message modes, overlaps and graphs."""

    RANKS = 6

    def check(self, count, *overrides, ranks, deck=WAYS):
        points = self.run_points(deck, *overrides, ranks=ranks)
        self.assertEqual(len(points), count)
        histories = {self.history(number) for number in range(1, count + 1) if points[number - 1].get("residual")}
        self.assertEqual(len(histories), 1, "all points have the same residuals")
        for point in points:
            self.assertTrue(point["verification"]["bitwise"], (ranks, point["swept"], point["notes"]))
            self.assertEqual(point["residual"]["steps"], point["work"]["steps"])
        return points, histories.pop()

    def history(self, number):
        return (self.folder / "results" / f"point_{number:03d}_residual.csv").read_text()

    def test_residuals_between_fused_steps(self):
        every = self.run_points(WAYS, ranks=1)[0] and self.history(1).splitlines()
        points = self.run_points(WAYS, "run.residual_interval=4", "halo.depth=4", "stencil.fused_steps=[1,2,4]", OVERLAPS,
                                 "halo.transport=peer_store", "halo.graph=[true,false]", ranks=4)
        self.assertEqual(len(points), 18)
        for number, point in enumerate(points, 1):
            self.assertTrue(point["verification"]["bitwise"], (point["swept"], point["notes"]))
            self.assertEqual(point["residual"]["steps"], 3)
            self.assertEqual(self.history(number).splitlines(), [every[0], every[4], every[8], every[12]])

    def peers(self):
        """The transports without messages of MPI: a graph can hold them, as the program says to whoever names another."""
        result = self.run_app(self.write_deck(WAYS), "halo.graph=true", "halo.transport=pinned", ranks=2)
        self.assert_refused(result, USAGE, "remedy: use transport = ")
        return re.search("remedy: use transport = (.*), or no graph", result.stderr)[1].split(" or ")

    def test_transports(self):
        peers = self.peers()
        self.assertLess({*peers, "pinned", "auto"}, set(DELIVERING))
        for ranks in (1, 2, 3, 4, 6):
            points, _ = self.check(len(DELIVERING) * 3 * 2, f"halo.transport={listed(DELIVERING)}", OVERLAPS,
                                   'halo.exchange=["sync","async"]', "halo.depth=3", ranks=ranks)
            for point in points:
                by_mpi = point["deck"]["halo.transport"] not in (*peers, "auto")
                self.assertEqual(point["path"].get("mpi"), "persistent" if by_mpi else None)
                chosen = point["path"]["transport"]
                if chosen != point["deck"]["halo.transport"]:
                    self.assertRegex(chosen, r"^auto: (peer_store \d|no neighbours$)")

    def test_residuals_do_not_depend_on_the_ranks(self):
        deck = WAYS.replace("2, precision", "1, precision")
        histories = {self.check(1, f"halo.transport={transport}", "halo.depth=2", ranks=ranks, deck=deck)[1]
                     for ranks, transport in ((1, "pinned"), (2, "peer_store"), (3, "mapped"), (4, "peer_copy"), (6, "auto"))}
        self.assertEqual(len(histories), 1)
        self.assertRegex(histories.pop(), r"^step,norm\n1,\d\.\d{10,17}\n2,")

    def test_message_modes(self):
        modes = [mode for mode in here("messages of transports that use MPI") if mode != "shared"]
        across_corners = [mode for mode in modes if mode != "neighbor"]
        for ranks in (1, 2, 3, 4, 6):
            self.check(len(modes) * 3 * 2, f"halo.mpi={listed(modes)}", OVERLAPS, 'halo.transport=["pinned","gpu_aware"]',
                       "halo.depth=2", ranks=ranks)
            points, _ = self.check(2 * 3 * 2, "halo.mpi=shared", OVERLAPS, 'halo.exchange=["sync","async"]',
                                   "halo.graph=[true,false]", "halo.depth=3", ranks=ranks)
            self.assertEqual({(point["path"]["transport"], point["path"]["mpi"]) for point in points}, {("pinned", "shared")})
            self.check(len(across_corners) * 2, f"halo.mpi={listed(across_corners)}", "halo.exchange=async", "halo.depth=2",
                       'halo.transport=["pinned","auto"]', "halo.ranks_per_node=2", ranks=ranks)

    def test_graphs(self):
        peers = self.peers()
        for ranks in (1, 2, 3, 4):
            points, _ = self.check(len(peers) * 2 * 3 * 2, f"halo.transport={listed(peers)}", "halo.graph=[true,false]", OVERLAPS,
                                   "halo.depth=[1,3]", "run.phases=true", "run.repetitions=2", ranks=ranks)
            for point in points:
                graph = point["deck"]["halo.graph"]
                self.assertEqual(point["path"]["graph"], graph)
                self.assertEqual("phases" in point, not graph)
                self.assertEqual(point["notes"], ["no phase times: a graph has none"] if graph else [])

    def test_three_dimensions(self):
        deck = WAYS.replace("heat2d", "heat3d").replace("[29, 23]", "[13, 14, 17]").replace("steps = 13", "steps = 5")
        for ranks in (2, 4):
            self.check(4 * 3, 'halo.transport=["pinned","mapped","peer_copy","peer_store"]', OVERLAPS, "halo.depth=2",
                       "boundary.z_low=neumann", "boundary.z_high=neumann", ranks=ranks, deck=deck)

    def test_auto_says_what_it_chose(self):
        result = self.run_ok(self.write_deck(WAYS), "halo.transport=auto", "halo.ranks_per_node=2", ranks=4)
        self.assertEqual(result.stdout.count("note: auto chose for neighbours on the same node and on other nodes: "
                                             "peer_store 1, mapped 1 (ranks 0, 1, 2, 3)\n"), 1)
        self.assert_obeys_schema()
        (point,) = self.results()["points"]
        self.assertEqual((point["path"]["transport"], point["path"]["mpi"]), ("auto: peer_store 1, mapped 1", "persistent"))
        (point,), _ = self.check(1, "halo.transport=auto", "halo.ranks_per_node=3", ranks=4)
        self.assertEqual(point["path"]["transport"],
                         "auto: peer_store 2; peer_store 1, mapped 1; mapped 2")
        self.assertEqual(point["path"]["mpi"], "persistent")
        self.assertTrue(point["notes"][2].endswith("on other nodes: mapped 2 (rank 3)"), point["notes"])
        for overlap in ("first_step", "all_steps"):
            self.check(2, "halo.transport=auto", "halo.ranks_per_node=2", "halo.depth=3", f"halo.overlap={overlap}",
                       'halo.exchange=["sync","async"]', ranks=6)


class Measures(AppTest):
    """What run.measure and transport mock leave out is left out of the results, and said."""

    RANKS = 4

    DECK = WAYS.replace("residual = true, ", "")

    def test_mock_is_not_verified_and_says_so(self):
        result = self.run_ok(self.write_deck(self.DECK), "halo.transport=mock", ranks=3)
        self.assertIn("note: transport 'mock' delivers nothing: the result is wrong and was not verified\n", result.stdout)
        (point,) = self.results()["points"]
        self.assertNotIn("verification", point)
        self.assertNotIn("mpi", point["path"])

    def test_exchanges_alone(self):
        overrides = ("run.measure=exchange", 'halo.transport=["pinned","peer_store","mock"]', "halo.depth=5")
        points = self.run_points(self.DECK, *overrides, ranks=4)
        for point in points:
            self.assertEqual(point["notes"], ["exchanges alone: nothing was computed or verified"])
            self.assertAlmostEqual(3 * point["exchange_s"], point["wall_s"]["median"])  # 13 steps
            for absent in ("gcells_per_s", "effective_bandwidth_bytes_per_s", "verification", "speedup", "residual"):
                self.assertNotIn(absent, point)
        self.assert_obeys_schema()
        self.assertIn("exchange [us]", self.run_ok(self.write_deck(self.DECK), *overrides, ranks=4).stdout)

    def test_exchanges_of_no_steps(self):
        (point,) = self.run_points(self.DECK, "run.measure=exchange", "grid.steps=0", ranks=2)
        self.assertNotIn("exchange_s", point)

    def test_the_terms_of_an_overlap(self):
        points = self.run_points(self.DECK, "run.measure=overlap", 'halo.overlap=["first_step","all_steps"]',
                                 'halo.transport=["pinned","peer_store"]', "run.residual=true", "halo.depth=4",
                                 "run.repetitions=3", "run.warmup=1", "halo.graph=false", ranks=4)
        self.assertEqual(len(points), 4)
        self.assert_obeys_schema()
        for point in points:
            terms = point["overlap_terms"]
            self.assertEqual(terms["overlapped_s"], point["wall_s"]["median"])
            saved = terms["serial_s"] - terms["overlapped_s"]
            self.assertAlmostEqual(terms["hidden"], saved / terms["exchange_s"])
            self.assertAlmostEqual(terms["efficiency"], saved / min(terms["exchange_s"], terms["interior_s"]))
            self.assertGreater(terms["interior_s"], 0)
            self.assertTrue(point["verification"]["bitwise"], "the overlapped run is the one that is verified")
            self.assertEqual(point["residual"]["steps"], 13)

    def test_the_terms_of_an_overlap_in_a_graph(self):
        (point,) = self.run_points(self.DECK, "run.measure=overlap", "halo.overlap=all_steps", "halo.transport=peer_store",
                                   "halo.graph=true", "halo.depth=2", ranks=2)
        self.assertTrue(point["verification"]["bitwise"])
        self.assertIn("efficiency", point["overlap_terms"])

    def test_residuals_of_no_steps(self):
        (point,) = self.run_points(self.DECK, "run.residual=true", "grid.steps=0", ranks=2)
        self.assertNotIn("residual", point)
        self.assertTrue(point["verification"]["passed"])


class Verification(AppTest):
    RANKS = 2

    def test_a_stencil_that_blows_up_is_still_bit_for_bit_but_a_sine_that_does_not_decay_fails(self):
        """The program must be able to say no: rounding that a stencil amplifies leaves the exact solution behind."""
        deck = ('problem = "heat2d"\ngrid = {size = [16, 16], steps = 400, precision = "float"}\n'
                "stencil.coefficients = [-1.0, -1.0, 3.0, -1.0, -1.0]\nrun.verify = true")
        result = self.run_app(self.write_deck(deck), "run.repetitions=1", "run.warmup=0", ranks=2)
        self.assert_refused(result, 7, "a result is not the reference's")
        self.assertIn("NO", result.stdout)
        (point,) = self.results()["points"]
        self.assertFalse(point["verification"]["passed"])


if __name__ == "__main__":
    unittest.main()
