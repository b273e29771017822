// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PLANE_SIDES_HPP
#define HALOHEAP_CORE_STENCIL_PLANE_SIDES_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

namespace haloheap::stencil::detail {

/// What a lane sees of the grid's sides in a dimension.
enum SideBits : unsigned { low_fixed = 1, low_mirrors = 2, high_fixed = 4, high_mirrors = 8 };

template <class T>
KOKKOS_FORCEINLINE_FUNCTION void set_all(T& cell, T number) {
  cell = number;
}
template <class T, int Width>
KOKKOS_FORCEINLINE_FUNCTION void set_all(Pack<T, Width>& row, T number) {
  HALOHEAP_UNROLL
  for (int i = 0; i < Width; ++i) row.value[i] = number;
}

/// Sets the `radius` entries of a line of cells or rows from place `target` on, outwards.
/// @param first the place of the line's first entry
template <int radius, int outwards, class T, class Entry, int count>
KOKKOS_FORCEINLINE_FUNCTION void impose_side(bool fixed, T number, int first, int target,
                                             Entry (&line)[count]) {
  HALOHEAP_UNROLL
  for (int j = 0; j < radius; ++j) {
    HALOHEAP_UNROLL
    for (int i = 0; i < count; ++i) {
      const int source = i - outwards * (2 * j + 1);
      if (source < 0 || source >= count) continue;
      Entry value = line[source];
      if (fixed) set_all(value, number);
      if (first + i == target + outwards * j) line[i] = value;
    }
  }
}

/// Where the grid ends between two lanes, or rows of two warps. Without a branch, which nothing could be
/// moved across to hide what it waits for.
/// @param low_number, high_number () give the numbers of fixed sides where they are needed
template <int radius, class Low, class High, class Entry, int count>
KOKKOS_FORCEINLINE_FUNCTION void impose_ends(unsigned sides, const Low& low_number, const High& high_number,
                                             Entry (&line)[count]) {
  HALOHEAP_UNROLL
  for (int j = 0; j < radius; ++j) {
    Entry &low = line[radius - 1 - j], &high = line[count - radius + j];
    if (sides & low_mirrors) low = line[radius + j];
    if (sides & low_fixed) set_all(low, low_number());
    if (sides & high_mirrors) high = line[count - radius - 1 - j];
    if (sides & high_fixed) set_all(high, high_number());
  }
}

/// Where a lane of a PlaneTile sees from within that the grid ends, of a rule with plain sides, and what it
/// does there. Known from the beginning, as bits: what is outside is then set without branches, which nothing
/// could be moved across to hide what it waits for.
template <class Rule, class Tile, Sides where>
class PlaneSides {
 public:
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  using Edges = RuleEdges<Rule>;
  static constexpr int fields = Traits::fields, radius = Traits::radius;
  static_assert(Traits::plain_sides);

  PlaneSides() = default;
  /// A side that no tile needs may be anywhere: if aligned ones are expected, only those count.
  /// @param x, y the lane's first cell
  KOKKOS_FORCEINLINE_FUNCTION PlaneSides(const Edges& edges, int x, int y, const StreamTile& part) {
    const int begin[] = {x, y, part.begin}, end[] = {x + Tile::width, y + Tile::height, part.end};
    HALOHEAP_UNROLL
    for (int dim = 0; dim < 3; ++dim) {
      const auto &low = edges.low[dim], &high = edges.high[dim];
      const bool aligned = where == Sides::aligned && dim < 2;
      const int around = dim < 2 ? radius : Tile::reach, first = begin[dim] - around,
                last = end[dim] + around;
      const bool sees_low = low.bounded && (aligned ? low.at == begin[dim] : first < low.at && low.at < last),
                 sees_high =
                     high.bounded && (aligned ? high.at == end[dim] : first < high.at && high.at < last);
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        if (sees_low) sides_[dim] |= (is_fixed(low, field) ? low_fixed : low_mirrors) << bits * field;
        if (sees_high) sides_[dim] |= (is_fixed(high, field) ? high_fixed : high_mirrors) << bits * field;
      }
      if (dim == 2) {
        first_plain_ = sees_low ? low.at + radius : part.begin - 2 * Tile::reach;
        end_of_plain_ = sees_high ? high.at : part.end + 2 * Tile::reach;
      }
    }
  }

  /// What the lane sees of a field in a dimension, in a register that no constant takes the place of.
  KOKKOS_FORCEINLINE_FUNCTION unsigned of(int dim, int field) const {
    return backend::anew(fields == 1 ? sides_[dim] : sides_[dim] >> bits * field & ((1U << bits) - 1));
  }

  /// Sets what is outside of rows of a plane, along y, or of cells of a row, along x. The line begins at
  /// place `first` and has the neighbours of some cells, in place of all of them: if one of these cells is
  /// inside the grid, what its neighbours outside mirror are its neighbours too.
  /// @param sides of(dim, field)
  template <int dim, class Entry, int count>
  KOKKOS_FORCEINLINE_FUNCTION static void impose(const Edges& edges, int field, unsigned sides, int first,
                                                 Entry (&line)[count]) {
    if constexpr (where == Sides::aligned) {
      impose_ends<radius>(
          sides, [&] { return edges.low[dim].numbers[backend::anew(field)]; },
          [&] { return edges.high[dim].numbers[backend::anew(field)]; }, line);
    } else {
      if (sides == 0) return;
      first = backend::anew(first);
      const auto &low = edges.low[dim], &high = edges.high[dim];
      if (sides & (low_fixed | low_mirrors))
        impose_side<radius, -1>(sides & low_fixed, low.numbers[field], first, low.at - 1, line);
      if (sides & (high_fixed | high_mirrors))
        impose_side<radius, 1>(sides & high_fixed, high.numbers[field], first, high.at, line);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool plain_at(int z) const { return z >= first_plain_ && z < end_of_plain_; }
  KOKKOS_FORCEINLINE_FUNCTION static bool low_mirror(unsigned sides) { return sides & low_mirrors; }
  KOKKOS_FORCEINLINE_FUNCTION static bool high_mirror(unsigned sides) { return sides & high_mirrors; }

  /// Whether a place is beyond a side with a fixed value.
  /// @param sides of(dim, field)
  KOKKOS_FORCEINLINE_FUNCTION static bool is_fixed_at(const Edges& edges, int dim, unsigned sides, int at) {
    return is_below(edges, dim, sides, at) || is_above(edges, dim, sides, at);
  }

  /// Sets a plane that is beyond a side with a fixed value.
  /// @param sides of(2, field)
  template <int rows>
  KOKKOS_FORCEINLINE_FUNCTION static void impose_fixed(const Edges& edges, int field, unsigned sides, int z,
                                                       typename Tile::Columns (&plane)[rows]) {
    const bool below = is_below(edges, 2, sides, z);
    if (!below && !is_above(edges, 2, sides, z)) return;
    const T number = below ? edges.low[2].numbers[field] : edges.high[2].numbers[field];
    HALOHEAP_UNROLL
    for (int row = 0; row < rows; ++row) set_all(plane[row], number);
  }

 private:
  static constexpr int bits = 4;  ///< of a field
  static_assert(bits * fields <= 32);

  KOKKOS_FORCEINLINE_FUNCTION static bool is_below(const Edges& edges, int dim, unsigned sides, int at) {
    return (sides & low_fixed) && at < edges.low[dim].at;
  }
  KOKKOS_FORCEINLINE_FUNCTION static bool is_above(const Edges& edges, int dim, unsigned sides, int at) {
    return (sides & high_fixed) && at >= edges.high[dim].at;
  }

  template <class End>
  KOKKOS_FORCEINLINE_FUNCTION static bool is_fixed(const End& side, int field) {
    return side.kind(field) == Outside::Kind::value;
  }

  unsigned sides_[3] = {};                  ///< in x of the lane, in y of its warp, in z of its team
  int first_plain_ = 0, end_of_plain_ = 0;  ///< planes at which nothing is imposed in z
};

}  // namespace haloheap::stencil::detail

#endif
