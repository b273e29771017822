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
  static constexpr std::size_t front = 16;  ///< bytes before the payload of a request that is alone

  KOKKOS_FUNCTION explicit WarpHeaderHandle(const Superblocks<Platform, Under>& superblocks)
      : superblocks_(superblocks) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    const Lanes lanes = Lanes::here();
    const auto mask = lanes.mask();
    const SegmentLayout layout = SegmentLayout::of(lanes, bytes);
    if (layout.total > superblocks::maximum) return allocate_alone(bytes);
    const unsigned leader = lanes::bits::lowest(mask);
    std::byte* superblock = nullptr;
    if (lanes.lane() == leader)
      superblock = superblocks_.allocate(layout.total, static_cast<unsigned>(lanes::bits::count(mask)));
    superblock =
        reinterpret_cast<std::byte*>(lanes.shuffle(reinterpret_cast<std::uintptr_t>(superblock), leader));
    if (superblock == nullptr) return nullptr;
    std::byte* const payload = superblock + layout.payload;
    Chain::start(payload, layout.distance, lanes.lane() == leader,
                 lanes.lane() == lanes::bits::highest(mask));
    lanes.sync();  // whoever is freed first may look at all headers
    return payload;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    std::byte* const superblock = Chain::release(static_cast<std::byte*>(pointer));
    if (superblock != nullptr) superblocks_.deallocate(superblock);
  }

 private:
  KOKKOS_FUNCTION void* allocate_alone(std::size_t bytes) const {
    std::byte* const superblock = superblocks_.allocate_alone(bytes, front);
    if (superblock == nullptr) return nullptr;
    Chain::start(superblock + front, front, true, true);
    return superblock + front;
  }

  Superblocks<Platform, Under> superblocks_;
};

}  // namespace haloheap::allocators::detail

#endif
