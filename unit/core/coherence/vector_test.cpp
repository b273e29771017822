// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/adaptors/faulty.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

namespace haloheap::coherence {
namespace {

struct Double {
  KOKKOS_FUNCTION int operator()(int value) const { return 2 * value; }
};

struct AddHundred {
  DeviceAccessor<int>::View view;
  KOKKOS_FUNCTION void operator()(int i) const { view(i) += 100; }
};

class CoherenceVector : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  Vector<int> numbers(ElementIndex size) {
    Vector<int> vector(context, "numbers", size);
    std::iota(vector.begin(), vector.end(), 0);
    return vector;
  }
  static std::vector<int> contents(const Vector<int>& vector) { return {vector.begin(), vector.end()}; }
};

TEST_P(CoherenceVector, elements_tell_reads_from_writes) {
  Vector<int> v(context, "v", {1, 2, 3});
  v[0] = 11;
  const int read = v[0];
  v[0] += 11;
  ++v[1];
  v[2] = v[1];
  EXPECT_EQ(read, 11);
  EXPECT_EQ(contents(v), (std::vector<int>{22, 3, 3}));
  EXPECT_EQ(v.at(2), 3);
  EXPECT_EQ(v.front(), 22);
  EXPECT_EQ(v.back(), 3);
  EXPECT_THROW(v.at(3), UsageError);
  EXPECT_THROW(v.at(-1), UsageError);
}

TEST_P(CoherenceVector, algorithms_of_the_standard_library_work_on_it) {
  Vector<int> v = numbers(10);
  std::reverse(v.begin(), v.end());
  std::sort(v.begin(), v.end());
  EXPECT_EQ(std::accumulate(v.cbegin(), v.cend(), 0), 45);
  std::fill(v.begin() + 5, v.end(), 7);
  EXPECT_EQ(std::count(v.cbegin(), v.cend(), 7), 5);
  EXPECT_EQ(v.end() - v.begin(), 10);
}

TEST_P(CoherenceVector, calls_see_what_the_host_wrote_and_the_host_what_calls_wrote) {
  for (const ElementIndex size : {1, 2, 7, 100, 4099}) {
    Vector<int> v = numbers(size);
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    v[0] = 41;
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    std::vector<int> expected(static_cast<std::size_t>(size));
    std::iota(expected.begin(), expected.end(), 2);
    expected[0] = 42;
    EXPECT_EQ(contents(v), expected);
  }
}

TEST_P(CoherenceVector, overlapping_parts_written_by_turns) {
  // The code below Figure 1 of [Dastgeer2016].
  Vector<int> v0 = numbers(10);
  map(one_device(0), "haloheap::test::all", v0, AddOne{}, v0);
  map(one_device(0), "haloheap::test::last", v0.slice(5, 10), Double{}, v0.slice(5, 10));
  map(one_device(0), "haloheap::test::middle", v0.slice(3, 7), AddOne{}, v0.slice(3, 7));
  map(all_devices, "haloheap::test::all", v0, AddOne{}, v0);
  EXPECT_EQ(contents(v0), (std::vector<int>{2, 3, 4, 6, 7, 14, 16, 17, 19, 21}));
}

TEST_P(CoherenceVector, a_part_written_on_the_device_shows_in_the_whole) {
  // Scenario one of [Dastgeer2016], section 3.2.
  Vector<int> v0 = numbers(10), sums(context, "sums", 10);
  map(one_device(0), "haloheap::test::read_all", sums, AddOne{}, v0);
  map(one_device(0), "haloheap::test::write_last", v0.slice(5, 10), AddOne{},
      v0.slice(0, 5).container.slice(5, 10));
  map(one_device(0), "haloheap::test::read_all", sums, AddOne{}, v0);
  EXPECT_EQ(contents(sums), (std::vector<int>{1, 2, 3, 4, 5, 7, 8, 9, 10, 11}));
}

struct SumOfAll {
  ElementIndex size;
  KOKKOS_FUNCTION int operator()(ElementIndex, const int* whole, int mine) const {
    int sum = mine;
    for (ElementIndex i = 0; i < size; ++i) sum += whole[i];
    return sum % 1000;
  }
};

TEST_P(CoherenceVector, two_vectors_replicated_and_written_by_turns) {
  // Listing 1 of [Dastgeer2016], whose stale copies are scenario two.
  Vector<int> v0 = numbers(10), v1 = numbers(10);
  std::vector<int> e0 = contents(v0), e1 = contents(v1);
  for (int step = 0; step < 4; ++step) {
    map_array(all_devices, "haloheap::test::maparray1", v1, SumOfAll{10}, v0, v1);
    map_array(all_devices, "haloheap::test::maparray2", v0, SumOfAll{10}, v1, v0);
    const auto sum = [](const std::vector<int>& of) { return std::accumulate(of.begin(), of.end(), 0); };
    const int s0 = sum(e0);
    for (int& value : e1) value = (value + s0) % 1000;
    const int s1 = sum(e1);
    for (int& value : e0) value = (value + s1) % 1000;
  }
  EXPECT_EQ(contents(v0), e0);
  EXPECT_EQ(contents(v1), e1);
}

TEST_P(CoherenceVector, resize_keeps_the_first_elements) {
  Vector<int> v = numbers(8);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  v.resize(5);
  EXPECT_EQ(contents(v), (std::vector<int>{1, 2, 3, 4, 5}));
  v.resize(7);
  v[5] = v[6] = 9;
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_EQ(contents(v), (std::vector<int>{2, 3, 4, 5, 6, 10, 10}));
  v.assign(3, 4);
  EXPECT_EQ(contents(v), (std::vector<int>{4, 4, 4}));
}

TEST_P(CoherenceVector, moves_leave_an_empty_vector) {
  Vector<int> a = numbers(4);
  map(all_devices, "haloheap::test::add_one", a, AddOne{}, a);
  Vector<int> b = std::move(a);
  EXPECT_EQ(contents(b), (std::vector<int>{1, 2, 3, 4}));
  EXPECT_EQ(a.size(), 0);  // NOLINT(bugprone-use-after-move): that is what is tested
  EXPECT_TRUE(a.empty());
  a = numbers(2);
  EXPECT_EQ(contents(a), (std::vector<int>{0, 1}));
  swap(a, b);
  EXPECT_EQ(a.size(), 4);
  EXPECT_EQ(b.size(), 2);
}

TEST_P(CoherenceVector, size_zero) {
  Vector<int> none(context, "none", 0);
  map(all_devices, "haloheap::test::add_one", none, AddOne{}, none);
  EXPECT_TRUE(contents(none).empty());
  EXPECT_EQ(reduce(all_devices, "haloheap::test::sum", Sum<int>{}, none), 0);
  none.update_host();
  none.resize(2);
  none.fill(3);
  EXPECT_EQ(contents(none), (std::vector<int>{3, 3}));
}

TEST_P(CoherenceVector, accessors_hand_out_views_without_a_copy) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  Vector<int> v = numbers(10);
  {
    const auto part = v.read_write(on_device(0), 2, 6);
    const auto view = part.view();
    EXPECT_EQ(view.data(), part.data());
    EXPECT_EQ(view.extent(0), 4U);
    Kokkos::parallel_for("haloheap::test::view", Kokkos::RangePolicy<Context::Exec>(part.exec(), 0, 4),
                         AddHundred{view});
  }
  EXPECT_EQ(contents(v), (std::vector<int>{0, 1, 102, 103, 104, 105, 6, 7, 8, 9}));
  {
    const auto all = v.read();
    EXPECT_EQ(all.data(), &v.unchecked(0));
  }
}

TEST_P(CoherenceVector, flush_update_invalidate_and_release) {
  if (context.devices() == 0) GTEST_SKIP() << "no device";
  Vector<int> v = numbers(4);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  v.update_host();
  EXPECT_EQ(v.unchecked(3), 4);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  v.flush();
  EXPECT_EQ(v.unchecked(3), 5);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  v.release_devices();
  EXPECT_EQ(v.unchecked(3), 6);
  const auto allocated = v.statistics().allocations.count;
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_GT(v.statistics().allocations.count, allocated);
  v.update_host();
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  if (GetParam().entry().keeps_results) {
    v.invalidate();
    EXPECT_EQ(contents(v), (std::vector<int>{4, 5, 6, 7})) << "what was not on the host is lost";
  }
}

TEST_P(CoherenceVector, scattered_writes_of_the_host_show_on_devices) {
  constexpr ElementIndex size = 2000;
  Vector<int> v = numbers(size);
  std::vector<int> expected(size);
  for (int round = 0; round < 3; ++round) {
    map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
    for (ElementIndex i = round; i < size; i += 7) v[i] = -100;
  }
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  for (int i = 0; i < size; ++i)
    expected[static_cast<std::size_t>(i)] = i % 7 < 3 ? i % 7 - 97 - 2 * (i % 7) : i + 4;
  EXPECT_EQ(contents(v), expected);
}

TEST_P(CoherenceVector, what_a_use_overlaps_is_named) {
  Vector<int> v = numbers(10);
  const auto held = v.read(0, 5);
  try {
    v[4] = 1;
    FAIL() << "the overlap was not seen";
  } catch (const UsageError& error) {
    EXPECT_STREQ(error.what(),
                 "write on the host of [4, 5) of 'numbers' overlaps the read on the host of [0, 5), which is "
                 "not over\n"
                 "  consequence: which of the two comes first is not defined\n"
                 "  remedy: end one use before the other begins");
  }
  v[5] = 1;
  EXPECT_EQ(v[5], 1);
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceVector, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

/// Element by element, each would be a copy of its own when the device reads them.
TEST(CoherenceScatteredWrites, a_copy_in_many_pieces_is_brought_as_a_whole) {
  Context context(Setting{"region", 1, true, false}.options());
  constexpr ElementIndex size = 10000;
  Vector<int> v(context, "v", size);
  v.fill(1);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  for (ElementIndex i = 0; i < size; i += 10) v[i] = 5;
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_EQ(v.statistics().between(host, memory_of_device(0)), (Amount{2, 2 * size * sizeof(int)}));
  EXPECT_LE(v.statistics().to_host(), size * sizeof(int)) << "what the policy paper writes back, at most";
  EXPECT_LE(v.statistics().between(memory_of_device(0), host).count, 70U);
  EXPECT_EQ(v[10] + v[11], 6 + 3);
}

TEST(CoherenceScatteredWrites, few_pieces_move_alone) {
  Context context(Setting{"region", 1, true, false}.options());
  Vector<int> v(context, "v", 10000);
  v.fill(1);
  (void)v.read(on_device(0));
  for (ElementIndex i = 0; i < 60; ++i) v[100 * i] = 5;
  (void)v.read(on_device(0));
  EXPECT_EQ(v.statistics().to_devices(), (10000 + 60) * sizeof(int));
}

TEST(CoherenceScatteredWrites, parts_that_were_used_and_not_written_stay) {
  Context context(Setting{"region", 1, true, false}.options());
  Vector<int> v(context, "v", 10000);
  v.fill(1);
  v.reserve(on_device(0));
  for (const ElementIndex part : {0, 5000})
    map(all_devices, "haloheap::test::add_one", v.slice(part, part + 5000), AddOne{},
        v.slice(part, part + 5000));
  for (ElementIndex i = 0; i < 5000; i += 10) v[i] = 5;
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_EQ(v.statistics().to_devices(), (10000 + 5000) * sizeof(int));
  EXPECT_LE(v.statistics().to_host(), 5000 * sizeof(int));
  EXPECT_EQ(v[10] + v[11] + v[5010], 6 + 3 + 3);
}

class CoherenceCapacity : public testing::TestWithParam<std::string> {};

TEST_P(CoherenceCapacity, results_are_the_same_whatever_fits) {
  std::vector<int> first;
  // Two vectors of 1000 ints on two devices: a call needs two halves, 4000 bytes.
  for (const std::size_t capacity :
       {unlimited, std::size_t{16000}, std::size_t{8000}, std::size_t{5000}, std::size_t{4000}}) {
    ContextOptions options = Setting{GetParam(), 2, true, true}.options();
    options.capacity = capacity;
    Context context(options);
    std::vector<Vector<int>> vectors;
    for (int i = 0; i < 5; ++i) {
      vectors.emplace_back(context, "v" + std::to_string(i), 1000);
      map_index(all_devices, "haloheap::test::index", vectors.back(), IndexOf{});
    }
    for (int step = 0; step < 20; ++step)
      map(all_devices, "haloheap::test::add_one", vectors[static_cast<std::size_t>(step * 7 % 5)], AddOne{},
          vectors[static_cast<std::size_t>(step * 3 % 5)]);
    std::vector<int> all;
    for (const auto& vector : vectors) all.insert(all.end(), vector.begin(), vector.end());
    if (first.empty()) first = all;
    EXPECT_EQ(all, first) << capacity;
    if (capacity == 4000 && policies().at(GetParam()).keeps_results) {
      EXPECT_GT(context.statistics().evictions.count, 0U);
    }
  }
}

TEST_P(CoherenceCapacity, too_little_for_a_call_is_an_error_that_says_how_much) {
  ContextOptions options = Setting{GetParam(), 1, true, false}.options();
  options.capacity = 1000;
  Context context(options);
  Vector<int> small(context, "small", 200), large(context, "large", 300);
  map_index(all_devices, "haloheap::test::index", small, IndexOf{});
  try {
    map_index(all_devices, "haloheap::test::index", large, IndexOf{});
    FAIL() << "1200 bytes do not fit";
  } catch (const DeviceFull& error) {
    EXPECT_EQ(error.needed(), 1200U);
    EXPECT_EQ(error.freeable(), policies().at(GetParam()).keeps_results ? 800U : 0U);
    EXPECT_NE(std::string(error.what()).find("device 0 has no room for [0, 300) of 'large'"),
              std::string::npos)
        << error.what();
  }
  EXPECT_EQ(small[199], 199);
  map(all_devices, "haloheap::test::add_one", small, AddOne{}, small);
  EXPECT_EQ(small[199], 200);
}

TEST_P(CoherenceCapacity, a_call_that_cannot_be_made_changes_nothing) {
  ContextOptions options = Setting{GetParam(), 1, true, false}.options();
  options.capacity = 1000;
  Context context(options);
  Vector<int> a(context, "a", 200), b(context, "b", 200);
  a.fill(1);
  b.fill(2);
  EXPECT_THROW(map(all_devices, "haloheap::test::add_one", b, AddOne{}, a), DeviceFull);
  EXPECT_EQ(a[7], 1);
  EXPECT_EQ(b[7], 2) << "it would have been written, but was not";
  map(all_devices, "haloheap::test::add_one", b.slice(0, 100), AddOne{}, std::as_const(a).slice(0, 100));
  EXPECT_EQ(b[7] + b[100], 2 + 2);
}

TEST_P(CoherenceCapacity, memory_that_others_took_is_found_by_removing_copies) {
  ContextOptions options = Setting{GetParam(), 1, true, false}.options();
  options.device_memory = [](int device) {
    return std::make_shared<memory::LimitingResource>(
        std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::device, device), 2000);
  };
  Context context(options);
  Vector<int> a(context, "a", 250), b(context, "b", 250), c(context, "c", 500), d(context, "d", 501);
  map_index(all_devices, "haloheap::test::index", a, IndexOf{});
  map_index(all_devices, "haloheap::test::index", b, IndexOf{});
  map_index(all_devices, "haloheap::test::index", c, IndexOf{});
  EXPECT_EQ(a[249] + b[249] + c[499], 249 + 249 + 499);
  EXPECT_THROW(map_index(all_devices, "haloheap::test::index", d, IndexOf{}), DeviceFull);
  EXPECT_EQ(a[249] + b[249] + c[499], 249 + 249 + 499);
}

TEST_P(CoherenceCapacity, any_allocation_may_fail_once) {
  for (std::size_t n = 1; n < 12; ++n) {
    ContextOptions options = Setting{GetParam(), 1, true, false}.options();
    options.device_memory = [n](int device) {
      return std::make_shared<memory::FaultyResource>(
          std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::device, device), n);
    };
    Context context(options);
    Vector<int> a(context, "a", 10), b(context, "b", 10);
    int failures = 0;
    const auto tried = [&](const auto& call) {
      try {
        call();
      } catch (const DeviceFull&) {
        ++failures;
        call();
      }
    };
    tried([&] { map_index(all_devices, "haloheap::test::index", a, IndexOf{}); });
    tried([&] { map(all_devices, "haloheap::test::add_one", b, AddOne{}, a); });
    tried([&] { map(all_devices, "haloheap::test::double", a, Double{}, b); });
    EXPECT_EQ(a[9], 20);
    EXPECT_LE(failures, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Policies, CoherenceCapacity, testing::ValuesIn(policies().names()),
                         [](const auto& test) { return test.param; });

TEST(CoherenceContext, more_devices_than_there_are_is_an_error) {
  ContextOptions options;
  options.devices = max_devices + 1;
  EXPECT_THROW(Context{options}, CapabilityError);
  options.devices = 1;
  options.policy = "regoin";
  EXPECT_THROW(Context{options}, UsageError);
}

}  // namespace
}  // namespace haloheap::coherence
