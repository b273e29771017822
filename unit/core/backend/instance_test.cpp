// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/unit/core/backend/int_kernels.hpp>

#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>

#include <chrono>
#include <numeric>
#include <thread>
#include <vector>

namespace haloheap::backend {
namespace {

struct SetTo {
  Values values;
  int value;
  KOKKOS_FUNCTION void operator()(int i) const { values(i) = value; }
};

std::vector<int> read(const Values& values) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
  return {host.data(), host.data() + host.size()};
}

TEST(Instance, is_a_queue_of_its_own_where_there_is_a_device) {
  const Instance low(Priority::low), high(Priority::high);
  if (kernels_on_host) {
    EXPECT_EQ(low.exec(), high.exec());
  } else {
    EXPECT_NE(low.exec(), high.exec());
    EXPECT_NE(low.exec(), Exec());
    EXPECT_NE(high.exec(), Exec());
  }
}

TEST(Event, orders_the_work_of_two_instances) {
  const Instance first(Priority::low), second(Priority::high);
  const int n = 1 << 20;
  const Values a("haloheap::unit::a", n), b("haloheap::unit::b", n);
  Kokkos::fence("haloheap::unit::setup");
  Event done, back;
  int expected = 0;
  for (int round = 1; round <= 20; ++round) {
    Kokkos::parallel_for("haloheap::unit::set", Range(first.exec(), 0, n), SetTo{a, round});
    done.record(first.exec());
    done.wait_on(second.exec());
    Kokkos::parallel_for("haloheap::unit::add", Range(second.exec(), 0, n), AddTo{a, b});
    back.record(second.exec());
    back.wait_on(first.exec());
    expected += round;
  }
  back.wait_on_host();
  EXPECT_TRUE(back.ready());
  EXPECT_EQ(read(b), std::vector<int>(static_cast<std::size_t>(n), expected));
}

TEST(Event, becomes_ready_once_the_work_is_done_and_keeps_time) {
  const Instance instance(Priority::low);
  Event begin(Timing::on), end(Timing::on);
  const auto before = std::chrono::steady_clock::now();
  begin.record(instance.exec());
  begin.wait_on_host();
  std::this_thread::sleep_for(std::chrono::milliseconds(3));
  end.record(instance.exec());
  while (!end.ready()) std::this_thread::yield();
  const std::chrono::duration<double> outside = std::chrono::steady_clock::now() - before;
  EXPECT_GE(seconds_between(begin, end), 0.002);
  EXPECT_LE(seconds_between(begin, end), 1.01 * outside.count()) << "in seconds, by whatever clock";
}

TEST(Event, can_be_moved_and_recorded_again) {
  const Instance instance(Priority::low);
  std::vector<Event> events;
  for (int i = 0; i < 3; ++i) events.emplace_back(Timing::on);
  for (Event& event : events) event.record(instance.exec());
  Event last = std::move(events.back());
  events.pop_back();
  last.record(instance.exec());
  last.wait_on_host();
  EXPECT_TRUE(last.ready());
  EXPECT_GE(seconds_between(events[0], last), 0);
}

TEST(CopyAsync, copies_in_the_order_of_its_queue) {
  const Instance instance(Priority::low);
  std::vector<int> numbers(1001), back(1001, -1);
  std::iota(numbers.begin(), numbers.end(), 7);
  const Values values("haloheap::unit::values", numbers.size());
  const std::size_t bytes = numbers.size() * sizeof(int);
  Kokkos::fence("haloheap::unit::setup");
  copy_async(instance.exec(), values.data(), numbers.data(), bytes);
  copy_async(instance.exec(), back.data(), values.data(), bytes);
  copy_async(instance.exec(), values.data(), back.data(), 0);
  Event done;
  done.record(instance.exec());
  done.wait_on_host();
  EXPECT_EQ(back, numbers);
  EXPECT_EQ(read(values), numbers);
}

}  // namespace
}  // namespace haloheap::backend
