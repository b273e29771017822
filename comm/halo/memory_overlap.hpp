// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_MEMORY_OVERLAP_HPP
#define HALOHEAP_COMM_HALO_MEMORY_OVERLAP_HPP

#include <haloheap/core/grid/box.hpp>

#include <vector>

namespace haloheap::comm::detail {

/// Where the values of an array of several dimensions stand: from `start` on, with gaps.
struct PlacesInMemory {
  struct Dimension {
    grid::Index stride;  ///< bytes from one index to the next, not negative
    grid::Index extent;
  };
  const void* start = nullptr;
  grid::Index value_bytes = 0;
  std::vector<Dimension> dimensions;
};

/// Whether any byte belongs to a value of both. Arrays between whose values the other's stand, such as
/// members of structs, share none.
bool share_memory(const PlacesInMemory& one, const PlacesInMemory& other);

}  // namespace haloheap::comm::detail

#endif
