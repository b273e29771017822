// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/persistent.hpp>
#include <haloheap/comm/paths/host/messages/request_set.hpp>
#include <haloheap/comm/paths/host/messages/wire_messages.hpp>

namespace haloheap::comm::detail {
namespace {

class PersistentMessages final : public RequestSet {
 public:
  explicit PersistentMessages(const MessageSetup& setup)
      : RequestSet(setup.communicator.rank()), wire_(setup) {
    const MPI_Comm comm = setup.communicator.get();
    for (std::size_t m = 0; m < setup.messages.size(); ++m) {
      const MessageBytes& message = setup.messages[m];
      const WirePart part = wire_.receive(m);
      check_mpi(MPI_Recv_init(part.data, part.count, part.type, message.peer, setup.tag(message), comm,
                              &add(message.peer)),
                "MPI_Recv_init");
    }
    receives_end_here();
    for (std::size_t m = 0; m < setup.messages.size(); ++m) {
      const MessageBytes& message = setup.messages[m];
      const WirePart part = wire_.send(m);
      check_mpi(MPI_Send_init(part.data, part.count, part.type, message.peer, setup.tag(message), comm,
                              &add(message.peer)),
                "MPI_Send_init");
    }
  }

 private:
  void start_requests() override {
    if (size() > 0) check_mpi(MPI_Startall(static_cast<int>(size()), requests()), "MPI_Startall");
  }

  WireMessages wire_;
};

}  // namespace

std::unique_ptr<MessageSet> make_persistent_messages(const MessageSetup& setup) {
  return std::make_unique<PersistentMessages>(setup);
}

}  // namespace haloheap::comm::detail
