// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_REQUEST_SET_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_REQUEST_SET_HPP

#include <haloheap/comm/paths/host/messages/message_set.hpp>

namespace haloheap::comm::detail {

/// What all modes share: to wait for a number of MPI requests, but not for ever. The receives come first.
class RequestSet : public MessageSet {
 public:
  /// Waits for nothing: what is still open must have been given up.
  ~RequestSet() override;

  void start() final;
  bool started() const final { return started_; }
  void wait(double timeout) final;
  bool give_up() final;

 protected:
  explicit RequestSet(int rank) : rank_(rank) {}

  /// Room for one more request, on messages from or to `peer`.
  MPI_Request& add(int peer);
  /// Ends the requests that are receives and may be cancelled; not all kinds may.
  void receives_end_here() { cancellable_ = requests_.size(); }
  MPI_Request* requests() { return requests_.data(); }
  std::size_t size() const { return requests_.size(); }

 private:
  virtual void start_requests() = 0;
  /// The ranks that may have kept silent, as text.
  virtual std::string silent_peers() const;
  std::size_t done_in_order();

  int rank_;
  std::vector<MPI_Request> requests_;
  std::vector<int> peers_;
  std::size_t cancellable_ = 0;
  bool started_ = false;
};

}  // namespace haloheap::comm::detail

#endif
