// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/persistent.hpp>
#include <haloheap/comm/paths/host/messages/request_set.hpp>

namespace haloheap::comm::detail {
namespace {

class PersistentMessages final : public RequestSet {
 public:
  explicit PersistentMessages(const MessageSetup& setup) : RequestSet(setup.communicator.rank()) {
    const MPI_Comm comm = setup.communicator.get();
    for (const MessageBytes& message : setup.messages)
      check_mpi(MPI_Recv_init(setup.receive + message.receive_offset, static_cast<int>(message.receive_bytes),
                              MPI_BYTE, message.peer, setup.round, comm, &add(message.peer)),
                "MPI_Recv_init");
    receives_end_here();
    for (const MessageBytes& message : setup.messages)
      check_mpi(MPI_Send_init(setup.send + message.send_offset, static_cast<int>(message.send_bytes),
                              MPI_BYTE, message.peer, setup.round, comm, &add(message.peer)),
                "MPI_Send_init");
  }

 private:
  void start_requests() override {
    if (size() > 0) check_mpi(MPI_Startall(static_cast<int>(size()), requests()), "MPI_Startall");
  }
};

}  // namespace

std::unique_ptr<MessageSet> make_persistent_messages(const MessageSetup& setup) {
  return std::make_unique<PersistentMessages>(setup);
}

}  // namespace haloheap::comm::detail
