// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/warp_table.hpp>
#include <haloheap/allocators/native/native.hpp>

namespace haloheap {

template <DeviceAllocator Under>
WarpTableOver<Under>::WarpTableOver(const Exec& exec, HeapConfig config) : heap_(exec, config) {}

template <DeviceAllocator Under>
void WarpTableOver<Under>::reset(const Exec& exec) {
  heap_.reset(exec);
}

template <DeviceAllocator Under>
HeapStatistics WarpTableOver<Under>::statistics(const Exec& exec) const {
  return heap_.statistics(exec);
}

template <DeviceAllocator Under>
Promises WarpTableOver<Under>::promises(const HeapConfig& config) {
  return TableHeap<Under>::promises(config, Coalescing::warp);
}

template class WarpTableOver<SlabWalk>;
template class WarpTableOver<Native>;

}  // namespace haloheap
