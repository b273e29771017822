#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results plot on made-up results of problems transfer and vector_add.

transfers_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import support
from haloheap_results.figures import transfers
from haloheap_results.load import results_of
from support import PictureTest, below, document, figures_drawn, legend, panels, point
from transfer_sample import EMULATED, transfer_point

MEMORIES = ("pageable", "pinned", "managed")
NONE, DEPTH, BREADTH = "none", "depth_first", "breadth_first"
BOUNDS = {"communication": 1, "balanced": 2, "compute": 10}
TYPE_I, TYPE_II, ONE, LEAST = ("depth_first (type I)", "breadth_first (type II)", "none: one stream",
                               "least time possible (bound_us)")
KINDS = ("total", "h2d", "kernel", "d2h")
PAPERS_SIZE = 1638400


def time_of(mode, schedule, streams, size, bound):
    """Whatever tells all points apart; µs."""
    factor = BOUNDS.get(bound, 3) * (1 + MEMORIES.index(mode) if mode in MEMORIES else 5)
    return factor * (10 + size / 1e4) * (1 + (0.01 if schedule == DEPTH else 0.02) * (streams if schedule != NONE else 0))


def sweep(modes=MEMORIES, schedules=(NONE,), streams=(4,), sizes=(PAPERS_SIZE,), bounds=tuple(BOUNDS), **more):
    """As the program sweeps: streams also where there are none."""
    runs = [(mode, schedule, number, size, bound)
            for mode in modes for schedule in schedules for number in streams for size in sizes for bound in bounds]
    return document([transfer_point(*run, time_of(*run), **more) for run in runs])


VERSIONS = sweep(schedules=(NONE, DEPTH, BREADTH), bound_us=20.0)


class TransfersTest(PictureTest):
    def figures_of(self, results):
        """{stem: figure as matplotlib has it}"""
        return figures_drawn(transfers.pictures(results_of(results)))

    def lines(self, axes):
        """{mode: [(x, y)]} of the lines in a panel, which have no label of their own: by colour."""
        names = {color: mode for mode, (color, _) in transfers.MODES.known.items()}
        return {names[line.get_color()]: list(zip(line.get_xdata(), line.get_ydata())) for line in axes.get_lines()}

    def streams_lines(self, axes):
        names = {color: schedule for schedule, (color, _) in transfers.SCHEDULE_STYLES.known.items()} | {"#444444": "least"}
        return {names[line.get_color()]: list(zip(line.get_xdata(), line.get_ydata())) for line in axes.get_lines()}

    def assert_close(self, found, expected):
        self.assertEqual(len(found), len(expected), found)
        for pair, other in zip(found, expected):
            for value, number in zip(pair, other):
                self.assertAlmostEqual(value, number, delta=1e-9 + 1e-9 * number)

    def test_the_made_up_results_obey_the_schema(self):
        self.assert_obeys_schema(VERSIONS)

    def test_the_papers_versions_are_bars(self):
        names, printed = self.drawn(VERSIONS)
        self.assertEqual(names, [f"transfer_versions_{PAPERS_SIZE}.png"])
        self.assertEqual(printed.count("\n"), 1, "nothing else is missed")

    def test_every_version_has_its_bar_and_number(self):
        (figure,) = self.figures_of(VERSIONS).values()
        shown = panels(figure)
        self.assertEqual([axes.get_title() for axes in shown], [f"bound: {bound}" for bound in BOUNDS])
        self.assertEqual([text.get_text() for text in shown[0].get_yticklabels()], list(MEMORIES))
        for axes, bound in zip(shown, BOUNDS):
            bars = sorted(axes.patches, key=lambda bar: bar.get_y())
            expected = [time_of(mode, schedule, 4, PAPERS_SIZE, bound) / (1 if "µs" in axes.get_xlabel() else 1e3)
                        for mode in MEMORIES for schedule in (NONE, DEPTH, BREADTH)]
            self.assert_close([(bar.get_width(),) for bar in bars], [(value,) for value in expected])
            texts = [text.get_text() for text in axes.texts]
            self.assertEqual(texts, [f"{value:.3g}" if value < 1000 else f"{value:.0f}" for value in expected])
            self.assertEqual([line.get_xdata()[0] for line in axes.get_lines() if line.get_marker() == "d"], [20.0] * 9)
        self.assertEqual(legend(figure), [ONE, TYPE_I, TYPE_II, LEAST])
        self.assertEqual(figure.texts[0].get_text().split("\n"), ["transfer: time of the versions",
                                                                  "arrays of 1600 KiB, 4 streams"])

    def test_long_times_are_milliseconds(self):
        (figure,) = self.figures_of(sweep(modes=["pinned"], sizes=[1 << 30], bounds=["compute"])).values()
        (axes,) = panels(figure)
        self.assertEqual(axes.get_xlabel(), "whole run [ms]")
        self.assert_close([(axes.patches[0].get_width(),)], [(time_of("pinned", NONE, 1, 1 << 30, "compute") / 1e3,)])

    def test_ranges_of_the_repetitions(self):
        results = sweep(modes=["pinned"], bounds=["compute"])
        (figure,) = self.figures_of(results).values()
        ((left, right),) = [segment[:, 0] for segment in figure.axes[0].collections[0].get_segments()]
        time = time_of("pinned", NONE, 1, PAPERS_SIZE, "compute")
        self.assert_close([(left, right)], [(0.97 * time, 1.05 * time)])
        self.assertIn("ranges: fastest to slowest repetition", below(figure)[0])
        results["points"][0]["wall_s"] = {"median": None, "minimum": None, "maximum": None}
        (figure,) = self.figures_of(results).values()
        self.assertNotIn("ranges", below(figure)[0])

    def test_sizes_are_drawn_as_figure_3(self):
        results = sweep(sizes=[4096 << i for i in range(12)], bounds=["communication", "compute"])
        names, printed = self.drawn(results)
        self.assertEqual(names, [*sorted(f"transfer_bytes_{kind}.png" for kind in KINDS), "transfer_times.png"])
        self.assertEqual(printed.count("\n"), 5)

    def test_total_times_stand_against_bytes_in_figure_3(self):
        sizes = [4096, 65536, 1 << 20]
        figure = self.figures_of(sweep(sizes=sizes[::-1]))["transfer_times"]
        for axes, bound in zip(panels(figure), BOUNDS):
            self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
            lines = self.lines(axes)
            for mode in MEMORIES:
                self.assert_close(lines[mode], [(size, time_of(mode, NONE, 1, size, bound)) for size in sizes])
        self.assertEqual(panels(figure)[0].get_ylabel(), "whole run: time [µs]")
        self.assertIn("ranges", below(figure)[0])

    def test_time_a_byte_stands_against_bytes(self):
        sizes = [4096, 65536, 1 << 20]
        figures = self.figures_of(sweep(sizes=sizes[::-1]))
        for kind, share in (("total", 1), ("h2d", 0.3), ("kernel", 0.5), ("d2h", 0.2)):
            figure = figures[f"transfer_bytes_{kind}"]
            shown = panels(figure)
            self.assertEqual([axes.get_title() for axes in shown], [f"bound: {bound}" for bound in BOUNDS])
            for axes, bound in zip(shown, BOUNDS):
                self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "log"))
                lines = self.lines(axes)
                self.assertEqual(list(lines), list(MEMORIES))
                for mode in MEMORIES:
                    self.assert_close(lines[mode], [(size, share * 1e3 * time_of(mode, NONE, 1, size, bound) / size)
                                                    for size in sizes])
            self.assertEqual(legend(figure), list(MEMORIES))
            self.assertEqual("ranges" in below(figure)[0], kind == "total")

    def test_many_sizes_and_all_modes_are_drawn(self):
        modes = [*MEMORIES, "write_combined", "registered", "staged", "stream_ordered", "batched", "graph",
                 "managed_prefetch", "managed_advise", "mapped", "system", "unheard_of"]
        sizes = [round(4096 * 1.12**i) for i in range(100)]
        figures = self.figures_of(sweep(modes=sorted(modes), sizes=sizes, notes=[EMULATED]))
        figure = figures["transfer_bytes_total"]
        self.assertEqual(legend(figure), modes)
        figure.draw_without_rendering()
        ticks = [text.get_text() for text in panels(figure)[0].get_xticklabels()]
        self.assertEqual(ticks, ["4 KiB", "64 KiB", "1 MiB", "16 MiB", "256 MiB"])
        self.assertIn(EMULATED, below(figure))

    def test_like_values_do_not_fill_the_axis(self):
        figure = self.figures_of(sweep(sizes=[1000, 1004], bounds=["balanced"], modes=["pinned"]))["transfer_bytes_total"]
        figure.draw_without_rendering()
        (axes,) = panels(figure)
        low, high = axes.get_ylim()
        self.assertGreater(high, 5 * low)
        self.assertGreaterEqual(len([tick for tick in axes.get_yticks() if low <= tick <= high]), 2)
        self.assertEqual([text.get_text() for text in axes.get_xticklabels()], ["1000 bytes", "1004 bytes"])

    def test_what_is_zero_or_missing_has_no_place(self):
        results = sweep(sizes=[4096, 65536, 1 << 20], bounds=["compute"])
        for each in results["points"]:
            if each["deck"]["transfer.mode"] == "managed":
                each["figures"]["h2d_us"] = each["figures"]["h2d_ns_per_byte"] = 0.0
        del results["points"][3]["figures"]["h2d_ns_per_byte"]
        results["points"][4]["figures"]["h2d_ns_per_byte"] = None
        results["points"][0]["figures"] = {"total_median_us": None}
        figures = self.figures_of(results)
        axes = panels(figures["transfer_bytes_h2d"])[0]
        self.assertEqual({mode: [size for size, _ in line] for mode, line in self.lines(axes).items()},
                         {"pageable": [65536, 1 << 20], "pinned": [1 << 20]})
        self.assertEqual(below(figures["transfer_bytes_h2d"])[0],
                         "zero or not measured, at some points at least: pageable, pinned, managed")
        for each in results["points"]:
            each["figures"] = {name: 0.0 for name in each["figures"]}
        names, printed = self.drawn(results)
        self.assertEqual((names, printed), ([], "no figure transfer: no point has a time\n"))

    def test_streams_are_drawn_as_figure_4(self):
        results = sweep(MEMORIES[:2], (NONE, DEPTH, BREADTH), (1, 2, 8, 64), (PAPERS_SIZE, 1 << 28), ["balanced"])
        names, printed = self.drawn(results)
        self.assertEqual(names, [*sorted(f"transfer_bytes_{kind}.png" for kind in KINDS),
                                 f"transfer_streams_{PAPERS_SIZE}.png", "transfer_streams_268435456.png",
                                 "transfer_times.png"])
        self.assertEqual(printed.count("\n"), 7)

    def test_a_line_starts_without_streams(self):
        results = sweep(schedules=(NONE, DEPTH, BREADTH), streams=(2, 8), bound_us=160.0)
        figure = self.figures_of(results)[f"transfer_streams_{PAPERS_SIZE}"]
        shown = panels(figure)
        self.assertEqual(len(shown), 9)
        self.assertEqual([axes.get_title() for axes in shown[:3]], [f"bound: {bound}" for bound in BOUNDS])
        self.assertEqual([axes.get_ylabel() for axes in shown[::3]], [f"{mode}\n[ns a byte]" for mode in MEMORIES])
        for axes, (mode, bound) in zip(shown, [(mode, bound) for mode in MEMORIES for bound in BOUNDS]):
            lines = self.streams_lines(axes)
            for schedule in (DEPTH, BREADTH):
                times = [time_of(mode, NONE, 1, PAPERS_SIZE, bound),
                         *(time_of(mode, schedule, streams, PAPERS_SIZE, bound) for streams in (2, 8))]
                self.assert_close(lines[schedule], [(streams, 1e3 * time / PAPERS_SIZE)
                                                    for streams, time in zip((1, 2, 8), times)])
            self.assert_close(lines["least"], [(streams, 1e3 * 160 / PAPERS_SIZE) for streams in (1, 2, 8)])
        self.assertEqual(legend(figure), [ONE, TYPE_I, TYPE_II, LEAST])
        self.assertIn("each panel has its own axis, from zero", below(figure)[0])

    def test_a_schedule_measured_with_one_stream_starts_there_itself(self):
        results = sweep(modes=["pinned"], bounds=["compute"], schedules=(NONE, DEPTH), streams=(1, 4))
        (figure,) = self.figures_of(results).values()
        (axes,) = panels(figure)
        lines = self.streams_lines(axes)
        self.assert_close(lines[DEPTH][:1], [(1, 1e3 * time_of("pinned", DEPTH, 1, PAPERS_SIZE, "compute") / PAPERS_SIZE)])
        self.assert_close(lines[NONE], [(1, 1e3 * time_of("pinned", NONE, 1, PAPERS_SIZE, "compute") / PAPERS_SIZE)])
        self.assertEqual(legend(figure), [ONE, TYPE_I])

    def test_without_a_point_of_none_a_line_starts_later(self):
        results = sweep(modes=["pinned"], bounds=["compute"], schedules=(BREADTH,), streams=(2, 4))
        (figure,) = self.figures_of(results).values()
        lines = self.streams_lines(panels(figure)[0])
        self.assertEqual({schedule: [streams for streams, _ in line] for schedule, line in lines.items()}, {BREADTH: [2, 4]})

    def test_what_streams_repeat_is_drawn_once(self):
        points = [transfer_point("pinned", NONE, streams, PAPERS_SIZE, "compute", time)
                  for streams, time in ((1, 300), (2, 100), (4, 900))]
        (figure,) = self.figures_of(document(points)).values()
        self.assertEqual([bar.get_width() for bar in panels(figure)[0].patches], [300], "the median")

    def test_times_far_apart_have_a_logarithmic_axis(self):
        points = [transfer_point("pinned", DEPTH, streams, 4096, "compute", time) for streams, time in ((2, 10), (64, 400))]
        (figure,) = self.figures_of(document(points)).values()
        self.assertEqual(panels(figure)[0].get_yscale(), "log")
        self.assertNotIn("from zero", "".join(below(figure)))

    def test_panels_that_were_not_measured_are_empty(self):
        results = sweep(schedules=(DEPTH, BREADTH), streams=(2, 8), bounds=["balanced", "compute"])
        results["points"] = [each for each in results["points"]
                             if (each["deck"]["transfer.mode"], each["deck"]["transfer.bound"]) != ("pageable", "balanced")]
        (figure,) = self.figures_of(results).values()
        self.assertEqual([axes.get_visible() for axes in figure.axes], [False] + [True] * 5)
        self.assertEqual(figure.axes[1].get_ylabel(), "pageable\n[ns a byte]")
        self.assertEqual(figure.axes[2].get_title(), "bound: balanced")

    def test_versions_at_a_few_sizes_are_bars_of_each(self):
        results = sweep(schedules=(NONE, DEPTH), sizes=(4096, 65536), bounds=["compute"])
        self.assertEqual(list(self.figures_of(results)), ["transfer_times", *(f"transfer_bytes_{kind}" for kind in KINDS),
                                                          "transfer_versions_4096", "transfer_versions_65536"])

    def test_versions_at_many_sizes_are_lines_of_each_schedule(self):
        results = sweep(schedules=(NONE, DEPTH), sizes=[4096 << i for i in range(5)], bounds=["compute"])
        figures = self.figures_of(results)
        self.assertEqual(list(figures), ["transfer_times", *(f"transfer_bytes_{kind}" for kind in KINDS),
                                         "transfer_bytes_total_depth_first"])
        self.assertEqual(figures["transfer_bytes_total_depth_first"].texts[0].get_text().split("\n")[1],
                         "depth_first (type I), 4 streams")

    def test_vector_add_has_no_bounds(self):
        results = sweep(schedules=(NONE, DEPTH, BREADTH), streams=(2, 4), sizes=(4096, 65536),
                        bounds=["none", "balanced"], problem="vector_add", notes=[EMULATED])
        figures = self.figures_of(results)
        self.assertEqual(list(figures), ["vector_add_times", *(f"vector_add_bytes_{kind}" for kind in KINDS),
                                         "vector_add_streams_4096",
                                         "vector_add_streams_65536"])
        for stem, count in (("vector_add_bytes_total", 1), ("vector_add_streams_4096", len(MEMORIES))):
            self.assertEqual([axes.get_title() for axes in panels(figures[stem])], [""] * count)

    def test_each_number_of_iterations_without_a_bound_has_a_panel(self):
        points = []
        for iterations in (5, 70):
            points += sweep(bounds=["none"])["points"]
            for each in points[-3:]:
                each["deck"]["transfer.iterations"] = each["swept"]["transfer.iterations"] = iterations
        (figure,) = self.figures_of(document(points)).values()
        self.assertEqual([axes.get_title() for axes in panels(figure)],
                         ["bound: none, 5 iterations", "bound: none, 70 iterations"])

    def test_other_keys_that_vary_have_pictures_of_their_own(self):
        points = [*sweep(extra={"link.h2d": 12.0})["points"], *sweep(extra={"link.h2d": 25.5})["points"]]
        figures = self.figures_of(document(points))
        self.assertEqual(list(figures), [f"transfer_versions_{PAPERS_SIZE}_link.h2d_12.0",
                                         f"transfer_versions_{PAPERS_SIZE}_link.h2d_25.5"])
        self.assertIn("link.h2d = 12", [*figures.values()][0].texts[0].get_text())

    def test_an_emulated_link_is_told_on_each_picture(self):
        streams = {"schedules": (NONE, DEPTH), "streams": (2, 4)}
        for more, count in (({}, 1), ({"sizes": (4096, 65536)}, 5), (streams, 1)):
            figures = self.figures_of(sweep(notes=[EMULATED, "no matter"], **more))
            self.assertEqual(len(figures), count)
            for figure in figures.values():
                self.assertEqual(below(figure)[-2], EMULATED)
            for figure in self.figures_of(sweep(**more)).values():
                self.assertNotIn("emulated", "".join(below(figure)))
        points = [*sweep(modes=["pinned"], notes=[EMULATED])["points"], *sweep(modes=["managed"])["points"]]
        (figure,) = self.figures_of(document(points)).values()
        self.assertEqual(below(figure)[-2], f"at some points {EMULATED}")

    def test_points_that_lack_what_is_needed_are_left_out(self):
        results = sweep(modes=["pinned"], bounds=["compute", "balanced", "communication"], sizes=[4096])
        del results["points"][0]["deck"]["transfer.bytes"], results["points"][1]["deck"]["transfer.mode"]
        (figure,) = self.figures_of(results).values()
        self.assertEqual([axes.get_title() for axes in panels(figure)], ["bound: communication"])

    def test_other_problems_of_the_file_are_drawn_too(self):
        points = [*sweep(modes=["pinned"], schedules=[NONE, DEPTH])["points"], point(1, "sync", "none", 1.0)]
        names, _ = self.drawn(document(points))
        self.assertEqual(names, ["throughput.png", f"transfer_versions_{PAPERS_SIZE}.png"])


if __name__ == "__main__":
    support.main()
