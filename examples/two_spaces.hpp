// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What the two files of this example share: Kokkos' Views and MPI's communicators, and nothing of haloheap.
#ifndef TWO_SPACES_HPP
#define TWO_SPACES_HPP

#include <Kokkos_Core.hpp>
#include <mpi.h>

using HostField = Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace>;

/// Counts the cells that are warmer than their four neighbours.
template <class Field>
struct Peaks {
  Field heat;

  KOKKOS_FUNCTION void operator()(int y, int x, long& peaks) const {
    const double here = heat(y, x);
    if (here > heat(y, x - 1) && here > heat(y, x + 1) && here > heat(y - 1, x) && here > heat(y + 1, x))
      ++peaks;
  }
};

/// The same of a copy on the host, whose ghost cells are not filled.
long peaks_on_host(MPI_Comm comm, const HostField& heat, int cells);

#endif
