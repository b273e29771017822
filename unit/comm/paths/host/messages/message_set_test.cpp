// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What message sets refuse, and how they end. That they carry bytes is for transport_conformance_test.cpp.
#include <haloheap/comm/halo/halo_exchange_config.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace haloheap::comm {
namespace {

class MessageSets : public ::testing::Test {
 protected:
  /// Refers to `messages`.
  MessageSetup setup(const detail::RoundBytes& messages, int round = 0) {
    return {.communicator = world,
            .messages = messages,
            .send = send.data(),
            .receive = receive.data(),
            .round = round,
            .topology = Topology::make(world.rank(), {world.size(), 1, 1}, {true, true, true})};
  }

  /// The text of what making one throws; empty if it does not.
  static std::string refusal(const std::string& mode, const MessageSetup& setup) {
    try {
      make_message_set(mode, setup);
    } catch (const Error& error) {
      return std::to_string(error.exit_code()) + ": " + error.what();
    }
    return "";
  }

  std::string on_rank_0() const { return world.size() == 1 ? "" : "rank 0: "; }

  const Communicator world{MPI_COMM_WORLD};
  const detail::RoundBytes none{};
  std::array<std::byte, 64> send{}, receive{};
};

/// Those that this MPI library has.
std::vector<std::string> passing_modes() {
  std::vector<std::string> names;
  for (const MessageMode& mode : message_modes())
    if (mode.make && mode.unavailable_reason().empty()) names.push_back(mode.name);
  return names;
}

TEST_F(MessageSets, are_listed_once_each_with_help) {
  std::vector<std::string> names = message_modes().names();
  EXPECT_EQ(names.front(), HaloExchangeConfig{}.mpi) << "decks and programs have the same by default";
  EXPECT_EQ(std::count(names.begin(), names.end(), shared_memory), 1);
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
  for (const MessageMode& mode : message_modes()) {
    EXPECT_FALSE(mode.help.empty());
    EXPECT_TRUE(mode.unavailable_reason().empty() || message_modes().nearest(mode)) << mode.name;
  }
}

TEST_F(MessageSets, an_unknown_name_lists_those_that_exist) {
  EXPECT_EQ(refusal("smoke", setup(none)),
            fmt::format("2: there is no message mode 'smoke'\n  remedy: use one of: {}",
                        fmt::join(message_modes().names(), ", ")));
}

TEST_F(MessageSets, shared_memory_needs_none) {
  EXPECT_EQ(refusal("shared", setup(none)),
            "3: message mode shared passes no messages\n  remedy: use another one");
}

TEST_F(MessageSets, what_the_library_does_not_have_is_an_error_that_names_others) {
  const std::string reason = message_modes().at("partitioned").unavailable_reason();
  if (reason.empty()) GTEST_SKIP() << "this MPI library has it";
  EXPECT_EQ(reason.find("this MPI library ("), 0U);
  EXPECT_NE(reason.find(") has no partitioned communication"), std::string::npos);
  EXPECT_EQ(refusal("partitioned", setup(none)),
            "3: message mode 'partitioned' cannot be had here: " + reason +
                "\n  remedy: the nearest that works here is 'persistent'");
}

TEST_F(MessageSets, two_gigabytes_are_too_much_on_all_ranks_if_on_one) {
  const std::size_t much = std::size_t{1} << 31;
  for (const std::string& mode : passing_modes()) {
    const bool first = world.rank() == 0;
    const detail::RoundBytes too_long = {{0, 0, first ? much : 0, 0, 0}};
    EXPECT_EQ(refusal(mode, setup(too_long)),
              "2: " + on_rank_0() +
                  "a halo message of 2147483648 bytes is longer than MPI's 2 GiB\n"
                  "  remedy: use a smaller depth, fewer quantities, or more ranks");
    const detail::RoundBytes too_far = {{0, 0, 0, first ? much : 0, 1}};
    EXPECT_EQ(refusal(mode, setup(too_far)),
              "2: " + on_rank_0() +
                  "a halo message begins 2147483648 bytes into its round, more than MPI's 2 GiB\n"
                  "  remedy: use a smaller depth, fewer quantities, or more ranks");
  }
}

TEST_F(MessageSets, a_neighbourhood_has_no_corners) {
  MessageSetup corners = setup(none);
  corners.exchange = Exchange::async;
  const std::string refused = refusal("neighbor", corners);
  EXPECT_EQ(
      refused.find(
          "2: mpi = neighbor reaches the neighbours across a rank's faces only, and exchange = async also "
          "sends across edges and corners\n"
          "  remedy: use exchange = sync, or mpi = persistent or isend or dist_graph"),
      0U)
      << refused;
}

TEST_F(MessageSets, a_neighbourhood_needs_the_rank_grid) {
  MessageSetup elsewhere = setup(none);
  elsewhere.topology = Topology::make(0, {7, 2, 1}, {true, true, true});
  const std::string ranks = std::to_string(world.size());
  EXPECT_EQ(refusal("neighbor", elsewhere),
            "2: round 0 on " + ranks +
                " ranks is no dimension of a 7 x 2 x 1 rank grid\n"
                "  consequence: message mode neighbor cannot tell who is whose neighbour\n"
                "  remedy: use persistent or isend");
  EXPECT_EQ(refusal("neighbor", setup(none, 3)).find("2: round 3 on "), 0U);
}

TEST_F(MessageSets, a_neighbourhood_takes_no_strangers_on_any_rank) {
  detail::RoundBytes messages;
  if (world.rank() == 0) messages.push_back({0, 0, 1, 0, 1});  // a rank is not its own neighbour in y
  MessageSetup strangers = setup(messages, 1);
  strangers.topology.periodic[1] = false;
  EXPECT_EQ(refusal("neighbor", strangers),
            "2: " + on_rank_0() +
                "rank 0 is no neighbour of rank 0 in y\n"
                "  consequence: message mode neighbor cannot carry messages between them\n"
                "  remedy: use persistent or isend");
}

TEST_F(MessageSets, one_without_messages_starts_and_ends_alone) {
  for (const std::string& mode : passing_modes()) {
    const auto idle = make_message_set(mode, setup(none));
    EXPECT_FALSE(idle->started());
    EXPECT_TRUE(idle->give_up());
    if (world.rank() != 0) continue;
    for (int time = 0; time < 2; ++time) {
      idle->start();
      EXPECT_TRUE(idle->started());
      EXPECT_NO_THROW(idle->wait(600));
      EXPECT_FALSE(idle->started());
    }
  }
}

// A halo plan makes one message of all that goes to a rank, and none to the rank itself; whoever calls by
// hand may not.
TEST_F(MessageSets, messages_to_one_rank_arrive_in_their_order) {
  const int peer = world.size() - 1 - world.rank();  // itself in the middle
  const detail::RoundBytes messages = {{peer, 0, 10, 40, 10}, {peer, 10, 0, 50, 0}, {peer, 20, 7, 20, 7}};
  for (const std::string& mode : passing_modes()) {
    if (message_modes().at(mode).along_lines) continue;
    const Communicator own(world.get());
    const auto set = make_message_set(
        mode, {.communicator = own, .messages = messages, .send = send.data(), .receive = receive.data()});
    for (int time = 0; time < 3; ++time) {
      for (std::size_t i = 0; i < send.size(); ++i)
        send[i] = static_cast<std::byte>(100 * time + 64 * world.rank() + static_cast<int>(i));
      receive.fill(std::byte{255});
      set->start();
      set->wait(600);
      std::array<std::byte, 64> expected{};
      expected.fill(std::byte{255});
      for (const detail::MessageBytes& message : messages)
        for (std::size_t i = 0; i < message.receive_bytes; ++i)
          expected[message.receive_offset + i] =
              static_cast<std::byte>(100 * time + 64 * peer + static_cast<int>(message.send_offset + i));
      EXPECT_EQ(receive, expected) << mode << ", time " << time;
    }
  }
}

// Modes may leave it out of a communicator of the others, who have other numbers there.
TEST_F(MessageSets, a_first_rank_without_messages_does_not_mislead_the_others) {
  if (world.size() < 3) GTEST_SKIP() << "needs a rank that is silent and two that are not";
  detail::RoundBytes messages;
  if (world.rank() > 0)
    for (int peer = 1; peer < world.size(); ++peer) {
      const auto offset = 8 * static_cast<std::size_t>(peer);
      messages.push_back({peer, offset, 8, offset, 8});
    }
  for (const std::string& mode : passing_modes()) {
    if (message_modes().at(mode).along_lines) continue;
    const Communicator own(world.get());
    std::unique_ptr<MessageSet> set;
    EXPECT_NO_THROW(
        set = make_message_set(
            mode,
            {.communicator = own, .messages = messages, .send = send.data(), .receive = receive.data()}))
        << mode;
    if (!set) continue;  // on all that have messages
    send.fill(static_cast<std::byte>(world.rank()));
    receive.fill(std::byte{255});
    set->start();
    set->wait(600);
    for (const detail::MessageBytes& message : messages)
      EXPECT_EQ(receive[message.receive_offset], static_cast<std::byte>(message.peer)) << mode;
  }
}

// Nothing takes a collective back, and the neighbours of a rank that is missing may have it half done.
TEST_F(MessageSets, a_collective_that_was_given_up_is_open_until_all_have_come) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  const bool late = world.rank() == world.size() - 1;
  detail::RoundBytes messages;
  for (int peer = 0; peer < world.size(); ++peer)
    if (late ? peer != world.rank() : peer == world.size() - 1) {
      const std::size_t offset = 16 * messages.size();
      messages.push_back({peer, offset, 16, offset, 16});
    }
  for (const MessageMode& mode : message_modes()) {
    if (!mode.collective || mode.along_lines) continue;
    Communicator own(world.get());
    receive.fill(std::byte{0});
    send.fill(std::byte{9});
    const auto set = make_message_set(
        mode.name,
        {.communicator = own, .messages = messages, .send = send.data(), .receive = receive.data()});
    if (!late) {
      set->start();
      EXPECT_THROW(set->wait(0.1), CommunicationError);
      EXPECT_FALSE(set->give_up());
      EXPECT_TRUE(set->started());
    }
    world.barrier();
    if (late) set->start();
    EXPECT_NO_THROW(set->wait(600));
    EXPECT_TRUE(set->give_up());
    EXPECT_EQ(receive[0], std::byte{9});
    world.barrier();
  }
}

// One way only: what is open on the receiving side is a receive, and that can be taken back.
TEST_F(MessageSets, receives_that_were_given_up_are_over_and_write_nothing) {
  if (world.size() == 1) GTEST_SKIP() << "needs a peer";
  for (const MessageMode& mode : message_modes()) {
    // Ordinary messages, which MPI_Send can answer.
    if (!mode.passes_messages() || mode.collective || !mode.nearest.empty()) continue;
    Communicator own(world.get());
    const detail::RoundBytes messages = {{world.size() - 1, 0, 0, 0, receive.size()}};
    const bool waits = world.rank() == 0;
    const auto set = make_message_set(mode.name, {.communicator = own,
                                                  .messages = waits ? messages : none,
                                                  .send = send.data(),
                                                  .receive = receive.data()});
    if (waits) {
      set->start();
      EXPECT_THROW(set->wait(0.1), CommunicationError);
      EXPECT_TRUE(set->started());
      EXPECT_TRUE(set->give_up());
      EXPECT_FALSE(set->started());
    }
    own.barrier();
    send.fill(std::byte{9});
    if (world.rank() == world.size() - 1)
      MPI_Send(send.data(), static_cast<int>(send.size()), MPI_BYTE, 0, 0, own.get());
    own.barrier();
    EXPECT_EQ(receive[0], std::byte{0});
    own.abandon();
  }
}

}  // namespace
}  // namespace haloheap::comm
