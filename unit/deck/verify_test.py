#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Whole runs give the bits of the serial reference on 1 to 6 ranks, for sizes that do not divide."""

import unittest

from app import AppTest

# Every combination is a point of one run: both precisions, exchanges, overlaps; depths that do not divide the steps.
SWEEP = """
grid.steps = 7
grid.quantities = 2
grid.precision = ["float", "double"]
halo.exchange = ["sync", "async"]
halo.overlap = ["none", "first_step"]
run.verify = true
"""
PROBLEMS = {
    "heat2d": 'problem = "heat2d"\ngrid.size = [29, 23]\nhalo.depth = [1, 3]',
    "heat3d": 'problem = "heat3d"\ngrid.size = [13, 14, 17]\nhalo.depth = [1, 2]',
}
CASES = {  # name: overrides
    "periodic star": [],
    "periodic box": ["stencil.shape=box", "initial.kind=random"],
    "star of radius 2": ["stencil.radius=2", "initial.kind=gaussian"],
    "walls": ["boundary.x_low=dirichlet", "boundary.x_high=dirichlet", "boundary.y_low=neumann", "boundary.y_high=neumann"],
    "mixed walls": ["boundary.x_low=neumann", "boundary.x_high=dirichlet", "boundary.value=0.3", "stencil.shape=box",
                    "halo.transport=pinned"],
}


class Verified(AppTest):
    def verify(self, problem, ranks):
        for name, overrides in CASES.items():
            with self.subTest(name, problem=problem, ranks=ranks):
                points = self.run_points(PROBLEMS[problem] + SWEEP, *overrides, ranks=ranks)
                self.assertEqual(len(points), 16)
                for point in points:
                    self.assertEqual(point["ranks"], ranks)
                    self.assertTrue(point["verification"]["bitwise"], point["swept"])
                    self.assertTrue(point["verification"]["passed"], point["swept"])
                exact = name in ("periodic star", "walls")  # sine modes that decay exactly
                self.assertEqual("sine_error" in points[0]["verification"], exact)


def add_tests():
    for problem in PROBLEMS:
        for ranks in (1, 2, 3, 4, 6):
            def test(self, problem=problem, ranks=ranks):
                self.verify(problem, ranks)
            setattr(Verified, f"test_{problem}_on_{ranks}_ranks", test)


add_tests()


class Verification(AppTest):
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
