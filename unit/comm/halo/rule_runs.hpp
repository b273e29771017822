// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_HALO_RULE_RUNS_HPP
#define HALOHEAP_UNIT_COMM_HALO_RULE_RUNS_HPP

#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/core/stencil/rule_fields.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace haloheap::comm {

using namespace testing;

inline std::vector<grid::Triple> rank_grids(int ranks, int dims) {
  std::vector<grid::Triple> fitting;
  for (grid::Index z = 1; z <= (dims == 3 ? ranks : 1); ++z)
    for (grid::Index y = 1; y <= ranks; ++y)
      for (grid::Index x = 1; x <= ranks; ++x)
        if (x * y * z == ranks && x <= 3 && y <= 3) fitting.push_back({x, y, z});
  return fitting;
}

template <class Rule>
struct RuleCase {
  using Traits = stencil::RuleTraits<Rule>;
  using T = typename Traits::T;

  Rule rule;
  stencil::SideRules sides;
  grid::Triple cells;
  std::vector<T> start;
  std::vector<typename Traits::Constant> constants = {};

  Grid on(const Communicator& world, const grid::Triple& ranks) const {
    const bool periodic[3] = {sides.periodic(0), sides.periodic(1), Traits::dims < 3 || sides.periodic(2)};
    return {Traits::dims, cells, Topology::make(world.rank(), ranks, periodic)};
  }
  std::size_t position(int field, const grid::Triple& at) const {
    return static_cast<std::size_t>(((field * cells.z + at.z) * cells.y + at.y) * cells.x + at.x);
  }
  std::vector<T> after(grid::Index steps) const {
    stencil::RuleReference<Rule> reference(rule, sides, cells, start, constants);
    reference.advance(steps);
    return reference.values();
  }
};

/// Calls visit(cell of the subdomain, field, place in the whole grid) for all own cells and fields.
template <class Rule, class Visit>
void for_each_value(const RuleCase<Rule>& rule_case, const grid::Box& own, int fields, const Visit& visit) {
  for (int field = 0; field < fields; ++field)
    for_each_cell(own, [&](const grid::Triple& at) {
      const grid::Triple local{at.x - own.lo.x, at.y - own.lo.y, at.z - own.lo.z};
      visit(local, field, rule_case.position(field, at));
    });
}

/// The own cells of the start, with nothing around them.
template <class Rule>
auto own_fields(const RuleCase<Rule>& rule_case, const Grid& grid, const grid::FieldLayout& layout) {
  auto values = RuleFields<Rule>::unset_values(layout);
  for_each_value(rule_case, grid.own(), layout.quantities,
                 [&](const grid::Triple& cell, int field, std::size_t there) {
                   RuleFields<Rule>::set(values, layout, cell, field, rule_case.start[there]);
                 });
  return values;
}

/// The same of the constants.
template <class Rule>
auto own_constants(const RuleCase<Rule>& rule_case, const Grid& grid, int depth) {
  const grid::FieldLayout layout = constants_layout_of<Rule>(grid, depth);
  using Constant = typename RuleCase<Rule>::Traits::Constant;
  std::vector<Constant> values(static_cast<std::size_t>(layout.size()), unset<Constant>());
  for_each_value(rule_case, grid.own(), layout.quantities,
                 [&](const grid::Triple& cell, int field, std::size_t there) {
                   values[static_cast<std::size_t>(layout.at(cell, field))] = rule_case.constants[there];
                 });
  return values;
}

/// What differs in the own cells.
template <class Rule>
std::string compare(const RuleCase<Rule>& rule_case, const Grid& grid, const grid::FieldLayout& layout,
                    const std::vector<typename RuleFields<Rule>::Value>& found,
                    const std::vector<typename RuleCase<Rule>::T>& expected) {
  std::vector<typename RuleCase<Rule>::T> mine, wanted;
  for_each_value(rule_case, grid.own(), layout.quantities,
                 [&](const grid::Triple& cell, int field, std::size_t there) {
                   mine.push_back(RuleFields<Rule>::get(found, layout, cell, field));
                   wanted.push_back(expected[there]);
                 });
  return difference(mine, wanted);
}

/// What of this rank's cells differs from `expected` after the steps of all advances. Whatever is not set is
/// NaN, so that a cell which nobody computed is seen.
template <class Rule, class Step>
std::string run(const Communicator& world, const RuleCase<Rule>& rule_case, const Step& step,
                const Grid& grid, const DeepHaloConfig& config, const std::vector<grid::Index>& advances,
                const std::vector<typename RuleCase<Rule>::T>& expected) {
  const grid::FieldLayout layout = layout_of<Step>(grid, config.depth);
  const auto now = make_device_array(own_fields(rule_case, grid, layout));
  const auto next = make_device_array(RuleFields<Rule>::unset_values(layout));
  const auto steps_of = [&](auto&& stepper) {
    for (const grid::Index steps : advances) stepper.advance(steps);
    stepper.finish();
    return to_host(stepper.now() == now.data() ? now : next);
  };
  using Value = typename RuleFields<Rule>::Value;
  const FieldData<Value> one(now), other(next);
  std::vector<Value> last;
  if constexpr (GridStepWithConstants<Step>) {
    const auto constants = make_device_array(own_constants(rule_case, grid, config.depth));
    last = steps_of(DeepHalo(world, grid, step, rule_case.sides, config, one, other, constants));
  } else {
    last = steps_of(DeepHalo(world, grid, step, rule_case.sides, config, one, other));
  }
  return compare(rule_case, grid, layout, last, expected);
}

/// The residuals of all ranks together after so many steps on a grid of 24 x 18 cells of two fields, divided
/// in x.
template <class Step>
std::vector<stencil::ResidualSum> residuals_of(const Communicator& world,
                                               const RuleCase<GrayScott>& rule_case, const Step& step,
                                               DeepHaloConfig config, grid::Index steps) {
  const Grid grid = rule_case.on(world, {world.size(), 1, 1});
  const auto values = own_fields(rule_case, grid, layout_of<Step>(grid, config.depth));
  const auto now = make_device_array(values), next = make_device_array(values);
  DeepHalo stepper(world, grid, step, rule_case.sides, config, now, next);
  stepper.advance(steps);
  stepper.finish();
  std::vector<stencil::ResidualSum> sums = stepper.residuals();
  for (stencil::ResidualSum& sum : sums)
    MPI_Allreduce(MPI_IN_PLACE, sum.part, stencil::residual_parts, MPI_DOUBLE, MPI_SUM, world.get());
  return sums;
}

inline RuleCase<GrayScott> case_with_residual() {
  return {{},
          stencil::SideRules::everywhere(stencil::Outside::mirror(), 2),
          {24, 18, 1},
          random_values<float>(2 * 24 * 18, 3)};
}

/// Every way to run a rule, each with another path; on many ranks some of them.
/// @param step the rule, or what should compute the same
template <class Rule, class Step>
void check(const Rule& rule, const Step& step, const grid::Triple& cells, unsigned first) {
  using Traits = stencil::RuleTraits<Rule>;
  const Communicator world(MPI_COMM_WORLD);
  const int most =
      stencil::computation_of(step, stencil::SideRules::everywhere(stencil::Outside::mirror(), Traits::dims))
          .max_fused_steps;
  std::vector<int> depths{1, 2, 4};
  if (most > 4) depths.push_back(most);
  std::size_t number = first;
  for (const stencil::SideRules& sides : side_rules_for_tests<Rule>()) {
    const RuleCase<Rule> rule_case{
        rule, sides, cells, RuleFields<Rule>::start(product(cells), 11),
        start_values<typename Traits::Constant>(Traits::constants * product(cells), 12)};
    const auto expected = rule_case.after(13);
    // Hosts and devices give NaN other signs, and a rule that grows to it could not be compared.
    ASSERT_TRUE(std::all_of(expected.begin(), expected.end(), [](auto value) { return value == value; }));
    for (const grid::Triple& ranks : rank_grids(world.size(), Traits::dims))
      for (const int depth : depths)
        for (const Exchange exchange : {Exchange::sync, Exchange::async})
          for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
            const Grid grid = rule_case.on(world, ranks);
            const grid::Index halo = grid::Index{depth} * Traits::radius;
            if (halo_width_problem(ranks, grid.topology.periodic, Traits::dims, {halo, halo, halo}, cells))
              continue;
            const std::vector<Path> all = paths(exchange);
            const Path& path = all[++number % all.size()];
            if (number % static_cast<std::size_t>(world.size()) != 0) continue;
            DeepHaloConfig config{.depth = depth, .exchange = exchange, .overlap = overlap, .halo = {}};
            config.fused_steps = 1 + static_cast<int>(number / 3) % std::min(depth, most);
            config.halo.timeout = long_timeout;
            path.apply(config);
            EXPECT_EQ(run(world, rule_case, step, grid, config, {6, 7}, expected), "") << fmt::format(
                "{} x {} x {} ranks, depth {}, {} fused, {}, overlap {}, {}", ranks.x, ranks.y, ranks.z,
                depth, config.fused_steps, name_of(exchange), name_of(overlap), path.describe());
          }
  }
}

template <class Rule>
void check(const Rule& rule, const grid::Triple& cells, unsigned first) {
  check(rule, rule, cells, first);
}

}  // namespace haloheap::comm

#endif
