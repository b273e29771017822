// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// late_mpi.c, which is preloaded, delays what solvers wait for by the latency that it is asked for. How much
// longer all takes is the machine's affair.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <cstdlib>

namespace haloheap {
namespace {

using Microseconds = std::chrono::duration<double, std::micro>;

class LateMpi : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const text = std::getenv("LATE_MPI_US");
    ASSERT_NE(text, nullptr);
    latency = std::atof(text);
    ASSERT_GT(latency, 0);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  }
  template <class Call>
  static double microseconds(const Call& call) {
    const auto start = std::chrono::steady_clock::now();
    call();
    return Microseconds(std::chrono::steady_clock::now() - start).count();
  }
  double latency = 0;
  int rank = 0, ranks = 0;
};

TEST_F(LateMpi, sums_take_at_least_the_latency) {
  int sum = 0;
  EXPECT_GE(microseconds([&] { MPI_Allreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); }), latency);
  EXPECT_EQ(sum, ranks * ranks);
}

TEST_F(LateMpi, sums_that_do_not_block_take_at_least_the_latency_until_they_are_waited_for) {
  int sum = 0;
  EXPECT_GE(microseconds([&] {
              MPI_Request request = MPI_REQUEST_NULL;
              MPI_Iallreduce(&ranks, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
              MPI_Wait(&request, MPI_STATUS_IGNORE);
            }),
            latency);
  EXPECT_EQ(sum, ranks * ranks);
}

TEST_F(LateMpi, a_round_of_messages_takes_at_least_the_latency) {
  const int before = (rank + ranks - 1) % ranks, behind = (rank + 1) % ranks;
  int received = -1;
  MPI_Request requests[2];
  MPI_Recv_init(&received, 1, MPI_INT, before, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(&rank, 1, MPI_INT, behind, 0, MPI_COMM_WORLD, &requests[1]);
  EXPECT_GE(microseconds([&] {
              MPI_Startall(2, requests);
              MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
            }),
            latency);
  EXPECT_EQ(received, before);
  for (MPI_Request& request : requests) MPI_Request_free(&request);
}

}  // namespace
}  // namespace haloheap
