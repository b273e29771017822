// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Containers of one thread, on the host against the standard library's: any sequence of operations, and heaps
// that have no room at any one of them.
#include <haloheap/allocators/containers/open_map.hpp>
#include <haloheap/allocators/containers/string.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/unit/allocators/containers/host_heap.hpp>

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace haloheap::containers {
namespace {

using Numbers = std::vector<int>;
Numbers content(const Vector<int>& vector) {
  return {vector.begin(), vector.end()};
}

TEST(Vector, does_what_the_standard_one_does) {
  std::minstd_rand random(1);
  for (int round = 0; round < 200; ++round) {
    HostHeap host(round % 5);
    const auto heap = host.handle();
    Vector<int> vector;
    Numbers right;
    for (int step = 0; step < 60; ++step) {
      const int value = static_cast<int>(random() % 1000);
      const auto at = static_cast<unsigned>(random() % (right.size() + 1));
      switch (random() % 8) {
        case 0:
        case 1:
          if (vector.push_back(heap, value)) right.push_back(value);
          break;
        case 2:
          if (vector.insert(heap, at, value)) right.insert(right.begin() + at, value);
          break;
        case 3:
          if (at < right.size()) {
            vector.erase(at);
            right.erase(right.begin() + at);
          }
          break;
        case 4: {
          const auto end = at + static_cast<unsigned>(random() % (right.size() - at + 1));
          vector.erase(at, end);
          right.erase(right.begin() + at, right.begin() + end);
          break;
        }
        case 5:
          if (vector.resize(heap, at + 3, value)) right.resize(at + 3, value);
          break;
        case 6: {
          const Numbers more(random() % 5, value);
          if (vector.append(heap, more.data(), static_cast<unsigned>(more.size())))
            right.insert(right.end(), more.begin(), more.end());
          break;
        }
        default:
          if (random() % 4 == 0) vector.shrink_to_fit(heap);
          if (!right.empty() && random() % 2 == 0) {
            vector.pop_back();
            right.pop_back();
          }
      }
      ASSERT_EQ(content(vector), right) << "round " << round << ", step " << step;
      ASSERT_LE(vector.size(), vector.capacity());
    }
    vector.release(heap);
    EXPECT_TRUE(vector.empty());
    EXPECT_EQ(host.live(), 0);
  }
}

TEST(Vector, takes_an_element_of_its_own_when_it_moves) {
  HostHeap host;
  const auto heap = host.handle();
  Vector<int> vector;
  ASSERT_TRUE(vector.push_back(heap, 7));
  while (vector.size() < 100) ASSERT_TRUE(vector.push_back(heap, vector.front()));
  EXPECT_EQ(content(vector), Numbers(100, 7));
  vector.release(heap);
}

TEST(Vector, refuses_more_elements_than_it_can_count) {
  HostHeap host;
  const auto heap = host.handle();
  Vector<int> vector;
  EXPECT_FALSE(vector.reserve(heap, std::size_t{1} << 32));
  ASSERT_TRUE(vector.push_back(heap, 1));
  EXPECT_FALSE(vector.resize(heap, Vector<int>::max_size)) << "16 GiB, which the heap of the test has not";
  EXPECT_EQ(content(vector), Numbers{1});
  vector.release(heap);
}

TEST(Vector, doubles) {
  HostHeap host;
  const auto heap = host.handle();
  Vector<int> vector;
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(vector.push_back(heap, i));
  EXPECT_LE(host.requests(), 12);
  vector.release(heap);
}

TEST(String, does_what_the_standard_one_does) {
  std::minstd_rand random(1);
  for (int round = 0; round < 100; ++round) {
    HostHeap host(round % 4);
    const auto heap = host.handle();
    String text;
    std::string right;
    for (int step = 0; step < 40; ++step) {
      const std::string piece(random() % 9, static_cast<char>('a' + random() % 26));
      switch (random() % 4) {
        case 0:
          if (text.append(heap, piece.c_str())) right += piece;
          break;
        case 1: {
          const long long number = static_cast<long long>(random()) - 1'000'000'000;
          if (text.append(heap, number)) right += std::to_string(number);
          break;
        }
        case 2:
          text.truncate(static_cast<unsigned>(piece.size()));
          right.resize(std::min(right.size(), piece.size()));
          break;
        default:
          if (text.append(heap, piece.data(), static_cast<unsigned>(piece.size()))) right += piece;
      }
      ASSERT_EQ(text.c_str(), right) << "round " << round << ", step " << step;
      ASSERT_EQ(text.size(), right.size());
      ASSERT_EQ(text.view().extent(0), right.size());
    }
    text.release(heap);
    EXPECT_EQ(host.live(), 0);
  }
}

TEST(String, writes_the_largest_numbers) {
  HostHeap host;
  const auto heap = host.handle();
  String text;
  ASSERT_TRUE(text.append(heap, std::numeric_limits<long long>::min()) && text.append(heap, " ") &&
              text.append(heap, std::numeric_limits<long long>::max()) && text.append(heap, 0LL));
  EXPECT_STREQ(text.c_str(), "-9223372036854775808 92233720368547758070");
  text.truncate(0);
  ASSERT_TRUE(text.append(heap, std::numeric_limits<unsigned long long>::max()) && text.append(heap, 'c') &&
              text.append(heap, 0) && text.append(heap, short{-7}));
  EXPECT_STREQ(text.c_str(), "18446744073709551615c0-7");
  text.release(heap);
}

TEST(String, compares_as_text_does) {
  HostHeap host;
  const auto heap = host.handle();
  const auto made = [heap](const char* text) {
    String string;
    EXPECT_TRUE(string.append(heap, text));
    return string;
  };
  String a = made("abc"), b = made("abd"), longer = made("abcd"), empty = made(""), high = made("\xff"), none;
  EXPECT_TRUE(a < b && a < longer && empty < a && !(b < a) && !(longer < a) && b < high && !(a < a));
  EXPECT_TRUE(a == a && !(a == b) && empty == none && none.empty() && !(none < empty));
  for (String* string : {&a, &b, &longer, &empty, &high}) string->release(heap);
  EXPECT_EQ(host.live(), 0);
}

template <class T>
concept CanAppend = requires(String text, HostHeap::Handle heap, T value) {
  text.append(heap, value);
};
static_assert(CanAppend<unsigned char> && CanAppend<const char*> && !CanAppend<double> && !CanAppend<bool>);

struct SameHash {  // all keys in one chain
  KOKKOS_FUNCTION std::uint32_t operator()(int) const { return 5; }
};
struct LastSlots {  // chains that wrap around
  KOKKOS_FUNCTION std::uint32_t operator()(int key) const { return static_cast<std::uint32_t>(6 + key % 3); }
};

/// The entries that the View of a map's slots has.
template <class Map>
std::unordered_map<int, int> in_slots(const Map& map) {
  std::unordered_map<int, int> entries;
  const auto slots = map.view();
  for (std::size_t i = 0; i < slots.extent(0); ++i) {
    const auto& [entry, used] = slots.data()[i];
    if (used && !entries.emplace(entry.key, entry.value).second) ADD_FAILURE() << entry.key << " twice";
  }
  return entries;
}

template <class Hash>
class OpenMapOf : public ::testing::Test {};
using Hashes = ::testing::Types<IntegerHash, SameHash, LastSlots>;
TYPED_TEST_SUITE(OpenMapOf, Hashes);

TYPED_TEST(OpenMapOf, does_what_the_standard_one_does) {
  std::minstd_rand random(1);
  for (int round = 0; round < 100; ++round) {
    HostHeap host(round % 3);
    const auto heap = host.handle();
    OpenMap<int, int, TypeParam> map;
    std::unordered_map<int, int> right;
    for (int step = 0; step < 200; ++step) {
      const int key = static_cast<int>(random() % 40), value = static_cast<int>(random());
      switch (random() % 5) {
        case 0:
        case 1: {
          const auto insertion = map.insert(heap, key, value);
          if (insertion.value != nullptr) {
            EXPECT_EQ(insertion.inserted, right.emplace(key, value).second);
            EXPECT_EQ(*insertion.value, right[key]);
          } else {
            EXPECT_FALSE(insertion.inserted);
          }
          break;
        }
        case 2:
          ASSERT_EQ(map.erase(key), right.erase(key) == 1);
          break;
        case 3:
          if (int* const there = map.find(key)) *there = right[key] = value;
          break;
        default:
          ASSERT_EQ(map.contains(key), right.count(key) == 1);
      }
      ASSERT_EQ(map.size(), right.size());
      std::unordered_map<int, int> seen;
      for (const auto& [k, v] : std::as_const(map)) ASSERT_TRUE(seen.emplace(k, v).second);
      ASSERT_EQ(seen, right) << "round " << round << ", step " << step;
      ASSERT_EQ(in_slots(map), right) << "round " << round << ", step " << step;
    }
    map.clear();
    EXPECT_TRUE(map.empty() && map.begin() == map.end() && !map.contains(3));
    map.release(heap);
    EXPECT_EQ(host.live(), 0);
  }
}

TEST(OpenMap, has_a_view_that_is_no_copy) {
  HostHeap host;
  OpenMap<int, int> map;
  EXPECT_EQ(map.view().extent(0), 0U);
  ASSERT_TRUE(map.insert(host.handle(), 3, 1).inserted && map.insert(host.handle(), 4, 1).inserted);
  const auto slots = map.view();
  EXPECT_EQ(slots.extent(0), 8U);
  for (std::size_t i = 0; i < slots.extent(0); ++i)
    if (slots.data()[i].used) slots.data()[i].entry.value += slots.data()[i].entry.key;
  EXPECT_EQ(*map.find(3), 4);
  EXPECT_EQ(*map.find(4), 5);
  map.release(host.handle());
}

}  // namespace
}  // namespace haloheap::containers
