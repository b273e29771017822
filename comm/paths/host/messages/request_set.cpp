// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/finalized.hpp>
#include <haloheap/comm/lost_peer.hpp>
#include <haloheap/comm/paths/host/messages/request_set.hpp>
#include <haloheap/core/base/deadline.hpp>

#include <fmt/format.h>

#include <set>

namespace haloheap::comm::detail {
RequestSet::~RequestSet() {
  if (finalized() || started_) return;  // a request that is still open is not ours any more
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
}

MPI_Request& RequestSet::add(int peer) {
  peers_.push_back(peer);
  return requests_.emplace_back(MPI_REQUEST_NULL);
}

void RequestSet::start() {
  start_requests();
  started_ = true;
}

/// How many requests are done before the first that is not.
std::size_t RequestSet::done_in_order() {
  // Not MPI_Testall: that of MPICH 5.0 fails on partitioned requests which are not done yet.
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    int done = 0;
    check_mpi(MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE), "MPI_Test");
    if (!done) return i;
  }
  return requests_.size();
}

void RequestSet::wait(double timeout) {
  std::size_t before = 0;
  base::Deadline deadline(timeout);
  for (std::size_t done = done_in_order(); done < requests_.size(); done = done_in_order()) {
    if (deadline.passed()) throw lost_peer(rank_, timeout, silent_peers());
    if (done > before) deadline.encourage();
    before = done;
    // More ranks than cores must not keep each other from answering.
    deadline.rest();
  }
  started_ = false;
}

std::string RequestSet::silent_peers() const {
  std::set<int> silent;
  for (std::size_t i = 0; i < requests_.size(); ++i) {
    int done = 0;
    MPI_Request_get_status(requests_[i], &done, MPI_STATUS_IGNORE);
    if (!done) silent.insert(peers_[i]);
  }
  return fmt::format("{}", fmt::join(silent, ", "));
}

bool RequestSet::give_up() {
  if (!started_ || finalized()) return true;
  // Receives can be cancelled, so that nothing is written any more. Sends cannot be everywhere: they may read
  // on.
  base::Deadline deadline(1);
  for (std::size_t i = 0; i < cancellable_; ++i) {
    int done = 0;
    MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE);
    if (done) continue;
    MPI_Cancel(&requests_[i]);
    while (!done && !deadline.passed()) MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE);
  }
  for (MPI_Request& request : requests_) {
    int done = 0;
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (!done) return false;
  }
  started_ = false;
  return true;
}

}  // namespace haloheap::comm::detail
