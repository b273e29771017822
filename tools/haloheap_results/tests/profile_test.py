#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results profile on made-up fields.

profile_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import re

import numpy
import support
from haloheap_results.figures import profiles
from haloheap_results.load import load
from haloheap_results.papers import cavity
from haloheap_results.riemann import SOD, State, middle, solution
from picture_test import FieldsTest, grid_point
from support import document, legend

GAMMA = 1.4


class RiemannTest(support.unittest.TestCase):
    def test_states_between_the_waves(self):
        """[Toro2009], table 4.3."""
        for left, right, pressure, velocity in (
                (*SOD, 0.30313, 0.92745), (State(1, -2, 0.4), State(1, 2, 0.4), 0.00189, 0),
                (State(1, 0, 1000), State(1, 0, 0.01), 460.894, 19.5975), (State(1, 0, 0.01), State(1, 0, 100), 46.0950, -6.19633),
                (State(5.99924, 19.5975, 460.894), State(5.99242, -6.19633, 46.0950), 1691.64, 8.68975)):
            found = middle(GAMMA, left, right)
            numpy.testing.assert_allclose(found, (pressure, velocity), rtol=6e-6, atol=6e-6)

    def test_what_flows_in_is_what_is_there(self):
        """Mass, momentum and energy between -1 and 1 after a time of 1 are those of the start and what the sides let in."""
        count = 400000
        x = (2 * numpy.arange(count) + 1) / count - 1
        for left, right in (SOD, SOD[::-1], (State(1, 0.1, 0.5), State(1, -0.2, 0.01))):
            right = State(right.density, -right.velocity, right.pressure) if left == SOD[1] else right
            density, velocity, pressure = solution(GAMMA, left, right, 2.5 * x)
            energy = pressure / (GAMMA - 1) + density * velocity**2 / 2
            for name, total, of in (("mass", density, lambda s: (s.density, s.density * s.velocity)),
                                    ("momentum", density * velocity,
                                     lambda s: (s.density * s.velocity, s.density * s.velocity**2 + s.pressure)),
                                    ("energy", energy,
                                     lambda s: ((e := s.pressure / (GAMMA - 1) + s.density * s.velocity**2 / 2),
                                                s.velocity * (e + s.pressure)))):
                with self.subTest(name, left=left):
                    (first, inflow), (second, outflow) = of(left), of(right)
                    self.assertAlmostEqual(2.5 * 2 * total.mean(), 2.5 * (first + second) + inflow - outflow, places=4)

    def test_two_sides_are_mirrors(self):
        speeds = numpy.linspace(-3, 3, 501)
        left, right = SOD
        mirrored = solution(GAMMA, right, left, -speeds)
        numpy.testing.assert_allclose(solution(GAMMA, left, right, speeds), mirrored * [[1], [-1], [1]], atol=1e-14)


class ProfileTest(FieldsTest):
    def tube(self, along="x", cells=64, error=0.0, start="sod", swept=()):
        """A run that has the exact solution, and an error of the density."""
        size = (cells, 8) if along == "x" else (8, cells)
        exact = solution(GAMMA, *SOD, (profiles.middle_of(cells) - 0.5) / 0.2)
        momentum, energy = exact[0] * exact[1], exact[2] / (GAMMA - 1) + exact[0] * exact[1]**2 / 2

        def values(of):
            return lambda x, y, z: of[x if along == "x" else y]

        self.fields("point_001", size, {"density": values(exact[0] + error), f"momentum_{along}": values(momentum),
                                        f"momentum_{'yx'[along == 'y']}": lambda x, y, z: 7, "energy": values(energy)}, "Float64")
        point = grid_point(size, swept=swept, problem="euler2d", scalar="double")
        point["deck"] |= {"euler2d.start": start, "euler2d.along": along, "euler2d.gamma": GAMMA}
        return {**point, "figures": {"time": 0.2}}

    def flow(self, reynolds=100, size=(40, 40), name="point_001"):
        """A cavity whose fluid moves as a whole, with momenta of 0.0375 in x and 0.025 in y and a density of 1.25."""
        numbers = {"sw": 0, "s": 0, "se": 0, "w": 0.1, "rest": 1, "e": 0.125, "nw": 0, "n": 0.0125, "ne": 0.0125}
        self.fields(name, size, {f"f_{name}": lambda x, y, z, value=value: value for name, value in numbers.items()})
        point = grid_point(size, problem="lbm2d", swept={"lbm.reynolds": reynolds})
        point["deck"] |= {"lbm.flow": "cavity", "lbm.reynolds": reynolds, "lbm.velocity": 0.1}
        return point

    def drawn_from(self, *points):
        (results,) = self.written(document(points))
        path = self.folder / "profile.png"
        result = self.run_command("profile", results, "-o", path)
        self.assertEqual((result.returncode, result.stderr), (0, ""), "no warning either")
        self.assert_drawn(path, result)
        return profiles.draw(load([results]), self.folder, [])

    def test_a_tube_beside_the_exact_solution(self):
        for along in "xy":
            figure = self.drawn_from(self.tube(along))
            self.assertEqual([axes.get_ylabel() for axes in figure.axes], ["density", "velocity", "pressure"])
            self.assertEqual({axes.get_xlabel() for axes in figure.axes}, {along})
            for axes in figure.axes:
                exact, found = axes.lines
                self.assertEqual((len(exact.get_xdata()), len(found.get_xdata())), (profiles.FINE, 64))
                at = numpy.searchsorted(exact.get_xdata(), found.get_xdata())
                near = numpy.minimum(*(abs(exact.get_ydata()[at - before] - found.get_ydata()) for before in (0, 1)))
                self.assertLess(near.max(), 1e-2, "the same, but for half a place")
            self.assertEqual(legend(figure)[0], "exact solution")

    def test_an_error_is_seen(self):
        density = self.drawn_from(self.tube(error=0.1)).axes[0]
        exact, found = density.lines
        self.assertAlmostEqual(found.get_ydata()[0] - exact.get_ydata()[0], 0.1)

    def test_a_cavity_beside_the_table(self):
        figure = self.drawn_from(self.flow())
        u, v = figure.axes
        for axes, name in ((u, "u"), (v, "v")):
            known, found = axes.lines
            rows = cavity()[cavity()["velocity"] == name]
            numpy.testing.assert_array_equal(known.get_xydata(), rows[["at", "reynolds_100"]])
            numpy.testing.assert_allclose(found.get_ydata(), found.get_ydata()[0])
        self.assertAlmostEqual(u.lines[1].get_ydata()[0], (0.125 + 0.0125 - 0.1) / 1.25 / 0.1, places=6)
        self.assertAlmostEqual(v.lines[1].get_ydata()[0], (0.0125 + 0.0125) / 1.25 / 0.1, places=6)

    def test_points_of_a_sweep(self):
        figure = self.drawn_from(self.flow(), self.flow(1000, name="point_002"))
        self.assertEqual(sorted(legend(figure)), ["[Ghia1982]: lbm.reynolds = 100", "[Ghia1982]: lbm.reynolds = 1000",
                                                  "lbm.reynolds = 100", "lbm.reynolds = 1000"])
        self.assertEqual(len(figure.axes[0].lines), 4)
        (results,) = self.written(document([self.flow(), self.flow(1000, name="point_002")]))
        alone = profiles.draw(load([results]), self.folder, [2])
        self.assertEqual(alone.axes[0].lines[0].get_ydata()[0], -0.18109)

    def test_the_table_is_that_of_the_program(self):
        source = (support.ROOT / "miniapp/problems/lattice/lbm2d.cpp").read_text()
        for name, along in (("u", "along_y"), ("v", "along_x")):
            (listed,) = re.findall(rf"{along}\[\] = (.*?);", source, re.DOTALL)
            pairs = [[float(number) for number in pair] for pair in re.findall(r"\{([-\d.]+), +([-\d.]+)\}", listed)]
            rows = cavity()[cavity()["velocity"] == name]
            self.assertEqual(pairs, rows[["at", "reynolds_100"]].to_numpy().tolist())

    def test_of_what_nothing_is_known(self):
        for make, text in ((lambda: self.tube(start="wave"), 'euler2d.start = "sod" alone'),
                           (lambda: {**self.tube(), "figures": {}}, "do not say the time of the gas"),
                           (lambda: self.flow(101), "at Reynolds numbers of 100 and 1000"),
                           (lambda: self.flow(size=(40, 30)), "in a square alone"),
                           (lambda: grid_point((80, 60)), "of problem waves2d no profile is known: of euler2d and lbm2d there is one")):
            (results,) = self.written(document([make()]))
            with self.subTest(text):
                self.assert_refused(self.run_command("profile", results, "-o", self.folder / "a.png"), text)
        (results,) = self.written(document([self.tube()]))
        self.assert_refused(self.run_command("profile", results, "-o", self.folder / "a.png", "--point", "2"),
                            "there is no point 2")
        (self.folder / "point_001.pvti").unlink()
        self.assert_refused(self.run_command("profile", results, "-o", self.folder / "a.png"), "run with output.fields=true")


if __name__ == "__main__":
    support.main()
