// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

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

  void begin(const HaloSteps::Exec& exec) {
    if (send.host) backend::copy_async(exec, send.wire(), send.kernels.data(), send.size());
    packed.record(exec);
    // Early, if the last exchange's bytes have left the send buffer and these have reached it.
    start_if_ready();
  }

  void end(const HaloSteps::Exec& exec, ArrivalPhases& phases, double timeout) {
    // What read the receive buffer last time (a copy of `end`, or else the unpack kernel) lies before
    // `packed` in the same queue, so this covers both buffers.
    packed.wait_on_host();
    start_if_ready();
    {
      const HostSpan span = phases.messages_on_host();
      messages->wait(timeout);
    }
    phases.unpack();
    if (receive.host) backend::copy_async(exec, receive.kernels.data(), receive.wire(), receive.size());
  }

 private:
  void start_if_ready() {
    if (packed.ready() && !messages->started()) messages->start();
  }
};

class MessagePath final : public HaloPath {
 public:
  MessagePath(const PathSetup& setup, const std::shared_ptr<memory::MemoryResource>& kernels,
              const std::shared_ptr<memory::MemoryResource>& wire, Messages messages)
      : communicator_(setup.communicator.get()), timeout_(setup.timeout) {
    for (const RoundBytes& bytes : setup.rounds) {
      has_messages_.push_back(!bytes.empty());
      Round& round = rounds_.emplace_back(Buffer("send", send_buffer_bytes(bytes), kernels, wire),
                                          Buffer("receive", receive_buffer_bytes(bytes), kernels, wire));
      round.messages = make_message_set(messages == Messages::passed ? setup.mpi : "persistent",
                                        {.communicator = communicator_,
                                         .messages = messages == Messages::passed ? bytes : RoundBytes{},
                                         .send = round.send.wire(),
                                         .receive = round.receive.wire(),
                                         .round = static_cast<int>(rounds_.size()) - 1,
                                         .topology = setup.topology,
                                         .exchange = setup.exchange});
      if (messages == Messages::left_out)
        upload(round.receive.kernels, std::vector<std::byte>(round.receive.size()));
    }
  }

  ~MessagePath() override {
    bool all_ended = true;
    for (const Round& round : rounds_) {
      if (!round.messages || !round.messages->started()) continue;
      communicator_.abandon();
      all_ended = round.messages->give_up() && all_ended;
    }
    if (!all_ended) leave_to_mpi(std::move(rounds_));
  }

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
    for (std::size_t i = 0; i < rounds_.size(); ++i) {
      if (!has_messages_[i]) continue;
      Round& round = rounds_[i];
      steps.rounds[i].host = true;
      steps.rounds[i].begin.emplace_back([&round](const Exec& exec, bool) { round.begin(exec); });
      steps.rounds[i].end.emplace_back(
          [this, &round](const Exec& exec, ArrivalPhases& phases) { round.end(exec, phases, timeout_); });
    }
  }

 private:
  /// After a time-out MPI may still hold on to buffers, and nothing makes it let go. They stay until the
  /// process ends.
  static void leave_to_mpi(std::vector<Round> rounds) {
    static auto& left = *std::make_unique<std::vector<std::vector<Round>>>().release();
    left.push_back(std::move(rounds));
  }

  Communicator communicator_;  // of its own: two paths of one application must not mix
  double timeout_;
  std::vector<bool> has_messages_;
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
