// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_MALLOC_RUN_HPP

#include <haloheap/allocators/heap_statistics.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/miniapp/problems/allocators/address_range.hpp>
#include <haloheap/miniapp/problems/allocators/malloc_settings.hpp>
#include <haloheap/miniapp/problems/allocators/step_counts.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace haloheap {

/// Bytes from the beginning of a block to that of the next one, of the two that are closest; nullptr is no
/// block. Nothing if there are fewer than two.
std::optional<std::uint64_t> min_distance(const std::vector<const void*>& blocks);

/// What one point of malloc_sweep measures. Seconds, one entry a repetition; what a pattern does not time is
/// empty.
struct MallocResult {
  std::vector<double> allocate, free, churn, at_once;
  double create = 0;  ///< by the host's clock
  double reset = 0;
  // The rest is of the last repetition.
  std::uint64_t served = 0;          ///< requests of the allocating kernel
  std::uint64_t served_bytes = 0;    ///< that they asked for
  std::uint64_t failures = 0;        ///< requests of all timed kernels that got nothing
  allocators::HeapStatistics full;   ///< when most blocks are held
  allocators::HeapStatistics holes;  ///< of fill: a random half of them given back; else as `full`
  std::optional<StepCounts> steps;
  std::optional<std::uint64_t> wrong;  ///< blocks that did not keep what was written, or are not aligned
  std::optional<std::size_t> lost;     ///< bytes that are in use when all has been given back
  std::optional<std::uint64_t> block_distance;  ///< see min_distance
  AddressRange range;                           ///< of the blocks that were held at last
  AddressRange all_ranges;                      ///< of those of all repetitions, warm-ups too
  std::uint64_t range_least = 0;                ///< bytes that those of `range` asked for
  /// Time of a pass in which each thread writes its block, over that of one over a packed array.
  std::optional<double> pass_over_packed;
};

/// Runs one point. The heap's pool comes from `pool`, the program's own arrays from `arrays`.
/// `done` is called after each run, warm-ups included.
MallocResult run_malloc(const backend::Exec& exec, const MallocSettings& settings,
                        std::shared_ptr<memory::MemoryResource> pool,
                        std::shared_ptr<memory::MemoryResource> arrays, const std::function<void()>& done);

/// Nothing if nothing was verified.
std::optional<report::Verification> verification_of(const MallocResult& result);

/// Bytes of the program's own arrays.
std::size_t malloc_array_bytes(const MallocSettings& settings);

/// Lists of blocks that the point needs, one at least.
int malloc_lists(const MallocSettings& settings);

/// Bytes of the passes over blocks and over a packed array, which stands in the pool's memory beside the
/// pool: all blocks, or as many as make 1 GiB. 0 where requests differ in size, or would not be whole words
/// side by side, and where one lane of each warp asks.
std::size_t malloc_passed_bytes(const MallocSettings& settings);

}  // namespace haloheap

#endif
