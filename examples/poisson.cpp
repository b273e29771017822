// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The Poisson equation on a plate whose rim is held at 0: a linear system whose matrix is an update rule.
#include <haloheap/comm/solvers/conjugate_gradient.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap;

/// -laplace, times the square of a cell's width.
struct Poisson {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return 4 * cell(0) - (cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1));
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = false;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator world(MPI_COMM_WORLD);
    const auto grid = comm::Grid::make(world, {200, 150}, {false, false});
    const auto rim = stencil::SideRules::everywhere(stencil::Outside::mirror(-1), 2);  // 0 on the sides
    const comm::LinearOperator matrix(world, grid, Poisson{}, rim);

    const auto layout = matrix.layout();
    const Kokkos::View<double*> b("b", layout.size()), x("x", layout.size());  // 0 at first
    Kokkos::deep_copy(b, 1.0);
    comm::ConjugateGradient solver(
        matrix, {.tolerance = 1e-10, .preconditioner = comm::Preconditioner::jacobi}, b, x);
    const comm::Solution solution = solver.solve(Kokkos::DefaultExecutionSpace());
    if (world.rank() == 0)
      std::printf("%s after %d iterations, residual %.1e of %.1e\n", name_of(solution.reason).c_str(),
                  solution.iterations, solution.residual, solution.history.front());
    good = solution.converged();
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
