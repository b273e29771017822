// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/kernels/waiting_blocks.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace haloheap::comm::detail {

int waiting_blocks(int multiprocessors, int blocks_each, int ranks) {
  return ranks <= 1 ? std::max(1, multiprocessors * blocks_each / 2) : multiprocessors / 2 / ranks;
}

int require_waiting_blocks(int multiprocessors, int blocks_each, int ranks) {
  const int blocks = waiting_blocks(multiprocessors, blocks_each, ranks);
  if (blocks > 0) return blocks;
  throw CapabilityError(
      fmt::format("{} ranks share a device of {} multiprocessors, which lets {} at most wait for each other",
                  ranks, multiprocessors, multiprocessors / 2),
      "kernels that wait would leave no room for those that they wait for",
      "start fewer ranks on a device, or use transport pinned, where the host waits");
}

int ranks_on_device(const Communicator& communicator, const backend::DeviceIdentity& device) {
  const Communicator node = communicator.node();
  std::vector<backend::DeviceIdentity> all(static_cast<std::size_t>(node.size()));
  check_mpi(
      MPI_Allgather(device.data(), sizeof device, MPI_BYTE, all.data(), sizeof device, MPI_BYTE, node.get()),
      "MPI_Allgather");
  return static_cast<int>(std::count(all.begin(), all.end(), device));
}

}  // namespace haloheap::comm::detail
