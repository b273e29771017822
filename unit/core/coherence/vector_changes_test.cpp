// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors whose elements come and go, against std::vector.
#include <haloheap/core/coherence/skeletons.hpp>
#include <haloheap/core/memory/adaptors/limiting.hpp>
#include <haloheap/core/memory/adaptors/statistics.hpp>
#include <haloheap/core/memory/resources/backend_resource.hpp>
#include <haloheap/unit/core/coherence/functions.hpp>
#include <haloheap/unit/core/coherence/settings.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <vector>

namespace haloheap::coherence {
namespace {

class CoherenceVectorChanges : public testing::TestWithParam<Setting> {
 protected:
  Context context{GetParam().options()};

  /// What devices have is newer than what the host has.
  void add_one(Vector<int>& v) { map(all_devices, "haloheap::test::add_one", v, AddOne{}, v); }
};

TEST_P(CoherenceVectorChanges, are_those_of_the_standard_vector) {
  Vector<int> v(context, "v", 0);
  std::vector<int> expected;
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::ptrdiff_t>(random() % n); };
  for (int step = 0; step < 200; ++step) {
    const int value = step;
    const std::ptrdiff_t at = below(expected.size() + 1), count = below(4);
    const std::ptrdiff_t end = at + below(expected.size() - static_cast<std::size_t>(at) + 1);
    Vector<int>::iterator found;
    std::vector<int>::iterator wanted = expected.begin();
    switch (below(7)) {
      case 0:
        v.push_back(value);
        expected.push_back(value);
        found = v.begin();
        wanted = expected.begin();
        break;
      case 1:
        found = v.insert(v.begin() + at, value);
        wanted = expected.insert(expected.begin() + at, value);
        break;
      case 2:
        found = v.insert(v.cbegin() + at, count, value);
        wanted = expected.insert(expected.begin() + at, static_cast<std::size_t>(count), value);
        break;
      case 3:
        found = v.insert(v.begin() + at, {value, value + 1});
        wanted = expected.insert(expected.begin() + at, {value, value + 1});
        break;
      case 4:
        found = v.erase(v.begin() + at, v.begin() + end);
        wanted = expected.erase(expected.begin() + at, expected.begin() + end);
        break;
      case 5:
        if (expected.empty()) continue;
        v.pop_back();
        expected.pop_back();
        found = v.begin();
        wanted = expected.begin();
        break;
      default:
        add_one(v);
        for (int& each : expected) ++each;
        continue;
    }
    EXPECT_EQ(found - v.begin(), wanted - expected.begin());
    ASSERT_EQ(contents(v), expected) << "step " << step;
  }
}

TEST_P(CoherenceVectorChanges, keep_what_only_devices_have) {
  Vector<int> v(context, "v", {1, 2, 3, 4});
  add_one(v);
  v.push_back(9);
  add_one(v);
  v.erase(v.begin() + 1);
  add_one(v);
  v.insert(v.begin(), v.begin() + 2, v.end());
  EXPECT_EQ(contents(v), (std::vector<int>{7, 11, 4, 6, 7, 11})) << "its own elements may be inserted";
  v.clear();
  EXPECT_TRUE(v.empty());
  v.push_back(5);
  add_one(v);
  EXPECT_EQ(v.back(), 6);
}

TEST_P(CoherenceVectorChanges, refuse_places_that_are_not_in_the_vector) {
  Vector<int> v(context, "v", {1, 2, 3}), other(context, "other", {4});
  EXPECT_EQ(refusal([&] { v.insert(other.begin(), 1); }), "an iterator is not one of 'v'");
  EXPECT_EQ(refusal([&] { v.erase({}); }), "an iterator is not one of 'v'");
  EXPECT_EQ(refusal([&] { v.erase(v.end()); }), "elements [3, 4) of 'v' are not among its 3");
  EXPECT_EQ(refusal([&] { v.insert(v.end() + 1, 1); }), "elements [4, 4) of 'v' are not among its 3");
  EXPECT_EQ(refusal([&] { v.insert(v.begin() - 1, 1); }), "elements [-1, -1) of 'v' are not among its 3");
  EXPECT_EQ(refusal([&] { v.erase(v.begin() + 2, v.begin() + 1); }),
            "elements [2, 1) of 'v' are not among its 3");
  EXPECT_EQ(refusal([&] { v.insert(v.begin(), -1, 7); }), "-1 elements cannot be inserted into 'v'");
  EXPECT_NE(refusal([&] { v.insert(v.begin(), std::numeric_limits<ElementIndex>::max(), 7); }), "no error");
  Vector<int> none(context, "none", 0);
  EXPECT_EQ(refusal([&] { none.pop_back(); }), "elements [-1, 0) of 'none' are not among its 0");
  EXPECT_EQ(contents(v), (std::vector<int>{1, 2, 3}));
}

TEST_P(CoherenceVectorChanges, are_refused_under_an_access) {
  Vector<int> v(context, "v", {1, 2, 3});
  {
    const auto held = v.read(1, 2);
    const std::string what =
        "'v' cannot be resized while [1, 2) of it is in use on the host\n"
        "  consequence: the use would lose its elements\n"
        "  remedy: end the use first";
    EXPECT_EQ(refusal([&] { v.push_back(1); }), what);
    EXPECT_EQ(refusal([&] { v.erase(v.begin()); }), what);
    EXPECT_EQ(contents(v).size(), 3U);
  }
  v.erase(v.begin());
  EXPECT_EQ(contents(v), (std::vector<int>{2, 3}));
}

INSTANTIATE_TEST_SUITE_P(Settings, CoherenceVectorChanges, testing::ValuesIn(all_settings()),
                         [](const auto& test) { return name_of(test.param); });

/// Whoever appends does not pay for all elements each time.
TEST(CoherenceVectorRoom, doubles_when_there_is_none) {
  const auto memory = std::make_shared<memory::StatisticsResource>(
      std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::pageable));
  Context context(ContextOptions{.devices = 0});
  Vector<int> v(context, "v", 0, memory);
  for (int i = 0; i < 1000; ++i) {
    v.push_back(i);
    ASSERT_GE(v.capacity(), v.size());
  }
  EXPECT_LE(memory->snapshot().total_count, 12U);
  EXPECT_EQ(v.capacity(), 1024);
  const int* const first = &v.unchecked(0);
  v.erase(v.begin() + 10, v.end());
  EXPECT_EQ(v.capacity(), 1024);
  EXPECT_EQ(&v.unchecked(0), first) << "nor does what is erased move the rest";
  v.reserve(ElementIndex{2000});
  EXPECT_EQ(v.capacity(), 2000);
  v.reserve(ElementIndex{20});
  EXPECT_EQ(v.capacity(), 2000);
  EXPECT_EQ(v.size(), 10);
  EXPECT_EQ(v.back(), 9);
  v.resize(10);
  EXPECT_EQ(v.capacity(), 10) << "resize takes memory for just its elements";
}

TEST(CoherenceVectorRoom, that_cannot_be_had_changes_nothing) {
  const auto memory = std::make_shared<memory::LimitingResource>(
      std::make_shared<memory::detail::BackendResource>(backend::MemoryKind::pageable), 100 * sizeof(int));
  Context context(Setting{"region", 1, true, false}.options());
  Vector<int> v(context, "v", 40, memory);
  v.fill(3);
  map(all_devices, "haloheap::test::add_one", v, AddOne{}, v);
  EXPECT_THROW(v.push_back(1), OutOfMemory) << "80 elements do not fit beside 40";
  EXPECT_EQ(contents(v), std::vector<int>(40, 4));
  v.erase(v.begin() + 1);
  v.push_back(1);
  EXPECT_EQ(v.size(), 40);
}

}  // namespace
}  // namespace haloheap::coherence
