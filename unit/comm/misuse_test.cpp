// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What callers get wrong: fields, layouts and plans that do not fit, calls in the wrong order, ranks that
// were given different things, objects that end too early. Each is an error on all ranks, with the same
// cause.
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/backend/ipc.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <typeinfo>
#include <vector>

namespace haloheap::comm {
namespace {

using namespace testing;
using Exec = Kokkos::DefaultExecutionSpace;

/// What an exchange of halos is made of, to be changed before it is made.
struct Parts {
  explicit Parts(const Communicator& communicator, grid::Index width = 1, grid::Index length = 16)
      : world(communicator),
        ranks(grid::rank_grid(world.size(), 2, {24, 24, 1})),
        topology(Topology::make(world.rank(), ranks, {true, true, true})),
        cells{length * ranks.x, 12 * ranks.y, 1},
        layout(grid::make_field_layout(2, {length, 12, 1}, width, 1, sizeof(double))) {
    config.transport = "pinned";
    config.timeout = 30;
  }

  /// All ranks in one row, or one column.
  void line_up(int dim) {
    ranks = {1, 1, 1};
    ranks[dim] = world.size();
    topology = Topology::make(world.rank(), ranks, {true, true, true});
    cells = {layout.own.x * ranks.x, layout.own.y * ranks.y, 1};
  }

  memory::Array<double> field() const {
    return make_device_array(std::vector<double>(static_cast<std::size_t>(layout.size()), 1 + world.rank()));
  }
  HaloPlan plan() const { return HaloPlan::make(topology, layout, cells, exchange); }
  HaloExchange make(const FieldPair<double>& fields) {
    return HaloExchange(world, plan(), topology, ExchangedFields::of(layout, fields), config, timer);
  }

  const Communicator& world;
  grid::Triple ranks;
  Topology topology;
  grid::Triple cells;
  grid::FieldLayout layout;
  Exchange exchange = Exchange::async;
  HaloExchangeConfig config;
  PhaseTimer timer{false};
};

class Misuse : public ::testing::Test {
 protected:
  /// The ranks' causes must be the same.
  void expect_everywhere(const std::string& cause, const std::string& expected) {
    EXPECT_EQ(cause, expected);
    EXPECT_EQ(world.broadcast(cause, 0), cause);
  }
  bool last() const { return world.rank() == world.size() - 1; }

  const Communicator world{MPI_COMM_WORLD};
  const Exec exec;
};

TEST_F(Misuse, buffers_that_nobody_named_are_the_device_s) {
  for (const std::string& transport : transport_names()) {
    if (transport == "nccl") continue;
    Parts parts(world);
    parts.config.transport = transport;
    parts.config.force_gpu_aware = true;
    const auto field = parts.field();
    const backend::Instance queue(backend::Priority::high);
    auto exchange = parts.make({field.data(), field.data()});
    exchange.exchange(queue.exec(), field.data());
    queue.exec().fence("haloheap::unit::exchanged");
    exchange.check();
    const auto values = to_host(field);
    Topology topology = parts.topology;
    EXPECT_EQ(values[static_cast<std::size_t>(parts.layout.at({-1, 0, 0}))],
              1 + topology.neighbour({-1, 0, 0}))
        << transport;
  }
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  const GridProblem grid = problem.on(world, {world.size(), 1, 1});
  const auto size = static_cast<std::size_t>(grid.layout(2, sizeof(float)).size());
  const auto now = make_device_array(std::vector<float>(size, 1)),
             next = make_device_array(std::vector<float>(size, 1));
  DeepHalo<float> stepper(world, grid, {.depth = 2, .halo = {}}, now.data(), next.data());
  stepper.advance(3);
  stepper.finish();
}

TEST_F(Misuse, fields_that_are_null) {
  Parts parts(world);
  const auto field = parts.field();
  EXPECT_EQ(error_of([&] {
              parts.make({field.data(), nullptr});
            }),
            "the field 'second' is null\n  consequence: nothing was made\n  remedy: give it " +
                std::to_string(parts.layout.size()) + " values, as FieldLayout::size()");
  // One rank's mistake is every rank's error.
  expect_everywhere(cause_of([&] {
                      parts.make({last() ? nullptr : field.data(), field.data()});
                    }),
                    (world.size() > 1 ? "rank " + std::to_string(world.size() - 1) + ": " : std::string()) +
                        "the field 'first' is null");
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  const GridProblem grid = problem.on(world, {world.size(), 1, 1});
  EXPECT_EQ(cause_of([&] { DeepHalo<float>(world, grid, {.halo = {}}, nullptr, nullptr); }),
            "the field 'now' is null");
  const auto now =
      make_device_array(std::vector<float>(static_cast<std::size_t>(grid.layout(1, sizeof(float)).size())));
  EXPECT_EQ(cause_of([&] { DeepHalo<float>(world, grid, {.halo = {}}, now, nullptr); }),
            "the field 'next' is null");
}

TEST_F(Misuse, fields_that_are_the_same_and_steps_backwards) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  const GridProblem grid = problem.on(world, {world.size(), 1, 1});
  const auto size = static_cast<std::size_t>(grid.layout(1, sizeof(float)).size());
  const auto now = make_device_array(std::vector<float>(size)),
             next = make_device_array(std::vector<float>(size));
  EXPECT_EQ(error_of([&] { DeepHalo<float>(world, grid, {.halo = {}}, now, now); }),
            "the fields 'now' and 'next' are the same memory\n"
            "  consequence: a step would overwrite what it still has to read\n"
            "  remedy: give two fields");
  DeepHalo<float> stepper(world, grid, {.halo = {}}, now, next);
  EXPECT_EQ(error_of([&] { stepper.advance(-1); }),
            "an advance of -1 steps\n  consequence: nothing was computed\n  remedy: give 0 steps or more");
  EXPECT_EQ(stepper.steps_made(), 0);
}

TEST_F(Misuse, fields_of_another_size) {
  Parts parts(world);
  const auto field = parts.field();
  const Kokkos::View<double*> view("haloheap::unit::small", 7);
  EXPECT_EQ(
      cause_of([&] {
        parts.make({field, view});
      }),
      "the field 'second' has 7 values, but its layout asks for " + std::to_string(parts.layout.size()));
  EXPECT_EQ(error_of([&] { parts.make({field, field}); }), "");
  const Kokkos::View<double**, Kokkos::LayoutLeft> rows("haloheap::unit::rows", 3, parts.layout.size());
  const auto gaps = Kokkos::subview(rows, 1, Kokkos::ALL);
  EXPECT_EQ(cause_of([&] { parts.make({field, gaps}); }), "the field 'second' has gaps between its values");
  const Kokkos::View<double*> shifted("haloheap::unit::shifted", parts.layout.size() + 1);
  EXPECT_EQ(cause_of([&] {
              parts.make({field, shifted.data() + 1});
            }),
            "the field 'second' does not begin at a multiple of 16 bytes");
  // Fields of depth 1 for a run of depth 4.
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  const GridProblem grid = problem.on(world, {world.size(), 1, 1});
  const auto shallow = static_cast<std::size_t>(grid.layout(1, sizeof(float)).size()),
             deep = static_cast<std::size_t>(grid.layout(4, sizeof(float)).size());
  const Kokkos::View<float*> now("haloheap::unit::now", shallow), next("haloheap::unit::next", shallow);
  EXPECT_EQ(error_of([&] { DeepHalo<float>(world, grid, {.depth = 4, .halo = {}}, now, next); }),
            "the field 'now' has " + std::to_string(shallow) + " values, but its layout asks for " +
                std::to_string(deep) + "\n  consequence: ghost cells would be read and written elsewhere\n" +
                "  remedy: give it " + std::to_string(deep) + " values, as FieldLayout::size()");
}

TEST_F(Misuse, plans_layouts_and_topologies_that_do_not_fit) {
  Parts parts(world, 2);
  const auto field = parts.field();
  const auto make = [&](const HaloPlan& plan, const Topology& topology, const grid::FieldLayout& layout) {
    return cause_of([&] {
      HaloExchange(world, plan, topology, ExchangedFields::of<double>(layout, {field, field}), parts.config,
                   parts.timer);
    });
  };
  Parts shallow(world, 1);
  EXPECT_EQ(make(shallow.plan(), parts.topology, parts.layout),
            "the halo plan fills the cells [-1, 17) x [-1, 13) x [0, 1), but this layout and topology have "
            "[-2, 18) x [-2, 14) x [0, 1)");
  EXPECT_NE(make(parts.plan(), parts.topology, shallow.layout), "");
  grid::FieldLayout smaller = grid::make_field_layout(2, {16, 11, 1}, 2, 1, sizeof(double));
  EXPECT_NE(make(parts.plan(), parts.topology, smaller), "");
  grid::FieldLayout cut = parts.layout;
  cut.halo.y = 3;  // its planes have room for 2
  Parts wide(world, 3);
  wide.layout.halo.x = 2;
  EXPECT_EQ(make(wide.plan(), parts.topology, cut),
            "a layout of 16 x 12 x 1 own cells has no room for 2 x 3 x 0 ghost cells on each side");
  Topology other = parts.topology;
  other.ranks = {world.size() + 1, 1, 1};
  EXPECT_EQ(make(parts.plan(), other, parts.layout),
            "a " + std::to_string(world.size() + 1) + " x 1 x 1 rank grid does not have the " +
                std::to_string(world.size()) + " ranks of the communicator");
  if (world.size() == 1) return;
  other = Topology::make((world.rank() + 1) % world.size(), parts.ranks, {true, true, true});
  EXPECT_NE(make(parts.plan(), other, parts.layout).find("the topology is that of rank"), std::string::npos);
}

TEST_F(Misuse, calls_in_the_wrong_order) {
  for (const Path& path : different_paths()) {
    Parts parts(world);
    parts.config.transport = path.transport;
    parts.config.mpi = path.mpi;
    parts.config.alternating = true;
    const auto one = parts.field(), other = parts.field(), third = parts.field();
    const backend::Instance queue(backend::Priority::high);
    auto exchange = parts.make({one.data(), other.data()});
    const auto& e = queue.exec();
    EXPECT_EQ(error_of([&] { exchange.end(e, one.data()); }),
              "HaloExchange::end was called for an exchange that has not begun\n"
              "  consequence: nothing was received\n  remedy: call HaloExchange::begin first");
    const std::string none = "this field is none of those that the exchange was made for";
    EXPECT_EQ(cause_of([&] { exchange.begin(e, third.data()); }), none);
    EXPECT_EQ(cause_of([&] { exchange.exchange(e, third.data()); }), none);
    exchange.begin(e, one.data());
    const std::string begun = " was called for an exchange that has begun and not ended";
    EXPECT_EQ(cause_of([&] { exchange.begin(e, one.data()); }), "HaloExchange::begin" + begun);
    EXPECT_EQ(cause_of([&] { exchange.begin(e, other.data()); }), "HaloExchange::begin" + begun);
    EXPECT_EQ(cause_of([&] { exchange.exchange(e, one.data()); }), "HaloExchange::exchange" + begun);
    EXPECT_EQ(error_of([&] { exchange.end(e, other.data()); }),
              "HaloExchange::end was given another field than HaloExchange::begin\n"
              "  consequence: nothing was received\n  remedy: give both the same field");
    // None of this has touched the exchange that is under way.
    exchange.end(e, one.data());
    EXPECT_NE(error_of([&] { exchange.end(e, one.data()); }), "");
    exchange.exchange(e, other.data());
    // Nor does one rank's mistake change what it has to tell the others.
    if (last()) {
      EXPECT_EQ(cause_of([&] { exchange.begin(e, third.data()); }), none);
    }
    exchange.exchange(e, other.data());
    exchange.begin(e, one.data());
    exchange.end(e, one.data());
    e.fence("haloheap::unit::exchanged");
    exchange.check();
    for (const auto* field : {&one, &other})
      EXPECT_EQ(to_host(*field)[static_cast<std::size_t>(parts.layout.at({-1, 0, 0}))],
                1 + parts.topology.neighbour({-1, 0, 0}));
  }
}

TEST_F(Misuse, a_graph_of_exchanges_that_need_the_host) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  DeepHaloConfig config{.halo = {}, .graph = true};
  config.halo.transport = "peer_store";
  config.halo.desynchronisation = true;
  EXPECT_EQ(cause_of([&] {
              DeepHaloRun<float>(world, problem, {world.size(), 1, 1}, config);
            }),
            "a graph cannot hold the barrier of desynchronisation, which needs the host");
}

TEST_F(Misuse, an_exchange_knows_whether_it_needs_the_host) {
  for (const bool barrier : {false, true}) {
    Parts parts(world);
    parts.config.transport = "peer_store";
    parts.config.desynchronisation = barrier;
    const auto one = parts.field(), other = parts.field();
    EXPECT_EQ(parts.make({one.data(), other.data()}).without_host(), !barrier);
  }
}

TEST_F(Misuse, halos_wider_in_one_dimension_are_exchanged) {
  for (const Path& path : different_paths())
    for (const Exchange exchange : {Exchange::sync, Exchange::async})
      for (const grid::Triple& halo :
           {grid::Triple{1, 12, 0}, grid::Triple{14, 2, 0}, grid::Triple{0, 3, 0}}) {
        Parts parts(world, 14);
        parts.layout.halo = halo;
        parts.exchange = exchange;
        parts.config.transport = path.transport;
        parts.config.mpi = path.mpi;
        const auto field = parts.field();
        const backend::Instance queue(backend::Priority::high);
        auto made = parts.make({field.data(), field.data()});
        made.exchange(queue.exec(), field.data());
        queue.exec().fence("haloheap::unit::exchanged");
        made.check();
        const auto values = to_host(field);
        int wrong = 0;
        const grid::Box ghosts{{-halo.x, -halo.y, 0}, {16 + halo.x, 12 + halo.y, 1}};
        for_each_cell(ghosts, [&](const grid::Triple& cell) {
          const grid::Triple from{cell.x < 0 ? -1 : cell.x >= 16, cell.y < 0 ? -1 : cell.y >= 12, 0};
          wrong +=
              values[static_cast<std::size_t>(parts.layout.at(cell))] != 1 + parts.topology.neighbour(from);
        });
        EXPECT_EQ(wrong, 0) << path.describe() << " " << halo.x << " " << halo.y;
      }
}

// Ranks that were given different things.

TEST_F(Misuse, ranks_with_different_configurations) {
  if (world.size() == 1) GTEST_SKIP() << "needs a rank to differ from";
  const std::string mine = "rank 0", its = "rank " + std::to_string(world.size() - 1);
  struct Case {
    std::function<void(Parts&)> change;
    std::string item, first, last;
  };
  const std::vector<Case> cases = {
      {[](Parts& parts) { parts.config.transport = "mapped"; }, "transport", "pinned", "mapped"},
      {[](Parts& parts) { parts.config.transport = "peer_copy"; }, "transport", "pinned", "peer_copy"},
      {[](Parts& parts) { parts.config.transport = "pined"; }, "transport", "pinned", "pined"},
      {[](Parts& parts) { parts.config.mpi = "isend"; }, "mpi", "persistent", "isend"},
      {[](Parts& parts) { parts.config.desynchronisation = true; }, "desynchronisation", "no", "yes"},
      {[](Parts& parts) { parts.config.packing = Packing::datatype; }, "packing", "kernel", "datatype"},
      {[](Parts& parts) { parts.config.alternating = true; }, "alternating", "no", "yes"},
      {[](Parts& parts) { parts.config.force_gpu_aware = true; }, "force_gpu_aware", "no", "yes"},
      {[](Parts& parts) { parts.config.ranks_per_node = 1; }, "ranks_per_node", "0", "1"},
      {[](Parts& parts) {
         parts.layout = grid::make_field_layout(2, {16, 12, 1}, 2, 1, sizeof(double));
       },
       "halo", "1 x 1 x 0", "2 x 2 x 0"},
      {[](Parts& parts) {
         parts.layout = grid::make_field_layout(2, {16, 12, 1}, 1, 3, sizeof(double));
       },
       "quantities", "1", "3"},
  };
  for (const Case& one : cases) {
    Parts parts(world);
    if (last()) one.change(parts);
    const auto field = parts.field();
    expect_everywhere(cause_of([&] {
                        parts.make({field, field});
                      }),
                      "the ranks do not agree on the HaloExchange: " + one.item + " is '" + one.first +
                          "' on " + mine + ", '" + one.last + "' on " + its);
  }
  Parts parts(world);
  const auto field = parts.field();
  if (last()) parts.exchange = Exchange::sync;
  expect_everywhere(cause_of([&] {
                      parts.make({field, field});
                    }),
                    "the ranks do not agree on the HaloExchange: exchange is 'async' on rank 0, 'sync' on " +
                        its + "; number of rounds is '1' on rank 0, '2' on " + its);
  parts.exchange = Exchange::async;
  EXPECT_EQ(error_of([&] { parts.make({field, field}); }), "") << "nothing is left of all these";
}

TEST_F(Misuse, ranks_whose_sides_do_not_fit) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  for (const Path& path : different_paths()) {
    Parts parts(world);
    parts.config.transport = path.transport;
    parts.config.mpi = path.mpi;
    parts.exchange = Exchange::sync;
    parts.line_up(0);
    parts.cells.y = 11;
    // Columns of 12 cells, on the last rank of 11.
    if (last()) parts.layout = grid::make_field_layout(2, {16, 11, 1}, 1, 1, sizeof(double));
    const auto field = parts.field();
    const int before = world.size() == 2 ? 0 : world.size() - 1, after = world.size() == 2 ? 1 : 0;
    const bool pair = world.size() == 2;
    expect_everywhere(cause_of([&] {
                        parts.make({field, field});
                      }),
                      "the ranks do not agree on the HaloExchange: in round 0 rank " +
                          std::to_string(pair ? before : 0) + " sends " +
                          (pair ? "1 x 12 x 1 and 1 x 12 x 1 cells" : "1 x 12 x 1 cells") + " to rank " +
                          std::to_string(pair ? after : world.size() - 1) + ", which expects " +
                          (pair ? "1 x 11 x 1 and 1 x 11 x 1 cells" : "1 x 11 x 1 cells"));
  }
}

TEST_F(Misuse, ranks_with_different_runs) {
  if (world.size() == 1) GTEST_SKIP() << "needs a rank to differ from";
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  const grid::Triple ranks{world.size(), 1, 1};
  const std::string its = "' on rank " + std::to_string(world.size() - 1);
  const auto cause = [&](const Problem& of, const DeepHaloConfig& config) {
    return cause_of([&] { DeepHaloRun<float>(world, of, ranks, config); });
  };
  const std::string text = "the ranks do not agree on the DeepHalo: ";
  expect_everywhere(cause(problem, {.depth = last() ? 3 : 2, .halo = {}}),
                    text + "depth is '2' on rank 0, '3" + its);
  expect_everywhere(cause(problem, {.depth = 2, .fused_steps = last() ? 2 : 1, .halo = {}}),
                    text + "fused_steps is '1' on rank 0, '2" + its);
  // A step that is added up is a pass by itself: the ranks' fields would take turns differently.
  const auto sums = [](double bound, int interval) {
    return DeepHaloConfig{.depth = 4,
                          .fused_steps = 2,
                          .halo = {},
                          .residual = stencil::ResidualScale::make(bound, 1 << 20),
                          .residual_interval = interval};
  };
  const auto units = [](const DeepHaloConfig& config) {
    return "each " + std::to_string(config.residual_interval) + ", in units of 2^" +
           std::to_string(std::ilogb(config.residual->quantum(2)));
  };
  const std::string residual = text + "residual is '" + units(sums(1, 4)) + "' on rank 0, '";
  expect_everywhere(
      cause(problem, last() ? DeepHaloConfig{.depth = 4, .fused_steps = 2, .halo = {}} : sums(1, 4)),
      residual + "none" + its);
  expect_everywhere(cause(problem, sums(1, last() ? 8 : 4)), residual + units(sums(1, 8)) + its);
  expect_everywhere(cause(problem, sums(last() ? 4 : 1, 4)), residual + units(sums(4, 4)) + its);
  Problem wider = problem;
  wider.cells.y = last() ? 17 : 16;
  expect_everywhere(cause(wider, {.halo = {}}), text + "cells is '" + std::to_string(16 * world.size()) +
                                                    " x 16 x 1' on rank 0, '" +
                                                    std::to_string(16 * world.size()) + " x 17 x 1" + its);
  Problem other = problem;
  if (last()) other.stencil.coefficients[0] += 0.5;
  EXPECT_NE(cause(other, {.halo = {}}).find(text + "stencil is '2D, shape 0, radius 1, "), std::string::npos);
  if (world.size() == 4) {
    // In the rank grid of one, a halo that is too wide: nobody waits for it.
    const Problem flat{lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {12, 100, 1}};
    const grid::Triple own_ranks = last() ? grid::Triple{4, 1, 1} : grid::Triple{2, 2, 1};
    expect_everywhere(cause_of([&] { DeepHaloRun<float>(world, flat, own_ranks, {.depth = 5, .halo = {}}); }),
                      "rank 3: a halo of 5 cells is wider than the smallest subdomain, 3 cells in x");
    expect_everywhere(cause_of([&] { DeepHaloRun<float>(world, flat, own_ranks, {.depth = 2, .halo = {}}); }),
                      text + "rank grid is '2 x 2 x 1' on rank 0, '4 x 1 x 1" + its);
  }
  // A mistake that only one rank makes is said by all.
  expect_everywhere(cause(problem, {.depth = 2, .fused_steps = last() ? 3 : 1, .halo = {}}),
                    "rank " + std::to_string(world.size() - 1) +
                        ": 3 fused steps need a halo for as many, but the depth is 2");
  DeepHaloConfig config{.halo = {}};
  if (last()) config.halo.transport = "peer_store";
  expect_everywhere(
      cause(problem, config),
      "the ranks do not agree on the HaloExchange: transport is 'auto' on rank 0, 'peer_store" + its);
  EXPECT_EQ(cause(problem, {.halo = {}}), "");
}

TEST_F(Misuse, ranks_that_make_different_things) {
  if (world.size() == 1) GTEST_SKIP() << "needs a rank to differ from";
  Parts parts(world);
  const auto field = parts.field();
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16 * world.size(), 16, 1}};
  expect_everywhere(cause_of([&] {
                      if (last())
                        DeepHaloRun<float>(world, problem, {world.size(), 1, 1}, {.halo = {}});
                      else
                        parts.make({field, field});
                    }),
                    "the ranks do not make the same: 'HaloExchange' on rank 0, 'DeepHalo' on rank " +
                        std::to_string(world.size() - 1));
}

// Fields that are written between advances.

/// Rank 0 is late for its second advance. The others begin theirs: do they store into its ghost cells?
class BetweenAdvances : public ::testing::TestWithParam<bool> {
 protected:
  static Problem after(Problem problem, grid::Index steps) {
    problem.steps = steps;
    return problem;
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(BetweenAdvances, whoever_writes_ghost_cells_must_refresh) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {40, 12 * world.size(), 1}};
  struct Passes {
    int depth, fused;
  };
  for (const auto& [depth, fused] : {Passes{1, 1}, Passes{2, 2}, Passes{3, 1}}) {
    const bool refresh = GetParam(), safe = refresh || fused < depth;
    const GridProblem grid = problem.on(world, {1, world.size(), 1});
    const grid::FieldLayout layout = grid.layout(depth, sizeof(float));
    const auto fill = [&](const memory::Array<float>& field, const std::vector<float>& own) {
      std::vector<float> values(field.size(), std::numeric_limits<float>::quiet_NaN());
      std::size_t n = 0;
      for_each_cell(layout.own_box(), [&](const grid::Triple& c) {
        values[static_cast<std::size_t>(layout.at(c))] = own[n++];
      });
      to_device(values, field);
    };
    const auto own_of = [&](const memory::Array<float>& field) {
      const auto all = to_host(field);
      std::vector<float> own;
      for_each_cell(layout.own_box(), [&](const grid::Triple& c) {
        own.push_back(all[static_cast<std::size_t>(layout.at(c))]);
      });
      return own;
    };
    const std::vector<float> start =
        own_part(after(problem, 0).reference<float>(), problem.cells, 1, grid.own());
    const auto one = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size()))),
               other = make_device_array(std::vector<float>(static_cast<std::size_t>(layout.size())));
    DeepHaloConfig config{.depth = depth, .fused_steps = fused, .halo = {}};
    config.halo.transport = "peer_store";
    config.halo.timeout = 60;
    fill(one, start);
    DeepHalo<float> stepper(world, grid, config, one, other);
    stepper.advance(3 * depth);
    stepper.finish();
    const memory::Array<float>& now = stepper.now() == one.data() ? one : other;
    // Start values again, and NaN in all ghost cells.
    fill(now, start);
    world.barrier();
    if (refresh) stepper.refresh();
    bool stored = false;
    if (world.rank() == 0) {
      // Long enough for the others in the one case, and until they have stored in the other.
      const auto ghost = static_cast<std::size_t>(layout.at({3, -1, 0}));
      for (int look = 0; !stored && look < (safe ? 100 : 30'000); ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        const float value = to_host(now)[ghost];
        stored = value == value;
      }
      fill(now, start);  // writes the ghost cells again: too late for what has been stored
    }
    stepper.advance(depth);
    stepper.finish();
    const auto stepped = own_of(stepper.now() == one.data() ? one : other);
    const std::string differs =
        difference(stepped, own_part(after(problem, depth).reference<float>(), problem.cells, 1, grid.own()));
    if (safe) {
      EXPECT_FALSE(stored) << "depth " << depth;
      EXPECT_EQ(differs, "") << "depth " << depth;
    } else if (world.rank() == 0) {
      EXPECT_TRUE(stored) << "this is what refresh is for";
      EXPECT_NE(differs, "");
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Refresh, BetweenAdvances, ::testing::Bool(),
                         [](const auto& parameter) { return parameter.param ? "with" : "without"; });

/// Two fields that take turns, each with a value of its own in all cells of a rank.
class Turns : public ::testing::Test {
 protected:
  void start(int dim) {
    parts.line_up(dim);
    parts.config.transport = "peer_store";
    parts.config.alternating = true;
    fill(one, 1);
    fill(other, 101);
    exchange.emplace(world, parts.plan(), parts.topology,
                     ExchangedFields::of<double>(parts.layout, {one, other}), parts.config, parts.timer);
    exchange->exchange(queue.exec(), other.data());
  }

  /// NaN in the ghost cells.
  void fill(const memory::Array<double>& field, double value) {
    std::vector<double> values(field.size(), std::numeric_limits<double>::quiet_NaN());
    for_each_cell(parts.layout.own_box(), [&](const grid::Triple& cell) {
      values[static_cast<std::size_t>(parts.layout.at(cell))] = value + world.rank();
    });
    to_device(values, field);
  }
  /// What stands below the first own cell, and left of it.
  std::array<double, 2> ghosts(const memory::Array<double>& field) {
    const auto values = to_host(field);
    return {values[static_cast<std::size_t>(parts.layout.at({0, -1, 0}))],
            values[static_cast<std::size_t>(parts.layout.at({-1, 0, 0}))]};
  }
  std::array<double, 2> expected(double value) const {
    return {value + parts.topology.neighbour({0, -1, 0}), value + parts.topology.neighbour({-1, 0, 0})};
  }
  void settle() {
    queue.exec().fence("haloheap::unit::exchanged");
    exchange->check();
  }
  static void pause() { std::this_thread::sleep_for(std::chrono::milliseconds(60)); }

  const Communicator world{MPI_COMM_WORLD};
  Parts parts{world, 1, 40};  // rows are stored as they are, columns packed: HaloBlocks::narrow
  const memory::Array<double> one = parts.field(), other = parts.field();
  const backend::Instance queue{backend::Priority::high};
  std::optional<HaloExchange> exchange;
};

// Rank 0 has not unpacked the values of one field when its neighbours send those of the other.
TEST_F(Turns, packed_values_of_both_fields_have_places_of_their_own) {
  start(0);
  exchange->begin(queue.exec(), one.data());
  if (world.rank() == 0) pause();
  exchange->end(queue.exec(), one.data());
  exchange->exchange(queue.exec(), other.data());
  settle();
  EXPECT_EQ(ghosts(one), expected(1));
  EXPECT_EQ(ghosts(other), expected(101));
}

// The promise is about the field whose turn it is: the same field again waits until its owner is ready.
TEST_F(Turns, a_field_that_has_its_turn_twice_is_not_stored_into_early) {
  start(1);
  settle();
  fill(other, 201);
  world.barrier();
  if (world.rank() == 0) pause();
  fill(other, 201);  // what was stored before this is lost
  exchange->exchange(queue.exec(), other.data());
  settle();
  EXPECT_EQ(ghosts(other), expected(201));
}

// Objects that end before their work was waited for.

struct Waits {
  std::vector<std::string> fences;
  std::vector<std::size_t> mapped;  // blocks of peers, at each
};
Waits waits;

TEST_F(Misuse, a_run_that_was_not_finished_waits_before_it_lets_go_of_its_peers) {
  namespace tools = Kokkos::Tools::Experimental;
  for (const bool graph : {false, true}) {
    const Problem problem{
        lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {32 * world.size(), 32, 1}};
    DeepHaloConfig config{.depth = 2, .overlap = Overlap::all_steps, .halo = {}, .graph = graph};
    config.halo.transport = "peer_store";
    std::optional<DeepHaloRun<float>> run(std::in_place, world, problem, grid::Triple{world.size(), 1, 1},
                                          config);
    run->stepper().advance(9);
    const tools::EventSet before = tools::get_callbacks();
    waits = {};
    tools::set_begin_fence_callback([](const char* label, std::uint32_t, std::uint64_t*) {
      if (std::string(label) != "haloheap::comm::deep_halo_end") return;
      waits.fences.emplace_back(label);
      waits.mapped.push_back(backend::ipc_counts().open);
    });
    const std::size_t mapped = backend::ipc_counts().open;
    run.reset();
    tools::set_callbacks(before);
    EXPECT_EQ(waits.fences.size(), 2U) << "one for the interior's queue, one for the border's";
    EXPECT_EQ(mapped > 0, world.size() > 1);
    for (const std::size_t at_wait : waits.mapped)
      EXPECT_EQ(at_wait, mapped) << "peers' memory is still there";
    EXPECT_EQ(backend::ipc_counts().open, 0U);
  }
}

TEST_F(Misuse, a_rank_keeps_its_memory_until_its_neighbours_have_let_go_of_it) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  constexpr int gone = 77;
  for (const TransportInfo& info : transports()) {
    if (info.carrier != Carrier::devices || info.reach != Reach::node) continue;  // maps no memory
    Parts parts(world);
    parts.config.transport = info.name;
    const auto field = parts.field();
    std::optional<HaloExchange> exchange(std::in_place, world, parts.plan(), parts.topology,
                                         ExchangedFields::of<double>(parts.layout, {field, field}),
                                         parts.config, parts.timer);
    world.barrier();
    int found = 0;
    if (last()) {
      for (int look = 0; look < 100 && !found; ++look) {
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
        MPI_Iprobe(0, gone, world.get(), &found, MPI_STATUS_IGNORE);
      }
      EXPECT_EQ(found, 0) << "rank 0 has ended its exchange while this rank still has its memory mapped";
    }
    exchange.reset();
    char byte = 0;
    if (world.rank() == 0) MPI_Send(&byte, 1, MPI_CHAR, world.size() - 1, gone, world.get());
    if (last()) MPI_Recv(&byte, 1, MPI_CHAR, 0, gone, world.get(), MPI_STATUS_IGNORE);
  }
}

/// Receives can be cancelled, and messages as short as these leave at once: MPI has nothing any more.
TEST_F(Misuse, an_exchange_that_was_given_up_gives_its_buffers_back) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour to lose";
  for (const std::string& mpi : request_modes()) {
    const auto buffers = std::make_shared<memory::StatisticsResource>(memory::make_memory_resource("device"));
    Parts parts(world);
    parts.config.mpi = mpi;
    parts.config.buffers = buffers;
    parts.config.timeout = 0.2;
    const auto field = parts.field();
    {
      auto exchange = parts.make({field.data(), field.data()});
      EXPECT_GT(buffers->snapshot().live_bytes, 0U);
      std::string error;
      if (!last()) error = error_of([&] { exchange.exchange(exec, field.data()); });
      if (world.rank() == 0) {
        EXPECT_NE(error, "") << "the last rank, a neighbour, was not missed";
      }
      exec.fence("haloheap::unit::given_up");
      world.barrier();
    }
    EXPECT_EQ(buffers->snapshot().live_bytes, 0U) << mpi;
  }
}

TEST_F(Misuse, a_run_that_was_not_finished_says_what_it_met) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour to lose";
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16, 8 * world.size(), 1}};
  for (const bool finished : {false, true}) {
    DeepHaloConfig config{.halo = {}};
    config.halo.transport = "peer_store";
    std::optional<DeepHaloRun<float>> run(std::in_place, world, problem, grid::Triple{1, world.size(), 1},
                                          config, "device", 0.2);
    std::string thrown, said;
    if (!last()) {
      ::testing::internal::CaptureStderr();
      // On a device nothing is known of it yet; on a host the first step has waited in vain.
      thrown = error_of([&] { run->stepper().advance(1); });
      if (finished && thrown.empty()) thrown = error_of([&] { run->stepper().finish(); });
      run.reset();
      said = ::testing::internal::GetCapturedStderr();
    }
    world.barrier();
    run.reset();
    if (last()) continue;
    // What was thrown is not said again.
    if (thrown.empty() && world.size() < 4) {
      EXPECT_NE(said.find("haloheap: error in DeepHalo::~DeepHalo: rank "), std::string::npos) << said;
    }
    if (!thrown.empty()) {
      EXPECT_EQ(said, "");
    }
  }
}

}  // namespace
}  // namespace haloheap::comm
