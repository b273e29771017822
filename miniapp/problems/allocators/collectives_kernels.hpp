// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_COLLECTIVES_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace haloheap {

/// Seconds of one run: the kernel, and the median over ranks of the collective, of both mallocs before and
/// both frees after it.
struct CollectivesTimes {
  double kernel = 0, collective = 0, allocate = 0, free = 0;
};

struct CollectivesRuns {
  std::vector<CollectivesTimes> times;  ///< without the warm-up
  double warm_up = 0;                   ///< seconds
  std::size_t wrong = 0;                ///< doubles, over all runs and ranks, that are not what they must be
  std::size_t checked = 0;              ///< doubles that were looked at
  std::size_t requests = 0;             ///< of all ranks, in one run
  std::optional<std::uint64_t> superblocks = {};  ///< that one run takes; of coalescing allocators
};

/// Bytes of what stands beside the heap.
std::size_t collectives_array_bytes(const CollectivesSettings& settings);

/// Runs [Blach2022], listing 4: each rank allocates two buffers, does the
/// operation (reduce and broadcast after one that is not timed), checks the result and frees both. All ranks
/// must be resident: require_resident.
/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if a rank got no memory, CommunicationError if one waited longer than the timeout
CollectivesRuns run_collectives(const CollectivesSettings& settings, const HeapSetup& setup,
                                const std::function<void(int)>& progress);

/// Requests that one run makes of the heap under a coalescing allocator; nothing for the others. Runs it over
/// a heap that counts.
std::optional<std::uint64_t> count_superblocks(const CollectivesSettings& settings, const HeapSetup& setup);

}  // namespace haloheap

#endif
