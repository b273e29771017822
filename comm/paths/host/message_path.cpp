// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

#include <optional>

namespace haloheap {
namespace {

using Bytes = Array<std::byte>;

/// The packed bytes of one direction: where kernels have them, and where MPI has them.
struct Buffer {
  Bytes kernels;
  std::optional<Bytes> host;

  Buffer(const std::string& name, std::size_t bytes, const std::shared_ptr<MemoryResource>& kernel_memory,
         const std::shared_ptr<MemoryResource>& wire_memory)
      : kernels(make_array<std::byte>(kernel_memory, "haloheap::comm::" + name, bytes)) {
    if (wire_memory) host.emplace(wire_memory, "haloheap::comm::host_" + name, bytes);
  }
  std::byte* wire() const { return host ? host->data() : kernels.data(); }
  std::size_t size() const { return kernels.size(); }
};

struct Round {
  Buffer send, receive;
  std::unique_ptr<MessageSet> messages;
  backend::Event fetched;
};

class PackedTransport final : public Transport {
 public:
  PackedTransport(const TransportSetup& setup, const std::shared_ptr<MemoryResource>& kernels,
                  const std::shared_ptr<MemoryResource>& wire)
      : communicator_(setup.communicator.get()), timeout_(setup.timeout) {
    for (const RoundBytes& messages : setup.rounds) {
      Round& round = rounds_.emplace_back(
          Round{.send = Buffer("send", sum(messages, &MessageBytes::send_bytes), kernels, wire),
                .receive = Buffer("receive", sum(messages, &MessageBytes::receive_bytes), kernels, wire),
                .messages = nullptr,
                .fetched = {}});
      round.messages = make_message_set(setup.mpi, {.communicator = communicator_,
                                                    .messages = messages,
                                                    .send = round.send.wire(),
                                                    .receive = round.receive.wire(),
                                                    .round = static_cast<int>(rounds_.size()) - 1,
                                                    .topology = setup.topology,
                                                    .exchange = setup.exchange});
    }
  }

  ~PackedTransport() override {
    bool all_ended = true;
    for (const Round& round : rounds_) {
      if (!round.messages || !round.messages->started()) continue;
      communicator_.abandon();
      all_ended = round.messages->give_up() && all_ended;
    }
    if (!all_ended) leave_to_mpi(std::move(rounds_));
  }

  std::byte* send_buffer(int round) override { return at(round).send.kernels.data(); }
  const std::byte* receive_buffer(int round) override { return at(round).receive.kernels.data(); }

  void fetch(int number, const Exec& exec) override {
    Round& round = at(number);
    if (round.send.host)
      backend::copy_async(exec, round.send.wire(), round.send.kernels.data(), round.send.size());
    round.fetched.record(exec);
    // Early, if the last exchange's bytes have left the send buffer and these have reached it.
    start_if_ready(round);
  }

  void wait_fetched(int number) override {
    // What read the receive buffer last time (a copy of `place`, or else the unpack kernel) lies before
    // `fetched` in the same queue, so this covers both buffers.
    at(number).fetched.wait_on_host();
    start_if_ready(at(number));
  }

  void transfer(int number) override {
    wait_fetched(number);
    at(number).messages->wait(timeout_);
  }

  void place(int number, const Exec& exec) override {
    Round& round = at(number);
    if (round.receive.host)
      backend::copy_async(exec, round.receive.kernels.data(), round.receive.wire(), round.receive.size());
  }

 private:
  static void start_if_ready(Round& round) {
    if (round.fetched.ready() && !round.messages->started()) round.messages->start();
  }

  /// After a time-out MPI may still hold on to buffers, and nothing makes it let go. They stay until the
  /// process ends.
  static void leave_to_mpi(std::vector<Round> rounds) {
    static auto& left = *std::make_unique<std::vector<std::vector<Round>>>().release();
    left.push_back(std::move(rounds));
  }

  Round& at(int round) { return rounds_[static_cast<std::size_t>(round)]; }

  Communicator communicator_;  // of its own: two transports of one application must not mix
  double timeout_;
  std::vector<Round> rounds_;
};

}  // namespace

std::size_t sum(const RoundBytes& messages, std::size_t MessageBytes::*part) {
  std::size_t total = 0;
  for (const MessageBytes& message : messages) total += message.*part;
  return total;
}

std::unique_ptr<Transport> make_packed_transport(const TransportSetup& setup,
                                                 const std::shared_ptr<MemoryResource>& kernels,
                                                 const std::shared_ptr<MemoryResource>& wire) {
  return std::make_unique<PackedTransport>(setup, kernels, wire);
}

}  // namespace haloheap
