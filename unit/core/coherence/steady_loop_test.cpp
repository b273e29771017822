// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/heap_counter.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

namespace haloheap::coherence {
namespace {

TEST(CoherenceSteadyLoop, an_allocation_is_seen) {
  const long before = heap_allocations();
  const std::vector<int> one(1);
  EXPECT_EQ(heap_allocations() - before, 1);
}

/// A step of Listing 1 of [Dastgeer2016], and what a host looks at now and then.
void step(Context& context, Vector<double>& read, Vector<double>& written) {
  const ElementIndex size = read.size(), parts = context.devices();
  for (int device = 0; device < context.devices(); ++device) {
    const auto whole = read.read(on_device(device));
    const auto part =
        written.read_write(on_device(device), size * device / parts, size * (device + 1) / parts);
  }
  written[size / 2] += 1;
}

class CoherenceSteadyLoop : public testing::TestWithParam<Setting> {};

TEST_P(CoherenceSteadyLoop, takes_no_memory) {
  ContextOptions options = GetParam().options();
  options.check_uses = false;
  Context context(options);
  Vector<double> a(context, "a", 1000), b(context, "b", 1000);
  a.fill(0);
  b.fill(0);
  for (int i = 0; i < 50; ++i) {
    step(context, a, b);
    step(context, b, a);
  }
  const long before = heap_allocations();
  const Amount taken = context.statistics().allocations;
  const long of_statistics = heap_allocations() - before;
  for (int i = 0; i < 100; ++i) {
    step(context, a, b);
    step(context, b, a);
  }
  EXPECT_EQ(heap_allocations() - before - of_statistics, 0);
  EXPECT_EQ(context.statistics().allocations, taken);
}

/// Partial results are lent by the context, to several calls at once if need be.
TEST_P(CoherenceSteadyLoop, reductions_take_no_device_memory_and_no_containers) {
  Context context(GetParam().options());
  Vector<double> v(context, "v", 20000), sums(context, "sums", 20000);
  v.fill(1);
  const auto step = [&] {
    scan(all_devices, "haloheap::test::scan", Sum<double>{}, Scan::inclusive, sums, v);
    return reduce(all_devices, "haloheap::test::sum", Sum<double>{}, v);
  };
  for (int i = 0; i < 3; ++i) step();
  const Amount taken = context.statistics().allocations;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(step(), 20000);
  EXPECT_EQ(context.statistics().allocations, taken);

  const std::type_index type = typeid(Vector<double>);
  for (int i = 0; i < 2; ++i) {
    const long before = heap_allocations();
    std::shared_ptr<void> thing = detail::ElementStore(context).lend(type);
    EXPECT_TRUE(thing);
    detail::ElementStore(context).give_back(type, std::move(thing));
    EXPECT_EQ(heap_allocations(), before);
  }
}

std::vector<Setting> steady_settings() {
  std::vector<Setting> settings;
  for (const Setting& setting : all_settings())
    if (setting.devices > 0 && setting.entry().keeps_copies) settings.push_back(setting);
  return settings;
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceSteadyLoop, testing::ValuesIn(steady_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
