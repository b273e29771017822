// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/page_count.hpp>
#include <haloheap/core/backend/instance.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace haloheap::allocators {
namespace {

struct IsOne {
  const std::uint32_t* pages;
  KOKKOS_FUNCTION bool operator()(std::uint32_t page) const { return pages[page] == 1; }
};

/// Pages, which are used with that probability, counted by kernels and one after the other.
void expect_counted(std::uint32_t pages, double used, unsigned seed) {
  std::mt19937 random(seed);
  std::bernoulli_distribution is_used(used);
  std::vector<std::uint32_t> states(pages);
  std::size_t sum = 0, run = 0, longest = 0;
  for (auto& state : states) {
    state = is_used(random) ? 1 : 0;
    sum += state;
    run = state == 1 ? 0 : run + 1;
    longest = std::max(longest, run);
  }
  const Kokkos::DefaultExecutionSpace exec;
  const memory::Array<std::uint32_t> metadata(memory::make_memory_resource("device"), "metadata", pages);
  backend::copy_async(exec, metadata.view().data(), states.data(), pages * sizeof(std::uint32_t));
  const detail::PageCount count = detail::count_pages(exec, pages, IsOne{metadata.view().data()});
  EXPECT_EQ(count.used, sum) << pages << " pages, " << used;
  EXPECT_EQ(count.largest_free_run, longest) << pages << " pages, " << used;
}

TEST(PageCount, IsRightAcrossSegments) {
  for (const std::uint32_t pages : {1U, 63U, 64U, 65U, 129U, 5000U})
    for (const double used : {0.0, 0.004, 0.02, 0.5, 0.99, 1.0}) expect_counted(pages, used, pages);
  for (const double used : {0.004, 0.5}) expect_counted(4194304U + 65536U + 7U, used, 1);
}

}  // namespace
}  // namespace haloheap::allocators
