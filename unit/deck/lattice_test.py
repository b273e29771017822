#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of the physics in miniapp/problems/lattice. That they have the bits of their serial references however
steps are made is in grids_test.py."""

import itertools
import sys
import unittest

import numpy
from haloheap_results.figures import profiles
from haloheap_results.figures.grids import Scene, Wanted
from haloheap_results.load import load

from app import ROOT, USAGE, AppTest

sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

GLIDER = {(1, 0), (2, 1), (0, 2), (1, 2), (2, 2)}
R_PENTOMINO = {(1, 0), (2, 0), (0, 1), (1, 1), (1, 2)}


def generations(alive, count):
    """The sets of living cells of a grid without end."""
    for _ in range(count):
        yield alive
        around = {}
        for (x, y), dx, dy in itertools.product(alive, (-1, 0, 1), (-1, 0, 1)):
            around[x + dx, y + dy] = around.get((x + dx, y + dy), 0) + (dx != 0 or dy != 0)
        alive = {cell for cell, number in around.items() if number == 3 or (number == 2 and cell in alive)}


class Life(AppTest):
    RANKS = 4

    def populations(self, text, *overrides, ranks=1):
        return [point["figures"]["population"]
                for point in self.run_points(f'problem = "life"\n{text}', "output.fields=true", *overrides, ranks=ranks)]

    def errors(self, size, *overrides, ranks=1):
        points = self.run_points(f'problem = "life"\ngrid.size = {size}\nlife.start = "glider"\nrun.verify = true\n', *overrides,
                                 ranks=ranks)
        self.assertEqual({point["figures"]["population"] for point in points}, {5})
        return [point["verification"].get("sine_error") for point in points]

    def test_a_glider_comes_back_one_cell_further(self):
        """Exactly; between four steps it has other shapes."""
        for ranks in (1, 2, 4):
            self.assertEqual(self.errors([23, 17], "grid.steps=[0,4,6,40,400]", "halo.depth=3", ranks=ranks), [0, 0, None, 0, 0])
        self.assertEqual(self.errors([5, 5], "grid.steps=[4,44]"), [0, 0])

    def test_a_glider_between_dead_sides_until_it_is_at_one(self):
        sides = [f"boundary.{side}=dirichlet" for side in ("x_low", "x_high", "y_low", "y_high")]
        # 20 cells in x: it starts in 8 to 10, and is in 17 to 19 after 9 x 4 steps.
        self.assertEqual(self.errors([20, 40], "grid.steps=[32,36]", *sides, ranks=4), [0, 0])
        points = self.run_points('problem = "life"\ngrid = {size = [20, 40], steps = 40}\nlife.start = "glider"\n', *sides,
                                 "run.verify=true")
        self.assertNotIn("sine_error", points[0]["verification"])
        # Cells beyond that are alive, or like those inside, are another world.
        for others in (["boundary.value=1"], ["boundary.x_high=neumann"]):
            points = self.run_points('problem = "life"\ngrid = {size = [20, 40], steps = 4}\nlife.start = "glider"\n',
                                     *(side for side in sides if side.split("=")[0] != others[0].split("=")[0]), *others,
                                     "run.verify=true")
            self.assertNotIn("sine_error", points[0]["verification"])

    def test_an_r_pentomino_has_116_cells_after_1103_generations(self):
        """[Gardner1983], pages 219 and 223; all generations before by a set of cells without a grid."""
        known = [len(alive) for alive in generations(R_PENTOMINO, 1110)]
        self.assertEqual(known[1103], 116)
        steps = [0, 1, 2, 3, 69, 200, 821, 1103, 1109]
        for ranks, depth in (1, 1), (4, 5):
            counted = self.populations("grid.size = [560, 560]", f"grid.steps={steps}", f"halo.depth={depth}", ranks=ranks)
            self.assertEqual(counted, [known[step] for step in steps])

    def test_random_cells_depend_on_seed_cell_and_density(self):
        text = "grid = {size = [200, 150], steps = 0}\nlife.start = 'random'\n"
        one, = self.populations(text, "life.seed=1")
        self.assertEqual(self.populations(text, "life.seed=1", ranks=4), [one])
        other, = self.populations(text, "life.seed=2")
        self.assertNotEqual(one, other)
        quarter, = self.populations(text, "life.density=0.25")
        for counted, density in (one, 0.5), (other, 0.5), (quarter, 0.25):
            self.assertAlmostEqual(counted / 30000, density, delta=0.02)  # seven times what chance explains
        self.assertEqual(self.populations(text, "life.density=[0,1]"), [0, 30000])

    def test_wrong_decks(self):
        for lines, message in (
                ("grid.precision = 'float'", "deck.toml:2:18: grid.precision: problem life does not use this key"),
                ("grid.quantities = 2", "grid.quantities: problem life does not use this key"),
                ("life.start = 'acorn'", 'life.start: "acorn" is not a valid choice'),
                ("life.density = 1.5", "life.density: 1.5 is out of range (allowed: 0 to 1)"),
                ("boundary.value = 0.5", "deck.toml:2:18: boundary.value: a cell is dead, 0, or alive, 1, and never 0.5"),
                ("boundary.y_low = 'neumann'", "boundary.y_high: one side of y is periodic and the other is not"),
                ("grid.size = [30, 4]", "deck.toml:2:13: grid.size: a pattern has no room on less than 5 cells"),
                ("run.residual = true", "run.residual: no bound is known for the changes of a step of this problem")):
            result = self.run_app(self.write_deck(f'problem = "life"\n{lines}\n'), "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


DIRECTIONS = [(f"f_{y}{x}" if x or y else "f_rest", dx, dy)
              for dy, y in ((-1, "s"), (0, ""), (1, "n")) for dx, x in ((-1, "w"), (0, ""), (1, "e"))]
FASTEST_WAY = ("halo.depth=4", "stencil.fused_steps=4", "run.phases=false", "output.fields=true")


def extreme(values):
    """The extreme value between cells, by a parabola through the three largest that are neighbours."""
    i = max(range(1, len(values) - 1), key=lambda i: abs(values[i]))
    before, here, after = values[i - 1:i + 2]
    return here - (after - before) ** 2 / (8 * (after - 2 * here + before))


class LatticeBoltzmann(AppTest):
    RANKS = 4

    def figures(self, flow, text, *overrides, ranks=1):
        deck = f'problem = "lbm2d"\nlbm.flow = "{flow}"\n{text}\n'
        return [point["figures"] for point in self.run_points(deck, *overrides, *FASTEST_WAY, ranks=ranks)]

    def velocities(self, number=1):
        """{cell: (u, v)} of a point of the last run."""
        fields = vti.read_pvti(self.folder / "results" / f"point_{number:03d}.pvti")[1]
        self.assertEqual(list(fields), [name for name, _, _ in DIRECTIONS])
        result = {}
        for cell in fields["f_rest"]:
            density = sum(fields[name][cell] for name in fields)
            result[cell[:2]] = tuple(sum(step[k] * fields[step[0]][cell] for step in DIRECTIONS) / density for k in (1, 2))
        return result

    def test_vortices_decay_with_an_error_of_second_order(self):
        """A cell half as wide with half the velocity in cells a step, and four times the steps: a quarter of the error."""
        # Between sides of two lengths sound is left over from the start, which is less where the vortices are slow.
        for height, slower in (1, 1), (2, 10):
            errors = [self.figures("taylor_green", f"grid = {{size = [{n}, {height * n}], steps = {(n // 16) ** 2 * 50}}}",
                                   f"lbm.reynolds={5 / slower}", f"lbm.velocity={0.64 / n / slower}", ranks=2)[0]["velocity_error"]
                      for n in (16, 32, 64)]
            self.assertLess(errors[0], 5e-3)
            for coarse, fine in itertools.pairwise(errors):
                self.assertAlmostEqual(coarse / fine, 4, delta=0.3)

    def test_rounding_leaves_the_vortices_in_float(self):
        single, double = self.figures("taylor_green", "grid = {size = [32, 32], steps = 200}", "lbm.reynolds=5", "lbm.velocity=0.02",
                                      'grid.precision=["float","double"]')
        self.assertAlmostEqual(single["velocity_error"], double["velocity_error"], delta=1e-4)

    def test_plates_end_in_the_linear_profile(self):
        """Of which walls halfway between cells lose nothing: only rounding is left."""
        first, *others, last = self.figures("couette", "grid = {size = [8, 16], steps = [100, 400, 1600, 20000]}",
                                            "lbm.reynolds=10", ranks=2)
        self.assertLess(first["velocity_error"], 1e-2)
        self.assertLess(others[0]["velocity_error"], 2e-3)
        self.assertLess(last["velocity_error"], 1e-11)
        for (_, y), (u, v) in self.velocities(4).items():
            self.assertAlmostEqual(u, 0.1 * (y + 0.5) / 16, delta=1e-12)
            self.assertAlmostEqual(v, 0, delta=1e-12)

    def test_the_cavity_is_that_of_the_literature(self):
        """The extreme velocities on the centrelines are known to seven digits ([Botella1998]); there the table of [Ghia1982]
        is off by 0.0085, so that no solution comes closer to it than that."""
        errors = []
        for n, steps, ranks in (32, 10000, 1), (64, 20000, 2):
            flow, = self.figures("cavity", f"grid = {{size = [{n}, {n}], steps = {steps}}}", ranks=ranks)
            self.assertAlmostEqual(flow["mass"], n * n, delta=1e-9 * n * n)
            self.assertLess(flow["velocity_error"], 0.0105 if n == 32 else 0.0085)
            velocity = self.velocities()
            middle = (n // 2 - 1, n // 2)
            across_y = [sum(velocity[x, y][0] for x in middle) / 0.2 for y in range(n // 2)]
            across_x = [sum(velocity[x, y][1] for y in middle) / 0.2 for x in range(n)]
            known = (extreme(across_y), -0.2140424), (extreme(across_x[:n // 2]), 0.1795728), (extreme(across_x[n // 2:]), -0.2538030)
            errors.append(max(abs(found - exact) for found, exact in known))
        self.assertLess(errors[0], 8e-3)
        self.assertLess(errors[1], errors[0] / 2)

    def test_the_profile_has_the_error_that_the_program_says(self):
        for n in 24, 25:
            flow, = self.figures("cavity", f"grid = {{size = [{n}, {n}], steps = 500}}", ranks=2)
            folder = self.folder / "results"
            scene = Scene(load([folder / "results.json"]), folder, Wanted())
            worst = max(abs(numpy.interp(line.known.places, line.found.places, line.found.values) - line.known.values).max()
                        for line in profiles.lines_of_cavity(scene.point, scene.fields(scene.last())))
            self.assertAlmostEqual(worst, flow["velocity_error"], delta=1e-5)

    def test_mass_and_the_largest_velocity(self):
        for flow, text in ("cavity", ""), ("couette", ""), ("taylor_green", "lbm.velocity = 0.05"):
            of_one, = self.figures(flow, f"grid = {{size = [24, 20], steps = 300}}\n{text}")
            of_four, = self.figures(flow, f"grid = {{size = [24, 20], steps = 300}}\n{text}", ranks=4)
            self.assertAlmostEqual(of_one["mass"], 480, delta=1e-9)
            self.assertAlmostEqual(of_four["mass"], of_one["mass"], delta=1e-11)
            self.assertEqual(of_four["largest_velocity"], of_one["largest_velocity"])
            self.assertAlmostEqual(of_one["largest_velocity"], max((u * u + v * v) ** 0.5 for u, v in self.velocities().values()),
                                   delta=1e-12)

    def test_only_what_is_known_has_an_error(self):
        for override in "grid.size=[20,21]", "lbm.reynolds=50":
            flow, = self.figures("cavity", "grid = {size = [20, 20], steps = 3}", override)
            self.assertNotIn("velocity_error", flow)

    def test_wrong_decks(self):
        for lines, message in (
                ("lbm.flow = 'pipe'", 'lbm.flow: "pipe" is not a valid choice'),
                ("lbm.velocity = 0.5", "lbm.velocity: 0.5 is out of range (allowed: 1e-09 to 0.3 cells/step)"),
                ("lbm.reynolds = 1e6", "deck.toml:2:16: lbm.reynolds: gives a relaxation time of 0.500307 steps, which is not between "
                                       "0.501 and 5: unstable"),
                ("lbm.reynolds = 1", "lbm.reynolds: gives a relaxation time of 307.7 steps, which is not between 0.501 and 5: walls "
                                     "are misplaced"),
                ("boundary.value = 1", "boundary.value: problem lbm2d does not use this key"),
                ("run.residual = true", "run.residual: no bound is known for the changes of a step of this problem")):
            result = self.run_app(self.write_deck(f'problem = "lbm2d"\n{lines}\n'), "--dry-run")
            self.assert_refused(result, USAGE, message, "remedy: ")


if __name__ == "__main__":
    unittest.main()
