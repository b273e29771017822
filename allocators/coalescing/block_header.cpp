// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/block_header.hpp>
#include <haloheap/allocators/native/native.hpp>

namespace haloheap {

template <DeviceAllocator Under>
BlockHeaderOver<Under>::BlockHeaderOver(const Exec& exec, HeapConfig config) : heap_(exec, config) {}

template <DeviceAllocator Under>
void BlockHeaderOver<Under>::reset(const Exec& exec) {
  heap_.reset(exec);
}

template <DeviceAllocator Under>
HeapStatistics BlockHeaderOver<Under>::statistics(const Exec& exec) const {
  return heap_.statistics(exec);
}

template <DeviceAllocator Under>
Promises BlockHeaderOver<Under>::promises(const HeapConfig& config) {
  Promises result = SuperblockHeap<Under>::promises(config, Coalescing::block, Handle::front);
  result.header = 8;
  return result;
}

template class BlockHeaderOver<SlabWalk>;
template class BlockHeaderOver<Native>;

}  // namespace haloheap
