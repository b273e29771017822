// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/stencils.md quotes. Each rule is held against its serial reference, and that against a
// number which is known.
#include <haloheap/core/stencil/field_names.hpp>
#include <haloheap/core/stencil/sources.hpp>
#include <haloheap/unit/comm/halo/rule_runs.hpp>

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <string_view>
#include <vector>

// [reference]
#include <haloheap/core/stencil/rule_reference.hpp>
// [reference]

namespace haloheap::stencils_page {

const double pi = std::acos(-1.0);

struct Diffusion {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 2;
  static constexpr auto shape = stencil::StencilShape::star;
  double number;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + number * (around - 4 * cell(0));
  }
};

// [heated]
struct Heated {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  static constexpr bool uses_step = true;  // for ghost.step

  /// Warm for 100 steps, and then warmer with y.
  KOKKOS_FORCEINLINE_FUNCTION float outside(int /*field*/, const stencil::Ghost<float>& ghost) const {
    const float at_side = ghost.step < 100 ? 1.0F : 0.01F * static_cast<float>(ghost.index.y);
    return 2 * at_side - ghost.mirrored;  // so that the mean of both cells is the value on the side itself
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float operator()(const Cell& cell) const {
    const float around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + 0.2F * (around - 4 * cell(0));
  }
};
// [heated]

// [parts]
struct Cooling {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 3, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  float number;

  template <class Below>
  KOKKOS_FORCEINLINE_FUNCTION float begin(const Below& below) const {
    return number * below(0);  // cell(0, 0, 0, -1)
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float finish(const Cell& cell, float begun) const {
    const float beside = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return begun + number * (beside + cell(0, 0, 0, 1)) + (1 - 6 * number) * cell(0);
  }
};
// [parts]

// [rows]
struct Smoothing {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 3, radius = 1;
  static constexpr bool plain_sides = true;
  using Sum = float;

  template <class Row>
  KOKKOS_FORCEINLINE_FUNCTION Sum add(const Row& row, int dy, int dz, Sum sum) const {
    const float weight = (dy == 0 ? 2.0F : 1.0F) * (dz == 0 ? 2.0F : 1.0F);
    return sum + weight * (row(0, -1) + 2 * row(0) + row(0, 1));  // cell(0, -1, dy, dz) and so on
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float finish(const Cell& /*cell*/, Sum sum) const {
    return sum / 64;
  }
};
// [rows]

struct Gas {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  // [names]
  enum { density, energy };
  static constexpr std::string_view names[2] = {"density", "energy"};
  // [names]
  float wall = 2;

  // [walls]
  /// A wall that keeps its temperature, which is the energy of so much of the gas; nothing leaves through it.
  KOKKOS_FORCEINLINE_FUNCTION float outside(int field, const stencil::GhostOf<Fields>& ghost) const {
    return field == energy ? wall * ghost.fields[density] : ghost.mirrored;
  }
  // [walls]
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const auto spread = [&](int field) {
      const float around = cell(field, -1, 0) + cell(field, 1, 0) + cell(field, 0, -1) + cell(field, 0, 1);
      return cell(field) + 0.125F * (around - 4 * cell(field));
    };
    return stencil::values(spread(density), spread(energy));
  }
};

// [leapfrog]
struct Leapfrog {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  enum { now, before };
  float number;  // the square of: speed times time step over the width of a cell

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const float around = cell(now, -1, 0) + cell(now, 1, 0) + cell(now, 0, -1) + cell(now, 0, 1);
    return stencil::values(2 * cell(now) - cell(before) + number * (around - 4 * cell(now)), cell(now));
  }
};
// [leapfrog]

// [driven]
struct Driven {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_step = true;
  double time_step, begin;  // `begin` is the time of step `first`
  grid::Index first;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double time(const Cell& cell) const {
    return begin + static_cast<double>(cell.step() - first) * time_step;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return cell(0) + time_step * time(cell);
  }
};
// [driven]

// [layered]
struct Layered {
  using Fields = stencil::Fields<float>;
  using Constants = stencil::Fields<float>;  // conductivity
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float operator()(const Cell& cell) const {
    return cell(0) + flux(cell, 1, 0) + flux(cell, -1, 0) + flux(cell, 0, 1) + flux(cell, 0, -1);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static float flux(const Cell& cell, int x, int y) {
    return (cell.constant(0) + cell.constant(0, x, y)) / 2 * (cell(0, x, y) - cell(0));
  }
};
// [layered]

template <class Cell>
KOKKOS_FORCEINLINE_FUNCTION float laplacian(const Cell& cell) {
  return cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1) - 4 * cell(0);
}

// [fed]
struct Fed {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_step = true;
  stencil::PointSource<float, 2> well;    // in one cell
  stencil::RegionSource<float, 2> field;  // in a box of cells

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float operator()(const Cell& cell) const {
    return cell(0) + 0.1F * laplacian(cell) + well(cell) + field(cell);
  }
};
// [fed]

// [three-stages]
struct ThreeStages {
  using Fields = stencil::Fields<double, double>;
  static constexpr int dims = 2, radius = 1, stages = 3;
  static constexpr auto shape = stencil::StencilShape::star;
  enum { u, begin };
  double time_step;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const double old = cell.stage() == 0 ? cell(u) : cell(begin);
    const double share = cell.stage() == 0 ? 1.0 : cell.stage() == 1 ? 0.25 : 2.0 / 3.0;
    const double change = cell(u, -1, 0) + cell(u, 1, 0) + cell(u, 0, -1) + cell(u, 0, 1) - 4 * cell(u);
    return stencil::values((1 - share) * old + share * (cell(u) + time_step * change), old);
  }
};
// [three-stages]

// [source]
struct Source {
  using Fields = stencil::Fields<double>;
  using Constants = stencil::Fields<float>;  // given to DeepHalo as with rules
  static constexpr int dims = 2, radius = 1;
  static constexpr bool uses_step = true;  // else step() and stage() end the program
  using Exec = Kokkos::DefaultExecutionSpace;
  using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<grid::Index>>;
  grid::Triple place;

  void operator()(const Exec& exec, const stencil::FieldAccess<const double>& in,
                  const stencil::FieldAccess<double>& out, const grid::Box& box,
                  const stencil::StepAccess<Constants>& step) const {
    const grid::Triple at = place;  // a kernel would follow `this` to the host for a member
    const auto compute = KOKKOS_LAMBDA(int x, int y) {
      const bool here = step.index(0, x) == at.x && step.index(1, y) == at.y;
      out(0, x, y) = in(0, x, y) + step.constants(0, x, y) * (in(0, x + 1, y) - in(0, x - 1, y)) +
                     (here ? 1.0 / (1 + step.step()) : 0);
    };
    Kokkos::parallel_for("source", Cells(exec, {box.lo.x, box.lo.y}, {box.hi.x, box.hi.y}), compute);
  }
};
// [source]

/// A rule with two steps a pass at most: each number is a kernel to compile.
template <class Rule>
struct Short : Rule {
  static constexpr int max_fused_steps = 2;
};

/// A conductivity of 0.2 in the lower half of the grid, and of 0.05 in the upper one.
KOKKOS_INLINE_FUNCTION float conductivity_at(grid::Index y) {
  return y < 8 ? 0.2F : 0.05F;
}

void set_layers(const Kokkos::View<float*>& conductivity, const grid::FieldLayout& layout,
                const grid::Box& own) {
  const grid::Index low = own.lo.y;
  Kokkos::parallel_for(
      "layers", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {layout.own.x, layout.own.y}),
      KOKKOS_LAMBDA(int x, int y) {
        conductivity(layout.at({x, y})) = conductivity_at(low + y);
      });
  Kokkos::fence("set_layers");
}

class StencilsPage : public ::testing::Test {
 protected:
  template <class Rule>
  using Case = comm::RuleCase<Rule>;

  const comm::Communicator communicator{MPI_COMM_WORLD};
  const grid::Index nx = 24, ny = 16;
  const grid::Triple cells{nx, ny, 1};
  const comm::DeepHaloConfig two_steps{.depth = 2, .fused_steps = 2};

  /// The same value in all cells, field by field.
  template <class T>
  std::vector<T> everywhere(std::initializer_list<T> values) const {
    std::vector<T> all;
    for (const T value : values) all.insert(all.end(), static_cast<std::size_t>(nx * ny), value);
    return all;
  }
  /// A wave around the grid in x, of this height.
  std::vector<double> wave(double height) const {
    std::vector<double> all;
    for (grid::Index i = 0; i < nx * ny; ++i)
      all.push_back(height * std::cos(2 * pi * static_cast<double>(i % nx) / static_cast<double>(nx)));
    return all;
  }
  /// What the sum of a cell's neighbours less four times the cell is for a wave of height 1, at its crest.
  double curvature() const { return 2 * std::cos(2 * pi / static_cast<double>(nx)) - 2; }

  /// This rank's part of the start, with its ghost cells, where kernels reach it.
  template <class Rule>
  auto own_part(const Case<Rule>& rule_case, const comm::Grid& grid, int depth) const {
    return testing::make_device_array(own_fields(rule_case, grid, comm::layout_of<Rule>(grid, depth)));
  }
  /// What differs in this rank's cells from those of all ranks. @param steps of fields `now` and `next`
  template <class Rule, class Steps, class Array>
  std::string difference(const Case<Rule>& rule_case, const comm::Grid& grid, int depth, Steps& steps,
                         const Array& now, const Array& next,
                         const std::vector<typename Case<Rule>::T>& expected) const {
    steps.finish();
    return compare(rule_case, grid, comm::layout_of<Rule>(grid, depth),
                   testing::to_host(steps.now() == now.data() ? now : next), expected);
  }
  /// The values of all cells after so many steps, by the reference, with which those of the ranks are
  /// compared.
  /// @param in_kernels the same rule, if it is another one for them
  template <class Rule>
  auto after(const Case<Rule>& rule_case, grid::Index steps, const Rule& in_kernels) const {
    const auto expected = rule_case.after(steps);
    const auto grid = rule_case.on(communicator, {1, communicator.size(), 1});
    EXPECT_EQ(run(communicator, rule_case, in_kernels, grid, two_steps, {steps}, expected), "");
    return expected;
  }
  template <class Rule>
  auto after(const Case<Rule>& rule_case, grid::Index steps) const {
    return after(rule_case, steps, rule_case.rule);
  }
  template <class T>
  static double sum(const std::vector<T>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0);
  }
};

TEST_F(StencilsPage, has_a_serial_reference) {
  const stencil::SideRules sides;
  // [reference]
  std::vector<double> start(nx * ny);  // by field, z, y and x, of the whole grid
  stencil::RuleReference<Diffusion> reference(Diffusion{0.2}, sides, {nx, ny, 1}, start);
  reference.advance(10);                // throws if the rule asks for what it does not say
  const auto all = reference.values();  // compare them with those of the ranks
  // [reference]
  EXPECT_EQ(all, start);
  start = wave(1);
  EXPECT_NEAR(after(Case<Diffusion>{{0.2}, sides, cells, start}, 10)[0], std::pow(1 + 0.2 * curvature(), 10),
              1e-14);
}

TEST_F(StencilsPage, has_sides) {
  const Short<Leapfrog> rule{{0.25F}};
  const auto config = two_steps;
  Case<Short<Leapfrog>> rule_case{rule, {}, cells, everywhere({0.0F, 0.0F})};
  const auto part = comm::Grid::make(communicator, {nx, ny});
  const auto now = own_part(rule_case, part, 2), next = own_part(rule_case, part, 2);
  // [sides]
  const auto grid = comm::Grid::make(communicator, {nx, ny}, {false, true});  // ends in x, wraps around in y
  stencil::SideRules sides;
  sides.low[0] = {stencil::Outside::value(1), stencil::Outside::mirror()};  // of the two fields, at x = 0
  sides.high[0] = {stencil::Outside::outflow()};                            // of all fields, at the other end
  comm::DeepHalo steps(communicator, grid, rule, sides, config, now, next);
  // [sides]
  rule_case.sides = sides;
  const auto first = rule_case.after(1), second = rule_case.after(2);
  EXPECT_EQ(std::vector<float>(first.begin(), first.begin() + 3), (std::vector<float>{0.25F, 0, 0}));
  EXPECT_EQ(std::vector<float>(second.begin(), second.begin() + 3), (std::vector<float>{0.625F, 0.0625F, 0}));
  steps.advance(2);
  EXPECT_EQ(difference(rule_case, grid, 2, steps, now, next, second), "");
}

TEST_F(StencilsPage, has_a_rule_with_a_side_of_its_own) {
  auto sides = stencil::SideRules::everywhere(stencil::Outside::value(1), 2);
  // [heated]
  sides.low[0] = {stencil::Outside::rule()};
  // [heated]
  const Case<Short<Heated>> rule_case{{}, sides, cells, everywhere({1.0F})};
  EXPECT_EQ(after(rule_case, 100), rule_case.start);
  const auto last = after(rule_case, 101);
  for (grid::Index y = 0; y < ny; ++y)
    EXPECT_NEAR(last[static_cast<std::size_t>(y * nx)], 1 + 0.2 * (0.02 * static_cast<double>(y) - 2), 1e-6);
}

TEST_F(StencilsPage, has_a_rule_in_two_parts) {
  const grid::Triple cube{nx, ny, 12};
  const Case<Short<Cooling>> rule_case{{{0.125F}},
                                       stencil::SideRules::everywhere(stencil::Outside::value(0), 3),
                                       cube,
                                       std::vector<float>(static_cast<std::size_t>(nx * ny * 12), 1.0F)};
  const auto last = after(rule_case, 1);
  EXPECT_EQ(last.front(), 1 - 3 * 0.125F) << "of six neighbours three are outside";
  after(rule_case, 4);
}

TEST_F(StencilsPage, has_a_rule_in_rows) {
  const Case<Short<Smoothing>> rule_case{{},
                                         stencil::SideRules::everywhere(stencil::Outside::value(0), 3),
                                         {nx, ny, 12},
                                         std::vector<float>(static_cast<std::size_t>(nx * ny * 12), 1.0F)};
  const auto last = after(rule_case, 1);
  EXPECT_EQ(last.front(), 27.0F / 64) << "a quarter of the weights of each dimension is outside";
  after(rule_case, 4);
}

TEST_F(StencilsPage, has_a_side_that_sees_all_fields) {
  auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  sides.low[0] = {stencil::Outside::rule()};
  const Case<Short<Gas>> rule_case{{}, sides, cells, everywhere({1.5F, 0.5F})};
  const auto last = after(rule_case, 1);
  for (grid::Index y = 0; y < ny; ++y) {
    EXPECT_EQ(last[static_cast<std::size_t>(y * nx)], 1.5F);
    EXPECT_EQ(last[static_cast<std::size_t>((ny + y) * nx)], 0.5F + 0.125F * (2 * 1.5F - 0.5F));
  }
}

TEST_F(StencilsPage, has_fields_with_names) {
  auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const auto grid = comm::Grid::make(communicator, {nx, ny});
  const auto layout = comm::layout_of<Gas>(grid, 1);
  const auto now = own_part(Case<Short<Gas>>{{}, sides, cells, everywhere({1.5F, 0.5F})}, grid, 1);
  // [by_name]
  using stencil::Outside;
  sides.low[0] = stencil::outside_of<Gas>({{"energy", Outside::rule()}, {"density", Outside::mirror()}});
  const auto energy = stencil::cells_of<Gas, stencil::field_number<Gas>("energy")>(now, layout);
  // [by_name]
  EXPECT_EQ(energy.data(), now.data() + layout.at({0, 0, 0}, Gas::energy));
  EXPECT_EQ(energy.extent(0), static_cast<std::size_t>(layout.own.x));
  const auto last = after(Case<Short<Gas>>{{}, sides, cells, everywhere({1.5F, 0.5F})}, 1);
  EXPECT_EQ(last[static_cast<std::size_t>(ny * nx)], 0.5F + 0.125F * (2 * 1.5F - 0.5F))
      << "as on the whole side";
}

TEST_F(StencilsPage, has_a_rule_with_two_time_levels) {
  const double angle = std::acos(1 + 0.25 * curvature() / 2);
  std::vector<float> start;
  for (const double height : {1.0, std::cos(angle)})
    for (const double value : wave(height)) start.push_back(static_cast<float>(value));
  EXPECT_NEAR(after(Case<Short<Leapfrog>>{{{0.25F}}, {}, cells, start}, 9)[0], std::cos(9 * angle), 1e-5);
}

TEST_F(StencilsPage, has_a_rule_that_knows_the_time) {
  const Case<Short<Driven>> rule_case{{{0.5, 3, 0}}, {}, cells, everywhere({0.0})};
  EXPECT_EQ(after(rule_case, 4), everywhere({0.5 * (3 + 3.5 + 4 + 4.5)}));
  const auto grid = comm::Grid::make(communicator, {nx, ny});
  const auto now = own_part(rule_case, grid, 2), next = own_part(rule_case, grid, 2);
  comm::DeepHalo steps(communicator, grid, rule_case.rule, {}, two_steps, now, next);
  steps.advance(4);
  steps.replace(Short<Driven>{{0.25, 5, steps.steps_made()}}, {});
  steps.advance(2);
  EXPECT_EQ(difference(rule_case, grid, 2, steps, now, next, everywhere({7.5 + 0.25 * (5 + 5.25)})), "");
}

TEST_F(StencilsPage, has_a_rule_with_constants) {
  const auto grid = comm::Grid::make(communicator, {nx, ny}, {false, false});
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const auto config = two_steps;
  Case<Layered> rule_case{{}, sides, cells, testing::random_values<float>(nx * ny, 3)};
  for (grid::Index i = 0; i < nx * ny; ++i) rule_case.constants.push_back(conductivity_at(i / nx));
  const auto now = own_part(rule_case, grid, 2), next = own_part(rule_case, grid, 2);
  // [layered]
  const auto layout = comm::constants_layout_of<Layered>(grid, config.depth);
  const Kokkos::View<float*> conductivity("conductivity", layout.size());
  set_layers(conductivity, layout, grid.own());  // all own cells, by a kernel, and a fence
  comm::DeepHalo steps(communicator, grid, Layered{}, sides, config, now, next, conductivity);
  // [layered]
  steps.advance(8);
  const auto last = rule_case.after(8);
  EXPECT_EQ(difference(rule_case, grid, 2, steps, now, next, last), "");
  EXPECT_NE(last, rule_case.start);
  EXPECT_NEAR(sum(last), sum(rule_case.start), 1e-3) << "no heat comes from outside";
}

Short<Fed> fed_by(const float* samples, const float* rates, const grid::Box& box) {
  return {Fed{{{100, 20}, {samples, 500}}, {stencil::Region<2>(box), {rates, 1}}}};
}

TEST_F(StencilsPage, has_a_rule_with_sources) {
  std::vector<float> samples(500), rates{0.5F};
  std::iota(samples.begin(), samples.end(), 1.0F);
  const auto samples_in_kernels = testing::make_device_array(samples),
             rates_in_kernels = testing::make_device_array(rates);
  const grid::Box box{{3, 2, 0}, {7, 5, 1}};
  const grid::Triple wide{112, 24, 1};
  const Case<Short<Fed>> rule_case{
      fed_by(samples.data(), rates.data(), box), {}, wide, std::vector<float>(112 * 24)};
  const auto last = after(rule_case, 3, fed_by(samples_in_kernels.data(), rates_in_kernels.data(), box));
  EXPECT_NEAR(sum(last), (1 + 2 + 3) + 3 * 0.5 * (4 * 3), 1e-4);
}

TEST_F(StencilsPage, has_a_rule_of_three_stages) {
  auto start = wave(1);
  start.resize(2 * start.size());
  const double z = 0.3 * curvature(), factor = 1 + z + z * z / 2 + z * z * z / 6;
  EXPECT_NEAR(after(Case<Short<ThreeStages>>{{{0.3}}, {}, cells, start}, 5)[0], std::pow(factor, 5), 1e-14);
}

TEST_F(StencilsPage, has_a_kernel_that_asks_for_its_place) {
  const auto grid = comm::Grid::make(communicator, {nx, ny});
  const auto layout = comm::layout_of<Source>(grid, 2), around = comm::constants_layout_of<Source>(grid, 2);
  const Kokkos::View<double*> now("now", layout.size()), next("next", layout.size());
  const Kokkos::View<float*> constants("constants", around.size());
  Kokkos::deep_copy(constants, 0.125F);
  comm::DeepHalo steps(communicator, grid, Source{{5, 6, 0}}, {}, {.depth = 2}, now, next, constants);
  steps.advance(3);
  steps.finish();
  const auto last =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), steps.now() == now.data() ? now : next);
  double mine = 0;
  testing::for_each_cell(layout.own_box(), [&](const grid::Triple& cell) { mine += last(layout.at(cell)); });
  EXPECT_NEAR(communicator.sum(mine), 1 + 1.0 / 2 + 1.0 / 3, 1e-14) << "what flows along x stays";
}

TEST_F(StencilsPage, adds_up_the_squared_changes_of_a_step) {
  const Diffusion rule{0.2};
  const stencil::SideRules sides;
  const grid::Index fields = 1, count = nx * ny;
  const double bound = 1;
  const Case<Diffusion> rule_case{rule, sides, cells, wave(1)};
  const auto grid = comm::Grid::make(communicator, {nx, ny});
  const auto now = own_part(rule_case, grid, 2), next = own_part(rule_case, grid, 2);
  comm::DeepHaloConfig config{.depth = 2};
  // [residual]
  config.residual =
      stencil::ResidualScale::make(bound, fields * count);  // of the mean square, of so many values
  comm::DeepHalo steps(communicator, grid, rule, sides, config, now, next);
  steps.advance(10);
  steps.finish();
  std::vector<stencil::ResidualSum> sums = steps.residuals();  // this rank's part, one a step
  MPI_Allreduce(MPI_IN_PLACE, sums.data(), int(stencil::residual_parts * sums.size()), MPI_DOUBLE, MPI_SUM,
                communicator.get());
  const double norm = std::sqrt(config.residual->value(sums[0]));
  // [residual]
  EXPECT_EQ(sums.size(), 10U);
  EXPECT_NEAR(norm, std::abs(0.2 * curvature()) * std::sqrt(static_cast<double>(count) / 2), 1e-12);
}

}  // namespace haloheap::stencils_page
