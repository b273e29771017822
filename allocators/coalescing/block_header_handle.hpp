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
  static constexpr std::uint32_t header = sizeof(std::byte*);

  KOKKOS_FUNCTION explicit BlockHeaderHandle(const Superblocks<Platform, Under>& superblocks)
      : superblocks_(superblocks) {}

  /// All threads of the team call, each for itself.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes) const {
    const bool possible = superblocks_.can_have(bytes);
    const team_parts::Tally own = possible ? team_parts::Tally(room(bytes), 1) : team_parts::Tally();
    return allocate_part(member, possible, team_parts::Share::of(member, own));
  }

  /// All threads of the team call and ask for as much.
  template <class Member>
  KOKKOS_FUNCTION void* allocate(const Member& member, std::size_t bytes, AllAlike) const {
    if (!superblocks_.can_have(bytes)) return refuse(member);
    return allocate_part(member, true, team_parts::Share::of_alike(member, room(bytes)));
  }

  /// Any thread, not coalesced.
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    if (!superblocks_.can_have(bytes)) {
      superblocks_.count_failures(1);
      return nullptr;
    }
    std::byte* const superblock =
        started(superblocks_.allocate(superblocks::front + superblocks::at_least_one(bytes), 1), 1);
    return superblock == nullptr ? nullptr : hand_out(superblock, superblocks::front);
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    std::byte* const superblock = *header_of(static_cast<std::byte*>(pointer));
    if (reinterpret_cast<Counter*>(superblock)->release()) superblocks_.deallocate(superblock);
  }

 private:
  /// Bytes from one payload to the next.
  KOKKOS_FUNCTION static std::uint64_t room(std::size_t bytes) {
    return superblocks::round_up(superblocks::at_least_one(bytes) + header, 16);
  }
  KOKKOS_FUNCTION static std::byte** header_of(std::byte* payload) {
    return reinterpret_cast<std::byte**>(payload - header);
  }
  KOKKOS_FUNCTION static std::byte* started(std::byte* superblock, unsigned parts) {
    if (superblock != nullptr) reinterpret_cast<Counter*>(superblock)->start(parts);
    return superblock;
  }
  KOKKOS_FUNCTION static void* hand_out(std::byte* superblock, std::uint64_t distance) {
    *header_of(superblock + distance) = superblock;
    return superblock + distance;
  }

  template <class Member>
  KOKKOS_FUNCTION void* refuse(const Member& member) const {
    return team_parts::for_each_thread(member, [&]() -> void* {
      superblocks_.count_failures(1);
      return nullptr;
    });
  }

  /// `possible`: whether the thread has a part.
  template <class Member>
  KOKKOS_FUNCTION void* allocate_part(const Member& member, bool possible, team_parts::Share share) const {
    const unsigned parts = share.all.parts();
    // The last part's room includes the header of one more.
    const std::uint64_t total = superblocks::front + share.all.bytes() - header;
    std::byte* superblock = nullptr;
    if (parts != 0)
      superblock = team_parts::started_by_one(
          member, [&] { return started(superblocks_.allocate(total, parts), parts); });
    if (!possible) return refuse(member);
    return superblock == nullptr ? nullptr : hand_out(superblock, superblocks::front + share.before.bytes());
  }

  Superblocks<Platform, Under> superblocks_;
};

}  // namespace haloheap::allocators::detail

#endif
