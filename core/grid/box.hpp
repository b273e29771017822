// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_BOX_HPP
#define HALOHEAP_CORE_GRID_BOX_HPP

#include <haloheap/backend/function.hpp>

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace haloheap::grid {

using Index = std::int64_t;

/// One number a dimension. x runs fastest in memory; two-dimensional grids have one cell in z.
struct Triple {
  Index x = 0, y = 0, z = 0;

  HALOHEAP_FUNCTION constexpr Index& operator[](int dim) { return dim == 0 ? x : dim == 1 ? y : z; }
  HALOHEAP_FUNCTION constexpr Index operator[](int dim) const { return dim == 0 ? x : dim == 1 ? y : z; }
  friend constexpr bool operator==(const Triple&, const Triple&) = default;
};

HALOHEAP_FUNCTION constexpr Index product(const Triple& t) {
  return t.x * t.y * t.z;
}

/// Half-open box of cells [lo, hi).
struct Box {
  Triple lo, hi;

  HALOHEAP_FUNCTION constexpr Index extent(int dim) const {
    return hi[dim] > lo[dim] ? hi[dim] - lo[dim] : 0;
  }
  HALOHEAP_FUNCTION constexpr Index cells() const { return extent(0) * extent(1) * extent(2); }
  constexpr bool empty() const { return cells() == 0; }
  friend constexpr bool operator==(const Box&, const Box&) = default;
};

/// The box and so many cells more on each side in the first `dims` dimensions.
inline Box grown(Box box, int dims, Index by) {
  for (int dim = 0; dim < dims; ++dim) {
    box.lo[dim] -= by;
    box.hi[dim] += by;
  }
  return box;
}

inline Box intersect(const Box& a, const Box& b) {
  Box result;
  for (int dim = 0; dim < 3; ++dim) {
    result.lo[dim] = std::max(a.lo[dim], b.lo[dim]);
    result.hi[dim] = std::min(a.hi[dim], b.hi[dim]);
  }
  return result;
}

/// The cells of `a` that are not in `b`, as at most six disjoint boxes: what lies beside in z first, then y,
/// then x, so that the long runs in x stay whole.
inline std::vector<Box> subtract(const Box& a, const Box& b) {
  if (a.empty()) return {};
  const Box common = intersect(a, b);
  if (common.empty()) return {a};
  std::vector<Box> pieces;
  Box rest = a;
  for (int dim = 2; dim >= 0; --dim) {
    Box low = rest, high = rest;
    low.hi[dim] = common.lo[dim];
    high.lo[dim] = common.hi[dim];
    for (const Box& piece : {low, high})
      if (!piece.empty()) pieces.push_back(piece);
    rest.lo[dim] = common.lo[dim];
    rest.hi[dim] = common.hi[dim];
  }
  return pieces;
}

/// Those of the boxes that have cells.
inline std::vector<Box> without_empty(std::span<const Box> boxes) {
  std::vector<Box> some(boxes.begin(), boxes.end());
  std::erase_if(some, [](const Box& box) { return box.empty(); });
  return some;
}

}  // namespace haloheap::grid

#endif
