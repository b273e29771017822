#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Acoustic waves: known courses, orders of convergence, energy, what sponges send back, seismograms, wrong decks."""

import csv
import math
import sys
import unittest

from app import ROOT, USAGE, AppTest

sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

SIDES_2D = ("x_low", "x_high", "y_low", "y_high")
SIDES_3D = (*SIDES_2D, "z_low", "z_high")
TINY = 1e-12  # of what roundings may add up to in a few hundred steps


def sides(kind, names=SIDES_2D):
    return tuple(f"wave.{name}={kind}" for name in names)


def deck(problem="wave2d", **keys):
    return f'problem = "{problem}"\nrun.verify = true\n' + "".join(f"{key} = {value}\n" for key, value in keys.items())


class StandingWaves(AppTest):
    RANKS = 4

    def test_the_course_is_known(self):
        """To the last digits, between sides and around the grid, whatever the order."""
        for problem, size, names in ("wave2d", [40, 36], SIDES_2D), ("wave3d", [20, 18, 16], SIDES_3D):
            for kind in ("fixed", "periodic"):
                points = self.run_points(f'problem = "{problem}"\ngrid = {{size = {size}, steps = 120}}', "wave.start=mode", "wave.order=[2,4,8]",
                                         "run.verify=true", "wave.mode=" + str([3, 2, 1][:len(size)]), *sides(kind, names), ranks=2)
                for point in points:
                    verification = point["verification"]
                    self.assertTrue(verification["passed"] and verification["bitwise"], (problem, kind))
                    self.assertLess(verification["sine_error"], TINY)
                    self.assertLess(verification["tolerance"], 1e-7)
                    self.assertLess(abs(point["figures"]["energy_change"]), TINY)

    def test_the_course_is_known_in_single_precision(self):
        point, = self.run_points(deck(), "grid.size=[24,20]", "grid.steps=30", "wave.start=mode", "grid.precision=float")
        self.assertLess(point["verification"]["sine_error"], 1e-5)
        self.assertLess(point["verification"]["tolerance"], 0.1)

    def test_nothing_is_known_where_the_speed_varies_or_waves_are_absorbed(self):
        for setting in ("wave.medium=layered",), ("wave.x_low=absorbing", "wave.x_high=fixed"):
            point, = self.run_points(deck(), "grid.size=[60,50]", "grid.steps=9", "wave.start=mode", "wave.time_step=0.001", *setting)
            self.assertNotIn("sine_error", point["verification"])

    def error(self, order, cells, dims=2, steps=16):
        """Of the differences in space alone: the course is compared with that of leapfrog steps of the same length which
        know the exact second derivative, so that nothing of the error comes from time."""
        width, mode, speed, time_step = 480.0, (3, 2, 1)[:dims], 2000.0, 0.002
        self.run_points(deck(f"wave{dims}d"), f"grid.size={dims * [cells]}", f"grid.steps={steps}", f"wave.spacing={width / cells}", f"wave.order={order}",
                        f"wave.time_step={time_step}", f"wave.speed={speed}", f"wave.mode={list(mode)}", "wave.start=mode", "output.fields=true",
                        *sides("fixed", SIDES_3D[:2 * dims]))
        values = vti.read_pvti(self.folder / "results" / "point_001.pvti")[1]["u"]
        exact = speed * time_step * math.pi / width * math.hypot(*mode)
        course = math.cos(steps * 2 * math.asin(exact / 2))
        return max(abs(value - course * math.prod(math.sin(math.pi * m * (i + 0.5) / cells) for m, i in zip(mode, cell)))
                   for cell, value in values.items())

    def test_orders_of_convergence(self):
        """Each time that the cells are halved the error is 2^order times smaller."""
        for order in (2, 4, 8):
            coarse, middle, fine = (self.error(order, cells) for cells in (12, 24, 48))
            self.assertGreater(fine, 1e-11)  # and not from roundings
            self.assertAlmostEqual(math.log2(middle / fine), order, delta=0.1)
            self.assertAlmostEqual(math.log2(coarse / middle), order, delta=0.4)

    def test_orders_of_convergence_in_3d(self):
        for order in (2, 4, 8):
            middle, fine = (self.error(order, cells, dims=3) for cells in (24, 48))
            self.assertGreater(fine, 1e-11)
            self.assertAlmostEqual(math.log2(middle / fine), order, delta=0.1)


class WaveSources(AppTest):
    RANKS = 4

    def test_energy_stays_when_the_source_has_ended(self):
        """After 150 steps, between sides, in every medium."""
        for medium in ("layered", "lens"):
            energies = [point["figures"]["energy"] for point in self.run_points(
                deck(), "grid.size=[80,70]", "grid.steps=[151,300,500]", "wave.time_step=0.001", "wave.frequency=20",
                f"wave.medium={medium}", *sides("fixed"), ranks=4)]
            self.assertGreater(energies[0], 0)
            for energy in energies[1:]:
                self.assertAlmostEqual(energy / energies[0], 1, delta=TINY)

    def recorded(self, cells, kind, frequency, steps=450):
        """What receivers have got in the middle of a square of so many cells: at an edge, in a corner and inside."""
        c = cells // 2
        self.run_points(deck(), f"grid.size=[{cells},{cells}]", f"grid.steps={steps}", "run.verify=false", f"wave.frequency={frequency}",
                        f"wave.receivers={[c + 39, c, c + 39, c + 39, c + 20, c + 10]}", *sides(kind), ranks=4)
        return [row[2:] for row in self.seismogram()]

    def test_what_a_sponge_sends_back(self):
        """A sponge of 40 cells is four or two wavelengths thick. What differs from a grid whose ends are too far away to be
        heard of is compared with the largest wave that has come to the sponge."""
        for frequency, allowed in (20, 0.015), (10, 0.04):
            free, sponge = self.recorded(260, "periodic", frequency), self.recorded(160, "absorbing", frequency)
            sent_back = max(abs(x - y) for one, other in zip(free, sponge) for x, y in zip(one, other)) / max(abs(row[0]) for row in free)
            print(f"a sponge of {40 * frequency * 10 / 2000:g} wavelengths sends back {100 * sent_back:.2g} %")
            self.assertLess(sent_back, allowed)
            self.assertGreater(sent_back, 0)

    def test_sponges_leave_nothing_in_the_end(self):
        for problem, size, names in ("wave2d", [120, 110], SIDES_2D), ("wave3d", [60, 56, 54], SIDES_3D):
            early, late = [point["figures"]["energy"] for point in self.run_points(
                deck(problem), f"grid.size={size}", "grid.steps=[60,600]", "wave.sponge=20", "wave.frequency=25", "run.verify=false",
                "output.fields=true", "grid.precision=float", *sides("absorbing", names), ranks=4)]
            self.assertLess(late / early, 1e-5)

    def seismogram(self):
        with open(self.folder / "results" / "point_001_receivers.csv", newline="") as file:
            self.names, *rows = csv.reader(file)
        return [tuple(map(float, row)) for row in rows]

    def test_seismograms(self):
        """The same bits however steps are made; each recording is of two steps."""
        rows = {}
        for ways in ("wave.receiver_interval=1",), ("halo.depth=4", "stencil.fused_steps=2"), ("halo.depth=3", "wave.receiver_interval=5"):
            for ranks in (1, 4):
                self.run_points(deck(), "grid.size=[60,50]", "grid.steps=101", "wave.receivers=[10,25,50,40]", "run.warmup=1", *ways, ranks=ranks)
                rows[ways, ranks] = self.seismogram()
                self.assertEqual(self.names, ["step", "time_s", "u_10_25", "u_50_40"])
        every, *others = rows.values()
        self.assertEqual([row[0] for row in every], list(range(102)))
        self.assertGreater(max(abs(row[2]) for row in every), 0.01)
        for seismogram in others:
            self.assertLessEqual(set(seismogram), set(every))
        self.assertEqual([len(seismogram) for seismogram in rows.values()], [102, 102, 102, 102, 42, 42])

    def test_waves_arrive_when_they_should(self):
        """The largest u comes 1.5 periods of the wavelet and the way's time after the start."""
        self.run_points(deck(), "grid.size=[240,200]", "grid.steps=380", "wave.receivers=[160,100]", "wave.source=[60,100]", "wave.order=8")
        _, time, _ = max(self.seismogram(), key=lambda row: row[2])
        self.assertAlmostEqual(time, 1.5 / 10 + 100 * 10 / 2000, delta=0.3 / 10)

    def test_repetitions_start_anew(self):
        """Steps are counted from 0 in each run, or there would be no source in the second."""
        for graph in ("false", "true"):
            point, = self.run_points(deck(), "grid.size=[60,50]", "grid.steps=80", "run.warmup=1", "run.repetitions=3", f"halo.graph={graph}",
                                     "halo.transport=peer_store", "halo.depth=4", "stencil.fused_steps=4", ranks=2)
            self.assertTrue(point["verification"]["bitwise"])
            self.assertGreater(point["figures"]["energy"], 0)


class WrongWaves(AppTest):
    def test_wrong_decks(self):
        for line, message in (
                ("wave.order = 6", "deck.toml:3:14: wave.order: there are no differences of order 6"),
                ("wave.time_step = 0.004", "deck.toml:3:18: wave.time_step: waves are unstable in steps of more than 0.00306186 s = "
                                           "0.612372 x spacing / fastest speed (order 4, 10 m, 2000 m/s)"),
                ("wave = {time_step = 0.002, medium = 'lens', lens_speed = 4000}", "in steps of more than 0.00153093 s"),
                ("wave = {time_step = 0.002, order = 8, medium = 'layered', layers = [1500, 3000]}", "in steps of more than 0.00184"),
                ("wave.x_low = 'fixed'", "wave.x_high: one side of x is periodic and the other is not"),
                ("wave = {x_low = 'absorbing', x_high = 'absorbing'}", "wave.sponge: sponges of 40 cells do not fit into 60 cells in x"),
                ("wave = {y_low = 'fixed', y_high = 'fixed', start = 'mode', mode = [1, 0]}",
                 "wave.mode: a mode without half waves in y is zero everywhere"),
                ("wave.source = [60, 5]", "deck.toml:3:15: wave.source: 60 is no cell in x, which has 60"),
                ("wave.source = [5]", "wave.source: "),
                ("wave.source = [1, 2, 3]", "wave.source: has 3 numbers, but problem wave2d has 2 dimensions"),
                ("wave.frequency = 150", "wave.frequency: waves of 150 Hz are 1.33 cells long where they are slowest"),
                ("wave = {medium = 'layered', layers = [1500, 2000], interfaces = [0.2, 0.5]}",
                 "wave.interfaces: 2 interfaces do not divide 2 layers"),
                ("wave = {medium = 'layered', layers = [1500, 2000, 1500], interfaces = [0.5, 0.2]}",
                 "wave.interfaces: a layer ends before it begins"),
                ("wave.receivers = [1, 2, 3]", "wave.receivers: 3 numbers are no list of cells"),
                ("wave.receivers = [1, 50]", "wave.receivers: 50 is no cell in y, which has 50"),
                ("wave.receivers = [1, 2]\nhalo = {graph = true, depth = 2, transport = 'peer_store'}",
                 "wave.receiver_interval: a graph holds two exchanges with their 4 steps, and receivers are read every 2"),
                ("wave.medium = 'water'", 'wave.medium: "water" is not a valid choice')):
            with self.subTest(line):
                result = self.run_app(self.write_deck(f'problem = "wave2d"\ngrid.size = [60, 50]\n{line}\n'), "--validate")
                if result.returncode == 0:
                    result = self.run_app("deck.toml", "--dry-run")
                self.assert_refused(result, USAGE, message, "remedy: ")


if __name__ == "__main__":
    unittest.main()
