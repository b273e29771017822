// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/core/stencil/initial_fill.hpp>
#include <haloheap/unit/core/stencil/boundaries.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

namespace haloheap::stencil {
namespace {

using namespace testing;

const grid::Triple sample_cells{21, 13, 1};

const grid::BoundaryKind kinds[] = {grid::BoundaryKind::periodic, grid::BoundaryKind::dirichlet,
                                    grid::BoundaryKind::neumann};
const InitialKind starts[] = {InitialKind::sine, InitialKind::random, InitialKind::ones,
                              InitialKind::gaussian};

TEST(RandomValue, lies_in_0_1_and_differs_by_cell_quantity_and_seed) {
  std::set<double> values;
  double sum = 0;
  for (const std::uint64_t seed : {0, 1, 2})
    for (int quantity = 0; quantity < 2; ++quantity)
      for_each_cell({{0, 0, 0}, sample_cells}, [&](const grid::Triple& cell) {
        const double value = random_value(seed, sample_cells, cell, quantity);
        EXPECT_GE(value, 0);
        EXPECT_LT(value, 1);
        EXPECT_EQ(static_cast<double>(static_cast<float>(value)), value) << "24 bits fit a float";
        values.insert(value);
        sum += value;
      });
  const double count = 6 * 21 * 13;
  EXPECT_GE(static_cast<double>(values.size()), count - 3);  // 24 bits: at most a few coincide
  EXPECT_NEAR(sum / count, 0.5, 0.03);
}

TEST(RandomValue, is_the_published_splitmix64) {
  // The first output of SplitMix64 seeded with 0 is e220a8397b1dcdaf; here its state is the cell number mixed
  // with it.
  const auto mix = [](std::uint64_t n) {
    n += 0x9e3779b97f4a7c15ULL;
    n = (n ^ (n >> 30)) * 0xbf58476d1ce4e5b9ULL;
    n = (n ^ (n >> 27)) * 0x94d049bb133111ebULL;
    return n ^ (n >> 31);
  };
  ASSERT_EQ(mix(0), 0xe220a8397b1dcdafULL);
  EXPECT_EQ(random_value(0, sample_cells, {2, 1, 0}, 1),
            static_cast<double>(mix((2 + 21 * (1 + 13)) ^ 0xe220a8397b1dcdafULL) >> 40) / 16777216.0);
}

TEST(InitialField, ones_and_gaussian_are_what_they_say) {
  const InitialField ones({.kind = InitialKind::ones}, {}, 2, sample_cells, 2);
  const InitialField hill({.kind = InitialKind::gaussian}, {}, 2, sample_cells, 1);
  for_each_cell({{0, 0, 0}, sample_cells}, [&](const grid::Triple& cell) { EXPECT_EQ(ones.at(cell, 1), 1); });
  EXPECT_EQ(hill.at({10, 6, 0}, 0), 1);
  EXPECT_EQ(hill.at({3, 2, 0}, 0), hill.at({17, 10, 0}, 0));
  EXPECT_LT(hill.at({0, 0, 0}, 0), 1e-5);
}

TEST(InitialField, sine_modes_meet_their_boundary) {
  const auto at = [](grid::BoundaryKind kind, grid::Index x) {
    // One dimension of interest: the other factor is taken out.
    const InitialField field({.kind = InitialKind::sine, .mode = {2, 1, 1}}, all_sides(kind), 2, sample_cells,
                             1);
    return field.factor(0, 0)[static_cast<std::size_t>(x)];
  };
  const double pi = std::numbers::pi;
  EXPECT_DOUBLE_EQ(at(grid::BoundaryKind::dirichlet, 4), std::sin(2 * pi * 5 / 22));
  EXPECT_DOUBLE_EQ(at(grid::BoundaryKind::neumann, 4), std::cos(2 * pi * 4.5 / 21));
  EXPECT_DOUBLE_EQ(at(grid::BoundaryKind::periodic, 4), std::sin(4 * pi * 4 / 21));
  EXPECT_EQ(at(grid::BoundaryKind::periodic, 0), 0);
}

TEST(InitialField, decay_is_known_for_eigenmodes_only) {
  const Stencil star = heat_stencil(2, StencilShape::star, 1, 0.1),
                wide = heat_stencil(2, StencilShape::star, 2, 0.1);
  Stencil skew = star;
  skew.coefficients[0] = 0.2;
  const auto decay = [](InitialKind kind, const grid::Boundary& boundary, const Stencil& stencil) {
    return InitialField({.kind = kind}, boundary, 2, sample_cells, 1).decay(stencil, 0);
  };
  const grid::Boundary zero = all_sides(grid::BoundaryKind::dirichlet);
  grid::Boundary mixed = zero, one = zero;
  mixed.high[1] = grid::BoundaryKind::neumann;
  one.value = 1;
  EXPECT_TRUE(decay(InitialKind::sine, zero, star));
  EXPECT_TRUE(decay(InitialKind::sine, all_sides(grid::BoundaryKind::neumann), wide));
  EXPECT_TRUE(decay(InitialKind::sine, all_sides(grid::BoundaryKind::periodic), wide));
  EXPECT_FALSE(decay(InitialKind::random, zero, star));
  EXPECT_FALSE(decay(InitialKind::ones, zero, star));
  EXPECT_FALSE(decay(InitialKind::sine, zero, skew));
  EXPECT_FALSE(decay(InitialKind::sine, zero, wide));
  EXPECT_FALSE(decay(InitialKind::sine, mixed, star));
  EXPECT_FALSE(decay(InitialKind::sine, one, star));
}

template <class T>
void check_fill(int dims, const grid::Triple& n, const InitialField& initial, const grid::Triple& ranks,
                const grid::Triple& at) {
  const grid::Box own = subdomain(n, ranks, at);
  const auto layout =
      grid::make_field_layout(dims, {own.extent(0), own.extent(1), own.extent(2)}, 2, 2, sizeof(T));
  const auto field = make_device_array(std::vector<T>(static_cast<std::size_t>(layout.size()), T{5}));
  const Kokkos::DefaultExecutionSpace exec;
  InitialFill<T>(initial, layout, own).run(exec, field.data());
  exec.fence("haloheap::unit::fill");
  const auto got = to_host(field);
  std::size_t numbers = 0;
  for (const T& value : got) numbers += std::isnan(value) ? 0 : 1;
  EXPECT_EQ(numbers, static_cast<std::size_t>(2 * own.cells())) << "all but own cells are NaN";
  for (int quantity = 0; quantity < 2; ++quantity)
    for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
      const T expected =
          static_cast<T>(initial.at({cell.x + own.lo.x, cell.y + own.lo.y, cell.z + own.lo.z}, quantity));
      ASSERT_TRUE(same_bits(got[static_cast<std::size_t>(layout.at(cell, quantity))], expected))
          << cell.x << " " << cell.y;
    });
}

TEST(InitialFill, gives_the_bits_of_the_host_on_every_part_and_poisons_the_rest) {
  for (const InitialKind start : starts)
    for (const grid::BoundaryKind kind : kinds) {
      const InitialField flat({.kind = start, .mode = {1, 2, 3}, .seed = 9}, all_sides(kind), 2, sample_cells,
                              2);
      const InitialField deep({.kind = start, .mode = {1, 2, 3}, .seed = 9}, all_sides(kind), 3, {7, 5, 6},
                              2);
      for (grid::Index x = 0; x < 2; ++x)
        for (grid::Index y = 0; y < 3; ++y) {
          check_fill<float>(2, sample_cells, flat, {2, 3, 1}, {x, y, 0});
          check_fill<double>(2, sample_cells, flat, {2, 3, 1}, {x, y, 0});
          check_fill<float>(3, {7, 5, 6}, deep, {2, 1, 3}, {x, 0, y});
          check_fill<double>(3, {7, 5, 6}, deep, {2, 1, 3}, {x, 0, y});
        }
    }
}

TEST(Poison, is_in_every_element) {
  const auto layout = grid::make_field_layout(2, {5, 3, 1}, 2, 2, sizeof(float));
  const auto field = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size()), 5));
  const Kokkos::DefaultExecutionSpace exec;
  poison(exec, layout, field.data());
  exec.fence("haloheap::unit::poison");
  for (const float value : to_host(field)) ASSERT_TRUE(std::isnan(value));
}

}  // namespace
}  // namespace haloheap::stencil
