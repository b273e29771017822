// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// How often iterations wait for other ranks, and what is done while sums of all ranks are on their way.
#include <haloheap/comm/solvers/conjugate_gradient.hpp>
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>
#include <utility>

namespace {

/// In their order: A, a sum that a rank waits for; B, one that begins, and E, where it is waited for; K, the
/// operator's kernel; P, messages to neighbours, however many one after the other.
std::string calls;
MPI_Request sum_on_its_way = MPI_REQUEST_NULL;

void add_posted() {
  if (calls.empty() || calls.back() != 'P') calls += 'P';
}

void on_kernel(const char* label, std::uint32_t, std::uint64_t*) {
  if (label == std::string("haloheap::comm::apply")) calls += 'K';
}

}  // namespace

// In front of the MPI library's own.
extern "C" int MPI_Allreduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op operation,
                             MPI_Comm comm) {
  calls += 'A';
  return PMPI_Allreduce(own, all, count, type, operation, comm);
}

extern "C" int MPI_Iallreduce(const void* own, void* all, int count, MPI_Datatype type, MPI_Op operation,
                              MPI_Comm comm, MPI_Request* request) {
  calls += 'B';
  const int status = PMPI_Iallreduce(own, all, count, type, operation, comm, request);
  sum_on_its_way = *request;
  return status;
}

extern "C" int MPI_Wait(MPI_Request* request, MPI_Status* result) {
  if (*request == sum_on_its_way) calls += 'E';
  return PMPI_Wait(request, result);
}

extern "C" int MPI_Startall(int count, MPI_Request* requests) {
  add_posted();
  return PMPI_Startall(count, requests);
}

extern "C" int MPI_Isend(const void* data, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  add_posted();
  return PMPI_Isend(data, count, type, peer, tag, comm, request);
}

namespace haloheap::comm {
namespace {

class CollectiveCalls : public ConjugateGradients {
 protected:
  CollectiveCalls() { Kokkos::Tools::Experimental::set_begin_parallel_for_callback(on_kernel); }
  ~CollectiveCalls() override { Kokkos::Tools::Experimental::set_begin_parallel_for_callback(nullptr); }

  /// Those of a solution with so many iterations.
  template <template <class> class Solver>
  std::string calls_of(int iterations, SolverConfig config, int depth) const {
    const auto rule_case = conduction<double, 2>({60, 60, 1}, linear_sides(2)[1], 1e4);
    const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front(),
                                                 depth);
    const auto b = run.field(right_side(rule_case, rule_case.start));
    const auto x = run.field(std::vector<double>(rule_case.start.size()));
    config.tolerance = 0;
    config.replace_interval = 1000;
    config.max_iterations = iterations;
    config.halo.transport = "pinned";
    Solver<double> solver(run.matrix(), config, b, x);
    calls.clear();
    EXPECT_EQ(solver.solve(instance.exec()).iterations, iterations);
    return std::exchange(calls, {});
  }

  /// In 24 iterations behind the first ones: how often all ranks add up, and how often neighbours exchange.
  struct Waits {
    long sums, begun_sums, exchanges;
    bool operator==(const Waits&) const = default;
    friend void PrintTo(const Waits& waits, std::ostream* out) {
      *out << waits.sums << " sums, " << waits.begun_sums << " begun ones, " << waits.exchanges
           << " exchanges";
    }
  };
  template <template <class> class Solver>
  Waits in_24_iterations(const SolverConfig& config = {}, int depth = 1) const {
    const std::string few = calls_of<Solver>(40, config, depth), more = calls_of<Solver>(64, config, depth);
    const auto added = [&](char kind) {
      return std::count(more.begin(), more.end(), kind) - std::count(few.begin(), few.end(), kind);
    };
    return {added('A'), added('B'), added('P')};
  }

  /// Exchanges of so many, if there is a neighbour.
  long exchanges(long some) const { return world.size() > 1 ? some : 0; }
};

TEST_F(CollectiveCalls, the_classic_method_waits_for_two_sums_and_an_exchange_an_iteration) {
  EXPECT_EQ(in_24_iterations<ConjugateGradient>(), (Waits{48, 0, exchanges(24)}));
}

TEST_F(CollectiveCalls, the_s_step_method_waits_for_a_sum_and_an_exchange_in_s_iterations) {
  for (const int steps : {1, 2, 3, 4, 6, 8}) {
    SCOPED_TRACE(steps);
    EXPECT_EQ(in_24_iterations<SStepConjugateGradient>({.block_steps = steps}, steps),
              (Waits{24 / steps, 0, exchanges(24 / steps)}));
  }
}

TEST_F(CollectiveCalls, the_pipelined_method_begins_one_sum_an_iteration) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    EXPECT_EQ(in_24_iterations<PipelinedConjugateGradient>({.preconditioner = preconditioner}),
              (Waits{0, 24, exchanges(24)}));
}

TEST_F(CollectiveCalls,
       of_the_pipelined_method_travel_while_neighbours_exchange_and_the_operator_is_applied) {
  const std::string all = calls_of<PipelinedConjugateGradient>(24, {}, 1);
  std::string wanted;
  for (int iteration = 0; iteration < 24; ++iteration) wanted += world.size() > 1 ? "BPKE" : "BKE";
  EXPECT_EQ(all.substr(all.find('B'), wanted.size()), wanted);
}

}  // namespace
}  // namespace haloheap::comm
