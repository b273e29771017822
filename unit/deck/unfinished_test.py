#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What a run had finished when it failed or was killed is there, and says that it is not all."""

import csv
import json
import os
import signal
import time
import unittest

from app import OUT_OF_MEMORY, TIMEOUT, QUICK, AppTest, descendants, is_rank

DECK = """
problem = "heat2d"
grid = {size = [24, 17], steps = 9}
halo.depth = 2
"""
# Hours of work in the last of three points, which nobody waits for.
LONG = DECK.replace("steps = 9", "steps = [9, 10, 200000000]")
# Points that can be compared: they get a speedup and a hidden_share.
COMPARED = ('halo.overlap=["none","first_step"]', "run.phases=true")


class Unfinished(AppTest):
    RANKS = 4

    def rows(self, folder="results"):
        with open(self.folder / folder / "results.csv", encoding="utf-8", newline="") as file:
            return list(csv.DictReader(file))

    def check(self, completion, points):
        """Both files agree, and obey the schema."""
        document = self.results()
        self.assertEqual({key: value for key, value in document["completion"].items() if key != "error"}, completion)
        self.assertEqual(len(document["points"]), points)
        self.assertEqual([float(row["wall_s.median"]) for row in self.rows()],
                         [point["wall_s"]["median"] for point in document["points"]])
        self.assert_obeys_schema()
        self.assertEqual(list((self.folder / "results").glob("*.part")), [])
        return document

    def wait_for(self, happened, process):
        end = time.monotonic() + TIMEOUT
        while not happened():
            self.assertIsNone(process.poll(), "the program ended early")
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_a_whole_run_says_so(self):
        self.run_ok(self.write_deck(DECK), *QUICK, "halo.depth=[1,2]", *COMPARED, ranks=2)
        document = self.check({"complete": True, "planned_points": 4, "finished_points": 4}, 4)
        self.assertNotIn("error", document["completion"])

    def test_a_run_that_fails_late_keeps_what_it_had(self):
        result = self.run_app(self.write_deck(DECK), *QUICK, "halo.depth=[1,2]", *COMPARED,
                              "grid.size=[[24,17],[30,20],[2000000,2000000]]", ranks=4)
        self.assert_refused(result, OUT_OF_MEMORY, "GiB are needed in host memory by 4 ranks",
                            "haloheap: 8 of 12 points ran before this; their results: results/results.json")
        document = self.check({"complete": False, "planned_points": 12, "finished_points": 8}, 8)
        self.assertIn("GiB are needed in host memory by 4 ranks", document["completion"]["error"])
        for point in document["points"]:
            self.assertEqual("hidden_share" in point, point["path"]["overlap"] == "first_step")
            self.assertIn("speedup", point)

    def test_a_run_that_fails_at_once_leaves_what_was_there(self):
        self.run_ok(self.write_deck(DECK), *QUICK, ranks=2)
        before = self.results()
        result = self.run_app(self.write_deck(DECK), *QUICK, "grid.size=[2000000,2000000]", ranks=2)
        self.assert_refused(result, OUT_OF_MEMORY, "GiB are needed")
        self.assertNotIn("points ran", result.stderr)
        self.assertEqual(self.results(), before)

    def start_long(self):
        process = self.start(self.write_deck(LONG), *QUICK, ranks=2)
        path = self.folder / "results" / "results.json"
        self.wait_for(lambda: path.exists() and len(self.results()["points"]) == 2, process)
        self.wait_for(lambda: len(self.rows()) == 2, process)
        return process

    def test_points_are_there_while_the_next_one_runs(self):
        process = self.start_long()
        document = self.check({"complete": False, "planned_points": 3, "finished_points": 2}, 2)
        self.assertNotIn("error", document["completion"])
        self.end(process)
        self.check({"complete": False, "planned_points": 3, "finished_points": 2}, 2)

    def test_a_lost_rank_leaves_the_points_before(self):
        process = self.start_long()
        ranks = sorted(filter(is_rank, descendants(process.pid)))
        os.kill(ranks[-1], signal.SIGKILL)
        self.assertNotEqual(self.finish(process).returncode, 0)
        self.check({"complete": False, "planned_points": 3, "finished_points": 2}, 2)

    def test_every_reader_finds_a_whole_file_at_any_time(self):
        process = self.start(self.write_deck(DECK), *QUICK, "grid.steps=" + str(list(range(1, 61))), ranks=1)
        path = self.folder / "results" / "results.json"
        seen = []
        while process.poll() is None:
            if (self.folder / "results" / "results.csv").exists():
                seen.append(len(json.loads(path.read_text(encoding="utf-8"))["points"]))
                self.assertGreaterEqual(len(self.rows()), seen[-1] - 1, "it is written right after the other")
        self.assertEqual(self.finish(process).returncode, 0)
        self.assertEqual(seen, sorted(seen))
        self.check({"complete": True, "planned_points": 60, "finished_points": 60}, 60)


if __name__ == "__main__":
    unittest.main()
