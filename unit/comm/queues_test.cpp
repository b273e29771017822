// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Instances of DeepHalo with queues that work waits in: whatever order the events allow, on each rank
// another, the result has the bits of the reference.
#include <haloheap/backend/launch.hpp>
#include <haloheap/comm/halo/halo.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/comm/path_alone.hpp>
#include <haloheap/unit/core/backend/emulated_queues.hpp>
#include <haloheap/unit/core/stencil/measure_checks.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <random>

namespace haloheap::comm {
namespace {

using namespace testing;
using T = double;

/// One way to run one problem, drawn by the seed: the same on all ranks.
struct Case {
  Problem problem;
  grid::Triple ranks;
  DeepHaloConfig config;
  std::vector<grid::Index> portions;
};

class DeepHaloQueues : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  }

  /// Paths without a rank that waits for a message of MPI while another's queue, which is the same thread
  /// here, waits for its store.
  static std::vector<Path> paths_of_one_kind(Exchange exchange) {
    std::vector<Path> all = paths(exchange);
    std::erase_if(all, [](const Path& path) { return path.transport == "auto"; });
    return all;
  }

  grid::Triple draw_ranks(int dims) {
    const int n = world.size();
    if (n == 4)
      return dims == 3 ? pick<grid::Triple>({{2, 1, 2}, {1, 2, 2}})
                       : pick<grid::Triple>({{2, 2, 1}, {1, 4, 1}});
    return dims == 3 ? pick<grid::Triple>({{1, 1, n}, {n, 1, 1}})
                     : pick<grid::Triple>({{1, n, 1}, {n, 1, 1}});
  }

  Case draw(int dims) {
    const stencil::StencilKind& kind = stencil::stencil_table[below(std::size(stencil::stencil_table))];
    const std::vector<grid::Boundary> all = boundaries();
    Case drawn{.problem = {lopsided_stencil(dims, kind.shape, kind.radius), all[below(all.size())],
                           dims == 3 ? grid::Triple{15, 16, 17} : grid::Triple{43, 45, 1}, pick<int>({1, 2})},
               .ranks = draw_ranks(dims),
               .config = {.halo = {}},
               .portions = {}};
    DeepHaloConfig& config = drawn.config;
    do {
      config.depth = pick<int>({1, 2, 3, 4, 6});
    } while (!drawn.problem.fits(drawn.ranks, config.depth));
    config.fused_steps = pick<int>({1, 1, 2, 3});
    config.fused_steps =
        std::min({config.fused_steps, config.depth, stencil::max_fused_steps(drawn.problem.stencil)});
    config.exchange = pick<Exchange>({Exchange::sync, Exchange::async});
    config.overlap = pick<Overlap>({Overlap::none, Overlap::first_step, Overlap::all_steps});
    config.phases = pick<bool>({true, false});
    const std::vector<Path> ways = paths_of_one_kind(config.exchange);
    ways[below(ways.size())].apply(config);
    if (pick<bool>({true, false})) {
      config.residual = stencil::ResidualScale::make(
          stencil::residual_bound(drawn.problem.stencil, drawn.problem.boundary, 1),
          product(drawn.problem.cells) * drawn.problem.quantities);
      config.residual_interval = pick<int>({1, 2}) * (config.fused_steps > 1 ? config.depth : 1);
    }
    for (grid::Index left = drawn.problem.steps = pick<grid::Index>({5, 9, 19}); left > 0;
         left -= drawn.portions.back())
      drawn.portions.push_back(1 + static_cast<grid::Index>(below(static_cast<std::size_t>(left))));
    return drawn;
  }

  static std::string describe(const Case& drawn) {
    return fmt::format(
        "{} dimensions, ranks {} x {} x {}, depth {}, fused {}, exchange {}, overlap {}, {}, {}{}",
        drawn.problem.stencil.dims, drawn.ranks.x, drawn.ranks.y, drawn.ranks.z, drawn.config.depth,
        drawn.config.fused_steps, static_cast<int>(drawn.config.exchange),
        static_cast<int>(drawn.config.overlap), drawn.config.halo.transport, drawn.config.halo.mpi,
        drawn.config.graph ? ", graph" : "");
  }

  /// The own cells as they lie in memory: a copy of Kokkos would wait for all there is.
  std::string compare(const Case& drawn, const T* now) const {
    const GridProblem grid = drawn.problem.on(world, drawn.ranks);
    const grid::FieldLayout layout = grid.layout(drawn.config.depth, sizeof(T));
    std::vector<T> cells;
    for (int quantity = 0; quantity < layout.quantities; ++quantity)
      for_each_cell(layout.own_box(),
                    [&](const grid::Triple& c) { cells.push_back(now[layout.at(c, quantity)]); });
    return difference(cells, own_part(drawn.problem.reference<T>(), drawn.problem.cells,
                                      drawn.problem.quantities, grid.own()));
  }

  std::string compare_residuals(const Case& drawn, const std::vector<stencil::ResidualSum>& mine) const {
    const Problem& problem = drawn.problem;
    const auto all =
        stencil::reference_residuals<T>(problem.initial(), problem.stencil, problem.boundary, problem.cells,
                                        problem.quantities, problem.steps, *drawn.config.residual);
    std::vector<double> sums, expected;
    for (const stencil::ResidualSum& sum : mine)
      sums.insert(sums.end(), std::begin(sum.part), std::end(sum.part));
    const auto every = static_cast<std::size_t>(drawn.config.residual_interval);
    for (std::size_t step = every; step <= all.size(); step += every)
      expected.insert(expected.end(), std::begin(all[step - 1].part), std::end(all[step - 1].part));
    MPI_Allreduce(MPI_IN_PLACE, sums.data(), static_cast<int>(sums.size()), MPI_DOUBLE, MPI_SUM, world.get());
    return difference(sums, expected);
  }

  void run(const Case& drawn, std::uint64_t seed) {
    const std::uint64_t ranks = static_cast<std::uint64_t>(world.size());
    EmulatedQueues queues(seed * ranks + static_cast<std::uint64_t>(world.rank()));
    DeepHaloRun<T> run(world, drawn.problem, drawn.ranks, drawn.config);
    for (const grid::Index portion : drawn.portions) run.stepper().advance(portion);
    run.stepper().finish();
    EXPECT_EQ(compare(drawn, run.stepper().now()), "") << "seed " << seed << ": " << describe(drawn);
    for (const double seconds : run.stepper().timer().seconds()) {
      EXPECT_GE(seconds, 0);
      EXPECT_LT(seconds, 1000);
    }
    if (drawn.config.residual) {
      EXPECT_EQ(compare_residuals(drawn, run.stepper().residuals()), "") << describe(drawn);
    }
    overtaking += queues.overtaking();
  }

  /// Fewer on more ranks, which wait for each other, perhaps on one core.
  std::uint64_t runs_of(int one_rank) const {
    return static_cast<std::uint64_t>(one_rank / (world.size() > 2 ? 10 : world.size()));
  }
  std::size_t below(std::size_t n) { return random() % n; }
  template <class Value>
  Value pick(std::initializer_list<Value> values) {
    return values.begin()[below(values.size())];
  }

  const Communicator world{MPI_COMM_WORLD};
  std::mt19937_64 random;  // the same numbers on all ranks
  std::uint64_t overtaking = 0;
};

TEST_F(DeepHaloQueues, any_order_that_the_events_allow_gives_the_same_bits_in_two_dimensions) {
  const std::uint64_t runs = runs_of(240);
  for (std::uint64_t seed = 0; seed < runs; ++seed) run(draw(2), seed);
  EXPECT_GT(overtaking, 4 * runs);
}

TEST_F(DeepHaloQueues, any_order_that_the_events_allow_gives_the_same_bits_in_three_dimensions) {
  const std::uint64_t runs = runs_of(60);
  for (std::uint64_t seed = 0; seed < runs; ++seed) run(draw(3), seed);
  EXPECT_GT(overtaking, runs);
}

// The sums start anew after all that was enqueued before.
TEST_F(DeepHaloQueues, residuals_start_anew_behind_the_steps_before) {
  for (std::uint64_t seed = 0; seed < runs_of(30); ++seed) {
    Case drawn = draw(2);
    drawn.config.fused_steps = 1;
    drawn.config.residual = stencil::ResidualScale::make(
        stencil::residual_bound(drawn.problem.stencil, drawn.problem.boundary, 1),
        product(drawn.problem.cells) * drawn.problem.quantities);
    const EmulatedQueues queues(seed);
    DeepHaloRun<T> run(world, drawn.problem, drawn.ranks, drawn.config);
    run.stepper().advance(drawn.problem.steps);
    run.stepper().reset_residuals();
    run.stepper().finish();
    EXPECT_TRUE(run.stepper().residuals().empty()) << describe(drawn);
  }
}

/// One field of doubles, whose values are added up without rounding.
struct OneField {
  using Fields = stencil::Fields<T>;
  using Measures = stencil::Measures<stencil::Sum, stencil::Max>;
  static constexpr int dims = 2;

  static double tamed(double value) { return 2 + value / (1 + std::fabs(value)); }
  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    return stencil::measured(tamed(cell(0)), cell(0));
  }
  double bound(int /*number*/) const { return 3; }
};

// Fields are measured behind their last pass, whichever instance made it, and before they are overwritten.
TEST_F(DeepHaloQueues, measurements_have_the_fields_of_their_step) {
  const auto ranks = static_cast<std::uint64_t>(world.size()),
             rank = static_cast<std::uint64_t>(world.rank());
  for (std::uint64_t seed = 0; seed < runs_of(120); ++seed) {
    Case drawn = draw(2);
    drawn.problem.quantities = 1;
    drawn.config.residual.reset();
    const grid::Index interval = drawn.config.depth * pick<int>({1, 2});
    if (seed % 2 == 0) {  // the history grows while a measurement is in the queue
      drawn.portions.assign(7, interval);
      drawn.problem.steps = 7 * interval;
    }
    const EmulatedQueues queues(seed * ranks + rank);
    DeepHaloRun<T> run(world, drawn.problem, drawn.ranks, drawn.config);
    run.stepper().measure_each(interval, OneField{});
    for (const grid::Index portion : drawn.portions) run.stepper().advance(portion);
    const auto last = run.stepper().measure(OneField{});  // waits for itself and all before
    const std::vector<T> values = drawn.problem.reference<T>();
    EXPECT_EQ(last[1], *std::max_element(values.begin(), values.end())) << describe(drawn);
    const std::vector<std::vector<double>> history = run.stepper().measured();
    ASSERT_EQ(history.size(), static_cast<std::size_t>(drawn.problem.steps / interval)) << describe(drawn);
    for (std::size_t i = 0; i < history.size(); ++i) {
      Problem until = drawn.problem;
      until.steps = static_cast<grid::Index>(i + 1) * interval;
      const std::vector<T> then = until.reference<T>();
      IntegerSum sum;
      for (const T value : then) sum.add(OneField::tamed(value));
      expect_same(history[i], {sum.value(), *std::max_element(then.begin(), then.end())},
                  fmt::format("seed {}, state {}: {}", seed, i, describe(drawn)));
    }
  }
}

// Where there are more spans than the timer keeps events for, it waits for the last before it adds them up.
TEST_F(DeepHaloQueues, a_timer_folds_spans_that_have_ended) {
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    const EmulatedQueues queues(seed);
    const backend::Instance instance(backend::Priority::low);
    PhaseTimer timer(true);
    T from = 1, to = 0;
    backend::copy_async(instance.exec(), &to, &from, sizeof to);
    for (int span = 0; span <= 1 << 16; ++span) {
      timer.begin(Phase::inner, instance.exec());
      timer.end(Phase::inner, instance.exec());
    }
    EXPECT_EQ(to, 1) << "seed " << seed;
  }
}

// A path by itself: a rank sends itself eight bytes.
TEST_F(DeepHaloQueues, messages_wait_until_their_bytes_are_packed) {
  for (const TransportInfo& info : transports()) {
    if (info.reach == Reach::node || !unavailable_reason(info.name).empty()) continue;  // not the host
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      const EmulatedQueues queues(seed);
      PathAlone path(make_path(info.name, {.communicator = world,
                                           .rounds = {{{world.rank(), 0, sizeof(T), 0, sizeof(T)}}},
                                           .buffers = memory::make_memory_resource("device"),
                                           .timeout = 30,
                                           .force_gpu_aware = true}),
                     1);
      const backend::Instance instance(backend::Priority::high);
      for (T value = 1; value < 4; ++value) {
        backend::copy_async(instance.exec(), path.send(0), &value, sizeof value);
        path.begin(0, instance.exec());
        path.end(0, instance.exec());
        T arrived = 0;
        backend::copy_async(instance.exec(), &arrived, path.received(0), sizeof arrived);
        backend::fence(instance.exec(), "haloheap::unit::arrived");
        EXPECT_EQ(arrived, info.delivers ? value : 0) << info.name << ", seed " << seed;
      }
    }
  }
}

/// Writes the own cells anew, each with a number of its place and the time.
struct WriteCells {
  T* cells;
  grid::Index rows, row, time, rank;

  KOKKOS_FUNCTION void operator()(int) const {
    for (grid::Index y = 0; y < rows; ++y)
      for (grid::Index x = 0; x < row; ++x) {
        const bool own = x > 0 && y > 0 && x < row - 1 && y < rows - 1;
        cells[x + y * row] = own ? static_cast<T>(1000 * time + 100 * rank + (x + 3 * y) % 50) : -1;
      }
  }
};

/// Keeps what stands there at this moment of the queue.
struct KeepCells {
  const T* cells;
  T* kept;
  grid::Index count;

  KOKKOS_FUNCTION void operator()(int) const {
    for (grid::Index i = 0; i < count; ++i) kept[i] = cells[i];
  }
};

/// An exchange, and the sums of its ghost cells, of a View by two queues: one that writes and reads it, one
/// that exchanges.
class HaloQueues : public DeepHaloQueues {
 protected:
  static constexpr grid::Index nx = 7, ny = 5, row = nx + 2, rows = ny + 2, times = 4;

  void run(std::uint64_t seed) {
    const Exchange exchange = pick<Exchange>({Exchange::sync, Exchange::async});
    const grid::Triple ranks = draw_ranks(2);
    const Grid grid{
        2, {nx * ranks.x, ny * ranks.y, 1}, Topology::make(world.rank(), ranks, {true, true, true})};
    const std::vector<Path> ways = paths_of_one_kind(exchange);
    DeepHaloConfig settings{.halo = {}};
    const Path& path = ways[below(ways.size())];
    path.apply(settings);
    HaloConfig config{.width = 1, .exchange = exchange, .accumulate = true, .halo = settings.halo};
    config.halo.timeout = long_timeout;

    EmulatedQueues queues(seed * static_cast<std::uint64_t>(world.size()) +
                          static_cast<std::uint64_t>(world.rank()));
    const memory::Array<T> cells(memory::make_memory_resource("device"), "haloheap::unit::cells", row * rows);
    const Kokkos::View<T**, Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace> view(cells.data(), rows, row);
    Halo halo(world, grid, {view}, config);
    const backend::Instance queue(backend::Priority::high), work(backend::Priority::low);
    std::vector<std::vector<T>> filled(times, std::vector<T>(row * rows)), summed = filled;
    using One = Kokkos::RangePolicy<backend::Exec>;
    for (grid::Index time = 0; time < times; ++time) {
      const auto turn = static_cast<std::size_t>(time);
      backend::parallel_for("haloheap::unit::write", One(queue.exec(), 0, 1),
                            WriteCells{cells.data(), rows, row, time, world.rank()});
      if (pick<bool>({true, false})) {
        halo.exchange(queue.exec());
      } else {
        halo.begin(queue.exec());
        halo.end(queue.exec());
      }
      keep(queue, cells, filled[turn]);
      halo.accumulate(queue.exec());
      keep(queue, cells, summed[turn]);
      other_work(work);
    }
    backend::fence(queue.exec(), "haloheap::unit::exchanged");
    backend::fence(work.exec(), "haloheap::unit::work");
    halo.check();
    for (grid::Index time = 0; time < times; ++time)
      check(grid.topology, time, filled[static_cast<std::size_t>(time)],
            summed[static_cast<std::size_t>(time)],
            fmt::format("seed {}, {}, {}", seed, path.describe(), name_of(exchange)));
    overtaking += queues.overtaking();
  }

 private:
  void keep(const backend::Instance& queue, const memory::Array<T>& cells, std::vector<T>& kept) {
    backend::parallel_for("haloheap::unit::keep", Kokkos::RangePolicy<backend::Exec>(queue.exec(), 0, 1),
                          KeepCells{cells.data(), kept.data(), row * rows});
  }
  void other_work(const backend::Instance& queue) {
    backend::parallel_for("haloheap::unit::work", Kokkos::RangePolicy<backend::Exec>(queue.exec(), 0, 1),
                          KeepCells{scratch.data(), scratch.data() + 1, 1});
  }

  /// Every ghost cell holds its owner's value, and every own cell then once more for each ghost cell of it.
  void check(const Topology& topology, grid::Index time, const std::vector<T>& filled,
             const std::vector<T>& summed, const std::string& what) const {
    int wrong = 0;
    for (grid::Index y = 0; y < rows; ++y)
      for (grid::Index x = 0; x < row; ++x) {
        const grid::Triple to{x == 0 ? -1 : x > nx, y == 0 ? -1 : y > ny, 0};
        const int owner = topology.neighbour(to);
        const grid::Index own_x = x - to.x * nx, own_y = y - to.y * ny;
        const T value = static_cast<T>(1000 * time + 100 * owner + (own_x + 3 * own_y) % 50);
        const auto at = static_cast<std::size_t>(x + y * row);
        wrong += filled[at] != value;
        const int sides = (x == 1 || x == nx) + (y == 1 || y == ny);
        if (to == grid::Triple{}) wrong += summed[at] != value * (sides == 2 ? 4 : 1 + sides);
      }
    EXPECT_EQ(wrong, 0) << what << ", time " << time;
  }

  std::vector<T> scratch = std::vector<T>(2);
};

TEST_F(HaloQueues, any_order_that_the_events_allow_gives_the_same_ghost_cells_and_sums) {
  const std::uint64_t runs = runs_of(120);
  for (std::uint64_t seed = 0; seed < runs; ++seed) run(seed);
  EXPECT_GT(overtaking, runs);
}

}  // namespace
}  // namespace haloheap::comm
