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

/// Bytes of the parts of threads before this one.
template <class Member>
KOKKOS_FUNCTION std::uint64_t before(const Member& member, std::uint32_t room) {
  return member.team_scan(std::uint64_t{room});
}

/// The last thread's value.
template <class Member>
KOKKOS_FUNCTION std::uint64_t of_last(const Member& member, std::uint64_t value) {
  member.team_broadcast(value, member.team_size() - 1);
  return value;
}

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
