// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_STEP_COUNTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_STEP_COUNTS_HPP

#include <haloheap/backend/exec.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap {

/// Allocators that can count the steps of a request.
template <class Handle>
concept CountsSteps = requires(const Handle heap, std::size_t bytes, std::uint32_t& steps) {
  heap.allocate(bytes, steps);
};

struct StepCounts {
  double threads = 0;  ///< on average of the threads (TAS)
  double warps = 0;    ///< of the slowest thread of each warp of the formulas, on average (WAS)
};

/// Of `count` numbers that kernels can reach; at least one.
StepCounts step_counts(const backend::Exec& exec, const std::uint32_t* steps, int count);

}  // namespace haloheap

#endif
