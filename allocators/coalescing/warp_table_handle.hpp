// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_WARP_TABLE_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_WARP_TABLE_HANDLE_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>
#include <haloheap/allocators/coalescing/table_parts.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/scan.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a WarpTable heap. `Under` is the handle of the heap that superblocks come from.
template <class Platform, class Under>
class WarpTableHandle : public ViewSource<WarpTableHandle<Platform, Under>> {
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;
  using Parts = TableParts<Platform, Under>;

 public:
  KOKKOS_FUNCTION explicit WarpTableHandle(const Parts& parts) : parts_(parts) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    if (!parts_.can_have(bytes)) return parts_.refuse();
    const Lanes lanes = Lanes::here();
    const std::uint64_t before = lanes::exclusive_sum(lanes, Parts::room(bytes));
    return allocate(lanes, bytes, before, lanes.shuffle(before, lanes::bits::highest(lanes.mask())));
  }

  /// All lanes that call together ask for as much.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, AllAlike) const {
    if (!parts_.can_have(bytes)) return parts_.refuse();
    const Lanes lanes = Lanes::here();
    return allocate(lanes, bytes, lanes::group::rank(lanes) * Parts::room(bytes),
                    (lanes::group::size(lanes) - 1) * Parts::room(bytes));
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { parts_.deallocate(pointer); }

 private:
  /// `before`: bytes of the parts of lanes below; `before_last`: that of the highest lane.
  KOKKOS_FUNCTION void* allocate(const Lanes& lanes, std::size_t bytes, std::uint64_t before,
                                 std::uint64_t before_last) const {
    const Mask mask = lanes.mask();
    const auto places = Parts::places(before_last);
    const std::uint64_t distance = places.distance(before, lanes::group::rank(lanes));
    const std::uint64_t total =
        lanes.shuffle(distance + superblocks::at_least_one(bytes), lanes::bits::highest(mask));
    const unsigned leader = lanes::bits::lowest(mask);
    std::byte* superblock = nullptr;
    if (lanes.lane() == leader)
      superblock = parts_.start_superblock(total, static_cast<unsigned>(lanes::bits::count(mask)));
    superblock =
        reinterpret_cast<std::byte*>(lanes.shuffle(reinterpret_cast<std::uintptr_t>(superblock), leader));
    if (superblock == nullptr) return nullptr;
    lanes.sync();  // the counter has been started
    return parts_.hand_out(superblock, distance, places);
  }

  Parts parts_;
};

}  // namespace haloheap::allocators::detail

#endif
