// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Whom a heap refuses, in orders of a few lanes, of which one may be held up for long anywhere: nobody for
// good while it has room.
#include <haloheap/unit/allocators/plain_heap_list.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace haloheap::allocators {
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

/// More pauses than SlabReservations::relaxed_attempts.
constexpr Exploration held_up{.max_steps = 500'000, .max_pauses = 3000};

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

TYPED_TEST(Refusal, EndsWhenSomethingIsGivenBack) {
  if (!TypeParam::Allocator::promises({}).frees) GTEST_SKIP() << "frees nothing";
  const std::size_t bytes = 2 * TypeParam::tight;
  std::vector<std::size_t> sizes = TypeParam(bytes).sizes();
  sizes.push_back(TypeParam(bytes).large());
  for (const std::size_t size : sizes)
    for (const std::size_t other : sizes) {
      Used<TypeParam> used(bytes, size, all, 0);
      while (used.heap.handle().allocate(other) != nullptr) continue;
      used.free_last();
      EXPECT_EQ(used.refusal(other), "") << "blocks of " << size;
    }
}

// --- slab_walk: nobody is refused for being late, as far as lanes get a turn

using Slabs = Used<PlainSlabWalk<EmulatedPlatform>>;
constexpr std::size_t slab = std::size_t{1} << 16;
constexpr std::size_t half = 32'768, third_class = 31'000, other_class = 30'000;  // two blocks a slab

Fibers::Program allocates(const std::shared_ptr<Slabs>& used, std::size_t bytes,
                          const std::shared_ptr<int>& refused) {
  return [=] {
    if (used->heap.handle().allocate(bytes) == nullptr) ++*refused;
  };
}
std::string none_of(const Slabs& used, int refused) {
  return refused > 0 ? "refused although there is room for all" : used.heap.fault();
}

/// Of two slabs one is empty and of a class whose lanes no longer need it. A lane of the class that had it
/// before takes slots of it in vain, while another one wants it for a third class.
Trial want_a_slab_that_another_one_tries() {
  const auto used = std::make_shared<Slabs>(2 * slab, half, 0, 0);
  const auto handle = used->heap.handle();
  void* const first = handle.allocate(half);
  void* const run = handle.allocate(slab);
  handle.deallocate(first);
  handle.deallocate(handle.allocate(other_class));
  handle.deallocate(run);
  handle.allocate(half);
  const auto refused = std::make_shared<int>(0);
  return {{allocates(used, half, refused), allocates(used, third_class, refused)},
          [=] { return none_of(*used, *refused); }};
}

TEST(SlabWalkRefusal, IsNotForSlotsThatAnotherOneTakesInVain) {
  expect_right(want_a_slab_that_another_one_tries, {.preemptions = 2});
}

/// Two lanes want one slot each of the only slab, which one of them brings.
Trial wait_for_a_slab() {
  const auto used = std::make_shared<Slabs>(slab, half, 0, 0);
  const auto refused = std::make_shared<int>(0);
  return {{allocates(used, half, refused), allocates(used, half, refused)},
          [=] { return none_of(*used, *refused); }};
}

TEST(SlabWalkRefusal, IsNotWhileAnotherOneBringsASlab) {
  expect_right(wait_for_a_slab, {.preemptions = 2});
  const Explored result = explore_stops(wait_for_a_slab, held_up);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.trials, 10U);
}

/// Two lanes want slots of which there is plenty, but not in the slab that their neighbours took from last:
/// one of them looks for another slab.
Trial look_for_another_slab(std::size_t roomy) {
  const auto used = std::make_shared<Slabs>(4 * slab, half, 8, 0);
  for (const std::size_t block : {2 * roomy, 2 * roomy + 1})
    used->heap.handle().deallocate(used->blocks[block]);
  const auto refused = std::make_shared<int>(0);
  return {{allocates(used, half, refused), allocates(used, half, refused)},
          [=] { return none_of(*used, *refused); }};
}

TEST(SlabWalkRefusal, WhoLooksForASlabHoldsNobodyUpForGood) {
  std::uint64_t max_trials = 0;
  for (const std::size_t roomy : {0, 1, 2, 3}) {
    const Explored result =
        explore_stops([=] { return look_for_another_slab(roomy); }, {.max_steps = 50'000});
    EXPECT_EQ(result.failure, "");
    max_trials = std::max(max_trials, result.trials);
  }
  EXPECT_GT(max_trials, 20U) << "nobody looks";
}

/// A lane that wants two slabs in a row loses the second one after it has claimed the first.
TEST(SlabWalkRefusal, IsNotForGoodBecauseOfARunThatWasLost) {
  const auto make = [] {
    const auto used = std::make_shared<Slabs>(2 * slab, half, 0, 0);
    const auto handle = used->heap.handle();
    return Trial{{[=] { used->heap.handle().allocate(2 * slab); },
                  [=] {
                    void* const first = handle.allocate(slab);
                    handle.allocate(slab);
                    handle.deallocate(first);
                  },
                  [=] { handle.allocate(other_class); }},
                 [=] { return used->refusal(other_class); }};
  };
  const Explored result = explore_stops(make, held_up);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.trials, 100U);
}

/// A lane that takes the only free slab hides, in the set's summary, one that becomes free meanwhile. Nobody
/// waits for it.
TEST(SlabWalkRefusal, IsNotForGoodBecauseASummaryIsLate) {
  const auto make = [] {
    const auto used = std::make_shared<Slabs>(2 * slab, slab, 1, 0);
    const auto handle = used->heap.handle();
    return Trial{{[=] { handle.allocate(slab); }, [=] { used->free_last(); }, [=] { handle.allocate(half); }},
                 [=] { return used->refusal(half); }};
  };
  const Explored result = explore_stops(make, {.max_steps = 20'000});
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.trials, 30U);
}

/// The same of slabs of a class that are empty: one of two is taken for another class while the other one's
/// last blocks are given back.
TEST(SlabWalkRefusal, IsNotForGoodBecauseTheSummaryOfEmptySlabsIsLate) {
  const auto make = [] {
    const auto used = std::make_shared<Slabs>(2 * slab, half, 4, 2);
    const auto handle = used->heap.handle();
    return Trial{{[=] { handle.allocate(other_class); },
                  [=] {
                    used->free_last();
                    used->free_last();
                  },
                  [=] { handle.allocate(third_class); }},
                 [=] { return used->refusal(third_class); }};
  };
  const Explored result = explore_stops(make, held_up);
  EXPECT_EQ(result.failure, "");
  EXPECT_GT(result.trials, 100U);
}

/// The same of the slabs with free slots: a lane takes the last free slot, while one of the same slab or of
/// another becomes free.
TEST(SlabWalkRefusal, IsNotForGoodBecauseALaneTakesTheLastSlot) {
  static constexpr std::size_t small = 1000, slots = slab / 1008;  // so many that one is not known as plenty
  for (const std::size_t freed : {std::size_t{1}, slots + 1, 2 * slots + 1, 4 * slots - 1}) {
    const auto make = [freed] {
      const auto used = std::make_shared<Slabs>(4 * slab, small, all, 0);
      const auto handle = used->heap.handle();
      handle.deallocate(used->blocks[0]);
      const auto allocate = [=] { handle.allocate(small); };
      return Trial{{allocate, [=] { handle.deallocate(used->blocks[freed]); }, allocate},
                   [=] { return used->refusal(small); }};
    };
    const Explored result = explore_stops(make, held_up);
    EXPECT_EQ(result.failure, "") << "block " << freed;
    EXPECT_GT(result.trials, 30U);
  }
}

/// A slab whose metadata promises a slot that is not there: as one that moves whenever the lane looks
/// elsewhere.
TEST(SlabWalkRefusal, WhoGivesUpWalkingGivesItsPromiseBack) {
  Slabs used(slab, half, 2, 0);
  const auto& tables = used.heap.tables();
  tables.states[0].word += 1;  // one slot is free, by this
  tables.classes[detail::slab_classes::of(half)].partial.insert(0);
  void* got = nullptr;
  const auto walk = [&] { got = used.heap.handle().allocate(half); };
  const auto let_it_be_found = [&] {
    const auto free = [&] { return detail::SlabState::free(Atomics::load(&tables.states[0].word)); };
    while (free() > 0) EmulatedPlatform::pause();
    while (free() < 1) EmulatedPlatform::pause();
    Atomics::fetch_and(tables.slab_words(0), ~2U);
  };
  RandomSchedule schedule(1);
  Fibers fibers;
  EXPECT_NO_THROW(fibers.run({walk, let_it_be_found}, schedule, 1'000'000));
  EXPECT_EQ(got, used.blocks.back());
  EXPECT_EQ(used.heap.fault(), "");
}

TEST(SlabWalkRefusal, ASlabThatChangesItsClassIsNotLookedForInTheOld) {
  Slabs used(slab, half, 1, 1);
  auto& old = used.heap.tables().classes[detail::slab_classes::of(half)];
  ASSERT_TRUE(old.partial.contains(0) && old.roomy.contains(0));
  ASSERT_NE(used.heap.handle().allocate(other_class), nullptr);
  EXPECT_FALSE(old.partial.contains(0) || old.roomy.contains(0));
}

}  // namespace
}  // namespace haloheap::allocators
