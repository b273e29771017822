// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_CONFORMANCE_HPP
#define HALOHEAP_UNIT_COMM_CONFORMANCE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/helpers.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

/// What whatever exchanges has to keep: transports alone, and whole exchanges of halos. A subject has
///   rounds()               that it is driven through, one after the other
///   begin(round, time)     sends, or prepares to; the content is that of `time`
///   push(round)            what makes sure that the round is under way, if `begin` does not
///   await(round)           may wait for the peers
///   finish(round, time)    the number of wrong values that came
///   exchange(time)         all of this
///   peers()                the ranks that it exchanges with in round 0
///   begins_in_any_order()  whether ranks may begin those that are alive at once in different orders
///   ends_in_any_order()    the same for await and finish
namespace haloheap::testing::conformance {

/// Calls attempt(timeout) on all ranks, with ever longer timeouts until none of them says that something was
/// wrong. On a busy machine a peer that is there may be silent for longer than a short timeout; what is wrong
/// in the end is a failure.
template <class Attempt>
void with_growing_timeout(const comm::Communicator& world, const Attempt& attempt) {
  std::string wrong;
  for (double timeout = 0.1; timeout < 60; timeout *= 5) {  // 0.1, 0.5, 2.5, 12.5
    wrong = attempt(timeout);
    if (world.all(wrong.empty())) return;
  }
  ADD_FAILURE() << (wrong.empty() ? "another rank says what was wrong" : wrong);
}

template <class Subject>
void one_rank_may_run_ahead(const comm::Communicator& world, Subject& subject, int times) {
  for (int time = 0; time < times; ++time) {
    if (time % world.size() == world.rank()) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    EXPECT_EQ(subject.exchange(time), 0U) << time;
  }
}

template <class Subject>
void random_delays_change_nothing(const comm::Communicator& world, Subject& subject, int times) {
  for (int time = 0; time < times; ++time) {
    std::mt19937 dice(static_cast<unsigned>(time * 64 + world.rank()));
    const auto perhaps_pause = [&] {
      const auto pause = std::chrono::microseconds(dice() % 1000);
      if (dice() % 4 == 0) std::this_thread::sleep_for(pause);
    };
    std::size_t wrong = 0;
    for (int round = 0; round < subject.rounds(); ++round) {
      perhaps_pause();
      subject.begin(round, time);
      perhaps_pause();
      subject.await(round);
      wrong += subject.finish(round, time);
    }
    EXPECT_EQ(wrong, 0U) << "time " << time;
  }
}

/// Ranks begin and end them in different orders, where they may.
/// @param subjects four of equal sizes, so that only the content tells them apart
template <class Subject>
void those_alive_at_once_do_not_mix(const comm::Communicator& world,
                                    const std::vector<std::unique_ptr<Subject>>& subjects) {
  ASSERT_EQ(subjects.size(), 4U);
  for (int time = 0; time < 8; ++time)
    for (int round = 0; round < subjects[0]->rounds(); ++round) {
      const auto first = [&](bool any_order) { return time + (any_order ? world.rank() : 0); };
      const auto in_turn = [&](int i) -> Subject& { return *subjects[static_cast<std::size_t>(i % 4)]; };
      const int begin = first(subjects[0]->begins_in_any_order());
      for (int i = 0; i < 4; ++i) in_turn(begin + i).begin(round, time);
      for (int i = 0; i < 4; ++i) in_turn(begin + i).push(round);
      const int end = first(subjects[0]->ends_in_any_order());
      for (int i = 0; i < 4; ++i) in_turn(end + 3 * i).await(round);
      for (int i = 0; i < 4; ++i) EXPECT_EQ(in_turn(end + i).finish(round, time), 0U);
    }
}

/// @param make (salt, timeout): a subject
template <class Make>
void many_can_be_made_and_dropped_without_being_used(const Make& make) {
  for (int i = 0; i < 12; ++i) {
    const auto subject = make(1, long_timeout);
    if (i % 4 == 0) {
      EXPECT_EQ(subject->exchange(0), 0U);
    }
  }
}

template <class Make>
void the_next_works(const Make& make) {
  const auto next = make(2, long_timeout);
  for (int time = 0; time < 3; ++time) EXPECT_EQ(next->exchange(time), 0U);
}

/// What the first round says when it fails; empty if it does not.
template <class Subject>
std::string failure_of(Subject& subject) {
  try {
    subject.begin(0, 0);
    subject.await(0);
    subject.finish(0, 0);
  } catch (const CommunicationError& error) {
    return error.what();
  }
  return "";
}

inline bool contains(const std::vector<int>& peers, int rank) {
  return std::count(peers.begin(), peers.end(), rank) > 0;
}

/// The last rank never takes part. Those that wait for it give up in time, say whom they waited for, and
/// leave nothing behind that would disturb the next exchange.
/// @param check (peers, silent, message, timeout): what is wrong about what was said, which is nothing where
/// nobody waited for the silent one
template <class Make, class Check>
void a_silent_peer_is_named_within_the_time_out(const comm::Communicator& world, const Make& make,
                                                const Check& check) {
  const int silent = world.size() - 1;
  with_growing_timeout(world, [&](double timeout) {
    const auto subject = make(1, timeout);
    const std::vector<int> peers = subject->peers();
    std::string message;
    world.barrier();
    if (world.rank() != silent) message = failure_of(*subject);
    world.barrier();
    return check(peers, silent, message, timeout);
  });
  the_next_works(make);
}

/// Giving up must also end what was begun: a message that comes late may not be written to memory that is
/// gone, nor one that was not taken be read from there.
/// @param occupy takes memory where the buffers may have been; the result tells whether it is as it was
template <class Make, class Occupy>
void a_message_that_comes_late_does_no_harm(const comm::Communicator& world, const Make& make,
                                            const Occupy& occupy) {
  const int late = world.size() - 1;
  with_growing_timeout(world, [&](double timeout) {
    auto subject = make(1, timeout);
    std::string wrong;
    if (world.rank() != late) {
      const bool waits = contains(subject->peers(), late);
      const std::string message = failure_of(*subject);
      if (message.empty() == waits) wrong = waits ? "the late rank was not missed" : message;
      subject.reset();
    }
    const auto unharmed = occupy();
    world.barrier();
    // Finds the messages, or nobody; both are fine.
    if (world.rank() == late) failure_of(*subject);
    subject.reset();
    world.barrier();
    the_next_works(make);
    EXPECT_TRUE(unharmed());
    return wrong;
  });
}

}  // namespace haloheap::testing::conformance

#endif
