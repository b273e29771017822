#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results tables on results of problems allocation and collectives."""

import gzip
import json
import unittest

from support import PACKAGE, ROOT, CommandTest, document, paper_rows, problem_point

SHIPPED = PACKAGE / "data/reference/gpu/allocation.json.gz"
# What [Blach2022] measured.
ITS_OWN = ["native", *(f"{name}_over_native" for name in ("block_header", "block_table", "warp_header", "warp_table"))]


def allocation(name, floats, work_us, deviation, work="linear"):
    figures = {"gflops": 12.5, "gflops_deviation": 0.5, "work_us": work_us, "work_deviation_us": deviation}
    for what in ("allocate", "free"):
        figures |= {f"{what}_us": 2000.0, f"{what}_deviation_us": 100.0}
    deck = {"allocator.name": name, "allocation.work": work, "allocation.floats": floats}
    return problem_point("allocation", deck, {}, figures)


def collectives(name, median_us, **more):
    deck = {"allocator.name": name, "collectives.operation": "alltoall", "collectives.blocks": 8,
            "collectives.threads": 32, "collectives.doubles": 4}
    figures = {"collective_5th_us": 0.5 * median_us, "collective_us": median_us, "collective_95th_us": 2 * median_us}
    return problem_point("collectives", deck, {}, figures, **more)


class AllocationTablesTest(CommandTest):
    def tables(self, points):
        result = self.run_tables(document(points))
        self.assertEqual(result.returncode, 0, result.stderr)
        return result.stdout

    def test_speed_ups_stand_beside_the_papers(self):
        text = self.tables([allocation("native", 100, 8.0, 0.8), allocation("warp_header_over_native", 100, 4.0, 0.0)])
        self.assertIn("| allocator | 100 | [Blach2022], 100 |", text)
        self.assertIn("| warp_header_over_native | 2 ± 0.2 | 2.44 ± 0.34 |", text)

    def test_times_are_milliseconds_as_the_papers(self):
        text = self.tables([allocation("native", 400, 8.0, 0.8)])
        self.assertIn("| native | 2 ± 0.1 | 297 ± 5.1 |", text)
        self.assertIn("| native | 2 ± 0.1 | 0.79 ± 0.42 |", text)

    def test_times_are_of_every_work(self):
        points = [allocation("native", 400, 8.0, 0.8, work) for work in ("linear", "quadratic")]
        points[1]["figures"] |= {"allocate_us": 3500.0, "free_us": 3.4, "free_deviation_us": 0.035}
        text = self.tables(points)
        for what, linear, quadratic in (("allocate", "2 ± 0.1 | 297 ± 5.1", "3.5 ± 0.1 | 297 ± 5.1"),
                                        ("free", "2 ± 0.1 | 0.79 ± 0.42", "0.0034 ± 0.000035 | 0.79 ± 0.42")):
            for work, row in (("linear", linear), ("quadratic", quadratic)):
                (table,) = [part for part in text.split("### ") if part.startswith(f"{what} [ms] by floats of a thread, with {work} work")]
                self.assertIn(f"| native | {row} |\n", table)

    def test_more_lengths_than_allocators_are_rows(self):
        text = self.tables([allocation("native", floats, 8.0, 0.8) for floats in (400, 25)])
        self.assertIn("| floats | native |\n| --- | ---: |\n| 25 | 12.5 ± 0.5 |\n| 400 | 12.5 ± 0.5 |\n", text)
        self.assertIn("| allocator | 25 | [Blach2022], 25 | 400 | [Blach2022], 400 |", text)

    def test_only_some_points(self):
        points = [allocation(name, floats, 8.0, 0.8) for name in ("native", "bump", "slab_walk") for floats in (100, 200, 400)]
        (path,) = self.written(document(points))
        text = self.run_command("tables", path, "--only", "allocation.floats=[100,400]", "allocator.name=bump").stdout
        self.assertIn("| allocator | 100 | [Blach2022], 100 | 400 | [Blach2022], 400 |", text)
        self.assertNotIn("| native |", text)
        self.assertIn("| floats | bump |\n| --- | ---: |\n| 100 | 12.5 ± 0.5 |\n| 400 |", text)
        for wanted, message in (("allocation.floats=25", "no point has allocation.floats = [25]"),
                                ("floats=100", "no deck of these results has the key 'floats'")):
            self.assert_refused(self.run_command("tables", path, "--only", wanted), message)

    def test_a_compressed_file_is_read(self):
        path = self.write("results.json.gz", gzip.compress(json.dumps(document([allocation("native", 100, 8.0, 0.8)])).encode()))
        self.assertIn("| native | 2 ± 0.1 | 10.4 ± 0.36 |", self.run_command("tables", path).stdout)
        self.assert_refused(self.run_command("tables", self.write("broken.json.gz", "{}")), "cannot read")

    def test_the_page_has_the_tables_of_the_run_that_ships(self):
        """Figures 1 and 2 at all lengths, 3 and 4 at those of [Blach2022], with both kinds of work."""
        page = (ROOT / "docs/results/2026-11_allocators.md").read_text(encoding="utf-8")
        heaps = f"allocator.name={json.dumps(ITS_OWN)}"
        for more, figures, number in (((), "(Figures 1 and 2)", 2), (("allocation.floats=[100,200,300,400]",), "(Figure ", 6)):
            text = self.run_command("tables", SHIPPED, "--only", heaps, *more).stdout
            tables = [part.split("\n\n")[1] for part in text.split("### ") if figures in part.split("\n")[0]]
            self.assertEqual(len(tables), number)
            for table in tables:
                self.assertTrue(f"\n\n{table.strip()}\n\n" in page, table)

    def test_what_the_paper_has_not_is_left_empty(self):
        text = self.tables([allocation("native", 125, 8.0, 0.8, "gather"), allocation("slab_walk", 125, 2.0, 0, "gather")])
        self.assertIn("| slab_walk | 4 ± 0.4 |\n", text)
        self.assertIn("| slab_walk | 2 ± 0.1 | - |", text)

    def test_without_native_there_are_no_speed_ups(self):
        self.assertNotIn("Figure 3", self.tables([allocation("slab_walk", 100, 2.0, 0.1)]))

    def test_blocks_of_several_sizes_have_tables_of_their_own(self):
        points = []
        for threads in (64, 1024):
            point = allocation("native", 100, 8.0, 0.8)
            point["deck"].update({"allocation.blocks": 12, "allocation.threads": threads, "allocation.total": 12288})
            points.append(point)
        text = self.tables(points)
        self.assertIn("## 192 blocks of 64 threads", text)
        self.assertIn("## 12 blocks of 1024 threads", text)
        self.assertEqual(text.count("(Figures 1 and 2)"), 2)
        self.assertNotIn("blocks of", self.tables(points[:1]))

    def test_collectives_stand_beside_figure_5(self):
        text = self.tables([collectives("native", 8000.0), collectives("warp_header_over_native", 2000.0, speedup=4.0)])
        self.assertIn("### alltoall, 8 blocks of 32 ranks, 4 doubles", text)
        self.assertIn("| native | 4 | 8 | 16 | - | 17953.02 | 18316.86 | 19527.91 | 1 |", text)
        self.assertIn("| warp_header_over_native | 1 | 2 | 4 | 4.00 | 3636.10 | 4172.95 | 4296.39 | 4.39 |", text)

    def test_the_papers_numbers_are_the_papers(self):
        """Figures 3 and 4 as they are printed, mean and standard deviation at 100 to 400 floats."""
        printed = {
            ("work_speedup", "linear", "header_block"): "0.13 0.02 0.26 0.02 0.32 0.03 0.35 0.02",
            ("work_speedup", "quadratic", "header_block"): "0.38 0.01 0.64 0.03 0.78 0.03 0.88 0.03",
            ("work_speedup", "linear", "no_header_block"): "0.18 0.02 0.42 0.02 0.70 0.03 0.86 0.04",
            ("work_speedup", "quadratic", "no_header_block"): "0.91 0.03 1.70 0.07 2.06 0.07 2.18 0.08",
            ("work_speedup", "linear", "header_warp"): "2.44 0.34 3.81 1.28 3.77 0.13 3.46 0.23",
            ("work_speedup", "quadratic", "header_warp"): "0.79 0.21 0.77 0.03 0.82 0.03 0.99 0.03",
            ("work_speedup", "linear", "no_header_warp"): "1.40 0.21 2.66 0.19 3.07 0.19 3.18 0.22",
            ("work_speedup", "quadratic", "no_header_warp"): "1.20 0.10 2.27 0.22 2.09 0.08 2.21 0.08",
            ("malloc_time", "any", "native"): "10.37 0.36 57.30 1.28 294.74 5.46 296.95 5.11",
            ("malloc_time", "any", "header_block"): "0.13 0.01 0.20 0.03 0.32 0.08 0.35 0.10",
            ("malloc_time", "any", "no_header_block"): "1.62 0.01 1.63 0.01 1.63 0.01 1.61 0.01",
            ("malloc_time", "any", "header_warp"): "1.09 0.81 2.11 1.73 7.28 3.31 7.49 3.29",
            ("malloc_time", "any", "no_header_warp"): "2.55 0.44 4.49 1.54 10.34 4.51 9.01 3.80",
            ("free_time", "any", "native"): "0.06 0.03 0.10 0.04 0.57 0.30 0.79 0.42",
            ("free_time", "any", "header_block"): "0.01 0.00 0.01 0.00 0.02 0.00 0.02 0.00",
            ("free_time", "any", "no_header_block"): "0.07 0.02 0.08 0.02 0.08 0.02 0.07 0.02",
            ("free_time", "any", "header_warp"): "0.08 0.02 0.15 0.07 0.47 0.20 0.46 0.16",
            ("free_time", "any", "no_header_warp"): "0.86 0.33 1.63 0.62 1.27 0.46 1.56 0.71",
        }
        kept = {}
        for row in paper_rows("coalescing_allocator_tables.csv"):
            series = kept.setdefault((row["metric"], row["workload"], row["variant"]), [])
            self.assertEqual(int(row["floats_per_thread"]), 100 * (len(series) // 2 + 1))
            series += [row["mean"], row["std"]]
        self.assertEqual({key: " ".join(series) for key, series in kept.items()}, printed)

    def test_a_figure_that_is_missing_is_left_empty(self):
        points = [allocation("native", 100, 8.0, 0.8), allocation("bump", 100, 4.0, 0.0)]
        points[1]["figures"]["free_us"] = None
        text = self.tables(points)
        self.assertIn("| bump | 2 ± 0.1 | - |\n\n### free [ms]", text)
        self.assertIn("| bump | - | - |", text)

    def test_both_problems_of_a_file_have_tables_and_the_machine_stands_once(self):
        text = self.tables([allocation("native", 100, 8.0, 0.8), collectives("native", 8000.0)])
        self.assertEqual([text.count(what) for what in ("This run:", "(Figure 4;", "(Figure 5;")], [1, 2, 1])
        self.assertIn("### alltoall, 8 blocks of 32 ranks, 4 doubles", text, "whole numbers stay whole")

    def test_collectives_have_their_requests_where_they_were_counted(self):
        points = [collectives("native", 8000.0), collectives("warp_header_over_native", 2000.0)]
        self.assertNotIn("requests", self.tables(points))
        for made in points:
            made["figures"]["requests"] = 512.0
        points[1]["figures"]["superblocks"] = 16.0
        text = self.tables(points)
        self.assertIn("| requests | superblocks |", text)
        self.assertIn("| 512 | 16 |", text)
        self.assertIn("| 512 | - |", text)

    def test_other_results_are_refused(self):
        for content, message in (("{}", "is not a results.json of haloheap"), (document([]), "has no points"),
                                 (document([problem_point("getpage", {}, {}, {"tas": 1.0})]),
                                  "nor points of problem allocation or collectives")):
            self.assert_refused(self.run_tables(content), message)


if __name__ == "__main__":
    unittest.main()
