// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Scenarios by the titles of StarPU's tests/datawizard, as far as they apply here: there are no tasks, so no
// locality; no write-through (wt_*); what its interfaces/ ask of each kind of data the tests of vectors and
// matrices ask under all settings.
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <numeric>
#include <random>

namespace haloheap::coherence {
namespace {

ContextOptions options(int devices, bool asynchronous = false) {
  return Setting{"region", devices, true, asynchronous}.options();
}

void increment(const Workers& workers, Vector<int>& v, ElementIndex begin, ElementIndex end) {
  map(workers, "haloheap::test::increment", v.slice(begin, end), AddOne{}, v.slice(begin, end));
}
void increment(const Workers& workers, Vector<int>& v) {
  increment(workers, v, 0, v.size());
}

constexpr Memory first = memory_of_device(0), second = memory_of_device(1);
constexpr std::uint64_t item = sizeof(int);

/// A device with room for 100 elements.
ContextOptions small() {
  ContextOptions one = options(1);
  one.capacity = 100 * item;
  return one;
}

class StarpuScenario : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};
};

// data_invalidation: what is invalid is not moved, and may be written again.
TEST(CoherenceDatawizard, DataInvalidation) {
  Context context(options(1));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  increment(all_devices, v);
  v.invalidate();
  context.reset_statistics();
  map_index(all_devices, "haloheap::test::index", v, IndexOf{});
  EXPECT_EQ(context.statistics().over_links(), 0U);
  EXPECT_EQ(v[9], 9);
}

// in_place_partition: parts lie in the memory of the whole.
TEST(CoherenceDatawizard, InPlacePartition) {
  Context context(options(1));
  Vector<int> v(context, "v", 12);
  v.fill(0);
  increment(all_devices, v);
  const Amount taken = v.statistics().allocations;
  for (const ElementIndex part : {0, 4, 8}) increment(all_devices, v, part, part + 4);
  increment(all_devices, v);
  EXPECT_EQ(v.statistics().allocations, taken);
  EXPECT_EQ(v.statistics().within_devices(), 0U);
  EXPECT_EQ(contents(v), std::vector<int>(12, 3));
}

// partitioned_gather_gpu: parts that devices wrote become a whole on one of them.
TEST(CoherenceDatawizard, PartitionedGatherGpu) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  increment(one_device(0), v, 0, 5);
  increment(one_device(1), v, 5, 10);
  increment(one_device(0), v);
  EXPECT_EQ(contents(v), std::vector<int>(10, 3));
}

// partitioned_gather_gpu_gpu: and the host has no part in it.
TEST(CoherenceDatawizard, PartitionedGatherGpuGpu) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  (void)v.write(on_device(0), 0, 5);
  (void)v.write(on_device(1), 5, 10);
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().between(second, first), (Amount{1, 5 * item}));
  EXPECT_EQ(v.statistics().to_host() + v.statistics().to_devices(), 0U);
}

// partition_dep: uses of parts wait for those of the whole, and the other way round.
TEST(CoherenceDatawizard, PartitionDep) {
  Context context(options(2, true));
  Vector<int> v(context, "v", 1 << 14);
  v.fill(0);
  for (int i = 0; i < 20; ++i) {
    increment(one_device(i % 2), v);
    increment(one_device(0), v, 0, v.size() / 2);
    increment(one_device(1), v, v.size() / 2, v.size());
  }
  EXPECT_EQ(contents(v), std::vector<int>(1 << 14, 40));
}

// partition_init: the whole has never been written but by parts.
TEST(CoherenceDatawizard, PartitionInit) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  map_index(one_device(1), "haloheap::test::index", v.slice(5, 10), IndexOf{});
  map_index(one_device(0), "haloheap::test::index", v.slice(0, 5), IndexOf{});
  increment(all_devices, v);
  std::vector<int> expected{0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
  for (int& value : expected) ++value;
  EXPECT_EQ(contents(v), expected);
  EXPECT_EQ(v.statistics().to_devices(), 0U);
}

// partition_lazy: a part takes memory when it is used.
TEST(CoherenceDatawizard, PartitionLazy) {
  Context context(options(1));
  Vector<int> v(context, "v", 100);
  v.fill(0);
  const auto part = v.slice(10, 20);
  EXPECT_EQ(context.statistics().allocations.count, 0U);
  increment(all_devices, part.container, part.begin, part.end);
  EXPECT_EQ(context.statistics().allocations, (Amount{1, 10 * item}));
}

// partition_wontuse: parts go back to the host, each element once, and their memory is free.
TEST(CoherenceDatawizard, PartitionWontuse) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  increment(one_device(0), v, 0, 6);
  increment(one_device(1), v, 4, 10);
  v.release_devices();
  EXPECT_EQ(v.statistics().to_host(), 10 * item);
  EXPECT_EQ(contents(v), (std::vector<int>{2, 2, 2, 2, 3, 3, 2, 2, 2, 2}));
  EXPECT_EQ(v.statistics().to_host(), 10 * item);
}

// temporary_partition: the whole, parts that are written, the whole.
TEST(CoherenceDatawizard, TemporaryPartition) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  increment(one_device(0), v);
  increment(one_device(1), v, 0, 3);
  increment(one_device(0), v);
  EXPECT_EQ(v.statistics().between(first, second).bytes, 3 * item);
  EXPECT_EQ(v.statistics().between(second, first).bytes, 3 * item);
  EXPECT_EQ(contents(v), (std::vector<int>{4, 4, 4, 3, 3, 3, 3, 3, 3, 3}));
}

// temporary_partition_read: parts that are read only leave the whole as it is.
TEST(CoherenceDatawizard, TemporaryPartitionRead) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  (void)v.read(on_device(0));
  const std::uint64_t moved = v.statistics().over_links();
  (void)v.read(on_device(0), 0, 5);
  (void)v.read(on_device(0), 5, 10);
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().over_links(), moved);
}

// mem_reclaim: what is not used makes room; what was modified is not lost.
TEST(CoherenceDatawizard, MemReclaim) {
  Context context(small());
  Vector<int> a(context, "a", 60), b(context, "b", 60);
  a.fill(1);
  b.fill(2);
  for (int i = 0; i < 3; ++i) {
    increment(all_devices, a);
    increment(all_devices, b);
  }
  EXPECT_EQ(context.statistics().evictions, (Amount{5, 5 * 60 * item}));
  EXPECT_EQ(a[59] + b[59], 4 + 5);
}

// reclaim: many small ones go for a large one.
TEST(CoherenceDatawizard, Reclaim) {
  Context context(small());
  std::vector<Vector<int>> many;
  for (int i = 0; i < 10; ++i) {
    many.emplace_back(context, "small", 10).fill(i);
    increment(all_devices, many.back());
  }
  EXPECT_EQ(context.statistics().evictions.count, 0U);
  Vector<int> large(context, "large", 100);
  large.fill(0);
  increment(all_devices, large);
  EXPECT_EQ(context.statistics().evictions.count, 10U);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(many[static_cast<std::size_t>(i)][9], i + 1);
}

// noreclaim: what is in use stays.
TEST(CoherenceDatawizard, Noreclaim) {
  Context context(small());
  Vector<int> a(context, "a", 60), b(context, "b", 60);
  a.fill(1);
  b.fill(2);
  {
    const auto used = a.read(on_device(0));
    EXPECT_THROW((void)b.read(on_device(0)), DeviceFull);
  }
  EXPECT_NO_THROW((void)b.read(on_device(0)));
  EXPECT_EQ(context.statistics().evictions.count, 1U);
}

// readonly: everybody has a copy, and nothing comes back.
TEST(CoherenceDatawizard, Readonly) {
  Context context(options(3));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  for (int i = 0; i < 3; ++i)
    for (const int device : {0, 1, 2}) (void)v.read(on_device(device));
  EXPECT_EQ(v[3], 1);
  v.release_devices();
  EXPECT_EQ(v.statistics().over_links(), 3 * 10 * item);
  EXPECT_EQ(v.statistics().to_host(), 0U);
}

// readers_and_writers: any number of readers, or one writer.
TEST(CoherenceDatawizard, ReadersAndWriters) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  {
    const auto one = v.read(), another = v.read();
    const auto on_one = v.read(on_device(0)), on_another = v.read(on_device(1));
    EXPECT_THROW((void)v.write(on_device(0)), UsageError);
    EXPECT_THROW((void)v.read_write(), UsageError);
  }
  {
    const auto writer = v.write(on_device(0), 0, 5);
    EXPECT_THROW((void)v.read(), UsageError);
    EXPECT_THROW((void)v.write(on_device(1), 4, 6), UsageError);
    EXPECT_NO_THROW((void)v.write(on_device(1), 5, 10));
  }
  EXPECT_NO_THROW((void)v.write());
}

// lazy_allocation: no memory is taken before the first use.
TEST(CoherenceDatawizard, LazyAllocation) {
  Context context(options(2));
  Vector<int> v(context, "v", 10);
  v.fill(1);
  EXPECT_EQ(context.statistics().allocations.count, 0U);
  (void)v.read(on_device(1));
  EXPECT_EQ(context.statistics().allocations, (Amount{1, 10 * item}));
}

// write_only_tmp_buffer: what is written only need not come up, and goes down only if it is asked for.
TEST(CoherenceDatawizard, WriteOnlyTmpBuffer) {
  Context context(options(1));
  {
    Vector<int> temporary(context, "temporary", 10), result(context, "result", 10);
    map_index(all_devices, "haloheap::test::index", temporary, IndexOf{});
    map(all_devices, "haloheap::test::increment", result, AddOne{}, temporary);
    EXPECT_EQ(result[9], 10);
  }
  EXPECT_EQ(context.statistics().to_devices(), 0U);
  EXPECT_EQ(context.statistics().to_host(), 10 * item) << "the temporary vector never comes down";
}

// sync_and_notify_data: the host and a device by turns.
TEST_P(StarpuScenario, SyncAndNotifyData) {
  Vector<int> v(context, "v", 4);
  v.fill(0);
  for (int i = 0; i < 50; ++i) {
    increment(all_devices, v);
    v[i % 4] += 1;
    const auto all = v.read_write();
    for (int& value : all) ++value;
  }
  EXPECT_EQ(contents(v), (std::vector<int>{113, 113, 112, 112}));
}

// dsm_stress: any part, anywhere, in any order.
TEST_P(StarpuScenario, DsmStress) {
  constexpr ElementIndex size = 64;
  Vector<int> v(context, "v", size);
  v.fill(0);
  std::vector<int> expected(size);
  std::mt19937 random(5);
  const auto below = [&](ElementIndex n) {
    return static_cast<ElementIndex>(random() % static_cast<std::uint64_t>(n));
  };
  for (int i = 0; i < 300; ++i) {
    const ElementIndex begin = below(size), end = begin + 1 + below(size - begin);
    const ElementIndex where = below(context.devices() + 1);
    increment(where == 0 ? the_host : one_device(static_cast<int>(where) - 1), v, begin, end);
    for (ElementIndex k = begin; k < end; ++k) ++expected[static_cast<std::size_t>(k)];
  }
  EXPECT_EQ(contents(v), expected);
}

INSTANTIATE_TEST_SUITE_P(Settings, StarpuScenario, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace haloheap::coherence
