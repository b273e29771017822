// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Bodies that do a row at once give the bits that they give cell by cell, as on a device.
#include <haloheap/comm/solvers/transfer_kernels.hpp>
#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <type_traits>
#include <vector>

namespace haloheap::comm::detail {
namespace {

/// Two grids with all that can be different about their ends, and the part of a rank of both.
struct Grids {
  Coarsening coarsening;
  grid::Box fine_own, coarse_own;
  grid::FieldLayout fine, coarse;

  /// Local cells of the fine grid: own ones, and ghost cells but those outside the grid.
  grid::Box fine_with_ghosts() const {
    const grid::Box all = grid::grown(fine.own_box(), 3, 2);
    return grid::intersect(all, grid::whole_grid(3, coarsening.periodic, coarsening.fine, fine_own));
  }
};

grid::FieldLayout layout_of(const grid::Box& own) {
  return grid::make_field_layout(3, {own.extent(0), own.extent(1), own.extent(2)}, 3, 1, sizeof(double));
}

/// A part with cells of both grids, or all.
grid::Box drawn_part(const Coarsening& coarsening, std::mt19937& generator) {
  grid::Box part{{0, 0, 0}, coarsening.fine};
  for (int dim = 0; dim < 3; ++dim) {
    if (coarsening.fine[dim] < 4) continue;
    part.lo[dim] = static_cast<grid::Index>(generator()) % (coarsening.fine[dim] - 2);
    part.hi[dim] -= static_cast<grid::Index>(generator()) % (coarsening.fine[dim] - part.lo[dim] - 2);
  }
  return part;
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
  const grid::Box own = drawn_part(coarsening, generator), coarse_own = coarsening.coarse_of(own);
  return {coarsening, own, coarse_own, layout_of(own), layout_of(coarse_own)};
}

std::vector<double> drawn_values(const grid::FieldLayout& layout, std::mt19937& generator) {
  std::vector<double> values(static_cast<std::size_t>(layout.size()));
  std::uniform_real_distribution<double> between(-1, 1);
  for (double& value : values) value = between(generator);
  return values;
}

/// Runs a body for the cells of a box, piece by piece of each row and cell by cell.
/// @param with the body that writes to a field
template <class With>
void compare(const grid::FieldLayout& layout, const grid::Box& box, std::mt19937& generator,
             const With& with) {
  std::vector<double> rows = drawn_values(layout, generator), cells = rows;
  const auto by_rows = with(rows.data());
  const auto by_cells = with(cells.data());
  testing::for_each_cell(box, [&](const grid::Triple& cell) {
    run_cell(by_cells, cell, layout.at(cell));
    if ((cell.x - box.lo.x) % row_piece == 0)
      by_rows.row(cell, layout.at(cell),
                  static_cast<int>(std::min<grid::Index>(row_piece, box.hi.x - cell.x)));
  });
  EXPECT_EQ(rows, cells);
}

constexpr int draws = 200;

/// Calls `with` each number of children that the kernels for these grids may have.
template <class With>
void for_children(const Coarsening& coarsening, const With& with) {
  with(std::integral_constant<int, 5>());
  int children = 0;
  for (int dim = 0; dim < 3; ++dim) children = std::max(children, coarsening.children(dim));
  if (children <= 3) with(std::integral_constant<int, 3>());
}

TEST(TransferRows, restrict_as_cells_do) {
  std::mt19937 generator(5);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const std::vector<double> fine = drawn_values(grids.fine, generator);
    for_children(grids.coarsening, [&]<int Children>(std::integral_constant<int, Children>) {
      compare(grids.coarse, grids.coarse.own_box(), generator, [&](double* to) {
        return Restrict<double, Children>{grids.coarsening,
                                          {fine.data(), grids.fine, grids.fine_own.lo},
                                          {to, grids.coarse, grids.coarse_own.lo}};
      });
    });
  }
}

TEST(TransferRows, interpolate_as_cells_do) {
  std::mt19937 generator(6);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const std::vector<double> coarse = drawn_values(grids.coarse, generator);
    for_children(grids.coarsening, [&]<int Children>(std::integral_constant<int, Children>) {
      compare(grids.fine, grids.fine_with_ghosts(), generator, [&](double* to) {
        return AddInterpolated<double, Children>{grids.coarsening,
                                                 {coarse.data(), grids.coarse, grids.coarse_own.lo},
                                                 {to, grids.fine, grids.fine_own.lo}};
      });
    });
  }
}

TEST(TransferRows, have_the_colours_that_cells_have) {
  std::mt19937 generator(7);
  for (int draw = 0; draw < draws; ++draw) {
    const Grids grids = drawn(generator);
    const Colours colours(3, grids.coarsening.coarse, grids.coarsening.periodic);
    const grid::Triple colour = colours.colour(static_cast<int>(generator() % 27) % colours.count());
    compare(grids.fine, grids.fine_with_ghosts(), generator, [&](double* to) {
      return InterpolateColour<double>{grids.coarsening, colours, colour, grids.fine_own.lo, to};
    });
  }
}

}  // namespace
}  // namespace haloheap::comm::detail
