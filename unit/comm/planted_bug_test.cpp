// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Would the comparison of deep_halo_test.cpp see a broken exchange? Here MPI's profiling interface breaks it
// on purpose: these definitions stand in front of the MPI library's own.
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

namespace {

enum class Bug {
  none,
  swapped_bytes,  ///< one value of each message has two bytes swapped
  stale,          ///< a message carries the bytes of the exchange before
};

struct Message {
  std::byte* data;
  std::size_t bytes;
  std::vector<std::byte> before;
};

Bug bug = Bug::none;
std::map<MPI_Request, Message> sends;      // that are made once and started again
std::map<const void*, Message> sent_from;  // those that are made anew, by where they lie

void plant(Message& message) {
  // Not the first value: that may be a corner, which a star of radius 1 does not read at depth 1.
  const std::size_t value = message.bytes / 4 / sizeof(double) * sizeof(double);
  if (bug == Bug::swapped_bytes) std::swap(message.data[value + 6], message.data[value + 7]);
  if (bug == Bug::stale) std::swap_ranges(message.data, message.data + message.bytes, message.before.data());
}

Message remember(const void* data, std::size_t bytes) {
  return {static_cast<std::byte*>(const_cast<void*>(data)), bytes, std::vector<std::byte>(bytes)};
}

void plant_in(const void* data, int count) {
  const auto bytes = static_cast<std::size_t>(count);  // all messages are made of bytes
  if (bytes == 0) return;
  Message& message = sent_from[data];
  if (message.bytes != bytes) message = remember(data, bytes);
  plant(message);
}

}  // namespace

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  plant_in(data, count);
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

extern "C" int MPI_Ineighbor_alltoallv(const void* send, const int* send_counts, const int* send_offsets,
                                       MPI_Datatype send_type, void* receive, const int* receive_counts,
                                       const int* receive_offsets, MPI_Datatype receive_type, MPI_Comm comm,
                                       MPI_Request* request) {
  for (const int slot : {0, 1})
    plant_in(static_cast<const std::byte*>(send) + send_offsets[slot], send_counts[slot]);
  return PMPI_Ineighbor_alltoallv(send, send_counts, send_offsets, send_type, receive, receive_counts,
                                  receive_offsets, receive_type, comm, request);
}

extern "C" int MPI_Ineighbor_alltoallw(const void* send, const int* send_counts, const MPI_Aint* send_offsets,
                                       const MPI_Datatype* send_types, void* receive,
                                       const int* receive_counts, const MPI_Aint* receive_offsets,
                                       const MPI_Datatype* receive_types, MPI_Comm comm,
                                       MPI_Request* request) {
  int sources = 0, targets = 0, weighted = 0;
  MPI_Dist_graph_neighbors_count(comm, &sources, &targets, &weighted);
  for (int i = 0; i < targets; ++i)
    plant_in(static_cast<const std::byte*>(send) + send_offsets[i], send_counts[i]);
  return PMPI_Ineighbor_alltoallw(send, send_counts, send_offsets, send_types, receive, receive_counts,
                                  receive_offsets, receive_types, comm, request);
}

extern "C" int MPI_Send_init(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                             MPI_Request* request) {
  const int status = PMPI_Send_init(data, count, type, peer, tag, comm, request);
  sends[*request] = remember(data, static_cast<std::size_t>(count));
  return status;
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  for (int i = 0; i < count; ++i)
    if (const auto found = sends.find(requests[i]); found != sends.end()) plant(found->second);
  return PMPI_Startall(count, requests);
}

extern "C" int MPI_Request_free(MPI_Request* request) {
  sends.erase(*request);
  return PMPI_Request_free(request);
}

namespace haloheap::comm {
namespace {

using namespace testing;

class PlantedBug : public ::testing::TestWithParam<std::tuple<std::string, std::string>> {
 protected:
  void TearDown() override { bug = Bug::none; }

  /// On how many ranks the result differs from the reference.
  template <class T>
  int differing_ranks(Bug planted, Exchange exchange, int depth) {
    const Problem problem{
        lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {23, 19, 1}, 1, 9};
    DeepHaloConfig config{.depth = depth, .exchange = exchange, .halo = {}};
    std::tie(config.halo.transport, config.halo.mpi) = GetParam();
    const grid::Triple ranks{world.size(), 1, 1};
    sent_from.clear();
    bug = planted;
    DeepHaloRun<T> run(world, problem, ranks, config);
    run.stepper().advance(problem.steps);
    const bool differs = !run.compare(problem.template reference<T>()).empty();
    bug = Bug::none;
    return static_cast<int>(world.sum(differs ? 1 : 0));
  }

  template <class T>
  void expect_found() {
    for (const Exchange exchange : {Exchange::sync, Exchange::async}) {
      if (exchange == Exchange::async && message_modes().at(std::get<1>(GetParam())).along_lines) continue;
      for (const int depth : {1, 2, 3}) {
        EXPECT_EQ(differing_ranks<T>(Bug::none, exchange, depth), 0);
        EXPECT_EQ(differing_ranks<T>(Bug::swapped_bytes, exchange, depth), world.size()) << depth;
        EXPECT_EQ(differing_ranks<T>(Bug::stale, exchange, depth), world.size()) << depth;
      }
    }
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(PlantedBug, is_found_on_every_rank) {
  if (world.size() == 1) GTEST_SKIP() << "needs messages";
  expect_found<float>();
  expect_found<double>();
}

/// Those that every MPI library has: calls of others cannot stand above.
std::vector<std::string> modes() {
  std::vector<std::string> names;
  for (const MessageMode& mode : message_modes())
    if (mode.passes_messages() && mode.nearest.empty()) names.push_back(mode.name);
  return names;
}

// This thread can read messages that are in memory of the host.
INSTANTIATE_TEST_SUITE_P(MessagePassing, PlantedBug,
                         ::testing::Combine(::testing::ValuesIn(host_buffered_transports()),
                                            ::testing::ValuesIn(modes())),
                         [](const auto& parameter) {
                           return std::get<0>(parameter.param) + "_" + std::get<1>(parameter.param);
                         });

TEST(Comparison, sees_a_single_bit_of_a_single_cell) {
  const Communicator world(MPI_COMM_WORLD);
  const Problem problem{
      lopsided_stencil(2, stencil::StencilShape::star, 1), boundaries()[0], {23, 19, 1}, 1, 3};
  auto reference = problem.reference<double>();
  DeepHaloRun<double> run(world, problem, {world.size(), 1, 1}, {.depth = 2, .halo = {}});
  run.stepper().advance(problem.steps);
  EXPECT_EQ(run.compare(reference), "");
  unsigned char* const first = reinterpret_cast<unsigned char*>(reference.data());
  first[0] ^= 1;  // cell (0, 0, 0) is rank 0's
  EXPECT_EQ(run.compare(reference).empty(), world.rank() != 0);
}

}  // namespace
}  // namespace haloheap::comm
