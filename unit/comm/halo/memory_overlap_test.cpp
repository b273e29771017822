// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/memory_overlap.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <random>
#include <set>
#include <vector>

namespace haloheap::comm::detail {
namespace {

/// The numbers of all bytes of all values, counted from `memory`.
std::set<std::ptrdiff_t> bytes_of(const PlacesInMemory& places, const std::byte* memory) {
  std::vector<std::ptrdiff_t> values{static_cast<const std::byte*>(places.start) - memory};
  for (const auto& [stride, extent] : places.dimensions) {
    std::vector<std::ptrdiff_t> more;
    for (const std::ptrdiff_t value : values)
      for (grid::Index i = 0; i < extent; ++i) more.push_back(value + i * stride);
    values = more;
  }
  std::set<std::ptrdiff_t> bytes;
  for (const std::ptrdiff_t value : values)
    for (grid::Index i = 0; i < places.value_bytes; ++i) bytes.insert(value + i);
  return bytes;
}

bool have_common_byte(const PlacesInMemory& one, const PlacesInMemory& other, const std::byte* memory) {
  const auto first = bytes_of(one, memory), second = bytes_of(other, memory);
  for (const std::ptrdiff_t byte : first)
    if (second.count(byte) > 0) return true;
  return false;
}

/// Dimensions of any order and any strides, also such as no View has.
class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  PlacesInMemory places(const std::byte* memory) {
    PlacesInMemory places{memory + below(40), 1 + below(5), {}};
    for (grid::Index dims = below(4); dims > 0; --dims)
      places.dimensions.push_back({below(30), 1 + below(4) - (below(40) == 0 ? 1 : 0)});
    return places;
  }

 private:
  grid::Index below(grid::Index end) {
    return static_cast<grid::Index>(random_() % static_cast<unsigned>(end));
  }
  std::mt19937 random_;
};

TEST(MemoryOverlap, is_that_of_the_bytes) {
  const std::vector<std::byte> memory(400);
  Draw draw(7);
  int shared = 0;
  constexpr int all = 4000;
  for (int i = 0; i < all; ++i) {
    const PlacesInMemory one = draw.places(memory.data()), other = draw.places(memory.data());
    const bool expected = have_common_byte(one, other, memory.data());
    shared += expected ? 1 : 0;
    ASSERT_EQ(share_memory(one, other), expected) << i;
    ASSERT_EQ(share_memory(other, one), expected) << i;
  }
  EXPECT_GT(shared, all / 10);
  EXPECT_LT(shared, all - all / 10);
}

TEST(MemoryOverlap, of_fields_of_usual_sizes_is_known_at_once) {
  const std::byte* const memory = nullptr;
  constexpr grid::Index n = 1000;
  const PlacesInMemory right{memory, 8, {{n * n * 8, n}, {n * 8, n}, {8, n}}};
  const auto behind = [&](grid::Index bytes) {
    return PlacesInMemory{reinterpret_cast<const std::byte*>(bytes), 8, {{8, n}, {n * 8, n}, {n * n * 8, n}}};
  };
  EXPECT_TRUE(share_memory(right, behind(n * n * n * 8 - 1)));
  EXPECT_FALSE(share_memory(right, behind(n * n * n * 8)));
  const PlacesInMemory member{memory, 8, {{n * 24, n}, {24, n}}};
  EXPECT_FALSE(share_memory(member, {reinterpret_cast<const std::byte*>(8), 16, {{24, n}, {n * 24, n}}}));
  EXPECT_TRUE(share_memory(member, {reinterpret_cast<const std::byte*>(9), 16, {{24, n}, {n * 24, n}}}));
}

}  // namespace
}  // namespace haloheap::comm::detail
