// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_MALLOC_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_MALLOC_RUN_HPP

#include <haloheap/allocators/heap_statistics.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/malloc_settings.hpp>
#include <haloheap/miniapp/problems/step_counts.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace haloheap {

/// What one point of malloc_sweep measures. Seconds, one entry a repetition; what a pattern does not time is
/// empty.
struct MallocResult {
  std::vector<double> allocate, free, churn;
  double reset = 0;
  // The rest is of the last repetition.
  std::uint64_t served = 0;        ///< requests of the allocating kernel
  std::uint64_t served_bytes = 0;  ///< that they asked for
  std::uint64_t failures = 0;      ///< requests of all timed kernels that got nothing
  HeapStatistics full;             ///< when most blocks are held
  HeapStatistics holes;            ///< of fill: a random half of them given back; else as `full`
  std::optional<StepCounts> steps;
  std::optional<std::uint64_t> wrong;  ///< blocks that did not keep what was written, or are not aligned
};

/// Runs one point. The heap's pool comes from `pool`, the program's own arrays from `arrays`.
/// `done` is called after each run, warm-ups included.
MallocResult run_malloc(const backend::Exec& exec, const MallocSettings& settings,
                        std::shared_ptr<MemoryResource> pool, std::shared_ptr<MemoryResource> arrays,
                        const std::function<void()>& done);

/// Bytes of the program's own arrays.
std::size_t malloc_array_bytes(const MallocSettings& settings);

}  // namespace haloheap

#endif
