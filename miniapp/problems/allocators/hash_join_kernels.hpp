// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_HASH_JOIN_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/hash_join.hpp>
#include <haloheap/miniapp/problems/allocators/join_output.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <functional>
#include <vector>

namespace haloheap {

/// Seconds of the kernels of one run.
struct HashJoinTimes {
  double partition = 0;  ///< of both tables
  double build = 0, probe = 0;
  double free = 0;  ///< of all output pages; 0 where the allocator frees nothing
  double total() const { return partition + build + probe; }
};

struct HashJoinRuns {
  std::vector<HashJoinTimes> times;  ///< without the warm-up
  double warm_up = 0;                ///< seconds
  std::vector<JoinSum> sums;         ///< of every run, the warm-up included
  std::vector<JoinRow> rows;         ///< of the last run; none if there are more than `max_rows`
  std::uint64_t pages = 0;           ///< of the last run
};

/// Bytes of what stands beside the heap.
std::size_t hash_join_array_bytes(const HashJoinSettings& settings);

/// Partitions both tables, builds chains of one and probes them with the other; every row of the result goes
/// to a page that the allocator gave.
/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if there was no page for a row
HashJoinRuns run_hash_join(const HashJoinSettings& settings, const HeapSetup& setup,
                           const std::vector<Tuple>& build, const std::vector<Tuple>& probe,
                           std::size_t max_rows, const std::function<void(int)>& progress);

}  // namespace haloheap

#endif
