// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Advice on update rules, in real runs: which choice is the best depends on the machine, that it can be used
// does not.
#include <haloheap/comm/advise/steps_advice.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <set>

namespace haloheap::comm {
namespace {

struct Decay {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + 0.2 * (around - 4 * cell(0));
  }
};

/// Two fields of several types, with constants, in stages.
struct Layered {
  using Fields = stencil::Fields<float, double>;
  using Constants = stencil::Fields<float>;
  static constexpr int dims = 3, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const double around = cell(0, -1, 0, 0) + cell(0, 1, 0, 0);
    return stencil::values(0.5 * around * cell.constant(0), cell(1) + 0.1 * (cell(0) - cell(1)));
  }
};

/// A kernel of a user's own: one step a pass.
struct OwnKernel {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 2;
  using Exec = backend::Exec;

  void operator()(const Exec& exec, const stencil::FieldAccess<const float>& in,
                  const stencil::FieldAccess<float>& out, const grid::Box& box) const {
    using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<grid::Index>>;
    Kokkos::parallel_for(
        "average", Cells(exec, {box.lo.x, box.lo.y}, {box.hi.x, box.hi.y}), KOKKOS_LAMBDA(int x, int y) {
          out(0, x, y) = (in(0, x - 2, y) + in(0, x + 2, y) + in(0, x, y - 2) + in(0, x, y + 2)) / 4;
        });
  }
};

struct Ones {
  template <class T>
  void operator()(T* field, const grid::FieldLayout& layout) const {
    const backend::Exec exec;
    const grid::Index size = layout.size();
    Kokkos::parallel_for(
        "ones", Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>(exec, 0, size),
        KOKKOS_LAMBDA(grid::Index i) { field[i] = T(1); });
    exec.fence("ones");
  }
};

AdviceOptions quick() {
  AdviceOptions options;
  options.seconds = 2;
  options.depths = {1, 2, 4, 64};
  options.fused_steps = {1, 2, 4};
  return options;
}

std::string agreed(const Communicator& communicator, const DeepHaloConfig& config) {
  const std::string mine = std::to_string(config.depth) + " " + std::to_string(config.fused_steps) + " " +
                           name_of(config.exchange) + " " + name_of(config.overlap) + " " +
                           config.halo.transport + (config.graph ? " graph" : "");
  EXPECT_EQ(mine, communicator.broadcast(mine, 0)) << "ranks were told different things";
  return mine;
}

template <class Step>
double sum_after(const Communicator& communicator, const Grid& grid, const Step& step,
                 const stencil::SideRules& sides, const DeepHaloConfig& config) {
  using T = typename Step::Fields::type;
  const auto layout = layout_of<Step>(grid, config.depth);
  const Kokkos::View<T*, backend::Exec> now("now", static_cast<std::size_t>(layout.size())),
      next("next", now.size());
  Ones()(now.data(), layout);
  DeepHalo steps(communicator, grid, step, sides, config, now, next);
  steps.advance(8);
  steps.finish();
  const auto host = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(),
      Kokkos::View<const T*, typename backend::Exec::memory_space, Kokkos::MemoryUnmanaged>(steps.now(),
                                                                                            now.size()));
  double sum = 0;
  for (grid::Index y = 0; y < layout.own.y; ++y)
    for (grid::Index x = 0; x < layout.own.x; ++x)
      sum += static_cast<double>(host(static_cast<std::size_t>(layout.at({x, y}))));
  return communicator.sum(sum);
}

TEST(StepsAdvice, is_a_configuration_that_runs) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {97, 103});
  const StepsAdvice advice = advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), quick());
  agreed(communicator, advice.config);
  EXPECT_GT(advice.step_seconds, 0);
  EXPECT_LE(advice.config.fused_steps, advice.config.depth);
  EXPECT_NE(advice.config.depth, 64) << "deeper than the subdomains of several ranks, or a grid";
  EXPECT_NEAR(sum_after(communicator, grid, Decay{}, stencil::SideRules(), advice.config), 97 * 103, 1e-9);
  ASSERT_FALSE(advice.found.candidates.empty());
  EXPECT_TRUE(advice.found.candidates.front().measured);
  for (const HaloCandidate& candidate : advice.found.candidates)
    if (candidate.measured) {
      EXPECT_GE(*candidate.measured, advice.step_seconds);
    }
  EXPECT_NE(advice.text().find(advice.config.halo.transport), std::string::npos);
}

TEST(StepsAdvice, is_on_kernels_of_users_own) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {80, 90});
  const StepsAdvice advice = advise(communicator, grid, OwnKernel{}, stencil::SideRules(), Ones(), quick());
  agreed(communicator, advice.config);
  EXPECT_EQ(advice.config.fused_steps, 1) << "a kernel makes one step";
  EXPECT_NEAR(sum_after(communicator, grid, OwnKernel{}, stencil::SideRules(), advice.config), 80 * 90, 1e-2);
}

TEST(StepsAdvice, is_on_rules_with_constants_and_several_types) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {24, 20, 22});
  std::set<int> depths, depths_of_constants;
  AdviceOptions options = quick();
  options.seconds = 600;  // few choices, all of which are measured however busy the machine is
  options.depths = {1, 2};
  options.fused_steps = {1};
  options.exchanges = {Exchange::sync};
  options.overlaps = {Overlap::none};
  options.transports = {"pinned"};
  options.graphs = {false};
  const StepsAdvice advice = advise(
      communicator, grid, Layered{}, stencil::SideRules(),
      [&](std::byte* field, const grid::FieldLayout& layout) {
        depths.insert(static_cast<int>(layout.halo.x));
        const auto bytes = static_cast<std::size_t>(stencil::array_size<Layered>(layout));
        Kokkos::deep_copy(Kokkos::View<std::byte*, backend::Exec, Kokkos::MemoryUnmanaged>(field, bytes),
                          std::byte{0});
      },
      [&](float* field, const grid::FieldLayout& layout) {
        depths_of_constants.insert(static_cast<int>(layout.halo.x));
        Ones()(field, layout);
      },
      options);
  agreed(communicator, advice.config);
  EXPECT_EQ(depths, (std::set<int>{1, 2})) << "fields are made for each depth";
  EXPECT_EQ(depths_of_constants, depths);
}

TEST(StepsAdvice, chooses_from_what_it_is_given) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {64, 64});
  AdviceOptions options = quick();
  options.depths = {2};
  options.fused_steps = {2};
  options.exchanges = {Exchange::async};
  options.overlaps = {Overlap::none};
  options.transports = {"pinned"};
  options.graphs = {false};
  options.config.halo.timeout = 77;
  const StepsAdvice advice = advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
  EXPECT_EQ(agreed(communicator, advice.config), "2 2 async none pinned");
  EXPECT_EQ(advice.config.halo.timeout, 77);
  EXPECT_EQ(advice.found.candidates.size(), 1U);
}

/// Some transports write into memory that others map: whether they may be chosen depends on where fields are.
TEST(StepsAdvice, is_for_the_memory_that_fields_are_in) {
  const Communicator communicator(MPI_COMM_WORLD);
  if (communicator.size() == 1) GTEST_SKIP() << "a rank alone has nobody to send to";
  const auto grid = Grid::make(communicator, {64, 64});
  AdviceOptions options = quick();
  options.transports = {"peer_store"};
  options.fields = memory::make_memory_resource("device");
  const StepsAdvice advice = advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
  EXPECT_EQ(advice.config.halo.transport, "peer_store");
  if (!backend::kernels_on_host) return;  // Kokkos' own memory of a device can be mapped as well
  options.fields = nullptr;
  EXPECT_THROW(advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options), CapabilityError);
}

TEST(StepsAdvice, without_time_is_of_what_was_begun) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {64, 64});
  AdviceOptions options = quick();
  options.seconds = 0;
  const StepsAdvice advice = advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
  agreed(communicator, advice.config);
  EXPECT_TRUE(advice.time_is_up);
  EXPECT_NE(advice.text().find("the time was up"), std::string::npos);
}

/// What this machine cannot do is told, and is no reason to give up.
TEST(StepsAdvice, tells_what_could_not_be_run) {
  const Communicator communicator(MPI_COMM_WORLD);
  if (communicator.size() == 1) GTEST_SKIP() << "a rank alone has nobody to send to";
  if (!backend::kernels_on_host) GTEST_SKIP() << "a device's memory can be mapped";
  const auto grid = Grid::make(communicator, {64, 64});
  AdviceOptions options = quick();
  options.transports = {"peer_store", "pinned"};
  const StepsAdvice advice = advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
  EXPECT_EQ(advice.config.halo.transport, "pinned");
  ASSERT_FALSE(advice.missing.empty());
  EXPECT_NE(advice.missing.begin()->first.find("peer_store"), std::string::npos);
  EXPECT_NE(advice.text().find("not measured: transport peer_store"), std::string::npos);
  options.transports = {"peer_store"};
  try {
    advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
    ADD_FAILURE() << "there was something to measure";
  } catch (const CapabilityError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be shared"), std::string::npos) << error.what();
  }
}

/// What it says of options that leave nothing to run, before anything is measured.
TEST(StepsAdvice, says_why_nothing_can_be_chosen) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {64, 64});
  const auto told = [&](const std::function<void(AdviceOptions&)>& change) -> std::string {
    AdviceOptions options = quick();
    change(options);
    try {
      advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::usage);
      return error.what();
    }
    return "";
  };
  EXPECT_NE(told([](AdviceOptions& options) { options.depths = {500}; }).find("500"), std::string::npos);
  EXPECT_NE(told([](AdviceOptions& options) {
              options.depths = {32};
              options.fused_steps = {20};
            }).find("20"),
            std::string::npos);
  EXPECT_NE(told([](AdviceOptions& options) {
              options.depths = {1};
              options.fused_steps = {4};
            }),
            "");
  EXPECT_NE(told([](AdviceOptions& options) { options.transports = {"pined"}; }).find("pinned"),
            std::string::npos)
      << "names are listed";
}

TEST(StepsAdvice, asks_for_a_choice_that_all_ranks_have_alike) {
  const Communicator communicator(MPI_COMM_WORLD);
  const auto grid = Grid::make(communicator, {64, 64});
  const auto wrong = [&](const std::function<void(AdviceOptions&)>& change) {
    AdviceOptions options = quick();
    change(options);
    EXPECT_THROW(advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options), Error);
  };
  wrong([](AdviceOptions& options) { options.depths = {}; });
  wrong([](AdviceOptions& options) { options.depths = {4, 2}; });
  wrong([](AdviceOptions& options) { options.fused_steps = {0, 1}; });
  wrong([](AdviceOptions& options) { options.overlaps = {}; });
  wrong([](AdviceOptions& options) { options.graphs = {}; });
  if (communicator.size() > 1) {
    AdviceOptions options = quick();
    options.depths = {1, 2 + communicator.rank()};
    try {
      advise(communicator, grid, Decay{}, stencil::SideRules(), Ones(), options);
      ADD_FAILURE() << "ranks went separate ways";
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find("depths"), std::string::npos) << error.what();
    }
  }
  stencil::SideRules sides;
  sides.low[0] = {stencil::Outside::value(1)};
  EXPECT_THROW(advise(communicator, grid, Decay{}, sides, Ones(), quick()), Error) << "the grid wraps around";
}

}  // namespace
}  // namespace haloheap::comm
