#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Every deck of input/ runs, made small; those for GPUs (*_h200.toml) are validated and planned."""

import unittest

from app import ROOT, AppTest, quick

DECKS = sorted((ROOT / "input").glob("*.toml"))
SIZES = {"heat2d": "[200,136]", "heat3d": "[20,18,16]"}


class InputDecks(AppTest):
    def planned(self, path, *overrides):
        return self.run_ok(path, *overrides, "--dry-run", ranks=4).stdout.count("point ")

    def check(self, path):
        self.assertIn(" is a valid deck of ", self.run_ok(path, "--validate").stdout)
        self.assertGreaterEqual(self.planned(path), 1)
        if path.stem.endswith("_h200"):
            return
        problem = "heat3d" if 'problem = "heat3d"' in self.run_ok(path, "--print-deck").stdout else "heat2d"
        small = (f"grid.size={SIZES[problem]}", "grid.steps=5", "run.verify=true")
        self.run_ok(path, *quick(*small), ranks=4)
        points = self.results()["points"]
        self.assertEqual(len(points), self.planned(path, *small))
        for point in points:
            if point["deck"]["run.measure"] == "exchange":
                self.assertGreater(point["exchange_s"], 0, point["swept"])
            else:
                self.assertTrue(point["verification"]["passed"], point["swept"])


def add_tests():
    for path in DECKS:
        def test(self, path=path):
            self.check(path)
        setattr(InputDecks, f"test_{path.stem}", test)


add_tests()

if __name__ == "__main__":
    unittest.main()
