// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that devices run, on warps whose 32 lanes take turns in any order, against single steps.
#include <haloheap/core/stencil/fused_strips.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/single_steps.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace haloheap::stencil {
namespace {

using namespace testing;
using Kind = grid::BoundaryKind;

template <class T>
struct Field {
  Stencil stencil;
  grid::Boundary boundary;
  grid::FieldLayout layout;
  grid::Box inside;
  std::vector<T> in, before;

  Field(const Stencil& s, const grid::Boundary& b, const grid::Triple& own, int steps, int quantities)
      : stencil(s), boundary(b) {
    layout = grid::make_field_layout(2, own, grid::Index{steps} * s.radius, quantities, sizeof(T));
    inside = grid::BoundaryFill<T>(b, layout, own, {{0, 0, 0}, own}).inside();
    in = random_values<T>(layout.size(), 5);
    before = random_values<T>(layout.size(), 6);
    for (int quantity = 0; quantity < quantities; ++quantity)
      for_each_cell(grown(layout.own_box(), 2, grid::Index{steps} * s.radius), [&](const grid::Triple& cell) {
        if (!contains(inside, cell))
          in[static_cast<std::size_t>(layout.at(cell, quantity))] = std::numeric_limits<T>::quiet_NaN();
      });
  }
};

/// What single steps make of the own cells, and everything else as before.
template <class T>
std::vector<T> expected_of(const Field<T>& field, int steps) {
  const grid::FieldLayout& layout = field.layout;
  const grid::BoundaryFill<T> fill(field.boundary, layout, layout.own, layout.own_box());
  auto result = field.before;
  EXPECT_TRUE(single_steps(field.stencil, layout, fill, field.in, layout.own_box(), steps, result));
  return result;
}

template <class T, class Points, int Steps>
void check(const grid::Boundary& boundary, const grid::Triple& own, int quantities, int rows, unsigned seed) {
  const Field<T> field(lopsided({2, Points::shape, Points::radius}), boundary, own, Steps, quantities);
  using Rule = detail::Linear<T, Points>;
  using Strip = detail::FusedStrip<Rule, Steps, 4, emulation::EmulatedPlatform>;
  const detail::StreamBox box{field.layout.own_box(), rows};
  const detail::StreamTiles<2> strips({&box, 1}, quantities, Strip::tile());
  auto out = field.before;
  // Wide loads want aligned memory, which vectors need not be.
  const auto aligned_in = memory::make_array<T>(memory::make_memory_resource("pageable"),
                                                "haloheap::unit::in", field.in.size()),
             aligned_out = memory::make_array<T>(memory::make_memory_resource("pageable"),
                                                 "haloheap::unit::out", out.size());
  std::copy(field.in.begin(), field.in.end(), aligned_in.data());
  std::copy(out.begin(), out.end(), aligned_out.data());
  const detail::FusedStrips<Strip> kernel{{aligned_in.data(),
                                           aligned_out.data(),
                                           field.layout.origin,
                                           field.layout.pitch,
                                           field.layout.quantity_size,
                                           Rule(field.stencil),
                                           {},
                                           detail::RuleEdges<Rule>(side_rules(boundary, 2), field.inside)},
                                          strips};
  emulation::RandomSchedule schedule(seed);
  emulation::run_warps({strips.count()}, schedule, [&](unsigned thread) { kernel(thread); });
  std::copy(aligned_out.data(), aligned_out.data() + out.size(), out.begin());
  EXPECT_EQ(difference(out, expected_of(field, Steps)), "")
      << Points::count << " points, " << Steps << " steps, " << own.x << " x " << own.y << ", " << rows
      << " rows a chunk";
}

template <class T, class Points>
void check_all(const grid::Boundary& boundary, unsigned seed) {
  constexpr int several = std::min(3, detail::device_steps<Points>), narrow = std::max(2, Points::radius);
  check<T, Points, 2>(boundary, {37, 9, 1}, 2, 4, seed);
  check<T, Points, several>(boundary, {131, 5, 1}, 1, 9, seed + 1);
  check<T, Points, several>(boundary, {narrow, std::max(3, narrow), 1}, 1, 2, seed + 2);
  // As many steps as are loaded in another way: see FusedStrip::batch.
  if constexpr (Points::star && Points::radius == 1)
    check<T, Points, 5>(boundary, {90, 17, 1}, 1, 12, seed + 3);
}

template <class T>
class EmulatedStrips : public ::testing::Test {};
using Precisions = ::testing::Types<float, double>;
TYPED_TEST_SUITE(EmulatedStrips, Precisions);

TYPED_TEST(EmulatedStrips, are_single_steps_in_any_order_of_the_lanes) {
  const auto p = Kind::periodic, d = Kind::dirichlet, n = Kind::neumann;
  unsigned seed = 1;
  for (const grid::Boundary& boundary :
       {grid::Boundary{}, grid::Boundary{{d, d, p}, {d, d, p}, 0.25}, grid::Boundary{{n, n, p}, {n, n, p}},
        grid::Boundary{{d, n, p}, {n, d, p}, 0.25}, grid::Boundary{{p, n, p}, {p, d, p}, 0.25}}) {
    detail::for_each_points<2>([&]<class Points>(Points) {
      if constexpr (detail::device_steps < Points >> 1) check_all<TypeParam, Points>(boundary, seed += 10);
    });
  }
}

}  // namespace
}  // namespace haloheap::stencil
