// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_JOIN_OUTPUT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_JOIN_OUTPUT_HPP

#include <haloheap/miniapp/problems/allocators/output_page.hpp>

#include <cstddef>
#include <vector>

namespace haloheap {

/// The result of a join on the device: lists of pages, each with its first one.
struct JoinOutput {
  const PageList* pages;
  int lists;
  std::uint32_t capacity;  ///< rows of a page
};

struct OutputSum {
  JoinSum join;
  std::uint64_t pages = 0;
};

/// Counts and sums up all rows, in a kernel: the host cannot reach every allocator's memory.
OutputSum sum_of(const Kokkos::DefaultExecutionSpace& exec, const JoinOutput& output);

/// All rows on the host, in no particular order. @param count from sum_of
std::vector<JoinRow> rows_of(const Kokkos::DefaultExecutionSpace& exec, const JoinOutput& output,
                             std::size_t count);

}  // namespace haloheap

#endif
