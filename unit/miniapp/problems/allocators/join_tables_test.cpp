// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/hash_join.hpp>
#include <haloheap/miniapp/problems/allocators/output_page.hpp>
#include <haloheap/miniapp/problems/allocators/partitioned_table.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace haloheap {
namespace {

std::vector<JoinRow> nested_loops(const std::vector<Tuple>& build, const std::vector<Tuple>& probe) {
  std::vector<JoinRow> rows;
  for (const Tuple& b : build)
    for (const Tuple& p : probe)
      if (b.key == p.key) rows.push_back({b.key, b.value, p.value});
  return rows;
}

TEST(JoinTables, HostJoinIsThatOfNestedLoops) {
  for (const std::uint32_t tuples : {1U, 2U, 63U, 500U})
    for (const std::uint32_t copies : {1U, 3U, 1000U}) {
      const JoinTables tables = {.tuples = tuples, .match = 0.6, .skew = 0.4, .copies = copies, .seed = 5};
      const auto build = tables.build(), probe = tables.probe();
      auto expected = nested_loops(build, probe);
      HostJoin join = host_join(build, probe, 1'000'000);
      std::sort(expected.begin(), expected.end());
      std::sort(join.rows.begin(), join.rows.end());
      EXPECT_EQ(join.rows, expected) << tuples << " tuples, " << copies << " copies";
      EXPECT_EQ(join.sum.rows, expected.size());
    }
}

TEST(JoinTables, MoreRowsThanWantedAreCountedButNotKept) {
  const JoinTables tables = {.tuples = 100};
  const HostJoin join = host_join(tables.build(), tables.probe(), 99);
  EXPECT_EQ(join.sum.rows, 100U);
  EXPECT_TRUE(join.rows.empty());
  EXPECT_EQ(host_join(tables.build(), tables.probe(), 100).sum, join.sum);
}

TEST(JoinTables, MatchAndCopiesSayHowManyRowsThereAre) {
  const auto rows = [](const JoinTables& tables) {
    return host_join(tables.build(), tables.probe(), 0).sum.rows;
  };
  EXPECT_EQ(rows({.tuples = 10'000}), 10'000U);
  EXPECT_EQ(rows({.tuples = 10'000, .match = 0}), 0U);
  EXPECT_NEAR(static_cast<double>(rows({.tuples = 10'000, .match = 0.25})), 2500, 250);
  EXPECT_EQ(rows({.tuples = 10'000, .copies = 4}), 40'000U);
}

TEST(JoinTables, SkewMakesTheFirstKeysFrequent) {
  const auto most_frequent = [](double skew) {
    std::map<std::uint32_t, int> counts;
    for (const Tuple& tuple : JoinTables{.tuples = 20'000, .skew = skew}.probe()) ++counts[tuple.key];
    int maximum = 0;
    for (const auto& [key, count] : counts) maximum = std::max(maximum, count);
    return maximum;
  };
  EXPECT_LT(most_frequent(0), 15);
  EXPECT_GT(most_frequent(0.8), 1000);
}

TEST(JoinTables, DigestsSeeEveryPartOfARow) {
  const JoinRow row = {1, 2, 3};
  EXPECT_NE(row.digest(), (JoinRow{2, 2, 3}.digest()));
  EXPECT_NE(row.digest(), (JoinRow{1, 3, 3}.digest()));
  EXPECT_NE(row.digest(), (JoinRow{1, 2, 2}.digest()));
  EXPECT_NE(row.digest(), (JoinRow{1, 3, 2}.digest())) << "the two sides swapped";
}

TEST(JoinHash, BucketsOfAPartitionAreTogether) {
  for (const std::uint32_t tuples : {1U, 1023U, 1024U, 5000U, 10'000'000U}) {
    const JoinHash hash = JoinHash::of(tuples);
    EXPECT_GT(std::uint64_t{hash.partitions()} << JoinHash::bucket_bits, tuples) << tuples;
    for (std::uint32_t key = 0; key < 1000; ++key) {
      ASSERT_LT(hash.partition(key), hash.partitions());
      ASSERT_EQ(hash.bucket(key) >> JoinHash::bucket_bits, hash.partition(key));
    }
  }
}

/// Counts, and fails from some page on.
struct CountingHeap {
  int* left;
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    return (*left)-- > 0 ? ::operator new(bytes, std::align_val_t(16)) : nullptr;
  }
  KOKKOS_FUNCTION void deallocate(void* page) const { ::operator delete(page, std::align_val_t(16)); }
};

template <class List>
void append_until_full(int pages, std::uint32_t capacity, bool closed) {
  int left = pages;
  const CountingHeap heap{&left};
  PageList list{0};
  List rows(heap, {sizeof(OutputPage) + capacity * sizeof(JoinRow), capacity}, &list);
  std::uint32_t kept = 0;
  while (rows.append({kept, 7, 9})) ++kept;
  EXPECT_EQ(kept, static_cast<std::uint32_t>(pages) * capacity) << "every page is filled";
  rows.finish();
  std::set<std::uint32_t> found;
  for (OutputPage* page = list.page(); page != nullptr;) {
    EXPECT_GE(page->rows, capacity);
    if (closed) {
      EXPECT_EQ(page->rows, capacity);
    }
    for (std::uint32_t i = 0; i < capacity; ++i) found.insert(page->row(i)->key);
    OutputPage* const next = page->next;
    heap.deallocate(page);
    page = next;
  }
  EXPECT_EQ(found.size(), kept);
}

TEST(OutputPage, ListsFillEveryPageAndSayWhenTheHeapIsFull) {
  for (const int pages : {0, 1, 3})
    for (const std::uint32_t capacity : {1U, 2U, 20U}) {
      append_until_full<ThreadList<CountingHeap>>(pages, capacity, true);
      append_until_full<WarpList<CountingHeap>>(pages, capacity, false);
    }
}

TEST(HashJoin, PagesThatCannotBeAreRefused) {
  const auto refusal = [](const std::string& text) -> std::string {
    try {
      read_hash_join(deck::load_text(app_schema(), "problem = 'hash_join'\n" + text, "a.toml").point(0));
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(refusal("allocator.page = 16").find("an output page of 16 bytes has no room for a row"),
            std::string::npos);
  EXPECT_NE(refusal("allocator.name = 'block_header'").find("'block_header' cannot run problem 'hash_join'"),
            std::string::npos);
  EXPECT_EQ(refusal("allocator.page = 32"), "");
}

}  // namespace
}  // namespace haloheap
