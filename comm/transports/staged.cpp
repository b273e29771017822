// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/requests.hpp>
#include <haloheap/comm/transports/staged.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <deque>

namespace haloheap {
namespace {

class StagedTransport final : public Transport {
 public:
  StagedTransport(TransportSetup setup, const std::string& host_memory)
      : communicator_(setup.communicator.get()), timeout_(setup.timeout) {
    const auto host = make_memory_resource(host_memory);
    for (std::size_t i = 0; i < setup.rounds.size(); ++i)
      rounds_.emplace_back(communicator_, setup, setup.rounds[i], static_cast<int>(i), host);
  }

  ~StagedTransport() override {
    for (const Round& round : rounds_)
      if (round.sends.started() || round.receives.started()) communicator_.abandon();
  }

  std::byte* send_buffer(int round) override { return at(round).device_send.data(); }
  const std::byte* receive_buffer(int round) override { return at(round).device_receive.data(); }

  void fetch(int number, const Exec& exec) override {
    Round& round = at(number);
    backend::copy_async(exec, round.host_send.data(), round.device_send.data(), round.device_send.size());
    round.fetched.record(exec);
    // Early, if the last exchange's bytes have left the host buffer and these have reached it.
    start_what_is_ready(round);
  }

  void wait_fetched(int number) override {
    // The copy that `place` enqueued last time lies before `fetched` in the same queue, so this covers both
    // buffers.
    at(number).fetched.wait_on_host();
    start_what_is_ready(at(number));
  }

  void transfer(int number) override {
    wait_fetched(number);
    Round& round = at(number);
    round.receives.wait(timeout_);
    round.sends.wait(timeout_);
  }

  void place(int number, const Exec& exec) override {
    Round& round = at(number);
    backend::copy_async(exec, round.device_receive.data(), round.host_receive.data(),
                        round.device_receive.size());
  }

 private:
  struct Round {
    Array<std::byte> device_send, device_receive, host_send, host_receive;
    PersistentRequests sends, receives;
    backend::Event fetched;

    Round(const Communicator& communicator, const TransportSetup& setup, const RoundBytes& messages, int tag,
          const std::shared_ptr<MemoryResource>& host)
        : device_send(make_array<std::byte>(setup.buffers, "haloheap::comm::send",
                                            sum(messages, &MessageBytes::send_bytes))),
          device_receive(make_array<std::byte>(setup.buffers, "haloheap::comm::receive",
                                               sum(messages, &MessageBytes::receive_bytes))),
          host_send(make_array<std::byte>(host, "haloheap::comm::host_send", device_send.size())),
          host_receive(make_array<std::byte>(host, "haloheap::comm::host_receive", device_receive.size())),
          sends(communicator),
          receives(communicator) {
      for (const MessageBytes& message : messages) {
        sends.add_send(host_send.data() + message.send_offset, message.send_bytes, message.peer, tag);
        receives.add_receive(host_receive.data() + message.receive_offset, message.receive_bytes,
                             message.peer, tag);
      }
    }

    static std::size_t sum(const RoundBytes& messages, std::size_t MessageBytes::*part) {
      std::size_t total = 0;
      for (const MessageBytes& message : messages) total += message.*part;
      return total;
    }
  };

  static void start_what_is_ready(Round& round) {
    if (!round.fetched.ready()) return;
    if (!round.receives.started()) round.receives.start();
    if (!round.sends.started()) round.sends.start();
  }

  Round& at(int round) { return rounds_[static_cast<std::size_t>(round)]; }

  Communicator communicator_;  // of its own: two transports of one application must not mix
  double timeout_;
  std::deque<Round> rounds_;  // a deque, because rounds cannot move
};

}  // namespace

std::unique_ptr<Transport> make_pageable_transport(TransportSetup setup) {
  return std::make_unique<StagedTransport>(std::move(setup), "pageable");
}

std::unique_ptr<Transport> make_pinned_transport(TransportSetup setup) {
  return std::make_unique<StagedTransport>(std::move(setup), "pinned");
}

}  // namespace haloheap
