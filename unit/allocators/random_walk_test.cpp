// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/native/native.hpp>
#include <haloheap/allocators/page_queue/page_queue.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk_bitmap.hpp>
#include <haloheap/allocators/random_walk/rw_malloc.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/allocators/blocks.hpp>

#include <algorithm>
#include <random>
#include <vector>

namespace haloheap::allocators {
namespace {

/// A page that somebody has.
struct Page {
  void* address;
};
using Pages = Kokkos::View<Page*, Exec>;

template <class Handle>
struct TakeAndCount {
  Handle heap;
  Pages pages;
  unsigned bytes;
  KOKKOS_FUNCTION void operator()(unsigned i, unsigned long& sum) const {
    unsigned steps = 0;
    pages(i).address = heap.allocate(bytes, steps);
    sum += steps;
  }
};

template <class Handle>
struct Give {
  Handle heap;
  Pages pages;
  KOKKOS_FUNCTION void operator()(unsigned i) const {
    heap.deallocate(pages(i).address);
    pages(i).address = nullptr;
  }
};

template <class Heap>
struct Walks {
  using Handle = typename Heap::Handle;
  Exec exec;
  Heap heap;

  explicit Walks(const HeapConfig& config) : heap(exec, config) {}

  /// Of all threads together.
  unsigned long take(const Pages& pages, unsigned bytes = 1) {
    unsigned long steps = 0;
    Kokkos::parallel_reduce("haloheap::test::take",
                            Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(
                                exec, 0, static_cast<unsigned>(pages.extent(0))),
                            TakeAndCount<Handle>{heap.handle(), pages, bytes}, steps);
    return steps;
  }
  void give(const Pages& pages) {
    Kokkos::parallel_for("haloheap::test::give",
                         Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(
                             exec, 0, static_cast<unsigned>(pages.extent(0))),
                         Give<Handle>{heap.handle(), pages});
  }
  std::vector<void*> host(const Pages& pages) {
    const auto copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), pages);
    std::vector<void*> result(copy.extent(0));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = copy(i).address;
    return result;
  }
};

HeapConfig pages_of_16(std::size_t pages, unsigned word_bits = 32) {
  return {.bytes = pages * 16, .label = "tested", .page_bytes = 16, .word_bits = word_bits};
}

/// Steps of a thread, on average over several choices of the pages that are free, and over many times that
/// the threads come.
template <class Heap>
double measured_average(const step_formulas::Demand& demand, unsigned word_bits, unsigned choices,
                        unsigned times) {
  Walks<Heap> walks(pages_of_16(demand.pages, word_bits));
  std::mt19937 random(5);
  Pages all("haloheap::test::all", demand.pages), free("haloheap::test::free", demand.free),
      taken("haloheap::test::taken", demand.threads);
  unsigned long steps = 0;
  for (unsigned choice = 0; choice < choices; ++choice) {
    walks.heap.reset(walks.exec);
    walks.take(all);
    auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all);
    std::shuffle(host.data(), host.data() + host.extent(0), random);
    Kokkos::deep_copy(free, Kokkos::subview(host, std::pair<std::size_t, std::size_t>(0, demand.free)));
    walks.give(free);
    for (unsigned time = 0; time < times; ++time) {
      steps += walks.take(taken);
      for (const void* page : walks.host(taken)) EXPECT_NE(page, nullptr);
      walks.give(taken);
    }
  }
  return static_cast<double>(steps) / static_cast<double>(demand.threads * choices * times);
}

// On a device many threads come at once, so that they meet: that is the experiment of [Pham2022], not its
// formula. Few come here for each free page: formula (4) takes it that the free pages stay evenly spread, but
// every word that has some is as likely to lose one, so that those with few are empty sooner (13 % more steps
// than the formula at 10 % free when half of the free pages are taken).
TEST(RandomWalkSteps, AgreeWithTheFormulas) {
  if (!on_host) GTEST_SKIP() << "one thread after the other, on hosts";
  constexpr std::size_t pages = 1 << 15;
  // So often that a hundredth is about a standard deviation of the average.
  const struct {
    double share;
    unsigned choices, times;
  } shares[] = {{0.5, 2, 10}, {0.1, 4, 20}, {0.01, 24, 32}};
  for (const auto& [share, choices, times] : shares) {
    const auto free = static_cast<std::size_t>(share * pages);
    const step_formulas::Demand demand{pages, free, free / 16};
    const double walk = step_formulas::random_walk_average(demand);
    EXPECT_NEAR(measured_average<RandomWalk>(demand, 32, choices, times) / walk, 1, 0.05) << share;
    for (const unsigned word_bits : {32U, 64U}) {
      const double bitmap = step_formulas::bitmap_average(demand, word_bits);
      EXPECT_NEAR(measured_average<RandomWalkBitmap>(demand, word_bits, choices, times) / bitmap, 1, 0.05)
          << share << ' ' << word_bits;
    }
  }
}

template <class Heap>
class PageHeaps : public ::testing::Test {};
using PageHeapTypes = AllocatorTypes<RandomWalk, RandomWalkBitmap, CollaborativeRandomWalk, PageQueue>;
TYPED_TEST_SUITE(PageHeaps, AsTypes<PageHeapTypes>::type, Names);

// The reference code's bitmap is 8 times too long, so that a page is handed out 8 times.
TYPED_TEST(PageHeaps, EveryPageIsHandedOutOnceAndNoneBeyondTheEnd) {
  for (const std::size_t count : {1, 7, 31, 32, 33, 63, 64, 65, 1000})
    for (const unsigned word_bits : {32U, 64U}) {
      Walks<TypeParam> walks(pages_of_16(count, word_bits));
      Pages pages("haloheap::test::pages", 2 * count + 5);
      walks.take(pages);
      auto got = walks.host(pages);
      std::sort(got.begin(), got.end());
      const auto first = std::upper_bound(got.begin(), got.end(), static_cast<void*>(nullptr));
      ASSERT_EQ(got.end() - first, static_cast<std::ptrdiff_t>(count));
      EXPECT_EQ(std::adjacent_find(first, got.end()), got.end());
      EXPECT_EQ(static_cast<std::byte*>(got.back()) - static_cast<std::byte*>(*first),
                static_cast<std::ptrdiff_t>(16 * (count - 1)));
      const HeapStatistics full = walks.heap.statistics(walks.exec);
      EXPECT_EQ(full.in_use, 16 * count);
      EXPECT_EQ(full.high_water, 16 * count);
      EXPECT_EQ(full.failures, count + 5);
      EXPECT_EQ(full.largest_free_run, 0U);
      walks.give(pages);
      const HeapStatistics empty = walks.heap.statistics(walks.exec);
      EXPECT_EQ(empty.in_use, 0U);
      EXPECT_EQ(empty.high_water, 16 * count) << "as was seen";
      EXPECT_EQ(empty.largest_free_run, 16 * count);
    }
}

TYPED_TEST(PageHeaps, RefusePagesAndWordsThatCannotBe) {
  const auto expect_error = [](HeapConfig config, const std::string& text) {
    try {
      TypeParam(Exec(), config);
      FAIL() << text;
    } catch (const UsageError& error) {
      EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
    }
  };
  expect_error({.bytes = 1 << 20, .page_bytes = 100}, "power of two");
  expect_error({.bytes = 1 << 20, .page_bytes = 8}, "16 or more");
  expect_error({.bytes = 255}, "no room for a page");
  expect_error({.bytes = std::size_t{1} << 36, .page_bytes = 16}, "larger ones");
  expect_error({.bytes = 1 << 20, .word_bits = 16}, "32 or 64");
}

// RW needs 4 bytes of metadata a page; a bitmap one bit.
TEST(RandomWalkMetadata, AreAsLargeAsPromised) {
  const std::size_t pages = 1 << 16;
  EXPECT_NEAR(Walks<RandomWalk>(pages_of_16(pages)).heap.statistics(Exec()).metadata, 4.0 * pages, 2200);
  EXPECT_NEAR(Walks<RandomWalkBitmap>(pages_of_16(pages)).heap.statistics(Exec()).metadata, pages / 8.0,
              2200);
}

TEST(RwMalloc, FillsAPoolWithTheLargestBlocks) {
  const HeapConfig config{.bytes = std::size_t{32} * 256 * 100, .label = "tested"};
  Walks<RwMalloc> walks(config);
  Pages blocks("haloheap::test::blocks", 200);
  walks.take(blocks, 8192);
  EXPECT_EQ(walks.heap.statistics(walks.exec).failures, 100U);
  EXPECT_EQ(walks.heap.statistics(walks.exec).in_use, walks.heap.statistics(walks.exec).capacity);
}

TEST(RwMalloc, PromisesWhatASmallPoolCanHave) {
  EXPECT_EQ(RwMalloc::promises({.bytes = 1024}).largest, 1024U);
  EXPECT_EQ(RwMalloc::promises({.bytes = 1 << 20}).largest, 8192U);
  EXPECT_FALSE(RwMalloc::promises({.bytes = 1 << 20}).frees_alone);
}

struct TakeOneNative {
  Native::Handle heap;
  KOKKOS_FUNCTION void operator()(int, int& got) const {
    void* const block = heap.allocate(100);
    got += block != nullptr ? 1 : 0;
    heap.deallocate(block);
  }
};

TEST(Native, SaysThatItsMemoryCannotGrowAfterUse) {
  const Native heap(Exec(), {.bytes = 1 << 20});
  int got = 0;
  Kokkos::parallel_reduce("haloheap::test::native", Kokkos::RangePolicy<Exec>(0, 1),
                          TakeOneNative{heap.handle()}, got);
  EXPECT_EQ(got, 1);
  const std::size_t more = std::size_t{2} << 30;
  if (on_host) {
    EXPECT_NO_THROW(Native(Exec(), {.bytes = more}));
    return;
  }
  try {
    Native(Exec(), {.bytes = more});
    FAIL();
  } catch (const CapabilityError& error) {
    EXPECT_NE(std::string(error.what()).find("cannot be given 2147483648"), std::string::npos)
        << error.what();
  }
  EXPECT_NO_THROW(Native(Exec(), {.bytes = 1 << 20})) << "what fits still does";
}

}  // namespace
}  // namespace haloheap::allocators
