#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""A file that is compiled for the libraries of two spaces is told so: mistake_test.py COMPILER INCLUDE_FOLDERS [OPTION...],
the folders of the host's set with colons. CMake says so of programs and libraries, and is silent of object libraries."""

import subprocess
import sys
import unittest

COMMAND = None
HOST = "-DHALOHEAP_HOST_SPACE=Serial"
DEVICE = "-DHALOHEAP_DEVICE_SPACE"


def compiled(*definitions):
    return subprocess.run([*COMMAND, *definitions], input="#include <haloheap/backend/exec.hpp>\n", capture_output=True, text=True,
                          check=False)


class BothSpacesInOneFile(unittest.TestCase):
    def test_is_an_error_that_names_them(self):
        result = compiled(HOST, DEVICE)
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("linked with the libraries of two spaces (haloheap::core and haloheap::host_core", result.stderr)

    def test_each_by_itself_is_none(self):
        for definition in (HOST, DEVICE):
            self.assertEqual(compiled(definition).returncode, 0)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    FOLDERS = [f"-I{folder}" for folder in sys.argv[2].split(":") if folder]
    COMMAND = [sys.argv[1], "-std=c++20", "-fsyntax-only", *FOLDERS, *sys.argv[3:], "-x", "c++", "-"]
    unittest.main(argv=sys.argv[:1])
