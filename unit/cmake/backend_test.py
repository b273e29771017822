#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The backend that is chosen for a Kokkos: backend_test.py CMAKE GENERATOR, with a package in the place of Kokkos'."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

CMAKE = None
GENERATOR = None  # of the project: another may lack its program
ROOT = pathlib.Path(__file__).resolve().parents[2]
PACKAGE = """add_library(Kokkos::kokkos INTERFACE IMPORTED)
set(Kokkos_DEVICES {devices})
"""
VERSION = """set(PACKAGE_VERSION 4.7.0)
set(PACKAGE_VERSION_COMPATIBLE ON)
"""


class Backend(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_backend_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def configure(self, **settings):
        """The whole project, but for what has a package of its own."""
        settings = {"HALOHEAP_ENABLE_KOKKOS_KERNELS": "OFF", "HALOHEAP_ENABLE_TESTS": "OFF", "HALOHEAP_ENABLE_MINIAPP": "OFF",
                    **settings}
        result = subprocess.run([CMAKE, "-G", GENERATOR, "-S", ROOT, "-B", self.folder / "build",
                                 *(f"-D{k}={v}" for k, v in settings.items())],
                                capture_output=True, text=True, check=False)
        return result.returncode, " ".join((result.stdout + result.stderr).split())

    def installed(self, *devices):
        (self.folder / "KokkosConfig.cmake").write_text(PACKAGE.format(devices=" ".join(devices)))
        (self.folder / "KokkosConfigVersion.cmake").write_text(VERSION)
        return self.configure(HALOHEAP_KOKKOS_POLICY="INSTALLED", Kokkos_DIR=self.folder)

    def test_an_installed_kokkos_without_a_device_takes_the_host(self):
        code, text = self.installed("SERIAL", "OPENMP")
        self.assertEqual(code, 0, text)
        self.assertIn("backend folder: core/backend/host Kokkos devices: SERIAL;OPENMP", text)

    def test_an_installed_kokkos_with_a_device_that_has_no_backend_is_refused(self):
        for device in ("HIP", "SYCL", "OPENMPTARGET", "OPENACC"):
            with self.subTest(device):
                code, text = self.installed("SERIAL", device)
                self.assertNotEqual(code, 0, text)
                self.assertEqual(text.count(f"Kokkos has the device {device}, for which haloheap has no backend:"), 1, text)
                self.assertIn("Take a Kokkos with CUDA or one without a device, or write core/backend/", text)

    def test_such_a_device_of_an_embedded_kokkos_is_refused_before_kokkos_looks_for_its_compiler(self):
        source = self.folder / "deps" / "kokkos"
        source.mkdir(parents=True)
        (source / "CMakeLists.txt").write_text('message(FATAL_ERROR "Kokkos was configured")\n')
        code, text = self.configure(HALOHEAP_KOKKOS_POLICY="EMBEDDED", HALOHEAP_DEPS_DIR=self.folder / "deps",
                                    Kokkos_ENABLE_HIP="ON")
        self.assertNotEqual(code, 0, text)
        self.assertIn("Kokkos has the device HIP, for which haloheap has no backend:", text)
        self.assertNotIn("Kokkos was configured", text)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CMAKE, GENERATOR = sys.argv.pop(1), sys.argv.pop(1)
    unittest.main()
