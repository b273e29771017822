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
    return allocate_part(member, bytes, team_parts::before(member, Parts::room(bytes)));
  }

  /// All threads of the team call and ask for as much.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes, AllAlike) const {
    return allocate_part(member, bytes, static_cast<std::uint64_t>(member.team_rank()) * Parts::room(bytes));
  }

  /// Any thread, not coalesced.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const { return parts_.allocate_alone(bytes); }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { parts_.deallocate(pointer); }

 private:
  /// `before`: bytes of the parts of threads before this one.
  template <class Member>
  KOKKOS_FUNCTION void* allocate_part(const Member& member, std::size_t bytes, std::uint64_t before) const {
    const std::uint64_t distance = Parts::front + before;
    const std::uint64_t total = team_parts::of_last(member, distance + superblocks::clamped(bytes));
    if (total > superblocks::maximum)
      return team_parts::for_each_thread(member, [&] { return parts_.allocate_alone(bytes); });
    std::byte* const superblock = team_parts::started_by_one(
        member, [&] { return parts_.start_superblock(total, static_cast<unsigned>(member.team_size())); });
    if (superblock == nullptr) return nullptr;
    return team_parts::for_each_thread(member, [&] { return parts_.hand_out(superblock, distance); });
  }

  Parts parts_;
};

}  // namespace haloheap::allocators::detail

#endif
