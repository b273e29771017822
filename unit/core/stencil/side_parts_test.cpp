// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/side_parts.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>
#include <haloheap/unit/core/stencil/boundaries.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <random>

namespace haloheap::stencil {
namespace {

using detail::StreamTile, detail::TileShape;

template <int Dims>
using Edges = detail::RuleEdges<detail::Linear<float, detail::StencilPoints<Dims, StencilShape::star, 1>>>;

/// A small one of odd extents, and those of the kernels: 2 steps of radius 1, 4 steps, 2 of radius 2 in
/// double.
constexpr TileShape tile_shapes[] = {
    {8, 5, 2, 2, 1}, {120, 28, 4, 4, 2}, {120, 32, 4, 4, 4}, {56, 24, 2, 4, 4}, {20, 3, 4, 8, 8}};

/// A grid of up to 150 cells a dimension, with a box of it: at its sides or away from them.
struct PartSetting {
  grid::Boundary boundary;
  grid::Box inside, box;
};

PartSetting random_setting(std::mt19937& generator, int dims) {
  const auto below = [&](int n) { return static_cast<grid::Index>(generator() % static_cast<unsigned>(n)); };
  PartSetting s{testing::make_boundary(static_cast<int>(below(5)), static_cast<int>(below(5)),
                                       dims == 3 ? static_cast<int>(below(5)) : 0),
                {{0, 0, 0}, {1, 1, 1}},
                {{0, 0, 0}, {1, 1, 1}}};
  grid::Box& box = s.box;
  for (int dim = 0; dim < dims; ++dim) {
    s.inside.lo[dim] = below(2) == 0 ? 0 : below(9) - 8;
    s.inside.hi[dim] = s.inside.lo[dim] + 1 + below(150);
    box.lo[dim] = s.inside.lo[dim] + (below(2) == 0 ? 0 : below(static_cast<int>(s.inside.extent(dim))));
    box.hi[dim] = below(2) == 0 ? s.inside.hi[dim]
                                : box.lo[dim] + 1 + below(static_cast<int>(s.inside.hi[dim] - box.lo[dim]));
  }
  return s;
}

/// How often each cell of a grid is stored, of each quantity.
class Count {
 public:
  Count(const grid::Box& grid, int quantities)
      : grid_(grid), times_(static_cast<std::size_t>(grid.cells() * quantities)) {}

  int& operator()(grid::Index x, grid::Index y, grid::Index z, int quantity) {
    const grid::Index plane = quantity * grid_.extent(2) + z - grid_.lo.z;
    return times_[static_cast<std::size_t>((plane * grid_.extent(1) + y - grid_.lo.y) * grid_.extent(0) + x -
                                           grid_.lo.x)];
  }

  friend bool operator==(const Count&, const Count&) = default;

 private:
  grid::Box grid_;
  std::vector<int> times_;
};

template <int Dims, class Check>
void for_each_tile(const std::vector<grid::Box>& boxes, const TileShape& tile, int length, int quantities,
                   Check&& check) {
  std::vector<detail::StreamBox> parts;
  for (const grid::Box& box : boxes) parts.push_back({box, length});
  detail::for_each_stream_tiles<Dims>(parts, quantities, tile, [&](const detail::StreamTiles<Dims>& tiles) {
    for (unsigned number = 0; number < tiles.count(); ++number)
      check(tiles.find(number, tile.columns, tile.rows));
  });
}

void store(const StreamTile& part, const TileShape& tile, int dims, Count& count) {
  for (int along = part.begin; along < part.end; ++along)
    for (int x = std::max(part.x, part.lo_x); x < std::min(part.x + tile.columns, part.hi_x); ++x)
      if (dims == 2)
        ++count(x, along, 0, part.quantity);
      else
        for (int y = part.y; y < std::min(part.y + tile.rows, part.hi_y); ++y)
          ++count(x, y, along, part.quantity);
}

Count once_each(const grid::Box& grid, const std::vector<grid::Box>& boxes, int quantities) {
  Count count(grid, quantities);
  for (const grid::Box& box : boxes)
    for (int quantity = 0; quantity < quantities; ++quantity)
      testing::for_each_cell(box,
                             [&](const grid::Triple& cell) { ++count(cell.x, cell.y, cell.z, quantity); });
  return count;
}

/// What a tile needs to know for the cells that it stores; what it computes beyond is nobody's.
struct Needed {
  int begin, end;
  Needed(int first, int count, int lo, int hi, int reach)
      : begin(std::max(first, lo) - reach), end(std::min(first + count, hi) + reach) {}
};

Needed needed_in_x(const StreamTile& part, const TileShape& tile) {
  return {part.x, tile.columns, part.lo_x, part.hi_x, tile.reach};
}

template <int Dims>
bool crossed_in_x(const Edges<Dims>& edges, const StreamTile& part, const TileShape& tile) {
  const Needed x = needed_in_x(part, tile);
  return edges.crossed_by(0, x.begin, x.end);
}

void expect_away(const Edges<3>& edges, const StreamTile& part, const TileShape& tile) {
  const Needed y(part.y, tile.rows, part.lo_y, part.hi_y, tile.reach);
  EXPECT_FALSE(crossed_in_x(edges, part, tile));
  EXPECT_FALSE(edges.crossed_by(1, y.begin, y.end));
  EXPECT_FALSE(edges.crossed_by(2, part.begin - tile.reach, part.end + tile.reach));
}

void expect_aligned(const Edges<3>& edges, const StreamTile& part, const TileShape& tile) {
  const Needed x = needed_in_x(part, tile);
  const bool low = edges.low[0].bounded && x.begin < edges.low[0].at,
             high = edges.high[0].bounded && x.end > edges.high[0].at;
  EXPECT_TRUE(!low || edges.low[0].at % tile.width == 0);
  EXPECT_TRUE(!high || edges.high[0].at % tile.width == 0);
  const int first = detail::first_row(edges, part, tile), end = first + tile.rows + 2 * tile.reach;
  EXPECT_FALSE(edges.crossed_by(1, first, end));
  const bool begins_at_side = edges.low[1].bounded && first == edges.low[1].at,
             ends_at_side = edges.high[1].bounded && end == edges.high[1].at;
  EXPECT_TRUE(begins_at_side || first + tile.reach <= part.y);
  EXPECT_TRUE(ends_at_side || end - tile.reach >= std::min(part.y + tile.rows, part.hi_y));
}

TEST(RuleEdges, are_crossed_by_what_begins_or_ends_beyond_a_side) {
  grid::Boundary boundary;  // x wraps around
  boundary.low[1] = boundary.high[2] = grid::BoundaryKind::dirichlet;
  boundary.high[1] = boundary.low[2] = grid::BoundaryKind::neumann;
  const Edges<3> edges(side_rules(boundary, 3), {{10, 20, 30}, {15, 25, 35}});
  EXPECT_FALSE(edges.crossed_by(0, 0, 100));
  for (const int dim : {1, 2}) {
    const int lo = dim == 1 ? 20 : 30, hi = lo + 5;
    EXPECT_FALSE(edges.crossed_by(dim, lo, hi));
    EXPECT_TRUE(edges.crossed_by(dim, lo - 1, hi));
    EXPECT_TRUE(edges.crossed_by(dim, lo, hi + 1));
  }
}

TEST(SideParts, every_cell_is_stored_once_by_a_tile_that_meets_no_more_sides_than_its_part_says) {
  std::mt19937 generator(11);
  std::size_t seen[3] = {};
  for (const TileShape& tile : tile_shapes)
    for (int i = 0; i < 12; ++i) {
      const PartSetting s = random_setting(generator, 3);
      const Edges<3> edges(side_rules(s.boundary, 3), s.inside);
      const detail::SideParts parts(edges, {&s.box, 1}, tile);
      Count count(s.inside, 2);
      for_each_tile<3>(parts.away, tile, 7, 2, [&](const StreamTile& part) {
        store(part, tile, 3, count);
        expect_away(edges, part, tile);
      });
      for_each_tile<3>(parts.aligned, tile, 7, 2, [&](const StreamTile& part) {
        store(part, tile, 3, count);
        expect_aligned(edges, part, tile);
      });
      for_each_tile<3>(parts.anywhere, tile, 7, 2,
                       [&](const StreamTile& part) { store(part, tile, 3, count); });
      EXPECT_TRUE(count == once_each(s.inside, {s.box}, 2));
      seen[0] += parts.away.size();
      seen[1] += parts.aligned.size();
      seen[2] += parts.anywhere.size();
    }
  for (const std::size_t parts : seen) EXPECT_GT(parts, 5u);
}

TEST(SideParts, without_sides_a_box_is_one_part) {
  const grid::Box box{{-3, 2, 1}, {77, 41, 33}};
  const Edges<3> edges(side_rules(grid::Boundary{}, 3), box);
  const detail::SideParts parts(edges, std::vector<grid::Box>{box}, tile_shapes[2]);
  EXPECT_EQ(parts.away, std::vector<grid::Box>{box});
  EXPECT_TRUE(parts.aligned.empty());
  EXPECT_TRUE(parts.anywhere.empty());
}

TEST(SideParts, sides_between_lanes_need_no_kernel_for_anywhere) {
  const grid::Box grid{{0, 0, 0}, {512, 512, 512}};
  const Edges<3> edges(side_rules(testing::make_boundary(1, 2, 4), 3), grid);
  const detail::SideParts parts(edges, std::vector<grid::Box>{grid}, tile_shapes[2]);
  EXPECT_TRUE(parts.anywhere.empty());
  EXPECT_FALSE(parts.aligned.empty());
  EXPECT_EQ(parts.away, (std::vector<grid::Box>{{{120, 32, 32}, {480, 480, 480}}}));
}

TEST(KeepOff, strips_of_a_plane_meet_no_side) {
  std::mt19937 generator(12);
  int some = 0;
  for (const TileShape& tile : tile_shapes)
    for (int i = 0; i < 40; ++i) {
      const PartSetting s = random_setting(generator, 2);
      const Edges<2> edges(side_rules(s.boundary, 2), s.inside);
      const grid::Box away = detail::keep_off<2>(edges, s.box, tile, tile.reach);
      std::vector<grid::Box> parts = subtract(s.box, away);
      if (!away.empty()) {
        parts.push_back(away);
        for_each_tile<2>({away}, tile, 11, 1, [&](const StreamTile& part) {
          EXPECT_FALSE(crossed_in_x(edges, part, tile));
          EXPECT_FALSE(edges.crossed_by(1, part.begin - tile.reach, part.end + tile.reach));
          ++some;
        });
      }
      Count count(s.inside, 1);
      for_each_tile<2>(parts, tile, 11, 1, [&](const StreamTile& part) { store(part, tile, 2, count); });
      EXPECT_TRUE(count == once_each(s.inside, {s.box}, 1));
    }
  EXPECT_GT(some, 50);
}

TEST(StreamTiles, more_boxes_than_fit_come_in_portions) {
  const grid::Box grid{{0, 0, 0}, {30, 50, 80}};
  std::vector<grid::Box> boxes;
  for (grid::Index i = 0; i < 23; ++i)
    boxes.push_back({{i, 2 * i, 3 * i}, {i + 1 + i % 5, 2 * i + 2, 3 * i + 3}});
  Count count(grid, 3);
  for_each_tile<3>(boxes, tile_shapes[0], 2, 3,
                   [&](const StreamTile& part) { store(part, tile_shapes[0], 3, count); });
  EXPECT_TRUE(count == once_each(grid, boxes, 3));
  for_each_tile<3>({}, tile_shapes[0], 2, 3, [](const StreamTile&) { FAIL() << "a tile of no box"; });
  const std::vector<detail::StreamBox> eleven(detail::StreamTiles<3>::capacity + 1, {grid, 80});
  int portions = 0;
  detail::for_each_stream_tiles<3>(eleven, 1, tile_shapes[0],
                                   [&](const detail::StreamTiles<3>&) { ++portions; });
  EXPECT_EQ(portions, 2);
}

}  // namespace
}  // namespace haloheap::stencil
