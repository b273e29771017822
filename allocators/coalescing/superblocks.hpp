// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCKS_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCKS_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

namespace superblocks {

/// Bytes of a superblock of several parts. Larger groups of requests are served one by one: there is nothing
/// to gain from coalescing them, and their sum need not fit where each of them does.
inline constexpr std::uint32_t maximum = 1U << 24;

/// The bytes of a request, so that sums over a warp fit into 32 bits and still tell what is more than `most`.
KOKKOS_INLINE_FUNCTION std::uint32_t clamped(std::size_t bytes) {
  return bytes == 0 ? 1 : bytes > maximum ? maximum + 1 : static_cast<std::uint32_t>(bytes);
}

/// `unit` is a power of two.
KOKKOS_INLINE_FUNCTION std::uint32_t round_up(std::uint32_t bytes, std::uint32_t unit) {
  return (bytes + unit - 1) & ~(unit - 1);
}

}  // namespace superblocks

/// Where superblocks come from: the handle of a heap, and a count of the requests that got nothing.
template <class Platform, class Under>
class Superblocks {
 public:
  KOKKOS_FUNCTION Superblocks(const Under& under, std::uint64_t* failures)
      : under_(under), failures_(failures) {}

  /// Aligned to 16. nullptr, and so many more failures, if there is none.
  KOKKOS_FUNCTION std::byte* allocate(std::size_t bytes, unsigned requests) const {
    auto* const superblock = static_cast<std::byte*>(under_.allocate(bytes));
    if (superblock == nullptr) count_failures(requests);
    return superblock;
  }

  /// For one request that has `front` bytes of a superblock before its part.
  KOKKOS_FUNCTION std::byte* allocate_alone(std::size_t bytes, std::size_t front) const {
    if (bytes <= ~std::size_t{0} - front) return allocate(front + (bytes == 0 ? 1 : bytes), 1);
    count_failures(1);
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(std::byte* superblock) const { under_.deallocate(superblock); }

  KOKKOS_FUNCTION void count_failures(unsigned requests) const {
    Platform::Atomics::fetch_add(failures_, std::uint64_t{requests});
  }

 private:
  Under under_;
  std::uint64_t* failures_;
};

}  // namespace haloheap::allocators::detail

#endif
