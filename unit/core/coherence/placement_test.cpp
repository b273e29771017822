// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who does a call, and when: Figure 2 of [Dastgeer2016], farms, placement by measurement, instances of a
// device.
#include <haloheap/core/coherence/placement.hpp>
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <set>
#include <tuple>

namespace haloheap::coherence {
namespace {

/// Copies that the program of Figure 2 of [Dastgeer2016] makes: four calls on one device, which write,
/// change, read and read a vector, and the host, which reads an element after the first and changes one in
/// the end.
/// @param knows whether calls say that they only read
std::uint64_t copies_of_figure_2(const std::string& policy, bool knows) {
  Context context(Setting{policy, 1, true, false}.options());
  Vector<int> v0(context, "v0", 100), other(context, "other", 100);
  const auto read_only = [&] {
    if (knows)
      map(all_devices, "haloheap::test::triple", other, Triple{}, v0);
    else
      map(all_devices, "haloheap::test::triple", v0, Triple{}, v0);
  };
  map_index(all_devices, "haloheap::test::index", v0, IndexOf{});  // line 4
  EXPECT_EQ(std::as_const(v0)[7], 7);                              // line 6
  map(all_devices, "haloheap::test::triple", v0, Triple{}, v0);    // line 8
  read_only();                                                     // line 10
  read_only();                                                     // line 12
  v0[7] += 1;                                                      // line 14
  EXPECT_EQ(v0[7], knows ? 22 : 3 * 3 * 3 * 7 + 1);
  const Statistics statistics = v0.statistics();
  return statistics.between(host, memory_of_device(0)).count +
         statistics.between(memory_of_device(0), host).count;
}

TEST(CoherenceFigure2, needs_two_copies_where_each_call_by_itself_makes_seven) {
  for (const PolicyEntry& policy : policies()) {
    if (!policy.keeps_results) continue;
    EXPECT_EQ(copies_of_figure_2(policy.name, true), 2U) << policy.name;
  }
  EXPECT_EQ(copies_of_figure_2("none", false), 7U)
      << "operands up and down, but for the first, which is written";
  EXPECT_EQ(copies_of_figure_2("initial_flush", true), 4U) << "what is only read stays";
  EXPECT_EQ(copies_of_figure_2("none", true), 5U) << "what is only read does not come back";
}

class CoherenceFarm : public testing::TestWithParam<Setting> {};

TEST_P(CoherenceFarm, does_each_task_once) {
  ContextOptions options = GetParam().options();
  for (const int instances : {1, 3}) {
    options.instances = instances;
    Context context(options);
    constexpr ElementIndex tasks = 25;
    std::vector<Vector<int>> vectors;
    for (int i = 0; i < tasks; ++i) {
      vectors.emplace_back(context, "v" + std::to_string(i), 50 + i);
      vectors.back().fill(i);
    }
    std::set<std::tuple<int, int, int>> workers;
    farm(all_devices, context, tasks, [&](const Workers& worker, ElementIndex task) {
      Vector<int>& mine = vectors[static_cast<std::size_t>(task)];
      map(worker, "haloheap::test::triple", mine, Triple{}, mine);
      workers.insert({worker.first, worker.count, worker.instance});
    });
    for (int i = 0; i < tasks; ++i) EXPECT_EQ(vectors[static_cast<std::size_t>(i)].back(), 3 * i);
    EXPECT_EQ(workers.size(),
              static_cast<std::size_t>(context.devices() == 0 ? 1 : context.devices() * instances));
    farm(all_devices, context, 0, [&](const Workers&, ElementIndex) { ADD_FAILURE() << "there is no task"; });
    farm(the_host, context, 2, [&](const Workers& worker, ElementIndex) { EXPECT_EQ(worker.count, 0); });
    if (context.devices() > 0)
      farm(Workers{0, 1, 0}, context, 2,
           [&](const Workers& worker, ElementIndex) { EXPECT_EQ(worker.instance, 0); });
  }
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceFarm, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

/// A machine where calls take so long by count of devices, the first being the host.
struct Machine {
  std::vector<double> seconds;
  double now = 0;
  std::vector<int> calls;

  Placement placement(Context& context) {
    return Placement(context, [this] { return now; });
  }
  void call(const Workers& workers) {
    calls.push_back(workers.count);
    now += seconds[static_cast<std::size_t>(workers.count)];
  }
};

TEST(CoherencePlacement, takes_the_fastest_after_all_were_tried) {
  for (const int fastest : {0, 1, 2}) {
    Context context(Setting{"region", 2, true, false}.options());
    Machine machine{{3, 3, 3}, 0, {}};
    machine.seconds[static_cast<std::size_t>(fastest)] = 1;
    Placement placement = machine.placement(context);
    const auto call = [&](const Workers& workers) { machine.call(workers); };
    for (int i = 0; i < 12; ++i) placement("call", 1000, call);
    EXPECT_EQ(machine.calls, (std::vector<int>{0, 0, 0, 1, 1, 1, 2, 2, 2, fastest, fastest, fastest}));
    EXPECT_EQ(placement.next("call", 1024).count, fastest) << "of the same power of two";
    EXPECT_EQ(placement.next("call", 1025).count, 0) << "another size is measured anew";
    EXPECT_EQ(placement.next("another", 1000).count, 0);
    const char* const names[] = {"the host", "one device", "2 devices"};
    const auto time = [&](int i) { return i == fastest ? "1e+06 us by " : "3e+06 us by "; };
    EXPECT_EQ(placement.report(), "'call' of up to 1024 elements: " + std::string(names[fastest]) + ", by " +
                                      time(0) + "the host, " + time(1) + "one device, " + time(2) +
                                      "2 devices\n");
  }
}

TEST(CoherencePlacement, counts_the_best_of_its_tries) {
  Context context(Setting{"region", 1, true, false}.options());
  Machine machine{{5, 9}, 0, {}};  // the device's first call brings the elements
  Placement placement = machine.placement(context);
  for (int i = 0; i < 7; ++i) {
    placement("call", 10, [&](const Workers& workers) { machine.call(workers); });
    if (i == 3) machine.seconds[1] = 1;
    if (i == 4) machine.seconds[1] = 9;  // somebody else had the device
  }
  EXPECT_EQ(machine.calls.back(), 1);
}

TEST(CoherencePlacement, changes_no_result) {
  for (const Setting& setting : all_settings()) {
    Context context(setting.options());
    Placement placement(context);
    Vector<int> v(context, "v", 500);
    v.fill(1);
    for (int i = 0; i < 14; ++i)
      placement("triple", v.size(),
                [&](const Workers& workers) { map(workers, "haloheap::test::triple", v, Triple{}, v); });
    EXPECT_EQ(v[499], 4782969) << name_of(setting);
  }
}

TEST(CoherenceInstances, that_there_are_not_are_refused) {
  ContextOptions options = Setting{"region", 1, true, false}.options();
  for (const int instances : {0, max_instances + 1}) {
    options.instances = instances;
    EXPECT_EQ(refusal([&] { Context{options}; }), std::to_string(instances) +
                                                      " instances of each device are asked for\n"
                                                      "  consequence: there is no context\n"
                                                      "  remedy: ask for 1 to 8");
  }
  options.instances = 2;
  Context context(options);
  Vector<int> v(context, "v", {1, 2, 3});
  const std::string what = "device 0 has no instance 2: the context has 2 of each";
  EXPECT_EQ(refusal([&] { (void)context.exec(0, 2); }), what);
  EXPECT_EQ(refusal([&] { (void)v.read(on_device(0, 2)); }), what);
  EXPECT_EQ(refusal([&] { map(Workers{0, 1, 2}, "haloheap::test::triple", v, Triple{}, v); }), what);
  EXPECT_EQ(v.read_write(on_device(0, 1)).exec(), context.exec(0, 1));
  map(Workers{0, 1, 1}, "haloheap::test::triple", v, Triple{}, v);
  EXPECT_EQ(v[2], 9);
}

}  // namespace
}  // namespace haloheap::coherence
