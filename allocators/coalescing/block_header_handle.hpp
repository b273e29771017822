// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_BLOCK_HEADER_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_BLOCK_HEADER_HANDLE_HPP

#include <haloheap/allocators/coalescing/all_alike.hpp>
#include <haloheap/allocators/coalescing/superblock_counter.hpp>
#include <haloheap/allocators/coalescing/superblocks.hpp>
#include <haloheap/allocators/coalescing/team_parts.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a BlockHeader heap. `Under` is the handle of the heap that superblocks come from.
///
/// A superblock is a counter of 8 bytes, and for each thread a header of 8 bytes, which is the address of the
/// counter, and a payload. Payloads are aligned to 16, so headers end the 16 bytes before.
template <class Platform, class Under>
class BlockHeaderHandle {
  using Counter = SuperblockCounter<Platform>;

 public:
  static constexpr std::uint32_t front = 16;  ///< bytes before the first payload
  static constexpr std::uint32_t header = sizeof(std::byte*);

  KOKKOS_FUNCTION explicit BlockHeaderHandle(const Superblocks<Platform, Under>& superblocks)
      : superblocks_(superblocks) {}

  /// All threads of the team call, each for itself.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes) const {
    return allocate_part(member, bytes, team_parts::before(member, room(bytes)));
  }

  /// All threads of the team call and ask for as much.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes, AllAlike) const {
    return allocate_part(member, bytes, static_cast<std::uint64_t>(member.team_rank()) * room(bytes));
  }

  /// Any thread, not coalesced.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    std::byte* const superblock = started(superblocks_.allocate_alone(bytes, front), 1);
    return superblock == nullptr ? nullptr : hand_out(superblock, front);
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    std::byte* const superblock = *header_of(static_cast<std::byte*>(pointer));
    if (reinterpret_cast<Counter*>(superblock)->release()) superblocks_.deallocate(superblock);
  }

 private:
  /// Bytes from one payload to the next.
  KOKKOS_FUNCTION static std::uint32_t room(std::size_t bytes) {
    return superblocks::round_up(superblocks::clamped(bytes) + header, 16);
  }
  KOKKOS_FUNCTION static std::byte** header_of(std::byte* payload) {
    return reinterpret_cast<std::byte**>(payload - header);
  }
  KOKKOS_FUNCTION static std::byte* started(std::byte* superblock, unsigned parts) {
    if (superblock != nullptr) reinterpret_cast<Counter*>(superblock)->start(parts);
    return superblock;
  }
  KOKKOS_FUNCTION static void* hand_out(std::byte* superblock, std::size_t distance) {
    *header_of(superblock + distance) = superblock;
    return superblock + distance;
  }

  /// `before`: bytes of the parts of threads before this one.
  template <class Member>
  KOKKOS_FUNCTION void* allocate_part(const Member& member, std::size_t bytes, std::uint64_t before) const {
    const std::uint64_t distance = front + before;
    const std::uint64_t total = team_parts::of_last(member, distance + superblocks::clamped(bytes));
    if (total > superblocks::maximum)
      return team_parts::for_each_thread(member, [&] { return allocate(bytes); });
    const auto parts = static_cast<unsigned>(member.team_size());
    std::byte* const superblock = team_parts::started_by_one(
        member, [&] { return started(superblocks_.allocate(total, parts), parts); });
    return superblock == nullptr ? nullptr : hand_out(superblock, distance);
  }

  Superblocks<Platform, Under> superblocks_;
};

}  // namespace haloheap::allocators::detail

#endif
