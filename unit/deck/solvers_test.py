#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is known of the problems in miniapp/problems/solvers: TeaLeaf's published answers, modes whose decay is known, and
what HPCG's own program prints."""

import math
import unittest

from app import USAGE, VERIFICATION, AppTest

CLOSED = "\n".join(f'boundary.{side} = "neumann"' for side in ("x_low", "x_high", "y_low", "y_high", "z_low", "z_high"))
RUN = "run = {verify = true, repetitions = 1, warmup = 0, copy_baseline = false}\n"
TEALEAF = f'problem = "implicit2d"\ngrid.steps = 10\n{CLOSED}\nsolver.tolerance = 1e-15\n{RUN}'
MODE = f'implicit = {{start = "mode", time_step = 0.5}}\nsolver.tolerance = 1e-13\n{CLOSED}\n{RUN}'


def history_of(test):
    """The lines of the first point's history."""
    return min((test.folder / "results").glob("point_*_history.csv")).read_text(encoding="utf-8").splitlines()


class TeaLeaf(AppTest):
    RANKS = 4

    def test_published_temperatures_are_met(self):
        """tea_bm_1, 2 and 3, by TeaLeaf's own bound."""
        points = self.run_points(TEALEAF, "grid.size=[[10,10],[250,250],[500,500]]", "solver.preconditioner=jacobi", ranks=2)
        for method, preconditioner in (("cg", "polynomial"), ("pipelined_cg", "jacobi"), ("s_step_cg", "none"),
                                       ("chebyshev", "none"), ("bicgstab", "jacobi"), ("gmres", "jacobi"), ("cg", "multigrid"),
                                       ("multigrid", "none")):  # those that compute b - A x stagnate
            other, = self.run_points(TEALEAF, "grid.size=[250,250]", f"solver.method={method}",
                                     f"solver.preconditioner={preconditioner}", ranks=2)
            self.assertLess(other["figures"]["published_difference_percent"], 0.001)
            self.assertIn(other["solution"]["reason"], ("converged", "stagnated"))
            self.assertEqual(other["figures"].get("block_steps"), 4 if method == "s_step_cg" else None)
        self.assertEqual([round(point["figures"]["temperature"], 2) for point in points], [157.55, 106.27, 99.96])
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["notes"])
            self.assertLess(point["figures"]["published_difference_percent"], 0.001)
            self.assertEqual(point["solution"]["reason"], "converged")
            self.assertNotIn("block_steps", point["figures"])
            # Nothing gets out; what is left is the solver's tolerance.
            self.assertLess(abs(point["figures"]["heat_change"]), 1e-9)
        self.assert_obeys_schema()
        lines = history_of(self)
        self.assertEqual(lines[0], "look,norm")
        norms = [float(line.split(",")[1]) for line in lines[1:]]
        self.assertLess(norms[-1], 1e-15 * norms[0])

    def test_parts_of_kokkos_kernels_meet_them_as_well(self):
        for method, operator, preconditioner in (("cg", "matrix_free", "gauss_seidel"), ("cg", "assembled", "ilu"),
                                                 ("bicgstab", "assembled", "jacobi"), ("bicgstab", "matrix_free", "ilu"),
                                                 ("gmres", "matrix_free", "gauss_seidel")):
            arguments = ("grid.size=[250,250]", f"solver.method={method}", f"solver.operator={operator}",
                         f"solver.preconditioner={preconditioner}")
            checked = self.run_app(self.write_deck(TEALEAF), "--dry-run", *arguments)
            if checked.returncode == USAGE:
                self.assertIn("HALOHEAP_MINIAPP_KOKKOS_KERNELS=ON", checked.stderr)
                self.skipTest("built without HALOHEAP_MINIAPP_KOKKOS_KERNELS")
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

    def test_shorter_steps_and_smaller_cells_come_closer_to_the_differential_equation(self):
        """Backward Euler is of first order in time, where cells are so small that they do not count; central differences
        are of second order in space, where steps are so short."""
        def errors(*overrides):
            points = self.run_points(f'problem = "implicit2d"\n{MODE}', *overrides)
            return [point["figures"]["equation_error"] for point in points]

        in_time = [errors("grid.size=[128,128]", "implicit.mode=[1,1]", f"grid.steps={steps}", f"implicit.time_step={1 / steps}")[0]
                   for steps in (4, 8, 16)]
        in_space = errors("grid.size=[[32,32],[64,64],[128,128]]", "implicit.mode=[2,2]", "grid.steps=10",
                          "implicit.time_step=2e-6")
        for found, order in (in_time, 1), (in_space, 2):
            for larger, smaller in zip(found, found[1:]):
                self.assertAlmostEqual(math.log2(larger / smaller), order, delta=0.05, msg=found)


class WrongSystems(AppTest):
    RANKS = 2

    def test_what_does_not_converge_fails(self):
        result = self.run_app(self.write_deck(TEALEAF), "grid.size=[30,30]", "solver.max_iterations=3")
        self.assertEqual(result.returncode, VERIFICATION, result.stderr)
        point, = self.results()["points"]
        self.assertEqual(point["solution"]["reason"], "iterations")
        self.assertIn("not the known solution: a step ended because of: iterations", " ".join(point["notes"]))

    def test_what_is_not_a_number_is_named(self):
        """What flows in is more than a double can hold. All methods see it, before they have made an iteration."""
        for method in "cg", "pipelined_cg", "s_step_cg", "chebyshev", "bicgstab", "gmres", "multigrid":
            result = self.run_app(self.write_deck(TEALEAF), "grid.size=[30,30]", "boundary.x_low=dirichlet", "boundary.value=1e308",
                                  f"solver.method={method}")
            self.assertEqual(result.returncode, VERIFICATION, result.stderr)
            point, = self.results()["points"]
            self.assertEqual((point["solution"]["reason"], point["figures"]["iterations"]), ("not a number", 0), method)
            self.assertIn("a step ended because of: not a number", " ".join(point["notes"]))

    def test_hardly_more_than_a_singular_system_is_solved(self):
        """Without flux on the sides, a step so long leaves 1e-12 of the mass term beside the Laplace operator."""
        points = self.run_points(f'problem = "implicit2d"\ngrid.steps = 1\n{MODE}', "grid.size=[32,32]", "implicit.time_step=1e12",
                                 "solver.tolerance=1e-10",
                                 'solver.method=["cg","pipelined_cg","s_step_cg","chebyshev","bicgstab","gmres","multigrid"]')
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["notes"])
            self.assertEqual(point["solution"]["reason"], "converged", point["swept"])

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
                (("solver.method=gmres", "solver.preconditioner=multigrid"), "use none or jacobi, or method cg"),
                (("solver.method=gmres", "solver.restart=0"), "solver.restart"),
                (("solver.method=multigrid", "solver.preconditioner=multigrid"), "use none, or method cg"),
                (("solver.method=multigrid", "solver.smoothing_steps=0"), "solver.smoothing_steps"),
                (("solver.method=pipelined_cg", "solver.preconditioner=polynomial"), "solver.preconditioner: method 'pipelined_cg' is to"),
                (("ranks.grid=[2,2]",), "ranks.grid: 2 x 2 ranks are not the 1 that run"),
                (("implicit.time_step=0",), "implicit.time_step")):
            result = self.run_app(self.write_deck(TEALEAF), "grid.size=[30,30]", *overrides)
            self.assert_refused(result, USAGE, words)
        for overrides, words in (
                (("solver.method=s_step_cg",), "solver.block_steps: a halo of 4 cells is wider than the smallest subdomain, 3"),
                (("solver.preconditioner=multigrid", "solver.smoothing_steps=3"),
                 "solver.smoothing_steps: a halo of 5 cells is wider than the smallest subdomain, 3")):
            thin = self.run_app(self.write_deck(TEALEAF), "grid.size=[7,30]", "ranks.grid=[2,1]", *overrides, ranks=2)
            self.assert_refused(thin, USAGE, words)


HPCG = f'problem = "hpcg"\ngrid.size = [32, 32, 16]\nsolver.preconditioner = "multigrid"\n{RUN}'


class HpcgProblem(AppTest):
    """Residuals of HPCG's own program: see unit/miniapp/problems/solvers/hpcg_reference.cpp, which says where from."""
    RANKS = 4

    def test_the_residual_of_the_reference_is_that_of_HPCGs_program(self):
        for ranks, grid, residual in ((1, "[1,1,1]", None), (4, "[2,2,1]", 4.2812524276129633e-05)):
            point, = self.run_points(HPCG, f"ranks.grid={grid}", "hpcg.reference_iterations=10", ranks=ranks)
            self.assertTrue(point["verification"]["passed"], point["notes"])
            figures = point["figures"]
            if residual:
                self.assertAlmostEqual(figures["reference_residual"] / residual, 1, delta=1e-12)
            self.assertLessEqual(figures["residual"], figures["reference_residual"])
            self.assertLessEqual(figures["matrix_asymmetry"], 1)
            self.assertLessEqual(figures["preconditioner_asymmetry"], 1)
            self.assertIn("not an official result", " ".join(point["notes"]))
        self.assert_obeys_schema()

    def test_fifty_iterations_are_met_by_few(self):
        """Their residual is far below what rounding leaves of b - A x, but not of a recurrence."""
        point, = self.run_points(HPCG, ranks=2)
        self.assertTrue(point["verification"]["passed"], point["notes"])
        self.assertLess(point["figures"]["reference_residual"], 1e-20)
        self.assertLess(point["figures"]["iterations"], 50)
        self.assertLess(point["figures"]["error"], 1e-12)
        self.assertEqual(len(history_of(self)), 2 + point["figures"]["iterations"])

    def test_the_rating_is_HPCGs_count_over_the_time(self):
        for iterations, operations in (50, 2.80358e8), (25, None):
            point, = self.run_points(HPCG, f"hpcg.reference_iterations={iterations}", "ranks.grid=[1,1,1]")
            figures, seconds = point["figures"], point["wall_s"]["median"]
            counted = figures["hpcg_gflops"] * seconds * 1e9
            if operations:
                self.assertAlmostEqual(counted / operations, 1, delta=5e-6)
            self.assertAlmostEqual(figures["hpcg_gflops_with_set_up"] * (seconds + figures["set_up_s"] / 10) * 1e9 / counted, 1,
                                   delta=1e-12)

    def test_every_method_solves_it(self):
        for method, preconditioner in (("cg", "none"), ("cg", "jacobi"), ("cg", "polynomial"), ("pipelined_cg", "jacobi"),
                                       ("s_step_cg", "none"), ("chebyshev", "none"), ("bicgstab", "none"), ("multigrid", "none")):
            point, = self.run_points(HPCG, "hpcg.reference_iterations=12", f"solver.method={method}",
                                     f"solver.preconditioner={preconditioner}", ranks=2)
            self.assertTrue(point["verification"]["passed"], (method, point["notes"]))
            self.assertEqual("preconditioner_asymmetry" in point["figures"], method == "multigrid")

    def test_ranks_change_the_reference_alone(self):
        """Its Gauss-Seidel method ends at ranks; a solver of ours goes on with the same bits, to where it has to."""
        histories = []
        for ranks, grid in (1, "[1,1,1]"), (2, "[1,1,2]"), (4, "[2,2,1]"):
            self.run_points(HPCG, f"ranks.grid={grid}", "hpcg.reference_iterations=10", ranks=ranks)
            histories.append(history_of(self))
        shortest = min(map(len, histories))
        self.assertGreater(shortest, 3)
        self.assertEqual(histories[1][:shortest], histories[0][:shortest])
        self.assertEqual(histories[2][:shortest], histories[0][:shortest])

    def test_what_does_not_get_there_fails(self):
        for overrides, words in ((("solver.max_iterations=2",), "was not reached, because of: iterations"),
                                 (("solver.method=multigrid", "solver.preconditioner=none"), "because of: stagnated")):
            result = self.run_app(self.write_deck(HPCG), *overrides)
            self.assertEqual(result.returncode, VERIFICATION, result.stderr)
            point, = self.results()["points"]
            self.assertIn(words, " ".join(point["notes"]))
            self.assertTrue(words.endswith(point["solution"]["reason"]))

    def test_what_cannot_be_is_refused(self):
        for overrides, words in (
                (("grid.size=[32,20,16]",), "grid.size: 20 cells in y are not divisible by 8"),
                (("grid.size=[32,16]",), "grid.size: has 2 numbers"),
                (("solver.tolerance=1e-5",), "solver.tolerance: problem hpcg does not use this key"),
                (("grid.steps=3",), "grid.steps: problem hpcg does not use this key"),
                (("grid.precision=float",), "grid.precision: problem hpcg does not use this key"),
                (("hpcg.reference_iterations=0",), "hpcg.reference_iterations"),
                (("grid.size=[8,8,8]", "hpcg.reference_iterations=2000"), "the residual of HPCG's reference is 0 after"),
                (("ranks.grid=[2,2,1]",), "ranks.grid: 2 x 2 x 1 ranks are not the 1 that run")):
            self.assert_refused(self.run_app(self.write_deck(HPCG), *overrides), USAGE, words)
        result = self.run_app(self.write_deck(HPCG), "grid.size=[24,16,16]", "ranks.grid=[2,1,1]", ranks=2)
        self.assert_refused(result, USAGE, "grid.size: 24 cells in x are not divisible by 16, of 2 ranks in that dimension",
                            "use 32 cells, or another ranks.grid")


if __name__ == "__main__":
    unittest.main()
