#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawn programs and Listing 1, rewritten, run over each of haloheap's heaps: what every thread asks for, gets and
reads back is what it was before, and the same over all heaps.

usage: fix_heaps_test.py FOLDERS COMPILER FLAG... LIBRARY..., with semicolons or colons between the folders of headers,
of which the first are haloheap's and the others belong to libraries."""

import os
import re
import shutil
import subprocess
import sys
import unittest

from drawn import DrawnTeams
from support import CORPUS, HERE, FolderTest, golden, run

HEAPS = HERE / "heaps"
PROGRAMS = 8
THREADS = 8  # one team of Listing 1, two of the drawn programs
FOLDERS, COMMAND = [], []

HEADS = '#include "cuda.hpp"\n#include "heap.hpp"\n#include <haloheap/allocators/coalescing/ask_alike.hpp>\n'
# How the file of each form stands in the one that has them all.
TEAMS = 'namespace {form}::{name} {{\n#include "{form}/{name}.cpp"\n}}\n'
CUDA = """namespace {form}::{name} {{
using cuda::free;
using cuda::malloc;
using cuda::threadIdx;
#include "{form}/{name}.cpp"
int MPI_Alltoall(const void* sent, int bytes, void* received, int) {{ return cuda::all_to_all(sent, bytes, received); }}
void k0(Heap heap, int, const int*) {{
  cuda::launch(heap, [] {{ mpi_main(0, nullptr); }});
}}
}}
"""
# What --fix must never make: all of these threads come, but they do not ask alike. They keep their blocks to the end.
OTHER_SIZES = """inline void k0(Heap heap, int limit, const int*) {{
  Kokkos::parallel_for("k0", Kokkos::TeamPolicy<>(6, 4), KOKKOS_LAMBDA(const Member& member) {{
    const Thread thread(heap, member);
    {}64 * (limit + 4 - member.team_rank()));
    member.team_barrier();
  }});
}}
"""


class Outputs:
    """What the kernels printed, each in both forms over each heap, for each limit."""

    def __init__(self, text):
        self.of, self.together = {}, {}
        for line in text.splitlines():
            heap, kernel, limit, form, checksum, served, together = line.split()
            self.of.setdefault(kernel, {}).setdefault(limit, {})[heap, form] = (checksum, served)
            if form == "after":
                self.together[kernel] = int(together)

    def differing(self):
        """The kernels with more than one output for a limit."""
        return sorted(kernel for kernel, limits in self.of.items()
                      if any(len(set(outputs.values())) > 1 for outputs in limits.values()))

    def runs(self, kernel):
        """Heaps, forms and limits."""
        return {(limit, *run) for limit, outputs in self.of[kernel].items() for run in outputs}


class HeapsTest(FolderTest):
    """All programs are in one, which takes longer to compile than all else."""

    def setUp(self):
        super().setUp()
        self.parts, self.kernels = [HEADS], []
        for form in ("before", "after"):
            (self.folder / form).mkdir()

    def test_all_heaps_give_what_they_gave_before(self):
        drawn = [kernel for seed in range(PROGRAMS) for kernel in self.add_drawn(seed)]
        listing1, in_part = self.add_listing1()
        other_sizes = self.add("other_sizes", TEAMS, OTHER_SIZES.format("heap.allocate("), OTHER_SIZES.format(
            "haloheap::allocators::ask_alike(heap, member, "))
        self.compile()

        outputs = self.outputs(*drawn, *listing1)
        self.assertEqual(outputs.differing(), [])
        self.assertEqual(sorted(outputs.of), sorted([*drawn, *listing1]))
        self.assertEqual(len({frozenset(outputs.runs(kernel)) for kernel in outputs.of}), 1)  # nobody left anything out
        self.assertGreater(sum(outputs.together[kernel] > 0 for kernel in drawn), PROGRAMS)
        self.assertEqual(outputs.together[listing1[0]], 3 * 2)  # of three blocks, one here and one in f()

        with self.subTest("what some threads say of all is told"):
            self.assert_told(in_part, "does not ask for")
        with self.subTest("what all threads say of different sizes is told"):
            self.assert_told(other_sizes, "asks for something else")
        with self.subTest("and gives something else"):
            wrong = self.outputs(*other_sizes, guard="unguarded")
            self.assertEqual(wrong.differing(), other_sizes)

    def add(self, name, part, before, after, kernels=("k0",)):
        """Both forms of a program. Returns its kernels' names."""
        for form, text in (("before", before), ("after", after)):
            self.write(f"{form}/{name}.cpp", text)
            self.parts.append(part.format(form=form, name=name))
        added = [f"{name}::{kernel}" for kernel in kernels]
        self.kernels += added
        return added

    def add_drawn(self, seed):
        """One that --fix rewrites, or none."""
        drawn = DrawnTeams(seed)
        file = self.write("a.cpp", drawn.text)
        code, diff, said = run("--fix", "a.cpp", "--", f"-I{HEAPS / 'declared'}", f"-I{HEAPS}",
                               *(f"-I{folder}" for folder in FOLDERS[:1]))
        self.assertEqual(code, 0, said)
        if not diff:
            return []
        self.patch(diff)
        return self.add(f"p{seed}", TEAMS, drawn.text, file.read_text(encoding="utf-8"), drawn.KERNELS)

    def add_listing1(self):
        """As the paper rewrites it, and with what four threads call rewritten, too."""
        shutil.copy(CORPUS / "listing1.cu", self.folder)
        before = (self.folder / "listing1.cu").read_text(encoding="utf-8")
        self.patch(golden("listing1.diff"))
        after = (self.folder / "listing1.cu").read_text(encoding="utf-8")
        wrong = re.sub(r"f\(\);(\s+free\(ptr2\))", r"f(true);\1", after)
        self.assertNotEqual(wrong, after)
        return self.add("listing1", CUDA, before, after), self.add("listing1_in_part", CUDA, before, wrong)

    def compile(self):
        kernels = "".join(f'    {{"{kernel}", before::{kernel}, after::{kernel}}},\n' for kernel in self.kernels)
        self.write("programs.cpp", f"{''.join(self.parts)}const std::vector<Program> programs = {{\n{kernels}}};\n")
        compiler, *others = COMMAND
        folders = [f"-I{HEAPS}", "-I.", *(f"-isystem{folder}" for folder in FOLDERS)]
        subprocess.run([compiler, "-std=c++20", "-O0", "-w", *folders, "programs.cpp", *others, "-o", "programs"],
                       check=True)

    def execute(self, *kernels, guard):
        environment = {**os.environ, "OMP_NUM_THREADS": str(THREADS), "KOKKOS_NUM_THREADS": str(THREADS)}
        return subprocess.run(["./programs", guard, *kernels], capture_output=True, text=True, check=False,
                              timeout=300, env=environment)

    def outputs(self, *kernels, guard="guarded"):
        done = self.execute(*kernels, guard=guard)
        self.assertEqual(done.returncode, 0, done.stdout[-1000:] + done.stderr)
        return Outputs(done.stdout)

    def assert_told(self, kernels, what):
        done = self.execute(*kernels, guard="guarded")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn(what, done.stdout)


if __name__ == "__main__":
    folders, *COMMAND = sys.argv[1:]
    del sys.argv[1:]
    FOLDERS = [folder for folder in re.split("[;:]", folders) if folder not in ("", "/usr/include")]
    unittest.main()
