// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/boundary.hpp>

#include <limits>

namespace haloheap::grid {

Box whole_grid(int dims, const bool (&periodic)[3], const Triple& cells, const Box& own) {
  constexpr Index unbounded = std::numeric_limits<std::int32_t>::max();
  Box box;
  for (int dim = 0; dim < 3; ++dim) {
    const bool bounded = dim < dims && !periodic[dim];
    box.lo[dim] = bounded ? -own.lo[dim] : -unbounded;
    box.hi[dim] = bounded ? cells[dim] - own.lo[dim] : unbounded;
  }
  return box;
}

std::vector<Box> outside_boxes(const Box& region, const Box& inside, const Box& except) {
  std::vector<Box> outside;
  for (const Box& piece : subtract(region, inside))
    for (const Box& rest : subtract(piece, except)) outside.push_back(rest);
  return outside;
}

}  // namespace haloheap::grid
