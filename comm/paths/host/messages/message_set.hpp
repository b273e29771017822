// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_MESSAGES_MESSAGE_SET_HPP
#define HALOHEAP_COMM_PATHS_HOST_MESSAGES_MESSAGE_SET_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/halo_problem.hpp>
#include <haloheap/comm/kernels/packed_round.hpp>
#include <haloheap/comm/paths/message_bytes.hpp>
#include <haloheap/core/base/registry.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace haloheap::comm {

/// The messages of one round: what MPI is asked for, again and again.
class MessageSet {
 public:
  MessageSet() = default;
  MessageSet(const MessageSet&) = delete;
  MessageSet& operator=(const MessageSet&) = delete;
  virtual ~MessageSet() = default;

  /// From here on the send buffer must not be written, and the receive buffer not be touched. Does not block.
  virtual void start() = 0;
  /// Between `start` and the end of `wait`; also after a `wait` that failed.
  virtual bool started() const = 0;
  /// Returns when all has arrived and the send buffer is free again.
  /// @throws CommunicationError that names the silent ranks after `timeout` seconds
  virtual void wait(double timeout) = 0;
  /// Ends what was started and will not be waited for. False if MPI may go on using the buffers: then they
  /// and this set must never be destroyed.
  virtual bool give_up() = 0;
};

struct MessageSetup {
  const Communicator& communicator;  ///< for this round's messages and those of its siblings only
  const detail::RoundBytes& messages;
  std::byte* send;     ///< the round's packed buffers
  std::byte* receive;  ///< ditto
  int round = 0;
  Topology topology = {};
  Exchange exchange = Exchange::sync;
  MessagesPer messages_per = MessagesPer::neighbour;
  /// A message; where they are no rows of bytes.
  std::vector<detail::TypedMessage> typed = {};

  /// Tells messages of other rounds, and others with the same peer, apart.
  int tag(const detail::MessageBytes& message) const {
    constexpr int rounds = 3;  // at most
    return round + rounds * message.number;
  }
};

/// The way that passes no messages: TransportInfo::shared.
inline constexpr const char* shared_memory = "shared";

/// A way to pass messages (HaloExchangeConfig::mpi).
struct MessageMode {
  std::string name;
  std::string help;
  std::unique_ptr<MessageSet> (*make)(const MessageSetup& setup);  ///< null: shared_memory
  std::string (*unavailable_reason)();                             ///< empty where it can be had
  std::string nearest = "";                                        ///< what to use where it is missing
  bool collective = false;  ///< one operation for a round: nobody knows which of its messages is missing
  /// The ranks of a line of the rank grid pass messages together, one to each neighbour, and none pass across
  /// edges and corners.
  bool along_lines = false;
  bool takes_datatypes = true;  ///< and not rows of bytes alone

  bool passes_messages() const { return make != nullptr; }
  /// Whether it can be had here, and passes messages to any neighbour.
  bool passes_any() const { return passes_messages() && !along_lines && unavailable_reason().empty(); }
};

/// All modes, also those that this MPI library does not have.
const Registry<MessageMode>& message_modes();

/// Why a mode cannot pass the messages of an exchange; nothing if it can, or if there is no such mode.
std::optional<HaloProblem> message_mode_problem(std::string_view mode, Exchange exchange,
                                                MessagesPer messages_per, Packing packing);

/// Collective over the communicator. @throws UsageError for a mode that does not exist; CapabilityError for
/// one that cannot be had; UsageError (as AgreedError if not all ranks see it) for messages that the mode
/// cannot carry
std::unique_ptr<MessageSet> make_message_set(const std::string& mode, const MessageSetup& setup);

namespace detail {

/// Before rounds of messages and their buffers are destroyed: ends what was started. After a timeout MPI may
/// still hold on to buffers, and nothing makes it let go. They stay until the process ends.
/// @tparam Round has a pointer `messages` to its set, which may be null
template <class Round>
void give_up(Communicator& communicator, std::vector<Round>& rounds) {
  bool all_ended = true;
  for (const Round& round : rounds) {
    if (!round.messages || !round.messages->started()) continue;
    communicator.abandon();
    all_ended = round.messages->give_up() && all_ended;
  }
  if (all_ended) return;
  static auto& left = *std::make_unique<std::vector<std::vector<Round>>>().release();
  left.push_back(std::move(rounds));
}

}  // namespace detail

}  // namespace haloheap::comm

#endif
