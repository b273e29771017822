#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-results plot on made-up results and on those of [Valen2023]: figures of stencils, exchanges and in-kernel allocators.

plot_test.py [--keep FOLDER] leaves the pictures there to be looked at.
"""

import dataclasses

import support
from haloheap_results import depths
from haloheap_results.figures import allocators, exchanges, stencils
from haloheap_results.load import Work, load, results_of
from support import (PictureTest, below, document, figures_drawn, legend, panels, paper_rows, point, points_read, problem_point,
                     provenance)


def made_up_sweep():
    """Four versions, depths that are not all powers of two, two transports; phases without desynchronisation."""
    points = []
    for transport, cost in (("pageable", 0.4), ("pinned", 0.2)):
        for exchange in ("sync", "async"):
            for overlap in ("none", "first_step"):
                for depth in (1, 2, 3, 4, 8):
                    message = cost / depth * (1.2 if exchange == "sync" else 1.0)
                    hides = overlap == "first_step"
                    phases = {"pack_s": message / 4, "unpack_s": message / 4, "message_s": message,
                              "inner_s": 0.9 / depth if hides else 0.0, "outer_s": 0.05 / depth if hides else 0.0,
                              "primary_s": 1 + 0.02 * depth - (0.9 / depth if hides else 0.0)}
                    seconds = 1 + 0.02 * depth + message * (0.75 if hides else 1.5)
                    more = {"phases": phases}
                    if hides:
                        more["hidden_share"] = 0.6 - 0.05 * depth
                    points.append(point(depth, exchange, overlap, seconds, transport=transport, **more))
    return document(points)


def fused_run(fused, folder, overlaps=("none",), depths=(1, 2, 4, 8, 12, 16, 32, 64), **more):
    """A sweep over depths at one number of fused steps, which the run does not vary; time from latency and redundant cells."""
    points = []
    for overlap in overlaps:
        for depth in (depth for depth in depths if depth >= fused):
            step_us = 40 * (1 + 0.004 * depth) * (0.25 + 0.75 / fused) + (60 if overlap == "none" else 40) / depth
            points.append(point(depth, "sync", overlap, 1e-4 * step_us, **more))
            points[-1]["deck"].update({"stencil.fused_steps": fused, "output.folder": folder})
            del points[-1]["swept"]["halo.transport"], points[-1]["swept"]["grid.size"]
    return document(points)


def fused_sweep(overlaps=("none",), **more):
    """Steps fused and not, as if one run had varied them."""
    points = [p for fused in (1, 8) for p in fused_run(fused, "results", overlaps, **more)["points"]]
    for p in points:
        p["swept"]["stencil.fused_steps"] = p["deck"]["stencil.fused_steps"]
    return document(points)


def thesis_as_results(gpu, sides, steps):
    """The tables of [Valen2023] as if this program had measured them."""
    points, serial = [], {}
    for row in paper_rows("deep_halo_thesis_tables.csv"):
        if row["gpu"] != gpu or int(row["side"]) not in sides:
            continue
        phases = {key: float(row[key]) for key in ("pack_s", "unpack_s", "message_s", "inner_s", "outer_s", "primary_s")}
        phases["desynchronisation_s"] = float(row["desync_s"])
        seconds, depth = float(row["execution_s"]), int(row["depth"])
        more = {"phases": phases}
        where = (row["side"], row["exchange"], depth)
        if row["schedule"] == "serial":
            communication = phases["message_s"] + phases["desynchronisation_s"] + phases["unpack_s"]
            serial[where] = (seconds, communication)
        else:
            more["hidden_share"] = (serial[where][0] - seconds) / serial[where][1]
        overlap = {"serial": "none", "overlap": "first_step"}[row["schedule"]]
        points.append(point(depth, row["exchange"], overlap, seconds, int(row["side"]), steps, **more))
    return document(points)


def heap_point(problem, figures, swept, **more):
    """A point of a problem of in-kernel allocators."""
    return problem_point(problem, {"allocator.name": "slab_walk", "allocator.pool": 0.5, **swept}, swept, figures, **more)


def getpage_sweep():
    points = []
    for cost, name in enumerate(("page_queue", "random_walk", "collaborative_random_walk"), 1):
        for threads in (32, 512, 4096, 1 << 20):
            for free in (50.0, 0.5):
                steps = 100 / free if name == "random_walk" else 1
                figures = {"getpage_median_us": cost * threads**0.5, "getpage_minimum_us": cost * threads**0.5 - 1, "tas": steps,
                           "was": 2 * steps, "tas_formula": threads / 2 if name == "page_queue" else 100 / free,
                           "was_formula": None, "free_pages": 1e6, "failures": 0}
                swept = {"allocator.name": name, "getpage.threads": threads, "getpage.free": free}
                points.append(heap_point("getpage", figures, swept, notes=["the formula is another", "no matter"]))
    return document(points)


def collectives_sweep():
    points = []
    for operation in ("reduce", "alltoall"):
        for number, name in enumerate(("native", "warp_header_over_native", "bump", "unheard_of")):
            us = 1000.5 / (1 + number)
            figures = {"collective_5th_us": 0.8 * us, "collective_us": us, "collective_95th_us": 1.3 * us, "allocate_us": us / 2,
                       "free_us": 0 if name == "bump" else us / 3}
            swept = {"allocator.name": name, "collectives.operation": operation}
            points.append(heap_point("collectives", figures, swept, speedup=1.0 + number))
    return document(points)


class PlotTest(PictureTest):
    def test_the_made_up_results_obey_the_schema(self):
        for results in (made_up_sweep(), thesis_as_results("A100", {5000}, 2048), fused_sweep(), fused_run(8, "results"),
                        getpage_sweep(), collectives_sweep()):
            self.assert_obeys_schema(results)

    def test_a_sweep_over_depths_has_three_figures_for_each_transport(self):
        names, _ = self.drawn(made_up_sweep())
        self.assertEqual(names, [f"{kind}_heat2d_1000x1000_float_{transport}.png"
                                 for kind in ("hidden", "phases", "time") for transport in ("pageable", "pinned")])

    def test_the_thesis_stands_beside_a_matching_deck(self):
        names, _ = self.drawn(thesis_as_results("A100", {5000, 35000}, 1024))
        self.assertEqual(names, [f"{kind}_heat2d_{side}x{side}_float.png"
                                 for kind in ("hidden", "phases", "time") for side in (35000, 5000)])

    def test_thesis_numbers_are_read_scaled_and_matched(self):
        work = Work("heat2d", (35000, 35000), 1024, "float", 1)
        samples = depths.thesis_samples(work, 4)
        self.assertEqual(sorted(samples), ["A100", "V100"])
        self.assertEqual(len(samples["A100"]), 28)
        first = [s for s in samples["A100"] if s.version == ("sync", "first_step") and s.depth == 1][0]
        self.assertAlmostEqual(first.time, 5.2331 / 2)
        self.assertAlmostEqual(first.phases["desynchronisation_s"], 2.9566 / 2)
        self.assertAlmostEqual(100 * first.hidden, 83.3034, delta=0.03)
        for other in ({"scalar": "double"}, {"problem": "heat3d"}, {"size": (35000, 5000)}, {"size": (1000, 1000)},
                      {"quantities": 2}):
            self.assertEqual(depths.thesis_samples(dataclasses.replace(work, **other), 4), {}, other)
        self.assertEqual(depths.thesis_samples(work, 9), {})

    def test_fused_steps_and_depths_have_a_figure_beside_those_of_each_number(self):
        names, _ = self.drawn(fused_sweep())
        self.assertEqual(names, ["fused_heat2d_1000x1000_float.png", "time_heat2d_1000x1000_float_1.png",
                                 "time_heat2d_1000x1000_float_8.png"])

    def test_fused_steps_have_a_figure_for_each_transport_and_panels_for_each_version(self):
        sweeps = [fused_sweep(("none", "first_step", "all_steps"), transport=transport) for transport in ("pageable", "pinned")]
        sweeps[1]["points"].reverse()
        names, _ = self.drawn(*sweeps)
        self.assertEqual([name for name in names if name.startswith("fused_")],
                         [f"fused_heat2d_1000x1000_float_{transport}.png" for transport in ("pageable", "pinned")])

    def test_fused_steps_that_do_not_vary_have_no_figure_of_their_own(self):
        names, _ = self.drawn(fused_run(8, "results"))
        self.assertEqual(names, ["time_heat2d_1000x1000_float.png"])
        points = [*fused_run(1, "results")["points"], *fused_run(8, "results", ("first_step",))["points"]]
        self.assertEqual(depths.fused_groups(points_read(points)), [], "at no exchange and overlap")
        self.assertEqual(depths.fused_groups(points_read(fused_sweep(depths=(8,))["points"])), [], "at one depth only")
        others = [fused_run(1, "results"), fused_run(8, "results", steps=50), fused_run(8, "results", side=500)]
        points = [p for other in others for p in other["points"]]
        self.assertEqual(depths.fused_groups(points_read(points)), [], "of other work")

    def test_fused_steps_are_curves_whose_best_depth_is_ringed(self):
        results = fused_sweep(("none", "first_step"))
        single = fused_run(1, "results")["points"]
        for p in single:
            p["path"]["exchange"] = "async"
        read = results_of(document([*results["points"], *single]))
        group, = depths.fused_groups(read.points)
        figure = stencils.draw_fused(group, read)
        self.assertEqual([axes.get_title() for axes in figure.axes], ["sync, overlap none", "sync, overlap first_step"])
        self.assertEqual(figure.axes[0].get_ylim(), figure.axes[1].get_ylim())
        for axes, overlap in zip(figure.axes, ("none", "first_step")):
            self.assertEqual((axes.get_xscale(), axes.get_yscale()), ("log", "linear"))
            curves = [bars.lines[0] for bars in axes.containers]
            for curve, fused in zip(curves, (1, 8)):
                own = [p for p in results["points"] if p["deck"]["halo.overlap"] == overlap and p["deck"]["stencil.fused_steps"] == fused]
                self.assertEqual(list(curve.get_xdata()), [p["deck"]["halo.depth"] for p in own])
                for drawn, p in zip(curve.get_ydata(), own):
                    self.assertAlmostEqual(drawn, 1e4 * p["wall_s"]["median"], msg="microseconds of one of 100 steps")
            rings = [line for line in axes.get_lines() if line.get_markersize() > 10]
            best = [curve.get_xdata()[list(curve.get_ydata()).index(min(curve.get_ydata()))] for curve in curves]
            self.assertEqual([list(ring.get_xdata()) for ring in rings], [[depth] for depth in best])
            self.assertEqual([text.get_text() for text in axes.get_legend().get_texts()],
                             [f"1 step a pass, best: depth {best[0]}", f"8 steps a pass, best: depth {best[1]}"])

    def test_several_inputs_are_taken_together(self):
        names, printed = self.drawn(fused_run(1, "one"), fused_run(8, "eight"))
        self.assertEqual(names, ["fused_heat2d_1000x1000_float.png", "time_heat2d_1000x1000_float_1.png",
                                 "time_heat2d_1000x1000_float_8.png"])
        self.assertNotIn("machine", printed)
        paths = self.written(fused_run(1, "one"), fused_run(1, "again"), fused_run(8, "eight"))
        joined = load(paths)
        self.assertEqual(joined.provenance, provenance())
        group, = depths.fused_groups(joined.points)
        self.assertEqual(sorted((s.fused, s.depth) for s in depths.samples_of(group.points)),
                         sorted([(1, depth) for depth in (1, 2, 4, 8, 12, 16, 32, 64)] * 2 +
                                [(8, depth) for depth in (8, 12, 16, 32, 64)]), "equal decks keep both points")
        self.assertEqual(load(paths[:1]), results_of(fused_run(1, "one")), "one file as it is")

    def test_says_that_several_inputs_are_of_different_machines(self):
        other = fused_run(8, "eight")
        other["provenance"]["devices"] = ["Cuda device 0: NVIDIA H200, 139 GiB"]
        result = self.run_plot(fused_run(1, "one"), other)
        self.assertEqual(result.returncode, 0)
        self.assertIn("results1.json' is of OpenMP on NVIDIA H200, Open MPI 4.1.4, 2026-01-02\n", result.stderr)

    def test_pictures_stand_beside_the_first_input(self):
        (self.folder / "one").mkdir()
        first, second = self.written(fused_run(1, "one"), fused_run(8, "eight"))
        first = first.rename(self.folder / "one" / "results.json")
        result = self.run_command("plot", first, second)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual([len(list(folder.glob("*.png"))) for folder in (self.folder / "one", self.folder)], [3, 0])

    def test_without_depths_there_are_bars(self):
        points = [point(4, "sync", "none", 1.0, side=side, transport=transport, rate=rate, fraction_of_copy=rate / 500)
                  for side, transport, rate in ((512, "pageable", 210.0), (512, "pinned", 260.0), (2048, "pageable", 420.0))]
        names, printed = self.drawn(document(points))
        self.assertEqual(names, ["throughput.png"])
        self.assertIn("no figures against depth: halo.depth does not vary in this run", printed)

    def test_exchanges_alone_are_drawn_against_their_bytes(self):
        points = []
        for transport, latency, bandwidth in (("pageable", 60e-6, 2e9), ("pinned", 40e-6, 10e9), ("peer_store", 5e-6, 100e9)):
            for depth in (1, 8, 64):
                exchange = latency + 4 * 1000 * depth / bandwidth
                points.append(point(depth, "sync", "none", 100 * exchange / depth, transport=transport, exchange_s=exchange))
                del points[-1]["gcells_per_s"], points[-1]["effective_bandwidth_bytes_per_s"]
        names, printed = self.drawn(document(points))
        self.assertEqual(names, ["exchange.png"])
        self.assertEqual(printed.count("\n"), 1, "nothing else is missed")
        names, _ = self.drawn(document([*points, *made_up_sweep()["points"][:5]]))
        self.assertEqual(names, ["exchange.png", "phases_heat2d_1000x1000_float.png", "time_heat2d_1000x1000_float.png"])

    def test_exchanges_of_one_size_are_bars(self):
        points = [point(1, "sync", "none", 1.0, transport=transport, exchange_s=1e-6 * us)
                  for transport, us in (("pageable", 60), ("pinned", 38.25), ("peer_store", 4.5))]
        self.assertEqual(self.drawn(document(points))[0], ["exchange.png"])

    def test_one_exchange_is_drawn(self):
        single = point(1, "sync", "none", 1.0, exchange_s=1e-5)
        self.assertEqual(self.drawn(document([single]))[0], ["exchange.png"])

    def test_exchanges_without_messages_are_drawn(self):
        points = [{**point(depth, "sync", "none", 1.0, exchange_s=1e-6 * depth), "bytes_per_exchange": 0} for depth in (1, 2)]
        self.assertEqual(self.drawn(document(points))[0], ["exchange.png"])

    def test_the_terms_of_an_overlap_are_drawn(self):
        points = []
        for overlap, saved in (("first_step", 0.1), ("all_steps", 0.3)):
            for depth in (1, 8, 32):
                exchange, interior = 0.4 / depth**0.3, 0.8 if overlap == "all_steps" else 0.8 / depth
                terms = {"serial_s": 1 + exchange, "overlapped_s": 1 + exchange - saved, "exchange_s": exchange,
                         "interior_s": interior, "hidden": saved / exchange, "efficiency": saved / min(exchange, interior)}
                points.append(point(depth, "sync", overlap, terms["overlapped_s"], overlap_terms=terms))
        names, _ = self.drawn(document(points))
        self.assertEqual(names, ["overlap.png", "time_heat2d_1000x1000_float.png"])
        said = {f"overlap_terms.{name}_s": {"title": f"the {name}"} for name in ("serial", "overlapped", "exchange", "interior")}
        figure = figures_drawn(exchanges.pictures(results_of({**document(points), "quantities": {"heat2d": said}})))["overlap"]
        self.assertEqual(legend(figure), ["the serial", "the overlapped", "the exchange", "the interior"])

    def test_one_point_has_a_bar(self):
        names, _ = self.drawn(document([point(1, "sync", "none", 1.0)]))
        self.assertEqual(names, ["throughput.png"])

    def test_says_what_is_missing_for_a_figure(self):
        names, printed = self.drawn(document([point(d, "sync", "none", 1.0 / d) for d in (1, 2, 4)]))
        self.assertEqual(names, ["time_heat2d_1000x1000_float.png"])
        self.assertIn("no figure phases_heat2d_1000x1000_float: no point has phases", printed)
        self.assertIn("no figure hidden_heat2d_1000x1000_float: no point has a hidden share", printed)

    def test_a_point_without_a_finite_time_is_left_out(self):
        results = document([point(d, "sync", "none", 1.0 / d) for d in (1, 2, 4)])
        results["points"][1]["wall_s"] = {"median": None, "minimum": None, "maximum": None}
        names, _ = self.drawn(results)
        self.assertEqual(names, ["time_heat2d_1000x1000_float.png"])

    def test_what_allocators_do_is_drawn_against_the_number_that_varies_most(self):
        names, printed = self.drawn(getpage_sweep())
        self.assertEqual(names, ["getpage_getpage.png", "getpage_tas.png", "getpage_was.png"])
        self.assertEqual(printed.count("\n"), 3, "nothing else is missed")

    def test_allocators_without_a_number_that_varies_are_bars(self):
        names, _ = self.drawn(collectives_sweep())
        self.assertEqual(names, [f"collectives_{what}.png" for what in ("allocate", "collective", "free", "speedup")])

    def test_one_allocator_at_one_place_is_drawn(self):
        figures = {"allocate_median_us": 3.0, "allocate_minimum_us": 2.0, "utilisation_percent": 0}
        names, _ = self.drawn(document([heap_point("malloc_sweep", figures, {})]))
        self.assertEqual(names, ["malloc_sweep_allocate.png"])

    def test_the_title_says_who_asks_unless_it_is_every_thread(self):
        for callers, told in (("lanes", "slab_walk, threads = 8"), ("warps", "slab_walk, callers = warps, threads = 8")):
            only = heap_point("malloc_sweep", {"allocate_median_us": 3.0}, {})
            only["deck"] = {**only["deck"], "allocator.name": "slab_walk", "malloc.callers": callers, "malloc.threads": 8}
            figure = self.figure_of(document([only]), "malloc_sweep_allocate")
            self.assertEqual(figure.texts[0].get_text().split("\n")[1:], [told])

    def test_allocators_and_stencils_of_one_file_are_both_drawn(self):
        names, _ = self.drawn(document([*getpage_sweep()["points"], point(1, "sync", "none", 1.0)]))
        self.assertEqual(names, ["getpage_getpage.png", "getpage_tas.png", "getpage_was.png", "throughput.png"])

    def test_figures_are_named_by_what_the_file_says(self):
        said = {"getpage": {"figures.getpage_median_us": {"title": "getpage", "unit": "us", "description": "Time of it."}}}
        figure = self.figure_of({**getpage_sweep(), "quantities": said}, "getpage_getpage")
        self.assertEqual(figure.texts[0].get_text().split("\n")[0], "getpage: getpage [µs]")
        self.assertEqual(panels(figure)[0].get_ylabel(), "getpage [µs]")
        self.assertEqual(below(figure)[0], "getpage: Time of it.")
        old = self.figure_of(getpage_sweep(), "getpage_getpage")
        self.assertEqual(panels(old)[0].get_ylabel(), "getpage_median_us")
        self.assertEqual(below(figure)[1:], below(old), "nothing else")

    def test_a_speedup_names_what_it_compares(self):
        said = {"collectives": {"figures.collective_us": {"title": "median", "unit": "us", "description": "Of the operation."},
                                "speedup": {"title": "speed-up", "description": "Over native."}}}
        figure = self.figure_of({**collectives_sweep(), "quantities": said}, "collectives_speedup")
        self.assertEqual(below(figure)[:2], ["speed-up: Over native.", "compared by median: Of the operation."])
        old = self.figure_of(collectives_sweep(), "collectives_speedup")
        self.assertEqual((panels(old)[0].get_xlabel(), below(old)[0]), ("speedup", "compared by collective_us"))

    def test_long_descriptions_have_room(self):
        said = {"getpage": {"figures.tas": {"title": "TAS", "description": 80 * "words "}}}
        names, _ = self.drawn({**getpage_sweep(), "quantities": said})
        self.assertIn("getpage_tas.png", names)
        figures = [self.figure_of({**getpage_sweep(), "quantities": told}, "getpage_tas") for told in ({}, said)]
        self.assertGreater(len(below(figures[1])), len(below(figures[0])) + 3)
        for line in below(figures[1])[:-2]:
            self.assertLess(len(line), 14 * figures[1].get_figwidth())
        heights = [panels(figure)[0].get_position().height * figure.get_figheight() for figure in figures]
        self.assertAlmostEqual(*heights, 1, msg="inches: not at the cost of the panels")

    def figure_of(self, results, stem):
        """The figure as matplotlib has it."""
        return figures_drawn(allocators.pictures(results_of(results)))[stem]

    def test_formulas_are_dashed_beside_what_was_measured(self):
        figure = self.figure_of(getpage_sweep(), "getpage_tas")
        self.assertEqual([axes.get_title() for axes in panels(figure)], ["getpage.free = 50 %", "getpage.free = 0.5 %"])
        for axes, free in zip(panels(figure), (50.0, 0.5)):
            self.assertEqual((axes.get_xscale(), axes.get_yscale(), axes.get_xlabel()), ("log", "log", "getpage.threads"))
            lines = [line for line in axes.get_lines() if len(line.get_xdata()) == 4]
            dashed = [list(line.get_ydata()) for line in lines if line.get_linestyle() == "--"]
            self.assertEqual(dashed, [[16, 256, 2048, 1 << 19], [100 / free] * 4], "what two share is drawn once")
            solid = [list(line.get_ydata()) for line in lines if line.get_linestyle() == "-" and line.get_marker() not in "_|"]
            self.assertEqual(solid, [[1] * 4, [100 / free] * 4, [1] * 4])
        self.assertEqual(legend(figure), ["page_queue", "random_walk", "collaborative_random_walk", "by the formula of [Pham2022]"])
        self.assertEqual(below(figure)[0], "the formula is another", "the points' notes that speak of it, once")
        self.assertIn("pool 0.5 GiB", below(figure)[1])
        self.assertFalse(legend(self.figure_of(getpage_sweep(), "getpage_was"))[-1].startswith("by"),
                         "a formula without a value is not drawn")

    def test_what_is_zero_is_left_out_and_told(self):
        figure = self.figure_of(collectives_sweep(), "collectives_free")
        labels = [text.get_text() for text in figure.axes[0].get_yticklabels()]
        self.assertEqual(labels, ["native", "warp_header_over_native", "unheard_of"])
        self.assertEqual(below(figure)[0], "zero or not measured, at some points at least: bump")
        self.assertEqual([round(bar.get_width()) for bar in figure.axes[0].patches[:2]], [334, 167])

    def assert_plot_refuses(self, *contents_and_text):
        *contents, text = contents_and_text
        self.assert_refused(self.run_plot(*contents), text)

    def test_refuses_what_is_no_result(self):
        self.assert_plot_refuses("{ not json", "cannot read")
        self.assert_plot_refuses("[]", 'no "format": "haloheap-results"')
        self.assert_plot_refuses({"format": "other"}, 'no "format": "haloheap-results"')
        self.assert_plot_refuses({**document([]), "format_version": 2}, "has format version 2; this program reads version 1")
        self.assert_plot_refuses(document([]), "has no points")
        self.assert_plot_refuses(document([{"deck": {}}]), "point 0: missing or malformed: 'wall_s'")
        self.assert_plot_refuses(document([3]), "point 0: missing or malformed")
        without = document([point(1, "sync", "none", 1.0)])
        del without["provenance"]
        self.assert_plot_refuses(without, "has no provenance")
        self.assertFalse((self.folder / "out").exists(), "bad input makes no folder")

    def test_says_what_is_not_complete_and_draws_it(self):
        said = {}
        for complete in (True, False):
            result = self.run_plot({**document([point(1, "sync", "none", 1.0)]),
                                    "completion": {"complete": complete, "planned_points": 9, "finished_points": 1}})
            self.assertEqual(result.returncode, 0, result.stderr)
            said[complete] = result.stderr
        self.assertEqual(said[True], "")
        self.assertRegex(said[False], r"^haloheap-results: '.*results\.json' is not complete: 1 of 9 points\n$")

    def test_refuses_a_bad_second_file(self):
        self.assert_plot_refuses(fused_run(1, "one"), "{ not json", "results1.json")
        self.assert_plot_refuses(fused_run(1, "one"), {**fused_run(8, "eight"), "format_version": 2}, "has format version 2")
        self.assert_plot_refuses(fused_run(1, "one"), document([3]), "results1.json', point 0: missing or malformed")
        self.assertFalse((self.folder / "out").exists(), "bad input makes no folder")

    def test_refuses_a_missing_file(self):
        self.assert_refused(self.run_command("plot", self.folder / "none.json"), "none.json")

    def test_says_that_it_cannot_write(self):
        (self.folder / "out").write_text("a file")
        result = self.run_plot(document([point(1, "sync", "none", 1.0)]))
        self.assertEqual(result.returncode, 5)
        self.assertIn("cannot write", result.stderr)


if __name__ == "__main__":
    support.main()
