#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every physics on a grid gets what heat has: the bits of its serial reference however its steps are made, and all that a
deck can say of halos, measurements, transfers, files and advice. One more physics is an entry in PHYSICS."""

import contextlib
import io
import math
import sys
import unittest

import numpy
from haloheap_results.command import main as haloheap_results
from haloheap_results.figures import profiles
from haloheap_results.figures.grids import Scene, Wanted
from haloheap_results.load import load

from app import ROOT, USAGE, VERIFICATION, AppTest, listed

sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

GRAY_SCOTT = "gray_scott = {feed = 0.06, kill = 0.05, noise = 0.5}\n"
# Of waves, short enough for a few steps on a small grid.
WAVES = 'wave = {medium = "layered", layers = [1500, 2400], spacing = 20, time_step = 0.004, frequency = 37, sponge = 5, order = 2}\n'
SOURCE_AND_SIDES = ("wave.order=4", "wave.x_low=fixed", "wave.x_high=absorbing")
STANDING_2D = ("wave.order=8", "wave.medium=lens", "wave.start=mode", "wave.y_low=absorbing", "wave.y_high=fixed")
STANDING_3D = ("wave.order=4", "wave.medium=lens", "wave.start=mode", "wave.z_low=absorbing", "wave.z_high=fixed")
WALLS_2D = ("boundary.x_low=neumann", "boundary.x_high=neumann")
WALLS_3D = ("boundary.z_low=neumann", "boundary.z_high=neumann")
DEAD_AND_MIRRORED = ("boundary.x_low=dirichlet", "boundary.x_high=dirichlet", "boundary.y_low=neumann", "boundary.y_high=dirichlet")
GAS = ("density", "momentum_x", "momentum_y", "energy")
AIR = ("density", "momentum_x", "momentum_z", "density_theta")
THIRD_ORDER = ("euler2d.stages=3", "euler2d.limiter=van_leer", "euler2d.flux=rusanov")
TUBE = ("euler2d.start=sod", "euler2d.along=y", "euler2d.y_low=reflecting", "euler2d.y_high=outflow", "euler2d.order=1",
        "euler2d.update_every=0")
PHYSICS = {  # problem: (cells, its section, names of its fields, sides that it can have)
    "gray_scott2d": ([29, 23], GRAY_SCOTT, ["u", "v"], [(), WALLS_2D]),
    "gray_scott3d": ([13, 14, 17], GRAY_SCOTT, ["u", "v"], [(), WALLS_3D]),
    "wave2d": ([33, 29], WAVES, ["u", "before"], [SOURCE_AND_SIDES, STANDING_2D]),
    "wave3d": ([13, 14, 17], WAVES, ["u", "before"], [SOURCE_AND_SIDES, STANDING_3D]),
    "lbm2d": ([29, 23], "lbm.reynolds = 20\n",
              ["f_sw", "f_s", "f_se", "f_w", "f_rest", "f_e", "f_nw", "f_n", "f_ne"], [(), ("lbm.flow=couette",), ("lbm.flow=taylor_green",)]),
    "life": ([29, 23], "life = {start = 'random'}\n", ["alive"], [(), DEAD_AND_MIRRORED]),
    "advection3d": ([13, 14, 17], "advection = {order = 3}\n", ["u", "begin"], [(), ("advection.order=1",)]),
    "euler2d": ([29, 23], "euler2d = {start = 'kelvin_helmholtz', update_every = 3}\n",
                [*GAS, *(f"{name}_before" for name in GAS)], [THIRD_ORDER, TUBE]),
    "miniweather": ([29, 23], "", [*AIR, *(f"{name}_before" for name in AIR)],
                    [("miniweather.start=gravity_waves",), ("miniweather.start=injection",)]),
}
WHOLE_NUMBERS = {"life"}  # no precision
WITHOUT_RESIDUAL = {"life", "lbm2d", "advection3d", "euler2d", "miniweather"}
# Every combination is a point of one run.
WAYS = """
grid.steps = 7
halo.exchange = ["sync", "async"]
halo.overlap = ["none", "first_step", "all_steps"]
run = {verify = true, phases = false}
"""


def deck(problem, text=""):
    cells, section, *_ = PHYSICS[problem]
    return f'problem = "{problem}"\ngrid.size = {cells}\n{section}{text}'


def ways(problem):
    """The deck of all combinations, and how many there are."""
    if problem in WHOLE_NUMBERS:
        return deck(problem, WAYS), 6
    return deck(problem, WAYS + 'grid.precision = ["float", "double"]\n'), 12


def verified(test, count, *arguments, **options):
    """The points of a run, which are the reference's."""
    points = test.run_points(*arguments, **options)
    test.assertEqual(len(points), count)
    for point in points:
        test.assertTrue(point["verification"]["bitwise"], (point["swept"], point["notes"]))
        test.assertTrue(point["verification"]["passed"], (point["swept"], point["notes"]))
    return points


class Physics(AppTest):
    RANKS = 4

    def check(self, problem, ranks):
        _, _, fields, all_sides = PHYSICS[problem]
        text, count = ways(problem)
        for sides in all_sides:
            with self.subTest(problem, sides=sides, ranks=ranks):
                points = verified(self, count * 2, text, "halo.depth=[1,3]", *sides, ranks=ranks)
                verified(self, count * 2, text, "halo.depth=3", "stencil.fused_steps=[2,3]", *sides, ranks=ranks)
                self.assertEqual(points[0]["work"]["quantities"], len(fields))


def add_tests():
    for problem in PHYSICS:
        for ranks in (1, 2, 4):
            def test(self, problem=problem, ranks=ranks):
                self.check(problem, ranks)
            setattr(Physics, f"test_{problem}_on_{ranks}_ranks", test)


add_tests()


def together(problems):
    """A deck of all these problems with as many dimensions, and their names, for each number of dimensions: such small
    runs end sooner than one program after the other starts."""
    for dimensions in (2, 3):
        names = [problem for problem in PHYSICS if problem in problems and len(PHYSICS[problem][0]) == dimensions]
        cells = [max(sides) for sides in zip(*(PHYSICS[problem][0] for problem in names))]
        yield f"problem = {listed(names)}\ngrid.size = {cells}\n" + "".join(PHYSICS[problem][1] for problem in names), names


class PhysicsSettings(AppTest):
    """What comes from the deck and is the same for every physics."""

    RANKS = 4

    def by_problem(self, names, points):
        """{problem: [(point, its name in files)]} of a run of `together`, which has as many points of each."""
        found = {problem: [] for problem in names}
        for number, point in enumerate(points, 1):
            found[point["work"]["problem"]].append((point, f"point_{number:03d}"))
        self.assertEqual({len(entries) for entries in found.values()}, {len(points) // len(names)})
        return found

    def verified_together(self, count, *overrides, problems=frozenset(PHYSICS), ranks):
        """The same of runs of all these problems, with `count` points of each, which are the reference's. For each number of
        dimensions one after the other: files are there until the next."""
        for text, names in together(problems):
            yield self.by_problem(names, verified(self, count * len(names), text, *overrides, ranks=ranks))

    def fields_of(self, name):
        return vti.read_pvti(self.folder / "results" / f"{name}.pvti")[1]

    def test_residuals_do_not_depend_on_the_ranks(self):
        histories = {}
        for ranks in (1, 2, 4):
            for found in self.verified_together(1, "grid.steps=5", "run.residual=true", "run.verify=true", "halo.depth=2",
                                                problems=set(PHYSICS) - WITHOUT_RESIDUAL, ranks=ranks):
                for problem, ((_, name),) in found.items():
                    histories.setdefault(problem, []).append((self.folder / "results" / f"{name}_residual.csv").read_text())
        self.assertEqual(set(histories), set(PHYSICS) - WITHOUT_RESIDUAL)
        for problem, of_ranks in histories.items():
            self.assertEqual((len(of_ranks), len(set(of_ranks))), (3, 1), problem)
            self.assertNotIn("nan", of_ranks[0])

    def test_fields_that_come_from_the_host_and_graphs(self):
        for found in self.verified_together(4, 'transfer.mode=["none","pinned"]', "halo.graph=[true,false]", "grid.steps=9",
                                            "halo.depth=3", "halo.transport=peer_store", "run.verify=true", ranks=2):
            for entries in found.values():
                for point, _ in entries:
                    self.assertEqual(point.get("h2d_us", 0) > 0, point["deck"]["transfer.mode"] == "pinned", point["swept"])

    def test_the_ways_of_the_thesis(self):
        """Each physics with all of them at once, and a run that chooses depth and overlap by itself."""
        keys = ("halo.transport=pageable", "halo.messages=direction", "halo.packing=datatype", "stencil.redundant=whole",
                "run.desynchronisation=true", "run.verify=true", "grid.steps=7")
        for _ in self.verified_together(4, *keys, "halo.depth=2", "halo.corners=host", 'halo.exchange=["sync","async"]',
                                        'halo.overlap=["none","first_step"]', ranks=4):
            pass
        for found in self.verified_together(1, *keys, "halo.depth=auto", "halo.overlap=auto", "halo.exchange=auto", ranks=2):
            for (point, _), in found.values():
                self.assertIn("auto: halo.depth = ", " ".join(point["notes"]))

    def test_measures(self):
        for found in self.verified_together(1, "run.measure=overlap", "halo.overlap=all_steps", "run.verify=true", ranks=2):
            for (point, _), in found.values():
                self.assertIn("efficiency", point["overlap_terms"])
            self.assert_obeys_schema()
        for text, names in together(PHYSICS):
            for (point, _), in self.by_problem(names, self.run_points(text, "run.measure=exchange", ranks=2)).values():
                self.assertGreater(point["exchange_s"], 0)
                self.assertNotIn("gcells_per_s", point)

    def test_fields_are_written_by_name(self):
        for text, names in together(PHYSICS):
            written = []
            for ranks in (1, 4):
                found = self.by_problem(names, self.run_points(text, "grid.steps=3", "output.fields=true", ranks=ranks))
                written.append({problem: self.fields_of(name) for problem, ((_, name),) in found.items()})
            for problem in names:
                self.assertEqual(list(written[0][problem]), PHYSICS[problem][2])
                self.assertEqual(written[0][problem], written[1][problem], problem)

    def frames(self, *overrides, ranks=1):
        """{problem: [(step, {field: {cell: value}})]} of runs with frames, which are verified too."""
        frames = {}
        for found in self.verified_together(1, "run.verify=true", *overrides, ranks=ranks):
            for problem, ((_, name),) in found.items():
                frames[problem] = [(step, arrays) for step, (_, arrays) in vti.read_pvd(self.folder / "results" / f"{name}.pvd")]
        return frames

    def test_frames_are_the_fields_after_so_many_steps(self):
        frames = self.frames("output.frames=3", "grid.steps=7", "halo.depth=3", "stencil.fused_steps=2", ranks=4)
        fields = {}
        for text, names in together(PHYSICS):
            found = self.by_problem(names, self.run_points(text, "grid.steps=[0,2,4,7]", "output.fields=true"))
            for problem, entries in found.items():
                fields[problem] = [(point["work"]["steps"], self.fields_of(name)) for point, name in entries]
        self.assertEqual(set(frames), set(PHYSICS))
        for problem, of_steps in frames.items():
            self.assertEqual([step for step, _ in of_steps], [0, 2, 4, 7])
            self.assertEqual([list(arrays) for _, arrays in of_steps], [PHYSICS[problem][2]] * 4)
            self.assertEqual(of_steps, fields[problem], problem)
            self.assertNotEqual(of_steps[0][1], of_steps[3][1])

    def test_frames_do_not_depend_on_how_steps_are_made(self):
        common = ("output.frames=4", "grid.steps=26")
        plain = self.frames(*common)
        self.assertEqual(set(plain), set(PHYSICS))
        for ways in (("halo.depth=3", "halo.overlap=all_steps", "halo.exchange=async"),
                     ("halo.depth=2", "halo.transport=peer_store", "halo.graph=true", "transfer.mode=pinned",
                      "output.fields=true"),
                     ("halo.depth=3", "stencil.fused_steps=3", "halo.overlap=first_step", "run.measure=overlap")):
            for problem, frames in self.frames(*common, *ways, ranks=2).items():
                self.assertEqual(frames, plain[problem], (problem, ways))

    def test_frames_of_a_point_have_its_name(self):
        point, _ = self.run_points(deck("gray_scott2d"), "grid.steps=[4,6]", "output.frames=2", "run.residual=true",
                                   "run.verify=true")
        self.assertEqual(point["residual"]["steps"], 4)
        self.assertEqual(len([note for note in point["notes"] if "scripts/report picture" in note]), 1, point["notes"])
        names = [".pvd", "_residual.csv", *(f"_frame000{frame}{end}" for frame in range(3) for end in (".pvti", "_rank0000.vti"))]
        self.assertEqual({path.name for path in (self.folder / "results").glob("point_*")},
                         {f"point_00{point}{name}" for point in (1, 2) for name in names})
        self.assert_obeys_schema()

    def test_frames_are_drawn(self):
        for text, names in together(PHYSICS):
            self.run_points(text, "output.frames=2", "grid.steps=4", ranks=2)
            for number, problem in enumerate(names, 1):
                self.assertEqual(self.results()["points"][number - 1]["work"]["problem"], problem)
                for name in ("last.png", "all.gif"):
                    said = io.StringIO()
                    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(said):
                        code = haloheap_results(["picture", str(self.folder / "results" / "results.json"), "--point", str(number),
                                                 "--field", PHYSICS[problem][2][-1], "-o", str(self.folder / f"{problem}_{name}")])
                    self.assertEqual((code, said.getvalue()), (0, ""), problem)
                    self.assertGreater((self.folder / f"{problem}_{name}").stat().st_size, 1000)

    def test_frames_that_cannot_be(self):
        for overrides, message, remedy in (
                (("output.frames=8", "grid.steps=7"), "8 frames of 7 steps: there is one after each step at most",
                 "output.frames = 7 or less, or more steps"),
                (("output.frames=2", "grid.steps=1"), "2 frames of 1 step: there is one after each step at most",
                 "output.frames = 1 or less, or more steps"),
                (("output.frames=1", "grid.steps=0"), "grid.steps is 0, so that there is nothing but the start",
                 "more steps; or output.fields = true"),
                (("output.frames=1", "run.measure=exchange"), "exchanges that are measured alone (run.measure)", 'run.measure = "steps"')):
            result = self.run_app(self.write_deck(deck("gray_scott2d")), *overrides)
            self.assert_refused(result, USAGE, f"command line: output.frames: {message}", f"remedy: use {remedy}")
        result = self.run_app(self.write_deck(deck("gray_scott2d", "output.frames = -1\n")), "--validate")
        self.assert_refused(result, USAGE, "deck.toml:4:17: output.frames: -1 is out of range")

    def test_a_dry_run_says_what_frames_take(self):
        text = self.run_ok(self.write_deck(deck("gray_scott2d")), "--dry-run", "output.frames=9", "grid.size=[256,512]",
                           ranks=2).stdout
        self.assertIn("  10 frames of 2.00 MiB are written in a run after the measured ones\n", text)

    def test_what_is_automatic_is_chosen(self):
        """Of every physics on one rank. Two measure many short runs, in which they wait for each other, and agree on what they
        choose whatever is computed: that of one physics of each number of dimensions will do."""
        for problems, ranks in ((set(PHYSICS), 1), ({"gray_scott2d", "wave3d"}, 2)):
            for found in self.verified_together(1, "halo.depth=auto", "stencil.fused_steps=auto", "halo.overlap=auto",
                                                "grid.steps=8", "output.frames=8", "run.verify=true", problems=problems, ranks=ranks):
                for (point, _), in found.values():
                    self.assertIn("auto: halo.depth = ", " ".join(point["notes"]))

    def test_a_dry_run_says_what_it_takes(self):
        for text, names in together(PHYSICS):
            _, *points = self.run_ok(self.write_deck(text), "--dry-run", ranks=2).stdout.split("point ")
            self.assertEqual(len(points), len(names))
            for problem, said in zip(names, points):
                self.assertIn(f", {len(PHYSICS[problem][2])} quantities, rank grid ", said, problem)

    def test_a_halo_that_is_too_deep(self):
        for problem in PHYSICS:
            failed = self.run_app(self.write_deck(deck(problem)), "halo.depth=20", ranks=4)
            self.assert_refused(failed, USAGE, "halo.depth: ", "remedy: ")


class GrayScott(AppTest):
    RANKS = 4
    PERTURBED = """
gray_scott = {feed = 0.06, kill = 0.05, start = "perturbed", amplitude = 1e-7}
run.verify = true
"""

    def errors(self, problem, size, *overrides, ranks=1):
        return [point["verification"].get("sine_error")
                for point in self.run_points(f'problem = "{problem}"\ngrid.size = {size}{self.PERTURBED}', *overrides, ranks=ranks)]

    def test_modes_grow_as_theory_says(self):
        """Errors are of the second order of the amplitude: a tenth of it has a tenth of the error."""
        for problem, size, sides in ("gray_scott2d", [40, 36], WALLS_2D), ("gray_scott3d", [12, 14, 16], WALLS_3D):
            for walls in ((), sides):
                large, small = self.errors(problem, size, "grid.steps=12", "gray_scott.amplitude=[1e-5,1e-6]", *walls, ranks=2)
                self.assertLess(large, 1e-2)
                self.assertAlmostEqual(small / large, 0.1, delta=0.01)

    def test_modes_decay_in_both_precisions(self):
        errors = self.errors("gray_scott2d", [16, 16], "grid.steps=5", "gray_scott.mode=[5,4]", "gray_scott.amplitude=1e-3",
                             'grid.precision=["float","double"]', "gray_scott.feed=[0.06,0.037]")
        self.assertEqual(len([error for error in errors if error is not None]), 4)

    def test_theory_ends_where_its_bound_is_of_no_use(self):
        self.assertEqual(self.errors("gray_scott2d", [16, 16], "grid.steps=400", "gray_scott.amplitude=0.1"), [None])

    def test_the_start_depends_on_seed_and_cell(self):
        means = set()
        for seed, ranks in (1, 1), (1, 4), (2, 1):
            point, = self.run_points(deck("gray_scott2d"), "grid.steps=0", "run.verify=true", f"gray_scott.seed={seed}", ranks=ranks)
            means.add(round(point["figures"]["mean_u"], 12))
            self.assertGreater(point["figures"]["mean_v"], 0)
        self.assertEqual(len(means), 2)

    def test_wrong_decks(self):
        for line, message in (
                ("gray_scott.feed = -1", "deck.toml:4:19: gray_scott.feed: -1.0 is out of range (allowed: 0 to 1)"),
                ("gray_scott.fed = 1", "deck.toml:4:12: gray_scott.fed: unknown key"),
                ("gray_scott.start = 'round'", 'gray_scott.start: "round" is not a valid choice'),
                ("gray_scott.time_step = 2", "deck.toml:4:24: gray_scott.time_step: diffusion is unstable in steps of more than "
                                             "1.5625 = 1 / (4 x diffusion)"),
                ("gray_scott.mode = [1, 2, 3]", "gray_scott.mode: has 3 numbers, but problem gray_scott2d has 2 dimensions"),
                ("boundary = {y_low = 'dirichlet', y_high = 'neumann'}",
                 "deck.toml:4:21: boundary.y_low: the two species have no one value beyond a side"),
                ("boundary = {y_low = 'neumann'}", "boundary.y_high: one side of y is periodic and the other is not")):
            result = self.run_app(self.write_deck(f'problem = "gray_scott2d"\ngrid.size = [29, 23]\n\n{line}\n'), "--validate")
            if result.returncode == 0:
                result = self.run_app("deck.toml", "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


class Advection(AppTest):
    RANKS = 4

    def points(self, *overrides, ranks=1):
        points = self.run_points('problem = "advection3d"\nrun.verify = true\n', *overrides, ranks=ranks)
        for point in points:
            self.assertTrue(point["verification"]["passed"], (point["swept"], point["verification"]))
        return points

    def test_what_steps_make_of_a_wave_is_known(self):
        """To the last digits, whatever the order, the flow and the wave."""
        for precision, error, tolerance in ("double", 1e-14, 1e-8), ("float", 1e-5, 1):
            points = self.points("grid.size=[12,14,10]", "grid.steps=25", "advection.order=[1,3]", f"grid.precision={precision}",
                                 "advection.courant=[[0.4,0.3,-0.2],[-0.5,0,0.5]]", "advection.mode=[[1,2,3],[0,4,5]]",
                                 "advection.amplitude=[1,100]", "halo.depth=3", ranks=2)
            for point in points:
                self.assertLess(point["verification"]["sine_error"], error, point["swept"])
                self.assertLess(point["verification"]["tolerance"], tolerance)

    def test_orders_of_convergence(self):
        """Towards the wave that the flow has carried along: of cells half as wide and steps half as long."""
        for order in (1, 3):
            coarse, fine = (self.points(f"grid.size=[{cells},{cells},{cells}]", f"grid.steps={cells // 2}", f"advection.order={order}",
                                        ranks=2)[0]["figures"]["advection_error"] for cells in (24, 48))
            self.assertAlmostEqual(math.log2(coarse / fine), order, delta=0.2)

    def test_wrong_decks(self):
        for line, message in (
                ("advection.order = 2", "deck.toml:4:19: advection.order: there are no differences of order 2 here"),
                ("advection.order = 4", "advection.order: 4 is out of range (allowed: 1 to 3)"),
                ("advection.courant = [0.5, 0.4, -0.3]", "deck.toml:4:21: advection.courant: the flow crosses 1.2 cells in a step, in all "
                                                         "dimensions together"),
                ("advection.courant = [0.5, 0.4]", "advection.courant: a list of 2 entries is too short (allowed: 3 entries"),
                ("advection.mode = [1, 2]", "advection.mode: a list of 2 entries is too short (allowed: 3 entries"),
                ("run.residual = true", "run.residual: no bound is known for the changes of a step")):
            result = self.run_app(self.write_deck(f'problem = "advection3d"\ngrid.size = [13, 14, 17]\n\n{line}\n'), "--validate")
            if result.returncode == 0:
                result = self.run_app("deck.toml", "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


class Euler(AppTest):
    RANKS = 4
    WAVE = "euler2d = {start = 'wave'}\nrun.verify = true\n"
    SOD = "euler2d = {start = 'sod', x_low = 'outflow', x_high = 'reflecting', limiter = 'van_leer'}\nrun.verify = true\n"

    def points(self, text, *overrides, ranks=1):
        points = self.run_points('problem = "euler2d"\n' + text, *overrides, ranks=ranks)
        for point in points:
            self.assertTrue(point["verification"]["passed"], (point["swept"], point["verification"]))
        return points

    def errors(self, text, *overrides, ranks=1):
        return [point["verification"]["sine_error"] for point in self.points(text, *overrides, ranks=ranks)]

    def test_a_smooth_wave_has_the_order_of_the_method(self):
        for way, least in (("euler2d.order=1", 1.7), ("euler2d.limiter=minmod", 3.2), ("euler2d.limiter=van_leer", 3.6)):
            coarse, = self.errors(self.WAVE, way, "grid.size=[32,32]", "grid.steps=32", ranks=2)
            fine, = self.errors(self.WAVE, way, "grid.size=[64,64]", "grid.steps=64", ranks=2)
            self.assertGreater(coarse / fine, least, way)

    def test_a_vortex_has_the_order_of_the_method(self):
        vortex = "euler2d = {start = 'vortex', amplitude = 0.5, stages = 3}\nrun.verify = true\n"
        for way, least in (("euler2d.order=1", 1.3), ("euler2d.limiter=van_leer", 3)):
            coarse, fine = (self.errors(vortex, way, f"grid.size=[{cells},{cells}]", f"grid.steps={cells // 2}", ranks=2)[0]
                            for cells in (64, 128))
            self.assertGreater(coarse / fine, least, way)

    def test_tubes_converge_to_the_exact_solution(self):
        for way, least in (("euler2d.order=1", 1.4), ("euler2d.order=2", 1.7)):
            coarse, = self.errors(self.SOD, way, "grid.size=[100,4]", "grid.steps=100")
            fine, = self.errors(self.SOD, way, "grid.size=[200,4]", "grid.steps=200")
            self.assertGreater(coarse / fine, least, way)

    def test_a_tube_is_the_same_along_either_axis(self):
        along_x, = self.points(self.SOD, "grid.size=[64,8]", "grid.steps=20", ranks=2)
        along_y, = self.points(self.SOD, "grid.size=[8,64]", "grid.steps=20", "euler2d.along=y", "euler2d.x_low=periodic",
                               "euler2d.x_high=periodic", "euler2d.y_low=outflow", "euler2d.y_high=reflecting", ranks=2)
        self.assertAlmostEqual(along_x["verification"]["sine_error"], along_y["verification"]["sine_error"], delta=1e-12)

    def test_the_profile_of_a_tube_converges_to_its_exact_solution(self):
        errors = []
        for cells in (100, 200):
            self.points(self.SOD, f"grid.size=[{cells},4]", f"grid.steps={cells}", "output.fields=true", ranks=2)
            folder = self.folder / "results"
            scene = Scene(load([folder / "results.json"]), folder, Wanted())
            errors.append([abs(numpy.interp(line.found.places, line.known.places, line.known.values) - line.found.values).mean()
                           for line in profiles.tube(scene.point, scene.fields(scene.last()))])
        for coarse, fine in zip(*errors):
            self.assertLess(coarse, 0.02)
            self.assertGreater(coarse / fine, 1.6)

    def test_what_is_kept(self):
        kept = {"figures.mass_change", "figures.momentum_x_change", "figures.momentum_y_change", "figures.energy_change"}
        for precision, limit in ("double", 1e-14), ("float", 2e-6):
            flow, = self.points("euler2d.start = 'kelvin_helmholtz'\nrun.verify = true\n", "grid.size=[48,40]",
                                f"grid.precision={precision}", "grid.steps=60", ranks=4)
            for name in kept:
                self.assertLess(abs(flow["figures"][name.split(".")[1]]), limit, name)
            tube, = self.points(self.SOD, "grid.size=[64,8]", "grid.steps=40", f"grid.precision={precision}")
            for name in kept - {"figures.momentum_x_change"}:
                self.assertLess(abs(tube["figures"][name.split(".")[1]]), limit, name)
            # What pushes: pressure 1 at one end, and 0.1 at the other.
            self.assertAlmostEqual(tube["figures"]["momentum_x_change"], 0.9 * tube["figures"]["time"], delta=100 * limit)

    def test_time_steps(self):
        fixed, = self.points(self.SOD, "grid.size=[64,8]", "grid.steps=20", "euler2d.time_step=0.002")
        self.assertAlmostEqual(fixed["figures"]["time"], 0.04)
        chosen = self.points(self.SOD, "grid.size=[64,8]", "grid.steps=20", "euler2d.update_every=[1,5,0]")
        self.assertEqual(len({point["figures"]["time"] for point in chosen}), 3)
        self.assertLess(chosen[0]["figures"]["courant"], 0.41)
        self.assertGreater(chosen[2]["figures"]["courant"], 0.5)  # that of the start

    def test_what_is_no_gas_any_more_is_an_error(self):
        failed = self.run_app(self.write_deck('problem = "euler2d"\n' + self.SOD), "grid.size=[200,8]", "grid.steps=300",
                              "euler2d.courant=1", "euler2d.update_every=0", ranks=2)
        self.assert_refused(failed, VERIFICATION, "the fields do not describe a gas any more", "remedy: ")

    def test_wrong_decks(self):
        for line, message in (
                ("euler2d.order = 3", "euler2d.order: 3 is out of range (allowed: 1 to 2)"),
                ("euler2d.flux = 'roe'", 'euler2d.flux: "roe" is not a valid choice'),
                ("euler2d = {start = 'wave', x_low = 'outflow'}", "euler2d.x_high: one side of x is periodic and the other is not"),
                ("euler2d.start = 'sod'", "euler2d.x_low: a tube has two ends, and the deck makes it a ring"),
                ("euler2d = {start = 'vortex', y_low = 'outflow', y_high = 'reflecting'}",
                 "euler2d.y_low: the flow carries the vortex around the grid, which ends in y"),
                ("euler2d = {start = 'wave', time_step = 0.1}", "euler2d.time_step: the fastest waves cross 10.5 cells in a step"),
                ("euler2d = {start = 'wave', mode = [1, 2, 3]}", "euler2d.mode: a list of 3 entries is too long (allowed: 2 entries or none)"),
                ("euler2d = {start = 'wave'}\nrun.residual = true", "run.residual: no bound is known for the changes of a step")):
            result = self.run_app(self.write_deck(f'problem = "euler2d"\ngrid.size = [29, 23]\n\n{line}\n'), "--validate")
            if result.returncode == 0:
                result = self.run_app("deck.toml", "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


class Weather(AppTest):
    RANKS = 4
    DECK = 'problem = "miniweather"\ngrid = {size = [100, 50], steps = 600}\nrun.verify = true\n'

    def test_changes_of_mass_and_energy_are_those_of_miniweather(self):
        """The numbers that its C++ version prints for the same grids and steps."""
        for start, mass, energy in (("thermal", 0, -4.141519e-05), ("collision", 0, -1.162820e-04),
                                    ("density_current", 0, 9.364701e-04), ("injection", 7.394230e-02, 1.033370e-01),
                                    ("gravity_waves", 0, -1.031550e-07)):
            point, = verified(self, 1, self.DECK, f"miniweather.start={start}", "halo.depth=6", ranks=2)
            self.assertAlmostEqual(point["figures"]["d_mass"], mass, delta=1e-13 + 1e-6 * mass)
            self.assertAlmostEqual(point["figures"]["d_te"], energy, delta=2e-6 * abs(energy))
            self.assertAlmostEqual(point["figures"]["simulated_s"], 400)

    def test_a_mountain_lifts_the_wind_as_in_miniweather(self):
        """The momenta in its serial C++ version at the end of the same run, which was made to print them."""
        self.run_points(self.DECK, "miniweather.start=gravity_waves", "run.verify=false", "halo.depth=6", "output.fields=true",
                        ranks=2)
        fields = vti.read_pvti(self.folder / "results" / "point_001.pvti")[1]
        upward = fields["momentum_z"]
        self.assertEqual(max(upward, key=upward.get)[:2], (13, 5))
        for values, least, most in ((upward, -2.312958365e-01, 4.718498011e-01),
                                    (fields["momentum_x"], 5.387371899, 17.55052834)):
            self.assertAlmostEqual(min(values.values()), least, delta=1e-8)
            self.assertAlmostEqual(max(values.values()), most, delta=1e-7)

    def test_its_limits_are_checked(self):
        failed = self.run_app(self.write_deck(self.DECK), "miniweather.hyperviscosity=0.5")
        self.assert_refused(failed, VERIFICATION, "miniWeather allows 1e-13 and from -4.5e-5 to 0", "remedy: ")

    def test_wrong_decks(self):
        for line, message in (
                ("miniweather.start = 'snow'", 'miniweather.start: "snow" is not a valid choice'),
                ("miniweather.time_step = 5", "miniweather.time_step: sound crosses more than 1.5 cells in more than 0.666667 s")):
            result = self.run_app(self.write_deck(f'problem = "miniweather"\ngrid.size = [100, 50]\n\n{line}\n'), "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


if __name__ == "__main__":
    unittest.main()
