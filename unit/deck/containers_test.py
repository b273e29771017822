#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Applications on smart containers: right whatever moves, and no other bytes move than theory says."""

import csv
import itertools
import re
import unittest

from app import CAPABILITY, OUT_OF_MEMORY, USAGE, VERIFICATION, AppTest, here, listed, quick

POLICIES = here("coherence policies")
DEVICES = [0, 1, 2, 3, 4]
# Numbers of particles that three and four devices cannot share evenly, and bytes of a particle.
PARTICLES = {"nbody": (97, 88), "sph": (101, 104)}
STEPS = 3
CALLS = 2 * STEPS  # in which every device reads all of a vector


def expected(policy, devices, peer, start, first):
    """Vectors' worth of bytes up, within devices, between them, and down, of both problems; None: no formula, for policies
    that take all through the host.

    Every device reads all of one vector, of which it has its part; then every one changes its part of the other. What comes
    from the host at first are one vector, on every device, and the parts of the other. The first change of that one vector
    invalidates, with the flags of the policy paper, all of it on every device: the first device has copied its part, the share `first`,
    but the others' come from the host again.
    """
    G, C = devices, CALLS
    if G == 0:
        return 0, 0, 0, 0
    if policy not in ("paper", "region"):
        return None
    if G == 1:
        return (2 if start == "host" else 0), 0, 0, 1
    within = C if policy == "paper" else 0  # a part is written inside of the whole, or to a copy of its own
    others = (G - 1) * C
    if start == "devices":
        return (0, within, others, 1) if peer else (others, within, 0, C + 1)
    again = 1 - first if policy == "paper" else 0
    if not peer:
        return G + 1 + (G - 1) * (C - 1) + again, within - again, 0, C
    # The policy paper takes all from the host where that has all; else one device does, and the others from there.
    if policy == "paper":
        return G + 1 + again, within - again, (G - 1) * (C - 1), 1
    return 2, within, others, 1


class ContainerApplications(AppTest):
    def particles(self, problem, start):
        number, size = PARTICLES[problem]
        points = self.run_points(f'problem = "{problem}"', f"{problem}.particles={number}", f"{problem}.steps={STEPS}",
                                 f"{problem}.start={start}", f"{problem}.graph=[false,true]", "coherence.devices=" + listed(DEVICES),
                                 "coherence.policy=" + listed(POLICIES), "coherence.peer=[true,false]")
        self.assertEqual(len(points), len(DEVICES) * len(POLICIES) * 2 * 2)
        self.assert_obeys_schema()
        for point in points:
            deck, figures = point["deck"], point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            devices = deck["coherence.devices"]
            formula = expected(deck["coherence.policy"], devices, deck["coherence.peer"], start, number // max(1, devices) / number)
            if formula is None:
                self.assertEqual(figures["peer_mb"], 0, point["swept"])
                continue
            for name, vectors in zip(("h2d_mb", "d2d_mb", "peer_mb", "d2h_mb"), formula):
                self.assertAlmostEqual(figures[name], vectors * number * size / 1e6, delta=1e-9, msg=f"{name} {point['swept']}")

    def test_nbody_starts_on_the_devices(self):
        self.particles("nbody", "devices")

    def test_nbody_starts_on_the_host(self):
        self.particles("nbody", "host")

    def test_sph_starts_on_the_devices(self):
        self.particles("sph", "devices")

    def test_sph_starts_on_the_host(self):
        self.particles("sph", "host")

    def test_units_are_those_of_the_papers_table(self):
        for problem in PARTICLES:
            for peer in (True, False):
                figures, = (point["figures"] for point in self.run_points(
                    f'problem = "{problem}"', "coherence.devices=2", "coherence.policy=paper", f"coherence.peer={peer}".lower(),
                    f"{problem}.particles=30"))
                for name in ("h2d", "d2d", "peer"):
                    self.assertAlmostEqual(figures[f"unit_{name}"], figures[f"paper_{name}"], delta=1e-3)

    def test_little_memory_is_made_up_for(self):
        for problem, (number, size) in PARTICLES.items():
            vector = number * size
            capacity = (2 * vector - vector // 3) / 2**30  # all of one, half of the other, and a bit
            points = self.run_points(f'problem = "{problem}"', f"{problem}.particles={number}", f"coherence.capacity={capacity!r}",
                                     "coherence.devices=2", "coherence.policy=" + listed(POLICIES), "coherence.peer=[true,false]")
            for point in points:
                self.assertTrue(point["verification"]["passed"], point["swept"])
                if point["deck"]["coherence.policy"] in ("region", "paper"):
                    self.assertGreater(point["figures"]["evictions"], 0, point["swept"])
                    self.assertGreater(point["figures"]["evicted_mb"], 0, point["swept"])

    def test_too_little_memory_is_an_error(self):
        for problem, policy in itertools.product(PARTICLES, POLICIES):
            number, size = PARTICLES[problem]
            result = self.run_app(self.write_deck(f'problem = "{problem}"'), *quick(
                f"{problem}.particles={number}", "coherence.devices=2", f"coherence.policy={policy}",
                f"coherence.capacity={number * size * 0.9 / 2**30!r}"))
            self.assert_refused(result, OUT_OF_MEMORY, "has no room for", "divide the work among more devices or calls")

    def test_many_particles_are_checked_by_laws(self):
        nbody, = self.run_points('problem = "nbody"', "nbody.particles=3000", "nbody.steps=12", "coherence.devices=2")
        self.assertTrue(nbody["verification"]["passed"])
        self.assertLess(nbody["figures"]["energy_drift"], 1e-4)
        self.assertLess(nbody["figures"]["momentum"], 1e-12)
        sph, = self.run_points('problem = "sph"', "sph.particles=3500", "sph.steps=9", "coherence.devices=2")
        self.assertTrue(sph["verification"]["passed"])
        self.assertEqual(sph["figures"]["bounces"], 0)
        self.assertLess(sph["figures"]["excess_momentum"], 1e-11)

    def test_too_long_a_time_step_does_not_pass(self):
        for problem, what in (("nbody", "the energy, by "), ("sph", "the density of particle ")):
            result = self.run_app(self.write_deck(f'problem = "{problem}"'), *quick(
                f"{problem}.particles=5100", f"{problem}.steps=4", f"{problem}.time_step=1", "coherence.devices=2"))
            self.assertEqual(result.returncode, VERIFICATION, result.stderr)
            self.assertIn(what, self.results()["points"][0]["verification"]["differs"])

    def test_particles_are_written(self):
        for problem, value in (("nbody", "speed"), ("sph", "density")):
            self.run_points(f'problem = "{problem}"', f"{problem}.particles=50", "coherence.devices=2", "output.fields=true")
            with open(next((self.folder / "results").glob("*_particles.csv")), encoding="utf-8") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual(len(rows), 50)
            self.assertEqual(list(rows[0]), ["x", "y", "z", value])
            self.assertTrue(all(float(row[value]) > 0 for row in rows))


def parts(rows, devices, block):
    """Rows [begin, end) of each device: whole blocks, as even as can be."""
    blocks = -(-rows // block)
    ends = [min(rows, blocks * device // devices * block) for device in range(devices + 1)]
    return list(zip(ends, ends[1:]))


def broadcast(n, devices, block):
    """Elements that LU takes to other devices: of each row, once finished, what is right of the columns that are done, for
    every other device that has rows below."""
    elements = 0
    for begin in range(0, n, block):
        end = min(n, begin + block)
        below = [first for first, last in parts(n, devices, block) if last > max(first, end)]
        others = sum(1 for first in below if first > begin)
        elements += (end - begin) * (n - begin) * others
    return elements


class LuFactors(AppTest):
    BYTES = {"float": 4, "double": 8}

    def factors(self, *overrides):
        points = self.run_points('problem = "lu"', *overrides)
        for point in points:
            self.assertTrue(point["verification"]["passed"], point["swept"])
            self.assertLess(point["figures"]["residual"], 1, point["swept"])
        return points

    def assert_bytes(self, point, **elements):
        size = self.BYTES[point["deck"]["lu.precision"]]
        for name, number in elements.items():
            self.assertAlmostEqual(point["figures"][f"{name}_mb"], number * size / 1e6, delta=1e-9,
                                   msg=f"{name} {point['swept']}")

    def test_factors_do_not_depend_on_devices_or_policies(self):
        # Verification compares bits with those of a plain elimination on the host.
        for pivot in (False, True):
            policies = self.with_sub_matrices()
            points = self.factors("lu.size=[1,7,33]", "lu.block=[1,4,64]", f"lu.pivot={pivot}".lower(),
                                  "coherence.devices=" + listed(DEVICES), "coherence.policy=" + listed(policies),
                                  "coherence.peer=[true,false]")
            self.assertEqual(len(points), 3 * 3 * len(DEVICES) * len(policies) * 2)
            self.assert_obeys_schema()

    def test_tiles_of_kernels_may_be_ragged(self):
        # More than a tile of 64 and a chunk of 32, in both directions.
        self.factors("lu.size=[130,200]", "lu.block=[33,70]", "lu.pivot=[false,true]", 'lu.precision=["float","double"]',
                     "coherence.devices=[0,3]", "coherence.asynchronous=[true,false]")

    def test_between_devices_goes_what_is_needed(self):
        points = self.factors("lu.size=[7,33,64]", "lu.block=[1,4]", 'lu.precision=["float","double"]',
                              "coherence.devices=[1,2,3,4]", "coherence.peer=[true,false]")
        for point in points:
            deck = point["deck"]
            n, moved = deck["lu.size"], broadcast(deck["lu.size"], deck["coherence.devices"], deck["lu.block"])
            # Room for a device's own rows and for those above, which it reads.
            self.assert_bytes(point, allocated=n * sum(
                last for first, last in parts(n, deck["coherence.devices"], deck["lu.block"]) if first < last))
            if deck["coherence.peer"]:
                self.assert_bytes(point, h2d=n * n, d2d=0, peer=moved, d2h=n * n)
            else:  # what goes through the host is there at the end
                self.assert_bytes(point, h2d=n * n + moved, d2d=0, peer=0, d2h=n * n)

    def test_two_devices_exchange_three_eighths_of_the_matrix(self):
        for point in self.factors("lu.size=[32,64,96]", "lu.block=[1,4]", "coherence.devices=2"):
            n, block = point["deck"]["lu.size"], point["deck"]["lu.block"]
            self.assert_bytes(point, peer=3 * n * n // 8 + block * n // 4, link=2 * n * n + 3 * n * n // 8 + block * n // 4)

    def test_whole_moves_what_the_paper_says(self):
        points = self.factors("lu.method=whole", "lu.size=[1,2,7,33]", 'lu.precision=["float","double"]',
                              "coherence.devices=" + listed(DEVICES), "coherence.policy=" + listed(POLICIES),
                              "coherence.peer=[true,false]")
        for point in points:
            deck = point["deck"]
            n, G, policy, peer = (deck[key] for key in ("lu.size", "coherence.devices", "coherence.policy", "coherence.peer"))
            vector, calls = n * n, n - 1
            if G == 0 or (calls == 0 and policy in ("region", "paper")):
                self.assert_bytes(point, h2d=0, d2d=0, peer=0, d2h=0)
            elif G == 1 and policy in ("region", "paper"):
                self.assert_bytes(point, h2d=vector, d2d=0, peer=0, d2h=vector)
            elif policy in ("region", "paper"):
                self.check_whole(point, vector, G, calls - 1, policy, peer)

    def check_whole(self, point, vector, G, C, policy, peer):
        if policy == "paper":
            # Anchors A4.1, with first contents from the host; the copies of two vectors and of that of the indices.
            within, first_up, first_across = C, G, 0
            if C > 0 and point["deck"]["lu.precision"] == "float":
                self.assert_bytes(point, allocated=(2 * G + 3) * vector)
        else:
            # A part is written inside of the copy of all; but for the first time that is not there yet. What one device has
            # from the host the others have from that.
            within, first_up, first_across = min(C, 1), 1 if peer else G, G - 1 if peer else 0
        if peer:
            self.assert_bytes(point, h2d=first_up * vector, d2d=within * vector,
                              peer=((G - 1) * C + first_across) * vector, d2h=vector)
        else:
            self.assert_bytes(point, h2d=(first_up + (G - 1) * C) * vector, d2d=within * vector, peer=0, d2h=(C + 1) * vector)

    def test_units_are_those_of_the_papers_table(self):
        calls = 201  # of which the first finds all on the host
        for peer, rows in ((False, ("d2d", "h2d", "d2h")), (True, ("d2d", "h2d", "peer", "d2h"))):
            point, = self.factors("lu.method=whole", f"lu.size={calls + 1}", "coherence.devices=2", "coherence.policy=paper",
                                  f"coherence.peer={peer}".lower())
            for name in rows:  # printed to a tenth of a megabyte, where a vector is 0.3 and calls are 198
                self.assertAlmostEqual(point["figures"][f"unit_{name}"], point["figures"][f"paper_{name}"], delta=0.004)

    def with_sub_matrices(self):
        """The policies that the program names to whoever uses another one for parts of rows."""
        result = self.run_app(self.write_deck('problem = "lu"'), *quick("lu.size=33", "lu.block=4", "coherence.policy=initial",
                                                                        "coherence.devices=2"))
        self.assert_refused(result, CAPABILITY, "the policy initial has no sub-matrices: rows [4, 8) columns [4, 33) of 'LU'",
                            "use whole rows, or the policy ")
        return re.split(", | or ", re.search("or the policy (.*)\n", result.stderr)[1])

    def test_others_take_rows(self):
        others = sorted(set(POLICIES) - set(self.with_sub_matrices()))
        self.assertIn("initial", others)
        self.factors("lu.size=[1,7,33]", "lu.block=1", "coherence.policy=" + listed(others), "coherence.devices=" + listed(DEVICES))
        self.factors("lu.size=33", "lu.block=64", "coherence.policy=" + listed(others), "coherence.devices=3")

    def test_large_matrices_are_checked_by_vectors(self):
        self.factors("lu.size=1030", "lu.pivot=[false,true]", "coherence.devices=2")

    def test_little_memory_is_made_up_for(self):
        for policy in ("region", "paper"):
            point, = self.factors("lu.method=whole", "lu.size=33", "coherence.devices=2", f"coherence.policy={policy}",
                                  f"coherence.capacity={2.2 * 33 * 33 * 4 / 2**30!r}")
            self.assertGreater(point["figures"]["evictions"], 0)

    def test_what_cannot_be_is_refused(self):
        deck = self.write_deck('problem = "lu"')
        for override, message in (("lu.pivot=true", 'lu.method "whole" has no pivoting'),
                                  ("lu.size=46341", 'lu.method "whole" has at most 46340 rows, and lu.size is 46341')):
            self.assert_refused(self.run_app(deck, *quick("lu.method=whole", override)), USAGE, message)


class MandelbrotPictures(AppTest):
    def test_nothing_goes_up(self):
        points = self.run_points('problem = "mandelbrot"', "mandelbrot.width=[1,33]", "mandelbrot.height=7",
                                 "mandelbrot.iterations=300", "coherence.devices=" + listed(DEVICES),
                                 "coherence.policy=" + listed(POLICIES), "coherence.peer=[true,false]")
        self.assertEqual(len(points), 2 * len(DEVICES) * len(POLICIES) * 2)
        self.assert_obeys_schema()
        for point in points:
            deck, figures = point["deck"], point["figures"]
            self.assertTrue(point["verification"]["passed"], point["swept"])
            picture = deck["mandelbrot.width"] * 7 * 4 if deck["coherence.devices"] else 0
            for name, size in (("h2d", 0), ("d2d", 0), ("peer", 0), ("d2h", picture), ("allocated", picture)):
                self.assertAlmostEqual(figures[f"{name}_mb"], size / 1e6, delta=1e-12, msg=f"{name} {point['swept']}")

    def test_the_picture_is_what_python_computes(self):
        width, height, limit, scale, centre = 31, 20, 700, 3.0, (-0.7, 0.3)
        self.run_points('problem = "mandelbrot"', f"mandelbrot.width={width}", f"mandelbrot.height={height}",
                        f"mandelbrot.iterations={limit}", f"mandelbrot.scale={scale}", f"mandelbrot.centre={list(centre)}",
                        "coherence.devices=3", "output.fields=true")
        path, = (self.folder / "results").glob("mandelbrot_*.pgm")
        magic, size, most, pixels = path.read_bytes().split(b"\n", 3)
        self.assertEqual((magic, size, most), (b"P5", b"%d %d" % (width, height), b"65535"))
        counts = [256 * high + low for high, low in zip(pixels[::2], pixels[1::2])]
        self.assertEqual(len(counts), width * height)
        step = scale / width
        for pixel, count in enumerate(counts):
            real = centre[0] + step * (pixel % width - 0.5 * (width - 1))
            imaginary = centre[1] - step * (pixel // width - 0.5 * (height - 1))
            self.assertEqual(count, self.count(real, imaginary, limit), (real, imaginary))
        self.assertGreater(len(set(counts)), 20)

    @staticmethod
    def count(real, imaginary, limit):
        x = y = 0.0
        for count in range(limit):
            if x * x + y * y > 4:
                return count
            x, y = x * x - y * y + real, 2 * x * y + imaginary
        return limit

    def test_the_area_is_known(self):
        # 1.50659 for the whole set; pixels on its edge and points that leave late make it larger.
        figures = self.run_points('problem = "mandelbrot"', "mandelbrot.width=400", "mandelbrot.height=300",
                                  "mandelbrot.iterations=2000", "coherence.devices=2")[0]["figures"]
        self.assertAlmostEqual(figures["area"], 1.5066, delta=0.01)


if __name__ == "__main__":
    unittest.main()
