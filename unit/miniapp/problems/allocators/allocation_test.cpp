// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/allocation.hpp>
#include <haloheap/miniapp/report/spread.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <numeric>

namespace haloheap {
namespace {

std::vector<float> numbers(int n) {
  std::vector<float> data(static_cast<std::size_t>(n));
  std::iota(data.begin(), data.end(), 0.0F);
  return data;
}

float result(AllocationWork work, int n, unsigned thread = 0) {
  return Workload::of(work, n)(numbers(n).data(), thread);
}

AllocationSettings settings_of(const std::string& text) {
  return read_allocation(deck::load_text(app_schema(), "problem = 'allocation'\n" + text, "a.toml").point(0));
}

std::string refusal(const std::string& text) {
  try {
    settings_of(text);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(AllocationWork, SumsAreThoseOfTheFormulas) {
  for (const int n : {1, 2, 7, 8, 9, 25, 64, 400}) {
    const float sum = 0.5F * static_cast<float>(n * (n - 1));
    EXPECT_EQ(result(AllocationWork::linear, n), sum) << n;
    EXPECT_EQ(result(AllocationWork::strided, n), sum) << n << ": every element once";
    if (n <= 25) {
      EXPECT_EQ(result(AllocationWork::quadratic, n), sum * sum) << n;
    }
  }
  // The matrix 0 1 2 / 3 4 5 / 6 7 8 times its transpose, element by element.
  EXPECT_EQ(result(AllocationWork::transposed, 11), 0 + 3 + 12 + 3 + 16 + 35 + 12 + 35 + 64);
}

TEST(AllocationWork, GatherStaysInTheArrayAndDiffersByThread) {
  std::vector<float> ones(50, 1.0F);
  for (unsigned thread = 0; thread < 1000; ++thread)
    ASSERT_EQ(Workload::of(AllocationWork::gather, 50)(ones.data(), thread), 50.0F);
  EXPECT_NE(result(AllocationWork::gather, 400, 0), result(AllocationWork::gather, 400, 1));
  EXPECT_EQ(result(AllocationWork::gather, 400, 1), result(AllocationWork::gather, 400, 1));
}

TEST(AllocationWork, FlopsCountAdditionsAndMultiplications) {
  EXPECT_EQ(Workload::of(AllocationWork::linear, 25).flops(), 25);
  EXPECT_EQ(Workload::of(AllocationWork::quadratic, 25).flops(), 2 * 25 * 25);
  EXPECT_EQ(Workload::of(AllocationWork::strided, 25).flops(), 25);
  EXPECT_EQ(Workload::of(AllocationWork::gather, 25).flops(), 25);
  EXPECT_EQ(Workload::of(AllocationWork::transposed, 30).flops(), 2 * 5 * 5);
}

TEST(Allocation, TheDeckIsRead) {
  const AllocationSettings settings = settings_of(
      "allocation = {work = 'gather', floats = 75, blocks = 3, threads = 96}\n"
      "allocator = {name = 'block_table_over_native', pool = 0.5}\nrun = {repetitions = 20, warmup = 2}");
  EXPECT_EQ(settings.work.work, AllocationWork::gather);
  EXPECT_EQ(settings.work.n, 75);
  EXPECT_EQ(settings.bytes(), 300U);
  EXPECT_EQ(settings.total_threads(), 288U);
  EXPECT_EQ(settings.runs(), 22);
  EXPECT_TRUE(settings.allocator.team);
  EXPECT_EQ(settings.allocator.name, "block_table_over_native");
}

TEST(Allocation, RequestsThatCannotBeServedAreRefused) {
  const std::string page = refusal("allocation.floats = 65\nallocator = {name = 'random_walk', page = 256}");
  EXPECT_NE(page.find("260 bytes are more than 'random_walk' can serve at once, which is 256"),
            std::string::npos)
      << page;
  const std::string pool = refusal("allocation = {floats = 400, blocks = 100, threads = 1024}");
  EXPECT_NE(pool.find("102400 threads of 1600 bytes each do not fit into 67108864 bytes"), std::string::npos)
      << pool;
  EXPECT_EQ(refusal("allocation.floats = 64\nallocator = {name = 'random_walk', page = 256}"), "");
}

TEST(SampleStatistics, AreThoseOfATextbook) {
  const std::vector<double> samples = {4, 1, 3, 2};
  EXPECT_EQ(report::mean(samples), 2.5);
  EXPECT_NEAR(report::deviation(samples), 1.2909944487358056, 1e-15);
  EXPECT_EQ(report::deviation({7}), 0);
  EXPECT_EQ(report::percentile(samples, 0), 1);
  EXPECT_EQ(report::percentile(samples, 50), 2.5);
  EXPECT_NEAR(report::percentile(samples, 5), 1.15, 1e-15);
  EXPECT_EQ(report::percentile(samples, 100), 4);
  EXPECT_EQ(report::percentile({7}, 95), 7);
}

}  // namespace
}  // namespace haloheap
