// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rank grids of three and four in each dimension, where all eight neighbours of a rank are other ranks.
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <set>

namespace haloheap::comm {
namespace {

using namespace testing;

class ManyRanks : public ::testing::Test {
 protected:
  void check(const DeepHaloConfig& config) {
    DeepHaloRun<float> run(world, problem, {side, side, 1}, config);
    run.stepper().advance(problem.steps);
    EXPECT_EQ(run.compare(reference), "") << config.halo.transport << ", " << config.halo.mpi;
  }

  const Communicator world{MPI_COMM_WORLD};
  const grid::Index side = std::lround(std::sqrt(world.size()));
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::box, 1), boundaries()[0], {29, 31, 1}, 1, 5};
  const std::vector<float> reference = problem.reference<float>();
};

TEST_F(ManyRanks, have_eight_neighbours_each) {
  const Topology topology = problem.on(world, {side, side, 1}).topology;
  const grid::FieldLayout layout = problem.on(world, {side, side, 1}).layout(2, sizeof(float));
  const HaloPlan plan = HaloPlan::make(topology, layout, problem.cells, Exchange::async);
  ASSERT_EQ(plan.messages(), 8);
  std::set<int> peers;
  for (const HaloMessage& message : plan.rounds[0].messages) peers.insert(message.peer);
  EXPECT_EQ(peers.size(), 8U);
  EXPECT_FALSE(peers.count(world.rank()));
}

TEST_F(ManyRanks, get_the_bits_of_the_reference) {
  int turn = 0;
  for (const Exchange exchange : {Exchange::sync, Exchange::async})
    for (const Path& path : paths(exchange)) {
      const auto next = turn++;
      DeepHaloConfig config{.depth = 1 + next % 3,
                            .exchange = exchange,
                            .messages = MessagesPer(next / 2 % 2),
                            .overlap = Overlap(next % 3),
                            .halo = {}};
      path.apply(config);
      if (problem_of(problem.on(world, {side, side, 1}), config)) config.messages = MessagesPer::neighbour;
      check(config);
    }
}

TEST_F(ManyRanks, may_leave_packing_and_corners_to_the_host) {
  for (const std::string& transport : host_buffered_transports())
    for (const Exchange exchange : {Exchange::sync, Exchange::async})
      for (const Packing packing : {Packing::kernel, Packing::datatype}) {
        DeepHaloConfig config{.depth = 2,
                              .redundant = Redundant::whole,
                              .exchange = exchange,
                              .messages = MessagesPer::direction,
                              .overlap = Overlap::first_step,
                              .halo = {}};
        Path{transport}.apply(config);
        config.halo.packing = packing;
        config.halo.corners = Corners::host;
        check(config);
      }
}

}  // namespace
}  // namespace haloheap::comm
