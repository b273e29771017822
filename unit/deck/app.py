# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Starts haloheap on MPI ranks and reads what it leaves.

The environment says what to start: HALOHEAP_PROGRAM (the program), HALOHEAP_START (mpirun and its flags, up to the
number of ranks), HALOHEAP_SANITIZER (empty, or how the build is instrumented), and from ctest
HALOHEAP_TIME_LIMIT (seconds that it gives a test) and HALOHEAP_RANKS (as many ranks as it expects at most).
"""

import functools
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = os.environ["HALOHEAP_PROGRAM"]
START = os.environ["HALOHEAP_START"].split()
SANITIZER = os.environ.get("HALOHEAP_SANITIZER", "")
ALONE = {"OMPI_MCA_ess_singleton_isolated": "1"}  # what one rank has in its environment besides
RANKS = int(os.environ.get("HALOHEAP_RANKS", 64))
# A program that hangs is ended here, where what it said is still at hand, before ctest ends the test.
TIMEOUT = int(os.environ.get("HALOHEAP_TIME_LIMIT", 1800)) / 2

USAGE, CAPABILITY, OUT_OF_MEMORY, IO, COMMUNICATION, VERIFICATION = 2, 3, 4, 5, 6, 7

# One short measured run and nothing else.
QUICK = ("run.repetitions=1", "run.warmup=0", "run.copy_baseline=false", "output.progress=off")


def quick(*overrides):
    """QUICK, but for what the overrides set themselves."""
    given = {override.split("=")[0] for override in overrides}
    return [*(setting for setting in QUICK if setting.split("=")[0] not in given), *overrides]


def parents():
    """{process: its parent} of all processes that are not zombies."""
    result = {}
    for entry in pathlib.Path("/proc").iterdir():
        if not entry.name.isdigit():
            continue
        try:
            state, parent = (entry / "stat").read_text().rsplit(")", 1)[1].split()[:2]
        except OSError:
            continue  # it has ended
        if state != "Z":
            result[int(entry.name)] = int(parent)
    return result


def descendants(process):
    """All processes below `process`, nearest first."""
    up = parents()
    found = [process]
    for above in found:
        found += [child for child, parent in up.items() if parent == above]
    return found[1:]


def is_rank(process):
    try:
        return os.path.samefile(f"/proc/{process}/exe", PROGRAM)
    except OSError:
        return False


def listed(values):
    """As the list of an override of the deck."""
    return "[" + ",".join(f'"{value}"' if isinstance(value, str) else str(value).lower() for value in values) + "]"


def total(point):
    """Microseconds of the transfers of a point."""
    return point["figures"]["total_median_us"]


def said(option):
    """What the program prints for an option, line by line."""
    done = subprocess.run([PROGRAM, option], env=os.environ | ALONE, capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


@functools.cache
def listing():
    """What --list says: {section: {name: help}}."""
    sections = {}
    for line in said("--list"):
        if line.startswith("  "):
            name, _, text = line.strip().partition(" ")
            names[name] = text.strip()
        else:
            names = sections.setdefault(line, {})
    return sections


def here(section):
    """The names in a section of --list that can be had here."""
    return [name for name, text in listing()[section].items() if "(not here: " not in text]


def arenas():
    """Of these the heaps of in-kernel allocators."""
    return [name for name in here("memory") if listing()["memory"][name].startswith("arena of an in-kernel allocator: ")]


@functools.cache
def choices(key):
    """The names that --deck-reference allows for a key."""
    row, = [line for line in said("--deck-reference") if line.startswith(f"| `{key}` | string |")]
    return re.findall('"(\\w+)"', row.split(" | ")[4])


def schedules():
    return [name for name in choices("transfer.schedule") if name != "auto"]


class AppTest(unittest.TestCase):
    """A test with a folder of its own, in which the program runs, on as many ranks as its class says: RANKS = n, or one."""

    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_deck_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write_deck(self, text, name="deck.toml"):
        (self.folder / name).write_text(text)
        return name

    def start(self, *arguments, ranks=1, through=()):
        """The started program, by the command `through`; whatever is left of it when the test ends is killed.

        One rank starts without mpirun, which takes longer than most tests, above all to end a program that fails; Open MPI
        is told to start no daemon for it."""
        self.assertLessEqual(ranks, RANKS, f"RANKS of {type(self).__name__} says how many there are")
        mpirun = [*START, str(ranks)] if ranks > 1 else []
        process = subprocess.Popen([*mpirun, *through, PROGRAM, *map(str, arguments)], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   start_new_session=True, env=os.environ | (ALONE if ranks == 1 else {}))
        self.addCleanup(self.end, process)
        return process

    def end(self, process):
        for left in [*descendants(process.pid), *([process.pid] if process.poll() is None else [])]:
            os.kill(left, signal.SIGKILL)
        process.wait()
        process.stdout.close()
        process.stderr.close()

    def finish(self, process, timeout=TIMEOUT):
        """The output of a started program as a CompletedProcess. Fails if it does not end."""
        try:
            out, err = process.communicate(timeout=timeout)
        except subprocess.TimeoutExpired:
            self.end(process)
            self.fail(f"the program did not end within {timeout} s: {process.args}")
        return subprocess.CompletedProcess(process.args, process.returncode, out, err)

    def run_app(self, *arguments, ranks=1):
        return self.finish(self.start(*arguments, ranks=ranks))

    def run_ok(self, *arguments, ranks=1):
        result = self.run_app(*arguments, ranks=ranks)
        self.assertEqual(result.returncode, 0, f"{result.args}\n{result.stdout}\n{result.stderr}")
        return result

    def run_points(self, text, *overrides, ranks=1):
        """The points of results.json after a quick run of a deck."""
        self.run_ok(self.write_deck(text), *quick(*overrides), ranks=ranks)
        return self.results()["points"]

    def results(self, folder="results"):
        return json.loads((self.folder / folder / "results.json").read_text(encoding="utf-8"))

    def assert_obeys_schema(self, folder="results"):
        check = subprocess.run([sys.executable, ROOT / "unit/tools/check_schema.py", self.folder / folder / "results.json"],
                               capture_output=True, text=True, check=False)
        self.assertEqual(check.returncode, 0, check.stderr)

    def assert_refused(self, result, code, *messages):
        """The program ended with `code` and said each message exactly once."""
        self.assertEqual(result.returncode, code, result.stderr)
        for message in messages:
            self.assertEqual(result.stderr.count(message), 1, f"'{message}' once in:\n{result.stderr}")
