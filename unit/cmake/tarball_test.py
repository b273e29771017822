#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What is built from a release tarball: tarball_test.py CMAKE GENERATOR, with a small tarball in the place of Kokkos'."""

import hashlib
import io
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

CMAKE = None
GENERATOR = None  # of the project: another may lack its program
VERSION = "4.99.0"
LISTS = b"""cmake_minimum_required(VERSION 3.16)
project(kokkos LANGUAGES NONE)
add_library(kokkos INTERFACE)
"""


class TarballTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_tarball_"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.tarball = self.folder / "kokkos" / "releases" / "download" / VERSION / f"kokkos-{VERSION}.tar.gz"
        self.tarball.parent.mkdir(parents=True)
        with tarfile.open(self.tarball, "w:gz") as tarball:
            entry = tarfile.TarInfo(f"kokkos-{VERSION}/CMakeLists.txt")
            entry.size = len(LISTS)
            tarball.addfile(entry, io.BytesIO(LISTS))

    def configure(self, checksum):
        source = pathlib.Path(__file__).resolve().parent / "tarball"
        settings = {"HALOHEAP_KOKKOS_POLICY": "EMBEDDED", "HALOHEAP_DEPS_DIR": self.folder / "none",
                    "HALOHEAP_KOKKOS_VERSION": VERSION, f"HALOHEAP_KOKKOS_HASH_{VERSION}": checksum,
                    "HALOHEAP_KOKKOS_URL": self.folder.as_uri()}
        return subprocess.run([CMAKE, "-G", GENERATOR, "-S", source, "-B", self.folder / "build",
                               *(f"-D{k}={v}" for k, v in settings.items())],
                              capture_output=True, text=True, check=False)

    def test_a_tarball_is_checked_unpacked_and_added_as_a_system_package(self):
        result = self.configure(hashlib.sha256(self.tarball.read_bytes()).hexdigest())
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        self.assertIn("embedded: ON, system: ON", result.stdout)

    def test_another_tarball_than_the_one_that_was_meant_is_refused(self):
        result = self.configure(hashlib.sha256(b"another").hexdigest())
        self.assertNotEqual(result.returncode, 0, result.stdout)
        self.assertRegex(result.stdout + result.stderr, "SHA256 hash of\\s+.*\\s+does not match expected value")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CMAKE, GENERATOR = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
