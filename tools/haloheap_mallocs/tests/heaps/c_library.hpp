// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What malloc, free, new and so on are in kernels. A program that has this file is linked with --wrap for
// each of the C library's calls (fix_heaps_test.py).
#ifndef HALOHEAP_MALLOCS_TESTS_C_LIBRARY_HPP
#define HALOHEAP_MALLOCS_TESTS_C_LIBRARY_HPP

#include "heap.hpp"
#include <cstddef>

/// As long as one lives the thread that made it has its memory of a heap, whoever calls for it.
class KernelMemory {
 public:
  /// Both outlive it.
  KernelMemory(const Heap& heap, const Member& member);
  KernelMemory(const KernelMemory&) = delete;
  KernelMemory& operator=(const KernelMemory&) = delete;
  ~KernelMemory();
};

// For a thread that has one.
void* kernel_malloc(std::size_t bytes, bool all_alike);
const Member& kernel_member();

#endif
