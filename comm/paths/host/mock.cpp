// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/paths/host/message_path.hpp>
#include <haloheap/comm/paths/host/mock.hpp>
#include <haloheap/comm/upload.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap {
namespace {

class MockTransport final : public Transport {
 public:
  explicit MockTransport(const TransportSetup& setup) {
    for (const RoundBytes& messages : setup.rounds) {
      Round& round =
          rounds_.emplace_back(Round{make_array<std::byte>(setup.buffers, "haloheap::comm::send",
                                                           sum(messages, &MessageBytes::send_bytes)),
                                     make_array<std::byte>(setup.buffers, "haloheap::comm::receive",
                                                           sum(messages, &MessageBytes::receive_bytes)),
                                     {}});
      upload(round.receive, std::vector<std::byte>(round.receive.size()));
    }
  }

  std::byte* send_buffer(int round) override { return at(round).send.data(); }
  const std::byte* receive_buffer(int round) override { return at(round).receive.data(); }
  void fetch(int round, const Exec& exec) override { at(round).packed.record(exec); }
  void wait_fetched(int round) override { at(round).packed.wait_on_host(); }
  void transfer(int round) override { wait_fetched(round); }
  void place(int, const Exec&) override {}

 private:
  struct Round {
    Array<std::byte> send, receive;
    backend::Event packed;
  };

  Round& at(int round) { return rounds_[static_cast<std::size_t>(round)]; }

  std::vector<Round> rounds_;
};

}  // namespace

std::unique_ptr<Transport> make_mock_transport(TransportSetup setup) {
  return std::make_unique<MockTransport>(setup);
}

}  // namespace haloheap
