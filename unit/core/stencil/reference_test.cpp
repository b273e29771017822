// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/unit/core/stencil/boundaries.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap::stencil {
namespace {

using testing::all_sides;
using Kind = grid::BoundaryKind;

TEST(Reference, is_what_a_hand_computes) {
  // Ones on 2 x 2 cells, 2 around them; below, left, centre, right, above weigh 1, 2, 3, 4, 5.
  const grid::Triple cells{2, 2, 1};
  const grid::Boundary two = all_sides(Kind::dirichlet, 2);
  const Stencil stencil = custom_stencil(2, StencilShape::star, 1, {1, 2, 3, 4, 5});
  const InitialField ones({.kind = InitialKind::ones}, two, 2, cells, 1);
  EXPECT_EQ(reference_solution<double>(ones, stencil, two, cells, 1, 0), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(reference_solution<double>(ones, stencil, two, cells, 1, 1),
            (std::vector<double>{18, 20, 22, 24}));
  const auto scale = ResidualScale::make(1000, 8);
  const auto residuals = reference_residuals<double>(ones, stencil, two, cells, 1, 1, scale);
  ASSERT_EQ(residuals.size(), 1u);
  EXPECT_DOUBLE_EQ(scale.value(residuals[0]), 17 * 17 + 19 * 19 + 21 * 21 + 23 * 23);
  const InitialField twofold({.kind = InitialKind::ones}, two, 2, cells, 2);
  const auto of_two_quantities = reference_residuals<float>(twofold, stencil, two, cells, 2, 1, scale);
  EXPECT_DOUBLE_EQ(scale.value(of_two_quantities[0]), 2 * 1620);
  const auto twice = reference_solution<float>(ones, stencil, two, cells, 1, 2);
  EXPECT_EQ(twice[0], 1 * 2 + 2 * 2 + 3 * 18 + 4 * 20 + 5 * 22);
  EXPECT_EQ(twice[3], 1 * 20 + 2 * 22 + 3 * 24 + 4 * 2 + 5 * 2);
}

// A stencil with a single point moves the field by one cell, and shows what enters at the side.
TEST(Reference, finds_neighbours_on_every_side) {
  const grid::Triple cells{4, 1, 3};
  for (const Kind kind : {Kind::periodic, Kind::dirichlet, Kind::neumann})
    for (int point = 0; point < 7; ++point) {
      std::vector<double> coefficients(7, 0);
      coefficients[static_cast<std::size_t>(point)] = 1;
      const Stencil stencil = custom_stencil(3, StencilShape::star, 1, coefficients);
      const grid::Triple d = stencil.offsets()[static_cast<std::size_t>(point)];
      const grid::Boundary boundary = all_sides(kind, -7);
      const InitialField start({.kind = InitialKind::random}, boundary, 3, cells, 2);
      const auto result = reference_solution<double>(start, stencil, boundary, cells, 2, 1);
      std::size_t i = 0;
      for (int quantity = 0; quantity < 2; ++quantity)
        for (grid::Index z = 0; z < 3; ++z)
          for (grid::Index x = 0; x < 4; ++x) {
            grid::Triple from{x + d.x, d.y, z + d.z};
            bool outside = false;
            for (int dim = 0; dim < 3; ++dim) {
              const grid::Index n = cells[dim];
              if (from[dim] >= 0 && from[dim] < n) continue;
              outside = true;
              from[dim] = kind == Kind::periodic ? (from[dim] + n) % n : from[dim] < 0 ? 0 : n - 1;
            }
            EXPECT_EQ(result[i++], outside && kind == Kind::dirichlet ? -7 : start.at(from, quantity));
          }
    }
}

TEST(Reference, a_dirichlet_side_wins_at_a_corner) {
  grid::Boundary boundary = all_sides(Kind::neumann, 9);
  boundary.low[1] = Kind::dirichlet;
  const grid::Triple cells{3, 3, 1};
  const Stencil corner = custom_stencil(2, StencilShape::box, 1, {1, 0, 0, 0, 0, 0, 0, 0, 0});
  const InitialField start({.kind = InitialKind::random}, boundary, 2, cells, 1);
  const auto result = reference_solution<double>(start, corner, boundary, cells, 1, 1);
  EXPECT_EQ(result[0], 9);
  EXPECT_EQ(result[2], 9);
  EXPECT_EQ(result[3], start.at({0, 0, 0}, 0));
}

TEST(Reference, follows_the_exact_decay_of_a_sine_mode) {
  for (const auto& [dims, shape, radius] : testing::shapes)
    for (const Kind kind : {Kind::periodic, Kind::dirichlet, Kind::neumann}) {
      const grid::Triple cells{16, 12, dims == 3 ? 9 : 1};
      const grid::Boundary boundary = all_sides(kind);
      const Stencil stencil = heat_stencil(dims, shape, radius, 0.05);
      const InitialField start({.kind = InitialKind::sine, .mode = {1, 2, 1}}, boundary, dims, cells, 2);
      const auto decay = start.decay(stencil, 1);
      ASSERT_EQ(decay.has_value(), kind != Kind::dirichlet || radius == 1);
      if (!decay) continue;
      EXPECT_LT(std::abs(*decay), 1);
      const auto result = reference_solution<double>(start, stencil, boundary, cells, 2, 20);
      std::size_t i = static_cast<std::size_t>(product(cells));  // quantity 1
      for (grid::Index z = 0; z < cells.z; ++z)
        for (grid::Index y = 0; y < cells.y; ++y)
          for (grid::Index x = 0; x < cells.x; ++x)
            ASSERT_NEAR(result[i++], start.at({x, y, z}, 1) * std::pow(*decay, 20), 1e-13)
                << dims << " " << radius << " " << x << " " << y;
    }
}

}  // namespace
}  // namespace haloheap::stencil
