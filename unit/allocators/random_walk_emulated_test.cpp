// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The allocators of pages on warps whose lanes take turns in any order: what the public code of [Pham2022]
// gets wrong, and the protocols in all orders.
#include <haloheap/allocators/page_queue/page_queue_handle.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk_handle.hpp>
#include <haloheap/allocators/random_walk/random_walk_bitmap_handle.hpp>
#include <haloheap/allocators/random_walk/random_walk_handle.hpp>
#include <haloheap/allocators/random_walk/rw_malloc_handle.hpp>
#include <haloheap/unit/allocators/protocol_check.hpp>

#include <algorithm>
#include <bit>
#include <numeric>
#include <random>
#include <set>

namespace haloheap::allocators {
namespace {

using namespace emulation;

/// A heap in plain memory, of pages of 16 or more bytes, whose words a test may set and look at.
template <class P, template <class> class HandleOf>
struct TinyPages {
  using Handle = HandleOf<P>;
  static constexpr bool is_queue = std::is_same_v<Handle, detail::PageQueueHandle<P>>;

  std::uint32_t count;
  unsigned shift;
  std::vector<std::uint64_t> memory, metadata, states, locks;
  std::vector<std::uint16_t> lengths;
  unsigned word_bits = 32;

  explicit TinyPages(std::uint32_t pages, std::uint32_t bytes = 16)
      : count(pages),
        shift(static_cast<unsigned>(std::countr_zero(bytes))),
        memory(std::size_t{pages} * bytes / 8 + 6),
        metadata(std::max(detail::PagePool<P>::metadata_words, detail::PageRing<P>::metadata_words)),
        states(pages + 1),
        locks(pages / 32 / 64 + 1),
        lengths(pages, 0xabcd) {
    if constexpr (is_queue) {
      states.resize(std::bit_ceil(pages));
      for (std::uint32_t i = 0; i < states.size(); ++i)
        states[i] = detail::PageRing<P>::slot(0, i < pages ? i + 1 : 0);
      metadata[detail::PageRing<P>::count] = metadata[detail::PageRing<P>::tail] = pages;
    }
  }

  std::byte* data() {
    auto* const start = reinterpret_cast<std::byte*>(memory.data());
    const std::size_t past = reinterpret_cast<std::uintptr_t>(start) % 16;
    return start + (past == 0 ? 0 : 16 - past);
  }
  detail::PagePool<P> pool() { return {data(), metadata.data(), count, shift}; }
  detail::PageBitmap<P> bitmap() { return {states.data(), count}; }
  Handle handle() {
    if constexpr (is_queue)
      return Handle({data(), metadata.data(), states.data(), count, shift,
                     static_cast<unsigned>(std::countr_zero(states.size()))});
    else if constexpr (std::is_same_v<Handle, detail::RandomWalkHandle<P>>)
      return {pool(), {reinterpret_cast<std::uint32_t*>(states.data()), count}};
    else if constexpr (std::is_same_v<Handle, detail::RandomWalkBitmapHandle<P>>)
      return {pool(), bitmap(), 32};
    else if constexpr (std::is_same_v<Handle, detail::CollaborativeRandomWalkHandle<P>>)
      return {pool(), bitmap(), locks.data(), 32};
    else
      return {pool(), bitmap(), lengths.data(), word_bits};
  }

  std::uint32_t used() const {
    if constexpr (is_queue) return count - static_cast<std::uint32_t>(metadata[detail::PageRing<P>::count]);
    int sum = 0;
    for (const std::uint64_t word : states) sum += std::popcount(word);
    return static_cast<std::uint32_t>(sum);
  }
  /// Bits of 64 pages; for heaps with bitmaps.
  void use(std::uint32_t word, std::uint64_t pages) { states[word] = pages; }
  std::uint32_t page_of(const void* block) {
    return static_cast<std::uint32_t>((static_cast<const std::byte*>(block) - data()) >> shift);
  }
};

template <template <class> class HandleOf, class P = EmulatedPlatform>
using Heap = TinyPages<P, HandleOf>;

/// Whose each byte is; fails at the first overlap.
struct Owners {
  std::map<std::uintptr_t, std::uintptr_t> blocks;  // first, behind
  void take(const void* block, std::size_t bytes) {
    const auto first = reinterpret_cast<std::uintptr_t>(block),
               behind = first + std::max<std::size_t>(bytes, 1);
    const auto next = blocks.lower_bound(first);
    if (next != blocks.end() && next->first < behind) Fibers::running().fail("blocks overlap");
    if (next != blocks.begin() && std::prev(next)->second > first) Fibers::running().fail("blocks overlap");
    blocks[first] = behind;
  }
  void give(const void* block) {
    if (block != nullptr) blocks.erase(reinterpret_cast<std::uintptr_t>(block));
  }
};

template <class H>
class EmulatedPages : public ::testing::Test {};
using PageHeaps = ::testing::Types<Heap<detail::RandomWalkHandle>, Heap<detail::RandomWalkBitmapHandle>,
                                   Heap<detail::CollaborativeRandomWalkHandle>, Heap<detail::RwMallocHandle>,
                                   Heap<detail::PageQueueHandle>>;
TYPED_TEST_SUITE(EmulatedPages, PageHeaps);

/// Lanes hold up to three blocks each and replace them in any order, in a pool that is too small for all.
template <class H>
void churn(unsigned seed, std::uint32_t pages, std::uint32_t page_bytes, std::size_t max_bytes) {
  H heap(pages, page_bytes);
  Owners owners;
  RandomSchedule schedule(seed);
  run_warps({2, 32}, schedule, [&](unsigned thread) {
    const auto handle = heap.handle();
    std::minstd_rand random(seed * 100 + thread);
    random.discard(10);
    void* held[3] = {};
    for (unsigned round = 0; round < 12; ++round) {
      void*& block = held[round < 9 ? random() % 3 : round - 9];
      owners.give(block);
      handle.deallocate(std::exchange(block, nullptr));
      if (round >= 9 || random() % 5 == 0) continue;
      const std::size_t bytes = random() % (max_bytes + 1);
      block = handle.allocate(bytes);
      if (block != nullptr) owners.take(block, bytes);
    }
  });
  EXPECT_EQ(heap.used(), 0U) << "seed " << seed;
}

TYPED_TEST(EmulatedPages, ChurnLosesNothingAndHandsNothingOutTwice) {
  for (unsigned seed = 1; seed <= 12; ++seed) churn<TypeParam>(seed, seed % 2 == 0 ? 100 : 64, 16, 16);
}

TEST(EmulatedRwMalloc, ChurnOfMixedSizesLosesNothing) {
  for (unsigned seed = 1; seed <= 12; ++seed) {
    churn<Heap<detail::RwMallocHandle>>(seed, 300, 16, 200);
    churn<Heap<detail::RwMallocHandle>>(seed, 300, 32, 60);
    churn<Heap<detail::RwMallocHandle>>(seed, 200, 64, 64);
  }
}

// The reference code loops for ever, or ends the kernel; and words that are stolen for a moment look full.
TYPED_TEST(EmulatedPages, AFullHeapServesAsManyAsItHasPages) {
  constexpr bool headers = std::is_same_v<TypeParam, Heap<detail::RwMallocHandle>>;
  for (unsigned seed = 1; seed <= 10; ++seed) {
    TypeParam heap(45, headers ? 32 : 16);
    std::vector<void*> blocks(96);
    RandomSchedule schedule(seed);
    const std::size_t bytes = headers ? 33 : 16;  // rw_malloc: 2 pages each, one has to stay free
    const unsigned capacity = headers ? 22 : 45;
    run_warps({3, 32}, schedule, [&](unsigned thread) { blocks[thread] = heap.handle().allocate(bytes); });
    EXPECT_EQ(std::ranges::count_if(blocks, [](void* p) { return p != nullptr; }), capacity) << seed;
    // Free some; as many can be had again.
    std::vector<void*> again(96);
    run_warps({3, 32}, schedule, [&](unsigned thread) {
      if (thread % 2 == 0) heap.handle().deallocate(std::exchange(blocks[thread], nullptr));
    });
    const auto left = std::ranges::count_if(blocks, [](void* p) { return p != nullptr; });
    run_warps({3, 32}, schedule, [&](unsigned thread) { again[thread] = heap.handle().allocate(bytes); });
    EXPECT_EQ(std::ranges::count_if(again, [](void* p) { return p != nullptr; }), capacity - left) << seed;
  }
}

// The reference code: groupID<<5 + bit.
TEST(EmulatedRandomWalkBitmap, APageIsWordTimes64PlusBit) {
  Heap<detail::RandomWalkBitmapHandle> heap(256);
  for (std::uint32_t word = 0; word < 4; ++word) heap.use(word, word == 3 ? ~(std::uint64_t{1} << 5) : ~0ULL);
  EXPECT_EQ(heap.page_of(heap.handle().allocate(1)), 3U * 64 + 5);
}

// The reference code finds only runs that start at bit 0, and none across words; and it breaks at n = 32.
TEST(EmulatedRwMalloc, FindsTheOnlyRunWhereverItIs) {
  for (const std::uint32_t n : {1U, 2U, 5U, 31U, 32U, 33U, 63U, 64U, 65U, 128U, 130U})
    for (const std::uint32_t first : {0U, 1U, 7U, 31U, 60U, 63U, 64U, 100U, 127U, 190U}) {
      Heap<detail::RwMallocHandle> heap(400);
      heap.word_bits = (n + first) % 2 == 0 ? 32 : 64;
      for (std::uint32_t page = 0; page < 400; ++page)
        if (page < first || page >= first + n) heap.states[page / 64] |= std::uint64_t{1} << (page % 64);
      const auto before = heap.states;
      RandomSchedule schedule(first * 1000 + n);
      run_warps({1, 32}, schedule, [&](unsigned thread) {
        if (thread != 9) return;
        EXPECT_EQ(heap.handle().allocate(n * 16 + 1), nullptr) << "a page too little";
        void* const block = heap.handle().allocate(n * 16);
        ASSERT_NE(block, nullptr) << n << ' ' << first;
        EXPECT_EQ(heap.page_of(block), first);
        EXPECT_EQ(heap.used(), 400U);
        heap.handle().deallocate(block);
      });
      EXPECT_EQ(heap.states, before);
    }
}

// The reference code does not give back what it has set when another bit of the run was lost.
TEST(EmulatedRwMalloc, ALostRunIsGivenBackAndNothingElse) {
  Heap<detail::RwMallocHandle> heap(256);
  heap.use(2, 1U << 3);
  const auto before = heap.states;
  const auto pool = heap.pool();
  const auto bitmap = heap.bitmap();
  const detail::PageRuns<EmulatedPlatform> runs(pool, bitmap);
  EXPECT_FALSE(runs.claim(60, 2 * 64 - 60 + 4));  // the last page is taken
  EXPECT_EQ(heap.states, before);
  EXPECT_TRUE(runs.claim(60, 2 * 64 - 60 + 3));
  EXPECT_FALSE(runs.claim(0, 61));
  EXPECT_EQ(heap.used(), 2U * 64 - 60 + 3 + 1);
}

TEST(EmulatedRwMalloc, BlocksOfAWarpShareARunAndDieAlone) {
  for (unsigned seed = 1; seed <= 20; ++seed) {
    Heap<detail::RwMallocHandle> heap(64, 256);
    std::vector<unsigned char*> blocks(32);
    std::vector<std::size_t> bytes(32);
    RandomSchedule schedule(seed);
    // Mixed sizes: the reference code looks at the leader's only.
    run_warps({1, 32}, schedule, [&](unsigned thread) {
      bytes[thread] = (thread * 37 + seed) % 100;
      blocks[thread] = static_cast<unsigned char*>(heap.handle().allocate(bytes[thread]));
      ASSERT_NE(blocks[thread], nullptr);
      EXPECT_EQ(reinterpret_cast<std::uintptr_t>(blocks[thread]) % 16, 0U);
      std::fill_n(blocks[thread], bytes[thread], static_cast<unsigned char>(thread));
    });
    EXPECT_LE(heap.used(), 32U);
    // The reference code frees all of the run with the leader's block, and nothing with the others'.
    std::vector<unsigned> order(32);
    std::iota(order.begin(), order.end(), 0U);
    std::shuffle(order.begin(), order.end(), std::minstd_rand(seed));
    for (const unsigned thread : order) {
      EXPECT_GT(heap.used(), 0U);
      for (std::size_t b = 0; b < bytes[thread]; ++b) EXPECT_EQ(blocks[thread][b], thread);
      heap.handle().deallocate(blocks[thread]);
    }
    EXPECT_EQ(heap.used(), 0U);
  }
}

TEST(EmulatedRwMalloc, AWarpThatMeetsSharesOneRun) {
  bool shared = false;
  for (unsigned seed = 1; seed <= 20 && !shared; ++seed) {
    Heap<detail::RwMallocHandle> heap(64, 256);
    RandomSchedule schedule(seed);
    run_warps({1, 32}, schedule, [&](unsigned) { heap.handle().allocate(12); });
    shared = heap.used() <= 4;  // 33 units of 16 bytes are 3 pages; the lanes may come in several groups
  }
  EXPECT_TRUE(shared);
}

// Shared blocks may begin where pages begin, whose lengths may be anything from before.
TEST(EmulatedRwMalloc, SharedBlocksAtPagesAreNoRuns) {
  bool at_page = false;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    Heap<detail::RwMallocHandle> heap(64, 64);
    std::vector<void*> blocks(32);
    RandomSchedule schedule(seed);
    run_warps({1, 32}, schedule, [&](unsigned thread) { blocks[thread] = heap.handle().allocate(12); });
    for (const void* block : blocks)
      at_page = at_page || (static_cast<const std::byte*>(block) - heap.data()) % 64 == 0;
    for (void* block : blocks) heap.handle().deallocate(block);
    EXPECT_EQ(heap.used(), 0U) << "seed " << seed;
  }
  EXPECT_TRUE(at_page);
}

TEST(EmulatedRwMalloc, TheLargestBlockIs32PagesOf256) {
  Heap<detail::RwMallocHandle> heap(33, 256);
  RandomSchedule schedule(1);
  run_warps({1, 1}, schedule, [&](unsigned) { EXPECT_NE(heap.handle().allocate(8192), nullptr); });
  EXPECT_EQ(heap.used(), 32U);
}

TEST(EmulatedRwMalloc, AStepSeesAWordOfAsManyPagesAsItIsTold) {
  unsigned steps[2] = {};
  for (unsigned seed = 0; seed < 400; ++seed)
    for (const unsigned word_bits : {32U, 64U}) {
      Heap<detail::RwMallocHandle> heap(64 * 40);  // one of them free
      for (std::uint32_t word = 0; word < 40; ++word) heap.use(word, ~std::uint64_t{0});
      heap.use(17, ~(std::uint64_t{1} << 40));
      heap.word_bits = word_bits;
      RandomSchedule schedule(seed);
      run_warps({1, 1}, schedule,
                [&](unsigned) { EXPECT_NE(heap.handle().allocate(16, steps[word_bits / 64]), nullptr); });
    }
  EXPECT_NEAR(steps[0] / 400.0, 80, 16) << "one word of 80";
  EXPECT_NEAR(steps[1] / 400.0, 40, 8) << "one word of 40";
}

// --- The worked examples of [Pham2022]

/// Figure 5: of six threads, 1, 2 and 4 find six pages, and all get one.
TEST(WorkedExamples, PagesOfFigure5) {
  Heap<detail::CollaborativeRandomWalkHandle> heap(6 * 64);
  std::fill_n(heap.states.begin(), 6, ~std::uint64_t{0});
  const std::uint32_t p1 = 64, p2 = 65, p3 = 66, p4 = 128, p5 = 129, p6 = 256;
  heap.use(1, ~std::uint64_t{7});
  heap.use(2, ~std::uint64_t{3});
  heap.use(4, ~std::uint64_t{1});
  std::vector<std::uint32_t> pages(6);
  RandomSchedule schedule(1);
  run_warps({1, 6}, schedule, [&](unsigned thread) {
    const auto lanes = EmulatedPlatform::Lanes::whole_warp();
    const auto pool = heap.pool();
    const auto bitmap = heap.bitmap();
    std::uint32_t page = pool.none;
    detail::PageSharing<EmulatedPlatform, detail::PageBitmap<EmulatedPlatform>>(lanes, pool, bitmap)
        .share(thread, bitmap.free(thread), page);
    pages[thread] = page;
  });
  EXPECT_EQ(pages, (std::vector<std::uint32_t>{p1, p4, p6, p2, p5, p3}));
  EXPECT_EQ(heap.used(), 6U * 64);
}

/// As Figure 6: four threads read four words of 32 pages in a row, and each gets the free segment that fits.
/// One of them runs across two words. (The figure's numbers are in a drawing; these are others.)
TEST(WorkedExamples, SegmentsAsInFigure6) {
  const std::vector<std::uint32_t> wanted = {5, 4, 3, 1}, expected = {70, 30, 4, 100};
  for (unsigned seed = 0; seed < 20; ++seed) {
    Heap<detail::RwMallocHandle> heap(128);
    std::fill(heap.states.begin(), heap.states.end(), ~std::uint64_t{0});
    for (unsigned i = 0; i < 4; ++i)
      for (std::uint32_t page = expected[i]; page < expected[i] + wanted[i]; ++page)
        heap.states[page / 64] &= ~(std::uint64_t{1} << (page % 64));
    std::vector<std::uint32_t> pages(4);
    RandomSchedule schedule(seed);
    run_warps({1, 4}, schedule, [&](unsigned thread) {
      const auto lanes = EmulatedPlatform::Lanes::whole_warp();
      const auto pool = heap.pool();
      const auto bitmap = heap.bitmap();
      lanes::LaneRandom random(seed, thread);
      unsigned steps = 0;
      pages[thread] =
          detail::RunSharing<EmulatedPlatform>(lanes, pool, bitmap, 32).find(wanted[thread], random, steps);
    });
    EXPECT_EQ(pages, expected);
  }
}

TEST(EmulatedRwMalloc, SmallOnesGoOnAloneWhenThereIsNoRun) {
  Heap<detail::RwMallocHandle> heap(64, 256);
  heap.use(0, 0x5555555555555555);  // 32 free pages, no two in a row
  std::vector<void*> blocks(32);
  RandomSchedule schedule(3);
  run_warps({1, 32}, schedule, [&](unsigned thread) { blocks[thread] = heap.handle().allocate(200); });
  EXPECT_EQ(std::ranges::count(blocks, nullptr), 0);
  EXPECT_EQ(std::set(blocks.begin(), blocks.end()).size(), 32U);
}

// What a page queue or a bitmap is asked for must not depend on what other lanes ask for.
TYPED_TEST(EmulatedPages, OversizeOfOneLaneIsItsOwn) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    TypeParam heap(1100, 16);
    std::vector<void*> blocks(32);
    RandomSchedule schedule(seed);
    run_warps({1, 32}, schedule, [&](unsigned thread) {
      const std::size_t sizes[] = {8193, ~std::size_t{0}, 12, 0};
      blocks[thread] = heap.handle().allocate(sizes[thread % 4]);
    });
    for (unsigned thread = 0; thread < 32; ++thread) EXPECT_EQ(blocks[thread] != nullptr, thread % 4 >= 2);
  }
}

// Everybody's locks are held, by lanes that never go on: pages are found all the same.
TEST(EmulatedCollaborativeRandomWalk, AHeldLockHidesNoPage) {
  Heap<detail::CollaborativeRandomWalkHandle> heap(96);
  std::ranges::fill(heap.locks, ~std::uint64_t{0});
  std::vector<void*> blocks(96);
  RandomSchedule schedule(4);
  run_warps({3, 32}, schedule, [&](unsigned thread) { blocks[thread] = heap.handle().allocate(16); });
  EXPECT_EQ(std::ranges::count(blocks, nullptr), 0);
  EXPECT_EQ(heap.used(), 96U);
}

TEST(EmulatedCollaborativeRandomWalk, ReleasesItsLocksAndTakesEqualStepsInAGroup) {
  Heap<detail::CollaborativeRandomWalkHandle> heap(4096);
  RandomSchedule schedule(5);
  unsigned minimum = ~0U;
  run_warps({2, 32}, schedule, [&](unsigned) {
    unsigned steps = 0;
    EXPECT_NE(heap.handle().allocate(1, steps), nullptr);
    minimum = std::min(minimum, steps);
  });
  EXPECT_GE(minimum, 1U);
  for (const std::uint64_t word : heap.locks) EXPECT_EQ(word, 0U);
}

// --- In all orders: a page for each of those who come, while another one comes back

template <template <class> class HandleOf>
struct Races {
  /// Three pages, one of them in use: two lanes take one each, the third gives its page back.
  template <class P>
  static Trial take_and_give() {
    const auto heap = std::make_shared<TinyPages<P, HandleOf>>(3, 16);
    const std::size_t bytes = std::is_same_v<HandleOf<P>, detail::RwMallocHandle<P>> ? 12 : 16;
    void* const first = heap->handle().allocate(bytes);
    const auto got = std::make_shared<std::vector<void*>>(2);
    return {{[=] { (*got)[0] = heap->handle().allocate(bytes); }, [=] { heap->handle().deallocate(first); },
             [=] { (*got)[1] = heap->handle().allocate(bytes); }},
            [=]() -> std::string {
              if ((*got)[0] == nullptr || (*got)[1] == nullptr) return "a free page was not found";
              const bool right = (*got)[0] != (*got)[1] && heap->used() == 2;
              return right ? "" : "pages are lost, or have two owners";
            }};
  }
};

TEST(PageProtocols, RandomWalk) {
  using Race = Races<detail::RandomWalkHandle>;
  expect_right(Race::take_and_give<EmulatedPlatform>);
  expect_caught("have two owners", Race::take_and_give<WithAtomics<TornExchange>>);
}

TEST(PageProtocols, RandomWalkBitmap) {
  using Race = Races<detail::RandomWalkBitmapHandle>;
  expect_right(Race::take_and_give<EmulatedPlatform>);
  expect_caught("have two owners", Race::take_and_give<WithAtomics<TornOr>>);
  expect_caught("pages are lost", Race::take_and_give<WithAtomics<TornAnd>>);
}

TEST(PageProtocols, CollaborativeRandomWalk) {
  using Race = Races<detail::CollaborativeRandomWalkHandle>;
  expect_right(Race::take_and_give<EmulatedPlatform>);
  expect_caught("have two owners", Race::take_and_give<WithAtomics<TornOr>>);
  expect_caught("pages are lost", Race::take_and_give<WithAtomics<TornAnd>>);
}

/// Two lanes walk over words whose locks share a word of the LockMap, and find pages in the last of them.
template <class P>
Trial walk_under_locks() {
  const auto heap = std::make_shared<TinyPages<P, detail::CollaborativeRandomWalkHandle>>(128, 16);
  heap->use(0, ~std::uint64_t{0});
  heap->use(1, ~std::uint64_t{0} << 2);
  const auto walk = [=] { heap->handle().allocate(16); };
  return {{walk, walk}, [=]() -> std::string {
            if (heap->used() != 128) return "a free page was not found";
            return heap->locks[0] == 0 ? "" : "a lock is held for ever";
          }};
}

TEST(PageProtocols, TheLockMapIsUnlocked) {
  expect_right(walk_under_locks<EmulatedPlatform>);
  expect_caught("a lock is held for ever", walk_under_locks<WithAtomics<TornAnd>>);
}

TEST(PageProtocols, RwMalloc) {
  using Race = Races<detail::RwMallocHandle>;
  expect_right(Race::take_and_give<EmulatedPlatform>);
  expect_caught("have two owners", Race::take_and_give<WithAtomics<TornOr>>);
}

/// Runs of pages that overlap, and cross from one word to the next; another lane gives one back.
template <class P>
Trial overlapping_runs() {
  const auto heap = std::make_shared<TinyPages<P, detail::RwMallocHandle>>(128, 16);
  const auto held = std::make_shared<std::uint32_t>(0);
  const auto with_runs = [=](const auto& use) {
    const auto pool = heap->pool();
    const auto bitmap = heap->bitmap();
    use(detail::PageRuns<P>(pool, bitmap));
  };
  with_runs([](const detail::PageRuns<P>& runs) { runs.claim(70, 3); });
  const auto claim = [=](std::uint32_t first, std::uint32_t pages) {
    with_runs([&](const detail::PageRuns<P>& runs) {
      if (runs.claim(first, pages)) *held += pages;
    });
  };
  return {{[=] { claim(62, 5); }, [=] { claim(65, 7); },
           [=] { with_runs([](const detail::PageRuns<P>& runs) { runs.release(70, 3); }); }},
          [=]() -> std::string { return heap->used() == *held ? "" : "pages are lost, or have two owners"; }};
}

TEST(PageProtocols, RunsAcrossWordsHaveOneOwner) {
  expect_right(overlapping_runs<EmulatedPlatform>);
  expect_caught("pages are lost", overlapping_runs<WithAtomics<TornOr>>);
  expect_caught("pages are lost", overlapping_runs<WithAtomics<TornAnd>>);
}

/// Two give back, and a third takes while the page of its ticket is still on its way. Then the pages that are
/// free must be there, each behind a few tickets and not behind all of the ring.
template <class P, std::uint32_t pages>
Trial take_between() {
  const auto heap = std::make_shared<TinyPages<P, detail::PageQueueHandle>>(pages, 16);
  for (std::uint32_t other = 2; other < pages; ++other) heap->handle().allocate(1);
  void *const one = heap->handle().allocate(1), *const two = heap->handle().allocate(1);
  const auto got = std::make_shared<void*>(nullptr);
  return {{[=] { heap->handle().deallocate(one); }, [=] { heap->handle().deallocate(two); },
           [=] { *got = heap->handle().allocate(1); }},
          [=] {
            std::set<void*> all{*got};
            std::uint32_t tickets = 0;
            for (int i = *got == nullptr ? 0 : 1; i < 2; ++i) all.insert(heap->handle().allocate(1, tickets));
            all.erase(nullptr);
            if (all.size() != 2) return "pages are lost";
            return tickets < 10 ? "" : "a page is behind many tickets";
          }};
}

/// A lane takes, sees that it took too much and is about to give that back: the one page looks taken.
template <class P>
Trial take_while_others_took_too_much() {
  const auto heap = std::make_shared<TinyPages<P, detail::PageQueueHandle>>(1, 16);
  const auto got = std::make_shared<void*>(nullptr);
  std::uint64_t* const count = &heap->metadata[detail::PageRing<P>::count];
  *count = 0;
  return {
      {[=] { P::Atomics::fetch_add(count, std::uint64_t{1}); }, [=] { *got = heap->handle().allocate(1); }},
      [=] { return *got != nullptr ? "" : "a request is refused because others were"; }};
}

TEST(PageProtocols, PageQueueRefusesNobodyWhereOthersTookTooMuch) {
  // As often as a request looks again, less one.
  const Explored result = explore(take_while_others_took_too_much<EmulatedPlatform>, {.preemptions = 2});
  EXPECT_EQ(result.failure, "");
  EXPECT_TRUE(result.complete);
  EXPECT_GT(result.trials, 3U);
}

TEST(PageProtocols, PageQueue) {
  expect_right(Races<detail::PageQueueHandle>::take_and_give<EmulatedPlatform>);
  expect_right(take_between<EmulatedPlatform, 2>, {.preemptions = 3});
  expect_right(take_between<EmulatedPlatform, 32>, {.preemptions = 3});
  expect_caught("pages are lost", take_between<WithAtomics<TornCompare>, 2>, {.preemptions = 3});
}

/// The last two blocks of a run are freed at once: the run must be freed, once.
template <class P>
Trial last_blocks() {
  const auto heap = std::make_shared<TinyPages<P, detail::RwMallocHandle>>(2, 64);
  const auto blocks = std::make_shared<std::vector<std::byte*>>();
  heap->use(0, 1);
  std::byte* const run = heap->data();
  *reinterpret_cast<std::uint32_t*>(run) = 1 | 2U << 16;  // a page, two blocks
  for (std::uint32_t unit : {1U, 2U}) {
    *reinterpret_cast<std::uint32_t*>(run + unit * 16 - 4) = unit;
    blocks->push_back(run + unit * 16);
  }
  return {
      {[=] { heap->handle().deallocate(blocks->at(0)); }, [=] { heap->handle().deallocate(blocks->at(1)); }},
      [=] { return heap->used() == 0 ? "" : "the run was not freed"; }};
}

TEST(PageProtocols, TheLastBlockFreesTheRun) {
  const Explored result = explore(last_blocks<EmulatedPlatform>);
  EXPECT_TRUE(result.failure.empty()) << result.failure;
  EXPECT_TRUE(result.complete);
  expect_caught("the run was not freed", last_blocks<WithAtomics<TornAdd>>);
}

/// Nobody sees "full" once all have returned and a page is free.
template <class P>
Trial give_while_others_look() {
  const auto heap = std::make_shared<TinyPages<P, detail::RandomWalkBitmapHandle>>(2, 16);
  void* const one = heap->handle().allocate(1);
  heap->handle().allocate(1);
  const auto look = [=] { heap->handle().deallocate(heap->handle().allocate(1)); };
  return {{look, [=] { heap->handle().deallocate(one); }, look},
          [=] { return heap->pool().sign().is_set(1) ? "a page is free and the heap says full" : ""; }};
}

/// Who gives back does not look at the sign: clears bits and is done.
struct NoLookAtSign : Atomics {
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    const T old = Atomics::fetch_and(to, bits);
    blind() = true;
    return old;
  }
  template <class T>
  static T load(const T* from) {
    const T value = Atomics::load(from);
    return std::exchange(blind(), false) ? 0 : value;
  }

 private:
  static bool& blind() {
    static std::map<unsigned, bool> lanes;
    static bool nobody;
    return Fibers::any() ? lanes[Fibers::running().self()] : nobody = false;
  }
};

TEST(PageProtocols, TheFullSignStandsWhileNothingIsGivenBack) {
  Heap<detail::RandomWalkBitmapHandle> heap(2);
  void* const one = heap.handle().allocate(1);
  EXPECT_NE(heap.handle().allocate(1), nullptr);
  EXPECT_FALSE(heap.pool().sign().is_set(1));
  EXPECT_EQ(heap.handle().allocate(1), nullptr);
  EXPECT_TRUE(heap.pool().sign().is_set(1));
  heap.handle().deallocate(one);
  EXPECT_FALSE(heap.pool().sign().is_set(1));
}

TEST(PageProtocols, TheFullSignCountsThoseWhoLookAndNobodyElse) {
  std::uint64_t word = 0;
  const detail::FullSign<EmulatedPlatform> sign(&word);
  sign.end(sign.begin(), 0);
  EXPECT_EQ(word, 0U) << "who has found pages is still counted";
  const auto before = sign.begin();
  sign.given_back();
  EXPECT_FALSE(sign.end(before, 1));
  const std::uint64_t after = word;
  sign.given_back();
  EXPECT_EQ(word, after) << "nobody looks and nothing is said, and yet who gives back changes the word";
}

TEST(PageProtocols, TheFullSignKeepsTheSmallestNumber) {
  std::uint64_t word = 0;
  const detail::FullSign<EmulatedPlatform> sign(&word);
  const auto first = sign.begin(), second = sign.begin(), third = sign.begin();
  EXPECT_TRUE(sign.end(first, 3));
  EXPECT_TRUE(sign.end(second, 2));
  EXPECT_TRUE(sign.end(third, 4));
  EXPECT_TRUE(sign.is_set(2));
  EXPECT_FALSE(sign.is_set(1));
}

TEST(PageProtocols, TheFullSignIsTakenDown) {
  expect_right(give_while_others_look<EmulatedPlatform>);
  expect_caught("the heap says full", give_while_others_look<WithAtomics<NoLookAtSign>>);
}

/// A lane claims pages 62 to 66, of which 65 is another's, while another lane wants any page: 62 and 63 are
/// free.
template <class P>
Trial lose_a_run_while_others_look() {
  const auto heap = std::make_shared<TinyPages<P, detail::RwMallocHandle>>(67, 16);
  heap->use(0, ~std::uint64_t{0} >> 2);
  heap->use(1, 7);
  return {{[=] {
             const auto pool = heap->pool();
             const auto bitmap = heap->bitmap();
             detail::PageRuns<P>(pool, bitmap).claim(62, 5);
           },
           [=] { heap->handle().allocate(12); }},
          [=] {
            const bool free = heap->used() < 67;
            return free && heap->pool().sign().is_set(1) ? "a page is free and the heap says full" : "";
          }};
}

TEST(PageProtocols, ALostRunIsAnnounced) {
  expect_right(lose_a_run_while_others_look<EmulatedPlatform>);
  const Explored result = explore_stops(lose_a_run_while_others_look<EmulatedPlatform>);
  EXPECT_EQ(result.failure, "");
}

/// The queue after so many requests that its rounds are about to start anew at 0.
template <class P>
std::shared_ptr<TinyPages<P, detail::PageQueueHandle>> queue_before_the_wrap(unsigned tickets_before) {
  using Ring = detail::PageRing<P>;
  const auto heap = std::make_shared<TinyPages<P, detail::PageQueueHandle>>(2, 16);
  const std::uint64_t first = (std::uint64_t{1} << 33) - tickets_before;
  heap->metadata[Ring::head] = first;
  heap->metadata[Ring::tail] = first + 2;
  for (std::uint32_t i = 0; i < 2; ++i)
    heap->states[(first + i) % 2] = Ring::slot(static_cast<std::uint32_t>((first + i) >> 1), i + 1);
  return heap;
}

TEST(PageProtocols, PageQueueGoesOnWhenItsRoundsStartAnew) {
  const auto heap = queue_before_the_wrap<EmulatedPlatform>(6);
  for (int request = 0; request < 20; ++request) {
    unsigned tickets = 0;
    void* const one = heap->handle().allocate(16, tickets);
    void* const two = heap->handle().allocate(16, tickets);
    EXPECT_TRUE(one != nullptr && two != nullptr && one != two) << request;
    EXPECT_EQ(tickets, 2U);
    EXPECT_EQ(heap->handle().allocate(16), nullptr);
    heap->handle().deallocate(one);
    heap->handle().deallocate(two);
  }
}

/// take_between(), where those who are late have tickets of the last round.
template <class P, unsigned tickets_before>
Trial take_between_at_the_wrap() {
  const auto heap = queue_before_the_wrap<P>(tickets_before);
  void *const one = heap->handle().allocate(1), *const two = heap->handle().allocate(1);
  const auto got = std::make_shared<void*>(nullptr);
  return {{[=] { heap->handle().deallocate(one); }, [=] { heap->handle().deallocate(two); },
           [=] { *got = heap->handle().allocate(1); }},
          [=] {
            std::set<void*> all{*got};
            std::uint32_t tickets = 0;
            for (int i = *got == nullptr ? 0 : 1; i < 2; ++i) all.insert(heap->handle().allocate(1, tickets));
            all.erase(nullptr);
            return all.size() == 2 && tickets < 10 ? "" : "pages are lost";
          }};
}

TEST(PageProtocols, PageQueueLosesNoPageWhenItsRoundsStartAnew) {
  expect_right(take_between_at_the_wrap<EmulatedPlatform, 2>, {.preemptions = 3});
  expect_right(take_between_at_the_wrap<EmulatedPlatform, 4>, {.preemptions = 3});
  expect_right(take_between_at_the_wrap<EmulatedPlatform, 5>, {.preemptions = 3});
}

}  // namespace
}  // namespace haloheap::allocators
