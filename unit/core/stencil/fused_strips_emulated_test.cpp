// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that devices run, on warps whose 32 lanes take turns in any order, against single steps.
#include <haloheap/core/stencil/fused_strips.hpp>
#include <haloheap/core/stencil/with_points.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/measure_checks.hpp>
#include <haloheap/unit/core/stencil/measured_state.hpp>
#include <haloheap/unit/core/stencil/residual_slots.hpp>
#include <haloheap/unit/core/stencil/rule_grid.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>
#include <haloheap/unit/core/stencil/shapes.hpp>
#include <haloheap/unit/core/stencil/single_steps.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <span>

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
    inside = kernels().inside();
    in = random_values<T>(layout.size(), 5);
    before = random_values<T>(layout.size(), 6);
    for (int quantity = 0; quantity < quantities; ++quantity)
      for_each_cell(grown(layout.own_box(), 2, grid::Index{steps} * s.radius), [&](const grid::Triple& cell) {
        if (!contains(inside, cell))
          in[static_cast<std::size_t>(layout.at(cell, quantity))] = std::numeric_limits<T>::quiet_NaN();
      });
  }

  StencilKernels<T> kernels() const { return {stencil, layout, boundary, layout.own, layout.own_box()}; }
};

/// What single steps make of the own cells, and everything else as before.
template <class T>
std::vector<T> expected_of(const Field<T>& field, int steps) {
  const grid::FieldLayout& layout = field.layout;
  auto result = field.before;
  EXPECT_TRUE(
      single_steps(field.stencil, layout, field.kernels(), field.in, layout.own_box(), steps, result));
  return result;
}

template <class T, class Points, int Steps>
void check(const grid::Boundary& boundary, const grid::Triple& own, int quantities, int rows, unsigned seed) {
  const Field<T> field(lopsided({2, Points::shape, Points::radius}), boundary, own, Steps, quantities);
  using Rule = detail::Linear<T, Points>;
  using Strip = detail::FusedStrip<Rule, Steps, 4, emulation::EmulatedPlatform, detail::ResidualTally>;
  // Two boxes that meet between the columns of a lane.
  const grid::Index middle = own.x / 3;
  const detail::StreamBox boxes[] = {{{{0, 0, 0}, {middle, own.y, 1}}, rows},
                                     {{{middle, 0, 0}, {own.x, own.y, 1}}, rows}};
  const std::span<const detail::StreamBox> both(boxes);
  const detail::StreamTiles<2> strips(both.subspan(middle > 0 ? 0 : 1), quantities, Strip::tile());
  const auto aligned_in = make_host_array(field.in), aligned_out = make_host_array(field.before);
  // Not the first row, nor all columns of a lane.
  const grid::Box counted{{own.x / 4, 1, 0}, {own.x - own.x / 5, own.y, 1}};
  const auto scale = ResidualScale::make(0x1p40, field.layout.size());
  const ResidualSlots slots;
  const detail::FusedStrips<Strip> kernel{{aligned_in.data(),
                                           aligned_out.data(),
                                           field.layout.origin,
                                           field.layout.pitch,
                                           field.layout.quantity_size,
                                           Rule(field.stencil),
                                           {},
                                           detail::RuleEdges<Rule>(side_rules(boundary, 2), field.inside),
                                           detail::ResidualTally(slots.target(scale, counted))},
                                          strips};
  emulation::RandomSchedule schedule(seed);
  emulation::run_warps({strips.count()}, schedule, [&](unsigned thread) { kernel(thread); });
  const std::vector<T> out(aligned_out.data(), aligned_out.data() + aligned_out.size());
  const auto expected = expected_of(field, Steps);
  EXPECT_EQ(slots.sum(), sum_of_changes(field.layout, {field.layout.own_box()}, counted,
                                        expected_of(field, Steps - 1), expected, scale))
      << Points::count << " points, " << Steps << " steps, " << own.x << " x " << own.y;
  EXPECT_EQ(difference(out, expected), "") << Points::count << " points, " << Steps << " steps, " << own.x
                                           << " x " << own.y << ", " << rows << " rows a chunk";
}

template <class T, class Points>
void check_all(const grid::Boundary& boundary, unsigned seed) {
  constexpr int several = std::min(3, detail::device_steps<Points>), narrow = std::max(2, Points::radius);
  check<T, Points, 2>(boundary, {37, 9, 1}, 2, 4, seed);
  check<T, Points, several>(boundary, {131, 5, 1}, 1, 9, seed + 1);
  check<T, Points, several>(boundary, {narrow, std::max(3, narrow), 1}, 1, 2, seed + 2);
  // So many steps that rows are asked for less early: see StripRows::ahead.
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

/// A rule's strips on its whole grid; of one set of fields also what they measure.
template <int Steps, class Rule>
void check_rule(const Rule& rule, const grid::Triple& cells, int rows, unsigned seed) {
  for (const SideRules& sides : side_rules_for_tests<Rule>()) {
    const RuleGrid<Rule> grid(rule, sides, cells, {{0, 0, 0}, cells}, 1 + static_cast<int>(seed % 2));
    const grid::Index done = 0;
    Subdomain where = grid.subdomain(Steps, &done);
    where.constants_layout = grid.constants_layout(where);
    const auto constants = grid.constants(where.constants_layout);
    where.constants = constants.data();
    const auto in = make_host_array(grid.start(where)), out = make_host_array(grid.nothing(where));
    const auto run = [&]<class Tally>(const Tally& tally) {
      using Strip = detail::FusedStrip<Rule, Steps, 4, emulation::EmulatedPlatform, Tally>;
      const detail::StreamBox box{where.layout.own_box(), rows};
      const detail::StreamTiles<2> strips({&box, 1}, grid.sets(), Strip::tile());
      const detail::FusedStrips<Strip> kernel{
          {detail::InCell<Rule>(in.data()), detail::OutCell<Rule>(out.data()), where.layout.origin,
           where.layout.pitch, where.layout.quantity_size, rule, detail::FrameOf<Rule>(where, 0),
           detail::RuleEdges<Rule>(sides, where.inside()), tally},
          strips};
      emulation::RandomSchedule schedule(seed++);
      emulation::run_warps({strips.count()}, schedule, [&](unsigned thread) { kernel(thread); });
    };
    if (grid.sets() == 1) {
      const MeasuredState state(AllOf<Rule>{}, where);
      run(state.tally());
      const auto found = state.found({}, out.data());
      expect_same(found.on_the_way, found.afterwards, std::to_string(Steps) + " steps");
    } else {
      run(detail::NoTally{});
    }
    EXPECT_EQ(grid.differences({out.data(), out.data() + out.size()}, where.layout, Steps), "")
        << Steps << " steps, " << rows << " rows a chunk";
  }
}

TEST(EmulatedStripsOfRules, are_the_rules_plain_meaning_in_any_order_of_the_lanes) {
  check_rule<2>(GrayScott{}, {37, 9, 1}, 4, 1);
  check_rule<5>(GrayScott{}, {90, 17, 1}, 12, 20);
  check_rule<3>(Wave{}, {61, 13, 1}, 7, 40);
  check_rule<4>(Layered<float, double, 2>{}, {53, 12, 1}, 6, 100);
  check_rule<4>(ThreeStages{}, {40, 13, 1}, 6, 120);
  check_rule<3>(Mixture<2, StencilShape::star>{}, {49, 12, 1}, 6, 160);
  check_rule<2>(Mixture<2, StencilShape::box>{}, {43, 12, 1}, 6, 180);
  check_rule<2>(SmallMixture<2>{}, {45, 14, 1}, 7, 200);
  check_rule<4>(SplitStep{}, {47, 15, 1}, 9, 140);
  check_rule<4>(DrawnRule<float, 2, 1, 3, StencilShape::box>(3), {45, 11, 1}, 5, 60);
  check_rule<2>(DrawnRule<double, 2, 2, 2, StencilShape::box>(4), {40, 14, 1}, 6, 80);
  check_rule<3>(DrawnDriven<DrawnRule<float, 2, 1, 3, StencilShape::box>>(5), {47, 13, 1}, 5, 220);
  check_rule<2>(DrawnDriven<DrawnRule<double, 2, 2, 2, StencilShape::star>>(6), {42, 15, 1}, 7, 240);
  using OfConstants = DrawnWithConstants<DrawnRule<float, 2, 1, 2, StencilShape::box>, float, 2>;
  check_rule<3>(DrawnCoupled<OfConstants>(7), {45, 12, 1}, 6, 260);
  // Constants of more rows than a turn has, and more of them than a ring.
  using FarConstants = DrawnWithConstants<DrawnRule<float, 2, 2, 2, StencilShape::star>, float, 2>;
  static_assert(detail::StripRows<FarConstants, 3, 4, emulation::EmulatedPlatform>::constant_rows > 8);
  check_rule<3>(FarConstants(9), {47, 21, 1}, 9, 300);
  using ManyConstants = DrawnWithConstants<DrawnRule<float, 2, 1, 2, StencilShape::star>, double, 9>;
  static_assert(!detail::StripRows<ManyConstants, 2, 4, emulation::EmulatedPlatform>::has_constants);
  check_rule<2>(ManyConstants(10), {43, 11, 1}, 5, 320);
  check_rule<2>(DrawnCoupled<DrawnRule<double, 2, 2, 3, StencilShape::star>>(8), {39, 13, 1}, 5, 280);
}

}  // namespace
}  // namespace haloheap::stencil
