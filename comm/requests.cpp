// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/patience.hpp>
#include <haloheap/comm/requests.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <limits>
#include <set>
#include <thread>

namespace haloheap {
namespace {

using Clock = std::chrono::steady_clock;

int as_count(std::size_t bytes) {
  if (bytes > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw UsageError(fmt::format("a halo message of {} bytes is longer than MPI's 2 GiB", bytes), "",
                     "use a smaller depth, fewer quantities, or more ranks");
  return static_cast<int>(bytes);
}

std::string silent_peers(const std::vector<MPI_Request>& requests, const std::vector<int>& peers) {
  std::set<int> silent;
  for (std::size_t i = 0; i < requests.size(); ++i) {
    int done = 0;
    MPI_Request_get_status(requests[i], &done, MPI_STATUS_IGNORE);
    if (!done) silent.insert(peers[i]);
  }
  return fmt::format("{}", fmt::join(silent, ", "));
}

}  // namespace

PersistentRequests::~PersistentRequests() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized) return;
  if (started_) cancel_receives();
  for (MPI_Request& request : requests_)
    if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);  // an active one ends when it is done
}

void PersistentRequests::cancel_receives() {
  // A send cannot be cancelled everywhere. It only reads, and whoever would receive it has been given up.
  const auto deadline = Clock::now() + std::chrono::seconds(1);
  for (const std::size_t i : receives_) {
    MPI_Cancel(&requests_[i]);
    for (int done = 0; !done && Clock::now() < deadline;) MPI_Test(&requests_[i], &done, MPI_STATUS_IGNORE);
  }
}

void PersistentRequests::add_send(const std::byte* data, std::size_t bytes, int peer, int tag) {
  peers_.push_back(peer);
  check_mpi(MPI_Send_init(data, as_count(bytes), MPI_BYTE, peer, tag, communicator_->get(),
                          &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Send_init");
}

void PersistentRequests::add_receive(std::byte* data, std::size_t bytes, int peer, int tag) {
  peers_.push_back(peer);
  receives_.push_back(requests_.size());
  check_mpi(MPI_Recv_init(data, as_count(bytes), MPI_BYTE, peer, tag, communicator_->get(),
                          &requests_.emplace_back(MPI_REQUEST_NULL)),
            "MPI_Recv_init");
}

void PersistentRequests::start() {
  if (!requests_.empty())
    check_mpi(MPI_Startall(static_cast<int>(requests_.size()), requests_.data()), "MPI_Startall");
  started_ = true;
}

void PersistentRequests::wait(double timeout) {
  Patience patience(timeout);
  for (int done = 0; true;) {
    check_mpi(MPI_Testall(static_cast<int>(requests_.size()), requests_.data(), &done, MPI_STATUSES_IGNORE),
              "MPI_Testall");
    if (done) break;
    if (patience.exhausted())
      throw CommunicationError(fmt::format("rank {} waited {:g} s for rank {}, which sent or took nothing",
                                           communicator_->rank(), timeout, silent_peers(requests_, peers_)),
                               "the run cannot go on without it",
                               "see whether that rank died or hangs; halo.timeout sets the patience");
    // More ranks than cores must not keep each other from answering.
    std::this_thread::yield();
  }
  started_ = false;
}

}  // namespace haloheap
