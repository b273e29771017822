// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_HEAP_STATISTICS_HPP
#define HALOHEAP_ALLOCATORS_HEAP_STATISTICS_HPP

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators {

/// A heap at one moment. Bytes; rounded up as the allocator does, headers included. The steps of a request
/// are not here, since a heap that counted them would be another: handles of allocators of pages have
/// allocate(bytes, steps), which adds the caller's to a counter of its own.
struct HeapStatistics {
  std::size_t capacity = 0;          ///< of the pool
  std::size_t metadata = 0;          ///< the allocator's own metadata beside the pool
  std::size_t in_use = 0;            ///< handed out and not given back
  std::size_t footprint = 0;         ///< not usable for requests of another size now
  std::size_t high_water = 0;        ///< the largest footprint since the last reset
  std::size_t largest_free_run = 0;  ///< free and contiguous
  std::uint64_t failures = 0;        ///< requests that got nullptr since the last reset

  friend bool operator==(const HeapStatistics&, const HeapStatistics&) = default;
};

}  // namespace haloheap::allocators

#endif
