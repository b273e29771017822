// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// HPCG's reference and its count of operations beside HPCG's own program: version 3.1 of
// github.com/hpcg-benchmark/hpcg at commit 114602d, built by g++ 12.2 with -O3 and MPI, and -DHPCG_DEBUG so
// that its log has the scaled residual of each iteration of the reference; printed with 17 digits.
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_reference.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

namespace haloheap {
namespace {

/// What HPCG's program printed for a grid on a rank grid.
struct Printed {
  grid::Triple cells, ranks;
  std::map<int, double> residuals;  ///< by iterations
  double operations;                ///< of a set of 50, "Total with convergence overhead" over the sets
};

const Printed printed[] = {{{16, 16, 16},
                            {1, 1, 1},
                            {{1, 0.17528847365267122},
                             {10, 1.6353119008197327e-07},
                             {15, 1.2505711685013491e-11},
                             {20, 2.0126852393572105e-15},
                             {50, 3.6623421608560939e-41}},
                            6.69071e8 / 10},
                           {{32, 32, 32},
                            {1, 1, 1},
                            {{1, 0.18327342160930427},
                             {10, 9.4244414583785502e-05},
                             {15, 1.7616589020609735e-06},
                             {20, 1.031001147278347e-08},
                             {50, 1.0298266781532878e-20}},
                            1.14799e9 / 2},
                           {{32, 24, 32},
                            {2, 1, 1},
                            {{1, 0.18704231934529761},
                             {10, 0.00011260205195609751},
                             {15, 2.1771647616989441e-06},
                             {20, 4.2042900112927137e-08},
                             {50, 2.2750758177365083e-21}},
                            4.27177e8},
                           {{48, 16, 16},
                            {3, 1, 1},
                            {{1, 0.19125204248350253},
                             {10, 1.4361502045986439e-05},
                             {15, 1.1321598664551501e-08},
                             {20, 2.461876059500834e-11},
                             {50, 1.0450035389390602e-28}},
                            8.27989e8 / 4},
                           {{32, 32, 16},
                            {2, 2, 1},
                            {{1, 0.19459704344782849},
                             {10, 4.2812524276129633e-05},
                             {15, 1.8135315195138194e-07},
                             {20, 6.8690947279926437e-10},
                             {50, 6.2037026883836287e-25}},
                            2.80358e8}};

/// Conjugate gradients enlarge what rounding has made different, by HPCG's own other orders of adding as
/// well: digits are left for so many iterations, and a magnitude in the end.
double allowed(int iterations) {
  return iterations <= 1 ? 1e-14 : iterations <= 10 ? 1e-12 : iterations <= 20 ? 1e-7 : 0.2;
}

TEST(HpcgReference, has_the_residuals_of_HPCGs_program) {
  const comm::Communicator world(MPI_COMM_WORLD);
  int compared = 0;
  for (const Printed& one : printed) {
    if (product(one.ranks) != world.size()) continue;
    const comm::Grid grid{3, one.cells, comm::Topology::make(world.rank(), one.ranks, {false, false, false})};
    const HpcgReference found = run_hpcg_reference(world, grid, 50, 60);
    ASSERT_EQ(found.residuals.size(), 50u);
    for (const auto& [iterations, residual] : one.residuals)
      EXPECT_NEAR(found.residuals[static_cast<std::size_t>(iterations - 1)] / residual, 1,
                  allowed(iterations))
          << one.cells.x << " cells in x, iteration " << iterations;
    EXPECT_LT(found.error, 1e-13);
    ++compared;
  }
  EXPECT_GT(compared, 0);
}

TEST(HpcgReference, ends_where_nothing_is_left) {
  const comm::Communicator world(MPI_COMM_WORLD);
  const comm::Grid grid{3,
                        {8 * world.size(), 8, 8},
                        comm::Topology::make(world.rank(), {world.size(), 1, 1}, {false, false, false})};
  const HpcgReference found = run_hpcg_reference(world, grid, 2000, 60);
  EXPECT_LT(found.residuals.size(), 2000u);
  EXPECT_EQ(found.reached(), 0);
}

TEST(HpcgFacts, count_operations_as_HPCGs_program_does) {
  for (const Printed& one : printed)
    EXPECT_NEAR(hpcg_operations(one.cells, 50).total() / one.operations, 1, 5e-6);  // it prints six digits
  // Of 16 x 16 x 16, ten sets: DDOT, WAXPBY, SpMV and MG.
  const HpcgOperations parts = hpcg_operations({16, 16, 16}, 50);
  EXPECT_NEAR(parts.dots, 1.23699e6, 5);
  EXPECT_NEAR(parts.updates, 1.23699e6, 5);
  EXPECT_NEAR(parts.products, 9.92827e6, 50);
  EXPECT_NEAR(parts.multigrid, 5.45048e7, 500);
}

TEST(HpcgFacts, count_numbers_that_are_not_zero) {
  EXPECT_EQ(hpcg_nonzeros({16, 16, 16}), 97336);
  EXPECT_EQ(hpcg_nonzeros({32, 24, 32}), 618520);
  double sum =
      0;  // a row has a number for each cell around it, and the right side is what the diagonal leaves
  const grid::Triple cells{5, 4, 3};
  for (grid::Index z = 0; z < cells.z; ++z)
    for (grid::Index y = 0; y < cells.y; ++y)
      for (grid::Index x = 0; x < cells.x; ++x) sum += 27 - hpcg_right_side(cells, {x, y, z});
  EXPECT_EQ(hpcg_nonzeros(cells), sum);
}

/// By the vector that belongs to it: a product of sines.
TEST(HpcgFacts, know_the_smallest_eigenvalue) {
  const grid::Triple cells{6, 5, 4};
  const auto value = [&](const grid::Triple& cell) {
    double result = 1;
    for (int dim = 0; dim < 3; ++dim)
      result *= std::sin(std::numbers::pi * static_cast<double>(cell[dim] + 1) /
                         static_cast<double>(cells[dim] + 1));
    return result;
  };
  const grid::Triple cell{0, 2, 1};
  double sum = 27 * value(cell);
  for (grid::Index z = -1; z <= 1; ++z)
    for (grid::Index y = -1; y <= 1; ++y)
      for (grid::Index x = -1; x <= 1; ++x) sum -= value({cell.x + x, cell.y + y, cell.z + z});
  EXPECT_NEAR(sum, hpcg_smallest_eigenvalue(cells) * value(cell), 1e-13);
}

}  // namespace
}  // namespace haloheap
