// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_runs.hpp>
#include <haloheap/miniapp/problems/allocators/counted_heap.hpp>

namespace haloheap {
namespace {

using namespace allocators;

/// The four over one heap; `Real` are what a deck calls them by.
template <class Under, class... Real>
void count_over(const CollectivesSettings& settings, const HeapSetup& setup,
                std::optional<std::uint64_t>& count) {
  using Below = Counted<Under>;
  using Lists = AllocatorTypes<BlockHeaderOver<Below>, BlockTableOver<Below>, WarpHeaderOver<Below>,
                               WarpTableOver<Below>>;
  const std::string names[] = {Real::name...};
  std::size_t number = 0;
  Lists::for_each([&]<class A>() {
    if (names[number++] != settings.allocator.name) return;
    collectives_kernels::Runs<A> runs(settings, setup);
    CollectivesRuns result;
    runs.run_once(result);
    count = runs.heap().under().count(setup.exec);
  });
}

}  // namespace

std::optional<std::uint64_t> count_superblocks(const CollectivesSettings& settings, const HeapSetup& setup) {
  std::optional<std::uint64_t> count;
  count_over<SlabWalk, BlockHeader, BlockTable, WarpHeader, WarpTable>(settings, setup, count);
  count_over<Native, BlockHeaderOverNative, BlockTableOverNative, WarpHeaderOverNative, WarpTableOverNative>(
      settings, setup, count);
  return count;
}

}  // namespace haloheap
