#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The report: what it answers, what it says of the papers, where its numbers come from, and that it needs no network."""

import copy
import html
import json
import pathlib
import random
import re
import sys

import support
from haloheap_results.depths import THESIS_OVERLAP
from haloheap_results.load import results_of
from haloheap_results.report import charts, compare, conformity, filter, page
from haloheap_results.report.conformity import disturbed, facts, is_host, own_deck, stamp
from haloheap_results.report.decks import DECKS, DEVICE_DECKS, SHARED, VARIES
from haloheap_results.report.inputs import REFERENCE, numbered, reference_runs, shipped
from haloheap_results.report.model import STALE, Run, Verdict
from haloheap_results.report.questions import QUESTIONS, allocator, container_policy, halo_depth, transfer_mode, transport
from haloheap_results.report.sections import (SECTIONS, containers, deep_halos, design_space, hosts, random_walks,
                                              superblocks)
from reference_decks import changed_keys, deck_now
from support import ROOT, CommandTest, document, paper_rows, point, points_read, problem_point
from transfer_sample import transfer_point


def run_of(points, number=1, **provenance):
    made = document(points)
    made["provenance"].update(provenance)
    return Run(number, "results.json", results_of(made))


def depths(times, exchange="sync", overlap="none", **more):
    """{depth: seconds}"""
    return [point(depth, exchange, overlap, seconds, **more) for depth, seconds in times.items()]


def exchange_point(depth, transport, microseconds):
    made = point(depth, "sync", "none", 1.0, transport=transport, exchange_s=1e-6 * microseconds)
    for name in ("gcells_per_s", "effective_bandwidth_bytes_per_s", "redundant_fraction"):
        del made[name]
    return made


def heap_point(name, threads, allocate, free):
    keys = {"allocator.name": name, "malloc.threads": threads, "malloc.size": 16}
    return problem_point("malloc_sweep", keys, keys, {"allocate_median_us": allocate, "free_median_us": free})


def container_point(problem, policy, seconds, peer=True, **figures):
    keys = {"problem": problem, "coherence.policy": policy, "coherence.peer": peer}
    return problem_point(problem, keys, keys, figures, seconds)


def plain(markup):
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", markup)))


class AnswerTest(CommandTest):
    def test_the_depth_is_compared_with_depth_1_of_the_same_version(self):
        points = [*depths({1: 4.0, 2: 3.0, 4: 2.0}), *depths({1: 1.9, 2: 2.5, 4: 2.6}, "async")]
        answer = halo_depth(points_read(points))
        self.assertEqual((answer.choice, answer.factor), ("depth 1", None))
        self.assertIn("No depth beyond 1 pays", answer.sentence)
        answer = halo_depth(points_read(depths({1: 4.0, 2: 3.0, 4: 2.0})))
        self.assertEqual((answer.choice, answer.factor), ("depth 4", 2.0))
        self.assertIn("depth 4 is 2.00 times as fast as depth 1, on 1000 x 1000 cells of heat2d, float, 4 ranks", answer.sentence)
        self.assertNotIn("chance", answer.sentence)

    def test_repetitions_that_overlap_are_told(self):
        self.assertIn("it may be chance", halo_depth(points_read(depths({1: 2.02, 2: 2.0}))).sentence)

    def test_the_largest_grid_answers(self):
        points = [*depths({1: 4.0, 2: 3.0}, side=100), *depths({1: 9.0, 2: 9.5, 4: 3.0}, side=1000)]
        answer = halo_depth(points_read(points))
        self.assertEqual(answer.factor, 3.0)
        self.assertIn("on 1000 x 1000 cells of heat2d, float, 4 ranks, the largest grid.", answer.sentence)
        self.assertNotIn("worth most", answer.sentence)

    def test_the_grid_where_depth_is_worth_most_stands_beside_it(self):
        smaller = [*depths({1: 4.0, 2: 3.0}, side=200), *depths({1: 5.0, 16: 2.0}, "async", side=100)]
        worth = "It is worth most on 100 x 100 cells: depth 16 is 2.50 times as fast there, with async, no overlap."
        for largest, choice, factor in (({1: 9.0, 8: 8.0}, "depth 8", 1.125), ({1: 9.0, 8: 9.5}, "depth 1", None), ({8: 8.0, 16: 9.0}, "depth 8", None)):
            answer = halo_depth(points_read([*smaller, *depths(largest, side=1000)]))
            self.assertEqual((answer.choice, answer.factor), (choice, factor))
            self.assertTrue(answer.sentence.endswith(f". {worth}"), answer.sentence)
        nowhere = halo_depth(points_read([*depths({1: 4.0, 2: 5.0}, side=100), *depths({1: 9.0, 8: 9.5}, side=1000)]))
        self.assertNotIn("worth most", nowhere.sentence)

    def test_the_transport_is_the_best_over_all_depths_and_mock_is_none(self):
        times = {"pageable": (8, 8), "pinned": (4, 8), "peer_store": (2, 2), "mock": (1, 1)}
        points = [exchange_point(depth, name, both[place]) for name, both in times.items()
                  for place, depth in enumerate((1, 8))]
        answer = transport(points_read(points))
        self.assertEqual((answer.choice, round(answer.factor, 9)), ("peer_store", 4.0))
        self.assertIn("peer_store is 4.00 times as fast as pageable", answer.sentence)
        self.assertIn("2 depths (4.00); it is the fastest in 2 of them", answer.sentence)

    def test_the_allocator_is_judged_by_its_round_trip(self):
        points = [heap_point("native", threads, 60.0, 40.0) for threads in (32, 64)]
        points += [heap_point("slab_walk", 32, 10.0, 15.0), heap_point("slab_walk", 64, 20.0, 5.0)]
        answer = allocator(points_read(points))
        self.assertEqual((answer.choice, answer.factor, answer.exhibit), ("slab_walk", 4.0, "malloc"))

    def test_transfers_are_compared_with_pageable_memory_without_streams(self):
        points = [transfer_point(mode, "none", 1, 4096, "communication", total)
                  for mode, total in (("pageable", 90.0), ("pinned", 30.0), ("managed", 120.0))]
        answer = transfer_mode(points_read(points))
        self.assertEqual((answer.choice, answer.factor), ("pinned", 3.0))
        self.assertIn("4.00 times as fast as the worst version (managed, none)", answer.sentence)

    def test_policies_are_compared_with_none(self):
        points = [container_point(problem, policy, seconds) for problem in ("lu", "sph")
                  for policy, seconds in (("none", 8.0), ("paper", 4.0), ("region", 2.0))]
        answer = container_policy(points_read(points))
        self.assertEqual((answer.choice, round(answer.factor, 9)), ("region", 4.0))

    def test_what_is_not_there_is_no_answer(self):
        points = points_read([problem_point("bandwidth", {}, {}, {"h2d_gb_per_s": 1.0})])
        self.assertEqual([question.answer(points) for question in QUESTIONS], [None] * 5)


class ClaimTest(CommandTest):
    def judged(self, key, points):
        (claim,) = [claim for section in SECTIONS for claim in section.claims if claim.key == key]
        return claim.judge(points_read(points))

    def test_the_three_optimisations_of_valen(self):
        points = [*depths({1: 4.0, 8: 3.5}), *depths({1: 3.9, 8: 2.0}, "sync", "first_step")]
        judge = deep_halos.overlap_wins(("sync", "none"), 1.17)
        found = judge(points_read(points))
        self.assertIs(found.verdict, Verdict.HOLDS)
        self.assertIn("best at depth 8: 2.00 times as fast", found.text)
        self.assertIn("claimed 1.17 (1.14 is enough)", found.text)
        for best, verdict in ((3.64, Verdict.LESS), (4.2, Verdict.FAILS)):
            other = [*depths({1: 4.0}), *depths({1: 4.5, 8: best}, "sync", "first_step")]
            self.assertIs(judge(points_read(other)).verdict, verdict)
        self.assertIs(judge(points_read(depths({1: 4.0, 8: 3.5}))).verdict, Verdict.OPEN)

    def test_the_109_of_valen_is_over_async(self):
        points = [*depths({1: 4.4}, "async"), *depths({1: 4.0}), *depths({8: 4.0}, "sync", "first_step")]
        (claim,) = [claim for claim in deep_halos.CLAIMS if "1.09" in claim.text]
        found = claim.judge(points_read(points))
        self.assertIs(found.verdict, Verdict.HOLDS, found.text)
        self.assertIn("1.10 times as fast as async, no overlap at depth 1", found.text)

    def test_repetitions_that_are_too_far_apart_decide_nothing(self):
        points = [*depths({1: 4.0}), *depths({8: 3.4}, "sync", "first_step")]
        for made in points:
            made["wall_s"] = {"median": made["wall_s"]["median"], "minimum": 2.0, "maximum": 8.0}
        found = deep_halos.overlap_wins(("sync", "none"), 1.17)(points_read(points))
        self.assertIs(found.verdict, Verdict.OPEN)
        self.assertIn("the repetitions are 4.00 times apart, more than what they would show", found.text)

    def test_an_order_within_the_noise_is_not_measured(self):
        def joined(queue, walk, apart):
            points = []
            for name, time in (("page_queue", queue), ("random_walk", walk), ("bump", walk)):
                keys = {"allocator.name": name, "hash_join.tuples": 16}
                points.append(problem_point("hash_join", keys, keys, {"join_us": time}))
                points[-1]["wall_s"] = {"median": 1.0, "minimum": 1.0, "maximum": apart}
            return random_walks.queue_is_slowest(points_read(points)).verdict

        self.assertIs(joined(20.0, 10.0, 1.1), Verdict.HOLDS)
        self.assertIs(joined(10.0, 20.0, 1.1), Verdict.FAILS)
        self.assertIs(joined(20.0, 10.0, 3.0), Verdict.OPEN)

    def test_queues_of_the_kind_of_ouroboros_stand_for_it_in_a_join(self):
        def joined(**times):
            keys = [{"allocator.name": name, "hash_join.tuples": 16} for name in times]
            return random_walks.queue_is_slowest(points_read([
                problem_point("hash_join", key, key, {"join_us": time}) for key, time in zip(keys, times.values())]))

        walks = {"random_walk": 10.0, "bump": 10.0}
        self.assertIs(joined(page_queue=5.0, virtual_queues=20.0, **walks).verdict, Verdict.HOLDS)
        self.assertIn("time with virtual_queues over theirs", joined(page_queue=5.0, virtual_queues=20.0, **walks).text)
        self.assertIs(joined(page_queue=5.0, **walks).verdict, Verdict.FAILS)

    def test_an_order_that_holds_at_most_sizes_is_less_than_claimed(self):
        def found(*walks):
            points = []
            for tuples, walk in enumerate(walks, 16):
                for name, time in (("bump", 10.0), ("random_walk_bitmap", walk), ("collaborative_random_walk", walk)):
                    keys = {"allocator.name": name, "hash_join.tuples": tuples}
                    points.append(problem_point("hash_join", keys, keys, {"join_us": time}))
                    points[-1]["wall_s"] = {"median": 1.0, "minimum": 1.0, "maximum": 1.0}
            return random_walks.join_order(points_read(points))

        for walks, verdict in (((8.0, 5.0), Verdict.HOLDS), ((11.0, 5.0), Verdict.LESS), ((11.0, 9.0), Verdict.FAILS),
                               ((11.0, 12.0), Verdict.FAILS)):
            self.assertIs(found(*walks).verdict, verdict, walks)
        self.assertIn("above 1 in 2 of 4, 1.35 on average", found(11.0, 5.0).text)

    def test_unpacking_halves_or_does_not(self):
        def overlapped(times):
            return points_read([point(depth, exchange, "first_step", 4.0, phases={"unpack_s": seconds})
                                for depth, seconds in zip((1, 2, 4, 8), times) for exchange in ("sync", "async")])

        for times, verdict in (((8.0, 4.0, 2.0, 1.0), Verdict.HOLDS), ((8.0, 6.0, 4.0, 3.0), Verdict.LESS),
                               ((8.0, 8.0, 8.0, 8.0), Verdict.FAILS), ((8.0, 4.0), Verdict.OPEN)):
            self.assertIs(deep_halos.unpacking_halves(overlapped(times)).verdict, verdict)

    def test_sync_is_the_faster_one_or_is_not(self):
        def both(sync, late, spread=1.0):
            points = [*depths(dict(enumerate(sync, 1))), *depths(dict(enumerate(late, 1)), "async")]
            for made in points:
                median = made["wall_s"]["median"]
                made["wall_s"] |= {"minimum": median, "maximum": spread * median}
            return deep_halos.sync_is_not_slower(points_read(points))

        for late, verdict in (([5.0, 4.0, 4.0], Verdict.HOLDS), ([4.0, 4.0, 4.0], Verdict.HOLDS),
                              ([6.0, 3.0, 4.0], Verdict.LESS), ([3.0, 4.0, 4.0], Verdict.FAILS)):
            found = both([4.0] * 3, late)
            self.assertIs(found.verdict, verdict, found.text)
        self.assertIn("1.00 to 1.25 times as long as sync over 3 pairs of the same grid, depth and overlap: by more than 2 % longer "
                      "in 1, shorter in 0", both([4.0] * 3, [5.0, 4.0, 4.0]).text)
        self.assertIs(both([4.0] * 3, [5.0, 4.0, 4.0], 1.3).verdict, Verdict.OPEN)
        self.assertIs(deep_halos.sync_is_not_slower(points_read(depths({1: 4.0, 2: 3.0}))).verdict, Verdict.OPEN)

    def test_async_is_erratic_where_it_is_much_slower_than_it_mostly_is(self):
        def found(*late):
            return deep_halos.async_is_erratic(points_read([
                *depths(dict.fromkeys(range(1, len(late) + 1), 4.0)), *depths(dict(enumerate(late, 1)), "async")]))

        self.assertIs(found(4.0, 4.0, 6.0).verdict, Verdict.HOLDS)
        self.assertIn("1.00 times as long as sync in the median of 3 pairs, and at most 1.50 times (1000 x 1000, depth 3, no "
                      "overlap)", found(4.0, 4.0, 6.0).text)
        self.assertIs(found(4.0, 4.0, 4.4).verdict, Verdict.FAILS)
        self.assertIs(found(6.0, 6.0, 6.0).verdict, Verdict.FAILS, "slow everywhere can be foreseen")

    def test_versions_that_are_level_decide_nothing(self):
        def found(best, late):
            versions = {("sync", "none"): 5.0, ("async", "none"): 5.0, ("sync", "first_step"): best, ("async", "first_step"): late}
            points = [point(depth, *version, seconds) for version, seconds in versions.items() for depth in (1, 2)]
            for made in points:
                made["wall_s"] |= {"minimum": made["wall_s"]["median"], "maximum": made["wall_s"]["median"]}
            return deep_halos.sync_overlap_is_best(points_read(points))

        for late, verdict in ((4.2, Verdict.HOLDS), (3.8, Verdict.FAILS), (4.002, Verdict.OPEN)):
            self.assertIs(found(4.0, late).verdict, verdict)
        self.assertIn("the fastest two are level, 0.05 % apart", found(4.0, 4.002).text)

    def overlapped(self, *grids):
        """{depth: (seconds without, seconds with overlap)} of grids of 100 x 100 cells and more."""
        return [one for side, both in enumerate(grids, 100) for place, overlap in enumerate(("none", "first_step"))
                for one in depths({depth: pair[place] for depth, pair in both.items()}, overlap=overlap, side=side)]

    def test_overlap_is_faster_almost_everywhere_or_is_not(self):
        for slower, verdict in ((1, Verdict.HOLDS), (4, Verdict.LESS), (9, Verdict.FAILS)):
            both = {depth: (2.0, 2.6 if depth <= slower else 1.3) for depth in range(1, 11)}
            self.assertIs(self.judged("overlap-faster", self.overlapped(both)).verdict, verdict)
        self.assertIn("faster with overlap in 1 of 2 pairs of the same grid, depth and exchange: 0.91 to 1.33 times",
                      self.judged("overlap-faster", self.overlapped({1: (2.0, 2.2), 2: (2.0, 1.5)})).text)

    def test_overlap_gains_on_large_grids_or_does_not(self):
        some, more = {1: (2.0, 1.8), 2: (3.0, 2.8)}, {1: (2.0, 1.2), 2: (3.0, 2.2)}
        for grids, verdict in (((some, more), Verdict.HOLDS), ((more, some, some), Verdict.FAILS), ((more,), Verdict.OPEN)):
            self.assertIs(self.judged("overlap-large-grids", self.overlapped(*grids)).verdict, verdict)
        self.assertIn("at the best depths 1.67 times as fast with overlap on the 1 largest of 3 grids, and 1.11 times on the others",
                      self.judged("overlap-large-grids", self.overlapped(some, some, more)).text)

    def test_depth_pays_or_does_not(self):
        pays, costs = {1: (4.0, 4.0), 8: (2.0, 2.0)}, {1: (4.0, 4.0), 8: (5.0, 5.0)}
        for grids, verdict in (((pays, pays), Verdict.HOLDS), ((pays, costs), Verdict.LESS), ((costs,), Verdict.FAILS)):
            self.assertIs(self.judged("depth-pays", self.overlapped(*grids)).verdict, verdict)
        self.assertIn("2.00 times as fast at depth 8 (100 x 100)", self.judged("depth-pays", self.overlapped(pays)).text)

    def hidden(self, shares):
        """Of a second of communication."""
        return [point(depth, "sync", overlap, 4.0 - saved, phases={"pack_s": 0.1, "message_s": 0.5, "unpack_s": 0.5})
                for depth, share in shares.items() for overlap, saved in (("none", 0.0), ("first_step", share))]

    def test_as_much_is_hidden_or_less(self):
        for shares, verdict in (({1: 0.8, 8: 0.7}, Verdict.HOLDS), ({1: 0.5, 8: 0.7}, Verdict.LESS), ({1: 0.5, 8: -0.7}, Verdict.FAILS),
                                ({1: 0.8}, Verdict.OPEN)):
            self.assertIs(self.judged("hidden-share", self.hidden(shares)).verdict, verdict)
        self.assertIn("hidden 50.0 % at depth 1 and 70.0 % at depth 8", self.judged("hidden-share", self.hidden({1: 0.5, 8: 0.7})).text)

    def test_less_is_hidden_beyond_depth_8_or_not(self):
        for shares, verdict in (({8: 0.7, 16: 0.5, 32: 0.2}, Verdict.HOLDS), ({8: 0.7, 16: 0.8, 32: 0.2}, Verdict.LESS),
                                ({8: 0.7, 16: 0.8}, Verdict.FAILS), ({4: 0.8, 8: 0.7}, Verdict.OPEN)):
            self.assertIs(self.judged("hidden-deeper", self.hidden(shares)).verdict, verdict)

    def test_the_best_depth_is_lower_on_most_grids(self):
        def found(*grids):
            return deep_halos.ideal_depth_is_lower(points_read([
                one for side, (alone, overlapped) in enumerate(grids, 100) for overlap, best in (("none", alone), ("first_step", overlapped))
                for one in depths({depth: 1.0 if depth == best else 2.0 for depth in (1, 2, 4)}, overlap=overlap, side=side)]))

        for grids, verdict in (([(4, 2), (4, 1), (2, 4)], Verdict.HOLDS), ([(4, 2), (4, 4)], Verdict.LESS), ([(2, 4)], Verdict.FAILS)):
            self.assertIs(found(*grids).verdict, verdict)
        self.assertIn("4 and 4 (101 x 101), 4 and 2 (100 x 100); lower on 1 of 2", found((4, 2), (4, 4)).text)

    def test_what_valen_says_of_overlap_and_depth_holds_by_its_own_numbers(self):
        rows = [row for row in paper_rows("deep_halo_thesis_tables.csv") if row["gpu"] == "A100"]
        phases = {(int(row["side"]), int(row["depth"]), row["exchange"]): {
            "message_s": float(row["message_s"]), "desynchronisation_s": float(row["desync_s"]), "unpack_s": float(row["unpack_s"])}
            for row in rows if row["schedule"] == "serial"}
        points = [point(int(row["depth"]), row["exchange"], THESIS_OVERLAP[row["schedule"]], float(row["execution_s"]), side=int(row["side"]))
                  for row in rows]
        for made in points:
            made["wall_s"] |= {"minimum": made["wall_s"]["median"], "maximum": made["wall_s"]["median"]}
            made["phases"] = phases[made["deck"]["grid.size"][0], made["deck"]["halo.depth"], made["deck"]["halo.exchange"]]
        for key in ("best-version", "lower-depth", "overlap-faster", "overlap-large-grids", "depth-pays", "hidden-share", "hidden-deeper"):
            found = self.judged(key, points)
            self.assertIs(found.verdict, Verdict.HOLDS, found.text)

    def test_what_valen_says_of_both_exchanges_holds_by_its_own_numbers(self):
        for gpu in ("A100", "V100"):
            points = [point(int(row["depth"]), row["exchange"], THESIS_OVERLAP[row["schedule"]], float(row["execution_s"]),
                            side=int(row["side"]))
                      for row in paper_rows("deep_halo_thesis_tables.csv") if row["gpu"] == gpu]
            for judge in (deep_halos.sync_is_not_slower, deep_halos.async_is_erratic):
                found = judge(points_read(points))
                self.assertIs(found.verdict, Verdict.HOLDS, found.text)
                self.assertIn("98 pairs", found.text)

    def test_overlap_hides_slow_async_or_there_was_none(self):
        def four(late, late_overlapped):
            return points_read([*depths({1: 4.0, 2: 4.0}), *depths({1: 4.0, 2: late}, "async"),
                                *depths({1: 4.0, 2: 4.0}, "sync", "first_step"),
                                *depths({1: 4.0, 2: late_overlapped}, "async", "first_step")])

        for times, verdict in (((8.0, 5.0), Verdict.HOLDS), ((8.0, 9.0), Verdict.FAILS), ((3.9, 3.8), Verdict.OPEN)):
            found = deep_halos.hides_slow_async(four(*times))
            self.assertIs(found.verdict, verdict, found.text)
        self.assertIn("at depth 2", deep_halos.hides_slow_async(four(8.0, 5.0)).text)

    def test_why_is_told_from_the_phases(self):
        def phases(message, primary):
            return {"pack_s": 0.5, "message_s": message, "unpack_s": 0.5, "primary_s": primary}

        points = [point(1, "sync", "none", 4.0, phases=phases(2.0, 1.0)), point(8, "sync", "none", 3.0, phases=phases(0.5, 1.5)),
                  point(8, "sync", "first_step", 2.0)]
        text = deep_halos.overlap_wins(("sync", "none"), 1.17)(points_read(points)).text
        self.assertIn("an exchange's phases go from 3 s to 1.5 s and the computation, with its redundant cells, from 1 s to 1.5 s",
                      text)

    def test_a_phase_falls_or_does_not(self):
        for deep, verdict in ((1.0, Verdict.HOLDS), (1.5, Verdict.LESS), (1.98, Verdict.FAILS)):
            points = [point(depth, "sync", "none", 4.0, phases={"message_s": seconds, "pack_s": 1.0})
                      for depth, seconds in ((1, 2.0), (8, deep))]
            self.assertIs(deep_halos.message_falls(points_read(points)).verdict, verdict)

    def test_coalesced_work_is_judged_over_native(self):
        def work(name, microseconds):
            keys = {"allocator.name": name, "allocation.work": "linear", "allocation.floats": 100}
            return problem_point("allocation", keys, keys, {"work_us": microseconds})

        judge = superblocks.speeds_up("linear", ("warp_header_over_native",), 2)
        for own, verdict in ((30.0, Verdict.HOLDS), (60.0, Verdict.LESS), (100.0, Verdict.FAILS)):
            found = judge(points_read([work("native", 90.0), work("warp_header_over_native", own)]))
            self.assertIs(found.verdict, verdict, found.text)
        self.assertIs(judge(points_read([work("native", 90.0)])).verdict, Verdict.OPEN)

    def freed(self, allocate, free):
        """The block's variant takes as long to allocate and free as is said, the warp's a microsecond; native 90 and 10."""
        times = {"native": (90.0, 10.0), "block_header_over_native": (allocate, free), "warp_header_over_native": (1.0, 1.0)}
        return [problem_point("allocation", keys, keys, {"allocate_us": both[0], "free_us": both[1]}) for name, both in times.items()
                for keys in [{"allocator.name": name, "allocation.work": "linear", "allocation.floats": 100}]]

    def test_the_slowest_variant_is_asked_to_allocate_faster(self):
        for allocate, verdict in ((20.0, Verdict.HOLDS), (45.0, Verdict.LESS), (90.0, Verdict.FAILS)):
            found = self.judged("slowest-allocates", self.freed(allocate, 1.0))
            self.assertIs(found.verdict, verdict)
            self.assertIn("that of block_header_over_native, the slowest", found.text)

    def test_freeing_costs_little_beside_what_native_takes(self):
        for free, verdict, text in ((8.0, Verdict.HOLDS, "no variant takes longer to free than native"), (19.0, Verdict.HOLDS, "at most 9.00 %"),
                                    (30.0, Verdict.FAILS, "at most 20.0 %")):
            found = self.judged("freeing", self.freed(1.0, free))
            self.assertIs(found.verdict, verdict)
            self.assertIn(text, found.text)

    def test_times_of_blach_to_allocate_and_free_hold_by_our_rules(self):
        figures = {}
        for row in paper_rows("coalescing_allocator_tables.csv"):
            if row["metric"] in ("malloc_time", "free_time"):
                name = superblocks.OURS.get(row["variant"], row["variant"])
                figures.setdefault((name, row["floats_per_thread"]), {})[
                    "allocate_us" if row["metric"] == "malloc_time" else "free_us"] = 1e3 * float(row["mean"])
        points = [problem_point("allocation", keys, keys, times) for (name, floats), times in figures.items()
                  for keys in [{"allocator.name": name, "allocation.work": "linear", "allocation.floats": int(floats)}]]
        for key in ("block-header-fastest", "slowest-allocates", "freeing"):
            found = self.judged(key, points)
            self.assertIs(found.verdict, Verdict.HOLDS, found.text)

    def test_every_variant_of_all_to_all_has_to_reach_the_claim(self):
        def exchange(name, microseconds, **figures):
            keys = {"allocator.name": name, "collectives.operation": "alltoall"}
            return problem_point("collectives", keys, keys, {"collective_us": microseconds, **figures})

        def found(header, table):
            return superblocks.alltoall_gains(points_read([
                exchange("native", 44.0), exchange("warp_header_over_native", header, requests=64.0, superblocks=2.0),
                exchange("warp_table_over_native", table)]))

        self.assertIs(found(10.0, 10.0).verdict, Verdict.HOLDS)
        self.assertIs(found(10.0, 20.0).verdict, Verdict.LESS)
        self.assertIs(found(10.0, 50.0).verdict, Verdict.FAILS)
        self.assertIn("left for the heap below: warp_header_over_native 2 of 64", found(10.0, 10.0).text)

    def test_reduce_and_broadcast_that_scatter_are_not_measured(self):
        def reduce(name, low, microseconds, high):
            keys = {"allocator.name": name, "collectives.operation": "reduce"}
            return problem_point("collectives", keys, keys, {"collective_5th_us": low, "collective_us": microseconds,
                                                             "collective_95th_us": high})

        def verdict(low, high, other):
            return superblocks.others_do_not(points_read([
                reduce("native", low, 5.0, high), reduce("warp_header_over_native", low, other, high)])).verdict

        self.assertIs(verdict(4.9, 5.1, 5.2), Verdict.HOLDS)
        self.assertIs(verdict(4.9, 5.1, 6.0), Verdict.FAILS)
        self.assertIs(verdict(1.0, 900.0, 6.0), Verdict.OPEN)

    def test_the_numbers_of_blach_hold_by_our_rules(self):
        points = []
        for row in paper_rows("coalescing_allocator_tables.csv"):
            if row["metric"] != "work_speedup":
                continue
            keys = {"allocation.work": row["workload"], "allocation.floats": int(row["floats_per_thread"])}
            speedup = float(row["mean"])
            for name, time in (("native", 1.0), (superblocks.OURS[row["variant"]], 1.0 / speedup)):
                swept = {**keys, "allocator.name": name}
                points.append(problem_point("allocation", swept, swept, {"work_us": time}))
        for claim in superblocks.CLAIMS[:2]:
            found = claim.judge(points_read(points))
            self.assertIs(found.verdict, Verdict.HOLDS, found.text)

    def test_a_thousand_times_is_asked_of_rw_malloc(self):
        for slow, verdict in ((9000.0, Verdict.HOLDS), (100.0, Verdict.LESS), (5.0, Verdict.FAILS)):
            found = self.judged("allocates-thousandfold", [heap_point(name, threads, time, 9.0) for threads in (32, 64)
                                                           for name, time in (("native", slow), ("rw_malloc", 10.0))])
            self.assertIs(found.verdict, verdict, found.text)

    def test_figures_8_and_10_are_told_apart_by_what_varies(self):
        def found(**keys):
            points = []
            for name, time in (("virtual_queues", 900.0), ("rw_malloc", 10.0)):
                for place in (0, 1):
                    deck = {"allocator.name": name, **{key: values[place % len(values)] for key, values in keys.items()}}
                    points.append(problem_point("malloc_sweep", deck, deck, {"allocate_median_us": time, "free_median_us": time}))
            names = ("allocates-thousandfold", "frees-tenfold", "mixed-hundredfold")
            return [self.judged(name, points).verdict for name in names]

        nothing = Verdict.OPEN
        self.assertEqual(found(**{"malloc.threads": (32, 64)}), [Verdict.LESS, Verdict.HOLDS, nothing])
        self.assertEqual(found(**{"malloc.threads": (32,), "malloc.largest": (16, 64)}), [nothing, nothing, Verdict.HOLDS])

    def test_queues_win_or_lose_where_blocks_are_freed_at_once(self):
        def found(*queues):
            points = [problem_point("malloc_sweep", deck, deck, {"at_once_median_us": time})
                      for size, queue in enumerate(queues, 16)
                      for name, time in (("rw_malloc", 10.0), ("virtual_queues", queue), ("slab_walk", 1.0))
                      for deck in [{"allocator.name": name, "malloc.size": size}]]
            return self.judged("freed-at-once", points)

        for queues, verdict in (((5.0, 2.0), Verdict.HOLDS), ((2.0, 12.0), Verdict.LESS), ((20.0, 40.0), Verdict.FAILS)):
            self.assertIs(found(*queues).verdict, verdict, queues)
        self.assertIn("over that of virtual_queues: 0.25 to 0.50", found(20.0, 40.0).text)

    def test_sizes_matter_or_do_not(self):
        def found(*times):
            return self.judged("size-independent", [
                problem_point("malloc_sweep", keys, keys, {"allocate_median_us": time})
                for size, time in enumerate(times, 16)
                for keys in [{"allocator.name": "rw_malloc", "malloc.threads": 32, "malloc.size": size}]])

        for times, verdict in (([10.0] * 5, Verdict.HOLDS), ([10.0] * 5 + [90.0], Verdict.LESS), ([10.0, 10.0, 30.0, 90.0], Verdict.FAILS),
                               ([10.0] * 3, Verdict.OPEN)):
            self.assertIs(found(*times).verdict, verdict, times)
        self.assertIn("5 of 6 times of rw_malloc within 1.50 times their median; furthest with 21 bytes, 9.00 times",
                      found(*[10.0] * 5, 90.0).text)

    def test_both_kinds_of_steps_are_the_same_with_the_collaborative_walk(self):
        def found(was):
            return self.judged("tas-is-was", [
                problem_point("getpage", keys, keys, {"tas": 2.0, "was": was})
                for keys in [{"allocator.name": "collaborative_random_walk", "getpage.threads": 32}]]).verdict

        self.assertEqual([found(2.0), found(2.5)], [Verdict.HOLDS, Verdict.FAILS])

    def test_threads_that_do_not_run_at_once_do_not_count(self):
        def atomics(latencies, rate):
            return points_read([problem_point("atomics", keys, keys, {"latency_ns": latency, "operations_per_ns": rate})
                                for threads, latency in latencies.items()
                                for keys in [{"atomics.threads": threads, "atomics.addresses": 1, "atomics.operation": "add"}]])

        # Operations one after the other, a nanosecond each: of 400 threads 200 run at once.
        found = random_walks.grows_with_threads(atomics({100: 100.0, 200: 200.0, 400: 200.0}, 1.0))
        self.assertIs(found.verdict, Verdict.HOLDS, found.text)
        self.assertIn("2.00 the threads, 2.00 the time of an operation on one word: from 100 ns with 100 threads to 200 ns with 200; of "
                      "more threads only some 200 run at once", found.text)
        self.assertIs(random_walks.grows_with_threads(atomics({100: 70.0, 200: 75.0}, 2.0)).verdict, Verdict.FAILS)
        self.assertIs(random_walks.grows_with_threads(atomics({100: 3.0, 200: 3.0}, 1.0)).verdict, Verdict.OPEN)

    def test_a_pool_is_full_or_is_not(self):
        def filled(used, unit=256, name="rw_malloc"):
            return [problem_point("malloc_sweep", keys, keys, {"utilisation_percent": percent})
                    for size, percent in used.items()
                    for keys in [{"allocator.name": name, "allocator.page": unit, "malloc.size": size}]]

        judge = random_walks.fills_its_pool
        for used, verdict in (({256: 100.0, 3000: 97.0}, Verdict.HOLDS), ({8: 33.3, 256: 100.0}, Verdict.LESS),
                              ({8: 33.3, 16: 40.0}, Verdict.FAILS)):
            self.assertIs(judge(points_read(filled(used))).verdict, verdict)
        both = judge(points_read([*filled({8: 50.0, 64: 100.0}, 16), *filled({8: 33.3, 64: 72.7}, 256)]))
        self.assertIn("units of 16 bytes: 95 % and more at 1 of 2 sizes, at the least 50.0 % at 8 bytes; units of 256 bytes: 95 % and "
                      "more at 0 of 2 sizes, at the least 33.3 % at 8 bytes", both.text)
        self.assertIs(judge(points_read(filled({8: 50.0}, name="slab_walk"))).verdict, Verdict.OPEN)
        self.assertIs(judge(points_read([heap_point("rw_malloc", 32, 10.0, 9.0)])).verdict, Verdict.OPEN)

    def test_a_pool_is_as_full_as_headers_and_units_leave_it(self):
        """Of blocks of a whole warp: what each has with its header, in 16 bytes, behind 16 of the warp's, in whole units."""
        (run,) = [run for run in shipped("gpu") if deck_name(run) == "malloc_units"]
        for one in run.points:
            size, unit = one.deck["malloc.size"], one.deck["allocator.page"]
            alone = -(-size // unit) * unit
            block = -(-(size + 4) // 16) * 16
            together = -(-(16 + 32 * block) // unit) * unit / 32
            taken = together if block < unit else alone
            self.assertAlmostEqual(one.figure("utilisation_percent"), 100 * size / taken, delta=0.1, msg=(size, unit))

    def test_steps_are_held_against_the_formula_for_random_walks_alone(self):
        def pages(name, steps):
            keys = {"allocator.name": name, "getpage.threads": 32, "getpage.free": 50.0}
            return problem_point("getpage", keys, keys, {"tas": steps, "tas_formula": 2.0})

        queue = pages("page_queue", 1.0)
        self.assertTrue(random_walks.formula_holds(points_read([queue, pages("random_walk", 2.1)])).verdict is Verdict.HOLDS)
        self.assertIs(random_walks.formula_holds(points_read([queue, pages("random_walk", 3.0)])).verdict, Verdict.FAILS)
        self.assertIs(random_walks.formula_holds(points_read([queue])).verdict, Verdict.OPEN)

    def test_the_new_mechanism_against_the_initial_one(self):
        points = [container_point("lu", "initial", 8.0, allocated_mb=100.0), container_point("lu", "paper", 2.0, allocated_mb=2.0),
                  container_point("lu", "paper", 3.0, peer=False)]
        found = containers.new_beats_initial(points_read(points))
        self.assertIs(found.verdict, Verdict.LESS)
        self.assertIn("time with initial over paper, with peer copies: lu 4.00; geometric mean 4.00, highest 4.00; claimed 19.2 (15.6 is enough), 33.4 (26.9 is enough)",
                      found.text)
        self.assertIs(containers.new_beats_initial(points_read([container_point("lu", "initial", 80.0),
                                                                container_point("lu", "paper", 2.0)])).verdict, Verdict.HOLDS)
        self.assertIn("lu 50.0", containers.fewer_allocations(points_read(points)).text)
        self.assertIn("lu 1.50", containers.peers_help(points_read(points)).text)

    def test_peer_copies_save_a_third_and_not_half(self):
        def saved(without):
            ways = {f"{way}_mb": 0.0 for way in containers.WAYS}
            points = points_read([container_point("lu", "paper", 1.0, **{**ways, "h2d_mb": 2.0}),
                                  container_point("lu", "paper", 1.0, peer=False, **{**ways, "h2d_mb": without})])
            return [judge(points).verdict for judge in (containers.peers_save_bytes, containers.peers_halve_bytes)]

        self.assertEqual(saved(3.0), [Verdict.HOLDS, Verdict.LESS])
        self.assertEqual(saved(4.0), [Verdict.HOLDS, Verdict.HOLDS])
        self.assertEqual(saved(2.0), [Verdict.FAILS, Verdict.FAILS])


class NoisyTransfersTest(CommandTest):
    """Repetitions that are further apart than what they would show."""

    def finding(self, claim_begins, spread):
        """All 27 versions, pinned memory three times as fast as the others; the slowest repetition of each is `spread`
        times the fastest."""
        points = [transfer_point(mode, schedule, 1 if schedule == "none" else 4, 4096, bound, total)
                  for bound in ("communication", "balanced", "compute")
                  for mode, total in (("pageable", 300.0), ("pinned", 100.0), ("managed", 310.0))
                  for schedule in ("none", "depth_first", "breadth_first")]
        for one in points:
            median = one["wall_s"]["median"]
            one["wall_s"] |= {"minimum": median / spread**0.5, "maximum": median * spread**0.5}
        (claim,) = [claim for claim in design_space.CLAIMS if claim.text.startswith(claim_begins)]
        return claim.judge(points_read(points))

    def test_good_choices_are_not_judged_by_them(self):
        self.assertIs(self.finding("Good choices", 1.05).verdict, Verdict.HOLDS)
        found = self.finding("Good choices", 4.0)
        self.assertIs(found.verdict, Verdict.OPEN)
        self.assertIn("the repetitions are 4.00 times apart", found.text)


class GuidelineTest(CommandTest):
    def test_managed_memory_that_needs_streams_is_less_than_claimed(self):
        def found(alone, streamed):
            points = [transfer_point(mode, schedule, 1 if schedule == "none" else 4, 4096, "compute", total)
                      for mode, both in (("pageable", (300.0, 300.0)), ("pinned", (100.0, 100.0)), ("managed", (alone, streamed)))
                      for schedule, total in (("none", both[0]), ("depth_first", both[1]))]
            (claim,) = [claim for claim in design_space.CLAIMS if claim.key == "guideline-1"]
            return claim.judge(points_read(points)).verdict

        for times, verdict in (((100.0, 100.0), Verdict.HOLDS), ((130.0, 100.0), Verdict.LESS), ((130.0, 120.0), Verdict.FAILS)):
            self.assertIs(found(*times), verdict)


class TransferClaimTest(CommandTest):
    def judged(self, key, points):
        (claim,) = [claim for claim in design_space.CLAIMS if claim.key == key]
        return claim.judge(points_read(points))

    def test_pinned_memory_is_dear_to_allocate_or_is_not(self):
        def found(*costs):
            points = []
            for size, cost in zip((4096, 8192), costs):
                for mode, microseconds in (("pageable", 10.0), ("pinned", cost)):
                    points.append(transfer_point(mode, "none", 1, size, "communication", 50.0))
                    points[-1]["figures"]["allocate_us"] = microseconds
            return self.judged("pinned-allocation", points)

        for costs, verdict in (((60.0, 90.0), Verdict.HOLDS), ((60.0, 9.0), Verdict.LESS), ((9.0, 9.0), Verdict.FAILS)):
            self.assertIs(found(*costs).verdict, verdict)
        self.assertIn("4 KiB: 60 and 10, 8 KiB: 90 and 10", found(60.0, 90.0).text)

    def test_pinned_memory_gains_by_ten_streams_or_by_fewer(self):
        def found(times):
            return self.judged("pinned-streams", [transfer_point("pinned", "depth_first", streams, 4096, "communication", time)
                                                  for streams, time in times.items()])

        for times, verdict in (({1: 90.0, 8: 50.0, 32: 55.0}, Verdict.HOLDS), ({1: 90.0, 2: 50.0, 32: 90.0}, Verdict.LESS),
                               ({1: 50.0, 8: 95.0, 32: 99.0}, Verdict.FAILS), ({1: 90.0, 8: 50.0}, Verdict.OPEN)):
            self.assertIs(found(times).verdict, verdict)
        self.assertIn("communication 8 (1.80 times as fast as with one)", found({1: 90.0, 8: 50.0, 32: 55.0}).text)

    def test_pageable_memory_is_slower_with_type_1_or_is_not(self):
        def found(*streamed):
            return self.judged("pageable-type-1", [
                one for size, time in zip((4096, 8192), streamed)
                for one in (transfer_point("pageable", "none", 1, size, "communication", 50.0),
                            transfer_point("pageable", "depth_first", 4, size, "communication", time))]).verdict

        self.assertEqual([found(60.0, 90.0), found(40.0, 90.0), found(40.0, 40.0)], [Verdict.HOLDS, Verdict.LESS, Verdict.FAILS])


class VectorAdditionTest(CommandTest):
    def run_with(self, number, problem, slowest, streamed):
        points = []
        for mode, time in (("pageable", 60.0), ("pinned", 20.0), ("managed", 80.0)):
            taken = 90.0 if mode == slowest else time
            points += [transfer_point(mode, "none", 1, 4096, "communication", taken),
                       transfer_point(mode, "depth_first", 4, 4096, "communication", streamed * taken)]
        for one in points:
            one["work"]["problem"] = problem
        return run_of(points, number, command_line=f"haloheap input/{problem}.toml")

    def test_it_is_alike_or_is_not(self):
        (claim,) = [claim for claim in design_space.CLAIMS if claim.key == "vector-addition"]
        transfer = self.run_with(1, "transfer", "managed", 0.8)
        self.assertIsNone(page.first_finding(claim, [transfer])[0])
        for slowest, streamed, verdict in (("managed", 0.8, Verdict.HOLDS), ("pageable", 0.8, Verdict.HOLDS), ("managed", 1.2, Verdict.FAILS)):
            run, found = page.first_finding(claim, [transfer, self.run_with(2, "vector_add", slowest, streamed)])
            self.assertEqual((run.number, found.verdict), (2, verdict), found.text)
        self.assertIn("in 2 of 5 traits; others: 4 KiB: pageable with streams not faster, there faster", found.text)


class TwoRunsTest(CommandTest):
    """Of two buses, by the decks' names."""

    def bus(self, number, deck, times):
        points = [transfer_point(mode, "none", 1, 4096, "communication", total, kernel_us=20.0) for mode, total in times.items()]
        return run_of(points, number, command_line=f"haloheap input/{deck}.toml")

    def finding(self, pinned):
        older = self.bus(1, "transfer_pcie2", {"pageable": 200.0, "pinned": 100.0, "managed": 300.0})
        newer = self.bus(2, "transfer_pcie3", {"pageable": 100.0, "pinned": pinned, "managed": 150.0})
        (claim,) = [claim for claim in design_space.CLAIMS if claim.text.startswith("Guideline 7")]
        self.assertEqual(page.first_finding(claim, [older])[1].verdict, Verdict.OPEN)
        run, found = page.first_finding(claim, [older, newer])
        self.assertEqual(run.number, 2)
        return found

    def test_guideline_7_takes_both_buses(self):
        self.assertIs(self.finding(95.0).verdict, Verdict.HOLDS)
        found = self.finding(50.0)
        self.assertIs(found.verdict, Verdict.FAILS)
        self.assertIn("pinned 80 -> 30: 2.67", found.text)

    def test_table_3_stands_beside_ours(self):
        older = self.bus(1, "transfer_pcie2", {"pageable": 200.0, "pinned": 100.0, "managed": 300.0})
        newer = self.bus(2, "transfer_pcie3", {"pageable": 100.0, "pinned": 50.0, "managed": 150.0})
        ((grid, run),) = design_space.table_3([older, newer])
        self.assertEqual(run.number, 2)
        self.assertEqual([list(row) for row in grid.rows], [
            ["pageable", "V.3 < V.2", "< 180 -> 80: 2.25", "< 183 -> 83: 2.20", "< 210 -> 110: 1.91", "< 480 -> 380: 1.26"],
            ["pinned", "V.3 ~ V.2", "< 80 -> 30: 2.67", "< 83 -> 33: 2.52", "< 110 -> 60: 1.83", "< 380 -> 330: 1.15"],
            ["managed", "V.3 < V.2", "< 280 -> 130: 2.15", "< 283 -> 133: 2.13", "< 310 -> 160: 1.94", "< 580 -> 430: 1.35"]])
        self.assertIn("follows from the rates in the decks", grid.note)

    def test_table_3_without_runs_is_the_papers(self):
        ((grid, run),) = design_space.table_3([])
        self.assertIsNone(run)
        self.assertEqual(dict(grid.rows), {"pageable": "V.3 < V.2", "pinned": "V.3 ~ V.2", "managed": "V.3 < V.2"})


class SweepChartTest(CommandTest):
    def heap(self, name, figures=None, **keys):
        swept = {"allocator.name": name, "malloc.threads": 1024, "malloc.size": 16, "allocator.page": 256, **keys}
        return problem_point("malloc_sweep", swept, swept, figures or {"allocate_median_us": 5.0})

    def drawn(self, points):
        """Keys of the exhibits that draw them."""
        return {exhibit.key for exhibit in random_walks.SECTION.exhibits if exhibit.drawn(run_of(points))}

    def test_figures_8_to_10_are_told_apart_by_what_varies(self):
        for key, exhibits in (("malloc.threads", {"malloc"}), ("malloc.size", {"malloc-sizes"}),
                              ("malloc.largest", {"malloc-mixed"})):
            points = [self.heap("rw_malloc", **{key: value}) for value in (64, 128)]
            self.assertEqual(self.drawn(points), exhibits)
        at_once = [self.heap("rw_malloc", {"at_once_median_us": 5.0}, **{"malloc.size": size}) for size in (64, 128)]
        self.assertEqual(self.drawn(at_once), {"malloc-at-once"})

    def test_figure_11_has_allocators_and_units(self):
        def filled(**keys):
            figures = {"utilisation_percent": 90.0, "allocate_median_us": 5.0, "free_median_us": 5.0}
            return self.heap(figures=figures, **keys)

        alone = [filled(name=name) for name in ("rw_malloc", "native", "slab_walk")]
        self.assertIsNone(allocator(points_read(alone)), "times of a pool that is nearly full answer no question")
        self.assertIs(random_walks.over_queues("allocate", 1000)(points_read(alone)).verdict, Verdict.OPEN)

        sizes = (16, 24)
        self.assertEqual(self.drawn([filled(name="rw_malloc", **{"malloc.size": size}) for size in sizes]), {"malloc-fill"})
        self.assertEqual(self.drawn([filled(name="rw_malloc", **{"malloc.size": size, "allocator.page": page})
                                     for size in sizes for page in (16, 32)]), {"malloc-units"})


class StampTest(CommandTest):
    def conforming(self, **more):
        made = point(1, "sync", "none", 1.0, verification={"passed": True, "bitwise": True}, **more)
        made["deck"]["run.repetitions"] = 5
        return made

    def reasons(self, made, **provenance):
        return stamp(run_of([made], **provenance)).reasons

    QUIET = {"loads": [0.5] * 4, "cores": [4] * 4, "cpu_clocks": ["governor performance, 1500 to 3700 MHz"] * 4}
    GPU = {"execution_space": "Cuda", "drivers": ["570.86"], "device_clocks": ["SM 1980 of 1980 MHz, memory 2619 of 2619 MHz"]}

    def test_a_run_without_faults_has_none_and_says_what_is_not_recorded(self):
        found = stamp(run_of([self.conforming()]))
        self.assertEqual((found.reasons, found.text()), ((), "conforming as far as recorded"))
        self.assertEqual(found.unknown, ("load of the machine", "clocks of the CPU"))

    def test_a_run_conforms_if_all_is_recorded_and_fine(self):
        for more in ({}, self.GPU):
            found = stamp(run_of([self.conforming()], **self.QUIET, **more))
            self.assertEqual((found.reasons, found.unknown, found.text()), ((), (), "conforming"))
        without = {key: value for key, value in self.GPU.items() if key == "execution_space"}
        self.assertEqual(stamp(run_of([self.conforming()], **self.QUIET, **without)).unknown, ("driver", "clocks of the device"))

    def test_load_and_clocks_are_reasons(self):
        for provenance, reason in (
                ({"loads": [9.0] * 4}, "a busy machine: load 9.0 on 4 hardware threads"),
                ({"cpu_clocks": ["governor powersave, 800 to 3700 MHz"]}, "clocks not fixed: governor powersave"),
                ({**self.GPU, "device_clocks": ["SM 900 of 1980 MHz, memory 1 of 1 MHz, slowed by power or heat"]},
                 "a device that is slowed by power or heat")):
            (found,) = self.reasons(self.conforming(), **{**self.QUIET, **provenance})
            self.assertIn(reason, found)
        one_clock = {**self.QUIET, "cpu_clocks": ["governor userspace, 2000 to 2000 MHz"]}
        self.assertEqual(self.reasons(self.conforming(), **one_clock), ())

    def test_another_deck_is_a_reason(self):
        runs = {deck_name(run): run for run in shipped("gpu")}
        self.assertIn("taken with another deck (run.repetitions)", stamp(runs["thesis_h200"]).reasons)

    def test_each_fault_is_a_reason(self):
        few, wrong, unverified, wide = (self.conforming() for _ in range(4))
        few["deck"]["run.repetitions"] = 1
        wrong["verification"]["passed"] = False
        del unverified["verification"]
        wide["wall_s"]["maximum"] = 2.0
        emulated = self.conforming(notes=["the link is emulated: the time is what it would take"])
        for made, provenance, reason in (
                (few, {}, "1 repetition (3 at least)"), (wrong, {}, "results that were verified and are wrong"),
                (unverified, {}, "1 of 1 points not verified"), (wide, {}, "1 of 1 points with repetitions more than 20 % apart"),
                (emulated, {}, "the link between host and device is emulated"),
                (self.conforming(), {"compiler_flags": "Debug -O0 -g"}, "debug build"),
                (self.conforming(), {"git_revision": "abc-dirty"}, "changes that are not committed")):
            found = self.reasons(made, **provenance)
            self.assertEqual(len(found), 1, found)
            self.assertIn(reason, found[0])

    def test_a_disturbed_run_is_told_beside_its_answers(self):
        quiet = run_of([self.conforming()])
        wide = self.conforming()
        wide["wall_s"]["maximum"] = 2.0
        self.assertEqual((disturbed(quiet), disturbed(run_of([wide]))), (False, True))

    def test_many_repetitions_may_be_further_apart_than_few(self):
        """As those of one deviation are: the numbers are those of statistical tables."""
        for values, deviations in ((2, 1.128), (5, 2.326), (10, 3.078), (100, 5.015), (1000, 6.483)):
            self.assertAlmostEqual(conformity.normal_range(values), deviations, places=2)
        self.assertEqual([round(conformity.quiet(repetitions), 2) for repetitions in (1, 3, 5, 10, 100, 1000)],
                         [0.2, 0.2, 0.2, 0.26, 0.43, 0.56])

    def test_repetitions_of_one_deviation_conform_whatever_their_number(self):
        drawn = random.Random(5)
        for repetitions in (5, 100, 1000):
            reasons = []
            for deviation in (0.05, 0.15):
                times = [drawn.gauss(1.0, deviation) for _ in range(repetitions)]
                made = self.conforming()
                made["deck"]["run.repetitions"] = repetitions
                made["wall_s"] = {"median": sorted(times)[repetitions // 2], "minimum": min(times), "maximum": max(times)}
                reasons.append(self.reasons(made))
            self.assertEqual(reasons[0], (), repetitions)
            limit = round(100 * conformity.quiet(repetitions))
            self.assertIn(f"1 of 1 points with repetitions more than {limit} % apart", reasons[1][0])
        self.assertIn("more than 56 % apart (of 1000; 20 % of 5)", reasons[1][0])

    def test_facts_say_what_is_missing(self):
        found = dict(facts(run_of([self.conforming()], execution_space="Cuda", git_revision="", command_line="/x/y/haloheap a.toml",
                                  devices=["CUDA device 0: NVIDIA H200, 132 multiprocessors, driver 13.0"])))
        self.assertEqual((found["commit"], found["driver"], found["command"], found["clocks"]),
                         ("not recorded", "not recorded, but that it supports CUDA 13.0", "haloheap a.toml", "not recorded"))
        found = dict(facts(run_of([self.conforming()], **self.QUIET, **self.GPU)))
        self.assertEqual((found["driver"], found["load at the start"]), ("570.86", "0.50 on 4 hardware threads"))
        self.assertEqual(found["clocks"], "governor performance, 1500 to 3700 MHz; SM 1980 of 1980 MHz, memory 2619 of 2619 MHz")


class ChartTest(CommandTest):
    chart = charts.Chart("title", "depth", "time [s]", [charts.Panel("", [
        charts.Series("one", [1, 2], [1.5, None], [1.0, None], [2.0, None]), charts.Series("two", [2, 4], [3.0, 2.0])])],
        log_x=True)

    def test_the_table_has_a_row_for_each_place(self):
        table = charts.table(self.chart)
        self.assertEqual(table.heads, ["depth", "one [time [s]]", "two [time [s]]"])
        self.assertEqual(table.rows, [["1", "1.5 (1 to 2)", "-"], ["2", "-", "3"], ["4", "-", "2"]])

    def test_series_are_told_apart_without_colour(self):
        names = [f"series {number}" for number in range(16)]
        drawn = charts.figure(charts.Chart("", "", "", [charts.Panel("", [charts.Series(name, [1], [1]) for name in names])]))
        looks = {(trace["marker"]["symbol"], trace["line"]["dash"]) for trace in drawn["data"]}
        self.assertEqual(len(looks), 16)

    def test_a_range_becomes_lengths_and_a_name_stands_once_in_the_legend(self):
        chart = charts.Chart("", "", "", [self.chart.panels[0], self.chart.panels[0]], bars=True)
        traces = charts.figure(chart)["data"]
        self.assertEqual((traces[0]["error_y"]["array"], traces[0]["error_y"]["arrayminus"]), ([0.5, 0.0], [0.5, 0.0]))
        self.assertEqual([trace["showlegend"] for trace in traces], [True, True, False, False])
        self.assertEqual([trace["xaxis"] for trace in traces], ["x", "x", "x2", "x2"])

    def test_numbers_of_the_thesis_are_those_of_its_tables(self):
        rows = {int(row["depth"]): float(row["execution_s"]) for row in paper_rows("deep_halo_thesis_tables.csv")
                if (row["gpu"], row["side"], row["exchange"], row["schedule"]) == ("A100", "35000", "sync", "overlap")}
        (drawn,) = [chart for chart in deep_halos.thesis_times([]) if "A100" in chart.title]
        (series,) = [one for one in drawn.panels[0].series if one.name == "sync, first_step"]
        self.assertIn("Figure 5.6", drawn.title)
        self.assertEqual(dict(zip(series.x, series.y)), rows)

    def test_the_side_of_the_thesis_is_that_of_the_run(self):
        drawn = deep_halos.thesis_times([run_of(depths({1: 1.0, 2: 0.9}, side=10000))])
        self.assertTrue(all("10000 x 10000" in chart.title for chart in drawn), drawn)

    def test_shares_that_the_thesis_prints_are_found_from_its_appendix(self):
        drawn = {chart.title.split(",")[1].strip().split(":")[0]: chart for chart in deep_halos.thesis_hidden([])}
        (series,) = drawn["Table 5.2"].panels[0].series
        self.assertAlmostEqual(series.y[0], 83.3, delta=0.1)
        self.assertAlmostEqual(series.y[3], 75.1, delta=0.1)


class PageReport(CommandTest):
    """Without Plotly: what stands in its place is enough for what is tested here."""

    def setUp(self):
        super().setUp()
        self.script, page.plotly_script = page.plotly_script, lambda: "/* plotly */"
        self.addCleanup(setattr, page, "plotly_script", self.script)

    def report(self, *contents, arguments=()):
        path = self.folder / "report.html"
        result = self.run_command("report", *self.written(*contents), "-o", path, *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertEqual(result.stdout, f"wrote {path}\n")
        return path.read_text(encoding="utf-8")


class PageTest(PageReport):
    def test_the_first_screen_answers_or_says_what_to_run(self):
        text = self.report(document(depths({1: 4.0, 2: 3.0, 4: 2.0})), arguments=["--alone"])
        first = plain(text[text.index('<ol class="answers"'):text.index("</ol>")])
        self.assertIn("Which halo depth? depth 4 2.00 × as fast", first)
        for deck in ("bench_halo", "malloc_sweep", "transfer", "figure6"):
            self.assertIn(f"not measured run {DECKS[deck].command()}", first)
        self.assertIn('<a href="#depth">the evidence</a>', text)

    def test_it_is_of_the_machine_of_most_runs_and_names_the_others(self):
        made = [document(depths({1: 4.0, 2: 3.0})) for _ in range(4)]
        for one, device in zip(made, ("CUDA device 0: A", "CUDA device 0: B", "CUDA device 0: B", "CUDA device 0: C")):
            one["provenance"]["devices"] = [f"{device}, 80 GiB"]
        text = self.report(*made, arguments=["--alone"])
        first = plain(text[text.index("<header"):text.index("</header>")])
        self.assertIn("this machine CUDA device 0: B, 80 GiB", first)
        self.assertIn("other machines: A (1 of 4); C (1 of 4).", first)
        self.assertNotIn("other machines", self.report(document(depths({1: 4.0})), arguments=["--alone"]))

    def test_an_answer_of_another_machine_names_it(self):
        transport_points = [exchange_point(depth, name, 8.0 if name == "pageable" else 2.0) for depth in (1, 8)
                            for name in ("pageable", "peer_store")]
        made = [document(depths({1: 4.0, 2: 3.0})), document(depths({1: 4.0, 2: 3.0})), document(transport_points)]
        for one, devices in zip(made, (["CUDA device 0 of 1: A"], ["CUDA device 0: A"], ["CUDA device 0 of 2: B", "CUDA device 1 of 2: B"])):
            one["provenance"]["devices"] = [f"{device}, 80 GiB" for device in devices]
        text = self.report(*made, arguments=["--alone"])
        first = plain(text[text.index("<header"):text.index("</ol>")])
        self.assertIn("other machines: 2 × B (1 of 3).", first)
        depth, transports = first[first.index("Which halo depth?"):].split("Which transport?")
        self.assertNotIn("Measured on", depth)
        self.assertIn("it is the fastest in 2 of them. Measured on 2 × B.", transports)

    def test_every_link_has_its_target(self):
        text = self.report(document(depths({1: 4.0, 2: 3.0})))
        targets = set(re.findall(r'\bid="([^"]+)"', text))
        self.assertEqual(set(re.findall(r'href="#([^"]+)"', text)) - targets, set())
        self.assertEqual(len(targets), len(re.findall(r'\bid="([^"]+)"', text)), "an id stands twice")

    def test_it_asks_no_network_for_anything(self):
        text = self.report(document(depths({1: 4.0, 2: 3.0})))
        self.assertIn("default-src 'none'", text)
        self.assertNotRegex(text, r"https?://|<link|\bsrc=|@import|url\(")

    def test_what_a_file_says_cannot_become_markup(self):
        made = document(depths({1: 4.0, 2: 3.0}))
        made["provenance"]["devices"] = ["<script>alert(1)</script>"]
        made["points"][0]["deck"]["halo.transport"] = made["points"][0]["swept"]["halo.transport"] = "</script><b>"
        text = self.report(made)
        self.assertNotIn("alert(1)</script>", text)
        self.assertNotIn("</script><b>", text)

    def test_each_chart_has_its_table_its_deck_and_its_command(self):
        made = document(depths({1: 4.0, 2: 3.0}))
        made["provenance"]["command_line"] = "/somewhere/bin/haloheap /elsewhere/input/thesis.toml output.folder=/tmp/x a=1 -o /tmp/y"
        text = self.report(made, arguments=["--alone"])
        figures = re.findall(r"<figure.*?</figure>", text, re.DOTALL)
        self.assertGreater(len(figures), 10)
        self.assertEqual([figure for figure in figures if "<summary>Table</summary>" not in figure], [])
        (own,) = [figure for figure in figures if "here, run 1" in figure and "time for all steps" in figure]
        self.assertIn("<code>haloheap input/thesis.toml a=1</code>", own)
        self.assertIn("thesis.toml, 2026-01-02, ", plain(own))

    def test_a_claim_that_does_not_hold_is_explained_and_can_be_linked_to(self):
        both = [*depths({1: 4.0, 2: 4.0}), *depths({1: 3.0, 2: 3.0}, "async")]
        made = document(both)
        made["provenance"]["execution_space"] = "Cuda"
        text = self.report(made, arguments=["--alone"])
        (row,) = re.findall(r'<tr id="claim-sync-faster".*?</tr>', text, re.DOTALL)
        self.assertIn("does not hold async takes 0.75 times as long as sync over 2 pairs", plain(row))
        self.assertIn(f"Explained so far: {deep_halos.SYNC_IS_FASTER}", plain(row))
        text = self.report(document([*depths({1: 4.0, 2: 4.0}), *depths({1: 5.0, 2: 5.0}, "async")]), arguments=["--alone"])
        (row,) = re.findall(r'<tr id="claim-sync-faster".*?</tr>', text, re.DOTALL)
        self.assertNotIn("Explained", plain(row))

    def test_a_claim_that_does_not_hold_on_a_host_has_a_reason_of_hosts(self):
        made = document([*depths({1: 4.0, 2: 4.0}), *depths({1: 3.0, 2: 3.0}, "async")])
        made["provenance"]["execution_space"] = "OpenMP, concurrency 1"
        text = self.report(made, arguments=["--alone"])
        (row,) = re.findall(r'<tr id="claim-sync-faster".*?</tr>', text, re.DOTALL)
        self.assertIn(f"Explained so far: {hosts.ONE_MEMORY}", plain(row))
        self.assertNotIn(deep_halos.SYNC_IS_FASTER, plain(row))

    def test_claims_and_figures_can_be_chosen_by_verdict_and_paper(self):
        text = self.report(document([*depths({1: 4.0, 2: 3.0}), *depths({1: 3.0, 2: 2.0}, "async")]), arguments=["--alone"])
        (form,) = re.findall(r"<form.*?</form>", text, re.DOTALL)
        self.assertIn('hidden=""', form[: form.index(">")], "without the script that heeds it nobody sees it")
        told = plain(form)
        rows = re.findall(r'<tr id="claim-[\w-]+" data-verdict="(\w+)">', text)
        self.assertEqual(len(rows), sum(len(section.claims) for section in SECTIONS))
        for verdict, short in filter.SHORT.items():
            self.assertIn(f"{verdict.value} ({rows.count(short)})", told)
        for name in ("[Valen2023]", "Transports", "[Blach2022]", "[Pham2022]", "[Bhimani2016]", "[Dastgeer2016]"):
            self.assertIn(name, told)
        values = set(re.findall(r'name="paper" value="([\w-]+)"', form))
        self.assertEqual(values, set(re.findall(r'<section id="[\w-]+" data-paper="([\w-]+)"', text)))
        of_depth = re.search(r'<div id="depth" data-verdicts="([\w ]*)"', text)[1].split()
        of_claims = re.findall(r'data-verdict="(\w+)"', text[text.index('id="deep-halos"'):text.index('id="transports"')])
        self.assertEqual(set(of_depth), set(of_claims), "all are decided by the deck of this figure")
        self.assertIn('<div id="exchange" data-verdicts=""', text, "no claim is")

    def test_what_the_run_lacks_is_said_with_its_deck_and_the_reference_stands_beside(self):
        text = self.report(document(depths({1: 4.0, 2: 3.0})))
        volume = text[text.index('id="volume"'):text.index('id="policies"')]
        self.assertIn(f"Not measured here. Run {DECKS['table1'].command()}", plain(volume))
        self.assertIn("reference", plain(volume))

    def test_the_run_of_its_deck_counts_before_others(self):
        made = [run_of([container_point("lu", "initial", 8.0), container_point("lu", "paper", seconds)], number,
                       command_line=f"haloheap input/{deck}.toml")
                for number, deck, seconds in ((1, "other", 4.0), (2, "figure7", 2.0), (3, "figure7_h200", 1.0))]
        (claim,) = [claim for claim in containers.CLAIMS if claim.judge is containers.new_beats_initial]
        run, found = page.first_finding(claim, made)
        self.assertEqual((run.number, "lu 4.00;" in found.text), (2, True))
        run, found = page.first_finding(claim, [made[0], made[2]])
        self.assertEqual((run.number, "lu 8.00;" in found.text), (3, True))

    def test_a_claim_that_no_run_decides_says_why(self):
        scattered = [container_point("lu", "initial", 8.0), container_point("lu", "paper", 4.0)]
        for made in scattered:
            made["wall_s"] |= {"minimum": 0.01, "maximum": 90.0}
        (claim,) = [claim for claim in containers.CLAIMS if claim.judge is containers.new_beats_initial]
        run, found = page.first_finding(claim, [run_of(scattered)])
        self.assertEqual((run.number, found.verdict), (1, Verdict.OPEN))
        self.assertIn("more than what they would show", found.text)

    def test_table_1_is_shown_of_one_run(self):
        points = [container_point("lu", policy, 1.0, unit_h2d=1.0, unit_d2d=0.0, unit_peer=0.0, unit_d2h=0.5)
                  for policy in ("initial", "paper")]
        text = self.report(document(points), document(points), arguments=["--alone"])
        volume = text[text.index('id="volume"'):text.index('id="policies"')]
        self.assertEqual(volume.count("<figure"), 1)

    def test_a_report_takes_runs_or_two_to_compare(self):
        self.assert_refused(self.run_command("report"), "takes results.json of one or more runs, or --compare")
        empty = self.folder / "empty"
        empty.mkdir()
        self.assert_refused(self.run_command("report", empty), "has no results.json in it")

    def test_without_plotly_it_says_what_to_install(self):
        page.plotly_script = self.script
        hidden = {name: sys.modules.pop(name) for name in list(sys.modules) if name.split(".")[0] == "plotly"}
        self.addCleanup(sys.modules.update, hidden)
        real = page.importlib.util.find_spec
        page.importlib.util.find_spec = lambda name: None
        self.addCleanup(setattr, page.importlib.util, "find_spec", real)
        result = self.run_command("report", *self.written(document(depths({1: 4.0, 2: 3.0}))), "-o", self.folder / "r.html")
        self.assertEqual(result.returncode, 3)
        self.assertIn("no package plotly with its plotly.min.js", result.stderr)
        self.assertFalse((self.folder / "r.html").exists())


def deck_name(run):
    """By which DECKS and DEVICE_DECKS know a reference run's deck."""
    return pathlib.PurePath(run.path).name.removesuffix(".json.gz")


class ReferenceTest(CommandTest):
    def test_every_deck_of_the_small_set_is_there_and_has_reference_results(self):
        self.assertEqual({deck_name(run) for run in shipped("cpu")}, set(DECKS))
        self.assertLessEqual({deck_name(run) for run in shipped("gpu")}, set(DEVICE_DECKS))

    def test_decks_that_changed_since_are_known(self):
        """Where this fails: take the results anew, or name the keys in STALE and in data/reference/README.md."""
        readme = (REFERENCE / "README.md").read_text(encoding="utf-8")
        found = {}
        for kind, decks in (("cpu", DECKS), ("gpu", DEVICE_DECKS)):
            for run in shipped(kind):
                name = deck_name(run)
                if keys := changed_keys(decks[name], run.points):
                    found[f"{kind}/{name}"] = keys
                    self.assertIn(f"`{name}`: {', '.join(f'`{key}`' for key in keys)}", re.sub(r"\s+", " ", readme))
        self.assertEqual(found, STALE)

    def test_a_key_that_a_result_lacks_is_noticed(self):
        (run,) = [run for run in shipped("cpu") if deck_name(run) == "transfer_sizes"]
        self.assertEqual(changed_keys(DECKS["transfer_sizes"], run.points), ())
        for one in run.points:
            del one.deck["transfer.bound"]
        self.assertEqual(changed_keys(DECKS["transfer_sizes"], run.points), ("transfer.bound",))

    def test_those_of_a_cpu_fill_every_exhibit_and_answer_every_question(self):
        runs = shipped("cpu")
        for exhibit in (exhibit for section in SECTIONS for exhibit in section.exhibits):
            self.assertTrue(any(exhibit.drawn(run) for run in runs), exhibit.key)
            self.assertTrue(exhibit.unpublished or exhibit.published(runs), exhibit.key)
        for question in QUESTIONS:
            self.assertIsNotNone(page.first_answer(question, runs)[1], question.text)
        for claim in (claim for section in SECTIONS for claim in section.claims):
            # Of one grid nothing can be said of larger ones.
            self.assertTrue(page.first_finding(claim, runs)[0] or claim.key == "overlap-large-grids", claim.text)
        for listing in (listing for section in SECTIONS for listing in section.listings):
            self.assertTrue(listing.listed(runs), listing.key)

    def test_they_have_no_path_of_the_machine_that_made_them(self):
        for run in [*shipped("cpu"), *shipped("gpu")]:
            self.assertNotRegex(json.dumps(dict(run.results.provenance)), r'"/|[ =]/(home|root|work|tmp)')

    def test_a_reference_run_does_not_stand_beside_itself(self):
        for kind in ("cpu", "gpu"):
            runs = shipped(kind)
            self.assertEqual(len(reference_runs(runs[:3])), len(runs) - 3)

    def test_of_a_gpu_where_a_run_is_of_one(self):
        self.assertEqual({run.path.split("/")[0] for run in reference_runs([])}, {"cpu"})
        self.assertEqual({run.path.split("/")[0] for run in reference_runs(shipped("cpu")[:1])}, {"cpu"})
        self.assertEqual({run.path.split("/")[0] for run in reference_runs([shipped("cpu")[0], shipped("gpu")[0]])}, {"gpu"})
        self.assertTrue(all(is_host(run) for run in shipped("cpu")))
        self.assertFalse(any(is_host(run) for run in shipped("gpu")))

    def test_decks_for_devices_are_those_of_the_small_set(self):
        # Links of earlier buses are emulated, which devices are not.
        self.assertEqual([name.removesuffix("_h200") for name in DEVICE_DECKS],
                         [name for name in DECKS if not name.startswith("transfer_pcie")])

    def test_charts_call_quantities_as_the_files_do(self):
        (run,) = [run for run in shipped("gpu") if deck_name(run) == "getpage"]
        (chart,) = random_walks.getpage_chart("tas")(run)
        self.assertEqual((chart.title, chart.notes[0]), ("TAS", "TAS: Steps of a thread on average, in runs of their own."))

    def test_what_devices_run_stands_in_the_heads_of_decks(self):
        """But for how often: some were too long for the repetitions of the papers."""
        for deck in DEVICE_DECKS.values():
            text = re.sub(r"\\\n# +", "", (ROOT / deck.file).read_text(encoding="utf-8"))
            for given in deck.settings:
                if not given.startswith("run.") or deck.name in ("hash_join", "vector_add"):
                    self.assertIn(given, text, deck.name)


class OrderTest(CommandTest):
    """The order in which results are given: that of a folder is the alphabet's."""

    def shuffled(self, runs):
        """Both ways, and by chance, always the same."""
        yield runs[::-1]
        drawn = random.Random(21)
        for _ in range(2):
            yield drawn.sample(runs, len(runs))

    def told(self, found):
        run, what = found
        return run and run.path, what

    def test_each_reference_run_is_known_as_one_of_its_deck(self):
        for run in [*shipped("cpu"), *shipped("gpu")]:
            self.assertEqual(own_deck(run), deck_name(run).removesuffix("_h200"))

    def test_what_decks_of_one_file_differ_in_is_what_the_file_sweeps(self):
        for name, kinds in SHARED.items():
            now = deck_now(DECKS[name])
            self.assertEqual(kinds, {key: VARIES if isinstance(now[key], list) else now[key] for key in kinds})
            self.assertEqual({key for key, value in now.items() if isinstance(value, list)} - set(kinds), set())
        for deck in (deck for deck in DECKS.values() if deck.source.removesuffix(".toml") in SHARED):
            keys = ("allocator.name", "allocator.page", *(key for key in deck.kinds if key.startswith("malloc.")))
            self.assertEqual(*({key: one.kinds.get(key) for key in keys} for one in (deck, DEVICE_DECKS[deck.name])))

    def test_it_changes_no_verdict_and_no_answer(self):
        runs = shipped("gpu")
        for others in self.shuffled(runs):
            for claim in (claim for section in SECTIONS for claim in section.claims):
                self.assertEqual(self.told(page.first_finding(claim, others)),
                                 self.told(page.first_finding(claim, runs)), claim.text)
            for question in QUESTIONS:
                self.assertEqual(self.told(page.first_answer(question, others)),
                                 self.told(page.first_answer(question, runs)), question.text)

    def test_figure_8_is_judged_by_the_run_against_threads(self):
        runs = sorted(shipped("gpu"), key=lambda run: run.path)
        (claim,) = [claim for claim in random_walks.CLAIMS if claim.key == "allocates-thousandfold"]
        run, found = page.first_finding(claim, runs)
        self.assertEqual((deck_name(run), "0.26 to 76.1" in found.text), ("malloc_sweep", True), found.text)
        run, _ = page.first_answer(QUESTIONS[2], runs)
        self.assertEqual(deck_name(run), "malloc_sweep")

    def test_it_changes_nothing_of_a_report(self):
        malloc = [run for run in shipped("cpu") if run.path.startswith(("cpu/malloc", "cpu/figure"))]
        expected = page.report(numbered(malloc), [])
        for others in self.shuffled(malloc):
            self.assertEqual(page.report(numbered(others), []), expected)


class CompareTest(PageReport):
    def rows(self, before, after):
        return compare.rows_of(points_read(before), points_read(after))

    def test_what_became_slower_stands_first(self):
        before = depths({1: 1.0, 2: 1.0, 4: 1.0})
        after = depths({1: 0.5, 2: 1.01, 4: 3.0})
        self.assertEqual([(row.label, row.verdict()) for row in self.rows(before, after)],
                         [("halo.depth = 4", "slower"), ("halo.depth = 2", "same"), ("halo.depth = 1", "faster")])

    def test_repetitions_that_overlap_are_the_same(self):
        (row,) = self.rows(depths({1: 1.0}), depths({1: 1.07}))
        self.assertEqual((round(row.ratio, 9), row.verdict()), (1.07, "same"))

    def test_a_key_that_one_version_lacks_tells_no_points_apart(self):
        after = depths({1: 1.0})
        after[0]["deck"]["halo.new_key"] = 7
        self.assertEqual(len(self.rows(depths({1: 1.0}), after)), 1)
        other = copy.deepcopy(after)
        other[0]["ranks"] = 8
        self.assertEqual(self.rows(depths({1: 1.0}), other), [])

    def test_figures_with_a_fastest_repetition_are_compared_too(self):
        def heap(microseconds):
            made = heap_point("slab_walk", 32, microseconds, 10.0)
            made["figures"]["allocate_minimum_us"] = 0.9 * microseconds
            return made

        found = {row.quantity: row.verdict() for row in self.rows([heap(10.0)], [heap(30.0)])}
        self.assertEqual(found, {"wall time": "same", "allocate": "slower", "free": "same"})

    def test_the_page_names_both_and_counts(self):
        paths = self.written(document(depths({1: 1.0, 2: 1.0})), document(depths({1: 3.0, 2: 1.0})))
        target = self.folder / "compare.html"
        result = self.run_command("report", "--compare", *paths, "-o", target)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        text = plain(target.read_text(encoding="utf-8"))
        self.assertIn("2 times in common: 1 slower in B, 0 faster, 1 the same", text)

    def test_nothing_in_common_is_refused(self):
        paths = self.written(document(depths({1: 1.0}, side=10)), document(depths({1: 1.0}, side=20)))
        self.assert_refused(self.run_command("report", "--compare", *paths), "no point in common")


if __name__ == "__main__":
    support.main()
