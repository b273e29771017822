// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kernels that an application has already, in deep halos: a function that computes a box of cells.
#include <haloheap/comm/halo/deep_halo.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

using namespace haloheap;

/// One Jacobi step for the Laplace equation, of the arrays and with the loop that there were before.
struct Jacobi {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  using Exec = Kokkos::DefaultExecutionSpace;

  /// Enqueues what computes `out` on the cells of `box`; ghost cells of `in` are filled.
  void operator()(const Exec& exec, const stencil::FieldAccess<const double>& in,
                  const stencil::FieldAccess<double>& out, const grid::Box& box) const {
    using Cells = Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>, Kokkos::IndexType<grid::Index>>;  // signed
    Kokkos::parallel_for(
        "jacobi", Cells(exec, {box.lo.x, box.lo.y}, {box.hi.x, box.hi.y}), KOKKOS_LAMBDA(int x, int y) {
          out(0, x, y) = (in(0, x - 1, y) + in(0, x + 1, y) + in(0, x, y - 1) + in(0, x, y + 1)) / 4;
        });
  }
};

/// @returns the mean of the field, which is 1 left of the grid and 0 right of it
double mean_of_solution(const comm::Communicator& communicator) {
  const auto grid = comm::Grid::make(communicator, {48, 32}, {false, true});  // ends in x
  stencil::SideRules sides;
  sides.low[0] = {stencil::Outside::value(1)};
  sides.high[0] = {stencil::Outside::value(0)};

  const comm::DeepHaloConfig config{.depth = 4, .overlap = comm::Overlap::all_steps};
  const auto fields = comm::layout_of<Jacobi>(grid, config.depth);
  const Kokkos::View<double*> now("now", fields.size()), next("next", fields.size());  // 0 at first
  comm::DeepHalo steps(communicator, grid, Jacobi{}, sides, config, now, next);
  steps.advance(20000);
  steps.finish();

  const double* const last = steps.now();
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {fields.own.x, fields.own.y}),
      KOKKOS_LAMBDA(int x, int y, double& part) {
        part += last[fields.at({x, y})];
      },
      sum);
  return communicator.sum(sum) / (48 * 32);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double mean = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator communicator(MPI_COMM_WORLD);
    mean = mean_of_solution(communicator);
    if (communicator.rank() == 0) std::printf("mean: %.6f\n", mean);
  }
  MPI_Finalize();
  return std::abs(mean - 0.5) < 1e-6 ? 0 : 1;  // the solution falls evenly from 1 to 0
}
