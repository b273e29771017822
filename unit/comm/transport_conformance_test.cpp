// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every transport has to keep, over the names in transports().
#include <haloheap/comm/transport.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <random>
#include <thread>

namespace haloheap {
namespace {

using Byte = unsigned char;
using Exec = Kokkos::DefaultExecutionSpace;

/// Bytes from one rank to another in each round; -1: they do not exchange at all. All ranks make the same
/// table.
class Sizes {
 public:
  Sizes(int ranks, int rounds, unsigned seed, int largest) : ranks_(ranks), rounds_(rounds) {
    std::mt19937 generator(seed);
    const auto n = static_cast<unsigned>(ranks);
    table_.assign(static_cast<std::size_t>(rounds) * n * n, -1);
    for (int round = 0; round < rounds; ++round)
      for (int a = 0; a < ranks; ++a)
        for (int b = 0; b < a; ++b) {
          if (generator() % 4 == 0) continue;
          for (int* size : {&at(round, a, b), &at(round, b, a)})
            *size = generator() % 4 == 0 ? 0 : static_cast<int>(generator() % static_cast<unsigned>(largest));
        }
  }

  int& at(int round, int from, int to) {
    return table_[static_cast<std::size_t>((round * ranks_ + from) * ranks_ + to)];
  }
  int rounds() const { return rounds_; }

  RoundBytes round_bytes(int round, int rank) {
    RoundBytes messages;
    std::size_t sent = 0, received = 0;
    for (int peer = 0; peer < ranks_; ++peer) {
      if (at(round, rank, peer) < 0) continue;
      const auto send = static_cast<std::size_t>(at(round, rank, peer));
      const auto receive = static_cast<std::size_t>(at(round, peer, rank));
      messages.push_back({peer, sent, send, received, receive});
      sent += send;
      received += receive;
    }
    return messages;
  }

 private:
  int ranks_, rounds_;
  std::vector<int> table_;
};

/// One transport and the content that it has to carry: every byte depends on all of exchange, round, sender,
/// receiver, position and time.
class Exchanger {
 public:
  Exchanger(const std::string& name, const Communicator& world, Sizes sizes, int salt, double timeout = 30)
      : world_(world), sizes_(std::move(sizes)), salt_(salt) {
    for (int round = 0; round < sizes_.rounds(); ++round)
      rounds_.push_back(sizes_.round_bytes(round, world.rank()));
    transport_ = make_transport(name, {world, rounds_, make_memory_resource("device"), timeout});
  }

  void fetch(int round, int time) {
    std::vector<Byte> bytes;
    for (const MessageBytes& message : at(round))
      for (std::size_t i = 0; i < message.send_bytes; ++i)
        bytes.push_back(content(round, time, world_.rank(), message.peer, i));
    if (!bytes.empty())
      backend::copy_async(queue_.exec(), transport_->send_buffer(round), bytes.data(), bytes.size());
    transport_->fetch(round, queue_.exec());
    queue_.exec().fence("haloheap::unit::fetched");  // `bytes` ends here
  }

  void transfer(int round) { transport_->transfer(round); }

  /// The number of wrong bytes that arrived.
  std::size_t place_and_count(int round, int time) {
    transport_->place(round, queue_.exec());
    std::size_t total = 0, wrong = 0, next = 0;
    for (const MessageBytes& message : at(round)) total += message.receive_bytes;
    std::vector<Byte> bytes(total, 0);
    if (total > 0) backend::copy_async(queue_.exec(), bytes.data(), transport_->receive_buffer(round), total);
    queue_.exec().fence("haloheap::unit::placed");
    for (const MessageBytes& message : at(round))
      for (std::size_t i = 0; i < message.receive_bytes; ++i)
        wrong += bytes[next++] == content(round, time, message.peer, world_.rank(), i) ? 0 : 1;
    return wrong;
  }

  std::size_t exchange(int time) {
    std::size_t wrong = 0;
    for (int round = 0; round < sizes_.rounds(); ++round) {
      fetch(round, time);
      transfer(round);
      wrong += place_and_count(round, time);
    }
    return wrong;
  }

 private:
  const RoundBytes& at(int round) const { return rounds_[static_cast<std::size_t>(round)]; }

  Byte content(int round, int time, int from, int to, std::size_t i) const {
    std::uint64_t n = i;
    for (const int part : {salt_, round, time, from, to})
      n = (n ^ static_cast<std::uint64_t>(part + 1)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<Byte>(n >> 56);
  }

  const Communicator& world_;
  Sizes sizes_;
  int salt_;
  std::vector<RoundBytes> rounds_;
  backend::Instance queue_{backend::Priority::high};
  std::unique_ptr<Transport> transport_;
};

class TransportConformance : public ::testing::TestWithParam<std::string> {
 protected:
  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(TransportConformance, carries_every_byte_of_random_messages_again_and_again) {
  for (unsigned seed = 0; seed < 6; ++seed) {
    Exchanger exchanger(GetParam(), world, Sizes(world.size(), 1 + static_cast<int>(seed) % 3, seed, 2000),
                        1);
    for (int time = 0; time < 12; ++time)
      EXPECT_EQ(exchanger.exchange(time), 0U) << "seed " << seed << ", time " << time;
  }
}

TEST_P(TransportConformance, carries_messages_that_do_not_fit_an_eager_buffer) {
  Exchanger exchanger(GetParam(), world, Sizes(world.size(), 2, 3, 1 << 20), 1);
  for (int time = 0; time < 4; ++time) EXPECT_EQ(exchanger.exchange(time), 0U) << time;
}

TEST_P(TransportConformance, empty_messages_and_empty_rounds_are_fine) {
  Sizes sizes(world.size(), 4, 1, 100);
  for (int a = 0; a < world.size(); ++a)
    for (int b = 0; b < world.size(); ++b) {
      sizes.at(0, a, b) = -1;  // nobody to talk to
      if (a != b) sizes.at(1, a, b) = 0;
      if (a != b) sizes.at(3, a, b) = a < b ? 0 : 17;  // one way only
    }
  Exchanger exchanger(GetParam(), world, sizes, 1);
  for (int time = 0; time < 5; ++time) EXPECT_EQ(exchanger.exchange(time), 0U);
}

TEST_P(TransportConformance, one_rank_may_run_ahead) {
  Exchanger exchanger(GetParam(), world, Sizes(world.size(), 2, 9, 500), 1);
  for (int time = 0; time < 50; ++time) {
    if (time % world.size() == world.rank()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(exchanger.exchange(time), 0U) << time;
  }
}

TEST_P(TransportConformance, two_exchanges_alive_at_once_do_not_mix) {
  const Sizes sizes(world.size(), 2, 4, 700);  // equal sizes: only the content tells them apart
  Exchanger a(GetParam(), world, sizes, 1), b(GetParam(), world, sizes, 2);
  for (int time = 0; time < 8; ++time)
    for (int round = 0; round < 2; ++round) {
      // Ranks begin them in different orders.
      Exchanger& first = world.rank() % 2 == 0 ? a : b;
      Exchanger& second = world.rank() % 2 == 0 ? b : a;
      first.fetch(round, time);
      second.fetch(round, time);
      a.transfer(round);
      b.transfer(round);
      EXPECT_EQ(a.place_and_count(round, time), 0U);
      EXPECT_EQ(b.place_and_count(round, time), 0U);
    }
}

TEST_P(TransportConformance, many_can_be_made_and_dropped_without_being_used) {
  for (int i = 0; i < 50; ++i) {
    Exchanger exchanger(GetParam(), world, Sizes(world.size(), 2, 5, 300), 1);
    if (i % 10 == 0) {
      EXPECT_EQ(exchanger.exchange(0), 0U);
    }
  }
}

// The last rank never takes part. The others give up in time, say whom they waited for, and leave nothing
// behind that would disturb the next exchange.
TEST_P(TransportConformance, a_silent_peer_is_named_within_the_time_out) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  for (const int size : {100, 300000}) {
    const int silent = world.size() - 1;
    Sizes sizes(world.size(), 1, 1, 1);
    for (int a = 0; a < world.size(); ++a)
      for (int b = 0; b < world.size(); ++b) sizes.at(0, a, b) = a == b ? -1 : size;
    std::string message;
    {
      Exchanger exchanger(GetParam(), world, sizes, 1, 0.3);
      world.barrier();
      if (world.rank() != silent) {
        try {
          exchanger.fetch(0, 0);
          exchanger.transfer(0);
        } catch (const CommunicationError& error) {
          message = error.what();
        }
      }
      world.barrier();
    }
    if (world.rank() != silent) {
      EXPECT_EQ(message, "rank " + std::to_string(world.rank()) + " waited 0.3 s for rank " +
                             std::to_string(silent) +
                             ", which sent or took nothing\n"
                             "  consequence: the run cannot go on without it\n"
                             "  remedy: see whether that rank died or hangs; halo.timeout sets the patience");
    }
    Exchanger next(GetParam(), world, sizes, 2);
    for (int time = 0; time < 3; ++time) EXPECT_EQ(next.exchange(time), 0U);
  }
}

// Giving up must also end what was begun: a message that comes late may not be written to memory that is
// gone.
TEST_P(TransportConformance, a_message_that_comes_late_does_no_harm) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  const int late = world.size() - 1;
  Sizes sizes(world.size(), 1, 1, 1);
  for (int a = 0; a < world.size(); ++a)
    for (int b = 0; b < world.size(); ++b) sizes.at(0, a, b) = a == b ? -1 : 3000;
  auto exchanger = std::make_unique<Exchanger>(GetParam(), world, sizes, 1, 0.3);
  if (world.rank() != late) {
    exchanger->fetch(0, 0);
    EXPECT_THROW(exchanger->transfer(0), CommunicationError);
    exchanger.reset();
  }
  std::vector<std::vector<Byte>> where_the_buffers_were(64, std::vector<Byte>(3000, 7));
  world.barrier();
  if (world.rank() == late) {
    exchanger->fetch(0, 0);
    try {
      exchanger->transfer(0);  // finds the messages, or nobody; both are fine
    } catch (const CommunicationError&) {
    }
  }
  world.barrier();
  Exchanger next(GetParam(), world, sizes, 2);
  for (int time = 0; time < 3; ++time) EXPECT_EQ(next.exchange(time), 0U);
  for (const auto& block : where_the_buffers_were) EXPECT_EQ(block, std::vector<Byte>(3000, 7));
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const TransportInfo& info : transports()) result.push_back(info.name);
  return result;
}

INSTANTIATE_TEST_SUITE_P(All, TransportConformance, ::testing::ValuesIn(names()),
                         [](const auto& parameter) { return parameter.param; });

TEST(Transports, are_listed_once_each_with_help) {
  std::vector<std::string> all = names();
  for (const char* name : {"pageable", "pinned"})
    EXPECT_EQ(std::count(all.begin(), all.end(), name), 1) << name;
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  for (const TransportInfo& info : transports()) EXPECT_FALSE(info.help.empty());
}

TEST(Transports, an_unknown_name_lists_those_that_exist) {
  const Communicator world(MPI_COMM_WORLD);
  std::string known;
  for (const std::string& name : names()) known += (known.empty() ? "" : ", ") + name;
  try {
    make_transport("pigeon", {world, {}, make_memory_resource("device")});
    ADD_FAILURE() << "there is no such transport";
  } catch (const CapabilityError& error) {
    EXPECT_EQ(error.what(), "this build has no transport 'pigeon'\n  remedy: use one of: " + known);
  }
}

}  // namespace
}  // namespace haloheap
