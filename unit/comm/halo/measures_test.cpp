// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Measures of update rules in deep halos: whatever the rank grid, exchange, overlap, transport, graph and
// number of fused steps, their bits are those of a plain loop over what a serial computation gives.
#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/unit/comm/halo/counted_kernels.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/core/stencil/measure_checks.hpp>
#include <haloheap/unit/core/stencil/rule_fields.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace haloheap::comm {
namespace {

using namespace testing;

constexpr auto star = stencil::StencilShape::star;

/// A rule with start values, and a measure of its fields.
template <class Rule>
struct Measured {
  using Traits = stencil::RuleTraits<Rule>;
  using T = typename Traits::T;
  using Constant = typename Traits::Constant;

  Rule rule;
  grid::Triple cells;
  stencil::SideRules sides;
  std::vector<T> start = RuleFields<Rule>::start(product(cells), 11);
  std::vector<Constant> constants = start_values<Constant>(Traits::constants * product(cells), 12);
  AllOf<Rule> measure = {};

  std::size_t position(int field, const grid::Triple& at) const {
    return static_cast<std::size_t>(((field * cells.z + at.z) * cells.y + at.y) * cells.x + at.x);
  }
  /// After so many steps, each of all its stages.
  std::vector<double> after(grid::Index steps) const {
    stencil::RuleReference<Rule> reference(rule, sides, cells, start, constants);
    reference.advance(steps);
    return measured_plainly(measure, cells, reference.values(), constants);
  }
  Grid on(const Communicator& world, const grid::Triple& ranks) const {
    const bool periodic[3] = {sides.periodic(0), sides.periodic(1), Traits::dims < 3 || sides.periodic(2)};
    return {Traits::dims, cells, Topology::make(world.rank(), ranks, periodic)};
  }
};

using Flat = DrawnRule<double, 2, 1, 3, star>;

/// A running DeepHalo with its fields.
template <class Rule>
struct Running {
  using Value = typename RuleFields<Rule>::Value;
  memory::Array<Value> now, next;
  std::unique_ptr<memory::Array<typename Measured<Rule>::Constant>> constants;
  std::unique_ptr<DeepHalo<Value>> steps;

  /// @param on_the_way whether the rule's kernels measure, too
  Running(const Communicator& world, const Measured<Rule>& given, const Grid& grid,
          const DeepHaloConfig& config, bool on_the_way)
      : now(make_device_array(start_values_of(given, grid, layout_of<Rule>(grid, config.depth)))),
        next(make_device_array(RuleFields<Rule>::unset_values(layout_of<Rule>(grid, config.depth)))) {
    if constexpr (on_the_way_too)
      if (on_the_way) {
        start(world, given, grid, config, stencil::measuring<AllOf<Rule>>(WithSteps<Rule, 2>(given.rule)));
        return;
      }
    start(world, given, grid, config, given.rule);
  }

  static constexpr bool on_the_way_too = every_kind_of_rule || std::same_as<Rule, Flat>;

 private:
  template <class Step>
  void start(const Communicator& world, const Measured<Rule>& given, const Grid& grid,
             const DeepHaloConfig& config, const Step& step) {
    const FieldData<Value> one(now), other(next);
    if constexpr (GridStepWithConstants<Rule>) {
      using Constant = typename Measured<Rule>::Constant;
      const grid::FieldLayout layout = constants_layout_of<Rule>(grid, config.depth);
      std::vector<Constant> values(static_cast<std::size_t>(layout.size()), unset<Constant>());
      for_own(given, grid, layout.quantities, [&](const grid::Triple& cell, int field, std::size_t there) {
        values[static_cast<std::size_t>(layout.at(cell, field))] = given.constants[there];
      });
      constants = std::make_unique<memory::Array<Constant>>(make_device_array(values));
      steps = std::make_unique<DeepHalo<Value>>(world, grid, step, given.sides, config, one, other,
                                                FieldData<Constant>(*constants));
    } else {
      steps = std::make_unique<DeepHalo<Value>>(world, grid, step, given.sides, config, one, other);
    }
  }

  template <class Visit>
  static void for_own(const Measured<Rule>& given, const Grid& grid, int fields, const Visit& visit) {
    const grid::Box own = grid.own();
    for (int field = 0; field < fields; ++field)
      for_each_cell(own, [&](const grid::Triple& at) {
        visit(grid::Triple{at.x - own.lo.x, at.y - own.lo.y, at.z - own.lo.z}, field,
              given.position(field, at));
      });
  }
  static std::vector<Value> start_values_of(const Measured<Rule>& given, const Grid& grid,
                                            const grid::FieldLayout& layout) {
    auto values = RuleFields<Rule>::unset_values(layout);
    for_own(given, grid, layout.quantities, [&](const grid::Triple& cell, int field, std::size_t there) {
      RuleFields<Rule>::set(values, layout, cell, field, given.start[there]);
    });
    return values;
  }
};

std::vector<grid::Triple> rank_grids(int ranks) {
  std::vector<grid::Triple> fitting;
  for (grid::Index y = 1; y <= ranks; ++y)
    for (grid::Index x = 1; x <= ranks; ++x)
      if (x * y == ranks && x <= 3 && y <= 3) fitting.push_back({x, y, 1});
  return fitting;
}

/// Every way to run a rule, each with another path: measured each so many steps, across advances that end in
/// between, and once more at the end.
template <class Rule>
void check(const Rule& rule, const grid::Triple& cells, bool periodic, std::size_t number) {
  using Traits = stencil::RuleTraits<Rule>;
  const Communicator world(MPI_COMM_WORLD);
  Measured<Rule> given{rule, cells,
                       periodic ? stencil::SideRules{}
                                : stencil::SideRules::everywhere(stencil::Outside::mirror(), Traits::dims)};
  std::vector<std::vector<double>> expected;
  for (grid::Index step = 0; step <= 25; ++step) expected.push_back(given.after(step));
  EXPECT_FALSE(std::isnan(expected[4][1])) << "fields that say nothing";
  const int most = stencil::computation_of(rule, given.sides).max_fused_steps;
  for (const grid::Triple& ranks : rank_grids(world.size()))
    for (const int depth : {1, 2, 3})
      for (const Exchange exchange : {Exchange::sync, Exchange::async})
        for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
          const Grid grid = given.on(world, ranks);
          const grid::Index halo = grid::Index{depth} * Traits::radius;
          if (halo_width_problem(ranks, grid.topology.periodic, Traits::dims, {halo, halo, halo}, cells))
            continue;
          for (const Path& path : paths(exchange)) {
            if (++number % (world.size() > 1 ? 7 : 3) != 0) continue;
            DeepHaloConfig config{.depth = depth, .exchange = exchange, .overlap = overlap, .halo = {}};
            config.fused_steps = 1 + static_cast<int>(number / 3) % std::min(depth, most);
            config.halo.timeout = long_timeout;
            path.apply(config);
            const grid::Index interval = depth * (1 + static_cast<grid::Index>(number / 3) % 3);
            const bool on_the_way = number / 6 % 2 == 0 && Running<Rule>::on_the_way_too;
            if (on_the_way) config.fused_steps = std::min(config.fused_steps, 2);
            if (config.fused_steps == 1 && number / 12 % 3 == 0) config.redundant = Redundant::whole;
            const std::string how = fmt::format(
                "{} x {} ranks, depth {}, {} fused, {}, {}, overlap {}, {}, each {} steps{}", ranks.x,
                ranks.y, depth, config.fused_steps, name_of(config.redundant), name_of(exchange),
                name_of(overlap), path.describe(), interval, on_the_way ? ", on the way" : "");
            Running<Rule> run(world, given, grid, config, on_the_way);
            DeepHalo<typename Running<Rule>::Value>& steps = *run.steps;
            expect_same(steps.measure(given.measure), expected[0], how);
            steps.advance(1);
            steps.measure_each(interval, given.measure);
            steps.advance(13);
            steps.advance(11);
            steps.finish();
            const auto history = steps.measured();
            ASSERT_EQ(history.size(), static_cast<std::size_t>(24 / interval)) << how;
            for (std::size_t i = 0; i < history.size(); ++i)
              expect_same(history[i], expected[1 + (i + 1) * static_cast<std::size_t>(interval)],
                          fmt::format("{}, state {}", how, i));
            expect_same(steps.measure(given.measure), expected[25], how);
          }
        }
}

TEST(Measures, of_drawn_rules_have_the_same_bits) {
  check(Flat(5), {29, 19, 1}, true, 0);
  check(DrawnRule<float, 3, 1, 2, star>(7), {13, 12, 7}, false, 1);
}
TEST(Measures, of_several_stages_have_the_same_bits) {
  check(ThreeStages{}, {37, 23, 1}, false, 2);
}
TEST(Measures, of_fields_of_several_types_have_the_same_bits) {
  check(Mixture<2, star>{}, {37, 23, 1}, true, 3);
}
TEST(Measures, of_constants_have_the_same_bits) {
  check(Layered<float, double, 3>{}, {13, 12, 7}, false, 4);
}

/// Another type of measure.
struct OtherThanFlat : AllOf<Flat> {};

TEST(Measures, on_the_way_have_no_kernel_of_their_own) {
  const Communicator world(MPI_COMM_WORLD);
  const Measured<Flat> given{Flat(5), {29, 19, 1}, {}};
  const Grid grid = given.on(world, {1, world.size(), 1});
  const auto kernels = [&](const DeepHaloConfig& config, bool on_the_way, const auto& measure) {
    const Running<Flat> run(world, given, grid, config, on_the_way);
    run.steps->measure_each(2, measure);
    const CountedKernels counted({"haloheap::stencil::measure"});
    run.steps->advance(6);
    run.steps->finish();
    return counted.count();
  };
  for (const int fused : {1, 2})
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
      DeepHaloConfig config{.depth = 2, .exchange = Exchange::async, .overlap = overlap, .halo = {}};
      config.fused_steps = fused;
      EXPECT_EQ(kernels(config, true, given.measure), 0) << fused;
      EXPECT_EQ(kernels(config, true, OtherThanFlat{}), 3) << fused;
      EXPECT_EQ(kernels(config, false, given.measure), 3) << fused;
      DeepHaloConfig summed = config;
      summed.residual = stencil::ResidualScale::make(64, 3 * 29 * 19);
      summed.residual_interval = 2;
      EXPECT_EQ(kernels(summed, true, given.measure), 3) << fused;
      if (fused > 1) continue;
      config.redundant = Redundant::whole;
      EXPECT_EQ(kernels(config, true, given.measure), 3);
    }
}

TEST(Measures, on_the_way_leave_a_residual_alone) {
  const Communicator world(MPI_COMM_WORLD);
  const Measured<Flat> given{Flat(5), {29, 19, 1}, {}};
  const Grid grid = given.on(world, {1, world.size(), 1});
  DeepHaloConfig config{
      .depth = 2, .fused_steps = 2, .halo = {}, .residual = stencil::ResidualScale::make(64, 3 * 29 * 19)};
  config.residual_interval = 2;
  std::vector<std::vector<stencil::ResidualSum>> sums;
  std::vector<std::vector<std::vector<double>>> found;
  for (const bool on_the_way : {false, true}) {
    const Running<Flat> run(world, given, grid, config, on_the_way);
    run.steps->measure_each(2, given.measure);
    run.steps->advance(6);
    run.steps->finish();
    sums.push_back(run.steps->residuals());
    found.push_back(run.steps->measured());
  }
  ASSERT_EQ(sums[0].size(), 3U);
  EXPECT_NE(sums[0][2], stencil::ResidualSum{});
  EXPECT_EQ(sums[0], sums[1]);
  ASSERT_EQ(found[0].size(), 3U);
  EXPECT_EQ(found[0], found[1]);
}

/// One field of one rank grid, to be measured by anything.
template <class T>
struct Simple {
  Communicator world{MPI_COMM_WORLD};
  Grid grid = Grid::make(world, {24, 18});
  DeepHaloConfig config{.depth = 2, .halo = {}};
  using Rule = DrawnRule<T, 2, 1, 1, star>;
  grid::FieldLayout layout = layout_of<Rule>(grid, 2);
  std::vector<T> values = std::vector<T>(static_cast<std::size_t>(layout.size()), T{1});
  memory::Array<T> now = make_device_array(values), next = make_device_array(values);
  DeepHalo<T> steps{world, grid, Rule(3), {}, config, FieldData<T>(now), FieldData<T>(next)};

  void set(const grid::Triple& cell, T value) {
    values[static_cast<std::size_t>(layout.at(cell, 0))] = value;
    to_device(values, now);
  }
};

using One = AllOf<Simple<float>::Rule>;

TEST(Measures, that_one_cell_of_one_rank_has_no_number_for_are_none) {
  Simple<float> simple;
  const auto before = simple.steps.measure(One{});
  if (simple.world.rank() == simple.world.size() - 1)
    simple.set({3, 2, 0}, std::numeric_limits<float>::quiet_NaN());
  const auto after = simple.steps.measure(One{});
  for (const double value : before) EXPECT_FALSE(std::isnan(value));
  for (const double value : after) EXPECT_TRUE(std::isnan(value));
}

/// The field itself.
struct Itself {
  using Fields = Simple<float>::Rule::Fields;
  using Measures = stencil::Measures<stencil::Sum, stencil::Max>;
  static constexpr int dims = 2;
  double largest;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    return stencil::measured(cell(0), cell(0));
  }
  double bound(int /*number*/) const { return largest; }
};

TEST(Measures, whose_values_exceed_the_bound_of_a_sum_have_no_sum) {
  Simple<float> simple;
  if (simple.world.rank() == 0) simple.set({3, 2, 0}, 1e6F);
  EXPECT_EQ(simple.steps.measure(Itself{1e6})[0], 24 * 18 - 1 + 1e6);
  const auto found = simple.steps.measure(Itself{999999});
  EXPECT_TRUE(std::isnan(found[0]));
  EXPECT_EQ(found[1], 1e6);
}

TEST(Measures, that_do_not_fit_are_refused) {
  Simple<float> simple;
  auto& steps = simple.steps;
  EXPECT_EQ(cause_of([&] { steps.measure(AllOf<DrawnRule<float, 2, 1, 2, star>>{}); }),
            "a measure of fields '2D float float' was given to a DeepHalo that has '2D float'");
  EXPECT_EQ(cause_of([&] { steps.measure(AllOf<DrawnRule<float, 3, 1, 1, star>>{}); }),
            "a measure of fields '3D float' was given to a DeepHalo that has '2D float'");
  EXPECT_EQ(cause_of([&] { steps.measure(AllOf<Layered<float, double, 2>>{}); }),
            "a measure of constants '2D double double' was given to a DeepHalo that has ''");
  One zero;
  zero.largest = 0;
  EXPECT_EQ(cause_of([&] { steps.measure(zero); }), "the bound of value 0 of a measure is 0");
}

TEST(Measures, that_are_not_the_same_on_all_ranks_are_refused_by_all) {
  Simple<float> simple;
  auto& steps = simple.steps;
  if (simple.world.size() == 1) GTEST_SKIP() << "one rank has nobody to differ from";
  One wrong, other;
  if (simple.world.rank() == 0) wrong.largest = 0;
  other.largest = 2 + simple.world.rank();
  for (const auto& said :
       {error_of([&] { steps.measure(wrong); }), error_of([&] { steps.measure_each(2, wrong); })})
    EXPECT_NE(said.find("the bound of value 0 of a measure is 0"), std::string::npos) << said;
  for (const auto& said :
       {error_of([&] { steps.measure(other); }), error_of([&] { steps.measure_each(2, other); })})
    EXPECT_NE(said.find("the bound of value 0 of the measure"), std::string::npos) << said;
  EXPECT_EQ(cause_of([&] { steps.measured(); }),
            "a history of measurements was asked for, but nothing was measured");
  steps.advance(4);
  EXPECT_EQ(steps.measure(One{}).size(), 4U);
}

TEST(Measures, each_so_many_steps_are_those_before_an_exchange) {
  Simple<float> simple;
  auto& steps = simple.steps;
  EXPECT_EQ(cause_of([&] { steps.measured(); }),
            "a history of measurements was asked for, but nothing was measured");
  EXPECT_EQ(cause_of([&] { steps.measure_each(0, One{}); }), "a measurement each 0 steps is none");
  EXPECT_EQ(
      error_of([&] { steps.measure_each(3, One{}); }),
      "a measurement each 3 steps is not always that of the last step before an exchange, each 2 steps, "
      "after which alone the fields are whole\n  remedy: use an interval of 4 steps or another "
      "multiple of 2");
  if (simple.world.size() > 1) {
    const grid::Index mine = simple.world.rank() == 0 ? 2 : 4;
    EXPECT_NE(error_of([&] { steps.measure_each(mine, One{}); }).find("interval"), std::string::npos);
  }
  steps.measure_each(2, One{});
  steps.advance(5);
  steps.finish();
  EXPECT_EQ(steps.measured().size(), 2U);
  steps.measure_each(4, One{});
  EXPECT_TRUE(steps.measured().empty());
}

TEST(Measures, have_room_for_the_states_of_further_advances) {
  Simple<float> simple;
  simple.steps.measure_each(2, One{});
  std::vector<std::vector<double>> wanted;
  for (int advance = 0; advance < 9; ++advance) {
    simple.steps.advance(2);
    const auto found = simple.steps.measure(One{});
    wanted.emplace_back(found.begin(), found.end());
  }
  const auto history = simple.steps.measured();
  ASSERT_EQ(history.size(), wanted.size());
  for (std::size_t i = 0; i < wanted.size(); ++i) expect_same(history[i], wanted[i], fmt::format("{}", i));
}

}  // namespace
}  // namespace haloheap::comm
