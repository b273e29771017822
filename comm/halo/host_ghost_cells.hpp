// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HOST_GHOST_CELLS_HPP
#define HALOHEAP_COMM_HALO_HOST_GHOST_CELLS_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>

#include <memory>
#include <vector>

namespace haloheap::comm {

/// Ghost cells of fields of `double` in ordinary memory of the host, corners too, by plain messages. It is
/// for what hosts compute to compare with: nothing of it is packed by the kernels that are compared.
class HostGhostCells {
 public:
  /// Collective. @param layout of the fields, of one quantity
  /// @param timeout seconds after which a silent neighbour is given up
  HostGhostCells(const Communicator& communicator, const Topology& topology, const grid::FieldLayout& layout,
                 const grid::Triple& cells, double timeout);
  HostGhostCells(HostGhostCells&&) noexcept;
  ~HostGhostCells();

  /// Collective: fills the ghost cells that are other ranks' own cells. Those outside the grid stay as they
  /// are. @throws CommunicationError if a neighbour has stayed silent; then it is not called again
  void fill(double* field);

 private:
  struct Round;

  std::unique_ptr<Communicator> communicator_;  // of its own: others' messages must not be mistaken for these
  grid::FieldLayout layout_;
  double timeout_;
  std::vector<Round> rounds_;
};

}  // namespace haloheap::comm

#endif
