#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs against kernels of Kokkos: kokkos_test.py INCLUDE_FOLDERS, with semicolons or colons between."""

import pathlib
import re
import shutil
import sys
import unittest

from support import CORPUS, FolderTest, check, golden, run

FOLDERS = []
OPENMP = []
ALLOCATORS = pathlib.Path(__file__).resolve().parents[3] / "allocators"


def flags():
    return [*OPENMP, *(f"-isystem{folder}" for folder in FOLDERS)]


def openmp():
    """What headers of a Kokkos with OpenMP want, if it is one."""
    configurations = [pathlib.Path(each, "KokkosCore_config.h") for each in (*FOLDERS, "/usr/include")]
    if not any("#define KOKKOS_ENABLE_OPENMP" in file.read_text(encoding="utf-8").splitlines()
               for file in configurations if file.is_file()):
        return []
    return ["-fopenmp"]


class KokkosTest(unittest.TestCase):
    def test_every_allocation_is_told_right(self):
        for file in sorted(CORPUS.glob("*.cpp")):
            self.assertGreater(check(self, file, flags()), 0)


class KokkosFixTest(FolderTest):
    def fix(self, name):
        code, diff, said = run("--fix", name, "--", *flags(), f"-I{self.folder}")
        self.assertEqual(code, 0, said)
        return diff, said

    def test_what_teams_allocate_by_a_handle_says_that_all_ask_alike(self):
        (self.folder / "haloheap").mkdir()
        (self.folder / "haloheap" / "allocators").symlink_to(ALLOCATORS)
        shutil.copy(CORPUS / "teams.cpp", self.folder)
        diff, said = self.fix("teams.cpp")
        self.assertEqual(diff, golden("teams.diff"))
        self.assertIn("not all threads of a block come to it: member.team_rank() < 4", said)
        self.assertIn("its heap is not known to be the same", said)
        self.assertIn("of one vector lane a thread", said)
        self.assertIn("heap.allocate(32) stays as it is: it stands in a template", said)
        self.patch(diff)
        self.assertEqual(self.fix("teams.cpp")[0], "")  # it parses, too

    def test_malloc_of_teams_stays(self):
        shutil.copy(CORPUS / "kokkos.cpp", self.folder)
        code, diff, said = run("--fix", "kokkos.cpp", "--alike", "own_malloc", "--", *flags())
        self.assertEqual((code, diff), (0, ""), said)


if __name__ == "__main__":
    FOLDERS = [folder for folder in re.split("[;:]", sys.argv.pop()) if folder not in ("", "/usr/include")]
    OPENMP = openmp()
    unittest.main()
