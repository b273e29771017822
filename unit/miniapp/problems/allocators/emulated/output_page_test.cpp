// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lists of output pages that the lanes of a warp share, on warps whose lanes take turns in any order.
#include <haloheap/miniapp/problems/allocators/output_page.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/lanes/schedule.hpp>

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace haloheap {
namespace {

using emulation::EmulatedPlatform;

/// Pages of a pool; which of them are given back is forgotten.
struct Pages {
  std::size_t bytes;
  int count;
  std::vector<std::unique_ptr<std::byte[]>> pool = {};
  int out = 0;
};
struct PagesHandle {
  Pages* pages;
  void* allocate(std::size_t /*bytes*/) const {
    if (static_cast<int>(pages->pool.size()) >= pages->count) return nullptr;
    pages->pool.push_back(std::make_unique<std::byte[]>(pages->bytes));
    ++pages->out;
    return pages->pool.back().get();
  }
  void deallocate(void* /*page*/) const { --pages->out; }
};

constexpr unsigned warps = 2, lanes = 32, rows_each = 3;

struct Outcome {
  std::set<std::uint32_t> kept, found;
  int pages_listed = 0, pages_out = 0;
};

/// Each lane appends `rows_each` rows of its own, some lanes one less; a list for each warp.
Outcome append_all(std::uint64_t seed, std::uint32_t capacity, int pages) {
  Pages pool{sizeof(OutputPage) + capacity * sizeof(JoinRow), pages};
  const PagesHandle heap{&pool};
  std::vector<PageList> lists(warps, PageList{0});
  Outcome outcome;
  emulation::RandomSchedule schedule(seed);
  emulation::run_warps({warps, lanes}, schedule, [&](unsigned thread) {
    WarpList<PagesHandle, EmulatedPlatform> list(heap, {pool.bytes, capacity}, &lists[thread / lanes]);
    for (unsigned i = thread % 5 == 0 ? 1 : 0; i < rows_each; ++i) {
      const std::uint32_t key = thread * rows_each + i;
      if (list.append({key, 1, 2})) outcome.kept.insert(key);
    }
    list.finish();
  });
  for (const PageList& list : lists)
    for (OutputPage* page = list.page(); page != nullptr; page = page->next) {
      ++outcome.pages_listed;
      for (std::uint32_t i = 0; i < std::min(page->rows, capacity); ++i)
        EXPECT_TRUE(outcome.found.insert(page->row(i)->key).second) << "a row twice";
    }
  outcome.pages_out = pool.out;
  return outcome;
}

TEST(EmulatedWarpList, KeepsEveryRowOnce) {
  for (std::uint64_t seed = 0; seed < 60; ++seed)
    for (const std::uint32_t capacity : {1U, 5U, 20U, 300U}) {
      const Outcome outcome = append_all(seed, capacity, 1 << 20);
      ASSERT_EQ(outcome.kept.size(), warps * lanes * rows_each - 13) << "13 of 64 lanes append one less";
      ASSERT_EQ(outcome.found, outcome.kept) << "seed " << seed << ", pages of " << capacity;
      ASSERT_EQ(outcome.pages_out, outcome.pages_listed) << "pages that lost the race go back";
    }
}

TEST(EmulatedWarpList, SaysWhichRowsAFullHeapDidNotTake) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    const Outcome outcome = append_all(seed, 7, 4);
    ASSERT_EQ(outcome.found, outcome.kept) << "seed " << seed;
    ASSERT_LE(outcome.kept.size(), 28U);
  }
}

}  // namespace
}  // namespace haloheap
