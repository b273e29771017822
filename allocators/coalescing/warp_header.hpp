// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_WARP_HEADER_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_WARP_HEADER_HPP

#include <haloheap/allocators/coalescing/superblock_heap.hpp>
#include <haloheap/allocators/coalescing/warp_header_handle.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>

namespace haloheap::allocators {

/// HW of [Blach2022], section 3.2: the lanes that happen to ask together get
/// neighbouring segments of one superblock, in a chain of headers; who frees the last one gives the
/// superblock back. One live segment keeps the whole superblock.
///
/// Blocks of 16 bytes and more are aligned to HeapConfig::alignment. Each block has the smallest header, of
/// 8, 4 or 2 bytes, that goes with its alignment; smaller blocks are aligned to what an array of so many
/// bytes can need. With an alignment of 4, as in [Blach2022], blocks of 4 bytes more than a multiple of 8
/// have headers of 4 bytes.
template <DeviceAllocator Under>
class WarpHeaderOver : private detail::SuperblockHeap<Under> {
  using Heap = detail::SuperblockHeap<Under>;

 public:
  using Exec = HeapConfig::Exec;
  using Handle = detail::WarpHeaderHandle<lanes::Platform, typename Under::Handle>;
  static constexpr const char* name = "warp_header";
  static constexpr const char* help =
      "whoever asks together in a warp shares a superblock; a chain of headers";

  /// @throws UsageError for an alignment that it cannot have
  WarpHeaderOver(const Exec& exec, const HeapConfig& config)
      : Heap(exec, require_alignment(name, config)), alignment_(config.alignment) {}

  using Heap::reset, Heap::statistics, Heap::under;

  Handle handle() const { return {Heap::handle(), alignment_}; }
  static Promises promises(const HeapConfig& config) {
    Promises result = Heap::promises(config, Coalescing::warp);
    result.alignment = 2;
    result.alignment_from_16 = config.alignment;
    result.header = 8;
    return result;
  }

 private:
  unsigned alignment_;
};

using WarpHeader = WarpHeaderOver<SlabWalk>;
static_assert(DeviceAllocator<WarpHeader>);

}  // namespace haloheap::allocators

#endif
