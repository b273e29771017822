// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/isend.hpp>
#include <haloheap/comm/paths/host/messages/request_set.hpp>
#include <haloheap/comm/paths/host/messages/wire_messages.hpp>

namespace haloheap::comm::detail {
namespace {

class IsendMessages final : public RequestSet {
 public:
  explicit IsendMessages(const MessageSetup& setup)
      : RequestSet(setup.communicator.rank()),
        comm_(setup.communicator.get()),
        messages_(setup.messages),
        wire_(setup) {
    for (const MessageBytes& message : messages_) {
      add(message.peer);
      tags_.push_back(setup.tag(message));
    }
    receives_end_here();
    for (const MessageBytes& message : messages_) add(message.peer);
  }

 private:
  void start_requests() override {
    MPI_Request* request = requests();
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const WirePart part = wire_.receive(m);
      check_mpi(MPI_Irecv(part.data, part.count, part.type, messages_[m].peer, tags_[m], comm_, request++),
                "MPI_Irecv");
    }
    for (std::size_t m = 0; m < messages_.size(); ++m) {
      const WirePart part = wire_.send(m);
      check_mpi(MPI_Isend(part.data, part.count, part.type, messages_[m].peer, tags_[m], comm_, request++),
                "MPI_Isend");
    }
  }

  MPI_Comm comm_;
  RoundBytes messages_;
  WireMessages wire_;
  std::vector<int> tags_;
};

}  // namespace

std::unique_ptr<MessageSet> make_isend_messages(const MessageSetup& setup) {
  return std::make_unique<IsendMessages>(setup);
}

}  // namespace haloheap::comm::detail
