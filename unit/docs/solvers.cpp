// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/solvers.md quotes: each solver has to find the solution for which the right side was made.
#include <haloheap/comm/halo/deep_halo.hpp>
#include <haloheap/comm/solvers/assembled_matrix.hpp>
#include <haloheap/comm/solvers/conjugate_gradient.hpp>
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/comm/solvers/multigrid.hpp>
#include <haloheap/comm/solvers/operator_product.hpp>
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

#include <cmath>

namespace haloheap::solvers_page {

struct Poisson {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return 4 * cell(0) - (cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1));
  }
};

/// A step of heat that spreads in layers, as an implicit method has to undo it.
struct Layered {
  using Fields = stencil::Fields<double>;
  using Constants = stencil::Fields<double>;  // conductivity
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return cell(0) - flux(cell, 1, 0) - flux(cell, -1, 0) - flux(cell, 0, 1) - flux(cell, 0, -1);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static double flux(const Cell& cell, int x, int y) {
    return (cell.constant(0) + cell.constant(0, x, y)) / 2 * (cell(0, x, y) - cell(0));
  }
};

using Field = Kokkos::View<double*>;
using Own = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;

/// Something different in each own cell.
void fill(const Field& field, const grid::FieldLayout& layout, const grid::Box& own) {
  const grid::Index x0 = own.lo.x, y0 = own.lo.y;
  Kokkos::parallel_for(
      "fill", Own({0, 0}, {layout.own.x, layout.own.y}), KOKKOS_LAMBDA(int x, int y) {
        field(layout.at({x, y})) = 1 + 0.25 * static_cast<double>((3 * (x0 + x) + 5 * (y0 + y)) % 7);
      });
  Kokkos::fence("fill");
}

double largest_difference(const Field& a, const Field& b, const grid::FieldLayout& layout) {
  double largest = 0;
  Kokkos::parallel_reduce(
      "largest_difference", Own({0, 0}, {layout.own.x, layout.own.y}),
      KOKKOS_LAMBDA(int x, int y, double& most) {
        const auto i = layout.at({x, y});
        most = Kokkos::max(most, Kokkos::abs(a(i) - b(i)));
      },
      Kokkos::Max<double>(largest));
  return largest;
}

class SolversPage : public ::testing::Test {
 protected:
  const comm::Communicator world{MPI_COMM_WORLD};
  const comm::Grid grid = comm::Grid::make(world, {40, 32}, {false, false});
  const stencil::SideRules rim = stencil::SideRules::everywhere(stencil::Outside::mirror(-1), 2);
  const Kokkos::DefaultExecutionSpace exec;

  /// A right side b = A solution, and x = 0, in which that solution is to be found.
  struct System {
    grid::FieldLayout layout;
    Field solution{"solution", static_cast<std::size_t>(layout.size())};
    Field b{"b", solution.size()}, x{"x", solution.size()};
  };
  /// @param depth of the operator
  template <class Rule, class... Constants>
  System system_of(const Rule& rule, const stencil::SideRules& sides, int depth,
                   const Constants&... constants) const {
    System system{comm::layout_of<Rule>(grid, depth)};
    fill(system.solution, system.layout, grid.own());
    const comm::LinearOperator matrix(world, grid, rule, sides, constants...,
                                      comm::OperatorConfig{.depth = depth});
    const auto &x = system.solution, &b = system.b;
    // [product]
    comm::OperatorProduct product(matrix, x, b);
    product.right_side(exec);  // a solver of A x = b finds x
    exec.fence();
    // [product]
    return system;
  }
  template <class Solver>
  void expect_solved(Solver& solver, const System& system) const {
    const comm::Solution found = solver.solve(exec);
    EXPECT_TRUE(found.converged()) << name_of(found.reason);
    EXPECT_LT(world.max(largest_difference(system.x, system.solution, system.layout)), 1e-5);
  }
};

TEST_F(SolversPage, has_an_operator_with_constants) {
  const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  // [constants]
  const auto around = comm::constants_layout_of<Layered>(grid, 1);
  const Kokkos::View<double*> conductivity("conductivity", around.size());
  fill(conductivity, around, grid.own());  // all own cells, by a kernel, and a fence
  const comm::LinearOperator matrix(world, grid, Layered{}, sides, conductivity);
  // [constants]
  const auto system = system_of(Layered{}, sides, 1, conductivity);
  comm::ConjugateGradient solver(matrix, {.tolerance = 1e-10}, system.b, system.x);
  expect_solved(solver, system);
}

TEST_F(SolversPage, has_s_steps) {
  const auto system = system_of(Poisson{}, rim, 4);
  const Field b = system.b, x = system.x;
  // [s-step]
  const comm::LinearOperator matrix(world, grid, Poisson{}, rim, comm::OperatorConfig{.depth = 4});
  const auto layout = matrix.layout();  // ghost cells for four applications; constants have them as well
  comm::SStepConjugateGradient solver(matrix, {.tolerance = 1e-10, .block_steps = 4}, b, x);
  // [s-step]
  EXPECT_EQ(layout.size(), system.layout.size());
  expect_solved(solver, system);
}

TEST_F(SolversPage, has_multigrid) {
  const auto system = system_of(Poisson{}, rim, comm::multigrid_depth(2));
  const Field b = system.b, x = system.x;
  // [multigrid]
  const comm::SolverConfig config{.tolerance = 1e-8, .smoothing_steps = 2};
  const comm::LinearOperator matrix(
      world, grid, Poisson{}, rim,
      comm::OperatorConfig{.depth = comm::multigrid_depth(config.smoothing_steps)});
  comm::Multigrid solver(matrix, config, b, x);  // b and x of matrix.layout()
  // [multigrid]
  expect_solved(solver, system);
}

TEST_F(SolversPage, has_gmres_and_assembled_matrices) {
  const comm::LinearOperator matrix(world, grid, Poisson{}, rim);
  const auto system = system_of(Poisson{}, rim, 1);
  const Field b = system.b, x = system.x;
  // [gmres]
  const comm::SolverConfig config{
      .tolerance = 1e-8, .preconditioner = comm::Preconditioner::jacobi, .restart = 20};
  comm::Gmres solver(matrix, config, b, x);
  // [gmres]
  expect_solved(solver, system);

  // [assembled]
  const comm::AssembledMatrix assembled(matrix);  // collective; of any rule, radius, constants and sides
  const auto& rows = assembled.rows();            // Views in the device's memory: offsets, columns, values
  // [assembled]
  const grid::Index entries = 5 * 40 * 32 - 2 * 40 - 2 * 32;  // all cells less those outside
  EXPECT_EQ(world.sum(static_cast<double>(rows.values.size())), static_cast<double>(entries));
}

}  // namespace haloheap::solvers_page
