// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/isend.hpp>
#include <haloheap/comm/paths/host/messages/request_set.hpp>

namespace haloheap::comm::detail {
namespace {

class IsendMessages final : public RequestSet {
 public:
  explicit IsendMessages(const MessageSetup& setup)
      : RequestSet(setup.communicator.rank()),
        comm_(setup.communicator.get()),
        messages_(setup.messages),
        send_(setup.send),
        receive_(setup.receive),
        round_(setup.round) {
    for (const MessageBytes& message : messages_) add(message.peer);
    receives_end_here();
    for (const MessageBytes& message : messages_) add(message.peer);
  }

 private:
  void start_requests() override {
    MPI_Request* request = requests();
    for (const MessageBytes& message : messages_)
      check_mpi(MPI_Irecv(receive_ + message.receive_offset, static_cast<int>(message.receive_bytes),
                          MPI_BYTE, message.peer, round_, comm_, request++),
                "MPI_Irecv");
    for (const MessageBytes& message : messages_)
      check_mpi(MPI_Isend(send_ + message.send_offset, static_cast<int>(message.send_bytes), MPI_BYTE,
                          message.peer, round_, comm_, request++),
                "MPI_Isend");
  }

  MPI_Comm comm_;
  RoundBytes messages_;
  const std::byte* send_;
  std::byte* receive_;
  int round_;
};

}  // namespace

std::unique_ptr<MessageSet> make_isend_messages(const MessageSetup& setup) {
  return std::make_unique<IsendMessages>(setup);
}

}  // namespace haloheap::comm::detail
