// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels of users' own in deep halos: each launches what an update rule says, reads all that the rule asks
// for through the interface for kernels, and gives the same bits.
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/unit/comm/halo/rule_runs.hpp>

#include <gtest/gtest.h>

#include <array>
#include <type_traits>

namespace haloheap::comm {
namespace {

/// What a user writes who has kernels, and no rule.
template <class Rule>
struct OwnKernel {
  using Fields = typename Rule::Fields;
  using Constants = typename stencil::detail::ConstantsOfRule<Rule>::type;
  using Traits = stencil::RuleTraits<Rule>;
  using T = typename Fields::type;
  static constexpr int dims = Traits::dims, radius = Traits::radius, stages = Traits::stages;
  static constexpr bool uses_step = Traits::uses_step;
  using Exec = Kokkos::DefaultExecutionSpace;
  using In = stencil::FieldAccess<const T>;
  using Out = stencil::FieldAccess<T>;
  using Step = stencil::StepAccess<Constants>;

  Rule rule;

  /// What a rule is given, from the memory.
  struct Around {
    const In& in;
    const Step& from;
    grid::Triple at;
    KOKKOS_FUNCTION T operator()(int field, int dx = 0, int dy = 0, int dz = 0) const {
      return in(field, at.x + dx, at.y + dy, at.z + dz);
    }
    KOKKOS_FUNCTION auto constant(int field, int dx = 0, int dy = 0, int dz = 0) const {
      return from.constants(field, at.x + dx, at.y + dy, at.z + dz);
    }
    KOKKOS_FUNCTION grid::Index index(int dim) const { return from.index(dim, at[dim]); }
    KOKKOS_FUNCTION grid::Index step() const { return from.step(); }
    KOKKOS_FUNCTION int stage() const { return from.stage(); }
  };
  struct Cells {
    Rule rule;
    In in;
    Out out;
    Step step;
    grid::Box box;
    KOKKOS_FUNCTION void operator()(grid::Index i) const {
      const grid::Index row = i / box.extent(0);
      const grid::Triple at{box.lo.x + i % box.extent(0), box.lo.y + row % box.extent(1),
                            box.lo.z + row / box.extent(1)};
      const auto values = stencil::detail::as_values<T, Fields::count>(rule(Around{in, step, at}));
      for (int field = 0; field < Fields::count; ++field) out(field, at.x, at.y, at.z) = values.value[field];
    }
  };

  void operator()(const Exec& exec, const In& in, const Out& out, const grid::Box& box,
                  const Step& step) const {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
    backend::parallel_for("haloheap::unit::own_kernel",
                          backend::as_kernel_argument(Policy(exec, 0, box.cells())),
                          Cells{rule, in, out, step, box});
  }
  KOKKOS_FUNCTION T outside(int field, const stencil::Ghost<T>& ghost) const
      requires(stencil::detail::SaysOutside<Rule, stencil::Ghost<T>>) {
    return rule.outside(field, ghost);
  }
  KOKKOS_FUNCTION T outside(int field, const stencil::detail::GhostOfRule<Rule>& ghost) const
      requires(stencil::detail::SeesFieldsOutside<Rule>) {
    return rule.outside(field, ghost);
  }
};

/// As a rule, and as a kernel that takes the fields alone.
struct AverageOf {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    return 0.5F * cell(0) + 0.3F * cell(0, 1, 0) + 0.1F * cell(0, 0, -1);
  }
};
struct Averages {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  using In = stencil::FieldAccess<const float>;
  using Out = stencil::FieldAccess<float>;

  struct Cells {
    In in;
    Out out;
    KOKKOS_FUNCTION void operator()(grid::Index x, grid::Index y) const {
      out(0, x, y) = 0.5F * in(0, x, y) + 0.3F * in(0, x + 1, y) + 0.1F * in(0, x, y - 1);
    }
  };
  void operator()(const Kokkos::DefaultExecutionSpace& exec, const In& in, const Out& out,
                  const grid::Box& box) const {
    using Policy =
        Kokkos::MDRangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::Rank<2>, Kokkos::IndexType<grid::Index>>;
    backend::parallel_for("haloheap::unit::averages",
                          Policy(exec, {box.lo.x, box.lo.y}, {box.hi.x, box.hi.y}), Cells{in, out});
  }
};
static_assert(stencil::BoxKernel<Averages> && !stencil::UpdateRule<Averages>);
static_assert(stencil::BoxKernel<OwnKernel<GrayScott>> && !stencil::UpdateRule<OwnKernel<GrayScott>>);

template <class Rule>
void check_own(const Rule& rule, const grid::Triple& cells, unsigned first) {
  check(rule, OwnKernel<Rule>{rule}, cells, first);
}

TEST(OwnKernels, may_take_the_fields_alone) {
  check(AverageOf{}, Averages{}, {37, 23, 1}, 0);
}
TEST(OwnKernels, ask_for_place_and_time_and_say_what_is_outside) {
  check_own(Wave{}, {41, 31, 1}, 100);
  check_own(Driven{}, {13, 12, 14}, 200);
  check_own(DrawnCoupled<DrawnRule<float, 2, 1, 2, stencil::StencilShape::box>>(3), {37, 23, 1}, 1100);
}
TEST(OwnKernels, have_constants) {
  check_own(Layered<float, double, 3>{}, {13, 12, 14}, 700);
}
TEST(OwnKernels, have_stages) {
  check_own(ThreeStages{}, {37, 23, 1}, 800);
}
TEST(OwnKernels, take_integers) {
  check_own(Life{}, {37, 23, 1}, 1000);
}

TEST(OwnKernels, have_the_residual_of_the_rule) {
  const Communicator world(MPI_COMM_WORLD);
  DeepHaloConfig config{.depth = 2, .exchange = Exchange::async, .halo = {}};
  config.residual = stencil::ResidualScale::make(16, 2 * 24 * 18);
  for (const int interval : {1, 2}) {  // the first step of two also computes cells of neighbours
    config.residual_interval = interval;
    config.overlap = Overlap::none;
    const auto expected = residuals_of(world, case_with_residual(), GrayScott{}, config, 5);
    ASSERT_EQ(expected.size(), interval == 1 ? 5U : 2U);
    EXPECT_NE(expected[0], expected[1]);
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps}) {
      config.overlap = overlap;
      EXPECT_EQ(residuals_of(world, case_with_residual(), OwnKernel<GrayScott>{}, config, 5), expected)
          << name_of(overlap) << ", every " << interval;
    }
  }
}

TEST(OwnKernels, of_several_stages_or_of_integers_have_no_residual) {
  const Communicator world(MPI_COMM_WORLD);
  const Grid grid = Grid::make(world, {24, 24}, {false, false});
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  const auto refused = [&](const auto& step, auto value) {
    const auto size = static_cast<std::size_t>(layout_of<std::decay_t<decltype(step)>>(grid, 1).size());
    const auto now = make_device_array(std::vector(size, value)),
               next = make_device_array(std::vector(size, value));
    DeepHaloConfig config{.halo = {}};
    config.residual = stencil::ResidualScale::make(1, 100);
    return cause_of([&] { DeepHalo(world, grid, step, sides, config, now, next); });
  };
  EXPECT_NE(refused(OwnKernel<ThreeStages>{}, 1.0).find("have a residual"), std::string::npos);
  EXPECT_NE(refused(OwnKernel<Life>{}, std::int8_t{1}).find("have a residual"), std::string::npos);
}

TEST(OwnKernels, refuse_sides_by_a_rule_that_they_do_not_have) {
  EXPECT_THROW(
      stencil::computation_of(Averages{}, stencil::SideRules::everywhere(stencil::Outside::rule(), 2)),
      UsageError);
  EXPECT_NO_THROW(stencil::computation_of(OwnKernel<Wave>{},
                                          stencil::SideRules::everywhere(stencil::Outside::rule(), 2)));
}

}  // namespace
}  // namespace haloheap::comm
