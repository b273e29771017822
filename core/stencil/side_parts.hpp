// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SIDE_PARTS_HPP
#define HALOHEAP_CORE_STENCIL_SIDE_PARTS_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/stencil/stream_tiles.hpp>

#include <vector>

namespace haloheap::stencil::detail {

/// Leaves those tiles of a box in one dimension that do not meet a side of the grid. Tiles of `extent` begin
/// at `first`, not behind the box, and compute `margin` more on either side.
template <class Edges>
void keep_off_across(const Edges& edges, grid::Box& box, int dim, int first, int extent, int margin) {
  const auto &low = edges.low[dim], &high = edges.high[dim];
  if (low.bounded && first - margin < low.at) {
    first += grid::detail::divide_up(low.at + margin - first, extent) * extent;
    box.lo[dim] = first;
  }
  if (high.bounded && box.hi[dim] + margin > high.at) {
    const int tiles = (high.at - margin - first) / extent;
    box.hi[dim] = first + (tiles > 0 ? tiles * extent : 0);
  }
}

template <class Edges>
void keep_off_columns(const Edges& edges, grid::Box& box, const TileShape& tile) {
  keep_off_across(edges, box, 0, grid::detail::multiple_below(static_cast<int>(box.lo.x), tile.width),
                  tile.columns, tile.margin);
}

/// The part of a box whose tiles meet no side of the grid: it may be empty.
/// @param length of the tiles along sides at the ends of the stream, `reach` or more
template <int Dims, class Edges>
grid::Box keep_off(const Edges& edges, const grid::Box& box, const TileShape& tile, int length) {
  constexpr int along = Dims - 1;
  grid::Box inner = box;
  keep_off_columns(edges, inner, tile);
  if constexpr (Dims == 3)
    keep_off_across(edges, inner, 1, static_cast<int>(box.lo.y), tile.rows, tile.reach);
  const auto &low = edges.low[along], &high = edges.high[along];
  if (low.bounded && box.lo[along] - tile.reach < low.at) inner.lo[along] += length;
  if (high.bounded && box.hi[along] + tile.reach > high.at) inner.hi[along] -= length;
  return intersect(box, inner);
}

/// The first row that a team computes: `reach` below those that it stores. But where the grid ends within its
/// rows, they are moved so that they begin or end there, and no warp has rows on both sides.
template <class Edges>
HALOHEAP_FUNCTION int first_row(const Edges& edges, const StreamTile& part, const TileShape& tile) {
  const int all = tile.rows + 2 * tile.reach;
  const auto &low = edges.low[1], &high = edges.high[1];
  int first = part.y - tile.reach;
  if (high.bounded && first + all > high.at) first = high.at - all;
  if (low.bounded && first < low.at) first = low.at;
  return first;
}

/// Where the grid may end in a tile of a 3D field.
enum class Sides {
  away,     ///< nowhere
  aligned,  ///< in x between two lanes, in y only if the tile can be moved to begin or end there, in z
            ///< anywhere
  anywhere,
};

/// Boxes of a 3D field, cut into parts for kernels that know where the grid may end in their tiles.
struct SideParts {
  std::vector<grid::Box> away, aligned, anywhere;

  template <class Edges>
  SideParts(const Edges& edges, std::span<const grid::Box> boxes, const TileShape& tile) {
    // Few: each costs 2 * reach planes more. Many: they take a little longer than others.
    const int length = 8 * tile.reach;
    for (const grid::Box& box : boxes) {
      const grid::Box regular = keep_off_unaligned(edges, box, tile);
      append(anywhere, subtract(box, regular));
      const grid::Box inner = keep_off<3>(edges, regular, tile, length);
      append(aligned, subtract(regular, inner));
      if (!inner.empty()) away.push_back(inner);
    }
  }

 private:
  template <class Edges>
  static grid::Box keep_off_unaligned(const Edges& edges, const grid::Box& box, const TileShape& tile) {
    const auto &low = edges.low[1], &high = edges.high[1];
    if (low.bounded && high.bounded && high.at - low.at < tile.rows + 2 * tile.reach) return {};
    Edges unaligned = edges;
    for (auto* side : {&unaligned.low[0], &unaligned.high[0]})
      side->bounded = side->bounded && side->at % tile.width != 0;
    grid::Box regular = box;
    keep_off_columns(unaligned, regular, tile);
    return intersect(box, regular);
  }

  static void append(std::vector<grid::Box>& to, const std::vector<grid::Box>& more) {
    to.insert(to.end(), more.begin(), more.end());
  }
};

}  // namespace haloheap::stencil::detail

#endif
