// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Ranks that come late, in ever another order: nobody may use what has not come, or overwrite what is still
// read.
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <chrono>
#include <random>
#include <thread>

namespace haloheap {
namespace {

using namespace testing;

class LateNeighbour : public ::testing::Test {
 protected:
  /// Sleeps before some of the exchanges, differently on each rank.
  void run_late(const Problem& problem, const Path& path, Exchange exchange, Overlap overlap, int depth,
                const std::vector<float>& reference) {
    DeepHaloConfig config{.depth = depth, .exchange = exchange, .overlap = overlap, .halo = {}};
    path.apply(config);
    DeepHaloRun<float> run(world, problem, {1, world.size(), 1}, config);
    for (Index done = 0; done < problem.steps; done += depth) {
      if (delay(generator) < 2)
        std::this_thread::sleep_for(std::chrono::microseconds(400 * delay(generator)));
      run.stepper().advance(std::min<Index>(depth, problem.steps - done));
      if (delay(generator) == 0) run.stepper().finish();
    }
    EXPECT_EQ(run.compare(reference), "") << path.describe() << ", overlap " << static_cast<int>(overlap);
  }

  static const TransportInfo& transport_info_of(const Path& path) {
    return transport_info(path.transport == "auto" ? "peer_store" : path.transport, path.mpi);
  }

  const Communicator world{MPI_COMM_WORLD};
  std::mt19937 generator{static_cast<unsigned>(17 + world.rank())};
  std::uniform_int_distribution<int> delay{0, 5};
};

TEST_F(LateNeighbour, changes_no_bit) {
  const Problem problem{
      lopsided_stencil(2, StencilShape::box, 1), boundaries()[0], {31, 17 * world.size(), 1}, 2, 40};
  const auto reference = problem.reference<float>();
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const Overlap overlap : {Overlap::none, Overlap::first_step, Overlap::all_steps})
      for (const Path& path : paths(exchange))
        for (const int depth : {1, 2, 3})
          if (!path.graph && (depth == 3 || transport_info_of(path).reach == Reach::node))
            run_late(problem, path, exchange, overlap, depth, reference);
}

/// A neighbour that never comes ends the wait, whoever waits.
TEST_F(LateNeighbour, who_never_comes_is_named) {
  if (world.size() == 1) GTEST_SKIP() << "needs a neighbour";
  const Problem problem{
      lopsided_stencil(2, StencilShape::star, 1), boundaries()[0], {16, 8 * world.size(), 1}};
  for (const Path& path : plain_paths()) {
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
    }
  }
}

}  // namespace
}  // namespace haloheap
