// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What measures of an update rule cost, by kernels of their own and on the way. No test: its result is times.
//
//   compare_measures [cells in a dimension, 16384] [milliseconds of a run, 500] [cells in each of three, 512]
//
// Each number is the best of five runs; what both ways have measured is compared.
#include <haloheap/unit/comm/halo/compare_measures.hpp>

#include <Kokkos_Core.hpp>
#include <mpi.h>

#include <cstdlib>

namespace haloheap::comm {
namespace {

template <class T, int Dims>
void compare(const Communicator& world, const Grid& grid, double seconds, int fused) {
  MeasureComparison<T, Dims, Max<T, Dims>>(world, grid, seconds).run(fused);
  MeasureComparison<T, Dims, Sum<T, Dims>>(world, grid, seconds).run(fused);
}

template <class T>
void compare(const Communicator& world, grid::Index cells, grid::Index cells_3d, double seconds) {
  const Grid plane = Grid::make(world, {cells, cells}),
             space = Grid::make(world, {cells_3d, cells_3d, cells_3d});
  for (const int fused : {1, 2, 4, 8}) compare<T, 2>(world, plane, seconds, fused);
  for (const int fused : {1, 2, 4}) compare<T, 3>(world, space, seconds, fused);
}

}  // namespace
}  // namespace haloheap::comm

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    const Kokkos::ScopeGuard guard(argc, argv);
    const haloheap::comm::Communicator world(MPI_COMM_WORLD);
    const long cells = argc > 1 ? std::atol(argv[1]) : 16384;
    const double seconds = (argc > 2 ? std::atof(argv[2]) : 500) * 1e-3;
    const long cells_3d = argc > 3 ? std::atol(argv[3]) : 512;
    haloheap::comm::compare<float>(world, cells, cells_3d, seconds);
    haloheap::comm::compare<double>(world, cells, cells_3d, seconds);
  }
  MPI_Finalize();
  return 0;
}
