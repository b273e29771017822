// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Passes of an update rule that measure on their way: they find what the measure's own kernel finds in what
// they leave, and compute what passes compute that do not measure.
#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/unit/core/stencil/measure_checks.hpp>
#include <haloheap/unit/core/stencil/measured_state.hpp>
#include <haloheap/unit/core/stencil/rule_checks.hpp>

#include <gtest/gtest.h>

namespace haloheap::stencil {
namespace {

/// The own cells as a launch may have them: at once; or as an interior and what lies around it, by two
/// launches.
std::vector<std::vector<grid::Box>> launches_of(const grid::Box& own, int dims) {
  grid::Box interior = own;
  for (int dim = 0; dim < dims; ++dim) {
    interior.lo[dim] += 2;
    interior.hi[dim] -= 3;
  }
  return {{own}, {interior}, subtract(own, interior)};
}

template <class Rule, class Measure>
void check_pass(const Rule& rule, const Measure& measure, const SideRules& sides, const grid::Triple& cells,
                const grid::Box& own, int steps) {
  using Traits = RuleTraits<Rule>;
  const RuleGrid<MeasuringRule<Rule, Measure>> grid(measuring<Measure>(rule), sides, cells, own, 1);
  const Kokkos::View<grid::Index, backend::Exec> done("haloheap::unit::done");
  Subdomain where = grid.subdomain(steps, done.data());
  where.constants_layout = grid.constants_layout(where);
  const auto constants = make_device_array(grid.constants(where.constants_layout));
  where.constants = constants.data();
  const auto passes = computation_of(grid.rule(), sides).passes(where);
  const auto launches = launches_of(where.layout.own_box(), Traits::dims);
  const backend::Exec exec;
  for (const auto& some : {std::span(launches).first(1), std::span(launches).subspan(1)}) {
    const MeasuredState state(measure, where);
    ASSERT_TRUE(passes->measures(state.measure(), steps));
    auto now = make_device_array(grid.start(where)), next = make_device_array(grid.nothing(where));
    if (steps == 1)
      passes->impose(exec, now.data(), grown(where.layout.own_box(), Traits::dims, Traits::radius), {}, 0);
    for (const std::vector<grid::Box>& boxes : some)
      passes->run(exec, now.data(), next.data(), boxes, 0, steps, {{}, state.target()});
    const auto found = state.found(exec, next.data());
    const std::string how = std::to_string(steps) + " steps, " + std::to_string(some.size()) + " launches, " +
                            std::to_string(own.extent(0)) + " cells in x";
    expect_same(found.on_the_way, found.afterwards, how);
    EXPECT_EQ(grid.differences(to_host(next), where.layout, steps), "") << how;
  }
}

/// By single steps and by passes of two, on a whole grid and on a part of it.
template <class Drawn>
void check(const Drawn& drawn, const grid::Triple& cells) {
  using Rule = WithSteps<Drawn, 2>;
  const Rule rule(drawn);
  using Traits = RuleTraits<Rule>;
  constexpr bool flat = Traits::dims == 2;
  const AllOf<Rule> measure;
  const int most =
      computation_of(measuring<AllOf<Rule>>(rule), SideRules::everywhere(Outside::mirror(), Traits::dims))
          .max_fused_steps;
  const grid::Box whole{{0, 0, 0}, cells},
      part{{5, 4, flat ? 0 : 3}, {cells.x, cells.y - 8, flat ? 1 : cells.z}};
  for (const SideRules& sides : {SideRules{}, side_rules_for_tests<Rule>()[1]})
    for (const grid::Box& own : {whole, part})
      for (int steps = 1; steps <= (flat || backend::kernels_on_host ? most : 1); ++steps)
        check_pass(rule, measure, sides, cells, own, steps);
}

constexpr auto star = StencilShape::star, box = StencilShape::box;

template <class Rule>
void check_of_every_kind(const Rule& rule, const grid::Triple& cells) {
  if constexpr (every_kind_of_rule) check(rule, cells);
}

TEST(Measuring, passes_find_what_a_kernel_finds_afterwards) {
  check(DrawnRule<double, 2, 1, 1, star>(1), {61, 43, 1});
  check_of_every_kind(DrawnRule<float, 2, 2, 2, box>(2), {45, 39, 1});
  check_of_every_kind(ThreeStages{}, {37, 29, 1});
}
TEST(Measuring, passes_find_it_in_three_dimensions) {
  check(DrawnRule<float, 3, 1, 1, star>(3), {37, 21, 15});
  check_of_every_kind(DrawnRule<double, 3, 1, 1, box>(4), {21, 17, 13});
}
TEST(Measuring, passes_find_it_in_fields_of_several_types_and_beside_constants) {
  if (!every_kind_of_rule) GTEST_SKIP() << "compiled for devices with HALOHEAP_TEST_ALL_RULES=ON";
  check_of_every_kind(Mixture<2, star>{}, {45, 37, 1});
  check_of_every_kind(Layered<float, double, 3>{}, {19, 13, 11});
}
TEST(Measuring, passes_of_many_steps_find_it_on_large_grids) {
  using Rule = WithSteps<DrawnRule<float, 2, 1, 1, star>, 8>;
  const Rule rule(DrawnRule<float, 2, 1, 1, star>(6));
  for (const grid::Triple& cells : {grid::Triple{61, 43, 1}, {1300, 9, 1}, {701, 400, 1}})
    for (const int steps : {1, 3, 5, 8})
      check_pass(rule, RangeOfFloats{}, SideRules{}, cells, {{0, 0, 0}, cells}, steps);
}

TEST(Measuring, passes_do_not_measure_what_they_were_not_compiled_for) {
  using Drawn = DrawnRule<float, 2, 1, 1, star>;
  using Rule = WithSteps<Drawn, 1>;
  const grid::Triple cells{16, 16, 1};
  const RuleGrid<Rule> grid(Rule(Drawn(7)), {}, cells, {{0, 0, 0}, cells}, 1);
  const Subdomain where = grid.subdomain(1, nullptr);
  const MeasuredState state(RangeOfFloats{}, where);
  const MeasuredState other(AllOf<Rule>{}, where);
  EXPECT_FALSE(computation_of(grid.rule(), {}).passes(where)->measures(state.measure(), 1));
  const auto passes = computation_of(measuring<RangeOfFloats>(grid.rule()), {}).passes(where);
  EXPECT_TRUE(passes->measures(state.measure(), 1));
  EXPECT_FALSE(passes->measures(other.measure(), 1));
}

}  // namespace
}  // namespace haloheap::stencil
