#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The command line and the files that a run leaves."""

import csv
import re
import sys
import unittest
from fractions import Fraction

from app import PROGRAM, QUICK, ROOT, USAGE, AppTest, choices, listing

sys.path.insert(0, str(ROOT / "unit" / "tools"))
import vti

SMALL = """
problem = "heat2d"
grid.size = [24, 17]
grid.steps = 9
"""


class CommandLine(AppTest):
    RANKS = 3

    def test_help_names_what_there_is(self):
        result = self.run_ok("--help")
        for word in ("DECK", "key=value", "--validate", "--print-deck", "--dry-run", "--list", "--version", "--kokkos-",
                     "Exit codes"):
            self.assertIn(word, result.stdout)
        self.assertEqual(result.stderr, "")

    def test_version_is_the_projects(self):
        version = re.search(r"project\(haloheap VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
        self.assertEqual(self.run_ok("--version", ranks=3).stdout, version + "\n", "one rank speaks for all")

    def test_list_names_what_a_deck_may_ask_for(self):
        for key, section, none_of_these in (
                ("problem", "problems", set()), ("halo.transport", "transports", set()),
                ("halo.mpi", "messages of transports that use MPI", set()), ("memory.fields", "memory", set()),
                ("transfer.mode", "transfer modes", {"none", "auto"}), ("coherence.policy", "coherence policies", set())):
            names = set(choices(key)) - none_of_these
            self.assertGreater(len(names), 3, key)
            self.assertEqual(set(listing()[section]), names, key)
        text = self.run_ok("--list", ranks=2).stdout
        for entries in listing().values():
            for name, what in entries.items():
                self.assertIn(f"\n  {name} ", text)
                self.assertNotEqual(what, "", name)
        self.assertRegex(text, r"(?m)^  partitioned +MPI-4 partitioned messages( \(not here: this MPI library .*\))?$")
        self.assertEqual(text.count("problems\n"), 1, "one rank speaks for all")

    def test_validate_runs_nothing(self):
        deck = self.write_deck(SMALL + "halo.depth = [1, 2, 3]\nhalo.exchange = ['sync', 'async']")
        result = self.run_ok(deck, "--validate", ranks=2)
        self.assertEqual(result.stdout, "deck.toml is a valid deck of 6 points\n")
        self.assertEqual([path.name for path in self.folder.iterdir()], ["deck.toml"])

    def test_quiet_says_nothing(self):
        result = self.run_ok(self.write_deck(SMALL), "run.repetitions=1", "--quiet", ranks=2)
        self.assertEqual((result.stdout, result.stderr), ("", ""))
        self.assertEqual(len(self.results()["points"]), 1)

    def test_kokkos_options_reach_kokkos(self):
        self.assertEqual(self.run_ok("--kokkos-help", ranks=3).stdout.count("--kokkos-num-threads"), 1)
        result = self.run_app("--list", "--kokkos-num-threads=many")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("many", result.stderr)

    def test_unknown_options_are_refused(self):
        self.assert_refused(self.run_app(self.write_deck(SMALL), "--quite", ranks=2), USAGE,
                            "unknown option --quite (nearest: --quiet)")

    def test_no_deck_is_refused(self):
        self.assert_refused(self.run_app(ranks=2), USAGE, "no deck was given", "Usage: haloheap DECK")


class PrintDeck(AppTest):
    def test_what_is_printed_loads_to_the_same(self):
        deck = self.write_deck(SMALL + "halo.depth = [1, 4]\nstencil.coefficients = [0.125, 0.1, 0.55, 0.1, 0.125]\n"
                                       "output.folder = 'a \"b\" c'\nboundary.value = -1e-300")
        first = self.run_ok(deck, "--print-deck", "halo.timeout=2.5", "ranks.grid=[[1,2],[2,1]]").stdout
        second = self.run_ok(self.write_deck(first, "printed.toml"), "--print-deck").stdout
        self.assertEqual(first, second)
        for line in ("depth = [1, 4]", "timeout = 2.5", "grid = [[1, 2], [2, 1]]", "value = -1e-300", "steps = 9"):
            self.assertRegex(first, rf"(?m)^{re.escape(line)}( |$)")

    def test_every_key_is_explained(self):
        text = self.run_ok(self.write_deck(""), "--print-deck").stdout
        reference = self.run_ok("--deck-reference").stdout
        keys = re.findall(r"(?m)^\| `([\w.]+)` ", reference)
        self.assertGreater(len(keys), 30)
        for key in keys:
            self.assertRegex(text, rf"(?m)^{key.split('.')[-1]} = ", key)

    def test_what_is_generated_in_docs_is_up_to_date(self):
        for option, name in (("--deck-reference", "deck_reference.md"), ("--results-reference", "results_reference.md"),
                             ("--results-schema", "results.schema.json")):
            written = (ROOT / "docs/reference" / name).read_text(encoding="utf-8")
            self.assertEqual(self.run_ok(option).stdout, written,
                             "bring it up to date: cmake --build BUILD --target references")


class DryRun(AppTest):
    """The numbers are worked out by hand for a periodic 2D grid of 1000 x 600 doubles on 2 x 2 ranks, depth 4: a rank
    owns 500 x 300 cells."""

    RANKS = 4

    # Rows: 16 values of ghost cells on the left (4, rounded up to a line of 128 bytes), 500 + 4 on the right rounded up
    # to 512. 300 + 8 rows, one spare line in front and one behind. Two fields of 8 bytes a value.
    FIELDS = 2 * 8 * ((16 + 512) * (300 + 8) + 2 * 16)
    # Both sides in x (4 x 300), both in y (4 x 500), four corners (4 x 4); sync sends the corners with y.
    SENT = 8 * (2 * 4 * 300 + 2 * 4 * 500 + 4 * 4 * 4)

    DECK = 'grid.size = [1000, 600]\ngrid.steps = 7\nhalo.depth = 4\nhalo.exchange = ["sync", "async"]'

    def test_memory_and_messages_are_those_worked_out_by_hand(self):
        text = self.run_ok(self.write_deck(self.DECK), "--dry-run", ranks=4).stdout
        self.assertEqual(text.count("point "), 2)
        self.assertEqual(text.count("grid 1000 x 600 x 1, 7 steps of double, 1 quantities, rank grid 2 x 2 x 1\n"), 2)
        self.assertEqual(text.count(f"fields {self.FIELDS / 2**20:.2f} MiB (device), packed halos "
                                    f"{2 * self.SENT / 2**20:.3f} MiB (device), host staging {2 * self.SENT / 2**20:.3f} MiB"),
                         2)
        # The two neighbours in x are one rank, and so are those in y and the four at the corners.
        sync, asynchronous = text.split("point 2/2")
        self.assertIn(f"an exchange every 4 steps, 1 of them a pass: 2 messages of {self.SENT / 1024:.1f} KiB", sync)
        self.assertIn(f"an exchange every 4 steps, 1 of them a pass: 3 messages of {self.SENT / 1024:.1f} KiB", asynchronous)
        self.assertFalse((self.folder / "results").exists())

    def test_the_run_takes_and_sends_what_the_dry_run_says(self):
        for point in self.run_points(self.DECK, ranks=4):
            self.assertEqual(point["bytes_per_exchange"], self.SENT)
            self.assertEqual(point["messages_per_exchange"], {"sync": 2, "async": 3}[point["path"]["exchange"]])
            beside = point["memory_per_rank_bytes"] - self.FIELDS - 4 * self.SENT  # Kokkos' headers of its allocations
            self.assertTrue(0 <= beside < 4096, beside)

    def test_a_grid_that_fits_nowhere_can_be_planned(self):
        text = self.run_ok(self.write_deck(SMALL), "grid.size=[200000,200000]", "--dry-run", ranks=2).stdout
        size = float(re.search(r"fields ([0-9.]+) MiB", text).group(1)) / 1024
        self.assertAlmostEqual(size, 2 * 8 * 2e5 * 1e5 / 2**30, delta=1)


class Results(AppTest):
    RANKS = 4

    SWEEP = SMALL + """
        halo.depth = [1, 2, 4]
        halo.exchange = ["sync", "async"]
        halo.overlap = ["none", "first_step"]
        run.verify = true
        """

    def test_a_sweep_is_all_combinations(self):
        points = self.run_points(self.SWEEP, ranks=4)
        seen = {(p["deck"]["halo.depth"], p["path"]["exchange"], p["path"]["overlap"]) for p in points}
        self.assertEqual(len(points), 12)
        self.assertEqual(seen, {(d, e, o) for d in (1, 2, 4) for e in ("sync", "async") for o in ("none", "first_step")})
        for point in points:
            self.assertEqual(set(point["swept"]), {"halo.depth", "halo.exchange", "halo.overlap"})
            self.assertEqual((point["ranks"], point["rank_grid"]), (4, [2, 2]))
            self.assertTrue(point["verification"]["passed"])
            self.assertTrue(point["verification"]["bitwise"])
            self.assertLessEqual(point["verification"]["sine_error"], point["verification"]["tolerance"])
            self.assertEqual("hidden_share" in point, point["path"]["overlap"] == "first_step")
            if (point["deck"]["halo.depth"], point["path"]["exchange"], point["path"]["overlap"]) == (1, "sync", "none"):
                self.assertEqual(point["speedup"], 1.0)
        base = next(p for p in points if p["speedup"] == 1.0)["wall_s"]["median"]
        for point in points:
            self.assertAlmostEqual(point["speedup"], base / point["wall_s"]["median"], delta=1e-9 * point["speedup"])

    def test_results_obey_the_schema_and_csv_agrees(self):
        points = self.run_points(self.SWEEP, "run.desynchronisation=true", "run.copy_baseline=true", ranks=2)
        self.assert_obeys_schema()
        with open(self.folder / "results/results.csv", encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len(rows), len(points))
        for row, point in zip(rows, points):
            self.assertEqual(float(row["wall_s.median"]), point["wall_s"]["median"])
            self.assertEqual(float(row["fraction_of_copy"]), point["fraction_of_copy"])
            self.assertEqual(float(row["phases.desynchronisation_s"]), point["phases"]["desynchronisation_s"])
            self.assertEqual(set(point["mean_phases"]), set(point["phases"]))
            for phase, mean in point["mean_phases"].items():
                self.assertLessEqual(mean, point["phases"][phase] * (1 + 1e-12), phase)
            self.assertGreater(point["mean_phases"]["message_s"], 0)
            self.assertEqual(int(row["halo.depth"]), point["deck"]["halo.depth"])
            self.assertEqual(row["halo.overlap"], point["path"]["overlap"])
            self.assertEqual(row["verification.passed"], "true")

    def test_the_table_has_a_row_a_point(self):
        text = self.run_ok(self.write_deck(self.SWEEP), *QUICK, ranks=2).stdout
        titles, _, *rows = text.split("\n\n")[0].splitlines()
        for title in ("depth", "exchange", "overlap", "time [s]", "GCells/s", "speed-up", "hidden [%]", "verified"):
            self.assertIn(title, titles)
        self.assertEqual(len(rows), 12)
        for row in rows:
            self.assertTrue(row.endswith("yes"), row)
        self.assertIn("results: results/results.json\n", text)

    def test_overrides_take_the_place_of_the_deck(self):
        (point,) = self.run_points(self.SWEEP, "halo.depth=3", "halo.exchange=async", "halo.overlap=none",
                                   "halo.transport=pinned", "grid.precision=float", "memory.buffers=managed")
        self.assertEqual(point["deck"]["halo.depth"], 3)
        self.assertEqual(point["work"]["scalar"], "float")
        self.assertEqual(point["path"], {"transport": "pinned", "exchange": "async", "overlap": "none", "fields": "device",
                                         "buffers": "managed", "mpi": "persistent", "graph": False})

    def test_a_point_has_the_keys_that_its_problem_uses(self):
        (point,) = self.run_points(SMALL)
        sections = {key.split(".")[0] for key in point["deck"]}
        self.assertEqual(sections, {"problem", "grid", "boundary", "stencil", "initial", "ranks", "halo", "transfer",
                                    "memory", "run", "output"})
        self.assertNotIn("transfer.bytes", point["deck"])
        (point,) = self.run_points('problem = "nbody"\nnbody = {particles = 10, steps = 1}\ncoherence.devices = 1')
        sections = {key.split(".")[0] for key in point["deck"]}
        self.assertEqual(sections, {"problem", "coherence", "nbody", "run", "output"})
        for absent in ("path", "gcells_per_s", "bytes_per_exchange"):
            self.assertNotIn(absent, point)
        self.assertEqual(self.results()["provenance"]["seeds"], {})

    def test_what_was_measured_is_labelled(self):
        (point,) = self.run_points(SMALL)
        labels = self.results()["quantities"]["heat2d"]
        self.assertEqual((labels["gcells_per_s"]["title"], labels["gcells_per_s"]["unit"]), ("rate", "GCells/s"))
        for name in labels:
            place = point
            for step in name.split("."):
                place = place[step]

    def test_the_output_folder_is_an_option(self):
        self.run_ok(self.write_deck(SMALL), *QUICK, "-o", "made/on the way", ranks=2)
        self.assertEqual(len(self.results("made/on the way")["points"]), 1)
        self.assertFalse((self.folder / "results").exists())

    def test_provenance_says_how(self):
        self.run_ok(self.write_deck(SMALL), *QUICK, "initial.seed=7", ranks=3)
        provenance = self.results()["provenance"]
        self.assertEqual((provenance["ranks"], provenance["seeds"]), (3, {"initial.seed": 7}))
        self.assertEqual(len(provenance["devices"]), 3)
        self.assertTrue(provenance["command_line"].startswith(PROGRAM + " deck.toml run.repetitions=1"))
        self.assertIn("MPI", provenance["mpi_library"])
        self.assertEqual((len(provenance["loads"]), len(provenance["cores"])), (3, 3), "Linux tells of both")
        self.assertEqual("drivers" in provenance, "emulated" not in provenance["devices"][0])


class Progress(AppTest):
    RANKS = 2

    def test_progress_is_plain_lines_where_there_is_no_terminal(self):
        result = self.run_ok(self.write_deck(SMALL), "halo.depth=[1,2]", "run.repetitions=2", ranks=2)
        self.assertNotIn("\r", result.stderr)
        self.assertTrue(result.stderr.startswith("point 1/2 halo.depth=1   0 %\n"), result.stderr)
        self.assertTrue(result.stderr.endswith(" %\n") or result.stderr.endswith(" left\n"), result.stderr)

    def test_progress_can_be_switched_off(self):
        self.assertEqual(self.run_ok(self.write_deck(SMALL), "output.progress=off", ranks=2).stderr, "")


def heat(cells, steps, coefficients):
    """{(x, y): value} after some steps from ones, with walls of 0 in x and without flux in y: the stencil of five points
    in the program's order of summation, so that doubles agree to the last bit."""
    now = {(x, y): 1.0 for x in range(cells[0]) for y in range(cells[1])}
    for _ in range(steps):
        def at(x, y, field=now):
            return field[x, min(max(y, 0), cells[1] - 1)] if 0 <= x < cells[0] else 0.0

        def step(x, y):
            around = (at(x, y - 1), at(x - 1, y), at(x, y), at(x + 1, y), at(x, y + 1))
            total = coefficients[0] * around[0]
            for coefficient, value in zip(coefficients[1:], around[1:]):
                total = fused_multiply_add(coefficient, value, total)
            return total
        now = {cell: step(*cell) for cell in now}
    return now


def fused_multiply_add(a, b, c):
    """a b + c, rounded once."""
    return float(Fraction(a) * Fraction(b) + Fraction(c))


class Fields(AppTest):
    RANKS = 4

    COEFFICIENTS = [0.11, 0.12, 0.5, 0.13, 0.14]
    DECK = f"""
        grid = {{size = [13, 11], steps = 7, quantities = 2}}
        boundary = {{x_low = "dirichlet", x_high = "dirichlet", y_low = "neumann", y_high = "neumann"}}
        stencil.coefficients = {COEFFICIENTS}
        initial.kind = "ones"
        halo.depth = 2
        output.fields = true
        run.verify = true
        """

    def field(self, *overrides, ranks, deck=DECK):
        self.run_points(deck, *overrides, ranks=ranks)
        return vti.read_pvti(self.folder / "results" / "point_001.pvti")

    def test_one_and_four_ranks_write_what_was_computed_by_hand(self):
        expected = {(x, y, 0): value for (x, y), value in heat((13, 11), 7, self.COEFFICIENTS).items()}
        for ranks in (1, 4):
            image, arrays = self.field(ranks=ranks)
            self.assertEqual(len(image.findall("Piece")), ranks)
            self.assertEqual(image.get("WholeExtent"), "0 13 0 11 0 0")
            self.assertEqual(arrays, {"u0": expected, "u1": expected})

    def test_random_fields_do_not_depend_on_the_ranks(self):
        overrides = ("initial.kind=random", "grid.precision=float", "halo.exchange=async", "halo.overlap=first_step")
        _, one = self.field(*overrides, ranks=1)
        _, four = self.field(*overrides, ranks=4)
        self.assertEqual(one, four)
        self.assertNotEqual(one["u0"], one["u1"])

    def test_three_dimensions(self):
        deck = 'problem = "heat3d"\ngrid = {size = [5, 6, 7], steps = 3}\ninitial.kind = "random"\noutput.fields = true'
        image, one = self.field(ranks=1, deck=deck)
        self.assertEqual(image.get("WholeExtent"), "0 5 0 6 0 7")
        _, four = self.field(ranks=4, deck=deck)
        self.assertEqual(one, four)
        self.assertEqual(len(one["u0"]), 5 * 6 * 7)


if __name__ == "__main__":
    unittest.main()
