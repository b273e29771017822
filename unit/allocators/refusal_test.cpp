// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whom a heap refuses, in orders of a few lanes, of which one may be held up for long anywhere: nobody for
// good while it has room.
#include <haloheap/unit/allocators/plain_heap_list.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace haloheap {
namespace {

using namespace emulation;

constexpr std::size_t all = ~std::size_t{0};

/// A heap in which `count` blocks of a size were allocated (all: until it was full), and the last `freed` of
/// them freed again.
template <class Heap>
struct Used {
  Heap heap;
  std::vector<void*> blocks;

  Used(std::size_t heap_bytes, std::size_t bytes, std::size_t count, std::size_t freed) : heap(heap_bytes) {
    for (void* block = nullptr; blocks.size() < count; blocks.push_back(block))
      if ((block = heap.handle().allocate(bytes)) == nullptr) break;
    for (; freed > 0 && !blocks.empty(); --freed) free_last();
  }
  void free_last() {
    if (blocks.empty()) return;
    void* const block = blocks.back();
    blocks.pop_back();
    heap.handle().deallocate(block);
  }

  /// What is wrong when all lanes are done: many requests in a row are refused although there is room.
  std::string refusal(std::size_t bytes) {
    const std::string fault = heap.fault();
    if (!fault.empty() || !heap.has_room(bytes)) return fault;
    constexpr int requests = 100;
    for (int i = 0; i < requests; ++i)
      if (heap.handle().allocate(bytes) != nullptr) return "";
    return fmt::format("{} bytes are refused for good although there is room", bytes);
  }
};

template <class Heap>
class Refusal : public ::testing::Test {};
TYPED_TEST_SUITE(Refusal, PlainHeaps<EmulatedPlatform>, PlainHeapNames);

/// More pauses than SlabReservations::patient_attempts.
constexpr Exploration held_up{.most_steps = 500'000, .most_pauses = 3000};

TYPED_TEST(Refusal, IsNeverForGoodBecauseALaneWasHeldUp) {
  const std::size_t bytes = 2 * TypeParam::tight;
  std::vector<std::size_t> sizes = TypeParam(bytes).sizes();
  sizes.push_back(TypeParam(bytes).large());
  std::uint64_t trials = 0;
  for (const std::size_t size : {sizes[sizes.size() - 3], sizes[sizes.size() - 2]})
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{3}, all})
      for (const std::size_t freed : {0, 1, 2})
        for (const std::size_t slow : {std::size_t{0}, size, sizes.back()})  // 0: frees one
          for (const std::size_t fast : {size, sizes[2], sizes.back()}) {
            const auto make = [&] {
              const auto used = std::make_shared<Used<TypeParam>>(bytes, size, count, freed);
              return Trial{{[=] { slow == 0 ? used->free_last() : void(used->heap.handle().allocate(slow)); },
                            [=] { used->heap.handle().allocate(fast); }},
                           [=] { return used->refusal(fast); }};
            };
            const Explored result = explore_stops(make, held_up);
            trials += result.trials;
            ASSERT_EQ(result.failure, "") << "after " << count << " of " << size << ", " << freed
                                          << " of them freed; slow: " << slow << ", fast: " << fast;
          }
  EXPECT_GT(trials, 500U);
}

/// The lane that is held up goes on a little while others come between.
TYPED_TEST(Refusal, IsNeverForGoodBecauseALaneWasHeldUpTwice) {
  if (std::is_base_of_v<PlainCoalescing<EmulatedPlatform>, TypeParam>)
    GTEST_SKIP() << "slab_walk, which it stands on, is tried by itself";
  const std::size_t bytes = 2 * TypeParam::tight;
  const std::vector<std::size_t> sizes = TypeParam(bytes).sizes();
  const std::size_t size = sizes[sizes.size() - 2], other = sizes[2], large = TypeParam(bytes).large();
  for (const std::size_t count : {std::size_t{1}, all})
    for (const std::size_t freed : {0, 1})
      for (const std::size_t slow : {std::size_t{0}, size, large})
        for (const std::size_t between : {std::size_t{0}, size})
          for (const std::size_t fast : {size, other}) {
            const auto make = [&] {
              const auto used = std::make_shared<Used<TypeParam>>(bytes, size, count, freed);
              const auto lane = [=](std::size_t asked) {
                return [=] { asked == 0 ? used->free_last() : void(used->heap.handle().allocate(asked)); };
              };
              return Trial{{lane(slow), lane(between), lane(fast)}, [=] { return used->refusal(fast); }};
            };
            const Explored result = explore_stops(make, held_up);
            ASSERT_EQ(result.failure, "")
                << "after " << count << " of " << size << ", " << freed << " of them freed; slow: " << slow
                << ", then: " << between << ", fast: " << fast;
          }
}

}  // namespace
}  // namespace haloheap
