#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Where packages come from: policies_test.py CMAKE|newest:FOLDER GENERATOR, with empty packages in the place of real ones."""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

import newest_cmake

CMAKE = None
GENERATOR = None

PACKAGES = ("KOKKOS", "KOKKOSKERNELS", "HEADERS", "GTEST")

INSTALLED = {
    "Kokkos": ("4.7.1", "add_library(Kokkos::kokkos INTERFACE IMPORTED)"),
    "KokkosKernels": ("4.7.1", "add_library(Kokkos::kokkoskernels INTERFACE IMPORTED)"),
    "fmt": ("9.1.0", "add_library(fmt::fmt-header-only INTERFACE IMPORTED)"),
    "GTest": ("1.12.1", "add_library(GTest::gtest INTERFACE IMPORTED)\nadd_library(GTest::gtest_main INTERFACE IMPORTED)"),
}
SOURCES = {
    "kokkos": "add_library(kokkos INTERFACE)\nadd_library(Kokkos::kokkos ALIAS kokkos)",
    "kokkos-kernels": "add_library(kokkoskernels INTERFACE)\nadd_library(Kokkos::kokkoskernels ALIAS kokkoskernels)",
    "googletest": "add_library(gtest INTERFACE)\nadd_library(GTest::gtest ALIAS gtest)",
}


class PoliciesTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_policies_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def install(self, versions=None):
        for package, (version, targets) in INSTALLED.items():
            folder = self.folder / "prefix" / "lib" / "cmake" / package
            folder.mkdir(parents=True)
            (folder / f"{package}Config.cmake").write_text(targets)
            (folder / f"{package}ConfigVersion.cmake").write_text(
                f"set(PACKAGE_VERSION {(versions or {}).get(package, version)})\n"
                "if(PACKAGE_FIND_VERSION_RANGE)\n"
                "  if(PACKAGE_VERSION VERSION_GREATER_EQUAL PACKAGE_FIND_VERSION_MIN AND\n"
                "     PACKAGE_VERSION VERSION_LESS PACKAGE_FIND_VERSION_MAX)\n"
                "    set(PACKAGE_VERSION_COMPATIBLE TRUE)\n  endif()\n"
                "else()\n  set(PACKAGE_VERSION_COMPATIBLE TRUE)\nendif()\n")

    def fill_deps(self):
        for name, targets in SOURCES.items():
            folder = self.folder / "deps" / name
            folder.mkdir(parents=True)
            (folder / "CMakeLists.txt").write_text(
                f"cmake_minimum_required(VERSION 3.16)\nproject({name} LANGUAGES NONE)\n{targets}\n")
        (self.folder / "deps" / "include").mkdir()

    def configure(self, policies, take=PACKAGES):
        source = pathlib.Path(__file__).resolve().parent / "policies"
        settings = {"TAKE": ";".join(take), "HALOHEAP_DEPS_DIR": self.folder / "deps",
                    "HALOHEAP_KOKKOS_URL": (self.folder / "no_mirror").as_uri(),
                    "CMAKE_PREFIX_PATH": self.folder / "prefix",
                    **{f"HALOHEAP_{package}_POLICY": value for package, value in policies.items()}}
        build = tempfile.mkdtemp(dir=self.folder)
        return subprocess.run([CMAKE, "-G", GENERATOR, "-S", source, "-B", build,
                               *(f"-D{k}={v}" for k, v in settings.items())],
                              capture_output=True, text=True, check=False)

    def assert_all(self, origin, policy):
        result = self.configure({package: policy for package in PACKAGES} if policy else {})
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        said = dict(re.findall(r"^-- (\w+) is (\w+)$", result.stdout, re.MULTILINE))
        self.assertEqual(said, {package: origin for package in PACKAGES})

    def assert_refused(self, package, policy, pattern):
        result = self.configure({package: policy}, [package])
        self.assertNotEqual(result.returncode, 0, f"{package} {policy}\n{result.stdout}")
        self.assertRegex(" ".join(result.stderr.split()), pattern)

    def test_what_is_installed_is_taken_unless_embedded_is_asked_for(self):
        self.install()
        self.fill_deps()
        self.assert_all("installed", None)
        self.assert_all("installed", "AUTO")
        self.assert_all("installed", "INSTALLED")
        self.assert_all("embedded", "EMBEDDED")

    def test_what_is_not_installed_is_built_from_source_unless_installed_is_asked_for(self):
        self.fill_deps()
        self.assert_all("embedded", "AUTO")
        self.assert_all("embedded", "EMBEDDED")
        for package in PACKAGES:
            self.assert_refused(package, "INSTALLED",
                                rf"not installed where CMake looks .*HALOHEAP_{package}_POLICY is INSTALLED\. Point")

    def test_what_is_nowhere_is_asked_for(self):
        for policy in ("AUTO", "EMBEDDED"):
            self.assert_refused("HEADERS", policy, r"fmt is neither installed nor in .*/deps/include\. Install it, or run")
            self.assert_refused("GTEST", policy, r"GoogleTest is neither installed nor in .*/deps/googletest\. Install it, run")

    def test_a_release_that_is_too_old_does_not_count(self):
        self.install({"Kokkos": "4.6.2", "KokkosKernels": "4.4.0"})
        for package in ("KOKKOS", "KOKKOSKERNELS"):
            self.assert_refused(package, "INSTALLED", "not installed where CMake looks")

    def test_only_three_words_are_policies(self):
        for package in PACKAGES:
            self.assert_refused(package, "SOMETIMES",
                                rf"HALOHEAP_{package}_POLICY is 'SOMETIMES': use AUTO, INSTALLED or EMBEDDED")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CMAKE, GENERATOR = newest_cmake.chosen(sys.argv.pop(1)), sys.argv.pop(1)
    unittest.main()
