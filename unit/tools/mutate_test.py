#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/mutate on a tree of one small program, and the lists of mutations as far as nothing has to be built."""

import importlib.machinery
import importlib.util
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop(1))  # whose tests the lists may name


def script():
    """scripts/mutate as a module."""
    loader = importlib.machinery.SourceFileLoader("mutate", str(ROOT / "scripts/mutate"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("mutate", loader))
    sys.modules["mutate"] = module
    loader.exec_module(module)
    return module


TOY = {
    "CMakeLists.txt": """cmake_minimum_required(VERSION 3.25)
project(toy LANGUAGES C)
enable_testing()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
foreach(name sum product)
  add_executable(${name}_test ${name}_test.c)
endforeach()
add_test(NAME sum_test COMMAND sum_test)
add_test(NAME product_test_ranks_2 COMMAND ${CMAKE_COMMAND} -E env $<TARGET_FILE:product_test>)
set_tests_properties(sum_test product_test_ranks_2 PROPERTIES TIMEOUT ${HALOHEAP_TEST_LIMIT})
""",
    "CMakePresets.json": """{"version": 6, "configurePresets": [
  {"name": "toy", "generator": "Ninja", "binaryDir": "${sourceDir}/build/${presetName}"}]}
""",
    "code.h": """static int sum(int n) {
  int result = 0, ready = 1;
  while (!ready) continue;
  for (int i = 1; i <= n; ++i) result += i;
  return result + 0;
}
static int product(int a, int b) { return a * b; }
""",
    "sum_test.c": """#include "code.h"
#include <stdio.h>
int main(void) {
  if (sum(4) == 10) return 0;
  puts("\\033[0;31m[  FAILED  ] \\033[mSum.OfFour");
  return 1;
}
""",
    "product_test.c": """#include "code.h"
int main(void) { return product(3, 4) != 12; }
""",
}


def entry(name, old, new, test="sum_test", **more):
    """An entry of a list."""
    fields = {"name": name, "file": "code.h", "old": old, "new": new, "tests": [test], **more}
    return "[[mutation]]\n" + "".join(f"{key} = {value!r}\n" for key, value in fields.items())


BOUND = entry("sum: the last is left out", "i <= n", "i < n")
HANG = entry("sum: waits for ever", "ready = 1", "ready = 0; extern int pause(void); if (!ready) for (;;) pause()")
IDLE = entry("sum: adds one less than nothing", "result + 0", "result - 0", survives="Zero has no sign.")
OTHER = entry("product: divides", "a * b", "a / b", "product_test")


class ToyTree(unittest.TestCase):
    """Each test has a tree and a list of its own."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_mutate_"))
        self.addCleanup(shutil.rmtree, self.folder)
        for name, text in TOY.items():
            (self.folder / name).write_text(text)
        (self.folder / "scripts").mkdir()
        shutil.copy(ROOT / "scripts/mutate", self.folder / "scripts")
        (self.folder / "unit/mutations").mkdir(parents=True)

    def write(self, **lists):
        """Gives the tree lists by area."""
        for area, entries in lists.items():
            (self.folder / f"unit/mutations/{area}.toml").write_text("\n".join(entries))

    def command(self, *arguments):
        return [sys.executable, self.folder / "scripts/mutate", "--preset", "toy", *arguments]

    def mutate(self, *arguments, **lists):
        """The finished script."""
        self.write(**lists)
        return subprocess.run(self.command(*arguments), cwd=self.folder, capture_output=True, text=True, check=False)

    def assert_said(self, process, code, *lines):
        self.assertEqual(process.returncode, code, process.stdout + process.stderr)
        for line in lines:
            self.assertRegex(process.stdout + process.stderr, re.compile(line, re.MULTILINE))

    def test_all_as_listed(self):
        done = self.mutate("--write", "page.md", "--jobs", "2", toy=[BOUND, IDLE], other=[OTHER])
        self.assert_said(done, 0, r"^killed    toy: sum: the last is left out by sum_test \(Sum.OfFour\) \[",
                         r"^survived as reasoned toy: sum: adds one less than nothing \[",
                         r"^killed    other: product: divides by product_test_ranks_2 \(Failed\) \[",
                         "^3 mutations, 0 not as the list says$")
        page = (self.folder / "page.md").read_text()
        self.assertIn("| sum: the last is left out | `code.h` | sum_test (Sum.OfFour) |", page)
        self.assertIn("| sum: adds one less than nothing | `code.h` | Zero has no sign. |", page)
        self.assertLess(page.index("## other"), page.index("## toy"))
        for name, text in TOY.items():
            self.assertEqual((self.folder / name).read_text(), text, "the user's tree is not touched")

    def test_each_fault_is_named(self):
        done = self.mutate(toy=[
            entry("sum: adds nothing", "result + 0", "result - 0"),
            entry("sum: no such variable", "return result + 0", "return results"),
            entry("sum: of nothing here", "no such text", "text"),
            entry("sum: twice there", "int", "long"),
            entry("sum: for a wrong reason", "i = 1", "i = 2", survives="One is nothing."),
            entry("sum: elsewhere", "i = 1", "i = 2", file="gone.h"),
        ])
        self.assert_said(done, 1, r"^SURVIVED  toy: sum: adds nothing \[", "^DOES NOT COMPILE toy: sum: no such variable",
                         "^TEXT NOT FOUND ONCE toy: sum: of nothing here: 0 times in code.h",
                         r"^TEXT NOT FOUND ONCE toy: sum: twice there: \d+ times in code.h",
                         r"^REASON OUT OF DATE toy: sum: for a wrong reason: sum_test \(Sum.OfFour\)",
                         "^TEXT NOT FOUND ONCE toy: sum: elsewhere: there is no file gone.h",
                         "^6 mutations, 6 not as the list says$")

    def test_a_hang_is_killed_by_its_time_limit(self):
        # Long enough for a small program on a busy machine.
        done = self.mutate("--hang", "20", toy=[HANG])
        self.assert_said(done, 0, r"^killed    toy: sum: waits for ever by sum_test \(time limit\)")

    def test_ctrl_c_ends_what_is_under_way(self):
        self.write(toy=[BOUND, HANG])
        with subprocess.Popen(self.command("--jobs", "2", "--hang", "600"), cwd=self.folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              text=True) as process:
            self.assertRegex(process.stdout.readline(), "^without a mutation")
            self.assertRegex(process.stdout.readline(), "^killed    toy: sum: the last")
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            error = process.communicate()[1]
        self.assertEqual(process.returncode, 130, error)
        self.assertLess(time.monotonic() - start, 300, "the mutation hangs for 600 s")
        self.assertIn("--resume goes on from there", error)
        self.assert_said(self.mutate("--remembered"), 0, "^1 mutations, 0 not as the list says, 1 not tried yet")

    def test_nothing_is_said_of_tests_that_fail_anyway(self):
        (self.folder / "code.h").write_text(TOY["code.h"].replace("i = 1", "i = 2"))
        self.assert_said(self.mutate(toy=[BOUND]), 2, "sum_test fails without a mutation: see .*/build/mutate/without.log")

    def test_later_runs_see_the_sources_of_then(self):
        self.assert_said(self.mutate("--write", "page.md", toy=[BOUND], other=[OTHER]), 0)
        first = (self.folder / "page.md").read_text()
        self.assert_said(self.mutate("--resume"), 0, r"^killed    toy: sum: the last is left out")
        shutil.rmtree(self.folder / "build")
        self.assertNotIn("without a mutation", self.mutate("--resume").stdout, "everything is known")
        (self.folder / "code.h").write_text(TOY["code.h"].replace("i <= n", "i < n + 1"))
        self.assert_said(self.mutate("--resume", "toy"), 1, "^TEXT NOT FOUND ONCE toy: sum: the last is left out")
        self.mutate("--write", "page.md", "toy", toy=[entry("sum: from two", "i = 1", "i = 2")])
        second = (self.folder / "page.md").read_text()
        self.assertEqual(second, first.replace("sum: the last is left out", "sum: from two"),
                         "only the section of the area that was tried is new")

    def test_docs_and_other_entries_leave_results_as_they_are(self):
        self.mutate(toy=[BOUND, IDLE])
        (self.folder / "docs").mkdir()
        (self.folder / "docs/new.txt").write_text("of the sources")
        (self.folder / "README.md").write_text("of all")
        self.write(toy=[BOUND.replace("the last is", "its last is"), IDLE.replace("Zero", "Nothing")], other=[OTHER])
        known = self.mutate("--remembered")
        self.assert_said(known, 0, r"^killed    toy: sum: its last is left out", "^1 mutations, 0 not .* says, 2 not tried yet$")
        resumed = self.mutate("--resume")
        self.assert_said(resumed, 0, "^without a mutation: 2 tests$", "^3 mutations, 0 not as the list says$")
        (self.folder / "code.h").write_text(TOY["code.h"] + "\n")
        self.assert_said(self.mutate("--remembered"), 0, "^0 mutations, 0 not as the list says, 3 not tried yet$")

    def test_results_of_another_text_of_the_file_stand_apart(self):
        self.assert_said(self.mutate(toy=[BOUND, IDLE]), 0)
        (self.folder / "code.h").write_text("/* */" + TOY["code.h"])
        self.assert_said(self.mutate("--remembered", "--write", "page.md", toy=[BOUND]), 0, "^0 mutations, .* 1 not tried yet$")
        self.assertIn("| not tried since its file changed | file | before |\n|---|---|---|\n"
                      "| sum: the last is left out | `code.h` | killed by sum_test (Sum.OfFour) |\n",
                      (self.folder / "page.md").read_text())
        self.assert_said(self.mutate("--resume", "--write", "page.md"), 0, "^without a mutation", "^1 mutations, 0 not")
        self.assertNotIn("not tried", (self.folder / "page.md").read_text())
        kept = (self.folder / "unit/mutations/results.json").read_text()
        self.assertEqual(len(kept.splitlines()), 3, "a line each, and none of an entry that is gone")
        self.assertNotIn(str(self.folder), kept)

    def test_the_page_says_what_was_not_tried(self):
        self.assert_said(self.mutate("--write", "page.md", "divides", toy=[BOUND], other=[
            OTHER, entry("product: adds", "a * b", "a + b", "product_test")]), 0, "^1 mutations, 0 not as the list says$")
        page = (self.folder / "page.md").read_text()
        self.assertIn("| product: divides | `code.h` | product_test_ranks_2 (Failed) |", page)
        self.assertIn("| not tried by the script yet | file |\n|---|---|\n| product: adds | `code.h` |", page)
        self.assertNotIn("## toy", page)
        self.assert_said(self.mutate("--remembered", "--write", "page.md"), 0, "1 mutations, .* 2 not tried yet$")
        whole = (self.folder / "page.md").read_text()
        self.assertEqual(whole, page + "\n## toy\n\n| not tried by the script yet | file |\n|---|---|\n"
                         "| sum: the last is left out | `code.h` |\n")

    def test_copies_hold_what_git_knows(self):
        (self.folder / "link").symlink_to("nowhere")
        self.assert_said(self.mutate(toy=[BOUND]), 0)
        self.assertFalse(os.path.lexists(self.folder / "build/mutate/0/link"))
        subprocess.run(["git", "init", "--quiet", self.folder], check=True)
        (self.folder / ".gitignore").write_text("/build/\n*.log\n")
        for name in ("run.log", "new.h", "gone.h"):
            (self.folder / name).write_text("")
        subprocess.run(["git", "-C", self.folder, "add", "gone.h"], check=True)
        (self.folder / "gone.h").unlink()
        self.assert_said(self.mutate(toy=[BOUND]), 0)
        copied = {path.name for path in (self.folder / "build/mutate/0").iterdir()}
        self.assertEqual(copied, {*TOY, ".gitignore", "new.h", "scripts", "unit", "build"})

    def test_selection_and_wrong_lists(self):
        self.assertEqual(self.mutate("--list", "toy", "divides", toy=[BOUND, HANG, IDLE], other=[OTHER, entry(
            "product: adds", "a * b", "a + b")]).stdout.splitlines(), [
                "other: product: divides (code.h)", "toy: sum: the last is left out (code.h)",
                "toy: sum: waits for ever (code.h)", "toy: sum: adds one less than nothing (code.h) survives"])
        self.assert_said(self.mutate("--list", "nowhere"), 2, "no mutation in unit/mutations is called that")
        self.assert_said(self.mutate(wrong=[BOUND]), 2, "stand more than once: sum: the last is left out")
        for broken, message in ((entry("a", "x", "x"), "'a': changes nothing"),
                                (entry("b", "x", "y").replace("old = 'x'\n", ""), "'b': missing keys: old"),
                                (entry("c", "x", "y", why="no"), "'c': unknown keys: why"),
                                (entry("d", "x", "y").replace("['sum_test']", "[]"), "'d': tests must be a list of strings"),
                                (entry("f", "x", "y", file="/code.h"), "'f': /code.h is no path of a file in the copies"),
                                (entry("g", "x", "y", file="unit/../../code.h"), "'g': unit/../../code.h is no path"),
                                (entry("h", "x", "y", file=".deps/code.h"), "'h': .deps/code.h is no path"),
                                (entry("i", "i <= n", "i < n"), "the same mutation of code.h stands twice: "
                                 "'sum: the last is left out' in toy.toml and 'i' in wrong.toml"),
                                ("[mutation", "wrong.toml: ")):
            self.assert_said(self.mutate(wrong=[broken]), 2, message)
        self.assert_said(self.mutate(wrong=[entry("e", "i = 1", "i = 2", "sun_test")]), 2,
                         "'e': no test is called 'sun_test...' in this preset")


class InParallel(unittest.TestCase):
    def test_an_error_keeps_what_was_found_beside_it(self):
        failing = threading.Event()

        def work(item):
            if item == "fails":
                failing.set()
                raise ValueError(item)
            failing.wait()
            return item.upper()

        kept = {}
        with self.assertRaisesRegex(ValueError, "fails"):
            script().in_parallel(work, ["beside", "fails"], 2, kept.__setitem__)
        self.assertEqual(kept, {"beside": "BESIDE"})

    def test_an_error_leaves_out_what_has_not_begun(self):
        begun = []

        def work(item):
            begun.append(item)
            time.sleep(0.01)
            raise ValueError(item)

        with self.assertRaises(ValueError):
            script().in_parallel(work, range(1000), 1, self.fail)
        self.assertLess(len(begun), 1000)


class Lists(unittest.TestCase):
    """The project's own lists: that each text stands once in its file, and that the tests exist."""

    @classmethod
    def setUpClass(cls):
        cls.script = script()
        cls.mutations = cls.script.read_lists(ROOT / cls.script.LISTS)  # holds that names and changes are unique

    def test_texts_stand_once_in_their_files(self):
        for mutation in self.mutations:
            with self.subTest(mutation.name):
                text = (ROOT / mutation.file).read_text(encoding="utf-8")
                self.assertEqual(text.count(mutation.old), 1, f"in {mutation.file}")

    def test_tests_exist(self):
        known = self.script.tests_of(BUILD)
        for mutation in self.mutations:
            with self.subTest(mutation.name):
                self.assertTrue(all(self.script.expand(mutation, known).values()), "each test runs a program of the build")


if __name__ == "__main__":
    unittest.main()
