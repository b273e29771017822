#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawn kernels, rewritten, compiled for the host and run one thread after the other: whoever says that all threads of
the block ask alike is right."""

import random
import subprocess
import unittest

from support import FolderTest, run

from haloheap_mallocs.parse import compiler

PROGRAMS = 16
# What the rewritten programs call, and CUDA as far as they need it where no CUDA is. Each thread keeps a log of what it
# asks for with the others; those of a block must be the same.
HEADER = """#pragma once
#ifdef ON_HOST
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>
#define __device__
#define __global__
struct Index { unsigned x; };
inline Index threadIdx, blockIdx, blockDim{64}, gridDim{3};
inline std::vector<size_t> asked;
inline long together = 0;
inline void* coalesced_malloc(size_t bytes, bool all_alike) {
  if (all_alike) asked.push_back(bytes);
  together += all_alike;
  return memset(malloc(bytes), 1, bytes);
}
inline void require_clear(const char* block, size_t bytes) {
  for (size_t i = 0; i < bytes; ++i)
    if (block[i] != 0) std::exit(2);
}
template <class Kernel>
void check(const char* name, Kernel kernel) {
  for (blockIdx.x = 0; blockIdx.x < gridDim.x; ++blockIdx.x) {
    std::vector<size_t> first;
    for (threadIdx.x = 0; threadIdx.x < blockDim.x; ++threadIdx.x) {
      asked.clear();
      kernel();
      if (threadIdx.x == 0) first = asked;
      if (asked == first) continue;
      std::printf("%s: thread %u of block %u asks for something else\\n", name, threadIdx.x, blockIdx.x);
      std::exit(1);
    }
  }
}
#else
__device__ void* coalesced_malloc(size_t bytes, bool all_alike);
__device__ inline void require_clear(const char*, size_t) {}
#endif
"""


class Drawn:
    """A program of functions that call those before them, and kernels."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sites = self.names = 0
        self.functions = 0
        self.forms = []
        self.parameters = []
        parts = []
        for number in range(2):
            parts.append(self.function(number, self.random.choice(["plain", "template", "member"])))
            self.functions = number + 1
        instances = [self.random.choice([[""], ["<int, 1>", "<long, 2>"]]) for _ in range(3)]
        for number, own in enumerate(instances):
            head = self.template(own[0])
            parts.append(f"{head}__global__ void k{number}(int n, const int* in) {{\n  int a = {self.value(['n'])};\n"
                         f"{self.body('return;')}}}\n")
        checks = "".join(f'  check("k{number}", [&] {{ k{number}{instance}({self.random.randint(0, 9)}, in); }});\n'
                         for number, own in enumerate(instances) for instance in own)
        # One of the instances is among what is looked at, and the other one in another file.
        launches = "".join(f"  k{number}{own[0]}<<<3, 64>>>(3, in);\n" for number, own in enumerate(instances))
        self.text = ('#include "coalesced.cuh"\n' + "".join(parts) + "#ifdef ON_HOST\nint main() {\n  int in[64];\n"
                     f"  for (int i = 0; i < 64; ++i) in[i] = i * 37 % 11;\n{checks}"
                     '  std::printf("%ld\\n", together);\n}\n#else\n'
                     f"void launch(const int* in) {{\n{launches}}}\n#endif\n")

    def function(self, number, form):
        """In a form of which it is noted how it is called."""
        head, end = self.template(form != "plain"), "};\n" if form == "member" else ""
        if form == "member":
            head += f"struct S{number} {{\n  T own;\n"
        made = (f"{head}__device__ int f{number}(int a, int n, const int* in) {{\n"
                f"{'  a += own;' if form == 'member' else ''}\n{self.body('return a;')}  return a + n;\n}}\n{end}")
        self.forms.append(form)
        return made

    def template(self, is_one):
        """What comes in front of it; in what follows the parameters are values, too."""
        self.parameters = ["N", "(int)sizeof(T)"] if is_one else []
        return "template <class T, int N>\n" if is_one else ""

    def called(self, number, names):
        form, own = self.forms[number], ["T, N"] if self.parameters else []
        instances = ["int, 1", "long, 2", *own * 2]
        if form == "member":
            return f"S{number}<{self.random.choice(instances)}>{{{self.value(names)}}}.f{number}"
        return f"f{number}" + (f"<{self.random.choice(instances)}>" if form == "template" else "")

    def body(self, leave):
        return "".join(self.statement(["a", "n"], leave, 1, False) for _ in range(self.random.randint(2, 3)))

    def value(self, names):
        pick = self.random.random()
        if pick < 0.08:
            return self.random.choice(["(int)threadIdx.x", "in[threadIdx.x]", "(int)(threadIdx.x / 32)"])
        if pick < 0.3:
            return self.random.choice(["(int)blockIdx.x", "in[blockIdx.x]", "(int)blockDim.x"])
        if pick < 0.5:
            return str(self.random.randint(0, 7))
        if pick < 0.75:
            return self.random.choice([*names, *self.parameters])
        return f"({self.value(names)} {self.random.choice('+-*&|^')} {self.value(names)})"

    def condition(self, names):
        text = f"{self.value(names)} {self.random.choice(['<', '>', '==', '!=', '<='])} {self.value(names)}"
        if self.random.random() < 0.2:
            return f"{text} {self.random.choice(['&&', '||'])} {self.condition(names)}"
        return text

    def statement(self, names, leave, depth, in_loop):
        margin = "  " * depth
        kinds = ["allocate"] * 4 + ["assign"] * 2 + ["call"] * (3 if self.functions and not in_loop else 0)
        if depth < 3:
            kinds += ["if"] * 3 + ["for", "do", "switch"]
        kinds += ["leave"] + (["break", "continue"] if in_loop else [])
        kind = self.random.choice(kinds)
        inner = lambda looping: "".join(self.statement(names, leave, depth + 1, looping)  # noqa: E731
                                        for _ in range(self.random.randint(1, 2)))
        if kind == "allocate":
            self.sites += 1
            size = f"{self.sites} * 64 + ({self.value(names)} & 63)"
            pick = self.random.random()
            if pick < 0.35:
                return f"{margin}{{\n{margin}  char* p = new char[{size}];\n{margin}  delete[] p;\n{margin}}}\n"
            if pick < 0.5:
                return (f"{margin}{{\n{margin}  const int m = {size};\n{margin}  char* p = (char*)calloc(m, 3);\n"
                        f"{margin}  require_clear(p, 3 * m);\n{margin}  free(p);\n{margin}}}\n")
            if pick < 0.6:
                return f"{margin}free(aligned_alloc(8, {size}));\n"
            return f"{margin}free(malloc({size}));\n"
        if kind == "assign":
            return f"{margin}{self.random.choice(['a', 'n'])} = {self.value(names)} & 15;\n"
        if kind == "call":
            called = self.called(self.random.randrange(self.functions), names)
            called += f"({self.value(names)}, {self.value(names)} & 7, in)"
            if self.random.random() < 0.3:
                return f"{margin}a = {self.condition(names)} ? {called} : 3;\n"
            return f"{margin}a += {called} & 7;\n"
        if kind == "if":
            if self.parameters and self.random.random() < 0.4:  # what one instance does, and not the other
                return f"{margin}if constexpr (N > 1) {{\n{margin}  if (in[threadIdx.x] > n) {leave}\n{margin}}}\n"
            other = f" else {{\n{inner(in_loop)}{margin}}}" if self.random.random() < 0.4 else ""
            return f"{margin}if ({self.condition(names)}) {{\n{inner(in_loop)}{margin}}}{other}\n"
        if kind == "switch":
            cases = "".join(f"{margin}case {number}: {{\n{inner(False)}{margin}}}" +
                            (" break;\n" if self.random.random() < 0.6 else "\n") for number in range(2))
            return f"{margin}switch ({self.value(names)} & 3) {{\n{cases}{margin}default: break;\n{margin}}}\n"
        if kind in ("for", "do"):
            self.names += 1
            name = f"i{self.names}"
            limit = f"({self.value(names)} & 3)"
            names = [*names, name]
            if kind == "for":
                return f"{margin}for (int {name} = 0; {name} < {limit}; ++{name}) {{\n{inner(True)}{margin}}}\n"
            return f"{margin}int {name} = 0;\n{margin}do {{\n{inner(True)}{margin}}} while (++{name} < {limit});\n"
        return f"{margin}if ({self.condition(names)}) {leave if kind == 'leave' else kind + ';'}\n"


class DrawnTest(FolderTest):
    def test_whoever_says_that_all_ask_alike_is_right(self):
        self.write("coalesced.cuh", HEADER)
        together = 0
        for seed in range(PROGRAMS):
            with self.subTest(seed=seed):
                together += self.allocations_together(Drawn(seed).text)
        self.assertGreater(together, 0)

    def allocations_together(self, text):
        """By a rewritten program, by all its threads."""
        self.write("a.cu", text)
        code, diff, said = run("--fix", "a.cu", "--alike", "coalesced_malloc", "--alike-header", "coalesced.cuh")
        self.assertEqual(code, 0, said)
        if not diff:
            return 0
        self.patch(diff)
        subprocess.run([compiler(), "-std=c++17", "-x", "c++", "-w", "-DON_HOST", "a.cu", "-o", "a"], check=True)
        done = subprocess.run(["./a"], capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual(done.returncode, 0, done.stdout)
        return int(done.stdout)


if __name__ == "__main__":
    unittest.main()
