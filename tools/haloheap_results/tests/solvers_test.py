#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results plot on made-up results of implicit steps, and fields on how residuals fell.

solvers_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import support
from haloheap_results.figures import solvers
from haloheap_results.load import results_of
from support import PictureTest, document, figures_drawn, legend, panels, point, problem_point


def solver_point(seconds, size=100, **keys):
    """As the program writes it."""
    swept = {"grid.size": [size, size], **{f"solver.{key}": value for key, value in keys.items()}}
    return problem_point("implicit2d", {"solver.block_steps": 4, **swept}, swept, {"iterations": 61.0, "iteration_us": 8.0},
                         seconds, {"size": [size, size], "steps": 1, "scalar": "double"})


METHODS = [solver_point(seconds, method=method) for method, seconds in {"cg": 2.0, "pipelined_cg": 3.0, "chebyshev": 1.0}.items()]
BLOCKS = [solver_point(seconds / steps, size, method="s_step_cg", block_steps=steps)
          for size, seconds in ((100, 8.0), (200, 32.0)) for steps in (8, 1, 2)]


def drawn(points):
    return figures_drawn(solvers.pictures(results_of(document(points))))


class SolversTest(PictureTest):
    def test_bars_are_as_long_as_solutions_take(self):
        figures = drawn(METHODS)
        self.assertEqual(list(figures), ["time_to_solution"], "no blocks, no figure of blocks")
        axes, = panels(figures["time_to_solution"])
        self.assertEqual([bar.get_width() for bar in axes.patches], [2.0, 3.0, 1.0])
        self.assertIn("1 s, 61 iterations", axes.texts[2].get_text())
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         [f"solver.method = {method}" for method in ("cg", "pipelined_cg", "chebyshev")])

    def test_blocks_have_a_curve_a_size(self):
        figure = drawn(BLOCKS)["block_steps"]
        self.assertEqual(legend(figure), ["grid.size = [100, 100]", "grid.size = [200, 200]"])
        axes, = panels(figure)
        curves = [list(zip(line.get_xdata(), line.get_ydata())) for line in axes.lines]
        self.assertEqual(curves, [[(1, 8.0), (2, 4.0), (8, 1.0)], [(1, 32.0), (2, 16.0), (8, 4.0)]])

    def test_other_problems_are_left_alone(self):
        self.assertEqual(drawn([point(1, "sync", "none", 1.0)]), {})

    def test_all_pictures_are_drawn(self):
        names, _ = self.drawn(document(METHODS + BLOCKS))
        self.assertLessEqual({"block_steps.png", "time_to_solution.png"}, set(names))

    def histories(self, *contents):
        return [self.write(f"point_{number:03}_history.csv", "look,norm\n" + content) for number, content in enumerate(contents, 1)]

    def test_residuals_fall_in_one_picture(self):
        paths = self.histories("0,4\n1,2\n2,1\n", "0,4\n1,0.5\n")
        self.assertEqual(legend(solvers.draw_histories(paths)), ["point_001", "point_002"], "nobody says what they are")
        self.written(document(METHODS))
        figure = solvers.draw_histories(paths)
        self.assertEqual(legend(figure), ["solver.method = cg", "solver.method = pipelined_cg"])
        axes, = panels(figure)
        self.assertEqual([list(line.get_ydata()) for line in axes.lines], [[1, 0.5, 0.25], [1, 0.125]])
        result = self.run_command("fields", *paths)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_drawn(self.folder / "history.png", result)

    def test_other_tables_are_no_histories(self):
        for content, text in (("step,norm\n0,1\n", "not columns look and norm"), ("look,norm\n", "not columns look and norm"),
                              ("look,norm\n0,small\n", "could not convert string to float: 'small'")):
            with self.subTest(content):
                path = self.write("point_001_history.csv", content)
                self.assert_refused(self.run_command("fields", path), f"{path}: {text}")


if __name__ == "__main__":
    support.main()
