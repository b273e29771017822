// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that come late, and messages in ever another order: nobody may use what has not come, or overwrite
// what is still read.
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/comm/shuffled_messages.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <random>
#include <string>
#include <thread>

namespace haloheap::comm {
namespace {

using namespace testing;

class LateNeighbour : public ::testing::Test {
 protected:
  /// Sleeps before some of the exchanges, differently on each rank.
  void run_late(const Problem& problem, const Path& path, Exchange exchange, Overlap overlap, int depth,
                const std::vector<float>& reference) {
    DeepHaloConfig config{.depth = depth, .exchange = exchange, .overlap = overlap, .halo = {}};
    path.apply(config);
    take_turns(problem, config);
    DeepHaloRun<float> run(world, problem, ranks(), config);
    const ShuffleMessages shuffle(generator());
    // A graph holds two exchanges; steps that do not fill one run as usual.
    const grid::Index portion = path.graph ? 2 * grid::Index{depth} : depth;
    for (grid::Index done = 0; done < problem.steps; done += portion) {
      if (delay(generator) < 2)
        std::this_thread::sleep_for(std::chrono::microseconds(400 * delay(generator)));
      run.stepper().advance(std::min<grid::Index>(portion, problem.steps - done));
      if (delay(generator) == 0) run.stepper().finish();
    }
    EXPECT_EQ(run.compare(reference), "")
        << path.describe() << ", overlap " << static_cast<int>(overlap) << ", depth " << depth;
  }

  /// Every other run has a message each way, whose order nobody keeps; of those with buffers of the host some
  /// leave packing and corners to it.
  void take_turns(const Problem& problem, DeepHaloConfig& config) {
    DeepHaloConfig other = config;
    const int number = way++;
    other.messages = MessagesPer(number % 2);
    if (!problem_of(problem.on(world, ranks()), other)) config = other;
    other.halo.packing = Packing(number / 2 % 2);
    other.halo.corners = Corners(number / 4 % 2);
    if (!problem_of(problem.on(world, ranks()), other)) config = other;
  }

  /// As many neighbours as can be.
  grid::Triple ranks() const {
    return world.size() > 2 && world.size() % 2 == 0 ? grid::Triple{2, world.size() / 2, 1}
                                                     : grid::Triple{1, world.size(), 1};
  }

  /// Which combinations are run: between peers all; with the host in between depth 3 with every overlap, and
  /// depth 1 with one; graphs with every overlap, each at a depth of its own. Of many ranks on few cores each
  /// turn takes long: there every fourth.
  bool taken(const Path& path, Overlap overlap, int depth) {
    const bool busy = world.size() > 4 && combination++ % 4 != 0;
    const bool peers =
        path.transport == "auto" || transport_info(path.transport, path.mpi).reach == Reach::node;
    if (peers && !path.graph) return !busy;
    if (path.graph) return (static_cast<int>(overlap) + path_turn(path)) % 3 == depth - 1;
    return !busy && (depth == 3 || (depth == 1 && static_cast<int>(overlap) == path_turn(path) % 3));
  }
  /// A number of its own for each path.
  int path_turn(const Path& path) {
    return turns.emplace(path.describe(), static_cast<int>(turns.size())).first->second;
  }

  const Communicator world{MPI_COMM_WORLD};
  std::mt19937 generator{static_cast<unsigned>(17 + world.rank())};
  std::uniform_int_distribution<int> delay{0, 5};
  std::map<std::string, int> turns;
  int combination = 0, way = 0;
};

TEST_F(LateNeighbour, changes_no_bit) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[0], {31, 17 * world.size(), 1}, 2, 40};
  const auto reference = problem.reference<float>();
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps})
      for (const Path& path : paths(exchange))
        for (const int depth : {1, 2, 3})
          if (taken(path, overlap, depth)) run_late(problem, path, exchange, overlap, depth, reference);
  EXPECT_EQ(persistent_requests(), 0U) << "an exchange has ended and left requests";
  if (world.size() == 1) return;
  const Shuffled all = shuffled();
  EXPECT_GT(all.out_of_order, all.requests / 20);
  EXPECT_GT(all.kept, all.requests / 2);
  if (world.size() > 2) {
    EXPECT_GT(all.arrival_orders, 0U) << "two messages came in one order at one time, in another at another";
  }
}

/// A neighbour that never comes ends the wait, whoever waits.
TEST_F(LateNeighbour, who_never_comes_is_named) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {16, 8 * world.size(), 1}};
  for (const Path& path : paths(Exchange::sync)) {
    if (path.transport == "auto" || (path.mpi != "persistent" && path.mpi != shared_memory)) continue;
    DeepHaloConfig config{.depth = 2, .halo = {}};
    path.apply(config);
    DeepHaloRun<float> run(world, problem, {1, world.size(), 1}, config, "device", 0.3);
    if (world.rank() == 0) continue;  // comes only to take leave
    try {
      run.stepper().advance(20);
      run.stepper().finish();
      if (world.size() < 4) {
        ADD_FAILURE() << path.describe() << ": a step needs rank 0";
      }
    } catch (const CommunicationError& error) {
      EXPECT_NE(std::string(error.what()).find("waited 0.3 s for rank"), std::string::npos) << error.what();
      if (world.size() == 2) {
        EXPECT_NE(std::string(error.what()).find("for rank 0"), std::string::npos) << error.what();
      }
      try {
        run.stepper().advance(1);
        ADD_FAILURE() << path.describe() << ": went on after its neighbour was lost";
      } catch (const UsageError& again) {
        EXPECT_NE(std::string(again.what()).find("was called after an exchange that failed"),
                  std::string::npos)
            << again.what();
      }
    }
  }
}

}  // namespace
}  // namespace haloheap::comm
