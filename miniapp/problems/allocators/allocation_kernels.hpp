// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATION_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/allocation.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <functional>
#include <vector>

namespace haloheap {

/// Seconds of one run: the kernel, and of the mean thread the allocation, the work and the free.
struct AllocationTimes {
  double kernel = 0, allocate = 0, work = 0, free = 0;
};

struct AllocationRuns {
  std::vector<AllocationTimes> times;  ///< without the warm-up
  double warm_up = 0;                  ///< seconds
  int team_size = 0;                   ///< threads of a block as they really ran
  std::size_t at_once = 0;             ///< threads that run side by side
  std::size_t wrong = 0;               ///< results of threads, over all runs, that are not the host's
};

/// Bytes of what stands beside the heap.
std::size_t allocation_array_bytes(const AllocationSettings& settings);

/// Runs the kernel of [Blach2022], listing 3: each thread allocates, writes
/// 0, 1, 2 ... into its array, works and frees, with a clock around each but the writing.
/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if the allocator has nothing for a thread
AllocationRuns run_allocation(const AllocationSettings& settings, const HeapSetup& setup,
                              const std::function<void(int)>& progress);

}  // namespace haloheap

#endif
