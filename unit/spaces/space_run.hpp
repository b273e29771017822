// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_SPACES_SPACE_RUN_HPP
#define HALOHEAP_UNIT_SPACES_SPACE_RUN_HPP

#include <mpi.h>

#include <string>
#include <vector>

// Nothing of haloheap: the two files that are compiled from space_run.cpp must see the same.

/// What the libraries of one space did. But for the space, those of both do the same, bit by bit.
struct SpaceRun {
  std::string space;              ///< of kernels, as Kokkos names it
  std::string memory;             ///< of fields
  std::vector<double> steps;      ///< own cells after steps of a rule
  std::vector<float> filled;      ///< a field of Views with its ghost cells, after an exchange
  std::vector<float> added;       ///< its own cells after ghost cells were added to them
  std::vector<double> solution;   ///< own cells of the solution of a linear system
  std::vector<double> container;  ///< elements of a container after kernels on all devices
  long listed = 0;                ///< a sum over lists that kernels allocated
  std::string error;              ///< what a wrong call was told
  std::string transports;         ///< what served the neighbours of this rank
};

/// The same in the libraries for Kokkos' default space and in those of HALOHEAP_HOST_SPACE. Collective.
SpaceRun run_in_default_space(MPI_Comm comm);
SpaceRun run_in_host_space(MPI_Comm comm);

#endif
