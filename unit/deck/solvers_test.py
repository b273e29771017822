#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of the problems in miniapp/problems/solvers: TeaLeaf's published answers, and modes whose decay is known."""

import unittest

from app import USAGE, VERIFICATION, AppTest

CLOSED = "\n".join(f'boundary.{side} = "neumann"' for side in ("x_low", "x_high", "y_low", "y_high", "z_low", "z_high"))
RUN = "run = {verify = true, repetitions = 1, warmup = 0, copy_baseline = false}\n"
TEALEAF = f'problem = "implicit2d"\ngrid.steps = 10\n{CLOSED}\nsolver.tolerance = 1e-15\n{RUN}'
MODE = f'implicit = {{start = "mode", time_step = 0.5}}\nsolver.tolerance = 1e-13\n{CLOSED}\n{RUN}'


class TeaLeaf(AppTest):
    RANKS = 4

    def test_published_temperatures_are_met(self):
        """tea_bm_1, 2 and 3, by TeaLeaf's own bound."""
        points = self.run_points(TEALEAF, "grid.size=[[10,10],[250,250],[500,500]]", "solver.preconditioner=jacobi", ranks=2)
        for method, preconditioner in (("cg", "polynomial"), ("pipelined_cg", "jacobi"), ("s_step_cg", "none"),
                                       ("chebyshev", "none"), ("bicgstab", "jacobi"), ("cg", "multigrid"),
                                       ("multigrid", "none")):  # those that compute b - A x stagnate
            other, = self.run_points(TEALEAF, "grid.size=[250,250]", f"solver.method={method}",
                                     f"solver.preconditioner={preconditioner}", ranks=2)
            self.assertLess(other["figures"]["published_difference_percent"], 0.001)
        self.assertEqual([round(point["figures"]["temperature"], 2) for point in points], [157.55, 106.27, 99.96])
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["notes"])
            self.assertLess(point["figures"]["published_difference_percent"], 0.001)
            # Nothing gets out; what is left is the solver's tolerance.
            self.assertLess(abs(point["figures"]["heat_change"]), 1e-9)
        self.assert_obeys_schema()
        lines = min((self.folder / "results").glob("point_*_history.csv")).read_text(encoding="utf-8").splitlines()
        self.assertEqual(lines[0], "look,norm")
        norms = [float(line.split(",")[1]) for line in lines[1:]]
        self.assertLess(norms[-1], 1e-15 * norms[0])

    def test_parts_of_kokkos_kernels_meet_them_as_well(self):
        for method, operator, preconditioner in (("cg", "matrix_free", "gauss_seidel"), ("cg", "assembled", "ilu"),
                                                 ("bicgstab", "assembled", "jacobi"), ("bicgstab", "matrix_free", "ilu")):
            arguments = ("grid.size=[250,250]", f"solver.method={method}", f"solver.operator={operator}",
                         f"solver.preconditioner={preconditioner}")
            checked = self.run_app(self.write_deck(TEALEAF), "--validate", *arguments)
            if checked.returncode == USAGE:  # a build without Kokkos-Kernels
                self.assertIn("HALOHEAP_ENABLE_KOKKOS_KERNELS=ON", checked.stderr)
                continue
            point, = self.run_points(TEALEAF, *arguments, ranks=2)
            self.assertTrue(point["verification"]["passed"], point["notes"])
            self.assertLess(point["figures"]["published_difference_percent"], 0.001)
            self.assertNotIn("gb_per_s", point["figures"])

    def test_they_hold_in_three_dimensions_too(self):
        for cells, preconditioner in ("[10,10,6]", "none"), ("[10,10,8]", "multigrid"):  # which needs four a rank
            point, = self.run_points(TEALEAF.replace("2d", "3d"), f"grid.size={cells}", f"solver.preconditioner={preconditioner}",
                                     ranks=4)
            self.assertAlmostEqual(point["figures"]["temperature"], 1575.5084183279294, delta=1e-4)
            self.assertLess(point["figures"]["published_difference_percent"], 0.001)

    def test_ranks_and_transports_change_no_digit(self):
        def figures(*overrides, ranks):
            points = self.run_points(TEALEAF, "grid.size=[41,37]", 'solver.preconditioner=["none","jacobi"]', *overrides, ranks=ranks)
            # Temperature and heat are added up on hosts, by ranks.
            return [(point["figures"]["iterations"], point["figures"]["residual"], round(point["figures"]["temperature"], 9))
                    for point in points]

        alone = figures(ranks=1)
        for ranks, overrides in ((2, ()), (3, ("halo.transport=peer_store",)), (4, ("halo.transport=mapped",)),
                                 (4, ("ranks.grid=[1,4]", "halo.mpi=shared"))):
            self.assertEqual(figures(*overrides, ranks=ranks), alone, (ranks, overrides))

    def test_cycles_do_not_grow_in_number_with_the_grid(self):
        """Without a jump, and with a step so long that hardly more than the Laplace operator is left. On four ranks some
        levels are shared and some are on all of them."""
        for problem, sizes, small in (("implicit2d", "[63,63],[255,255],[511,511],[300,290]", "[63,63]"),
                                      ("implicit3d", "[31,31,31],[40,38,37]", "[31,31,31]")):
            text = f'problem = "{problem}"\ngrid.steps = 1\n{MODE}'

            def cycles(sizes, ranks, text=text):
                return self.run_points(text, f"grid.size=[{sizes}]", "solver.method=multigrid", "solver.tolerance=1e-8",
                                       "implicit.time_step=100", ranks=ranks)

            points = cycles(sizes, 1)
            for point in points:
                self.assertTrue(point["verification"]["passed"], point["notes"])
                self.assertLessEqual(point["figures"]["iterations"], 12, point["swept"])
            on_ranks, = cycles(small, 4)
            for figure in ("iterations", "residual"):
                self.assertEqual(on_ranks["figures"][figure], points[0]["figures"][figure])

    def test_another_run_is_not_compared(self):
        for other in ("implicit.time_step=0.005", "grid.size=[10,11]", "implicit.conductivity=reciprocal", "boundary.value=1"):
            point, = self.run_points(TEALEAF, other, *(["grid.size=[10,10]"] if "size" not in other else []))
            self.assertEqual("published_difference_percent" in point["figures"], other == "boundary.value=1", other)


class Modes(AppTest):
    RANKS = 4

    def test_a_mode_decays_as_it_must(self):
        for problem, sizes in (("implicit2d", "[[40,40],[23,38],[1,9]]"), ("implicit3d", "[[20,24,22],[7,5,9]]")):
            dims = int(problem[-2])
            points = self.run_points(f'problem = "{problem}"\ngrid.steps = 6\n{MODE}', f"grid.size={sizes}",
                                     f"implicit.mode={[0] + [3, 2][:dims - 1]}",
                                     'solver.preconditioner=["none","jacobi","multigrid"]', ranks=1)
            for point in points:
                self.assertTrue(point["verification"]["passed"], point["notes"])
                self.assertLess(point["figures"]["mode_error"], 1e-9)

    def test_in_float(self):
        point, = self.run_points(f'problem = "implicit2d"\ngrid = {{size = [40, 36], steps = 4, precision = "float"}}\n{MODE}',
                                 "solver.tolerance=1e-6", ranks=2)
        self.assertLess(point["figures"]["mode_error"], 1e-4)

    def test_shorter_steps_come_closer_to_what_time_does(self):
        """Backward Euler is of first order: half the step, half the error."""
        import math
        errors = []
        for steps in (16, 32, 64):
            text = f'problem = "implicit2d"\ngrid = {{size = [64, 64], steps = {steps}}}\n{MODE}'
            self.run_points(text, f"implicit.time_step={1 / steps}", "implicit.mode=[1,1]")
            eigenvalue = 2 * (2 * 64 / 10 * math.sin(math.pi / 128)) ** 2
            errors.append(abs((1 + eigenvalue / steps) ** -steps - math.exp(-eigenvalue)))
        self.assertAlmostEqual(errors[0] / errors[1], 2, delta=0.1)
        self.assertAlmostEqual(errors[1] / errors[2], 2, delta=0.1)


class WrongSystems(AppTest):
    def test_what_does_not_converge_fails(self):
        result = self.run_app(self.write_deck(TEALEAF), "grid.size=[30,30]", "solver.max_iterations=3")
        self.assertEqual(result.returncode, VERIFICATION, result.stderr)
        self.assertIn("not the known solution: a step ended because of: iterations", " ".join(self.results()["points"][0]["notes"]))

    def test_what_cannot_be_is_refused(self):
        for overrides, words in (
                (("implicit.start=mode", "boundary.x_low=dirichlet"), 'boundary.x_low: implicit.start = "mode" is known between sides'),
                (("implicit.start=mode", "implicit.mode=[30,1]"), "implicit.mode: 30 half waves in 30 cells"),
                (("implicit.mode=[1,2,3]",), "implicit.mode: has 3 numbers"),
                (("solver.tolerance=2",), "solver.tolerance: "),
                (("solver.preconditioner=lu",), 'solver.preconditioner: "lu" is not a valid choice'),
                (("solver.method=chebyshev", "solver.preconditioner=ilu"), "solver.preconditioner: method 'chebyshev' is to work with 'ilu'"),
                (("solver.method=multigrid", "solver.operator=assembled"), "solver.operator: method 'multigrid' is to work with 'assembled'"),
                (("solver.operator=assembled", "solver.preconditioner=multigrid"), "preconditioner 'multigrid' is to work with 'assembled'"),
                (("solver.method=chebyshev", "solver.preconditioner=jacobi"), "solver.preconditioner: method 'chebyshev' is to have preconditioner 'jacobi'"),
                (("solver.method=s_step_cg", "solver.preconditioner=jacobi"), "solver.preconditioner: method 's_step_cg' is to have preconditioner 'jacobi'"),
                (("solver.method=s_step_cg", "solver.block_steps=9"), "solver.block_steps"),
                (("solver.method=bicgstab", "solver.preconditioner=polynomial"), "use none or jacobi, or method cg"),
                (("solver.method=multigrid", "solver.preconditioner=multigrid"), "use none, or method cg"),
                (("solver.method=multigrid", "solver.smoothing_steps=0"), "solver.smoothing_steps"),
                (("solver.method=pipelined_cg", "solver.preconditioner=polynomial"), "solver.preconditioner: method 'pipelined_cg' is to"),
                (("ranks.grid=[2,2]",), "ranks.grid: 2 x 2 ranks are not the 1 that run"),
                (("implicit.time_step=0",), "implicit.time_step")):
            result = self.run_app(self.write_deck(TEALEAF), "grid.size=[30,30]", *overrides)
            self.assert_refused(result, USAGE, words)


if __name__ == "__main__":
    unittest.main()
