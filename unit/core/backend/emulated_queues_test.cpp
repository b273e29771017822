// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Emulated queues keep what streams promise, and nothing that they do not promise.
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/unit/core/backend/emulated_queues.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <utility>
#include <vector>

namespace haloheap::testing {
namespace {

using backend::Event, backend::Exec, backend::Instance, backend::Priority;
using Range = Kokkos::RangePolicy<Exec>;
constexpr int seeds = 40;

/// Notes that it ran.
struct Note {
  std::vector<int>* notes;
  int number;
  void operator()(int) const { notes->push_back(number); }
};

class EmulatedQueuesTest : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  }
  void note(const Instance& instance, int number) {
    backend::parallel_for("haloheap::unit::note", Range(instance.exec(), 0, 1), Note{&notes, number});
  }
  std::vector<int> taken() { return std::exchange(notes, {}); }

  std::vector<int> notes;
};

TEST_F(EmulatedQueuesTest, work_is_done_at_once_where_there_are_none) {
  const Instance instance(Priority::low);
  note(instance, 1);
  EXPECT_EQ(taken(), std::vector<int>{1});
}

TEST_F(EmulatedQueuesTest, each_queue_keeps_its_order_and_queues_have_none) {
  int mixed = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    {
      const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
      const Instance even(Priority::low), odd(Priority::high);
      for (int number = 0; number < 20; ++number) note(number % 2 == 0 ? even : odd, number);
    }
    const std::vector<int> order = taken();
    ASSERT_EQ(order.size(), 20U);
    mixed += !std::is_sorted(order.begin(), order.end());
    for (const int parity : {0, 1}) {
      std::vector<int> of_one;
      for (const int number : order)
        if (number % 2 == parity) of_one.push_back(number);
      EXPECT_TRUE(std::is_sorted(of_one.begin(), of_one.end())) << "seed " << seed;
    }
  }
  EXPECT_GT(mixed, seeds / 2);
}

TEST_F(EmulatedQueuesTest, a_seed_brings_an_order_back) {
  const auto order_of = [&](std::uint64_t seed) {
    {
      const EmulatedQueues queues(seed);
      const Instance a(Priority::low), b(Priority::low), c(Priority::low);
      for (int number = 0; number < 30; ++number) note(number % 3 == 0 ? a : number % 3 == 1 ? b : c, number);
    }
    return taken();
  };
  EXPECT_EQ(order_of(7), order_of(7));
  EXPECT_NE(order_of(7), order_of(8));
}

/// What the second queue adds up from the first, twenty times over.
int wrong_sums(bool first_waits, bool second_waits) {
  int wrong = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    int value = 0, sum = 0;
    {
      const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
      const Instance first(Priority::low), second(Priority::high);
      Event set, added;
      for (int round = 1; round <= 20; ++round) {
        if (first_waits) added.wait_on(first.exec());
        backend::host::enqueue(first.exec(), [&value, round] { value = round; });
        set.record(first.exec());
        if (second_waits) set.wait_on(second.exec());
        backend::host::enqueue(second.exec(), [&] { sum += value; });
        added.record(second.exec());
      }
    }
    wrong += sum != 210;
  }
  return wrong;
}

TEST_F(EmulatedQueuesTest, events_order_queues_and_one_that_is_missing_shows) {
  EXPECT_EQ(wrong_sums(true, true), 0);
  EXPECT_GT(wrong_sums(true, false), seeds / 2);
  EXPECT_GT(wrong_sums(false, true), seeds / 2);
}

// As for streams: who waits for an event waits for what it marked when he asked, not for later records.
TEST_F(EmulatedQueuesTest, a_wait_is_for_the_last_record_before_it) {
  int early = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    {
      const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
      const Instance a(Priority::low), b(Priority::low);
      Event event;
      event.wait_on(b.exec());  // never recorded: nothing to wait for
      note(a, 1);
      event.record(a.exec());
      event.wait_on(b.exec());
      note(b, 2);
      note(a, 3);
      event.record(a.exec());
    }
    const std::vector<int> order = taken();
    const auto place = [&](int number) { return std::find(order.begin(), order.end(), number); };
    EXPECT_LT(place(1), place(2));
    early += place(2) < place(3);
  }
  EXPECT_GT(early, 0);
  EXPECT_LT(early, seeds);
}

TEST_F(EmulatedQueuesTest, the_host_waits_for_what_it_asks_for_and_nothing_else) {
  int late = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    EmulatedQueues queues(static_cast<std::uint64_t>(seed));
    const Instance a(Priority::low), b(Priority::low), c(Priority::low);
    Event of_a, of_b;
    note(a, 1);
    of_a.record(a.exec());
    of_a.wait_on(b.exec());
    note(b, 2);
    of_b.record(b.exec());
    note(b, 3);
    note(c, 4);
    of_b.wait_on_host();
    EXPECT_TRUE(of_a.ready());
    EXPECT_TRUE(of_b.ready());
    const auto has = [&](int number) { return std::find(notes.begin(), notes.end(), number) != notes.end(); };
    EXPECT_TRUE(has(1) && has(2));
    late += !has(3) && !has(4);
    EXPECT_EQ(queues.waiting(), 4 - notes.size());
    backend::fence(c.exec(), "haloheap::unit::fence");
    EXPECT_TRUE(has(4));
    b.exec().fence("haloheap::unit::all");  // Kokkos' own
    EXPECT_EQ(queues.waiting(), 0U);
    EXPECT_EQ(queues.done(), 4U);
    notes.clear();
  }
  EXPECT_GT(late, seeds / 5);
}

TEST_F(EmulatedQueuesTest, who_asks_an_event_again_and_again_hears_yes_in_the_end) {
  for (int seed = 0; seed < seeds; ++seed) {
    const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
    const Instance a(Priority::low);
    Event event(backend::Timing::on), before(backend::Timing::on);
    before.record(a.exec());
    note(a, 1);
    event.record(a.exec());
    while (!event.ready()) {
    }
    EXPECT_EQ(taken(), std::vector<int>{1});
    EXPECT_GE(seconds_between(before, event), 0);
  }
}

TEST_F(EmulatedQueuesTest, copies_are_work_too) {
  int old = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
    const Instance a(Priority::low);
    std::vector<int> from(12), plain(12), rows(12), batch(12), peer(12), peer_rows(12);
    std::iota(from.begin(), from.end(), 1);
    const std::size_t bytes = sizeof(int) * from.size(), row = bytes / 3;
    {
      const backend::Copy halves[] = {{batch.data(), from.data(), bytes / 2},
                                      {batch.data() + 6, from.data() + 6, bytes / 2}};
      backend::copy_batch_async(a.exec(), halves);
    }
    backend::copy_async(a.exec(), plain.data(), from.data(), bytes);
    backend::copy_rows_async(a.exec(), rows.data(), row, from.data(), row, row, 3);
    backend::copy_peer_async(a.exec(), peer.data(), 0, from.data(), 0, bytes);
    backend::copy_rows_peer_async(a.exec(), peer_rows.data(), 0, row, from.data(), 0, row, row, 3);
    old += plain != from;
    backend::fence(a.exec(), "haloheap::unit::fence");
    for (const auto* copied : {&plain, &rows, &batch, &peer, &peer_rows}) EXPECT_EQ(*copied, from);
  }
  EXPECT_GT(old, seeds / 5);
}

// A kernel that does not come through backend::parallel_for runs when it is its turn: now, so the others do
// too.
TEST_F(EmulatedQueuesTest, kokkos_own_kernels_find_the_queues_empty) {
  for (int seed = 0; seed < seeds; ++seed) {
    const EmulatedQueues queues(static_cast<std::uint64_t>(seed));
    const Instance a(Priority::low), b(Priority::low);
    note(a, 1);
    note(b, 2);
    note(a, 3);
    Kokkos::parallel_for("haloheap::unit::note", Range(a.exec(), 0, 1), Note{&notes, 4});
    EXPECT_EQ(taken().size(), 4U);
    EXPECT_EQ(queues.waiting(), 0U);
  }
}

}  // namespace
}  // namespace haloheap::testing
