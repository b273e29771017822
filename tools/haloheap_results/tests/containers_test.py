#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results plot on made-up results of applications on smart containers, and fields on what they write.

containers_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import math
import struct
import unittest

import support
from haloheap_results.figures import containers, fields, seismograms
from haloheap_results.load import results_of
from haloheap_results.report.inputs import shipped
from support import PictureTest, below, document, figures_drawn, legend, point, problem_point

REFERENCE_S = {"lu": 3.0, "nbody": 2.0, "sph": 1.0, "mandelbrot": 0.5, "ppmcc": 0.25, "mse": 0.125}
COSTS = {("paper", True): 1.0, ("paper", False): 1.25, ("region", True): 0.8, ("region", False): 1.1, ("initial", True): 2.5,
         ("initial", False): 2.75, ("none", True): 40.0}


def container_point(problem, policy, peer=True, devices=2, keys=(), **figures):
    """As the program writes it; the time over the reference's is that of COSTS unless a figure says otherwise."""
    normalised = figures.pop("normalised", COSTS.get((policy, peer), 1.5) * (1 if policy == "paper" else devices / 2))
    seconds = REFERENCE_S[problem] * (normalised or 1)
    deck = {"problem": problem, "coherence.devices": devices, "coherence.policy": policy, "coherence.peer": peer, "lu.size": 64}
    swept = {key: deck[key] for key in ("problem", "coherence.policy", "coherence.peer", "coherence.devices")} | dict(keys)
    return problem_point(problem, {**deck, **dict(keys)}, swept, {"normalised": normalised, **figures}, seconds,
                         {"size": [64], "steps": 1, "scalar": "double"})


def figure_6():
    return document([container_point(problem, policy, devices=devices) for problem in REFERENCE_S for devices in (1, 2)
                     for policy in ("paper", "region", "none")])


def figure_7():
    return document([container_point(problem, policy, peer) for problem in ("lu", "nbody", "sph")
                     for policy in ("initial", "paper", "region") for peer in (False, True)])


class ContainersTest(PictureTest):
    def figure(self, results):
        (figure,) = figures_drawn(containers.pictures(results_of(results))).values()
        return figure

    def labels(self, axes):
        return [text.get_text() for text in axes.get_xticklabels()]

    def bars(self, axes):
        """[(height, colour, hatched)] from left to right."""
        from matplotlib import colors

        bars = sorted(axes.patches, key=lambda bar: bar.get_x())
        return [(bar.get_height(), colors.to_hex(bar.get_facecolor()).upper(), bool(bar.get_hatch())) for bar in bars]

    def test_the_made_up_results_obey_the_schema(self):
        self.assert_obeys_schema(figure_6())
        self.assert_obeys_schema(figure_7())

    def test_figures_6_and_7_of_the_paper_are_drawn(self):
        for results in (figure_6(), figure_7()):
            names, printed = self.drawn(results)
            self.assertEqual(names, ["normalised_times.png"])
            self.assertEqual(printed.count("\n"), 1, "nothing else is missed")

    def test_each_number_of_devices_has_a_panel_and_each_mechanism_a_bar(self):
        figure = self.figure(figure_6())
        self.assertEqual([axes.get_title() for axes in figure.axes], ["1 device", "2 devices"])
        for devices, axes in zip((1, 2), figure.axes):
            self.assertEqual(self.labels(axes), ["lu\n1 = 3 s", "nbody\n1 = 2 s", "sph\n1 = 1 s", "mandelbrot\n1 = 500 ms",
                                                 "ppmcc\n1 = 250 ms", "mse\n1 = 125 ms"])
            heights = [1.0, 0.8 * devices / 2, 40.0 * devices / 2]
            self.assertEqual([height for height, _, _ in self.bars(axes)], 6 * heights)
            self.assertEqual([color for _, color, _ in self.bars(axes)][:3], ["#56B4E9", "#009E73", "#D55E00"])
            self.assertEqual([text.get_text() for text in axes.texts][:3],
                             [f"{height:.2f}" if height < 10 else f"{height:.3g}" for height in heights])
            self.assertEqual(axes.get_yscale(), "log", "bars of 40 beside bars of 1")
        self.assertEqual(legend(figure), ["paper", "region", "none"])

    def test_bars_without_peer_copies_are_hatched_and_the_reference_is_named(self):
        figure = self.figure(figure_7())
        (axes,) = figure.axes
        self.assertEqual((axes.get_title(), axes.get_yscale()), ("", "linear"))
        self.assertEqual(self.bars(axes)[:6], [(2.75, "#E69F00", True), (2.5, "#E69F00", False), (1.25, "#56B4E9", True),
                                               (1.0, "#56B4E9", False), (1.1, "#009E73", True), (0.8, "#009E73", False)])
        self.assertEqual(legend(figure),
                         [f"{policy}, {peer} copies" for policy in ("initial", "paper", "region")
                          for peer in ("no peer", "peer")])
        self.assertEqual(below(figure)[0], "1: policy paper, peer copies; ranges: fastest to slowest repetition")
        self.assertEqual(below(figure)[1], "this run: OpenMP on 2 x test CPU, Open MPI 4.1.4, 2026-01-02")

    def test_ranges_of_the_repetitions(self):
        (axes,) = self.figure(figure_7()).axes
        ((low, high),) = [segment[:, 1] for segment in axes.collections[0].get_segments()]
        self.assertAlmostEqual(low, 0.97 * 2.75)
        self.assertAlmostEqual(high, 1.05 * 2.75)
        alone = container_point("lu", "paper")
        alone["wall_s"] |= {"minimum": None, "maximum": None}
        (axes,) = self.figure(document([alone])).axes
        self.assertEqual(len(axes.collections), 0)

    def test_without_the_papers_policy_region_is_the_reference(self):
        points = [container_point("mse", policy, normalised=value) for policy, value in (("region", 1.0), ("none", 1.5))]
        figure = self.figure(document(points))
        self.assertIn("1: policy region;", figure.texts[1].get_text())
        self.assertEqual(self.labels(figure.axes[0]), ["mse\n1 = 125 ms"])

    def test_an_unknown_policy_has_a_colour_of_its_own(self):
        points = [container_point("mse", policy) for policy in ("paper", "newer", "newest")]
        (axes,) = self.figure(document(points)).axes
        self.assertEqual(len({color for _, color, _ in self.bars(axes)}), 3)

    def test_keys_of_a_problem_divide_only_its_own_bars(self):
        points = [container_point(problem, policy, keys=[("lu.size", size)])
                  for problem, size in (("lu", 64), ("lu", 128), ("mse", 64)) for policy in ("paper", "region")]
        figure = self.figure(document(points))
        self.assertEqual([axes.get_title() for axes in figure.axes], ["lu.size = 64", "lu.size = 128", ""])

    def test_results_without_normalised_times_have_no_figure_of_them(self):
        names, printed = self.drawn(document([container_point("mse", "none", normalised=None)]))
        self.assertEqual((names, printed), ([], "no figure normalised_times: no point has a normalised time: it takes a sweep "
                                            "over coherence.policy with paper or region among it\n"))
        _, printed = self.drawn(document([point(1, "sync", "none", 1.0)]))
        self.assertNotIn("normalised", printed)


class FieldsTest(PictureTest):
    def assert_fields_drawn(self, *paths):
        result = self.run_command("fields", *paths)
        self.assertEqual((result.returncode, result.stderr), (0, ""), "no warning of the library either")
        self.assertEqual(result.stdout.count("\n"), len(paths))
        for path in paths:
            self.assert_drawn(path.with_suffix(".png"), result)

    def assert_fields_refused(self, path, text):
        self.assert_refused(self.run_command("fields", path), f"{path}: {text}")
        self.assertFalse(path.with_suffix(".png").exists())

    def test_particles_are_drawn(self):
        rows = [(math.cos(i), math.sin(i), i / 200, 900 + i) for i in range(200)]
        table = "x,y,z,density\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
        self.assert_fields_drawn(self.write("point_particles.csv", table))

    def test_other_tables_are_refused(self):
        not_columns = "not columns x, y, z and one more"
        for content, text in (("x,y,z\n1,2,3\n", not_columns), ("x,y,z,speed\n", not_columns),
                              ("x,y,z,speed\n1,2,3\n", not_columns), ("x,y,z,speed\n1,2,3,4,5\n", not_columns),
                              ("x,y,z,speed\n1,2,3,fast\n", "could not convert string to float: 'fast'")):
            with self.subTest(content):
                self.assert_fields_refused(self.write("a_particles.csv", content), text)

    def receivers(self, count):
        """A wavelet that comes to each receiver later than to the one before."""
        rows = "step,time_s" + "".join(f",u_{10 + i}_4" for i in range(count)) + "\n"
        for step in range(200):
            course = (math.exp(-((step - 40 - 9 * i) / 8) ** 2) * math.cos((step - 40 - 9 * i) / 4) for i in range(count))
            rows += f"{step},{0.001 * step:g}," + ",".join(f"{value:.6g}" for value in course) + "\n"
        return rows

    def test_seismograms_are_drawn(self):
        for count in (1, 3, 40):
            self.assert_fields_drawn(self.write(f"point_{count:03}_receivers.csv", self.receivers(count)))
        result = self.run_command("fields", self.write("rest_receivers.csv", "step,time_s,u_1_2_3\n0,0,0\n1,0.5,0\n"))
        self.assertEqual((result.returncode, result.stderr), (0, ""), "where nothing has arrived, too")

    def test_traces_are_named_by_their_cells(self):
        traces = seismograms.read_receivers(self.write("a_receivers.csv", "step,time_s,u_1_2_3,u_40_5_6\n0,0,7,8\n2,0.5,9,10\n"))
        self.assertEqual(traces.to_dict(), {"(1, 2, 3)": {0: 7, 0.5: 9}, "(40, 5, 6)": {0: 8, 0.5: 10}})

    def test_other_tables_are_no_seismograms(self):
        not_columns = "not columns step, time_s and one for each receiver"
        for content, text in (("step,time_s\n1,2\n", not_columns), ("x,time_s,u_1_2\n1,2,3\n", not_columns),
                              ("step,time_s,u_1_2\n", not_columns), ("step,time_s,u_1_2\n1,2\n", not_columns),
                              ("step,time_s,u_1_2\n1,2,loud\n", "could not convert string to float: 'loud'")):
            with self.subTest(content):
                self.assert_fields_refused(self.write("a_receivers.csv", content), text)

    def picture(self, width, height, most=b"65535"):
        counts = [1 + (column * row) % 1000 for row in range(height) for column in range(width)]
        return b"P5\n%d %d\n%s\n" % (width, height, most) + struct.pack(f">{len(counts)}H", *counts)

    def test_mandelbrots_picture_is_drawn(self):
        self.assert_fields_drawn(self.write("mandelbrot_1.pgm", self.picture(320, 200)))

    def test_counts_are_read_row_by_row(self):
        counts = fields.read_counts(self.write("mandelbrot_1.pgm", self.picture(5, 3)))
        self.assertEqual(counts.tolist(), [[1 + column * row for column in range(5)] for row in range(3)])

    def test_other_pictures_are_refused(self):
        for content in (self.picture(8, 8, b"255"), b"P6\n8 8\n65535\n", self.picture(8, 8)[:-2], b""):
            with self.subTest(content[:12]):
                self.assert_fields_refused(self.write("mandelbrot_1.pgm", content), "no picture of problem mandelbrot")

    def test_says_that_it_cannot_write(self):
        path = self.write("mandelbrot_1.pgm", self.picture(320, 200))
        path.with_suffix(".png").mkdir()
        result = self.run_command("fields", path)
        self.assertEqual(result.returncode, 5)
        self.assertIn("haloheap-results: cannot write", result.stderr)

    def test_a_missing_file_is_refused(self):
        for name in ("none_particles.csv", "mandelbrot_9.pgm", "none_receivers.csv"):
            self.assert_fields_refused(self.folder / name, "")


class InitialMechanism:
    """Figure 3 of [Dastgeer2016] step by step on two devices, one device of a call after the other. Counts vectors."""

    def __init__(self):
        self.h2d = self.d2h = self.allocated = 0.0
        self.copies = {"first": {}, "second": {}}  # {(device, part): modified} of each vector

    @staticmethod
    def size(part):
        return 1.0 if part == "whole" else 0.5

    def copy_back(self, vector):
        for place, modified in self.copies[vector].items():
            self.d2h += self.size(place[1]) if modified else 0
            self.copies[vector][place] = False

    def read(self, vector, device, part):
        if (device, part) not in self.copies[vector]:
            self.allocated += self.size(part)
            self.copy_back(vector)
            self.h2d += self.size(part)
            self.copies[vector][device, part] = False

    def write(self, vector, device, part):
        if (device, part) not in self.copies[vector]:
            self.allocated += self.size(part)
        self.copies[vector][device, part] = True

    def flush(self, vector):
        self.copy_back(vector)
        self.copies[vector] = {}

    def call(self, out, whole=None, reads_out=True):
        for device in range(2):
            if whole:
                self.read(whole, device, "whole")
            if reads_out:
                self.read(out, device, "part")
            self.write(out, device, "part")

    def start(self):
        for vector in self.copies:
            self.call(vector, reads_out=False)
            self.flush(vector)

    def moved(self, calls):
        return [round(number / calls, 3) for number in (self.h2d, self.d2h, self.allocated)]


class InitialMechanismTest(unittest.TestCase):
    """docs/results/2026-11_containers.md: what SPH moves by it, with and without a flush between its second and third call."""

    def sph(self, flush_between, steps=50):
        does = InitialMechanism()
        does.start()
        for _ in range(steps):
            does.call("second", whole="first")
            does.flush("second")
            does.call("first", whole="second")
            if flush_between:
                does.flush("first")
            does.call("first")
            does.flush("first")
        return does.moved(2 * steps)

    def shipped(self, problem):
        """Of initial_flush in the run of GPUs: ours and what is printed, whose allocations are counted twice."""
        (table,) = [run for run in shipped("gpu") if run.path == "gpu/table1.json.gz"]
        (one,) = [point for point in table.points if point.work.problem == problem and not point.deck["coherence.peer"]
                  and point.deck["coherence.policy"] == "initial_flush"]
        names = ("h2d", "d2h", "allocated")
        return [[one.figure(f"{whose}_{name}") for name in names] for whose in ("unit", "paper")]

    def assert_alike(self, found, expected, within):
        for one, other in zip(found, expected):
            self.assertAlmostEqual(one, other, delta=within)

    def test_nbody_moves_what_ours_does_and_is_printed(self):
        does = InitialMechanism()
        does.start()
        for call in range(22):
            out, whole = ("second", "first") if call % 2 == 0 else ("first", "second")
            does.call(out, whole=whole)
            does.flush(out)
        ours, printed = self.shipped("nbody")
        self.assert_alike(does.moved(22), ours, 0.001)
        self.assert_alike(does.moved(22)[:2], printed[:2], 0.001)

    def test_sph_moves_what_ours_does_with_the_flush_and_what_is_printed_without_it(self):
        ours, printed = self.shipped("sph")
        self.assert_alike(self.sph(flush_between=True), ours, 0.001)
        self.assert_alike(self.sph(flush_between=False), [*printed[:2], printed[2] / 2], 0.006)


if __name__ == "__main__":
    support.main()
