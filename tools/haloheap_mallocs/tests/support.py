# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Sources with the right answers in comments behind their allocations."""

import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).parent
CORPUS = HERE / "corpus"
SKIPPED = 77  # what ctest knows as such (CMakeLists.txt)
sys.path.insert(0, str(HERE.parent / "src"))

if importlib.util.find_spec("clang") is None or shutil.which("clang++") is None:
    print("skipped: Clang or its bindings for this Python are missing: scripts/bootstrap --mallocs")
    sys.exit(SKIPPED)

from haloheap_mallocs.advice import advice_for  # noqa: E402
from haloheap_mallocs.command import analyse, main  # noqa: E402
from haloheap_mallocs.sites import who_of  # noqa: E402


def expectations(file):
    """{line: {key: value}}"""
    found = {}
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        if match := re.search(r"// (who=.*)$", line):
            found[number] = words(match[1])
    return found


def words(text):
    """{key: value} of a comment."""
    return {key: value for key, _, value in (word.partition("=") for word in text.split())}


def answers(site, names):
    """What the analysis says, in the words of the comments."""
    said = {"who": site.who.value, "same": site.size_level.name.lower()}
    said |= {key: "" for key, is_so in (("escapes", site.escapes), ("freed", site.freed), ("shared", site.is_shared),
                                        ("loop", site.is_repeated)) if is_so}
    if site.bytes is not None:
        said["bytes"] = str(site.bytes)
    elif site.largest is not None:
        said["most"] = str(site.largest)
    if "advice" in names:
        said["advice"] = advice_for(site).value
    if "ways" in names:
        said["ways"] = ",".join(sorted({who_of(visit.control).value for visit in site.visits}))
    return said


def differences(expected, said):
    """Keys of which the analysis says something else, or says something at all where nothing is expected."""
    return {key: (expected.get(key), said.get(key)) for key in sorted(expected.keys() | said.keys())
            if said.get(key) not in (expected[key].split("|") if key in expected else [None])}


def check(test, file, flags=()):
    """Every allocation of the file is found and told as its comment says. Returns how many there are."""
    expected = expectations(file)
    found = {site.place.line: site for site in analyse([file], None, list(flags))}
    test.assertEqual(sorted(found), sorted(expected), file.name)
    for line, site in found.items():
        with test.subTest(f"{file.name}:{line}"):
            test.assertEqual(differences(expected[line], answers(site, expected[line])), {}, site.text)
    return len(found)


def run(*arguments):
    """Exit code, output, errors."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = main([str(argument) for argument in arguments])
    return code, out.getvalue(), err.getvalue()


def golden(name):
    """A diff, without the lines of the licence in front of it."""
    text = (HERE / "golden" / name).read_text(encoding="utf-8")
    return text[text.index("--- "):]


class FolderTest(unittest.TestCase):
    """In a folder of its own, which is the working directory."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)

    def write(self, name, text):
        path = self.folder / name
        path.write_text(text, encoding="utf-8")
        return path

    def patch(self, diff):
        """Applies it, if patch has nothing to say against it."""
        for options in (["--dry-run"], []):
            done = subprocess.run(["patch", "-p0", *options], input=diff.encode(), capture_output=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)
            self.assertNotIn(b"fuzz", done.stdout)
