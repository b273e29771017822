// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bodies that do a row at once give the bits that they give cell by cell, as on a device.
#include <haloheap/comm/solvers/transfer_kernels.hpp>

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <vector>

namespace haloheap::comm::detail {
namespace {

/// Two grids with all that can be different about their ends, one rank having all of both.
struct Grids {
  Coarsening coarsening;
  grid::FieldLayout fine, coarse;
};

grid::FieldLayout layout_of(const grid::Triple& cells) {
  return grid::make_field_layout(3, cells, 3, 1, sizeof(double));
}

Grids drawn(std::mt19937& generator) {
  const auto below = [&](unsigned n) { return static_cast<grid::Index>(generator() % n); };
  const grid::Triple cells{4 + below(140), 1 + below(9), 1 + below(9)};
  bool periodic[3];
  stencil::SideRules sides;
  for (std::size_t dim = 0; dim < 3; ++dim) {
    periodic[dim] = below(2) == 0;
    const auto side = [&] {
      return below(3) == 0   ? stencil::Outside::value(1)
             : below(2) == 0 ? stencil::Outside::mirror(-1)
                             : stencil::Outside::mirror();
    };
    if (!periodic[dim]) {
      sides.low[dim] = {side()};
      sides.high[dim] = {side()};
    }
  }
  const Coarsening coarsening = Coarsening::of(3, cells, periodic, sides, 2);
  return {coarsening, layout_of(cells), layout_of(coarsening.coarse)};
}

std::vector<double> drawn_values(const grid::FieldLayout& layout, std::mt19937& generator) {
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  std::uniform_real_distribution<double> between(-1, 1);
  for (double& value : values) value = between(generator);
  return values;
}

/// Runs a body for the own cells, piece by piece of each row and cell by cell.
/// @param with the body that writes to a field
template <class With>
void compare(const grid::FieldLayout& layout, std::mt19937& generator, const With& with) {
  std::vector<double> rows = drawn_values(layout, generator), cells = rows;
  const auto by_rows = with(rows.data());
  const auto by_cells = with(cells.data());
  for (grid::Index z = 0; z < layout.own.z; ++z)
    for (grid::Index y = 0; y < layout.own.y; ++y) {
      for (grid::Index x = 0; x < layout.own.x; x += row_piece)
        by_rows.row({x, y, z}, layout.at({x, y, z}),
                    static_cast<int>(std::min<grid::Index>(row_piece, layout.own.x - x)));
      for (grid::Index x = 0; x < layout.own.x; ++x) by_cells({x, y, z}, layout.at({x, y, z}));
    }
  EXPECT_EQ(rows, cells);
}

constexpr int draws = 200;

TEST(TransferRows, restrict_as_cells_do) {
  std::mt19937 generator(5);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const std::vector<double> fine = drawn_values(grids.fine, generator);
    compare(grids.coarse, generator, [&](double* to) {
      return Restrict<double, 5>{grids.coarsening, {fine.data(), grids.fine, {}}, {to, grids.coarse, {}}};
    });
  }
}

TEST(TransferRows, interpolate_as_cells_do) {
  std::mt19937 generator(6);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const std::vector<double> coarse = drawn_values(grids.coarse, generator);
    compare(grids.fine, generator, [&](double* to) {
      return AddInterpolated<double>{
          grids.coarsening, {coarse.data(), grids.coarse, {}}, {to, grids.fine, {}}};
    });
  }
}

TEST(TransferRows, have_the_colours_that_cells_have) {
  std::mt19937 generator(7);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const Colours colours(3, grids.coarsening.coarse, grids.coarsening.periodic);
    const grid::Triple colour = colours.colour(static_cast<int>(generator() % 27) % colours.count());
    compare(grids.fine, generator, [&](double* to) {
      return InterpolateColour<double>{grids.coarsening, colours, colour, {}, to};
    });
  }
}

}  // namespace
}  // namespace haloheap::comm::detail
