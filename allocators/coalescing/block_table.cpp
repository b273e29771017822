// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/block_table.hpp>
#include <haloheap/allocators/native/native.hpp>

namespace haloheap {

template <DeviceAllocator Under>
BlockTableOver<Under>::BlockTableOver(const Exec& exec, HeapConfig config) : heap_(exec, config) {}

template <DeviceAllocator Under>
void BlockTableOver<Under>::reset(const Exec& exec) {
  heap_.reset(exec);
}

template <DeviceAllocator Under>
HeapStatistics BlockTableOver<Under>::statistics(const Exec& exec) const {
  return heap_.statistics(exec);
}

template <DeviceAllocator Under>
Promises BlockTableOver<Under>::promises(const HeapConfig& config) {
  return TableHeap<Under>::promises(config, Coalescing::block);
}

template class BlockTableOver<SlabWalk>;
template class BlockTableOver<Native>;

}  // namespace haloheap
