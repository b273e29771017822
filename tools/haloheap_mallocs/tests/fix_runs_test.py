#!/usr/bin/env python3
# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Drawn kernels, rewritten, compiled for the host and run one thread after the other: whoever says that all threads of
the block ask alike is right."""

import subprocess
import unittest

from drawn import DrawnCuda
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


class DrawnTest(FolderTest):
    def test_whoever_says_that_all_ask_alike_is_right(self):
        self.write("coalesced.cuh", HEADER)
        together = 0
        for seed in range(PROGRAMS):
            with self.subTest(seed=seed):
                together += self.allocations_together(DrawnCuda(seed).text)
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
