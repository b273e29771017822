// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/page_count.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/app.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/getpage_run.hpp>

#include <gtest/gtest.h>

#include <random>

namespace haloheap {
namespace planted {

struct IsOne {
  const std::uint32_t* pages;
  KOKKOS_FUNCTION bool operator()(std::uint32_t page) const { return pages[page] == 1; }
};

}  // namespace planted

namespace {

GetpageSettings settings_of(const std::string& text) {
  return read_getpage(deck::load_text(app_schema(), "problem = 'getpage'\n" + text, "a.toml").point(0));
}

GetpageResult run(const GetpageSettings& settings) {
  const auto memory = make_memory_resource("device");
  return run_getpage({}, settings, memory, memory, [] {});
}

TEST(Getpage, RefusesWhatCannotBe) {
  const auto cause = [](const std::string& text) {
    try {
      settings_of(text);
    } catch (const UsageError& error) {
      const std::string all = error.what();
      return all.substr(0, all.find('\n'));
    }
    return std::string();
  };
  EXPECT_EQ(cause("allocator.name = 'slab_walk'"),
            "a.toml:2:18: allocator.name: 'slab_walk' cannot run problem 'getpage': it does not hand out "
            "single pages");
  EXPECT_EQ(
      cause(
          "allocator = {name = 'random_walk', pool = 0.0009765625}\ngetpage = {threads = 2049, free = 50.0}"),
      "a.toml:3:22: getpage.threads: 2049 threads want a page each, and 2048 of 4096 pages are free");
}

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
  const Array<std::uint32_t> books(make_memory_resource("device"), "books", pages);
  backend::copy_async(exec, books.view().data(), states.data(), pages * sizeof(std::uint32_t));
  const PageCount count = count_pages(exec, pages, planted::IsOne{books.view().data()});
  EXPECT_EQ(count.used, sum) << pages << " pages, " << used;
  EXPECT_EQ(count.largest_free_run, longest) << pages << " pages, " << used;
}

TEST(Getpage, PagesAreCountedAcrossTheirSegments) {
  for (const std::uint32_t pages : {1U, 63U, 64U, 65U, 129U, 5000U})
    for (const double used : {0.0, 0.004, 0.02, 0.5, 0.99, 1.0}) expect_counted(pages, used, pages);
  for (const double used : {0.004, 0.5}) expect_counted(4194304U + 65536U + 7U, used, 1);
}

TEST(Getpage, StepsAreThoseOfTheFormulas) {
  // Of few threads: what these take away leaves the words of a bitmap less alike than the formula has it.
  for (const std::string name : {"random_walk", "random_walk_bitmap"}) {
    const auto settings = settings_of("allocator = {name = '" + name +
                                      "', pool = 0.015625}\n"
                                      "getpage = {threads = 500, free = 10.0}\nrun.repetitions = 10");
    const GetpageResult result = run(settings);
    EXPECT_EQ(result.failures, 0U);
    EXPECT_EQ(result.seconds.size(), 10U);
    EXPECT_NEAR(static_cast<double>(result.free_before), 6553.6, 400);
    double mean = 0;
    for (const double steps : result.thread) mean += steps / 10;
    EXPECT_NEAR(mean / formula_steps(settings, result.free_before).value().threads, 1, 0.05) << name;
  }
}

TEST(Getpage, FormulasAreThoseOfTheAllocator) {
  const auto steps = [](const std::string& name, const char* word = "32") {
    const auto settings =
        settings_of("allocator = {name = '" + name + "', pool = 0.0009765625, word = " + word +
                    "}\ngetpage = {threads = 64, free = 50.0}");
    return formula_steps(settings, 2048).value();
  };
  const step_formulas::Demand demand{4096, 2048, 64};
  EXPECT_EQ(steps("page_queue").threads, 32.5);
  EXPECT_EQ(steps("random_walk").threads, step_formulas::random_walk_average(demand));
  EXPECT_EQ(steps("random_walk").warps, step_formulas::random_walk_warp_bound(demand));
  EXPECT_EQ(steps("random_walk_bitmap", "64").threads, step_formulas::bitmap_average(demand, 64));
  EXPECT_EQ(steps("collaborative_random_walk").warps, step_formulas::bitmap_warp_bound(demand, 32));
  EXPECT_FALSE(formula_steps(settings_of("allocator.name = 'random_walk'\ngetpage.threads = 64"), 63));
}

}  // namespace
}  // namespace haloheap
