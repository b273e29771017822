// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The host's part of two_spaces.cpp: linked with haloheap::host_comm.
#include <haloheap/comm/halo/halo.hpp>

#include "two_spaces.hpp"

using namespace haloheap::comm;

long peaks_on_host(MPI_Comm comm, const HostField& heat, int cells) {
  using Exec = Halo::Exec;  // a space of the host: HALOHEAP_HOST_SPACE
  const Communicator communicator(comm);
  const Grid grid = Grid::make(communicator, {cells, cells});
  const auto own = grid.own();
  Halo halo(communicator, grid, {heat}, {.width = 1});
  halo.exchange(Exec());
  const Kokkos::MDRangePolicy<Exec, Kokkos::Rank<2>> own_cells({1, 1},
                                                               {1 + own.extent(1), 1 + own.extent(0)});
  long peaks = 0;
  Kokkos::parallel_reduce("count", own_cells, Peaks<HostField>{heat}, peaks);
  return static_cast<long>(communicator.sum(static_cast<double>(peaks)));
}
