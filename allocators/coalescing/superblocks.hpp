// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCKS_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCKS_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

namespace superblocks {

/// Bytes of a superblock before the part of a request that is alone.
inline constexpr std::size_t front = 16;

/// What a superblock of one request takes at most beside its bytes.
inline constexpr std::size_t beside = 32;

/// Bytes of one request, so that the sum of a warp's and two small ones fit into a word (segment_layout.hpp).
inline constexpr std::size_t maximum = (std::size_t{1} << 36) - 64;

/// A request of nothing has an address of its own.
KOKKOS_INLINE_FUNCTION std::uint64_t at_least_one(std::size_t bytes) {
  return bytes == 0 ? 1 : bytes;
}

/// `unit` is a power of two.
KOKKOS_INLINE_FUNCTION std::uint64_t round_up(std::uint64_t bytes, std::uint64_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

}  // namespace superblocks

/// Where superblocks come from: the handle of a heap, the largest request that fits into a superblock of its
/// own, and a count of the requests that got nothing.
///
/// Requests that come together get one superblock, however large, or nothing. Only who asks for more than
/// `largest` is refused alone, so that nobody else is refused for it.
template <class Platform, class Under>
class Superblocks {
 public:
  KOKKOS_FUNCTION Superblocks(const Under& under, std::uint64_t* failures, std::size_t largest)
      : under_(under), failures_(failures), largest_(largest) {}

  /// Whether a request can be served at all.
  KOKKOS_FUNCTION bool can_have(std::size_t bytes) const { return bytes <= largest_; }

  /// Aligned to 16. nullptr, and so many more failures, if there is none.
  KOKKOS_FUNCTION std::byte* allocate(std::size_t bytes, unsigned requests) const {
    auto* const superblock = static_cast<std::byte*>(under_.allocate(bytes));
    if (superblock == nullptr) count_failures(requests);
    return superblock;
  }

  KOKKOS_FUNCTION void deallocate(std::byte* superblock) const { under_.deallocate(superblock); }

  KOKKOS_FUNCTION void count_failures(unsigned requests) const {
    Platform::Atomics::fetch_add(failures_, std::uint64_t{requests});
  }

 private:
  Under under_;
  std::uint64_t* failures_;
  std::size_t largest_;
};

}  // namespace haloheap::allocators::detail

#endif
