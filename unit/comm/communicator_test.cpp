// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>

#include <gtest/gtest.h>

#include <string>

namespace haloheap::comm {
namespace {

TEST(Communicator, is_a_duplicate_with_errors_returned) {
  const Communicator world(MPI_COMM_WORLD);
  int same = 0;
  MPI_Comm_compare(world.get(), MPI_COMM_WORLD, &same);
  EXPECT_EQ(same, MPI_CONGRUENT);
  int nothing = 0;
  EXPECT_NE(MPI_Send(&nothing, 1, MPI_INT, world.size(), 0, world.get()), MPI_SUCCESS)
      << "there is no such rank";
}

TEST(Communicator, reduces_over_all_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  const int n = world.size();
  EXPECT_EQ(world.max(world.rank()), n - 1);
  EXPECT_EQ(world.max(-world.rank()), 0);
  EXPECT_EQ(world.sum(world.rank() + 1), n * (n + 1) / 2);
  EXPECT_TRUE(world.all(true));
  for (int odd = 0; odd < n; ++odd) EXPECT_FALSE(world.all(world.rank() != odd));
}

TEST(Communicator, gathers_lines_in_the_order_of_ranks) {
  const Communicator world(MPI_COMM_WORLD);
  std::string expected;
  for (int rank = 0; rank < world.size(); ++rank)
    expected += (rank > 0 ? "\n" : "") + std::string(rank * 3 % 7, 'a');
  EXPECT_EQ(world.gather_lines(std::string(world.rank() * 3 % 7, 'a')), world.rank() == 0 ? expected : "");
  const std::string empty = world.gather_lines("");
  EXPECT_EQ(empty, world.rank() == 0 ? std::string(world.size() - 1, '\n') : "");
}

TEST(Communicator, broadcasts_a_text_of_any_length_from_any_rank) {
  const Communicator world(MPI_COMM_WORLD);
  for (int root = 0; root < world.size(); ++root)
    for (const std::size_t length : {0, 1, 5000}) {
      const std::string text(length, static_cast<char>('a' + root));
      EXPECT_EQ(world.broadcast(world.rank() == root ? text : "something else", root), text);
    }
}

TEST(Communicator, splits_by_colour_and_by_node) {
  const Communicator world(MPI_COMM_WORLD);
  const Communicator part = world.split(world.rank() % 2);
  EXPECT_EQ(part.size(), (world.size() + (world.rank() % 2 == 0 ? 1 : 0)) / 2);
  EXPECT_EQ(part.rank(), world.rank() / 2);
  EXPECT_EQ(part.sum(world.rank() % 2), part.size() * (world.rank() % 2));
  const Communicator node = world.node();
  EXPECT_EQ(node.size(), world.size()) << "the tests run on one machine";
}

TEST(Communicator, a_barrier_waits_no_longer_than_it_was_told) {
  const Communicator world(MPI_COMM_WORLD);
  world.barrier(60.0);
  if (world.size() > 1) {
    const Communicator absent(MPI_COMM_WORLD);  // its barrier is reached by rank 0 alone at first
    if (world.rank() == 0) {
      try {
        absent.barrier(0.05);
        ADD_FAILURE() << "nobody else came";
      } catch (const CommunicationError& error) {
        EXPECT_EQ(
            std::string(error.what()).find("rank 0 waited 0.05 s at a barrier that not all ranks reached\n"),
            0u);
      }
    }
    world.barrier();
    if (world.rank() != 0) absent.barrier(60.0);
    world.barrier();
  }
}

TEST(Communicator, may_end_where_a_barrier_was_given_up_that_others_come_to_later) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs a rank that comes late";
  const auto pass = [](const Communicator& communicator) {
    try {
      communicator.barrier(0.05);
      return true;
    } catch (const CommunicationError&) {
      return false;
    }
  };
  {
    const Communicator given_up(MPI_COMM_WORLD);
    if (world.rank() == 0) {
      EXPECT_FALSE(pass(given_up));
    }
    world.barrier();
    if (world.rank() != 0) pass(given_up);
  }
  for (int i = 0; i < 3; ++i) world.barrier();
}

TEST(CheckMpi, names_the_call_and_says_what_to_do) {
  EXPECT_NO_THROW(check_mpi(MPI_SUCCESS, "MPI_Anything"));
  try {
    check_mpi(MPI_ERR_RANK, "MPI_Anything");
    ADD_FAILURE() << "an error code is an error";
  } catch (const CommunicationError& error) {
    const std::string text = error.what();
    EXPECT_EQ(text.find("MPI_Anything failed: MPI_ERR_RANK"), 0U) << text;
    EXPECT_NE(text.find("\n  consequence: the ranks no longer agree on what was sent\n  remedy: "),
              std::string::npos);
  }
}

/// What `agree` throws, as "kind text", or "" if it does not.
std::string outcome(const Communicator& world, const std::function<void()>& action) {
  try {
    agree(world, action);
  } catch (const AgreedError& error) {
    return std::to_string(error.exit_code()) + " " + error.what();
  }
  return "";
}

TEST(Agree, lets_success_pass) {
  const Communicator world(MPI_COMM_WORLD);
  int calls = 0;
  EXPECT_EQ(outcome(world, [&] { ++calls; }), "");
  EXPECT_EQ(calls, 1);
}

TEST(Agree, one_rank_s_error_is_every_rank_s) {
  const Communicator world(MPI_COMM_WORLD);
  for (int thrower = 0; thrower < world.size(); ++thrower) {
    const std::string prefix = world.size() > 1 ? "rank " + std::to_string(thrower) + ": " : "";
    EXPECT_EQ(outcome(world,
                      [&] {
                        if (world.rank() == thrower) throw OutOfMemory(7, "no memory", "", "take less");
                      }),
              "4 " + prefix + "no memory\n  remedy: take less");
    EXPECT_EQ(outcome(world,
                      [&] {
                        if (world.rank() == thrower) throw std::runtime_error("odd");
                      }),
              "1 " + prefix + "odd");
    EXPECT_EQ(outcome(world, [] {}), "") << "and nothing is left of it";
  }
}

TEST(Agree, an_error_of_all_ranks_is_no_rank_s_own) {
  const Communicator world(MPI_COMM_WORLD);
  EXPECT_EQ(outcome(world, [] { throw UsageError("a wrong deck"); }), "2 a wrong deck");
}

TEST(Agree, the_first_of_several_errors_counts) {
  const Communicator world(MPI_COMM_WORLD);
  const int first = world.size() / 2;
  const std::string prefix = world.size() > 1 ? "rank " + std::to_string(first) + ": " : "";
  const auto action = [&] {
    if (world.rank() < first) return;
    const std::string text = "trouble on " + std::to_string(world.rank());
    if (world.rank() == first) throw IoError(text);
    throw UsageError(text);
  };
  EXPECT_EQ(outcome(world, action), "5 " + prefix + "trouble on " + std::to_string(first));
}

/// What `agree_on` throws, or "" if it does not.
std::string disagreement(const Communicator& world, const Terms& terms, const std::string& what = "Thing",
                         double timeout = 30) {
  try {
    agree_on(world, what, timeout, [&] { return terms; });
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

TEST(AgreeOn, says_what_differs_between_whom) {
  const Communicator world(MPI_COMM_WORLD);
  const std::string end =
      "\n  consequence: the ranks would wait for each other in vain"
      "\n  remedy: give all ranks the same configuration, grid and layout";
  EXPECT_EQ(disagreement(world, {{{"one", "1"}, {"two", "2"}}, {}}), "");
  if (world.size() == 1) return;
  const bool odd = world.rank() == world.size() - 1;
  const std::string mine = odd ? "1" : "0", its = "' on rank " + std::to_string(world.size() - 1);
  EXPECT_EQ(disagreement(world, {{{"one", "a"}, {"two", mine}}, {}}),
            "the ranks do not agree on the Thing: two is '0' on rank 0, '1" + its + end);
  EXPECT_EQ(disagreement(world, {{{"one", mine}, {"two", "b"}, {"three", mine}}, {}}),
            "the ranks do not agree on the Thing: one is '0' on rank 0, '1" + its +
                "; three is '0' on rank 0, '1" + its + end);
  EXPECT_EQ(disagreement(world, {}, odd ? "That" : "This"),
            "the ranks do not make the same: 'This' on rank 0, 'That" + its + end);
  // Where one value ends and the next begins counts.
  EXPECT_NE(disagreement(world, {{{"a", odd ? "xa" : "x"}, {"a", odd ? "" : "a"}}, {}}), "");
  EXPECT_EQ(disagreement(world, {{{"one", "1"}}, {}}), "") << "nothing is left of all that";
}

TEST(AgreeOn, compares_what_is_sent_with_what_is_expected) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() < 3) GTEST_SKIP() << "needs a ring";
  const int rank = world.rank(), size = world.size(), next = (rank + 1) % size,
            before = (rank + size - 1) % size;
  const auto goods = [](int from, int to) { return std::to_string(from) + " to " + std::to_string(to); };
  const auto ring = [&](int wrong) {
    return Terms{{},
                 {{1, next, goods(rank, next), goods(next, rank)},
                  {1, before, rank == wrong ? "rubbish" : goods(rank, before), goods(before, rank)}}};
  };
  const std::string begin = "the ranks do not agree on the Thing: in round 1 rank ";
  const auto cause = [&](const Terms& terms) {
    const std::string text = disagreement(world, terms);
    return text.substr(0, text.find('\n'));
  };
  EXPECT_EQ(cause(ring(-1)), "");
  for (const int wrong : {0, size - 1}) {
    const int to = (wrong + size - 1) % size;
    EXPECT_EQ(cause(ring(wrong)), begin + std::to_string(wrong) + " sends rubbish to rank " +
                                      std::to_string(to) + ", which expects " + goods(wrong, to));
  }
  // Who does not know of a message expects nothing.
  EXPECT_EQ(cause(rank == 1 ? Terms{} : ring(-1)), begin + "0 sends 0 to 1 to rank 1, which expects nothing");
}

TEST(AgreeOn, an_error_of_all_is_each_rank_s_own_and_one_of_some_is_everybody_s) {
  const Communicator world(MPI_COMM_WORLD);
  const auto look = [&](bool fails) -> Terms {
    if (fails) throw CapabilityError("not here, on " + std::to_string(world.rank()));
    return {};
  };
  try {
    agree_on(world, "Thing", 30, [&] { return look(true); });
    ADD_FAILURE();
  } catch (const CapabilityError& error) {
    EXPECT_EQ(error.what(), "not here, on " + std::to_string(world.rank()));
  }
  if (world.size() == 1) return;
  try {
    agree_on(world, "Thing", 30, [&] { return look(world.rank() > 0); });
    ADD_FAILURE();
  } catch (const AgreedError& error) {
    EXPECT_STREQ(error.what(), "rank 1: not here, on 1");
    EXPECT_EQ(error.kind(), ErrorKind::capability);
  }
}

TEST(AgreeOn, waits_for_the_others_but_not_for_ever) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "needs a rank to wait for";
  const int absent = world.size() - 1;
  {
    const Communicator other(MPI_COMM_WORLD);
    if (world.rank() != absent) {
      EXPECT_EQ(disagreement(other, {}, "Thing", 0.1),
                "rank " + std::to_string(world.rank()) +
                    " waited 0.1 s for all ranks to make a Thing\n"
                    "  consequence: it cannot be made without them\n"
                    "  remedy: call its constructor on all ranks of the communicator; a timeout of more "
                    "than a minute lets them come later");
    }
    world.barrier();
    // Comes when the others have given up and left.
    if (world.rank() == absent) disagreement(other, {}, "Thing", 0.1);
  }
  for (int i = 0; i < 3; ++i) EXPECT_EQ(disagreement(world, {}), "") << "the next is not disturbed";
}

}  // namespace
}  // namespace haloheap::comm
