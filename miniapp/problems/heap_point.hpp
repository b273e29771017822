// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAP_POINT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAP_POINT_HPP

#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/resource.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <Kokkos_Core.hpp>

#include <functional>
#include <memory>

namespace haloheap {

/// Problems of in-kernel allocators run on one device. @throws UsageError
void require_one_rank(const deck::Deck& deck, int ranks);

/// What such a problem runs with.
struct HeapSetup {
  backend::Exec exec;
  std::shared_ptr<memory::MemoryResource> pool, arrays;  ///< memory.fields and memory.buffers
};

/// The comparison of a time with that of allocator native, for a problem's figure of merit.
report::Comparison over_native();

/// The quantity of that comparison.
report::Quantity speedup_over_native();

/// Runs a point on one rank, once it is sure that there is memory for pool and arrays. `run` fills in the
/// point what the problem measured; the rest, memory_use() too, is filled in here.
report::Point run_heap_point(const RunContext& context, std::size_t pool_bytes, std::size_t array_bytes,
                             const std::function<void(const HeapSetup&, report::Point&)>& run);

}  // namespace haloheap

#endif
