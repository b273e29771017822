// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Each rank takes memory for its part of a grid; together the parts must be the grid.
#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/topology.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool good = false;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const haloheap::comm::Communicator communicator(MPI_COMM_WORLD);
    const haloheap::grid::Triple cells{1001, 77, 1};
    const haloheap::grid::Triple ranks = haloheap::grid::rank_grid(communicator.size(), 2, cells);
    const auto topology = haloheap::comm::Topology::make(communicator.rank(), ranks, {true, true, true});
    const haloheap::grid::Box mine = haloheap::grid::subdomain(cells, ranks, topology.coordinates);
    const auto resource = haloheap::memory::make_memory_resource("device");
    const auto block = resource->allocate(static_cast<std::size_t>(mine.cells()) * sizeof(double));
    const double total = communicator.sum(static_cast<double>(mine.cells()));
    good = block.data && total == static_cast<double>(haloheap::grid::product(cells));
    resource->deallocate(block);
  }
  MPI_Finalize();
  return good ? 0 : 1;
}
