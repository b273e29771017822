#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results guidelines on made-up results of which every verdict is known.

The results are those of a machine on which all that [Bhimani2016] says holds, narrowly; each test moves a few times across a limit.
"""

import unittest

from support import PACKAGE, ROOT, CommandTest, document, point
from transfer_sample import EMULATED, transfer_point

SMALL, LARGE = 4096, 1 << 20
TIMES = {  # µs by bound, size and mode: of schedule none, and of both schedules on four streams
    ("compute", LARGE, "pageable"): (1045, 1200, 1050),
    ("compute", LARGE, "pinned"): (1040, 1030, 1035),
    ("compute", LARGE, "managed"): (1000, 1100, 1110),
    ("balanced", LARGE, "pageable"): (500, 520, 530),
    ("balanced", LARGE, "pinned"): (510, 505, 506),
    ("balanced", LARGE, "managed"): (540, 600, 610),
    ("communication", LARGE, "pageable"): (100, 120, 110),
    ("communication", LARGE, "pinned"): (102, 101, 101.5),
    ("communication", LARGE, "managed"): (200, 220, 230),
    ("communication", SMALL, "pageable"): (12, 15, 14),
    ("communication", SMALL, "pinned"): (10, 9.5, 9.75),
    ("communication", SMALL, "managed"): (20, 25, 26),
}
SCHEDULES = NONE, DEPTH, BREADTH = ("none", "depth_first", "breadth_first")
HOLDS, FAILS, UNKNOWN = "holds here", "does not hold here", "not measured"


def run(bound, mode, schedule=NONE, size=LARGE, streams=4):
    """A run's name."""
    return bound, mode, schedule, size, streams


def machine(changes=(), scale=()):
    """{run: µs}. `changes` are {run: µs}; `scale` is {mode: factor}."""
    times = {run(bound, mode, schedule, size): time for (bound, size, mode), of_mode in TIMES.items()
             for schedule, time in zip(SCHEDULES, of_mode)}
    times |= dict(changes)
    factors = dict(scale)
    return {name: time and time * factors.get(name[1], 1) for name, time in times.items()}


def without(**fields):
    """The machine but what has these fields: without(bound="compute")."""
    names = ("bound", "mode", "schedule", "size", "streams")
    return {name: time for name, time in machine().items()
            if not all(name[names.index(field)] == value for field, value in fields.items())}


def points_of(times, **more):
    """Files that do not say what their kernels took, unless it is among `more`."""
    return [transfer_point(mode, schedule, streams, size, bound, time, **{"kernel_us": None, **more})
            for (bound, mode, schedule, size, streams), time in times.items()]


class GuidelinesTest(CommandTest):
    def run_guidelines(self, points, *options, older=None):
        path = self.write("results.json", document(points))
        more = [] if older is None else ["--older", self.write("older.json", document(older))]
        return self.run_command("guidelines", path, *options, *more)

    def printed(self, points, *options, older=None):
        result = self.run_guidelines(points, *options, older=older)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return result.stdout

    def rows(self, times, older=None, **more):
        """{number: (verdict, numbers)}"""
        if isinstance(times, dict):
            times = points_of(times, **more)
        text = self.printed(times, older=older).partition("### Table III")[0]
        lines = [line for line in text.splitlines() if line.startswith("| ")]
        cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
        self.assertEqual({len(row) for row in cells}, {5}, "a table with ragged rows")
        self.assertEqual([row[0] for row in cells], ["#", "---", "1", "2", "3", "4", "5", "6", "7"])
        return {int(row[0]): (row[2], row[3]) for row in cells[2:]}

    def verdicts(self, times, **more):
        return {number: verdict for number, (verdict, _) in self.rows(times, **more).items()}

    def assert_verdict(self, guideline, verdict, changes=(), numbers=None):
        """After these changes of the machine; `numbers` must be said."""
        found, text = self.rows(machine(changes))[guideline]
        self.assertEqual(found, verdict, text)
        self.assertIn(numbers or "", text)

    def test_all_hold_on_the_papers_machine(self):
        self.assertEqual(self.verdicts(machine()), {1: HOLDS, 2: HOLDS, 3: HOLDS, 4: HOLDS, 5: HOLDS, 6: HOLDS, 7: UNKNOWN})

    def test_1_managed_is_at_most_5_percent_above_the_best_when_compute_bound(self):
        managed, pinned = run("compute", "managed"), run("compute", "pinned", DEPTH)
        self.assert_verdict(1, HOLDS, {}, "managed 1000, pinned 1030 (depth_first, 4): the best")
        self.assert_verdict(1, HOLDS, {managed: 1050, pinned: 1000}, "managed 1050, pinned 1000 (depth_first, 4): 1.05")
        self.assert_verdict(1, FAILS, {managed: 1051, pinned: 1000})

    def test_1_is_told_with_and_without_streams(self):
        changes = {run("compute", "managed"): 1100, run("compute", "managed", BREADTH): 1070}
        self.assert_verdict(1, HOLDS, changes, "managed 1070 (breadth_first, 4), pinned 1030 (depth_first, 4): 1.04; without "
                            "streams: managed 1100, pinned 1040: 1.06, so that it does not hold here")
        self.assert_verdict(1, HOLDS, {}, "; without streams: managed 1000, pinned 1040: 1.00, so that it holds here")
        rows = self.rows(without(bound="compute", schedule=NONE))
        self.assertTrue(rows[1][1].endswith("; without streams: not measured"), rows[1][1])

    def test_2_pinned_at_the_smallest_size(self):
        pageable = run("communication", "pageable", size=SMALL)
        self.assert_verdict(2, HOLDS, {pageable: 9.05}, "4 KiB: pinned 9.5 (depth_first, 4), pageable 9.05: 1.05 ")
        self.assert_verdict(2, FAILS, {pageable: 9.04})

    def test_2_pageable_at_the_largest_size(self):
        pinned = run("communication", "pinned", DEPTH)
        self.assert_verdict(2, HOLDS, {pinned: 95.3}, "1 MiB: pageable 100, pinned 95.3 (depth_first, 4): 1.05")
        self.assert_verdict(2, FAILS, {pinned: 95.2})

    def test_2_takes_two_sizes(self):
        self.assertEqual(self.rows(without(size=SMALL))[2], (UNKNOWN, "one size alone"))
        self.assertEqual(self.verdicts(without(size=SMALL)), {1: HOLDS, 2: UNKNOWN, 3: HOLDS, 4: HOLDS, 5: HOLDS, 6: HOLDS,
                                                              7: UNKNOWN})

    def test_2_sizes_between_do_not_count(self):
        between = {run("communication", mode, size=65536): time for mode, time in (("pinned", 40), ("pageable", 20))}
        self.assert_verdict(2, HOLDS, between)

    def test_3_worst_and_best_memory_are_10_percent_apart_when_balanced(self):
        managed = run("balanced", "managed")
        self.assert_verdict(3, HOLDS, {managed: 550}, "pageable 500, pinned 510, managed 550: 1.10")
        self.assert_verdict(3, FAILS, {managed: 551})
        self.assert_verdict(3, FAILS, {run("balanced", "pinned"): 450}, ": 1.20")

    def test_3_looks_at_schedule_none_alone(self):
        self.assert_verdict(3, HOLDS, {run("balanced", "pageable", BREADTH): 100})
        rows = self.rows(without(bound="balanced", schedule=NONE))
        self.assertEqual(rows[3], (UNKNOWN, "no two memories with schedule none"))

    def test_4_streams_of_pinned_memory_are_faster_with_either_schedule(self):
        for schedule in (DEPTH, BREADTH):
            for bound, time in (("compute", 1040), ("balanced", 510), ("communication", 102)):
                with self.subTest(f"{schedule}, {bound}"):
                    self.assert_verdict(4, FAILS, {run(bound, "pinned", schedule): time})
        self.assert_verdict(4, HOLDS, {run("compute", "pinned", DEPTH): 1039.5}, "compute: 1040 -> 1040 (4) / 1035 (4)")

    def test_4_takes_the_best_number_of_streams(self):
        changes = {run("compute", "pinned", BREADTH): 1900, run("compute", "pinned", BREADTH, streams=8): 1036}
        self.assert_verdict(4, HOLDS, changes, "compute: 1040 -> 1030 (4) / 1036 (8)")

    def test_4_one_stream_is_no_stream(self):
        changes = {run("compute", "pinned", BREADTH): 1900, run("compute", "pinned", BREADTH, streams=1): 900}
        self.assert_verdict(4, FAILS, changes)

    def test_5_schedules_of_pageable_memory_differ_somewhere(self):
        depth = run("compute", "pageable", DEPTH)
        self.assert_verdict(5, FAILS, {depth: 1155}, "; compute: 1160 / 1050 (4): 1.10")
        self.assert_verdict(5, HOLDS, {depth: 1156})
        self.assert_verdict(5, HOLDS, {depth: 1155, run("balanced", "pageable", BREADTH): 573})
        self.assert_verdict(5, HOLDS, {depth: 940}, "compute: 940 / 1050 (4): 1.12")

    def test_5_is_of_the_same_number_of_streams_above_1(self):
        alike = {run("compute", "pageable", DEPTH): 1050}
        self.assert_verdict(5, FAILS, alike)
        one = {run("compute", "pageable", schedule, streams=1): time for schedule, time in ((DEPTH, 1000), (BREADTH, 2000))}
        self.assert_verdict(5, FAILS, alike | one)
        other = {run("compute", "pageable", DEPTH, streams=8): 2000, run("compute", "pageable", BREADTH, streams=16): 1000}
        self.assert_verdict(5, FAILS, alike | other)
        pair = {run("compute", "pageable", schedule, streams=8): time for schedule, time in ((DEPTH, 2000), (BREADTH, 1000))}
        self.assert_verdict(5, HOLDS, alike | pair, "compute: 2000 / 1000 (8): 2.00")
        swapped = dict(zip(pair, reversed(pair.values())))
        self.assert_verdict(5, HOLDS, alike | swapped, "compute: 1000 / 2000 (8): 2.00")

    def test_5_is_of_pageable_memory(self):
        alike = {run("compute", "pageable", DEPTH): 1050}
        self.assert_verdict(5, FAILS, alike | {run("compute", "pinned", DEPTH): 100})

    def test_6_streams_of_managed_memory_are_nowhere_faster(self):
        for schedule in (DEPTH, BREADTH):
            for bound, time in (("compute", 1000), ("balanced", 540), ("communication", 200)):
                with self.subTest(f"{schedule}, {bound}"):
                    self.assert_verdict(6, HOLDS, {run(bound, "managed", schedule): time})
                    self.assert_verdict(6, FAILS, {run(bound, "managed", schedule): time - 0.5})
        more = run("compute", "managed", DEPTH, streams=16)
        self.assert_verdict(6, FAILS, {more: 999}, "compute: 1000 -> 999 (16) / 1110 (4)")
        self.assert_verdict(6, HOLDS, {run("compute", "managed", DEPTH, streams=1): 999})

    def test_7_needs_an_older_machine(self):
        self.assertEqual(self.rows(machine())[7], (UNKNOWN, "no older machine (--older)"))

    def test_7_pageable_and_managed_gain_and_pinned_does_not(self):
        for scale, verdict in (({"pageable": 1.5, "managed": 1.5, "pinned": 1.49}, HOLDS),
                               ({"pageable": 1.49, "managed": 1.5, "pinned": 1.0}, FAILS),
                               ({"pageable": 1.5, "managed": 1.49, "pinned": 1.0}, FAILS),
                               ({"pageable": 2.0, "managed": 2.0, "pinned": 1.5}, FAILS)):
            with self.subTest(scale):
                found, text = self.rows(machine(), older=points_of(machine(scale=scale)))[7]
                self.assertEqual(found, verdict, text)
                self.assertIn(f"1 MiB: pageable {number(100 * scale['pageable'])} -> 100: {scale['pageable']:.2f};", text)

    def test_7_looks_at_the_communication_bound_and_the_largest_size_of_both(self):
        older = machine(scale={"pageable": 2, "managed": 2})
        elsewhere = {name: 1 for name in older if name[0] != "communication" or name[2] != NONE}
        self.assertEqual(self.verdicts(machine(), older=points_of(older | elsewhere))[7], HOLDS)
        small = {name: time for name, time in older.items() if name[3] == SMALL}
        found, text = self.rows(machine(), older=points_of(small))[7]
        self.assertEqual((found, text.split(":")[0]), (HOLDS, "4 KiB"))

    def test_7_what_the_older_machine_lacks(self):
        older = machine(scale={"pageable": 2, "managed": 2})
        part = {name: time for name, time in older.items() if name[1] != "managed"}
        found, text = self.rows(machine(), older=points_of(part))[7]
        self.assertEqual((found, "no managed" in text), (UNKNOWN, True), text)
        part = {name: time / 2 for name, time in part.items()}
        self.assertEqual(self.verdicts(machine(), older=points_of(part))[7], FAILS, "pageable does not gain: that decides")
        other = {run("communication", "pinned", size=1024): 3}
        self.assertEqual(self.rows(machine(), older=points_of(other))[7], (UNKNOWN, "no size that both machines have"))
        vector_add = points_of(older, problem="vector_add")
        self.assertEqual(self.rows(machine(), older=vector_add)[7], (UNKNOWN, "no older machine (--older)"))

    def two_machines(self, **kernels):
        """Here a kernel takes 20 of 100, 102 and 200 us, and 40 on the older machine, whose transfers take twice as long with
        pageable, as long with pinned and 1.05 times as long with managed memory."""
        transfers = {"pageable": 80, "pinned": 82, "managed": 180}
        slower = {"pageable": 2, "pinned": 1, "managed": 1.05}
        here = points_of({run("communication", mode): time + 20 for mode, time in transfers.items()}, kernel_us=20, **kernels)
        older = points_of({run("communication", mode): slower[mode] * time + 40 for mode, time in transfers.items()}, kernel_us=40)
        return here, older

    def test_7_does_not_count_the_kernel(self):
        here, older = self.two_machines()
        self.assertEqual(self.rows(here, older=older)[7], (
            FAILS, "1 MiB: pageable 160 -> 80: 2.00; pinned 82 -> 82: 1.00; managed 189 -> 180: 1.05"))
        del older[1]["figures"]["kernel_us"]  # that of pinned memory
        self.assertIn("pageable 200 -> 100: 2.00; pinned 122 -> 102: 1.20", self.rows(here, older=older)[7][1])

    def test_table_3_has_three_bounds(self):
        """With the same kernel on both machines, of 0.1, 1 and 10 times the 82 us of pinned memory here."""
        here, older = self.two_machines()
        text = self.printed(here, older=older)
        _, heading, table = text.partition("### Table III of [Bhimani2016], two buses, 1 MiB\n\n")
        self.assertTrue(heading, text)
        self.assertEqual(table.split("\n\n")[0].splitlines(), [
            "| memory | [Bhimani2016] | transfers alone | communication | balanced | compute |",
            "| --- | --- | --- | --- | --- | --- |",
            "| pageable | V.3 < V.2 | < 160 -> 80: 2.00 | < 168 -> 88.2: 1.91 | < 242 -> 162: 1.49 | ~ 980 -> 900: 1.09 |",
            "| pinned | V.3 ~ V.2 | ~ 82 -> 82: 1.00 | ~ 90.2 -> 90.2: 1.00 | ~ 164 -> 164: 1.00 | ~ 902 -> 902: 1.00 |",
            "| managed | V.3 < V.2 | ~ 189 -> 180: 1.05 | ~ 197 -> 188: 1.05 | ~ 271 -> 262: 1.03 | ~ 1010 -> 1000: 1.01 |"])
        self.assertIn("is added by calculation", table)
        plain = self.printed(here, "--plain", older=older)
        self.assertIn("pageable\n   [Bhimani2016]: V.3 < V.2\n   transfers alone: < 160 -> 80: 2.00\n   communication: <", plain)
        self.assertLessEqual(max(map(len, plain.splitlines())), 100)
        slower = self.printed(older, older=here)
        self.assertIn("| pageable | V.3 < V.2 | > 80 -> 160: 0.50 |", slower)

    def test_table_3_leaves_out_what_is_missing(self):
        here, older = self.two_machines()
        self.assertNotIn("Table III", self.printed(here))
        self.assertNotIn("Table III", self.printed(here, older=points_of(machine())), "nobody says what the kernel took")
        self.assertNotIn("Table III", self.printed(here, older=[older[0], older[2]]), "nor without pinned memory")
        self.assertIn("| managed | V.3 < V.2 | - | - | - | - |", self.printed(here, older=older[:2]))

    def test_the_page_has_the_table_of_the_runs_that_ship(self):
        newer, older = (PACKAGE / f"data/reference/cpu/transfer_pcie{version}.json.gz" for version in (3, 2))
        text = self.run_command("guidelines", newer, "--older", older).stdout
        table = text.partition("### Table III")[2].split("\n\n")[1]
        page = (ROOT / "docs/results/2026-11_transfers.md").read_text(encoding="utf-8")
        self.assertTrue(f"\n\n{table}\n\n" in page, table)

    def test_the_largest_size_is_judged(self):
        smaller = {run("compute", "managed", size=SMALL): 100, run("compute", "pinned", size=SMALL): 50,
                   run("balanced", "managed", size=SMALL): 100, run("balanced", "pinned", size=SMALL): 10,
                   run("compute", "pinned", DEPTH, SMALL): 60, run("compute", "managed", DEPTH, SMALL): 10}
        self.assertEqual(self.verdicts(machine(smaller)), self.verdicts(machine()))
        text = self.printed(points_of(machine()))
        self.assertIn("Judged at 1 MiB, the largest of 2 sizes.", text)
        self.assertIn("Judged at 4 KiB.", self.printed(points_of(without(size=LARGE))))

    def test_a_missing_bound_is_not_measured(self):
        self.assertEqual(self.verdicts(without(bound="compute")),
                         {1: UNKNOWN, 2: HOLDS, 3: HOLDS, 4: UNKNOWN, 5: UNKNOWN, 6: UNKNOWN, 7: UNKNOWN})
        self.assertEqual(self.verdicts(without(bound="balanced")),
                         {1: HOLDS, 2: HOLDS, 3: UNKNOWN, 4: UNKNOWN, 5: HOLDS, 6: UNKNOWN, 7: UNKNOWN})
        rows = self.rows(without(bound="communication"))
        self.assertEqual(rows[2], (UNKNOWN, "no such times"))
        self.assertIn("communication: no pinned with and without streams; balanced: 510 ->", rows[4][1])

    def test_a_counterexample_decides_although_others_are_missing(self):
        times = without(bound="compute") | {run("balanced", "pinned", DEPTH): 511, run("balanced", "managed", DEPTH): 539,
                                            run("balanced", "pageable", DEPTH): 600}
        verdicts = self.verdicts(times)
        self.assertEqual([verdicts[number] for number in (4, 5, 6)], [FAILS, HOLDS, FAILS])

    def test_a_missing_memory_is_not_measured_unless_the_others_decide(self):
        rows = self.rows(without(mode="managed"))
        self.assertEqual([rows[number][0] for number in range(1, 7)], [UNKNOWN] * 3 + [HOLDS, HOLDS, UNKNOWN])
        self.assertIn("no managed", rows[2][1])
        times = without(mode="managed") | {run("balanced", "pinned"): 600, run("communication", "pinned"): 80}
        verdicts = self.verdicts(times)
        self.assertEqual([verdicts[number] for number in (2, 3)], [FAILS, FAILS])
        alone = {name: time for name, time in machine().items() if name[1] == "pinned"}
        verdicts = self.verdicts(alone)
        self.assertEqual([verdicts[number] for number in range(1, 7)], [UNKNOWN] * 3 + [HOLDS] + [UNKNOWN] * 2)

    def test_a_missing_schedule_is_not_measured(self):
        verdicts = self.verdicts(without(schedule=BREADTH))
        self.assertEqual([verdicts[number] for number in (4, 5, 6)], [UNKNOWN] * 3)
        rows = self.rows(without(schedule=NONE))
        self.assertEqual([rows[number][0] for number in (4, 5, 6)], [UNKNOWN, HOLDS, UNKNOWN])
        self.assertEqual(rows[4][1], "communication, balanced, compute: no pinned with and without streams")

    def test_times_that_are_zero_or_null_are_missing(self):
        for value in (0, None, float("nan"), -5):
            with self.subTest(value):
                rows = self.rows(machine({run("compute", "managed", schedule): value for schedule in SCHEDULES}))
                self.assertEqual([rows[number][0] for number in (1, 6)], [UNKNOWN, UNKNOWN])

    def test_points_without_figures_are_missing(self):
        points = points_of(machine())
        for each in points:
            if each["deck"]["transfer.mode"] == "managed":
                each["figures"] = {}
        self.assertEqual(self.verdicts(points), self.verdicts(without(mode="managed")))
        del points[0]["figures"], points[1]["deck"]["transfer.mode"], points[2]["deck"]["transfer.bytes"]
        self.printed(points)

    def test_what_a_sweep_over_streams_repeats_counts_once(self):
        repeated = [transfer_point("managed", NONE, streams, LARGE, "compute", time)
                    for streams, time in ((1, 5000), (2, 990), (3, 1))]
        times = {name: time for name, time in machine().items() if name != run("compute", "managed")}
        found, text = self.rows(points_of(times) + repeated)[1]
        self.assertEqual((found, text.split(",")[0]), (HOLDS, "1 MiB: managed 990"), "neither the fastest nor the slowest")

    def test_pinned_memory_is_paid_back(self):
        costs = {"pageable": 100, "pinned": 1100}
        points = [each for name, time in machine().items()
                  for each in points_of({name: time}, allocate_us=costs.get(name[1]))]
        text = self.rows(points)[2][1]
        self.assertIn("; 4 KiB: allocating pinned takes 1000 us more, paid back after 400 runs", text)
        self.assertIn("; 1 MiB: allocating pinned takes 1000 us more, never paid back", text)

    def paid_back(self, pageable, pinned):
        points = [transfer_point(mode, NONE, 1, SMALL, "communication", time, allocate_us=cost)
                  for mode, time, cost in (("pageable", 12, pageable), ("pinned", 10, pinned))]
        return self.rows(points)[2][1]

    def test_what_allocating_costs_more_or_less(self):
        told = "one size alone; 4 KiB: allocating pinned takes "
        self.assertEqual(self.paid_back(0, 5), told + "5 us more, paid back after 3 runs")
        self.assertEqual(self.paid_back(4, 6), told + "2 us more, paid back after 1 run")
        self.assertEqual(self.paid_back(60, 10), told + "50 us less")
        self.assertEqual(self.paid_back(None, 10), "one size alone")
        self.assertEqual(self.paid_back(10, float("nan")), "one size alone")

    def test_the_best_of_the_papers_versions_stands_beside_the_best_of_all(self):
        last = self.printed(points_of(machine())).splitlines()[-1]
        self.assertEqual(last, "Best of the versions of [Bhimani2016] against the best of all modes [us], 1 MiB; "
                         "communication: pageable 100, best of all; balanced: pageable 500, best of all; "
                         "compute: managed 1000, best of all; no other modes in the file.")
        faster = {run("communication", "graph", DEPTH, streams=8): 80, run("compute", "mapped"): 2000}
        last = self.printed(points_of(machine(faster))).splitlines()[-1]
        self.assertIn("communication: pageable 100, graph 80 (depth_first, 8): 1.25; balanced: pageable 500, best", last)
        self.assertNotIn("no other modes", last)
        last = self.printed(points_of({run("compute", "graph"): 5})).splitlines()[-1]
        self.assertIn("communication: not measured; balanced: not measured; compute: not measured", last)

    def test_the_worst_of_the_papers_versions_stands_over_the_best(self):
        line = self.printed(points_of(machine())).splitlines()[-3]
        self.assertEqual(line, "Worst over best of the versions of [Bhimani2016], which says that good choices alone give 2.6 "
                         "[us], 1 MiB; communication: managed 230 (breadth_first, 4) over pageable 100: 2.30 of 9; balanced: "
                         "managed 610 (breadth_first, 4) over pageable 500: 1.22 of 9; compute: pageable 1200 (depth_first, 4) "
                         "over managed 1000: 1.20 of 9.")
        others = {run("communication", "graph", DEPTH, streams=8): 8, run("compute", "mapped"): 20000}
        self.assertIn(line, self.printed(points_of(machine(others))))
        self.assertIn("compute: not measured", self.printed(points_of(without(bound="compute"))).splitlines()[-3])

    def test_7_on_an_emulated_bus_is_told_to_be_that(self):
        told = "an emulated bus: what the rates in the decks say, not measured"
        older = machine(scale={"pageable": 2, "managed": 2})
        found, text = self.rows(points_of(machine()), older=points_of(older, notes=[EMULATED]))[7]
        self.assertEqual((found, told in text), (HOLDS, True), text)
        self.assertNotIn(told, self.rows(machine(), older=points_of(older))[7][1])

    def test_other_modes_do_not_judge(self):
        others = {run(bound, "graph", schedule, size): 1 for bound, _, schedule, size, _ in machine()}
        self.assertEqual(self.verdicts(machine(others)), self.verdicts(machine()))

    def test_vector_add_is_communication_bound(self):
        times = {("none", *name[1:]): time for name, time in machine().items() if name[0] == "communication"}
        rows = self.rows(points_of(times, problem="vector_add"))
        self.assertEqual([rows[number][0] for number in range(1, 7)], [UNKNOWN, HOLDS, UNKNOWN, HOLDS, FAILS, HOLDS])
        self.assertEqual([rows[number][1] for number in (1, 3)], ["vector_add is communication bound"] * 2)

    def test_each_problem_and_each_value_of_other_keys_has_a_table(self):
        points = [*points_of(machine(), extra={"link.h2d": 12.0}), *points_of(machine(), extra={"link.h2d": 25.5}),
                  *points_of(machine(), problem="vector_add")]
        titles = [line for line in self.printed(points).splitlines() if line.startswith("#")]
        self.assertEqual(titles, ["### transfer, link.h2d = 12", "### transfer, link.h2d = 25.5", "### vector_add"])

    def test_an_emulated_link_is_told(self):
        line = "the link is emulated; its times follow from section link of the deck, they are not measured."
        self.assertNotIn("emulated", self.printed(points_of(machine())))
        text = self.printed(points_of(machine(), notes=[EMULATED]), older=points_of(machine()))
        self.assertIn(f"This run: {line}\n", text)
        self.assertLess(text.index(line), text.index("| # |"), "above the table")
        self.assertNotIn("Older: the link", text)
        self.assertIn(f"Older: {line}", self.printed(points_of(machine()), older=points_of(machine(), notes=[EMULATED])))
        some = [*points_of(machine()), *points_of({run("compute", "graph"): 5}, notes=[EMULATED])]
        self.assertIn("This run: the link is emulated at some points;", self.printed(some))

    def test_plain_text_says_the_same(self):
        table = self.rows(machine())
        text = self.printed(points_of(machine()), "--plain")
        self.assertNotIn("|", text)
        self.assertLessEqual(max(map(len, text.splitlines())), 100)
        joined = " ".join(text.split())
        for verdict, numbers in table.values():
            self.assertIn(f": {verdict} {numbers} Rule: ", joined)

    def test_rules_are_told(self):
        text = self.printed(points_of(machine()))
        for rule in ("at most 5 % above", "at most 10 % above", "more than 10 % apart", "gain 1.5 at least"):
            self.assertIn(rule, text)

    def test_other_files_are_refused(self):
        nothing = "has no points of problem transfer or vector_add that have a time and a bound"
        for content, message in (("{ not json", "cannot read"), ("{}", "is not a results.json of haloheap"),
                                 (document([point(1, "sync", "none", 1.0)]), nothing),
                                 (document(points_of({run("compute", "pinned"): None})), nothing),
                                 (document(points_of({run("none", "pinned"): 5})), nothing)):
            with self.subTest(message):
                self.assert_refused(self.run_command("guidelines", *self.written(content)), message)
        self.assert_refused(self.run_command("guidelines", self.folder / "none.json"), "none.json")
        self.assert_refused(self.run_guidelines(points_of(machine()), older=[point(1, "sync", "none", 1.0)]), "older.json")


def number(value):
    return f"{value:g}"


if __name__ == "__main__":
    unittest.main()
