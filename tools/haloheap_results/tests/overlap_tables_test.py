#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results tables on sweeps over depths: what it says of [Valen2023] is compared with its tables."""

import unittest

from support import CommandTest, document, point

# The last columns of Tables 5.1 and 5.2, as printed; theirs come from times with more digits than appendix C has.
PRINTED = {
    "V100": {1: 48.1397, 2: 33.3786, 4: 35.2514, 8: 31.6126, 16: 33.7302, 32: 30.7901, 64: 14.5914},
    "A100": {1: 83.3034, 2: 82.9539, 4: 79.1934, 8: 75.0933, 16: 54.3979, 32: 24.6493, 64: 17.1672},
}


def sweep(side, depths, versions, steps=2048, phases=True, barrier=True):
    """Of each version the time saved at depth 1; communication takes 1 s there, 0.2 s of it in the barrier if there is one."""
    points = []
    for exchange, overlap, saved in versions:
        for depth in depths:
            more = {}
            if phases:
                more["phases"] = {"pack_s": 9.0, "message_s": 0.5 / depth, "unpack_s": 0.3 / depth, "inner_s": 9.0,
                                  "outer_s": 9.0, "primary_s": 9.0}
            if phases and barrier:
                more["phases"]["desynchronisation_s"] = 0.2 / depth
            points.append(point(depth, exchange, overlap, 3.0 - saved / depth, side, steps, **more))
    return document(points)


OTHERS = ("Appendix C of [Valen2023]", "Ratios that [Valen2023] quotes")
SYNC = [("sync", "none", 0), ("sync", "first_step", 0.75), ("sync", "all_steps", 0.9)]


class OverlapTablesTest(CommandTest):
    def printed(self, content):
        """[(title, heads, {depth: cells}, all text)] of what is printed; expects success."""
        result = self.run_tables(content)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        tables = []
        for text in result.stdout.split("### ")[1:]:
            if text.startswith(OTHERS):
                continue
            lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
            self.assertEqual({len(line) for line in lines}, {len(lines[0])}, "a table with ragged rows")
            self.assertEqual(set(lines[1]), {"---:"})
            tables.append((text.splitlines()[0], lines[0], {int(line[0]): line for line in lines[2:]}, text))
        return tables

    def test_communication_and_what_is_hidden_of_it(self):
        ((title, heads, rows, text),) = self.printed(sweep(1000, [1, 2], SYNC))
        self.assertEqual(title, "heat2d, 1000 x 1000 float, 2048 steps, 4 ranks (2 x 2), sync")
        self.assertEqual(heads, ["depth"] + [f"this run, {overlap}: {what}" for overlap in ("first_step", "all_steps")
                                             for what in ("communication [s]", "saved [s]", "hidden [%]")])
        self.assertEqual(rows, {1: ["1", "1.0000", "0.7500", "75.0", "1.0000", "0.9000", "90.0"],
                                2: ["2", "0.5000", "0.3750", "75.0", "0.5000", "0.4500", "90.0"]})
        self.assertNotIn("Valen", text)
        self.assertNotIn("barrier", text)
        self.assertIn("This run: OpenMP on 2 x test CPU, Open MPI 4.1.4, 2026-01-02.", text)

    def test_the_papers_tables_stand_beside_its_experiment(self):
        depths = list(PRINTED["A100"])
        ((_, heads, rows, text),) = self.printed(sweep(35000, depths, SYNC))
        for gpu, table in (("V100", "Table 5.1"), ("A100", "Table 5.2")):
            column = heads.index(f"[Valen2023], {gpu} ({table}): hidden [%]")
            for depth in depths:
                self.assertAlmostEqual(float(rows[depth][column]), PRINTED[gpu][depth], delta=0.07)
        self.assertEqual(rows[1][heads.index("[Valen2023], A100 (Table 5.2): communication [s]")], "0.8578")
        self.assertNotIn("scaled", text)

    def test_seconds_of_the_thesis_are_scaled_to_the_steps_of_the_run(self):
        ((_, heads, rows, text),) = self.printed(sweep(35000, [1, 2], SYNC, steps=1024))
        self.assertEqual(rows[1][heads.index("[Valen2023], A100 (Table 5.2): communication [s]")], "0.4289")
        self.assertEqual(rows[1][heads.index("[Valen2023], A100 (Table 5.2): hidden [%]")], "83.3")
        self.assertIn("scaled from 2048 to 1024 steps", text)

    def test_other_sizes_and_exchanges_are_named_as_what_they_are(self):
        versions = [("async", "none", 0), ("async", "first_step", -0.1)]
        ((title, heads, rows, _),) = self.printed(sweep(35000, [1, 3], versions, barrier=False))
        self.assertTrue(title.endswith(", async"), title)
        self.assertIn("[Valen2023], A100: hidden [%]", heads)
        self.assertEqual(rows[1][:4], ["1", "0.8000", "-0.1000", "-12.5"])
        self.assertEqual(rows[3][4:], ["-"] * 6, "[Valen2023] has no depth 3")

    def test_a_run_without_barrier_says_so(self):
        ((_, _, _, text),) = self.printed(sweep(1000, [1, 2], SYNC, barrier=False))
        self.assertIn("This run had no barrier (run.desynchronisation)", text)

    def test_each_grid_and_exchange_has_a_table(self):
        both = SYNC[:2] + [("async", "none", 0), ("async", "first_step", 0.5)]
        results = sweep(1000, [1, 2], both)
        results["points"] += sweep(2000, [1, 2], both)["points"]
        titles = [title for title, _, _, _ in self.printed(results)]
        self.assertEqual([(title.split(",")[1].strip(), title.rsplit(", ", 1)[1]) for title in titles],
                         [("1000 x 1000 float", "sync"), ("1000 x 1000 float", "async"),
                          ("2000 x 2000 float", "sync"), ("2000 x 2000 float", "async")])

    def test_results_without_such_points_are_refused(self):
        for name, content in (("one depth", sweep(1000, [1], SYNC)), ("no overlap", sweep(1000, [1, 2], SYNC[:1])),
                              ("nothing without overlap", sweep(1000, [1, 2], SYNC[1:])),
                              ("no phases", sweep(1000, [1, 2], SYNC, phases=False))):
            with self.subTest(name):
                self.assert_refused(self.run_tables(content), "has nothing of which there is a table: neither points with and "
                                    "without overlap at several depths, and phase times: use "
                                    'halo.overlap=["none","first_step"]')

    def test_other_files_are_refused(self):
        self.assert_refused(self.run_tables('{"format": "another"}'), "is not a results.json of haloheap")


if __name__ == "__main__":
    unittest.main()
