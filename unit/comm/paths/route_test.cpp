// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace haloheap::comm {
namespace {

using namespace testing;

const std::string beyond_a_node = backend::kernels_on_host ? "mapped" : "pinned";

class RouteTest : public ::testing::Test {
 protected:
  /// A chain of ranks in y, open at its ends.
  HaloPlan chain() const {
    const Problem problem{
        lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[1], {8, 8 * world.size(), 1}};
    const GridProblem grid = problem.on(world, {1, world.size(), 1});
    return HaloPlan::make(grid.topology, grid.layout(1, sizeof(float)), grid.cells, Exchange::async);
  }
  static std::vector<int> peers(const Route& route) {
    std::vector<int> all;
    for (const HaloRound& round : route.plan.rounds)
      for (const HaloMessage& message : round.messages) all.push_back(message.peer);
    return all;
  }
  std::vector<int> neighbours() const {
    std::vector<int> all;
    for (const int peer : {world.rank() - 1, world.rank() + 1})
      if (peer >= 0 && peer < world.size()) all.push_back(peer);
    return all;
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_F(RouteTest, ranks_of_one_machine_are_one_node) {
  EXPECT_EQ(nodes_of(world, 0), std::vector<int>(static_cast<std::size_t>(world.size()), 0));
}

TEST_F(RouteTest, nodes_can_be_pretended) {
  std::vector<int> expected;
  for (int rank = 0; rank < world.size(); ++rank) expected.push_back(rank / 2 * 2);
  EXPECT_EQ(nodes_of(world, 2), expected);
}

TEST_F(RouteTest, a_named_transport_takes_all) {
  for (const TransportInfo& info : transports()) {
    const auto routes = make_routes(world, chain(), info.name, "persistent", 0);
    ASSERT_EQ(routes.size(), 1U);
    EXPECT_EQ(routes[0].transport, info.name);
    EXPECT_EQ(peers(routes[0]), neighbours());
    EXPECT_EQ(routes[0].plan.rounds.size(), chain().rounds.size());
  }
}

TEST_F(RouteTest, auto_stays_within_the_node_where_it_can) {
  const auto routes = make_routes(world, chain(), "auto", "persistent", 0);
  ASSERT_EQ(routes.size(), 1U);
  EXPECT_EQ(routes[0].transport, "peer_store");
  EXPECT_EQ(peers(routes[0]), neighbours());
}

TEST_F(RouteTest, auto_mixes_by_neighbour) {
  if (world.size() < 3) GTEST_SKIP() << "needs two nodes";
  const auto routes = make_routes(world, chain(), "auto", "persistent", 2);
  ASSERT_EQ(routes.size(), 2U);
  EXPECT_EQ(routes[0].transport, "peer_store");
  EXPECT_EQ(routes[1].transport, beyond_a_node);
  for (const int peer : peers(routes[0])) EXPECT_EQ(peer / 2, world.rank() / 2);
  for (const int peer : peers(routes[1])) EXPECT_NE(peer / 2, world.rank() / 2);
  EXPECT_EQ(peers(routes[0]).size() + peers(routes[1]).size(), neighbours().size());
}

TEST_F(RouteTest, neighbours_out_of_reach_are_named) {
  if (world.size() < 3) GTEST_SKIP() << "needs a rank with two neighbours";
  try {
    make_routes(world, chain(), "peer_copy", "persistent", 1);
    FAIL() << "every rank is a node of its own";
  } catch (const AgreedError& error) {
    EXPECT_STREQ(error.what(),
                 "transport 'peer_copy' does not leave a node, and rank 0 has neighbours on others: rank 1\n"
                 "  remedy: use transport auto, which serves each neighbour as it can be reached, or pinned");
    EXPECT_EQ(error.kind(), ErrorKind::capability);
  }
}

TEST_F(RouteTest, shared_memory_does_not_leave_a_node_either) {
  EXPECT_EQ(peers(make_routes(world, chain(), "pinned", "shared", 0)[0]), neighbours());
  if (world.size() < 3) GTEST_SKIP() << "needs a rank with two neighbours";
  for (const std::string transport : {"pinned", "auto"}) {
    try {
      make_routes(world, chain(), transport, "shared", 1);
      FAIL() << "every rank is a node of its own";
    } catch (const AgreedError& error) {
      EXPECT_STREQ(
          error.what(),
          "transport 'pinned' with message mode shared does not leave a node, and rank 0 has neighbours "
          "on others: rank 1\n"
          "  remedy: use another message mode, persistent for instance");
      EXPECT_EQ(error.kind(), ErrorKind::capability);
    }
  }
}

TEST_F(RouteTest, mixed_paths_are_told) {
  if (world.size() != 4) GTEST_SKIP() << "written for 4 ranks";
  const Problem problem{lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[1], {8, 32, 1}};
  DeepHaloConfig config{.depth = 2, .halo = {}};
  Path{"auto", "persistent", false, 2}.apply(config);
  DeepHaloRun<float> run(world, problem, {1, 4, 1}, config);
  const bool middle = world.rank() == 1 || world.rank() == 2;
  EXPECT_EQ(run.stepper().exchange_path().mix(),
            middle ? "peer_store 1, " + beyond_a_node + " 1" : "peer_store 1");
  EXPECT_EQ(run.stepper().exchange_path().without_host(), !middle);
}

// What lets the host run ahead, and graphs hold exchanges.
TEST_F(RouteTest, peers_and_shared_memory_do_without_the_host) {
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[1], {8, 8 * world.size(), 1}};
  std::vector<std::string> without, within_a_node;
  for (const Path& path : plain_paths())
    if (transport_info(path.transport, path.mpi).reach == Reach::node)
      within_a_node.push_back(path.describe());
  for (const bool desynchronisation : {false, true})
    for (const Path& path : plain_paths()) {
      DeepHaloConfig config{.depth = 2, .halo = {}};
      path.apply(config);
      config.halo.desynchronisation = desynchronisation;
      DeepHaloRun<float> run(world, problem, {1, world.size(), 1}, config);
      if (run.stepper().exchange_path().without_host()) {
        EXPECT_FALSE(desynchronisation) << "its barrier is the host's";
        without.push_back(path.describe());
      }
    }
  if (world.size() > 1) {
    EXPECT_EQ(without, within_a_node);
  } else {
    EXPECT_EQ(without.size(), plain_paths().size()) << "a rank alone has no messages";
  }
}

}  // namespace
}  // namespace haloheap::comm
