// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_OVER_NATIVE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_OVER_NATIVE_HPP

#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/coalescing/block_header.hpp>
#include <haloheap/allocators/coalescing/block_table.hpp>
#include <haloheap/allocators/coalescing/warp_header.hpp>
#include <haloheap/allocators/coalescing/warp_table.hpp>
#include <haloheap/allocators/native/native.hpp>

/// The coalescing allocators as [Blach2022] has them, over the backend's malloc, for comparison. What Native
/// cannot do, they cannot: reset takes no superblock back, and statistics know failures alone.
namespace haloheap::allocators {

struct BlockHeaderOverNative : BlockHeaderOver<Native> {
  using BlockHeaderOver::BlockHeaderOver;
  static constexpr const char* name = "block_header_over_native";
  static constexpr const char* help = "block_header with superblocks from the backend's malloc";
};

struct BlockTableOverNative : BlockTableOver<Native> {
  using BlockTableOver::BlockTableOver;
  static constexpr const char* name = "block_table_over_native";
  static constexpr const char* help = "block_table with superblocks from the backend's malloc";
};

struct WarpHeaderOverNative : WarpHeaderOver<Native> {
  using WarpHeaderOver::WarpHeaderOver;
  static constexpr const char* name = "warp_header_over_native";
  static constexpr const char* help = "warp_header with superblocks from the backend's malloc";
};

struct WarpTableOverNative : WarpTableOver<Native> {
  using WarpTableOver::WarpTableOver;
  static constexpr const char* name = "warp_table_over_native";
  static constexpr const char* help = "warp_table with superblocks from the backend's malloc";
};

static_assert(TeamAllocator<BlockHeaderOverNative> && TeamAllocator<BlockTableOverNative>);
static_assert(DeviceAllocator<WarpHeaderOverNative> && DeviceAllocator<WarpTableOverNative>);

/// Those that any lane may call, and those that whole teams call.
using LaneAllocatorsOverNative = AllocatorTypes<WarpTableOverNative, WarpHeaderOverNative>;
using TeamAllocatorsOverNative = AllocatorTypes<BlockHeaderOverNative, BlockTableOverNative>;

using AllAllocators =
    JoinedAllocators<DeviceAllocators, TeamAllocators, LaneAllocatorsOverNative, TeamAllocatorsOverNative>;

}  // namespace haloheap::allocators

#endif
