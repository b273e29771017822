#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Implicit heat in a flow: waves whose number is known, a dense solution, and what needs a symmetric operator."""

import unittest

from app import USAGE, AppTest

RUN = "run = {verify = true, repetitions = 1, warmup = 0, copy_baseline = false}\n"
WAVE = f'implicit = {{start = "wave", time_step = 0.5}}\nsolver.tolerance = 1e-10\n{RUN}'
FLOW = f'problem = "implicit2d"\ngrid.steps = 2\nimplicit.courant = [1.5, -0.7]\nsolver.method = "gmres"\n{RUN}'
METHODS = 'solver.method=["bicgstab","gmres"]'
PRECONDITIONERS = 'solver.preconditioner=["none","jacobi"]'


def history_of(test):
    """What each point's iterations have made of the residual, to the last digit."""
    return [path.read_text(encoding="utf-8") for path in sorted((test.folder / "results").glob("point_*_history.csv"))]


def solved(rows, right):
    """Of a dense system with a diagonal that is large enough to be divided by."""
    rows = [[*row, value] for row, value in zip(rows, right)]
    for i, row in enumerate(rows):
        for below in rows[i + 1:]:
            if below[i]:
                share = below[i] / row[i]
                below[i:] = [a - share * b for a, b in zip(below[i:], row[i:])]
    solution = [0.0] * len(rows)
    for i in reversed(range(len(rows))):
        solution[i] = (rows[i][-1] - sum(a * x for a, x in zip(rows[i][i + 1:], solution[i + 1:]))) / rows[i][i]
    return solution


class Bent:
    """The bent pipe of TeaLeaf in 10 x 20 cells, by a matrix that is written down."""
    CELLS = (10, 20)
    WIDTHS = (1.0, 0.5)

    def __init__(self, time_step, courant, sides, value=0.0):
        self.time_step, self.courant, self.sides, self.value = time_step, courant, sides, value

    @staticmethod
    def state(x, y):
        """Density and energy."""
        found = (100, 0.0001)
        for low, high, bottom, top, state in ((0, 1, 1, 2, (0.1, 25)), (1, 6, 1, 2, (0.1, 0.1)), (5, 6, 1, 8, (0.1, 0.1)),
                                              (5, 10, 7, 8, (0.1, 0.1))):
            if low <= x < high and bottom <= y // 2 < top:
                found = state
        return found

    def number(self, place):
        return place[0] + self.CELLS[0] * place[1]

    def places(self):
        return [(x, y) for y in range(self.CELLS[1]) for x in range(self.CELLS[0])]

    def neighbour(self, place, dim, way):
        """None beyond a side of a value; the cell itself beyond one without flux."""
        there = list(place)
        there[dim] += way
        if not 0 <= there[dim] < self.CELLS[dim]:
            if self.sides[dim] == "dirichlet":
                return None
            if self.sides[dim] == "neumann":
                return place
            there[dim] %= self.CELLS[dim]
        return tuple(there)

    def system(self):
        """The matrix, and what sides of a value add to the right side."""
        places = self.places()
        rows, added = [[0.0] * len(places) for _ in places], [0.0] * len(places)
        for place in places:
            i = self.number(place)
            rows[i][i] += 1
            for dim in (0, 1):
                for way in (-1, 1):
                    there = self.neighbour(place, dim, way)
                    inside = place if there is None else there
                    face = (1 / self.state(*place)[0] + 1 / self.state(*inside)[0]) / 2
                    weight = self.time_step * face / self.WIDTHS[dim] ** 2 + max(0, -way * self.courant[dim])
                    rows[i][i] += weight
                    if there is None:
                        added[i] += weight * self.value
                    else:
                        rows[i][self.number(there)] -= weight
        return rows, added

    def temperature(self, steps):
        rows, added = self.system()
        states = [self.state(*place) for place in self.places()]
        heat = [density * energy for density, energy in states]
        for _ in range(steps):
            heat = solved(rows, [a + b for a, b in zip(heat, added)])
        return sum(h * density for h, (density, _) in zip(heat, states)) * self.WIDTHS[0] * self.WIDTHS[1]


class Flows(AppTest):
    RANKS = 4

    def test_a_wave_is_multiplied_by_its_number(self):
        for problem, sizes, flows in (("implicit2d", "[[40,40],[23,38],[1,9]]", "[[0.4,0.3],[-7,2.5],[0,-3]]"),
                                      ("implicit3d", "[[20,24,22],[7,5,9]]", "[[3,-0.5,0.25],[-0.4,0,-20]]")):
            dims = int(problem[-2])
            points = self.run_points(f'problem = "{problem}"\ngrid.steps = 3\n{WAVE}', f"grid.size={sizes}",
                                     f"implicit.courant={flows}", f"implicit.mode={[1, 2, 3][:dims]}", METHODS, PRECONDITIONERS)
            for point in points:
                self.assertTrue(point["verification"]["passed"], (point["swept"], point["notes"]))
                self.assertLess(point["figures"]["mode_error"], 1e-8, point["swept"])
        self.assert_obeys_schema()

    def test_in_float(self):
        points = self.run_points(f'problem = "implicit2d"\ngrid = {{size = [40, 36], steps = 4, precision = "float"}}\n{WAVE}',
                                 "solver.tolerance=1e-5", "implicit.courant=[2,-1]", METHODS, ranks=2)
        for point in points:
            self.assertLess(point["figures"]["mode_error"], 1e-3)

    def test_a_wave_without_a_flow_is_for_all_methods(self):
        points = self.run_points(f'problem = "implicit2d"\ngrid = {{size = [24, 20], steps = 3}}\n{WAVE}',
                                 "implicit.courant=[[],[0,0]]", 'solver.method=["cg","multigrid","gmres"]')
        for point in points:
            self.assertTrue(point["verification"]["passed"], (point["swept"], point["notes"]))

    def test_where_media_meet_it_is_the_solution_of_the_matrix(self):
        for sides, courant, value in ((("periodic", "periodic"), [1.5, -0.7], 0), (("neumann", "periodic"), [-2, 0.5], 0),
                                      (("dirichlet", "neumann"), [0.6, 3], 0.25)):
            named = [f"boundary.{'xy'[dim]}_{end}={sides[dim]}" for dim in (0, 1) for end in ("low", "high")]
            points = self.run_points(FLOW, "grid.size=[10,20]", "implicit.time_step=0.05", f"implicit.courant={courant}", *named,
                                     f"boundary.value={value}", "solver.tolerance=1e-12", METHODS, ranks=2)
            wanted = Bent(0.05, courant, sides, value).temperature(2)
            for point in points:
                self.assertAlmostEqual(point["figures"]["temperature"] / wanted, 1, delta=1e-9, msg=(sides, point["swept"]))
                self.assertNotIn("published_difference_percent", point["figures"])

    def test_around_a_periodic_grid_no_heat_is_lost(self):
        for problem, size, courant in ("implicit2d", [60, 50], [3, -4]), ("implicit3d", [20, 18, 12], [3, -4, 1]):
            for point in self.run_points(FLOW.replace("implicit2d", problem), f"grid.size={size}", f"implicit.courant={courant}",
                                         METHODS, ranks=2):
                self.assertLess(abs(point["figures"]["heat_change"]), 1e-9, point["swept"])
                self.assertGreater(point["figures"]["iterations"], 2)

    def test_ranks_change_no_digit(self):
        for problem, size, courant, rank_grids in (
                ("implicit2d", [41, 37], [3, -4], ((2, [2, 1]), (3, [1, 3]), (4, [2, 2]), (4, [4, 1]))),
                ("implicit3d", [13, 12, 9], [3, -4, 1], ((2, [1, 1, 2]), (4, [2, 2, 1])))):
            def found(ranks, rank_grid, problem=problem, size=size, courant=courant):
                points = self.run_points(FLOW.replace("implicit2d", problem), f"grid.size={size}", f"implicit.courant={courant}",
                                         f"ranks.grid={rank_grid}", METHODS, PRECONDITIONERS, ranks=ranks)
                return [(point["figures"]["iterations"], point["figures"]["residual"]) for point in points], history_of(self)

            alone = found(1, [1] * len(size))
            self.assertEqual(len(alone[1]), 4)
            for ranks, rank_grid in rank_grids:
                self.assertEqual(found(ranks, rank_grid), alone, (problem, rank_grid))

    def test_what_cannot_be_is_refused(self):
        symmetric = "is for symmetric operators, and a flow makes one that is not"
        for method in ("cg", "pipelined_cg", "s_step_cg", "chebyshev", "multigrid"):
            result = self.run_app(self.write_deck(FLOW), "grid.size=[30,30]", f"solver.method={method}")
            self.assert_refused(result, USAGE, f"solver.method: '{method}' {symmetric}",
                                'use solver.method = "gmres" or "bicgstab", or leave implicit.courant out')
        for overrides, words in (
                (("solver.preconditioner=multigrid",), f"solver.preconditioner: 'multigrid' {symmetric}"),
                (("solver.preconditioner=polynomial",), 'use solver.preconditioner = "none" or "jacobi", or leave'),
                (("implicit.courant=[1,2,3]",), "implicit.courant: has 3 numbers, but problem implicit2d has 2 dimensions"),
                (("implicit.courant=[1]",), "implicit.courant"),
                (("implicit.courant=[1e7,0]",), "implicit.courant"),
                (("implicit.start=wave", "boundary.y_low=neumann", "boundary.y_high=neumann"),
                 'boundary.y_low: implicit.start = "wave" is known around a periodic grid'),
                (("implicit.start=mode", *(f"boundary.{side}=neumann" for side in ("x_low", "x_high", "y_low", "y_high"))),
                 'implicit.courant: implicit.start = "mode" is known without a flow')):
            self.assert_refused(self.run_app(self.write_deck(FLOW), "grid.size=[30,30]", *overrides), USAGE, words)


if __name__ == "__main__":
    unittest.main()
