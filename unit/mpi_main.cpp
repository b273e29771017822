// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The main of every test program that runs on several ranks. Rank 0 prints; the others print their failures
// only.
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cstdio>

namespace {

int largest(int value, MPI_Comm comm) {
  int result = value;
  MPI_Allreduce(&value, &result, 1, MPI_INT, MPI_MAX, comm);
  return result;
}

/// Makes all ranks agree on every test's result. It communicates in OnTestEnd, which every rank reaches, and
/// never where only a failing rank comes by.
class AgreeOnResults : public ::testing::EmptyTestEventListener {
 public:
  explicit AgreeOnResults(MPI_Comm comm) : comm_(comm) {}

  void OnTestEnd(const ::testing::TestInfo& test) override {
    const bool failed = test.result()->Failed();
    if (largest(failed ? 1 : 0, comm_) > 0 && !failed) ADD_FAILURE() << "the test failed on another rank";
  }

 private:
  MPI_Comm comm_;
};

class PrintFailures : public ::testing::EmptyTestEventListener {
 public:
  explicit PrintFailures(int rank) : rank_(rank) {}

  void OnTestPartResult(const ::testing::TestPartResult& part) override {
    if (!part.failed()) return;
    std::printf("[rank %d] %s:%d: Failure\n%s\n", rank_, part.file_name() ? part.file_name() : "unknown file",
                part.line_number(), part.summary());
    std::fflush(stdout);
  }

 private:
  int rank_;
};

int run_tests(int rank, MPI_Comm comm) {
  auto& listeners = ::testing::UnitTest::GetInstance()->listeners();
  if (rank != 0) {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new PrintFailures(rank));
    ::testing::GTEST_FLAG(output) = "";  // one report is enough
  }
  listeners.Append(new AgreeOnResults(comm));
  return largest(RUN_ALL_TESTS(), comm);
}

}  // namespace

int main(int argc, char** argv) {
  int provided = 0, rank = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  ::testing::InitGoogleTest(&argc, argv);
  int result = 1;
  {
    const Kokkos::ScopeGuard guard(argc, argv);
    MPI_Comm comm = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_rank(comm, &rank);
    result = run_tests(rank, comm);
    MPI_Comm_free(&comm);
  }
  MPI_Finalize();
  return result;
}
