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
  double update = 0;    ///< all batches that insert
  double deletion = 0;  ///< all that delete
  double compact = 0;   ///< see GraphRuns::not_compacted
  double release = 0;   ///< of all lists; 0 where the allocator frees nothing
  double total() const { return initialise + update + deletion; }
};

struct GraphRuns {
  std::vector<GraphTimes> times;  ///< without the warm-up
  double warm_up = 0;             ///< seconds
  // Bytes of the heap in use in the last run, where the heap knows: before the first batch, and after the
  // last.
  std::optional<std::size_t> initial_in_use, in_use;
  // Of a container that was compacted after the last batch, as it is if edges went and the heap frees:
  // vertices for which there was no room, and bytes in use after that, where the heap knows.
  std::optional<std::size_t> not_compacted, compacted_in_use;
  GraphRows rows;  ///< at the end of the last run, if that is to be verified
};

/// Bytes of what stands beside the heap: edges that come and go, rows, and the graph once more to verify it.
std::size_t graph_array_bytes(const GraphSettings& settings);

/// Makes the graph, and inserts the batches one after the other, each followed by what it deletes. How edges
/// are sorted by vertices, for lists that are arrays, is not timed.
/// @param progress gets the number of runs that are done
/// @throws OutOfMemory if there was no room for an edge, after all lists were given back
GraphRuns run_graph(const GraphSettings& settings, const HeapSetup& setup,
                    const std::function<void(int)>& progress);

}  // namespace haloheap

#endif
