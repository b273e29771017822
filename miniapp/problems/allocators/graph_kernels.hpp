// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GRAPH_KERNELS_HPP

#include <haloheap/miniapp/problems/allocators/graph.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <functional>
#include <optional>
#include <vector>

namespace haloheap {

/// Seconds of the kernels of one run.
struct GraphTimes {
  double initialise = 0;
  double update = 0;   ///< all batches
  double release = 0;  ///< of all lists; 0 where the allocator frees nothing
  double total() const { return initialise + update; }
};

struct GraphRuns {
  std::vector<GraphTimes> times;  ///< without the warm-up
  double warm_up = 0;             ///< seconds
  // Bytes of the heap in use in the last run, where the heap knows: before the first batch, and after the
  // last.
  std::optional<std::size_t> initial_in_use, in_use;
  GraphRows rows;  ///< after the last batch of the last run, if that is to be verified
};

/// Bytes of what stands beside the heap: edges that come, rows, and the graph once more to verify it.
std::size_t graph_array_bytes(const GraphSettings& settings);

/// Makes the graph, and inserts the batches one after the other. How edges are sorted by vertices, for lists
/// that are arrays, is not timed.
/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if there was no room for an edge, after all lists were given back
GraphRuns run_graph(const GraphSettings& settings, const HeapSetup& setup,
                    const std::function<void(int)>& progress);

}  // namespace haloheap

#endif
