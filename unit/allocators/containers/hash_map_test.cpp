// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The map of all lanes, on the host against the standard library's: any sequence of operations, and heaps
// that have no room at any one of them.
#include <haloheap/allocators/containers/hash_map.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/allocators/containers/host_heap.hpp>

#include <gtest/gtest.h>

#include <iterator>
#include <random>
#include <ranges>
#include <set>
#include <unordered_map>
#include <vector>

namespace haloheap::containers {
namespace {

using Map = HashMapHandle<lanes::Platform, int, int, IntegerHash>;
using Entries = std::unordered_map<int, int>;

/// Fails where a key is there twice.
Entries entries_of(const Map& map) {
  Entries entries;
  for (std::uint32_t bucket = 0; bucket < map.bucket_count(); ++bucket)
    map.for_each_in(bucket,
                    [&entries](int key, int value) { EXPECT_TRUE(entries.emplace(key, value).second); });
  return entries;
}

Entries met_by_one(const Map& map) {
  Entries entries;
  for (const auto [key, value] : map) EXPECT_TRUE(entries.emplace(key, value).second);
  return entries;
}

std::uint32_t purge(const Map& map, const HostHeap::Handle& heap, bool all) {
  std::uint32_t left = 0;
  for (std::uint32_t bucket = 0; bucket < map.bucket_count(); ++bucket) left += map.purge(heap, bucket, all);
  return left;
}

TEST(HashMap, does_what_the_standard_one_does) {
  std::minstd_rand random(1);
  for (int round = 0; round < 100; ++round) {
    HostHeap host(round % 4);
    std::vector<Map::Bucket> buckets(std::size_t{1} << round % 5, 0);
    const Map map(buckets.data(), static_cast<std::uint32_t>(buckets.size()));
    Entries right;
    for (int step = 0; step < 200; ++step) {
      const int key = static_cast<int>(random() % 40) - 20, value = static_cast<int>(random());
      switch (random() % 6) {
        case 0:
        case 1: {
          const auto insertion = map.insert(host.handle(), key, value);
          if (insertion.value != nullptr) {
            EXPECT_EQ(insertion.inserted, right.emplace(key, value).second);
            EXPECT_EQ(*insertion.value, right[key]);
          } else {
            EXPECT_FALSE(insertion.inserted || right.count(key) == 1);
          }
          break;
        }
        case 2:
          ASSERT_EQ(map.erase(key), right.erase(key) == 1);
          break;
        case 3:
          if (int* const there = map.find(key)) *there = right[key] = value;
          break;
        case 4:
          ASSERT_EQ(map.contains(key), right.count(key) == 1);
          break;
        default:
          ASSERT_EQ(purge(map, host.handle(), false), right.size());
          ASSERT_EQ(host.live(), static_cast<int>(right.size()));
      }
      ASSERT_EQ(entries_of(map), right) << "round " << round << ", step " << step;
      ASSERT_EQ(met_by_one(map), right) << "round " << round << ", step " << step;
    }
    EXPECT_EQ(purge(map, host.handle(), true), 0U);
    EXPECT_EQ(host.live(), 0);
  }
}

static_assert(std::forward_iterator<Map::iterator> && std::ranges::forward_range<const Map>);
static_assert(std::is_same_v<decltype(Map::Entry::key), const int&> &&
              std::is_same_v<decltype(Map::Entry::value), int&>);

TEST(HashMap, lets_iterators_change_values) {
  HostHeap host;
  std::vector<Map::Bucket> buckets(4, 0);
  const Map map(buckets.data(), 4);
  EXPECT_TRUE(map.begin() == map.end());
  for (int key = 0; key < 10; ++key) (void)map.insert(host.handle(), key, key);
  for (const auto [key, value] : map) value = 10 * key;
  for (auto at = map.begin(); at != map.end();) {
    const auto before = at++;
    before->value += (*before).key;
  }
  for (int key = 0; key < 10; ++key) EXPECT_EQ(*map.find(key), 11 * key);
  EXPECT_EQ(purge(map, host.handle(), true), 0U);
}

TEST(HashMap, lets_iterators_go_on_from_what_is_erased) {
  HostHeap host;
  std::vector<Map::Bucket> buckets(2, 0);
  const Map map(buckets.data(), 2);
  for (int key = 0; key < 20; ++key) (void)map.insert(host.handle(), key, -key);
  std::set<int> met;
  for (const auto [key, value] : map) {
    EXPECT_TRUE(met.insert(key).second) << key;
    EXPECT_TRUE(map.erase(key));
    EXPECT_EQ(value, -key) << "it can still be read";
    if (key > 0) (void)map.erase(key - 1);  // which has come already, or does not come any more
  }
  EXPECT_TRUE(map.begin() == map.end());
  EXPECT_GE(met.size(), 10U);
  EXPECT_EQ(purge(map, host.handle(), false), 0U);
  EXPECT_EQ(host.live(), 0);
}

TEST(HashMap, has_as_many_buckets_as_kernels_can_count) {
  EXPECT_EQ(detail::bucket_count(0), 1U);
  EXPECT_EQ(detail::bucket_count(5), 8U);
  constexpr std::size_t most = std::size_t{1} << 31;
  EXPECT_EQ(detail::bucket_count(most), most);
  try {
    (void)detail::bucket_count(most + 1);
    FAIL() << "no error";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.cause(), "a hash map is to have 2147483649 buckets");
    EXPECT_EQ(error.remedy(), "use 2147483648 or fewer: chains hold what is more");
  }
}

}  // namespace
}  // namespace haloheap::containers
