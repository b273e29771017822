// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank has its part of a grid in Views of its own. One message to each neighbour carries both fields.
#include <haloheap/comm/halo/halo.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap::comm;

/// The sum of all differences between neighbouring cells of a periodic grid, which is 0.
double sum_of_differences(const Communicator& communicator) {
  const Grid grid = Grid::make(communicator, {400, 300});  // cells in x and y
  const auto own = grid.own();                             // the box of this rank's cells
  const auto nx = own.extent(0), ny = own.extent(1), x0 = own.lo.x, y0 = own.lo.y;

  // One ghost cell on each side in x, two below and none above in y.
  const Kokkos::View<double**> density("density", 2 + ny, 1 + nx + 1);       // density(y, x)
  const Kokkos::View<float** [2]> velocity("velocity", 2 + ny, 1 + nx + 1);  // velocity(y, x, component)
  const HaloConfig config{.width = {1, {2, 0}}};
  Halo halo(communicator, grid, {density, FieldView(velocity, "yxq")}, config);

  const Kokkos::DefaultExecutionSpace instance;
  using Cells = Kokkos::MDRangePolicy<Kokkos::DefaultExecutionSpace, Kokkos::Rank<2>>;
  const Cells own_cells(instance, {2, 1}, {2 + ny, 1 + nx});  // of the Views: ghost cells come first
  Kokkos::parallel_for(
      "fill", own_cells, KOKKOS_LAMBDA(int y, int x) {
        density(y, x) = static_cast<double>((x0 + x) * (x0 + x) % 17 + 3 * (y0 + y) % 5);
        velocity(y, x, 1) = static_cast<float>((x0 + x) * (y0 + y) % 11);
      });
  halo.begin(instance);
  // ... work on cells that need no ghost cells goes here ...
  halo.end(instance);

  double sum = 0;
  Kokkos::parallel_reduce(
      "differences", own_cells,
      KOKKOS_LAMBDA(int y, int x, double& part) {
        part += density(y, x - 1) + density(y, x + 1) + density(y - 2, x) - 3 * density(y, x);
        part += velocity(y - 1, x + 1, 1) - velocity(y, x, 1);
      },
      sum);
  return communicator.sum(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double sum = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const Communicator communicator(MPI_COMM_WORLD);
    sum = sum_of_differences(communicator);
    if (communicator.rank() == 0) std::printf("sum of all differences: %g\n", sum);
  }
  MPI_Finalize();
  return sum == 0 ? 0 : 1;
}
