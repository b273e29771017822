// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_REQUESTS_HPP
#define HALOHEAP_COMM_REQUESTS_HPP

#include <haloheap/comm/communicator.hpp>

#include <cstddef>
#include <vector>

namespace haloheap {

/// A set of persistent sends or receives that start and finish together.
class PersistentRequests {
 public:
  explicit PersistentRequests(const Communicator& communicator) : communicator_(&communicator) {}
  /// After a time-out, receives that are still open are cancelled, so that their memory may be released.
  ~PersistentRequests();
  PersistentRequests(PersistentRequests&&) = default;
  PersistentRequests& operator=(PersistentRequests&&) = delete;

  void add_send(const std::byte* data, std::size_t bytes, int peer, int tag);
  void add_receive(std::byte* data, std::size_t bytes, int peer, int tag);

  void start();
  bool started() const { return started_; }
  /// Waits for all, but at most `timeout` seconds.
  /// @throws CommunicationError that names the ranks that have not answered
  void wait(double timeout);

 private:
  void cancel_receives();

  const Communicator* communicator_;
  std::vector<MPI_Request> requests_;
  std::vector<std::size_t> receives_;  // which of the requests are receives
  std::vector<int> peers_;
  bool started_ = false;
};

}  // namespace haloheap

#endif
