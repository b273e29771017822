// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What every transport that reaches any rank has to keep by itself, in every mode of message passing if it
// uses MPI, over the names in transports() and message_modes(). Those that stay within a node need the
// kernels and signals of a whole exchange: they are for peer_conformance_test.cpp, with the same cases.
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/unit/comm/conformance.hpp>
#include <haloheap/unit/comm/helpers.hpp>
#include <haloheap/unit/comm/path_alone.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <ostream>
#include <random>

namespace haloheap::comm {
namespace {

namespace conformance = testing::conformance;
using testing::PathAlone;

using Byte = unsigned char;
using Exec = Kokkos::DefaultExecutionSpace;

/// A transport and a way to pass its messages.
struct Way {
  std::string transport, mpi;
  std::string unavailable_reason = "";
  bool faces_only = false;      ///< its messages stay between neighbours, and round i is along dimension i
  bool all_or_nothing = false;  ///< nobody knows which of a round's messages is missing
};

/// Periodic and open rank grids of so many ranks.
std::vector<Topology> topologies(const Communicator& world) {
  std::vector<Topology> result;
  for (int x = 1; x <= world.size(); ++x)
    for (int y = 1; x * y <= world.size(); ++y) {
      const int z = world.size() / (x * y);
      if (x * y * z != world.size()) continue;
      for (const bool open : {false, true})
        result.push_back(Topology::make(world.rank(), {x, y, z}, {!open, x % 2 == 0, !open}));
    }
  return result;
}

Topology ring(const Communicator& world) {
  return Topology::make(world.rank(), {world.size(), 1, 1}, {true, true, true});
}

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
            *size = generator() % 4 == 0 ? static_cast<int>(generator() % 2)
                                         : static_cast<int>(generator() % static_cast<unsigned>(largest));
        }
  }
  /// The same between all ranks.
  Sizes(int ranks, int rounds, int bytes) : Sizes(ranks, rounds, 1, 1) {
    for (int round = 0; round < rounds; ++round)
      for (int a = 0; a < ranks; ++a)
        for (int b = 0; b < ranks; ++b) at(round, a, b) = a == b ? -1 : bytes;
  }

  /// Drops what does not pass between neighbours in the dimension of the round.
  void keep_faces(const Topology& grid) {
    for (int round = 0; round < rounds_; ++round)
      for (int a = 0; a < ranks_; ++a) {
        const Topology from = Topology::make(a, grid.ranks, grid.periodic);
        grid::Triple low, high;
        low[round] = -1, high[round] = 1;
        for (int b = 0; b < ranks_; ++b)
          if (from.neighbour(low) != b && from.neighbour(high) != b) at(round, a, b) = -1;
      }
  }

  int& at(int round, int from, int to) {
    return table_[static_cast<std::size_t>((round * ranks_ + from) * ranks_ + to)];
  }
  int rounds() const { return rounds_; }

  detail::RoundBytes round_bytes(int round, int rank) {
    detail::RoundBytes messages;
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
  Exchanger(const Way& way, const Communicator& world, Sizes sizes, int salt, const Topology& grid,
            double timeout = testing::long_timeout)
      : world_(world), sizes_(std::move(sizes)), salt_(salt) {
    if (way.faces_only) sizes_.keep_faces(grid);
    for (int round = 0; round < sizes_.rounds(); ++round)
      rounds_.push_back(sizes_.round_bytes(round, world.rank()));
    path_.emplace(make_path(way.transport, {.communicator = world,
                                            .rounds = rounds_,
                                            .buffers = memory::make_memory_resource("device"),
                                            .timeout = timeout,
                                            .mpi = way.mpi,
                                            .topology = grid,
                                            .force_gpu_aware = true}),
                  rounds_.size());
  }

  int rounds() const { return sizes_.rounds(); }
  bool begins_in_any_order() const { return true; }
  // Messages whose copies are not done when they begin are sent by the end.
  bool ends_in_any_order() const { return backend::kernels_on_host; }

  void begin(int round, int time) {
    std::vector<Byte> bytes;
    for (const detail::MessageBytes& message : at(round))
      for (std::size_t i = 0; i < message.send_bytes; ++i)
        bytes.push_back(content(round, time, world_.rank(), message.peer, i));
    if (!bytes.empty()) backend::copy_async(queue_.exec(), path_->send(round), bytes.data(), bytes.size());
    path_->begin(round, queue_.exec());
    queue_.exec().fence("haloheap::unit::fetched");  // `bytes` ends here
  }

  void push(int /*round*/) {}
  void await(int round) { path_->end(round, queue_.exec()); }

  std::vector<int> peers() const {
    std::vector<int> result;
    for (const detail::MessageBytes& message : at(0)) result.push_back(message.peer);
    return result;
  }

  std::size_t finish(int round, int time) {
    std::size_t total = 0, wrong = 0, next = 0;
    for (const detail::MessageBytes& message : at(round)) total += message.receive_bytes;
    std::vector<Byte> bytes(total, 0);
    if (total > 0) backend::copy_async(queue_.exec(), bytes.data(), path_->received(round), total);
    queue_.exec().fence("haloheap::unit::placed");
    for (const detail::MessageBytes& message : at(round))
      for (std::size_t i = 0; i < message.receive_bytes; ++i)
        wrong += bytes[next++] == content(round, time, message.peer, world_.rank(), i) ? 0 : 1;
    return wrong;
  }

  std::size_t exchange(int time) {
    std::size_t wrong = 0;
    for (int round = 0; round < sizes_.rounds(); ++round) {
      begin(round, time);
      await(round);
      wrong += finish(round, time);
    }
    return wrong;
  }

 private:
  const detail::RoundBytes& at(int round) const { return rounds_[static_cast<std::size_t>(round)]; }

  Byte content(int round, int time, int from, int to, std::size_t i) const {
    std::uint64_t n = i;
    for (const int part : {salt_, round, time, from, to})
      n = (n ^ static_cast<std::uint64_t>(part + 1)) * 0x9e3779b97f4a7c15ULL;
    return static_cast<Byte>(n >> 56);
  }

  const Communicator& world_;
  Sizes sizes_;
  int salt_;
  std::vector<detail::RoundBytes> rounds_;
  backend::Instance queue_{backend::Priority::high};
  std::optional<PathAlone> path_;
};

class TransportConformance : public ::testing::TestWithParam<Way> {
 protected:
  void SetUp() override {
    if (!GetParam().unavailable_reason.empty()) GTEST_SKIP() << GetParam().unavailable_reason;
  }

  Exchanger make(const Sizes& sizes, int salt) const {
    return Exchanger(GetParam(), world, sizes, salt, ring(world));
  }
  auto maker(const Sizes& sizes) const {
    return [this, sizes](int salt, double timeout) {
      return std::make_unique<Exchanger>(GetParam(), world, sizes, salt, ring(world), timeout);
    };
  }

  const Communicator world{MPI_COMM_WORLD};
};

TEST_P(TransportConformance, carries_every_byte_of_random_messages_again_and_again) {
  unsigned seed = 0;
  for (const Topology& grid : topologies(world)) {
    ++seed;
    Exchanger exchanger(GetParam(), world, Sizes(world.size(), 1 + static_cast<int>(seed) % 3, seed, 2000), 1,
                        grid);
    for (int time = 0; time < 6; ++time)
      EXPECT_EQ(exchanger.exchange(time), 0U) << "seed " << seed << ", time " << time;
  }
}

TEST_P(TransportConformance, carries_messages_that_do_not_fit_an_eager_buffer) {
  Exchanger exchanger = make(Sizes(world.size(), 2, 3, 1 << 20), 1);
  for (int time = 0; time < 4; ++time) EXPECT_EQ(exchanger.exchange(time), 0U) << time;
}

TEST_P(TransportConformance, empty_messages_and_empty_rounds_are_fine) {
  for (int first = 0; first < 4; ++first) {
    Sizes sizes(world.size(), 3, 1, 100);
    for (int round = 0; round < 3; ++round)
      for (int a = 0; a < world.size(); ++a)
        for (int b = 0; b < world.size(); ++b) {
          if (a == b) continue;
          const int kind = (first + round) % 4;
          if (kind == 0) sizes.at(round, a, b) = -1;  // nobody to talk to
          if (kind == 1) sizes.at(round, a, b) = 0;
          if (kind == 2) sizes.at(round, a, b) = a < b ? 0 : 17;  // one way only
          if (kind == 3) sizes.at(round, a, b) = 1;
        }
    Exchanger exchanger = make(sizes, 1);
    for (int time = 0; time < 5; ++time) EXPECT_EQ(exchanger.exchange(time), 0U);
  }
}

TEST_P(TransportConformance, one_rank_may_run_ahead) {
  Exchanger exchanger = make(Sizes(world.size(), 2, 9, 500), 1);
  conformance::one_rank_may_run_ahead(world, exchanger, 50);
}

// Messages below and above what MPI sends at once overtake each other, and so do ranks.
TEST_P(TransportConformance, random_delays_and_sizes_change_nothing) {
  Exchanger exchanger = make(Sizes(world.size(), 3, 11, 30000), 1);
  conformance::random_delays_change_nothing(world, exchanger, 200);
}

TEST_P(TransportConformance, exchanges_alive_at_once_do_not_mix) {
  const Sizes sizes(world.size(), 2, 4, 700);
  std::vector<std::unique_ptr<Exchanger>> exchangers;
  for (int salt = 0; salt < 4; ++salt) exchangers.push_back(maker(sizes)(salt, testing::long_timeout));
  conformance::those_alive_at_once_do_not_mix(world, exchangers);
}

TEST_P(TransportConformance, many_can_be_made_and_dropped_without_being_used) {
  conformance::many_can_be_made_and_dropped_without_being_used(maker(Sizes(world.size(), 2, 5, 300)));
}

TEST_P(TransportConformance, a_silent_peer_is_named_within_the_time_out) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  const auto check = [&](const std::vector<int>& peers, int silent, const std::string& message,
                         double timeout) -> std::string {
    std::string names = std::to_string(silent), expected;
    if (GetParam().all_or_nothing) {
      names.clear();
      for (const int peer : peers) names += (names.empty() ? "" : " or ") + std::to_string(peer);
    }
    if (conformance::contains(peers, silent))
      expected = fmt::format("rank {} waited {:g} s for rank {}, which sent or took nothing\n", world.rank(),
                             timeout, names) +
                 "  consequence: the run cannot go on without it\n"
                 "  remedy: see whether that rank died or hangs; the timeout says how long to wait";
    return message == expected ? "" : "said: '" + message + "' instead of '" + expected + "'";
  };
  for (const int size : {100, 300000})
    conformance::a_silent_peer_is_named_within_the_time_out(world, maker(Sizes(world.size(), 1, size)),
                                                            check);
}

TEST_P(TransportConformance, a_message_that_comes_late_does_no_harm) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  for (const int size : {3000, 300000}) {
    const auto block = std::vector<Byte>(static_cast<std::size_t>(size), 7);
    const auto occupy = [&] {
      return [&block, where_the_buffers_were = std::vector<std::vector<Byte>>(64, block)] {
        return std::all_of(where_the_buffers_were.begin(), where_the_buffers_were.end(),
                           [&](const auto& there) { return there == block; });
      };
    };
    conformance::a_message_that_comes_late_does_no_harm(world, maker(Sizes(world.size(), 1, size)), occupy);
  }
}

std::vector<std::string> names() {
  std::vector<std::string> result;
  for (const TransportInfo& info : transports()) result.push_back(info.name);
  return result;
}

std::vector<Way> ways() {
  std::vector<Way> result;
  for (const TransportInfo& info : transports()) {
    if (!info.delivers || info.reach != Reach::any) continue;
    const std::string reason = testing::unavailable_reason(info.name);
    if (info.carrier != Carrier::mpi) result.push_back({info.name, "devices", reason, false, true});
    for (const MessageMode& mode : message_modes())
      if (info.carrier == Carrier::mpi && mode.make)
        result.push_back({info.name, mode.name, reason.empty() ? mode.unavailable_reason() : reason,
                          mode.along_lines, mode.collective});
  }
  return result;
}

void PrintTo(const Way& way, std::ostream* out) {
  *out << way.transport << " by " << way.mpi;
}

INSTANTIATE_TEST_SUITE_P(All, TransportConformance, ::testing::ValuesIn(ways()), [](const auto& parameter) {
  return parameter.param.transport + "_" + parameter.param.mpi;
});

// Rank 0 alone: there is nobody whom it could wait for, or send to.
TEST(MockTransport, passes_no_messages_and_unpacks_zeros) {
  const Communicator world(MPI_COMM_WORLD);
  const int bytes = 5000;
  detail::RoundBytes messages;
  for (int peer = 0; peer < world.size(); ++peer) {
    const auto offset = static_cast<std::size_t>(bytes * peer);
    messages.push_back({peer, offset, bytes, offset, bytes});
  }
  PathAlone mock(make_path("mock", {world, {messages, {}}, memory::make_memory_resource("device"), 0.1}), 2);
  const backend::Instance queue(backend::Priority::high);
  if (world.rank() == 0) {
    std::vector<Byte> sent(static_cast<std::size_t>(bytes * world.size()), 5), arrived(sent);
    for (const int round : {0, 1, 0}) {
      if (round == 0) backend::copy_async(queue.exec(), mock.send(0), sent.data(), sent.size());
      mock.begin(round, queue.exec());
      EXPECT_NO_THROW(mock.end(round, queue.exec()));
    }
    backend::copy_async(queue.exec(), arrived.data(), mock.received(0), arrived.size());
    queue.exec().fence("haloheap::unit::unpacked");
    EXPECT_EQ(arrived, std::vector<Byte>(sent.size(), 0));
  }
  int sent_to_me = 0;
  world.barrier();
  MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, world.get(), &sent_to_me, MPI_STATUS_IGNORE);
  EXPECT_EQ(sent_to_me, 0);
}

TEST(MockTransport, alone_says_that_it_does_not_deliver) {
  for (const TransportInfo& info : transports()) {
    EXPECT_EQ(info.delivers, info.name != "mock") << info.name;
    EXPECT_EQ(info.help.find("not verified") == std::string::npos, info.delivers) << info.help;
  }
}

TEST(Transports, are_listed_once_each_with_help) {
  std::vector<std::string> all = names();
  EXPECT_EQ(all.front(), "pinned") << "what decks have by default, who compare transports by their names";
  EXPECT_EQ(HaloExchangeConfig{}.transport, automatic_transport);
  std::sort(all.begin(), all.end());
  EXPECT_EQ(std::unique(all.begin(), all.end()), all.end());
  for (const TransportInfo& info : transports()) EXPECT_FALSE(info.help.empty());
}

// The list against what they take, of resources that count.
TEST(Transports, take_the_buffers_that_the_list_says) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  detail::RoundBytes messages;
  for (int peer = 0; peer < world.size(); ++peer)
    if (peer != world.rank())
      messages.push_back({peer, 100 * messages.size(), 100, 100 * messages.size(), 100});
  for (const TransportInfo& info : transports()) {
    if (info.reach != Reach::any || !testing::unavailable_reason(info.name).empty()) continue;
    const auto buffers = std::make_shared<memory::StatisticsResource>(memory::make_memory_resource("device"));
    const auto transport =
        make_path(info.name,
                  {.communicator = world, .rounds = {messages}, .buffers = buffers, .force_gpu_aware = true});
    EXPECT_EQ(buffers->snapshot().live_bytes > 0, info.places.kernels) << info.name;
    if (!info.places.host.empty()) {
      EXPECT_TRUE(memory::make_memory_resource(info.places.host)->properties().host_accessible) << info.name;
    }
  }
}

TEST(Transports, without_messages_there_is_but_one) {
  for (const TransportInfo& info : transports()) {
    if (info.carrier != Carrier::mpi) {
      EXPECT_EQ(&transport_info(info.name, "shared"), &info) << "does not use MPI in any way";
    } else if (info.name == "pinned") {
      const TransportInfo& shared = transport_info("pinned", "shared");
      EXPECT_EQ(&transport_info("pinned"), &info);
      EXPECT_EQ(shared.name, "pinned");
      EXPECT_EQ(shared.carrier, Carrier::host);
      EXPECT_EQ(shared.reach, Reach::node);
    } else {
      try {
        transport_info(info.name, "shared");
        ADD_FAILURE() << info.name;
      } catch (const CapabilityError& error) {
        EXPECT_EQ(error.what(), "transport '" + info.name +
                                    "' has no host buffers that neighbours could copy into\n"
                                    "  consequence: mpi = shared cannot serve it\n"
                                    "  remedy: use transport = pinned, or another mpi");
      }
    }
  }
}

TEST(Transports, an_unknown_name_lists_those_that_exist) {
  const Communicator world(MPI_COMM_WORLD);
  std::string known;
  for (const std::string& name : names()) known += (known.empty() ? "" : ", ") + name;
  try {
    make_path("pigeon", {world, {}, memory::make_memory_resource("device")});
    ADD_FAILURE() << "there is no such transport";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.what(), "there is no transport 'pigeon'\n  remedy: use one of: " + known);
  }
}

}  // namespace
}  // namespace haloheap::comm
