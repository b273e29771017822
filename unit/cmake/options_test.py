#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""What haloheap asks for by its options: options_test.py CMAKE|newest:FOLDER GENERATOR. Configures it, builds nothing."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

import newest_cmake

CMAKE = None
GENERATOR = None
ROOT = pathlib.Path(__file__).resolve().parents[2]
NO_MPI = "CMAKE_DISABLE_FIND_PACKAGE_MPI=ON"
LIBRARIES_WITHOUT_COMM = ("HALOHEAP_ENABLE_COMM=OFF", "HALOHEAP_ENABLE_MINIAPP=OFF", "HALOHEAP_ENABLE_TESTS=OFF")

OTHER_PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(other LANGUAGES C CXX)
add_subdirectory({ROOT} haloheap)
"""


class OptionsTest(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_options_"))
        self.addCleanup(shutil.rmtree, self.folder)

    def configure(self, *settings, source=ROOT):
        return subprocess.run([CMAKE, "-G", GENERATOR, "-S", source, "-B", self.folder / "build", "-DKokkos_ENABLE_SERIAL=ON",
                               *(f"-D{setting}" for setting in settings)],
                              capture_output=True, text=True, check=False)

    def assert_configured(self, result, *lines):
        self.assertEqual(result.returncode, 0, result.stdout[-4000:] + result.stderr)
        for line in lines:
            self.assertIn(f"\n  {line}\n", result.stdout)

    def assert_refused(self, result, pattern):
        self.assertNotEqual(result.returncode, 0, result.stdout[-4000:])
        self.assertRegex(" ".join(result.stderr.split()), pattern)

    def test_core_and_allocators_need_neither_mpi_nor_kokkos_kernels(self):
        result = self.configure(NO_MPI, *LIBRARIES_WITHOUT_COMM)
        self.assert_configured(result, "KokkosKernels: not used", "MPI: not used", "tests: OFF, comm: OFF, mini-app: OFF")

    def test_a_missing_mpi_is_an_error_that_says_how_to_do_without(self):
        self.assert_refused(self.configure(NO_MPI), r"No MPI 3\.1 or later was found, and comm needs one\. Install .* or point "
                            r"MPI_HOME at it; core and allocators alone need none: HALOHEAP_ENABLE_COMM=OFF and "
                            r"HALOHEAP_ENABLE_MINIAPP=OFF\.")

    def test_the_mini_app_without_comm_is_an_error(self):
        self.assert_refused(self.configure("HALOHEAP_ENABLE_COMM=OFF"), r"HALOHEAP_ENABLE_MINIAPP is ON and HALOHEAP_ENABLE_COMM is "
                            r"OFF, .* needs comm\. Configure with HALOHEAP_ENABLE_COMM=ON, or with "
                            r"HALOHEAP_ENABLE_MINIAPP=OFF")

    def test_the_space_of_the_host_is_one_that_kokkos_has(self):
        self.assert_refused(self.configure("HALOHEAP_HOST_SPACE=Cuda"), r"HALOHEAP_HOST_SPACE is Cuda, and the spaces of Kokkos' "
                            r"host are Serial, OpenMP and Threads\.")
        self.assert_refused(self.configure("HALOHEAP_HOST_SPACE=Threads"), r"HALOHEAP_HOST_SPACE is Threads, which this Kokkos does "
                            r"not have\. .* Kokkos_ENABLE_THREADS=ON")

    def configure_with_host_space(self, project):
        (self.folder / "CMakeLists.txt").write_text(OTHER_PROJECT + project, encoding="utf-8")
        (self.folder / "main.cpp").write_text("int main() {}\n", encoding="utf-8")
        (self.folder / "part.cpp").write_text("void part() {}\n", encoding="utf-8")
        return self.configure("HALOHEAP_HOST_SPACE=Serial", *LIBRARIES_WITHOUT_COMM, source=self.folder)

    def test_a_file_has_the_libraries_of_one_space(self):
        result = self.configure_with_host_space("""
            add_executable(program main.cpp part.cpp)
            target_link_libraries(program PRIVATE haloheap::core haloheap::host_allocators)""")
        self.assert_refused(result, r"HALOHEAP_SPACE .* does not agree with the value .* \"program\"")

    def test_a_program_may_have_the_libraries_of_two_spaces(self):
        result = self.configure_with_host_space("""
            add_library(part OBJECT part.cpp)
            target_link_libraries(part PRIVATE haloheap::host_allocators)
            add_executable(program main.cpp)
            target_link_libraries(program PRIVATE part haloheap::core)""")
        self.assert_configured(result, "Kokkos devices: SERIAL, and libraries for Serial beside those for the default one")

    def test_nccl_without_comm_is_an_error(self):
        result = self.configure(*LIBRARIES_WITHOUT_COMM, "HALOHEAP_ENABLE_NCCL=ON")
        self.assert_refused(result, r"HALOHEAP_ENABLE_NCCL is ON, and nccl is a transport of comm")

    def test_other_projects_get_the_libraries_alone(self):
        (self.folder / "CMakeLists.txt").write_text(OTHER_PROJECT, encoding="utf-8")
        result = self.configure(source=self.folder)
        self.assert_configured(result, "KokkosKernels: not used", "tests: OFF, comm: ON, mini-app: OFF")


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    CMAKE, GENERATOR = newest_cmake.chosen(sys.argv.pop(1)), sys.argv.pop(1)
    unittest.main()
