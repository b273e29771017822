// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_TEAM_PARTS_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_TEAM_PARTS_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

/// What the threads of a Kokkos team do together to share a superblock. All threads of the team call, and
/// barriers of the team stand in between, so that what one thread wrote before is visible to the others
/// after.
namespace haloheap::allocators::detail::team_parts {

/// Parts: how many bytes they have together, and how many they are. One word, so that one scan does for both.
class Tally {
 public:
  Tally() = default;
  KOKKOS_FUNCTION Tally(std::uint64_t bytes, unsigned parts) : word_(bytes | std::uint64_t{parts} << shift) {}

  KOKKOS_FUNCTION std::uint64_t bytes() const { return word_ & ((std::uint64_t{1} << shift) - 1); }
  KOKKOS_FUNCTION unsigned parts() const { return static_cast<unsigned>(word_ >> shift); }
  KOKKOS_FUNCTION friend Tally operator+(Tally a, Tally b) { return Tally(a.word_ + b.word_); }

  /// Of the threads before this one.
  template <class Member>
  KOKKOS_FUNCTION static Tally before(const Member& member, Tally own) {
    return Tally(member.team_scan(own.word_));
  }
  /// The last thread's.
  template <class Member>
  KOKKOS_FUNCTION static Tally of_last(const Member& member, Tally own) {
    member.team_broadcast(own.word_, member.team_size() - 1);
    return own;
  }

 private:
  static constexpr unsigned shift = 50;  // parts of superblocks::maximum bytes, of 2^14 threads
  KOKKOS_FUNCTION explicit Tally(std::uint64_t word) : word_(word) {}
  std::uint64_t word_ = 0;
};

/// A thread's part, and all of the team.
struct Share {
  Tally before, all;

  /// Each thread has parts of its own, or none.
  template <class Member>
  KOKKOS_FUNCTION static Share of(const Member& member, Tally own) {
    const Tally before = Tally::before(member, own);
    return {before, Tally::of_last(member, before + own)};
  }
  /// All threads have parts of so many bytes: no thread needs to hear of the others.
  template <class Member>
  KOKKOS_FUNCTION static Share of_alike(const Member& member, std::uint64_t bytes) {
    const auto rank = static_cast<unsigned>(member.team_rank()),
               size = static_cast<unsigned>(member.team_size());
    return {{rank * bytes, rank}, {size * bytes, size}};
  }
};

/// What one thread gets from start(), for all; nullptr as any other.
template <class Member, class Start>
KOKKOS_FUNCTION std::byte* started_by_one(const Member& member, const Start& start) {
  std::uintptr_t superblock = 0;
  Kokkos::single(
      Kokkos::PerTeam(member),
      [&](std::uintptr_t& result) { result = reinterpret_cast<std::uintptr_t>(start()); }, superblock);
  return reinterpret_cast<std::byte*>(superblock);
}

/// What each thread gets from its own get(), once for all vector lanes of the thread.
template <class Member, class Get>
KOKKOS_FUNCTION void* for_each_thread(const Member& member, const Get& get) {
  std::uintptr_t part = 0;
  Kokkos::single(
      Kokkos::PerThread(member),
      [&](std::uintptr_t& result) { result = reinterpret_cast<std::uintptr_t>(get()); }, part);
  return reinterpret_cast<void*>(part);
}

}  // namespace haloheap::allocators::detail::team_parts

#endif
