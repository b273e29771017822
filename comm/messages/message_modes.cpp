// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/messages/isend.hpp>
#include <haloheap/comm/messages/message_set.hpp>
#include <haloheap/comm/messages/neighbor.hpp>
#include <haloheap/comm/messages/partitioned.hpp>
#include <haloheap/comm/messages/persistent.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace haloheap {
namespace {

/// MPI counts bytes, and their distance from the start of a buffer, in an int.
void require_countable(const RoundBytes& messages) {
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<int>::max());
  for (const MessageBytes& message : messages)
    for (const auto& [offset, bytes] : {std::pair{message.send_offset, message.send_bytes},
                                        std::pair{message.receive_offset, message.receive_bytes}}) {
      if (bytes > most)
        throw UsageError(fmt::format("a halo message of {} bytes is longer than MPI's 2 GiB", bytes), "",
                         "use a smaller depth, fewer quantities, or more ranks");
      if (offset > most)
        throw UsageError(
            fmt::format("a halo message begins {} bytes into its round, more than MPI's 2 GiB", offset), "",
            "use a smaller depth, fewer quantities, or more ranks");
    }
}

}  // namespace

const std::vector<MessageMode>& message_modes() {
  static const std::vector<MessageMode> list = {
      {"persistent", "requests made once and started again", make_persistent_messages, ""},
      {"isend", "new requests for each exchange", make_isend_messages, ""},
      {"neighbor", "a neighbourhood collective on a Cartesian communicator", make_neighbor_messages, ""},
      {"partitioned", "MPI-4 partitioned messages", make_partitioned_messages,
       partitioned_unavailable_reason()},
      {shared_memory, "no messages: host buffers that the ranks of a node share; MPI only sets them up",
       nullptr, ""},
  };
  return list;
}

std::unique_ptr<MessageSet> make_message_set(const std::string& mode, const MessageSetup& setup) {
  std::string names;
  for (const MessageMode& candidate : message_modes()) {
    if (candidate.name == mode) {
      if (!candidate.unavailable_reason.empty())
        throw CapabilityError(
            candidate.unavailable_reason, "",
            "use halo.mpi = persistent, or build with an MPI-4 library (Open MPI 5, MPICH 4)");
      if (candidate.make == nullptr)
        throw CapabilityError("halo.mpi = " + mode + " passes no messages", "", "use another halo.mpi");
      agree(setup.communicator, [&] { require_countable(setup.messages); });
      return candidate.make(setup);
    }
    names += (names.empty() ? "" : ", ") + candidate.name;
  }
  throw CapabilityError("this build cannot pass messages by '" + mode + "'", "", "use one of: " + names);
}

}  // namespace haloheap
