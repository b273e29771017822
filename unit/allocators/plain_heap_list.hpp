// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_HEAP_LIST_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_HEAP_LIST_HPP

#include <haloheap/unit/allocators/plain_bump.hpp>
#include <haloheap/unit/allocators/plain_coalescing_heaps.hpp>
#include <haloheap/unit/allocators/plain_page_heaps.hpp>
#include <haloheap/unit/allocators/plain_virtual_queues.hpp>

#include <gtest/gtest.h>

namespace haloheap::allocators {

/// Those of the DeviceAllocators that are haloheap's own.
template <class Platform>
using PlainHeaps =
    ::testing::Types<PlainSlabWalk<Platform>, PlainBump<Platform>, PlainPageQueue<Platform>,
                     PlainWarpTable<Platform>, PlainWarpHeader<Platform>, PlainRandomWalk<Platform>,
                     PlainRandomWalkBitmap<Platform>, PlainCollaborativeRandomWalk<Platform>,
                     PlainRwMalloc<Platform>, PlainVirtualQueues<Platform>>;

struct PlainHeapNames {
  template <class Heap>
  static std::string GetName(int) {
    return Heap::name;
  }
};

}  // namespace haloheap::allocators

#endif
