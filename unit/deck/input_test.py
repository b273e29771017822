#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every deck of input/ runs, made small; those for GPUs (*_h200.toml) and those of lists are validated and planned."""

import re
import shlex
import tomllib
import unittest

from app import ROOT, USAGE, AppTest, quick

# Of decks of several problems.
SEVERAL = (1, "nbody.particles=60", "nbody.steps=2", "sph.particles=60", "sph.steps=2", "lu.size=12")
LISTS = [ROOT / "input" / name for name in ("papers.toml", "papers_h200.toml")]
DECKS = sorted(set((ROOT / "input").glob("*.toml")) - set(LISTS))
# What makes a deck of a problem small, and the ranks that it runs on. One that is not here runs as it stands, on one.
HEAT = ("grid.steps=5", "run.verify=true")
SMALL = {
    "heat2d": (4, "grid.size=[200,136]", *HEAT),
    "heat3d": (4, "grid.size=[20,18,16]", *HEAT),
    "gray_scott2d": (4, "grid.size=[40,36]", *HEAT),
    "gray_scott3d": (4, "grid.size=[20,18,16]", *HEAT),
    "wave2d": (4, "grid.size=[72,68]", "wave.sponge=20", "wave.source=[36,10]", "wave.receivers=[30,4]", *HEAT),
    "wave3d": (4, "grid.size=[34,32,32]", "wave.sponge=10", *HEAT),
    "life": (4, "grid.size=[40,36]", *HEAT),
    "lbm2d": (4, "grid.size=[40,36]", *HEAT),
    "advection3d": (4, "grid.size=[44,40,36]", *HEAT),
    "euler2d": (4, "grid.size=[40,36]", *HEAT),
    "miniweather": (4, "grid.size=[40,36]", *HEAT),
    "implicit2d": (4, "grid.size=[10,10]", "run.verify=true"),  # tea_bm_1
    "implicit3d": (4, "grid.size=[20,18,16]", "run.verify=true"),
    "hpcg": (4, "grid.size=[32,32,16]"),
    "malloc_sweep": (1, "allocator.pool=0.0078125", "malloc.threads=[96,512]", "run.verify=true"),
    "getpage": (1, "allocator.pool=0.002", "getpage.threads=[32,256]"),
    "page_steps": (1, "steps.threads=[32,5000]"),
    "atomics": (1, "atomics.threads=[96,512]"),
    "allocation": (1, "allocator.pool=0.0078125", "allocation.blocks=2", "allocation.threads=48", "allocation.floats=[25,400]"),
    "hash_join": (1, "allocator.pool=0.0078125", "hash_join.tuples=[1,5000]"),
    "work_generation": (1, "allocator.pool=0.0078125", "work.threads=[33,500]"),
    "graph": (1, "allocator.pool=0.0078125", "graph.vertices=200", "graph.inserted=300", "graph.deleted=300", "run.verify=true"),
    "transfer": (1, "transfer.bytes=[1000,1638400]", "transfer.streams=[1,5]", "link.kernel=1"),
    "bandwidth": (1, "transfer.bytes=[4,1000000]"),
    "vector_add": (1, "transfer.bytes=[1000,1638400]", "transfer.streams=[1,5]"),
    "nbody": (1, "nbody.particles=60", "nbody.steps=2", "coherence.devices=2"),
    "sph": (1, "sph.particles=60", "sph.steps=2", "coherence.devices=2"),
    "lu": (1, "lu.size=40", "lu.block=8", "coherence.devices=2"),
    "mandelbrot": (1, "mandelbrot.width=50", "mandelbrot.height=40", "mandelbrot.iterations=256", "coherence.devices=2"),
    "ppmcc": (1, "statistics.elements=5000", "coherence.devices=2"),
    "mse": (1, "statistics.elements=5000", "coherence.devices=2"),
    "collectives": (1, "allocator.pool=0.0078125", "collectives.blocks=1", "collectives.threads=1"),
}


class InputDecks(AppTest):
    RANKS = 4

    def planned(self, path, *overrides, ranks):
        return self.run_ok(path, *overrides, "--dry-run", ranks=ranks).stdout.count("point ")

    def check_point(self, point):
        if point["work"]["problem"] == "getpage":
            self.assertGreaterEqual(point["figures"]["tas"], 1, point["swept"])
            self.assertEqual(point["figures"]["failures"], 0, point["swept"])
        if point["work"]["problem"] == "page_steps":
            self.assertGreaterEqual(point["figures"]["tas_walk"], 1, point["swept"])
        elif point["deck"]["run.measure"] == "exchange":
            self.assertGreater(point["exchange_s"], 0, point["swept"])
        else:
            self.assertTrue(point["verification"]["passed"], point["swept"])

    def check(self, path):
        self.assertIn(" is a valid deck of ", self.run_ok(path, "--validate").stdout)
        printed = self.run_ok(path, "--print-deck").stdout
        problem = re.search(r'^problem = "(.*?)"', printed, re.MULTILINE)
        ranks, *small = SMALL.get(problem[1], (1,)) if problem else SEVERAL
        self.assertGreaterEqual(self.planned(path, ranks=ranks), 1)
        if path.stem.endswith("_h200"):
            return
        self.run_ok(path, *quick(*small), ranks=ranks)
        points = self.results()["points"]
        self.assertEqual(len(points), self.planned(path, *small, ranks=ranks))
        self.assert_obeys_schema()
        for point in points:
            self.check_point(point)


class ListsOfDecks(AppTest):
    RANKS = 4

    def test_each_run_is_valid(self):
        for path in LISTS:
            for run in tomllib.loads(path.read_text(encoding="utf-8"))["run"]:
                given = (ROOT / "input" / run["deck"], *run.get("settings", ()))
                self.assertIn(" is a valid deck of ", self.run_ok(*given, "--validate").stdout)
                self.assertGreaterEqual(self.run_ok(*given, "--dry-run", ranks=run.get("ranks", 1)).stdout.count("point "), 1)

    def test_haloheap_runs_none(self):
        for path in LISTS:
            self.assert_refused(self.run_app(path), USAGE, "[[run]]: this is a list of decks, which scripts/run runs")


class DeckTexts(AppTest):
    def test_the_commands_in_heads_are_valid(self):
        """Decks are small; what docs/results measured stands in their heads."""
        heads = [re.sub(r"\\\n# +", "", path.read_text()) for path in DECKS]
        commands = [match for head in heads
                    for match in re.findall(r"(?m)^#   (?:HALOHEAP_RANKS=\d+ )?scripts/run (input/\S+.*)$", head)]
        self.assertGreater(len(commands), 30)
        for command in commands:
            deck, *overrides = shlex.split(command)
            self.assertIn(" is a valid deck of ", self.run_ok(ROOT / deck, *overrides, "--validate").stdout, command)

    def test_norms_have_something_to_say(self):
        """A sine that spans a large grid changes by less than the last bit of a float in a step."""
        with_norm = []
        for path in (path for path in DECKS if path.stem.startswith("bench_")):
            deck = tomllib.loads(self.run_ok(path, "--print-deck").stdout)
            if deck.get("problem", "heat2d").startswith("heat") and deck["run"]["residual"]:
                with_norm.append(path.stem)
                self.assertEqual(deck["initial"]["kind"], "random", path)
        self.assertIn("bench_scaling", with_norm)


def add_tests():
    for path in DECKS:
        def test(self, path=path):
            self.check(path)
        setattr(InputDecks, f"test_{path.stem}", test)


add_tests()

if __name__ == "__main__":
    unittest.main()
