// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Update rules in deep halos: whatever the rank grid, depth, exchange, overlap, transport, graph and number
// of fused steps, the bits are those of the rule's plain meaning.
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/halo/counted_kernels.hpp>
#include <haloheap/unit/comm/halo/rule_runs.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

namespace haloheap::comm {
namespace {

constexpr auto star = stencil::StencilShape::star, box = stencil::StencilShape::box;

TEST(DeepHaloRules, of_which_a_pass_makes_eight_steps_have_the_same_bits) {
  check(FivePoints{}, {61, 43, 1}, 1600);
}
TEST(DeepHaloRules, of_two_species_have_the_same_bits) {
  check(GrayScott{}, {37, 23, 1}, 0);
}
TEST(DeepHaloRules, in_two_parts_have_the_same_bits) {
  check(InParts<double, 2, 2>{}, {41, 37, 1}, 1700);
  check(InParts<float, 3, 1>{}, {13, 12, 14}, 1800);
}
TEST(DeepHaloRules, in_rows_have_the_same_bits) {
  check(RowByRow<float, 2, 2>{}, {41, 37, 1}, 1900);
  check(WithPlainSides<RowByRow<double, 3, 1>>{}, {13, 12, 14}, 2000);
}
TEST(DeepHaloRules, that_ask_for_place_and_time_have_the_same_bits) {
  check(Wave{}, {41, 31, 1}, 100);
}

/// The first source ends before the steps do, and the second one keeps its last sample; the reference reads
/// the same numbers on the host.
template <class T, int Dims>
void check_sources(const grid::Triple& cells, unsigned first) {
  const std::vector<T> samples{T(0.5), T(-1.25), T(3), T(0.125), T(0)};
  const auto in_kernels = make_device_array(samples);
  const grid::Box where{{cells.x / 3, 2, 1}, {cells.x - 3, cells.y / 2, cells.z - 2}};
  const auto rule = [&](const T* values) {
    Fed<T, Dims> fed{{{}, {values, 5}}, {stencil::Region<Dims>(where), {values + 1, 3}}};
    for (int dim = 0; dim < Dims; ++dim) fed.well.where.place[dim] = static_cast<int>(cells[dim] / 2) - 1;
    return fed;
  };
  check(rule(samples.data()), rule(in_kernels.data()), cells, first);
}
TEST(DeepHaloRules, with_sources_have_the_same_bits) {
  check_sources<float, 2>({37, 23, 1}, 1100);
  check_sources<double, 3>({13, 12, 14}, 1200);
}

TEST(DeepHaloRules, with_constants_have_the_same_bits) {
  check(Layered<float, float, 2>{}, {37, 23, 1}, 600);
  check(Layered<float, double, 3>{}, {13, 12, 14}, 700);
}
TEST(DeepHaloRules, of_several_stages_have_the_same_bits) {
  check(ThreeStages{}, {37, 23, 1}, 800);
  check(SplitStep{}, {37, 29, 1}, 900);
}
TEST(DeepHaloRules, of_fields_of_several_types_have_the_same_bits) {
  check(Mixture<2, box>{}, {37, 23, 1}, 1300);
  check(Mixture<3, star>{}, {13, 12, 14}, 1400);
  check(SmallMixture<2>{}, {31, 37, 1}, 1500);
}
TEST(DeepHaloRules, of_fields_of_several_types_want_an_array_of_all_their_bytes) {
  using Rule = Mixture<2, box>;
  const Communicator world(MPI_COMM_WORLD);
  const Grid grid = Grid::make(world, {24, 24});
  const grid::FieldLayout layout = layout_of<Rule>(grid, 1);
  const auto bytes = static_cast<std::size_t>(layout.quantity_size) * (4 + 2 + 8);
  const auto field = make_device_array(std::vector<std::byte>(bytes)),
             few = make_device_array(std::vector<std::byte>(static_cast<std::size_t>(layout.size())));
  EXPECT_EQ(cause_of([&] { DeepHalo(world, grid, Rule{}, {}, {.halo = {}}, field, few); }),
            fmt::format("the field 'next' has {} values, but its layout asks for {}", layout.size(), bytes));
}
TEST(DeepHaloRules, of_eight_bits_have_the_same_bits) {
  check(Life{}, {37, 23, 1}, 1000);
}
/// Of what the step with this number changes, from 1 on, by a plain loop.
stencil::ResidualSum changes_of(const RuleCase<GrayScott>& rule_case, int step,
                                const stencil::ResidualScale& scale) {
  const auto before = rule_case.after(step - 1), after = rule_case.after(step);
  stencil::ReferenceResidual sum(scale);
  for (std::size_t i = 0; i < after.size(); ++i) sum.add(static_cast<double>(after[i] - before[i]));
  return sum.sum();
}

TEST(DeepHaloRules, that_change_the_fields_squared_differences_are_added_up) {
  const RuleCase<GrayScott> rule_case = case_with_residual();
  const auto scale = stencil::ResidualScale::make(16, 2 * 24 * 18);
  const auto sums = residuals_of(Communicator(MPI_COMM_WORLD), rule_case, GrayScott{},
                                 {.depth = 2, .halo = {}, .residual = scale}, 3);
  EXPECT_EQ(sums.at(2), changes_of(rule_case, 3, scale));
}

TEST(DeepHaloRules, add_squared_differences_up_in_passes_of_several_steps) {
  const RuleCase<GrayScott> rule_case = case_with_residual();
  const auto scale = stencil::ResidualScale::make(16, 2 * 24 * 18);
  const Communicator world(MPI_COMM_WORLD);
  const std::vector expected{changes_of(rule_case, 4, scale), changes_of(rule_case, 8, scale)};
  for (const auto& [fused, overlap] :
       {std::pair(1, Overlap::none), {2, Overlap::all_steps}, {2, Overlap::first_step}, {4, Overlap::none}}) {
    const DeepHaloConfig config{.depth = 4,
                                .fused_steps = fused,
                                .overlap = overlap,
                                .halo = {},
                                .residual = scale,
                                .residual_interval = 4};
    const auto single_steps = [&](const auto& step) {
      const CountedKernels single({"haloheap::stencil::sweep_rows", "haloheap::stencil::sweep_tiles",
                                   "haloheap::stencil::sweep_cells"});
      EXPECT_EQ(residuals_of(world, rule_case, step, config, 9), expected) << config.fused_steps << " a pass";
      return single.count();
    };
    const int apart = single_steps(GrayScott{});
    const int within = single_steps(stencil::measuring<stencil::Residual>(GrayScott{}));
    EXPECT_EQ(apart > within, fused != 1) << within << " and " << apart << " kernels of single steps";
  }
}

TEST(DeepHaloRules, may_be_given_other_parameters_between_advances) {
  const Communicator world(MPI_COMM_WORLD);
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const RuleCase<GrayScott> first{{}, sides, {24, 18, 1}, random_values<float>(2 * 24 * 18, 3)};
  const Grid grid = first.on(world, {world.size(), 1, 1});
  const RuleCase<GrayScott> second{{.feed = 0.06F}, sides, first.cells, first.after(9)};
  for (const bool graph : {false, true}) {
    const DeepHaloConfig config{
        .depth = 2, .halo = {.transport = graph ? "peer_store" : "pinned"}, .graph = graph};
    const grid::FieldLayout layout = layout_of<GrayScott>(grid, config.depth);
    const auto now = make_device_array(own_fields(first, grid, layout)),
               next = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size())));
    DeepHalo stepper(world, grid, first.rule, sides, config, now, next);
    stepper.advance(9);
    stepper.replace(second.rule, sides);
    stepper.advance(8);
    stepper.finish();
    EXPECT_EQ(
        compare(first, grid, layout, to_host(stepper.now() == now.data() ? now : next), second.after(8)), "")
        << (graph ? "graph" : "no graph");
    EXPECT_EQ(cause_of([&] { stepper.replace(Life{}, sides); }),
              "an update rule of another type was given to a running DeepHalo");
    EXPECT_EQ(cause_of([&] { stepper.replace(second.rule, {}); }),
              "the rank grid ends in x, and the sides given for it say that it wraps around");
  }
}

// What the constructor refuses, and ranks that are not given the same.
TEST(DeepHaloRules, may_not_be_given_sides_between_advances_that_do_not_fit) {
  const Communicator world(MPI_COMM_WORLD);
  const auto fixed = stencil::SideRules::everywhere(stencil::Outside::value(0.5), 2),
             mirrored = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const grid::Triple cells{1, 8 * world.size(), 1};
  const RuleCase<Wave> narrow{{}, fixed, cells, random_values<double>(2 * product(cells), 3)};
  const Grid grid = narrow.on(world, {1, world.size(), 1});
  const grid::FieldLayout layout = layout_of<Wave>(grid, 2);
  const auto now = make_device_array(own_fields(narrow, grid, layout)),
             next = make_device_array(std::vector<double>(static_cast<std::size_t>(layout.size())));
  DeepHalo stepper(world, grid, Wave{}, fixed, {.depth = 2, .halo = {}}, now, next);
  EXPECT_EQ(cause_of([&] { stepper.replace(Wave{}, mirrored); }),
            "1 cells in x are fewer than a stencil of radius 2 mirrors at a Neumann side");
  if (world.size() > 1) {
    auto other = fixed;
    other.high[1] = {stencil::Outside::value(world.rank() == world.size() - 1 ? 0.25 : 0.5)};
    const std::string three = "value(0.5); value(0.5); value(0.5); ";
    EXPECT_EQ(cause_of([&] { stepper.replace(Wave{}, other); }),
              fmt::format("the ranks do not agree on the DeepHalo: sides is '{0}value(0.5)' on rank 0, "
                          "'{0}value(0.25)' on rank {1}",
                          three, world.size() - 1));
    auto too_many = fixed;
    if (world.rank() == 0) too_many.low[1].resize(3, stencil::Outside::value(0.5));
    const std::string said = error_of([&] { stepper.replace(Wave{}, too_many); });
    EXPECT_NE(said.find("rank 0"), std::string::npos) << said;  // on every rank, and nobody waits for it
  }
  // What was refused has changed nothing.
  stepper.advance(3);
  stepper.finish();
  EXPECT_EQ(compare(narrow, grid, layout, to_host(stepper.now() == now.data() ? now : next), narrow.after(3)),
            "");
}

TEST(DeepHaloRules, see_constants_that_were_changed_between_advances) {
  using Rule = Layered<float, double, 2>;
  const Communicator world(MPI_COMM_WORLD);
  const grid::Triple cells{24, 18, 1};
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const auto size = 2 * product(cells);
  const RuleCase<Rule> first{
      {}, sides, cells, random_values<float>(product(cells), 3), random_values<double>(size, 4)};
  const RuleCase<Rule> second{{}, sides, cells, first.after(3), random_values<double>(size, 5)};
  const Grid grid = first.on(world, {1, world.size(), 1});
  const DeepHaloConfig config{.depth = 2};
  const grid::FieldLayout layout = layout_of<Rule>(grid, config.depth);
  const auto now = make_device_array(own_fields(first, grid, layout)),
             next = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size())));
  const auto constants = make_device_array(own_constants(first, grid, config.depth));
  DeepHalo stepper(world, grid, Rule{}, sides, config, now, next, constants);
  stepper.advance(3);
  stepper.finish();
  to_device(own_constants(second, grid, config.depth), constants);
  stepper.refresh_constants();
  stepper.advance(3);
  stepper.finish();
  EXPECT_EQ(compare(first, grid, layout, to_host(stepper.now() == now.data() ? now : next), second.after(3)),
            "");
}

TEST(DeepHaloRules, with_constants_that_do_not_fit_are_refused) {
  using Rule = Layered<float, double, 2>;
  const Communicator world(MPI_COMM_WORLD);
  const bool periodic[3] = {true, true, true};
  const Grid grid{2, {24, 18, 1}, Topology::make(world.rank(), {1, world.size(), 1}, periodic)};
  const grid::FieldLayout layout = layout_of<Rule>(grid, 2);
  const auto field = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size())));
  const auto few = make_device_array(std::vector<double>(10));
  EXPECT_EQ(cause_of([&] {
              DeepHalo(world, grid, Rule{}, {}, {.depth = 2}, field.data(), field.data(), few);
            }).substr(0, 33),
            "the field 'constants' has 10 valu");
}

/// Each cell has the number of the step that it was computed in.
struct Clock {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_step = true;

  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    return static_cast<float>(cell.step());
  }
};

TEST(DeepHaloRules, count_steps_anew_after_a_restart) {
  const Communicator world(MPI_COMM_WORLD);
  const Grid grid = Grid::make(world, {16, 16});
  for (const bool graph : {false, true}) {
    const DeepHaloConfig config{.depth = 2, .halo = {.transport = "peer_store"}, .graph = graph};
    const grid::FieldLayout layout = layout_of<Clock>(grid, config.depth);
    const std::vector<float> zero(static_cast<std::size_t>(layout.size()));
    const auto now = make_device_array(zero), next = make_device_array(zero);
    DeepHalo stepper(world, grid, Clock{}, {}, config, now, next);
    const auto last_step = [&](grid::Index steps) {
      stepper.advance(steps);
      stepper.finish();
      const auto values = to_host(stepper.now() == now.data() ? now : next);
      return values[static_cast<std::size_t>(layout.at({0, 0}, 0))];
    };
    EXPECT_EQ(last_step(9), 8);
    EXPECT_EQ(last_step(5), 13);
    stepper.restart();
    EXPECT_EQ(last_step(7), 6);
  }
}

std::string refusal(const Communicator& world, const Grid& grid, const stencil::SideRules& sides,
                    const DeepHaloConfig& config) {
  const auto field = make_device_array(std::vector<float>(100000));
  try {
    const DeepHalo stepper(world, grid, GrayScott{}, sides, config, field.data(), field.data());
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(DeepHaloRules, that_do_not_fit_are_refused_on_all_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const bool ends[3] = {false, false, true}, wraps[3] = {false, true, true};
  const grid::Triple ranks{1, world.size(), 1};
  const Grid grid{2, {40, 40, 1}, Topology::make(world.rank(), ranks, ends)};
  EXPECT_EQ(refusal(world, {3, {40, 40, 1}, grid.topology}, sides, {.halo = {}}),
            "a grid of 3 dimensions for an update rule of 2\n"
            "  remedy: give the grid as many dimensions as the rule");
  EXPECT_EQ(
      refusal(world, {2, {40, 40, 1}, Topology::make(world.rank(), ranks, wraps)}, sides, {.halo = {}}),
      "the rank grid wraps around in y, and the sides given for it say that it ends\n"
      "  consequence: cells outside the grid would have no value, or two\n"
      "  remedy: leave low[1] and high[1] of the sides empty, or let the grid end in y: the last argument "
      "of Grid::make, or Topology::periodic");
  const auto open = stencil::SideRules{};
  EXPECT_EQ(
      refusal(world, {2, {40, 40, 1}, Topology::make(world.rank(), ranks, ends)}, open, {.halo = {}}),
      "the rank grid ends in x, and the sides given for it say that it wraps around\n"
      "  consequence: cells outside the grid would have no value, or two\n"
      "  remedy: give low[0] and high[0] of the sides entries, or make the grid periodic in x: the last "
      "argument of Grid::make, or Topology::periodic");
  const auto field = make_device_array(std::vector<float>(100000)),
             other = make_device_array(std::vector<float>(100000));
  if (world.size() > 1) {
    auto half = sides;
    if (world.rank() == 0) half.low[0].clear();
    const std::string said =
        error_of([&] { DeepHalo(world, grid, GrayScott{}, half, {.halo = {}}, field.data(), other.data()); });
    EXPECT_EQ(said.substr(0, said.find('\n')),
              "rank 0: the high side of x has entries and the low side has none");  // and nobody waits for it
  }
  EXPECT_EQ(refusal(world, grid, sides, {.depth = 30, .fused_steps = 9, .halo = {}}).substr(0, 41),
            world.size() > 1 ? "a halo of 30 cells is wider than the smal"
                             : "9 fused steps are not between 1 and the 5");
}

TEST(DeepHaloRules, know_beforehand_what_forbids_them) {
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const Grid grid{2, {40, 40, 1}, Topology::make(0, {2, 1, 1}, {false, false, true})};
  EXPECT_FALSE(problem_of(grid, GrayScott{}, sides, {.depth = 20, .fused_steps = 2, .halo = {}}));
  const auto too_deep = problem_of(grid, GrayScott{}, sides, {.depth = 21, .halo = {}});
  ASSERT_TRUE(too_deep);
  EXPECT_EQ(too_deep->setting, HaloSetting::depth);
  const auto too_many = problem_of(grid, GrayScott{}, sides, {.depth = 9, .fused_steps = 9, .halo = {}});
  ASSERT_TRUE(too_many);
  EXPECT_EQ(too_many->setting, HaloSetting::fused_steps);
}

}  // namespace
}  // namespace haloheap::comm
