#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""haloheap-mallocs against kernels of Kokkos: kokkos_test.py INCLUDE_FOLDERS, with semicolons or colons between."""

import re
import sys
import unittest

from support import CORPUS, check

FOLDERS = []


class KokkosTest(unittest.TestCase):
    def test_every_allocation_is_told_right(self):
        self.assertGreater(check(self, CORPUS / "kokkos.cpp", [f"-isystem{folder}" for folder in FOLDERS]), 0)


if __name__ == "__main__":
    FOLDERS = [folder for folder in re.split("[;:]", sys.argv.pop()) if folder not in ("", "/usr/include")]
    unittest.main()
