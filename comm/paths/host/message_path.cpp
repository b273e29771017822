// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

#include <algorithm>
#include <cstring>
#include <optional>

namespace haloheap::comm::detail {
namespace {

using Bytes = memory::Array<std::byte>;

/// The packed bytes of one direction: where kernels have them, and where MPI has them.
struct Buffer {
  Bytes kernels;
  std::optional<Bytes> host;

  Buffer(const std::string& name, std::size_t bytes,
         const std::shared_ptr<memory::MemoryResource>& kernel_memory,
         const std::shared_ptr<memory::MemoryResource>& wire_memory)
      : kernels(memory::make_array<std::byte>(kernel_memory, "haloheap::comm::" + name, bytes)) {
    if (wire_memory) host.emplace(wire_memory, "haloheap::comm::host_" + name, bytes);
  }
  std::byte* wire() const { return host ? host->data() : kernels.data(); }
  std::size_t size() const { return kernels.size(); }
};

struct Round {
  Buffer send, receive;
  std::unique_ptr<MessageSet> messages;
  backend::Event packed;

  Round(Buffer send_buffer, Buffer receive_buffer)
      : send(std::move(send_buffer)), receive(std::move(receive_buffer)) {}

  void stage(const HaloSteps::Exec& exec) {
    fetch(exec);
    packed.record(exec);
  }

  /// Early, if the last exchange's bytes have left the send buffer and these have reached it.
  void post(MessagePhases& phases) {
    if (!packed.ready()) return;
    const HostSpan span = phases.messages_on_host();
    messages->start();
  }

  void end(const HaloSteps::Exec& exec, MessagePhases& phases, double timeout) {
    // What read the receive buffer last time (a copy of `end`, or else the unpack kernel) lies before
    // `packed` in the same queue, so this covers both buffers.
    packed.wait_on_host();
    pass(phases, timeout);
    phases.unpack();
    place(exec);
  }

  /// What kernels have packed gets to the host.
  void fetch(const HaloSteps::Exec& exec) const {
    if (send.host) backend::copy_async(exec, send.wire(), send.kernels.data(), send.size());
  }
  void pass(MessagePhases& phases, double timeout) const {
    const HostSpan span = phases.messages_on_host();
    if (!messages->started()) messages->start();
    messages->wait(timeout);
  }
  /// What has come gets to where kernels unpack it.
  void place(const HaloSteps::Exec& exec) const {
    if (receive.host) backend::copy_async(exec, receive.kernels.data(), receive.wire(), receive.size());
  }
};

/// Copies runs of bytes from a block's place in the receive buffer of one round to the send buffer of
/// another.
void copy_on_host(const BlockCopy& block, const std::vector<Round>& rounds) {
  const std::byte* const from = rounds[static_cast<std::size_t>(block.from.array)].receive.wire();
  std::byte* const to = rounds[static_cast<std::size_t>(block.to.array)].send.wire();
  const auto at = [](const BlockPlace& place, grid::Index i, grid::Index j, grid::Index k) {
    return place.first + i * place.stride[0] + j * place.stride[1] + k * place.stride[2];
  };
  for (grid::Index k = 0; k < block.count[2]; ++k)
    for (grid::Index j = 0; j < block.count[1]; ++j)
      for (grid::Index i = 0; i < block.count[0]; ++i)
        std::memcpy(to + at(block.to, i, j, k), from + at(block.from, i, j, k),
                    static_cast<std::size_t>(block.run));
}

class MessagePath final : public HaloPath {
 public:
  MessagePath(const PathSetup& setup, const std::shared_ptr<memory::MemoryResource>& kernels,
              const std::shared_ptr<memory::MemoryResource>& wire, Messages messages)
      : communicator_(setup.communicator.get()), timeout_(setup.timeout) {
    for (std::size_t i = 0; i < setup.rounds.size(); ++i) {
      const RoundBytes& bytes = setup.rounds[i];
      const TypedRound* const typed = setup.typed.empty() ? nullptr : &setup.typed[i];
      has_messages_.push_back(!bytes.empty());
      Round& round = rounds_.emplace_back(
          Buffer("send", typed ? typed->send_bytes : send_buffer_bytes(bytes), kernels, wire),
          Buffer("receive", typed ? typed->receive_bytes : receive_buffer_bytes(bytes), kernels, wire));
      round.messages = make_message_set(messages == Messages::passed ? setup.mpi : "persistent",
                                        {.communicator = communicator_,
                                         .messages = messages == Messages::passed ? bytes : RoundBytes{},
                                         .send = round.send.wire(),
                                         .receive = round.receive.wire(),
                                         .round = static_cast<int>(rounds_.size()) - 1,
                                         .topology = setup.topology,
                                         .exchange = setup.exchange,
                                         .messages_per = setup.messages_per,
                                         .typed = typed ? typed->messages : std::vector<TypedMessage>{}});
      if (messages == Messages::left_out)
        upload(round.receive.kernels, std::vector<std::byte>(round.receive.size()));
    }
  }

  ~MessagePath() override { give_up(communicator_, rounds_); }

  PathPlaces places() override {
    PathPlaces places;
    for (Round& round : rounds_) {
      std::byte* const receive = round.receive.kernels.data();
      places.send.push_back(round.send.kernels.data());
      places.receive.push_back({receive, receive});
    }
    return places;
  }

  void add_to(HaloSteps& steps) override {
    if (steps.corners) return add_with_corners_to(steps);
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      if (!has_messages_[i]) continue;
      Round& round = rounds_[i];
      steps.rounds[i].host = true;
      steps.rounds[i].stage.emplace_back([&round](const Exec& exec) { round.stage(exec); });
      steps.rounds[i].post.emplace_back(
          [&round](const Exec&, MessagePhases& phases, bool) { round.post(phases); });
      steps.rounds[i].end.emplace_back(
          [this, &round](const Exec& exec, MessagePhases& phases) { round.end(exec, phases, timeout_); });
    }
  }

 private:
  /// All rounds go to the host at once, and come back at once.
  void add_with_corners_to(HaloSteps& steps) {
    if (std::find(has_messages_.begin(), has_messages_.end(), true) == has_messages_.end()) return;
    corners_ = *steps.corners;
    steps.rounds.front().stage.emplace_back([this](const Exec& exec) {
      for (const Round& round : rounds_) round.fetch(exec);
      rounds_.front().packed.record(exec);
    });
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      steps.rounds[i].host = true;
      steps.rounds[i].post.emplace_back([this, i](const Exec&, MessagePhases& phases, bool) {
        if (i == 0 && has_messages_[i]) rounds_[i].post(phases);
      });
      steps.rounds[i].end.emplace_back(
          [this, i](const Exec& exec, MessagePhases& phases) { end_with_corners(i, exec, phases); });
    }
  }

  void end_with_corners(std::size_t i, const Exec& exec, MessagePhases& phases) {
    if (i == 0) rounds_[i].packed.wait_on_host();
    {
      const HostSpan span = phases.messages_on_host();
      for (const BlockCopy& block : corners_[i]) copy_on_host(block, rounds_);
    }
    if (has_messages_[i]) rounds_[i].pass(phases, timeout_);
    if (i + 1 < rounds_.size()) return;
    phases.unpack();
    for (const Round& round : rounds_) round.place(exec);
  }

  Communicator communicator_;  // of its own: two paths of one application must not mix
  double timeout_;
  std::vector<bool> has_messages_;
  std::vector<std::vector<BlockCopy>> corners_;  // a round, where the host copies them
  std::vector<Round> rounds_;
};

}  // namespace

std::unique_ptr<HaloPath> make_message_path(const PathSetup& setup,
                                            const std::shared_ptr<memory::MemoryResource>& kernels,
                                            const std::shared_ptr<memory::MemoryResource>& wire,
                                            Messages messages) {
  return std::make_unique<MessagePath>(setup, kernels, wire, messages);
}

}  // namespace haloheap::comm::detail
