#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of the physics in miniapp/problems/lattice. That they have the bits of their serial references however
steps are made is in grids_test.py."""

import itertools
import unittest

from app import USAGE, AppTest

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


if __name__ == "__main__":
    unittest.main()
