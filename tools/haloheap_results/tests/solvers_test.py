#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results plot on made-up results of implicit steps, and fields on how residuals fell.

solvers_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import json

import support
from haloheap_results.figures import solvers
from haloheap_results.load import load_labelled, results_of
from support import PictureTest, document, figures_drawn, legend, panels, point, problem_point


def solver_point(seconds, size=100, **keys):
    """As the program writes it."""
    swept = {"grid.size": [size, size], **{f"solver.{key}": value for key, value in keys.items()}}
    return problem_point("implicit2d", {"solver.block_steps": 4, **swept}, swept, {"iterations": 61.0, "iteration_us": 8.0},
                         seconds, {"size": [size, size], "steps": 1, "scalar": "double"})


METHODS = [solver_point(seconds, method=method) for method, seconds in {"cg": 2.0, "pipelined_cg": 3.0, "chebyshev": 1.0}.items()]
BLOCKS = [solver_point(seconds / steps, size, method="s_step_cg", block_steps=steps)
          for size, seconds in ((100, 8.0), (200, 32.0)) for steps in (8, 1, 2)]


def drawn_of(results):
    return figures_drawn(solvers.pictures(results))


def drawn(points):
    return drawn_of(results_of(document(points)))


def curves(axes):
    return [list(zip(line.get_xdata(), line.get_ydata())) for line in axes.lines]


class SolversTest(PictureTest):
    def test_bars_are_as_long_as_solutions_take(self):
        figures = drawn(METHODS)
        self.assertEqual(list(figures), ["time_to_solution"], "no blocks, no figure of blocks")
        axes, = panels(figures["time_to_solution"])
        self.assertEqual([bar.get_width() for bar in axes.patches], [2.0, 3.0, 1.0])
        self.assertIn("1 s, 61 iterations", axes.texts[2].get_text())
        self.assertEqual([label.get_text() for label in axes.get_yticklabels()],
                         [f"solver.method = {method}" for method in ("cg", "pipelined_cg", "chebyshev")])

    def test_blocks_have_a_panel_a_size(self):
        figure = drawn(BLOCKS)["block_steps"]
        self.assertEqual(figure.legends, [], "one curve a panel needs none")
        self.assertEqual([axes.get_title() for axes in panels(figure)], ["100 x 100 cells", "200 x 200 cells"])
        self.assertEqual([curves(axes) for axes in panels(figure)],
                         [[[(1, 8.0), (2, 4.0), (8, 1.0)]], [[(1, 32.0), (2, 16.0), (8, 4.0)]]])
        self.assertEqual([axes.get_yscale() for axes in panels(figure)], ["linear"] * 2)

    def test_other_methods_are_lines_beside_blocks(self):
        # A sweep over blocks repeats methods that have none.
        repeated = [solver_point(seconds, method="cg", block_steps=steps) for steps, seconds in ((1, 30.0), (2, 32.0), (8, 31.0))]
        figure = drawn([*repeated, *BLOCKS[:3], *METHODS[1:]])["block_steps"]
        self.assertEqual(legend(figure), ["s_step_cg", "cg", "pipelined_cg", "chebyshev"])
        axes, = panels(figure)
        cg, blocks, *others = axes.lines
        self.assertEqual([set(line.get_ydata()) for line in (cg, *others)], [{31.0}, {3.0}, {1.0}])
        self.assertEqual(list(blocks.get_xdata()), [1, 2, 8])
        self.assertEqual(list(axes.get_xticks()), [1, 2, 8])
        self.assertEqual(axes.get_yscale(), "log", "from 1 to 31 s")
        styles = [line.get_linestyle() for line in figure.legends[0].get_lines()]
        self.assertEqual(len(set(map(str, styles))), 4, "each method has dashes of its own")

    def test_a_size_without_blocks_has_no_panel(self):
        figure = drawn([*BLOCKS[:3], solver_point(5.0, 300, method="cg"), METHODS[0]])["block_steps"]
        axes, = panels(figure)
        self.assertEqual(len(axes.lines), 2)

    def test_labels_tell_files_apart(self):
        slow = [solver_point(2 * seconds, method="s_step_cg", block_steps=steps) for steps, seconds in ((1, 8.0), (2, 4.0))]
        paths = self.written(document(BLOCKS[:3]), document(slow))
        results = load_labelled(list(zip(("near", "far"), paths)))
        axes, = panels(figure := drawn_of(results)["block_steps"])
        self.assertEqual(legend(figure), ["near", "far"])
        self.assertEqual(curves(axes), [[(1, 8.0), (2, 4.0), (8, 1.0)], [(1, 16.0), (2, 8.0)]])
        self.assertEqual(set(results.frame()["label"]), {"near", "far"})

    def test_all_files_have_a_label_or_none(self):
        first, second = self.written(document(BLOCKS[:3]), document(METHODS))
        result = self.run_command("plot", f"near={first}", f"far={second}")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assert_drawn(self.folder / "block_steps.png", result)
        self.assert_refused(self.run_command("plot", f"near={first}", second), f"'{second}' has no label")
        odd = first.rename(self.folder / "a=b.json")
        self.assertEqual(self.run_command("plot", odd).returncode, 0, "a file's name may have the sign")

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

    def test_runs_that_swept_other_keys_are_told_apart_by_all_of_them(self):
        swept = {"methods": {"solver.method": "cg"}, "steps": {"solver.block_steps": 8}}
        paths = []
        for folder, keys in swept.items():
            (self.folder / folder).mkdir()
            run = problem_point("implicit2d", {"solver.method": "s_step_cg", "solver.block_steps": 4, **keys}, keys, {}, 1.0)
            self.write(f"{folder}/results.json", json.dumps(document([run])))
            paths.append(self.write(f"{folder}/point_001_history.csv", "look,norm\n0,4\n1,2\n"))
        self.assertEqual(legend(solvers.draw_histories(paths)), [
            "solver.method = cg, solver.block_steps = 4", "solver.method = s_step_cg, solver.block_steps = 8"])

    def test_other_tables_are_no_histories(self):
        for content, text in (("step,norm\n0,1\n", "not columns look and norm"), ("look,norm\n", "not columns look and norm"),
                              ("look,norm\n0,small\n", "could not convert string to float: 'small'")):
            with self.subTest(content):
                path = self.write("point_001_history.csv", content)
                self.assert_refused(self.run_command("fields", path), f"{path}: {text}")


if __name__ == "__main__":
    support.main()
