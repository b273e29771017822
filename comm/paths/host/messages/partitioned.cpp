// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/messages/partitioned.hpp>

#ifdef HALOHEAP_HAVE_MPI_PARTITIONED

#include <haloheap/comm/paths/host/messages/request_set.hpp>

namespace haloheap::comm::detail {
namespace {

/// The number of parts, the same on both sides because their number of bytes is.
int parts(std::size_t bytes) {
  for (int n = 8; n > 1; --n)
    if (bytes > 0 && bytes % static_cast<std::size_t>(n) == 0) return n;
  return 1;
}

class PartitionedMessages final : public RequestSet {
 public:
  explicit PartitionedMessages(const MessageSetup& setup) : RequestSet(setup.communicator.rank()) {
    const MPI_Comm comm = setup.communicator.get();
    for (const MessageBytes& message : setup.messages) {
      const int n = parts(message.receive_bytes);
      check_mpi(MPI_Precv_init(setup.receive + message.receive_offset, n,
                               static_cast<MPI_Count>(message.receive_bytes) / n, MPI_BYTE, message.peer,
                               setup.tag(message), comm, MPI_INFO_NULL, &add(message.peer)),
                "MPI_Precv_init");
    }
    for (const MessageBytes& message : setup.messages) {
      parts_.push_back(parts(message.send_bytes));
      check_mpi(MPI_Psend_init(setup.send + message.send_offset, parts_.back(),
                               static_cast<MPI_Count>(message.send_bytes) / parts_.back(), MPI_BYTE,
                               message.peer, setup.tag(message), comm, MPI_INFO_NULL, &add(message.peer)),
                "MPI_Psend_init");
    }
  }

 private:
  void start_requests() override {
    if (size() == 0) return;
    check_mpi(MPI_Startall(static_cast<int>(size()), requests()), "MPI_Startall");
    MPI_Request* const sends = requests() + parts_.size();
    for (std::size_t i = 0; i < parts_.size(); ++i)
      for (int part = 0; part < parts_[i]; ++part) check_mpi(MPI_Pready(part, sends[i]), "MPI_Pready");
  }

  std::vector<int> parts_;  // of each send
};

}  // namespace

std::unique_ptr<MessageSet> make_partitioned_messages(const MessageSetup& setup) {
  return std::make_unique<PartitionedMessages>(setup);
}

std::string partitioned_unavailable_reason() {
  return "";
}

}  // namespace haloheap::comm::detail

#else

#include <haloheap/core/base/error.hpp>

namespace haloheap::comm::detail {

std::unique_ptr<MessageSet> make_partitioned_messages(const MessageSetup&) {
  throw InternalError(partitioned_unavailable_reason());
}

std::string partitioned_unavailable_reason() {
  char text[MPI_MAX_LIBRARY_VERSION_STRING] = "";
  int length = 0;
  check_mpi(MPI_Get_library_version(text, &length), "MPI_Get_library_version");
  const std::string version = text;
  return "this MPI library (" + version.substr(0, version.find_first_of(",\n")) +
         ") has no partitioned communication";
}

}  // namespace haloheap::comm::detail

#endif
