// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/native/native.hpp>

namespace haloheap {

template <DeviceAllocator Under>
WarpHeaderOver<Under>::WarpHeaderOver(const Exec& exec, HeapConfig config) : heap_(exec, config) {}

template <DeviceAllocator Under>
void WarpHeaderOver<Under>::reset(const Exec& exec) {
  heap_.reset(exec);
}

template <DeviceAllocator Under>
HeapStatistics WarpHeaderOver<Under>::statistics(const Exec& exec) const {
  return heap_.statistics(exec);
}

template <DeviceAllocator Under>
Promises WarpHeaderOver<Under>::promises(const HeapConfig& config) {
  Promises result = SuperblockHeap<Under>::promises(config, Coalescing::warp, Handle::front);
  result.alignment = 2;
  result.alignment_from_16 = 16;
  result.header = 8;
  return result;
}

template class WarpHeaderOver<SlabWalk>;
template class WarpHeaderOver<Native>;

}  // namespace haloheap
