// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_HOST_GHOST_CELLS_HPP
#define HALOHEAP_COMM_HALO_HOST_GHOST_CELLS_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>

#include <vector>

namespace haloheap::comm {

/// Ghost cells of fields of `double` in ordinary memory of the host, corners too, by plain messages. It is
/// for what hosts compute to compare with, whose exchanges must not depend on those that are compared.
class HostGhostCells {
 public:
  /// @param layout of the fields, of one quantity
  /// @param timeout seconds after which a silent neighbour is given up
  HostGhostCells(const Communicator& communicator, const Topology& topology, const grid::FieldLayout& layout,
                 const grid::Triple& cells, double timeout);

  /// Collective: fills the ghost cells that are other ranks' own cells. Those outside the grid stay as they
  /// are. @throws CommunicationError if a neighbour has stayed silent; then nothing is left to fill
  void fill(double* field);

 private:
  /// One message each way. MPI writes to it, so that it stays where it is.
  struct Trade {
    int peer;
    std::vector<grid::Box> send, receive;
    std::vector<double> sent, received;
    MPI_Request sending = MPI_REQUEST_NULL, receiving = MPI_REQUEST_NULL;
  };
  struct Round {
    std::vector<Trade> trades;
    std::vector<HaloCopy> copies;
  };

  void start(Trade& trade, const double* field);
  void finish(Trade& trade, double* field);
  void wait(Trade& trade);
  void abandon();

  const Communicator& communicator_;
  grid::FieldLayout layout_;
  double timeout_;
  std::vector<Round> rounds_;
};

}  // namespace haloheap::comm

#endif
