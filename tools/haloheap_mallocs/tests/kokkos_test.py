#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs against kernels of Kokkos: kokkos_test.py INCLUDE_FOLDERS, with semicolons or colons between."""

import re
import sys
import unittest

from support import CORPUS, answers, differences, expectations

from haloheap_mallocs.command import analyse

FOLDERS = []


class KokkosTest(unittest.TestCase):
    def test_every_allocation_is_told_right(self):
        file = CORPUS / "kokkos.cpp"
        expected = expectations(file)
        found = {site.place.line: site for site in analyse([file], None, [f"-isystem{folder}" for folder in FOLDERS])}
        self.assertEqual(sorted(found), sorted(expected))
        for line, site in found.items():
            with self.subTest(f"{file.name}:{line}"):
                self.assertEqual(differences(expected[line], answers(site, expected[line])), {}, site.text)


if __name__ == "__main__":
    FOLDERS = [folder for folder in re.split("[;:]", sys.argv.pop()) if folder not in ("", "/usr/include")]
    unittest.main()
