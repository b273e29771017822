// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/host/messages/dist_graph.hpp>
#include <haloheap/comm/paths/host/messages/isend.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/host/messages/neighbor.hpp>
#include <haloheap/comm/paths/host/messages/partitioned.hpp>
#include <haloheap/comm/paths/host/messages/persistent.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <limits>

namespace haloheap::comm {
namespace {

/// MPI counts bytes, and their distance from the start of a buffer, in an int.
void require_countable(const detail::RoundBytes& messages) {
  constexpr auto maximum = static_cast<std::size_t>(std::numeric_limits<int>::max());
  for (const detail::MessageBytes& message : messages)
    for (const auto& [offset, bytes] : {std::pair{message.send_offset, message.send_bytes},
                                        std::pair{message.receive_offset, message.receive_bytes}}) {
      if (bytes > maximum)
        throw UsageError(fmt::format("a halo message of {} bytes is longer than MPI's 2 GiB", bytes), "",
                         "use a smaller depth, fewer quantities, or more ranks");
      if (offset > maximum)
        throw UsageError(
            fmt::format("a halo message begins {} bytes into its round, more than MPI's 2 GiB", offset), "",
            "use a smaller depth, fewer quantities, or more ranks");
    }
}

/// What can be had here and passes any messages that are packed so.
std::string able_modes(Packing packing) {
  const auto able = [&](const MessageMode& mode) {
    return mode.passes_any() && (mode.takes_datatypes || packing == Packing::kernel);
  };
  return fmt::format("{}", fmt::join(message_modes().names(able), " or "));
}

}  // namespace

const Registry<MessageMode>& message_modes() {
  static const Registry<MessageMode> registry(
      "message mode",
      {
          {"persistent", "requests made once and started again", detail::make_persistent_messages,
           nothing_missing},
          {"isend", "new requests for each exchange", detail::make_isend_messages, nothing_missing},
          {.name = "neighbor",
           .help = "a neighbourhood collective on a Cartesian communicator",
           .make = detail::make_neighbor_messages,
           .unavailable_reason = nothing_missing,
           .collective = true,
           .along_lines = true,
           .takes_datatypes = false},
          {.name = "dist_graph",
           .help = "a neighbourhood collective on a distributed graph, whose edges are the messages",
           .make = detail::make_dist_graph_messages,
           .unavailable_reason = nothing_missing,
           .collective = true},
          {.name = "partitioned",
           .help = "MPI-4 partitioned messages",
           .make = detail::make_partitioned_messages,
           .unavailable_reason = detail::partitioned_unavailable_reason,
           .nearest = "persistent",
           .takes_datatypes = false},
          {shared_memory, "no messages: host buffers that the ranks of a node share; MPI only sets them up",
           nullptr, nothing_missing},
      });
  return registry;
}

std::optional<HaloProblem> message_mode_problem(std::string_view mode, Exchange exchange,
                                                MessagesPer messages_per, Packing packing) {
  const MessageMode* const chosen = message_modes().find(mode);
  if (chosen == nullptr) return std::nullopt;
  if (packing == Packing::datatype && !chosen->takes_datatypes)
    return HaloProblem{
        HaloSetting::mpi,
        fmt::format("mpi = {} passes rows of bytes, and packing = {} leaves it to MPI to gather them", mode,
                    name_of(packing)),
        "", "use packing = kernel, or mpi = " + able_modes(packing)};
  if (!chosen->along_lines) return std::nullopt;
  if (messages_per == MessagesPer::direction)
    return HaloProblem{
        HaloSetting::mpi,
        fmt::format("mpi = {} passes one message to each neighbour, and messages = {} sends one "
                    "each way, also where two go to the same",
                    mode, name_of(messages_per)),
        "", "use messages = neighbour, or mpi = " + able_modes(packing)};
  if (exchange == Exchange::sync) return std::nullopt;
  return HaloProblem{
      HaloSetting::mpi,
      fmt::format("mpi = {} reaches the neighbours across a rank's faces only, and exchange = {} "
                  "also sends across edges and corners",
                  mode, name_of(exchange)),
      "", "use exchange = sync, or mpi = " + able_modes(packing)};
}

std::unique_ptr<MessageSet> make_message_set(const std::string& mode, const MessageSetup& setup) {
  const MessageMode& chosen = message_modes().available(mode);
  if (!chosen.passes_messages())
    throw CapabilityError("message mode " + mode + " passes no messages", "", "use another one");
  require_none(message_mode_problem(mode, setup.exchange, setup.messages_per,
                                    setup.typed.empty() ? Packing::kernel : Packing::datatype));
  agree(setup.communicator, [&] { require_countable(setup.messages); });
  return chosen.make(setup);
}

}  // namespace haloheap::comm
