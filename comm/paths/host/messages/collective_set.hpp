// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_COLLECTIVE_SET_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_COLLECTIVE_SET_HPP

#include <haloheap/comm/paths/host/messages/request_set.hpp>

#include <optional>
#include <string>

namespace haloheap::comm::detail {

/// What the modes share that pass all messages of a round by one nonblocking collective: its communicator, of
/// which only ranks with messages are members, and its one request. MPI cannot cancel a collective, so that
/// one which is still under way when it is given up keeps its buffers and its communicator for good.
class CollectiveSet : public RequestSet {
 protected:
  explicit CollectiveSet(const MessageSetup& setup) : RequestSet(setup.communicator.rank()) {
    for (const MessageBytes& message : setup.messages) {
      if (!candidates_.empty()) candidates_ += " or ";
      candidates_ += std::to_string(message.peer);
    }
  }
  ~CollectiveSet() override {
    if (members_ && started()) members_->abandon();
  }

  /// Duplicates a communicator, of those ranks that have messages. Collective over it.
  void join(MPI_Comm members) {
    members_.emplace(members);
    add(members_->rank());
  }
  /// Null where this rank has no messages, and nothing to start.
  const Communicator* members() const { return members_ ? &*members_ : nullptr; }

 private:
  /// A collective does not say which part of it is missing.
  std::string silent_peers() const override { return candidates_; }

  std::string candidates_;
  std::optional<Communicator> members_;
};

}  // namespace haloheap::comm::detail

#endif
