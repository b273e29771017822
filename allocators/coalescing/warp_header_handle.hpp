// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_WARP_HEADER_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_WARP_HEADER_HANDLE_HPP

#include <haloheap/allocators/coalescing/header_chain.hpp>
#include <haloheap/allocators/coalescing/segment_layout.hpp>
#include <haloheap/allocators/coalescing/superblocks.hpp>
#include <haloheap/allocators/view_source.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a WarpHeader heap. `Under` is the handle of the heap that superblocks come from.
template <class Platform, class Under>
class WarpHeaderHandle : public ViewSource<WarpHeaderHandle<Platform, Under>> {
  using Lanes = typename Platform::Lanes;
  using Chain = HeaderChain<Platform>;

 public:
  /// `alignment`: of blocks of 16 bytes and more; 4, 8 or 16.
  KOKKOS_FUNCTION WarpHeaderHandle(const Superblocks<Platform, Under>& superblocks, unsigned alignment)
      : superblocks_(superblocks), alignment_(alignment) {}

  /// Views of types that need more have no data.
  KOKKOS_FUNCTION unsigned alignment() const { return alignment_; }

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    if (!superblocks_.can_have(bytes)) {
      superblocks_.count_failures(1);
      return nullptr;
    }
    const Lanes lanes = Lanes::here();
    const SegmentLayout layout = SegmentLayout::of(lanes, bytes, alignment_);
    const unsigned leader = lanes::bits::lowest(lanes.mask());
    std::byte* superblock = nullptr;
    if (lanes.lane() == leader)
      superblock =
          superblocks_.allocate(layout.total, static_cast<unsigned>(lanes::bits::count(lanes.mask())));
    superblock =
        reinterpret_cast<std::byte*>(lanes.shuffle(reinterpret_cast<std::uintptr_t>(superblock), leader));
    if (superblock == nullptr) return nullptr;
    std::byte* const payload = superblock + layout.payload;
    Chain::start(payload, layout.distance, layout.first, layout.last);
    lanes.sync();  // whoever is freed first may look at all headers
    return payload;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    std::byte* const superblock = Chain::release(static_cast<std::byte*>(pointer));
    if (superblock != nullptr) superblocks_.deallocate(superblock);
  }

 private:
  Superblocks<Platform, Under> superblocks_;
  unsigned alignment_;
};

}  // namespace haloheap::allocators::detail

#endif
