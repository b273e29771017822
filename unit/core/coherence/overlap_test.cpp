// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What may overlap on one device, by the order in which emulated queues do it.
#include <haloheap/core/backend/host/queues.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/backend/emulated_queues.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace haloheap::coherence {
namespace {

using testing::EmulatedQueues;

/// Notes when it is done. (On a host: the trace is the host's.)
struct Traced {
  std::string* trace;
  char name;
  int operator()(int x) const {
    if (x == 0) *trace += name;
    return x + 1;
  }
};

ContextOptions options(int devices, int instances) {
  ContextOptions options = Setting{"region", devices, true, true}.options();
  options.instances = instances;
  return options;
}

/// Element 0 is what the trace sees.
void start(Vector<int>& v) {
  v.fill(1);
  v[0] = 0;
}

/// Listing 2 of [Dastgeer2016]: the calls that were done when v1[10] is written, and when v0 is read.
struct Listing2 {
  std::string at_write, at_read;
};
Listing2 run_listing_2(std::uint64_t seed, int instances, const std::string& policy) {
  const EmulatedQueues queues(seed);
  std::string trace;
  Listing2 result;
  ContextOptions of_policy = options(1, instances);
  of_policy.policy = policy;
  Context context(of_policy);
  Vector<int> v0(context, "v0", 100), v1(context, "v1", 100);
  start(v0);
  start(v1);
  map(all_devices, "haloheap::test::call1", v0, Traced{&trace, '1'}, v0);
  map(all_devices, "haloheap::test::call2", v1, Traced{&trace, '2'}, v1);
  v1[10] = 11;
  result.at_write = trace;
  EXPECT_EQ(v0[5], 2);
  result.at_read = trace;
  EXPECT_EQ(v1[10] + v1[11], 13);
  return result;
}

TEST(CoherenceOverlap, of_the_calls_of_listing_2_on_one_device) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  int second_first = 0, nobody_waits = 0;
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Listing2 one = run_listing_2(seed, 1, "paper"), two = run_listing_2(seed, 2, "paper");
    EXPECT_EQ(one.at_write, "12") << "one queue, seed " << seed;
    EXPECT_NE(two.at_write.find('2'), std::string::npos) << "blocks until call 2 is done, seed " << seed;
    EXPECT_NE(two.at_read.find('1'), std::string::npos) << "blocks until call 1 is done, seed " << seed;
    second_first += two.at_write == "2" ? 1 : 0;
    // The element that is written needs nothing of what the device has.
    const Listing2 region = run_listing_2(seed, 2, "region");
    EXPECT_NE(region.at_read.find('1'), std::string::npos) << "blocks until call 1 is done, seed " << seed;
    nobody_waits += region.at_write.empty() ? 1 : 0;
  }
  EXPECT_GT(nobody_waits, 0);
  EXPECT_GT(second_first, 0) << "call 1 is never waited for";
}

/// What is written by one and read by the next is waited for, on whichever instance.
TEST(CoherenceOverlap, of_calls_that_depend_on_each_other_there_is_none) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    const EmulatedQueues queues(seed);
    std::string trace;
    Context context(options(2, 3));
    Vector<int> a(context, "a", 100), b(context, "b", 100), c(context, "c", 100);
    start(a);
    map(one_device(0), "haloheap::test::call", b, Traced{&trace, '1'}, a);
    map(one_device(1), "haloheap::test::call", c, Traced{&trace, 'x'}, b);
    map(Workers{0, 1, 2}, "haloheap::test::call", b, Traced{&trace, 'y'}, c);
    map(Workers{0, 1, 1}, "haloheap::test::call", a, Traced{&trace, 'z'}, b);
    EXPECT_EQ(a[0] * 10 + a[99], 45) << "seed " << seed;
  }
}

TEST(CoherenceOverlap, of_the_tasks_of_a_farm) {
  if (!EmulatedQueues::possible()) GTEST_SKIP() << "instances of this backend cannot be told apart";
  int overtaking = 0;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const EmulatedQueues queues(seed);
    constexpr int tasks = 12, devices = 1, instances = 2;
    std::string trace;
    Context context(options(devices, instances));
    std::vector<Vector<int>> vectors;
    for (int i = 0; i < tasks; ++i) {
      vectors.emplace_back(context, "v", 10);
      start(vectors.back());
    }
    int given = 0;
    farm(all_devices, context, tasks, [&](const Workers& worker, ElementIndex task) {
      EXPECT_LE(given - static_cast<int>(trace.size()), 2 * devices * instances - 1)
          << "a worker has two tasks at most, seed " << seed;
      Vector<int>& mine = vectors[static_cast<std::size_t>(task)];
      map(worker, "haloheap::test::task", mine, Traced{&trace, static_cast<char>('a' + task)}, mine);
      ++given;
    });
    for (const auto& vector : vectors) EXPECT_EQ(vector.back(), 2);
    EXPECT_EQ(trace.size(), static_cast<std::size_t>(tasks));
    overtaking += std::is_sorted(trace.begin(), trace.end()) ? 0 : 1;
  }
  EXPECT_GT(overtaking, 0);
}

/// Does all work at once, and counts the events.
class CountedEvents final : public backend::host::Queues {
 public:
  CountedEvents() { backend::host::queues_in_use = this; }
  ~CountedEvents() override { backend::host::queues_in_use = nullptr; }
  backend::Exec make() override { return {}; }
  void enqueue(const backend::Exec& /*exec*/, std::function<void()> work) override { work(); }
  std::shared_ptr<const backend::host::Mark> mark(const backend::Exec& /*exec*/) override {
    ++recorded;
    const auto mark = std::make_shared<backend::host::Mark>();
    mark->reached = true;
    return mark;
  }
  void order(const backend::Exec& /*exec*/,
             const std::shared_ptr<const backend::host::Mark>& /*mark*/) override {
    ++waits;
  }
  bool reached(const backend::host::Mark& /*mark*/) override { return true; }
  void await(const backend::host::Mark& /*mark*/) override {}
  void drain(const backend::Exec& /*exec*/) override {}

  int recorded = 0, waits = 0;
};

struct Add {
  KOKKOS_FUNCTION int operator()(int x, int y) const { return x + y; }
};

/// What a call costs a device beside its kernel.
TEST(CoherenceCall, that_repeats_takes_one_event_a_device) {
  for (const int devices : {1, 2, 3})
    for (const bool asynchronous : {false, true}) {
      CountedEvents events;
      ContextOptions options = Setting{"region", devices, true, asynchronous}.options();
      options.check_uses = false;
      Context context(options);
      Vector<int> x(context, "x", 60), y(context, "y", 60), z(context, "z", 60);
      x.fill(1);
      y.fill(2);
      const auto call = [&] { map(all_devices, "haloheap::test::add", z, Add{}, x, y); };
      for (int i = 0; i < 100; ++i) call();  // until it is known that the copies of the first are made
      events.recorded = events.waits = 0;
      for (int i = 0; i < 10; ++i) call();
      EXPECT_EQ(events.recorded, 10 * devices) << "three operands end together";
      EXPECT_EQ(events.waits, 0) << "all of it stands in one queue";
      EXPECT_EQ(z[59], 3);
    }
}

}  // namespace
}  // namespace haloheap::coherence
