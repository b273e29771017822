// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_BLOCK_TABLE_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_BLOCK_TABLE_HANDLE_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>
#include <haloheap/allocators/coalescing/table_parts.hpp>
#include <haloheap/allocators/coalescing/team_parts.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a BlockTable heap. `Under` is the handle of the heap that superblocks come from.
template <class Platform, class Under>
class BlockTableHandle {
  using Parts = TableParts<Platform, Under>;

 public:
  KOKKOS_FUNCTION explicit BlockTableHandle(const Parts& parts) : parts_(parts) {}

  /// All threads of the team call, each for itself.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes) const {
    const bool possible = parts_.can_have(bytes);
    const team_parts::Tally own = possible ? team_parts::Tally(Parts::room(bytes), 1) : team_parts::Tally();
    return allocate_part(member, possible, team_parts::Share::of(member, own));
  }

  /// All threads of the team call and ask for as much.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes, AllAlike) const {
    if (!parts_.can_have(bytes)) return refuse(member);
    return allocate_part(member, true, team_parts::Share::of_alike(member, Parts::room(bytes)));
  }

  /// Any thread, not coalesced.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return parts_.allocate_alone(bytes); }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { parts_.deallocate(pointer); }

 private:
  template <class Member>
  KOKKOS_FUNCTION void* refuse(const Member& member) const {
    return team_parts::for_each_thread(member, [&] { return parts_.refuse(); });
  }

  /// `possible`: whether the thread has a part.
  template <class Member>
  KOKKOS_FUNCTION void* allocate_part(const Member& member, bool possible, team_parts::Share share) const {
    const unsigned parts = share.all.parts();
    // No part begins behind as many bytes as all have.
    const auto places = Parts::places(share.all.bytes());
    const std::uint64_t total = places.distance(share.all.bytes(), parts - 1);
    std::byte* superblock = nullptr;
    if (parts != 0)
      superblock = team_parts::started_by_one(member, [&] { return parts_.start_superblock(total, parts); });
    if (!possible) return refuse(member);
    if (superblock == nullptr) return nullptr;
    const std::uint64_t distance = places.distance(share.before.bytes(), share.before.parts());
    return team_parts::for_each_thread(member, [&] { return parts_.hand_out(superblock, distance, places); });
  }

  Parts parts_;
};

}  // namespace haloheap::allocators::detail

#endif
