// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_GENERATION_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_GENERATION_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/work_generation.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace haloheap {

/// Seconds of one run, of the same work twice.
struct WorkTimes {
  // With the heap: threads allocate and write their pieces; a second kernel reads and frees them.
  double generate = 0, consume = 0;
  // Without one: threads count their elements, of which there is a sum; one allocation; threads write; a
  // second kernel reads, and all is given back at once.
  double sum = 0, allocate = 0, fill = 0, read = 0;

  double with_heap() const { return generate + consume; }
  double without() const { return sum + allocate + fill + read; }
};

struct WorkRuns {
  std::vector<WorkTimes> times;       ///< without the warm-up
  double warm_up = 0;                 ///< seconds
  std::uint64_t bytes = 0;            ///< of all pieces, as they stand side by side
  std::optional<std::size_t> in_use;  ///< bytes of the heap while it held them, where it knows
  std::uint64_t wrong = 0;            ///< pieces that did not hold what was written, of all runs
  std::uint64_t pieces = 0;           ///< of all runs, both ways
};

/// Bytes of what stands beside the heap: addresses, places, and all pieces once more.
std::size_t work_array_bytes(const WorkSettings& settings);

/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if a thread got no piece, after all others were given back
WorkRuns run_work_generation(const WorkSettings& settings, const HeapSetup& setup,
                             const std::function<void(int)>& progress);

}  // namespace haloheap

#endif
