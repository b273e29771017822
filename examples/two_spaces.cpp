// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat on the device, and its peaks on the host, which has halos of its own: two_spaces_host.cpp. Each file
// is linked with the libraries of one space, and says haloheap:: all the same.
#include "two_spaces.hpp"

#include <haloheap/comm/halo/halo.hpp>

#include <cstdio>

using namespace haloheap::comm;

/// Cells that are warmer than their four neighbours, counted where the field is.
long peaks_on_device(MPI_Comm comm, const Kokkos::View<double**>& heat, int cells) {
  using Exec = Halo::Exec;
  const Communicator communicator(comm);
  const Grid grid = Grid::make(communicator, {cells, cells});
  const auto own = grid.own();
  const Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>> own_cells({1, 1},
                                                               {1 + own.extent(1), 1 + own.extent(0)});
  Kokkos::parallel_for(
      "fill", own_cells, KOKKOS_LAMBDA(int y, int x) {
        heat(y, x) = static_cast<double>(((own.lo.x + x) * 37 + (own.lo.y + y) * 101) % 53);
      });
  Halo halo(communicator, grid, {heat}, {.width = 1});
  halo.exchange(Exec());
  long peaks = 0;
  Kokkos::parallel_reduce("count", own_cells, Peaks<Kokkos::View<double**>>{heat}, peaks);
  return static_cast<long>(communicator.sum(static_cast<double>(peaks)));
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  long on_device = 0, on_host = -1;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    constexpr int cells = 120;
    const haloheap::grid::Box own = Grid::make(Communicator(MPI_COMM_WORLD), {cells, cells}).own();
    const Kokkos::View<double**> heat("heat", 1 + own.extent(1) + 1, 1 + own.extent(0) + 1);
    on_device = peaks_on_device(MPI_COMM_WORLD, heat, cells);

    const HostField copy("copy", heat.extent(0), heat.extent(1));
    const auto mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), heat);
    Kokkos::deep_copy(copy, mirror);
    on_host = peaks_on_host(MPI_COMM_WORLD, copy, cells);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) std::printf("peaks: %ld on the device, %ld on the host\n", on_device, on_host);
  }
  MPI_Finalize();
  return on_device == on_host && on_device > 0 ? 0 : 1;
}
