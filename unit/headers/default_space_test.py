#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""The libraries name the space of their kernels (backend::Exec) and never Kokkos' default one, which is another in files for
the host of a program with GPUs. Where both are the host no compiler tells."""

import pathlib
import re
import shutil
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIBRARIES = ("core", "allocators", "comm")
ALLOWED = {"core/backend/host/exec.hpp", "core/backend/view.hpp"}  # where the two are declared
COMMENT = re.compile(r"//.*")
# Without a space: Kokkos::View<double**>, a policy that begins with what it iterates over, a kernel without an instance.
DEFAULT = re.compile(r"\bKokkos::(?:DefaultExecutionSpace\b|View<[\w:]+(?:<[\w:, ]*>)?[*\[\] \d]*>"
                     r"|(?:MD)?(?:Range|Team)Policy<(?:>|\s*Kokkos::(?:Rank|IndexType|Schedule|LaunchBounds))"
                     r"|parallel_(?:for|reduce|scan)\(\s*(?:\"[^\"]*\"|\w+),\s*[\w.]+(?:\(\))?,\s*KOKKOS_LAMBDA)")


def uses_of_default(root):
    found = []
    for library in LIBRARIES:
        for file in sorted((root / library).rglob("*.[hc]pp")):
            name = file.relative_to(root).as_posix()
            if name in ALLOWED or name.startswith("core/backend/cuda/"):
                continue
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
                match = DEFAULT.search(COMMENT.sub("", line))
                if match:
                    found.append(f"{name}:{number}: {match[0]}")
    return found


class DefaultSpace(unittest.TestCase):
    def test_is_named_by_no_library(self):
        self.assertEqual(uses_of_default(ROOT), [])

    def test_planted_uses_are_found(self):
        folder = pathlib.Path(tempfile.mkdtemp(prefix="haloheap_spaces_"))
        self.addCleanup(shutil.rmtree, folder)
        lines = ["using Exec = Kokkos::DefaultExecutionSpace;", "Kokkos::View<double**> field;", "Kokkos::View<T*[2]> pairs;",
                 "Kokkos::RangePolicy<Kokkos::IndexType<int>> cells(0, n);", "Kokkos::TeamPolicy<>::member_type member;",
                 "Kokkos::View<double*, Space> good;  // not Kokkos::View<double*>",
                 "Kokkos::View<std::conditional_t<a, T*, U*>, Space> good;", "Kokkos::RangePolicy<Exec> good(exec, 0, n);"]
        (folder / "comm").mkdir()
        (folder / "comm/a.cpp").write_text("\n".join(lines), encoding="utf-8")
        self.assertEqual([use.split(":")[1] for use in uses_of_default(folder)], ["1", "2", "3", "4", "5"])


if __name__ == "__main__":
    unittest.main()
