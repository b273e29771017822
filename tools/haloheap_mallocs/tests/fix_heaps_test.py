#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawn programs, the corpus and Listing 1, rewritten, run over each of haloheap's heaps: what every thread
asks for, gets, reads back and stores is what it was before, and the same over all heaps.

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
DECLARATIONS = HERE.parent / "src/haloheap_mallocs/data/include"
PROGRAMS = 8
THREADS = 8  # one team of Listing 1 and of the corpus, two of the drawn programs
FOLDERS, COMMAND = [], []

HEADS = """#include "heap.hpp"
#include <haloheap/allocators/coalescing/ask_alike.hpp>
#include "cuda.hpp"
#include "coalesced.cuh"
"""
LAUNCH = """void k{number}(::Heap heap, int limit, const int*) {{
  cuda::launch(heap, [=](cuda::Output& out) {{
    const int n = limit + 2;
    const cuda::Input in;
    cuda::Output pointers;
    {call};
  }});
}}
"""
LISTING1 = ("mpi_main(0, nullptr)",)
ALL_TO_ALL = """int MPI_Alltoall(const void* sent, int bytes, void* received, int) {
  return cuda::all_to_all(sent, bytes, received);
}
"""
# The kernels of each file of the corpus in which --fix changes something, directly or in functions that they call.
CORPUS_KERNELS = {
    "blocks": ("scratch(in, out, n)", "small_scratch(in, out)"),
    "functions": ("makes(pointers, n)",),
    "loops": ("each_round(n, 5)",),
    "news": ("instances(in, in, n, out)", "any_instance<int, 4>(in, out)"),
    "overloads": ("members(n, out)", "overloaded(in, in, n, out)", "one_more_argument(n)"),
    "programs": ("program_monte_carlo::asian(out, n, 3, 100, 0.2, 0.05, 100)",),
    "relatives": ("cleared(n, out)", "aligned(n, 16)", "moved(n)"),
    "templates": ("instances(in, in, in, n, out)", "any_instance<long>(in, n, out)", "members(n, out)"),
    "who": ("lane_and_all(n)",),
}
# Of teams.cpp. --fix leaves the last three as they are, so that they are not run: threads of a team in either() have
# different heaps, those in lanes() have vector lanes (which a host has not), and ranges() has no teams.
TEAMS_KERNELS, TEAMS_LEFT = ("all", "functors", "templates"), ("either", "lanes", "ranges")
TEAMS_LAUNCH = "void run_{name}(::Heap heap, int limit, const int*) {{ {name}(heap, limit + 2); }}\n"
# The C library's calls, which are the heap's in kernels.
WRAPPED = ("malloc", "free", "calloc", "realloc", "aligned_alloc")
COALESCED = "#pragma once\n__device__ void* coalesced_malloc(size_t bytes, bool all_alike);\n"
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
        corpus = [kernel for name in CORPUS_KERNELS for kernel in self.add_corpus(name)]
        one_lane = self.add_wrong_corpus("who", r"(== 0\) room\(n)\)", r"\1, true)")
        listing1, in_part = self.add_listing1()
        teams, teams_in_part, too_small = self.add_teams()
        other_sizes = self.add("other_sizes", OTHER_SIZES.format("heap.allocate("), OTHER_SIZES.format(
            "haloheap::allocators::ask_alike(heap, member, "))
        self.compile()

        right = [*drawn, *corpus, *listing1, *teams]
        outputs = self.outputs(*right)
        self.assertEqual(outputs.differing(), [])
        self.assertEqual(sorted(outputs.of), sorted(right))
        self.assertEqual(len({frozenset(outputs.runs(kernel)) for kernel in outputs.of}), 1)  # nobody left anything out
        self.assertGreater(sum(outputs.together[kernel] > 0 for kernel in drawn), PROGRAMS)
        self.assertEqual([kernel for kernel in corpus if outputs.together[kernel] == 0], [])
        self.assertEqual(outputs.together[listing1[0]], 3 * 2)  # of three blocks, one here and one in f()
        # Of eight teams: one there and one in f(), one more in helper(), and one in the template.
        self.assertEqual([outputs.together[kernel] for kernel in teams], [8 * 2, 8 * 3, 8 * 1])

        with self.subTest("what some threads say of all is told"):
            self.assert_told(in_part, "does not ask for")
            self.assert_told(one_lane, "does not ask for")
            for kernel in teams_in_part:
                self.assert_told([kernel], "does not ask for")
        with self.subTest("what all threads say of different sizes is told"):
            self.assert_told(other_sizes, "asks for something else")
        with self.subTest("and gives something else"):
            wrong = self.outputs(*other_sizes, guard="unguarded")
            self.assertEqual(wrong.differing(), other_sizes)
        with self.subTest("what is asked for in another size differs where it is called"):
            wrong = self.outputs(*too_small)
            self.assertEqual(wrong.differing(), too_small[-1:])

    def add(self, name, before, after, kernels=("k0",), launches=""):
        """Both forms of a program, and what launches its kernels, if not itself. Returns their names."""
        for form, text in (("before", before), ("after", after)):
            self.write(f"{form}/{name}.cpp", text)
            self.parts.append(f'namespace {form}::{name} {{\n#include "{form}/{name}.cpp"\n{launches}}}\n')
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
        return self.add(f"p{seed}", drawn.text, file.read_text(encoding="utf-8"), drawn.KERNELS)

    def add_corpus(self, name):
        """All of a file, of which the kernels are launched that --fix changes."""
        # A host's compiler does not know how a host launches a kernel of CUDA.
        text = re.sub(r".*<<<.*\n", "", (CORPUS / f"{name}.cu").read_text(encoding="utf-8"))
        file = self.write(f"{name}.cu", text)
        self.write("coalesced.cuh", COALESCED)
        code, diff, said = run("--fix", file.name, "--alike", "coalesced_malloc", "--alike-header", "coalesced.cuh")
        self.assertEqual(code, 0, said)
        self.patch(diff)
        return self.add_cuda(name, text, file.read_text(encoding="utf-8"), CORPUS_KERNELS[name])

    def add_wrong_corpus(self, name, pattern, wrong):
        """A file of the corpus that --fix should have left as it is in one place."""
        before, after = ((self.folder / form / f"{name}.cpp").read_text(encoding="utf-8")
                         for form in ("before", "after"))
        return self.add_cuda(f"{name}_wrong", before, self.changed(after, pattern, wrong), CORPUS_KERNELS[name])

    def add_cuda(self, name, before, after, calls, more=""):
        """Both forms of a program whose kernels are called so."""
        launches = "".join(LAUNCH.format(number=number, call=call) for number, call in enumerate(calls))
        return self.add(name, before, after, [f"k{number}" for number, _ in enumerate(calls)], more + launches)

    def changed(self, text, pattern, into):
        new = re.sub(pattern, into, text)
        self.assertNotEqual(new, text)
        return new

    def add_listing1(self):
        """As the paper rewrites it, and with what four threads call rewritten, too."""
        before, after = self.as_expected("listing1.cu")
        wrong = self.changed(after, r"f\(\);(\s+free\(ptr2\))", r"f(true);\1")
        return (self.add_cuda("listing1", before, after, LISTING1, ALL_TO_ALL),
                self.add_cuda("listing1_in_part", before, wrong, LISTING1, ALL_TO_ALL))

    def add_teams(self):
        """As --fix rewrites them, with what four threads call rewritten, too, and with a size that is lost."""
        before, after = self.as_expected("teams.cpp")
        left = re.compile(rf"^void (?:{'|'.join(TEAMS_LEFT)})\(.*?^}}\n", re.DOTALL | re.MULTILINE)
        self.assertEqual(left.findall(before), left.findall(after))
        self.assertEqual(len(left.findall(before)), len(TEAMS_LEFT))
        before, after = (self.for_hosts(left.sub("", text)) for text in (before, after))
        in_part = self.changed(after, r"(f\(heap, member)(\);\s+heap\.deallocate\(ptr2)", r"\1, true\2")
        in_part = self.changed(in_part, r"(< 4\) of_any_type<float>\(heap, member, n)", r"\1, true")
        too_small = self.changed(after, r"n \* sizeof\(T\)", "n")
        return (self.add_team_kernels("teams", before, after, TEAMS_KERNELS),
                self.add_team_kernels("teams_in_part", before, in_part, ("all", "templates")),
                self.add_team_kernels("teams_too_small", before, too_small, TEAMS_KERNELS))

    def add_team_kernels(self, name, before, after, launched):
        """Both forms of a program whose functions launch kernels over a heap, with a number."""
        launches = "".join(TEAMS_LAUNCH.format(name=each) for each in launched)
        return self.add(name, before, after, [f"run_{each}" for each in launched], launches)

    def as_expected(self, name):
        """A file of the corpus, and what --fix makes of it in tests of its own."""
        shutil.copy(CORPUS / name, self.folder)
        file = self.folder / name
        before = file.read_text(encoding="utf-8")
        self.patch(golden(f"{file.stem}.diff"))
        return before, file.read_text(encoding="utf-8")

    def for_hosts(self, text):
        """With the heap of these programs, which is told of each thread, and as many threads in a team as there are: of
        itself Kokkos takes one."""
        text = self.changed(text, r"(?s)struct Heap \{.*?\n\};\n", "")
        text = self.changed(text, "Kokkos::AUTO", str(THREADS))
        return self.changed(text, r"(LAMBDA|operator\(\))\(const Member& member\) (const )?\{",
                            r"\g<0>\n    const Thread thread(heap, member);")

    def compile(self):
        kernels = "".join(f'    {{"{kernel}", before::{kernel}, after::{kernel}}},\n' for kernel in self.kernels)
        self.write("programs.cpp", f"{''.join(self.parts)}const std::vector<Program> programs = {{\n{kernels}}};\n")
        compiler, *others = COMMAND
        folders = [f"-I{HEAPS}", f"-I{DECLARATIONS}", "-I.", *(f"-isystem{folder}" for folder in FOLDERS)]
        # Kernels that nobody launches are left out, and what they call need not be there.
        options = ["-std=c++20", "-O0", "-w", "-ffunction-sections", "-Wl,--gc-sections",
                   *(f"-Wl,--wrap={name}" for name in WRAPPED)]
        subprocess.run([compiler, *options, *folders, "programs.cpp", *others, "-o", "programs"], check=True)

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
