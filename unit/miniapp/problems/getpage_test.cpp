// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/app.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/getpage_run.hpp>

#include <gtest/gtest.h>

namespace haloheap {
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
