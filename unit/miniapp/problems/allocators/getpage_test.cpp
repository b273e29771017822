// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/registry.hpp>
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_run.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace haloheap {
namespace {

GetpageSettings settings_of(const std::string& text) {
  return read_getpage(deck::load_text(app_schema(), "problem = 'getpage'\n" + text, "a.toml").point(0));
}

GetpageResult run(const GetpageSettings& settings) {
  const auto memory = memory::make_memory_resource("device");
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
  using allocators::step_formulas::Search;
  for (const std::string& name : page_allocators()) {
    const auto settings = settings_of("allocator = {name = '" + name +
                                      "', pool = 0.015625}\n"
                                      "getpage = {threads = 500, free = 10.0}\nrun.repetitions = 10");
    // Steps of the others depend on who comes at the same time.
    const Search search = settings.allocator.search.value();
    if (search != Search::random_walk && search != Search::bitmap) continue;
    const GetpageResult result = run(settings);
    EXPECT_EQ(result.failures, 0U);
    EXPECT_EQ(result.faults.held, 500U);
    EXPECT_TRUE(verification_of(result.faults).passed());
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
  const allocators::step_formulas::Demand demand{4096, 2048, 64};
  EXPECT_EQ(steps("page_queue").threads, 32.5);
  EXPECT_EQ(steps("random_walk").threads, allocators::step_formulas::random_walk_average(demand));
  EXPECT_EQ(steps("random_walk").warps, allocators::step_formulas::random_walk_warp_bound(demand));
  EXPECT_EQ(steps("random_walk_bitmap", "64").threads, allocators::step_formulas::bitmap_average(demand, 64));
  EXPECT_EQ(steps("collaborative_random_walk").warps,
            allocators::step_formulas::bitmap_warp_bound(demand, 32));
  EXPECT_FALSE(formula_steps(settings_of("allocator.name = 'random_walk'\ngetpage.threads = 64"), 63));
}

// A pool of pages by hand: some in lists, some held by threads.
class GetpageChecked : public testing::Test {
 protected:
  static constexpr std::size_t page = 32, pages = 100, threads = 10;

  std::byte* page_at(std::size_t number) const { return pool_.data() + number * page; }
  void hold(int thread, void* block) { held_.data()[thread] = {block}; }
  void chain(int list, std::vector<std::size_t> numbers) {
    block_lists::List& to = lists_.data()[list];
    for (const std::size_t number : numbers) {
      block_lists::List::set_next(page_at(number), to.first);
      to.first = page_at(number);
    }
  }
  GetpageFaults faults() const {
    const malloc_kernels::Blocks blocks{held_.data(), keys_.data(), static_cast<int>(threads)};
    return GetpageCheck({pool_.data(), pages * page}, page, memory_)(exec_, blocks, lists_);
  }
  std::string differs() const { return verification_of(faults()).differs; }

  void SetUp() override {
    malloc_kernels::clear(exec_, {held_.data(), keys_.data(), static_cast<int>(threads)});
    for (int i = 0; i < static_cast<int>(threads); ++i) hold(i, page_at(3 * static_cast<std::size_t>(i)));
    chain(0, {1, 4, 99});
    chain(1, {2, 5});
  }

  backend::Exec exec_;
  std::shared_ptr<memory::MemoryResource> memory_ = memory::make_memory_resource("managed");
  memory::Array<std::byte> pool_{memory_, "pool", pages* page};
  memory::Array<malloc_kernels::Held> held_{memory_, "held", threads};
  memory::Array<std::uint32_t> keys_{memory_, "keys", threads};
  block_lists::Lists lists_{exec_, memory_, 2};
};

TEST_F(GetpageChecked, FindsNothingWherePagesAreInOneHandEach) {
  hold(7, nullptr);
  EXPECT_EQ(faults().held, threads - 1);
  EXPECT_EQ(differs(), "");
}

TEST_F(GetpageChecked, FindsNothingWhereNobodyGotAPage) {
  for (int i = 0; i < static_cast<int>(threads); ++i) hold(i, nullptr);
  EXPECT_EQ(faults().held, 0U);
  EXPECT_EQ(differs(), "");
}

TEST_F(GetpageChecked, FindsPagesOfTwoThreads) {
  hold(4, page_at(6));
  EXPECT_EQ(differs(), "1 pages in two hands");
}

TEST_F(GetpageChecked, FindsPagesOfAThreadThatWereInUse) {
  hold(4, page_at(4));
  hold(5, page_at(5));
  EXPECT_EQ(differs(), "2 pages in two hands");
}

TEST_F(GetpageChecked, FindsPagesOfTwoListsAndLoops) {
  chain(1, {4});
  EXPECT_EQ(differs(), "1 pages in two hands");
}

TEST_F(GetpageChecked, FindsWhatIsNoPageOfThePool) {
  hold(0, page_at(pages));
  hold(1, page_at(0) - page);
  hold(2, page_at(8) + 16);
  EXPECT_EQ(differs(), "3 that are no pages of the pool");
}

TEST_F(GetpageChecked, ListsThatLeaveThePoolAreNotFollowed) {
  block_lists::List::set_next(page_at(1), reinterpret_cast<void*>(8));
  EXPECT_EQ(differs(), "1 that are no pages of the pool");
}

TEST_F(GetpageChecked, WritesTheWholePageAndNoOther) {
  std::fill_n(reinterpret_cast<unsigned char*>(page_at(50)), page, 0xab);
  hold(0, page_at(49));
  EXPECT_EQ(differs(), "");
  for (std::size_t k = 0; k < page; ++k) {
    EXPECT_EQ(static_cast<unsigned char>(page_at(49)[k]),
              malloc_kernels::pattern(0, static_cast<std::uint32_t>(k)));
    EXPECT_EQ(static_cast<unsigned char>(page_at(50)[k]), 0xab);
  }
}

TEST(Getpage, VerificationNamesEachFault) {
  EXPECT_EQ(verification_of(
                GetpageFaults{.held = 9, .refused = 3, .outside = 1, .twice = 2, .spoilt = 4, .lost = 32})
                .differs,
            "3 requests that were refused although pages were free, 1 that are no pages of the pool, "
            "2 pages in two hands, 4 of 9 pages that did not keep what was written, "
            "32 bytes that are lost: in use although all was given back");
  EXPECT_FALSE(verification_of(GetpageFaults{.refused = 1}).passed());
}

TEST(Getpage, PagesOfEachAllocatorAreItsOwn) {
  for (const std::string& name : page_allocators()) {
    // All pages that are free, to the last.
    const auto settings =
        settings_of("allocator = {name = '" + name +
                    "', pool = 0.0009765625}\n"
                    "getpage = {threads = 1900, free = 50.0}\nrun = {repetitions = 2, warmup = 0}");
    const GetpageResult result = run(settings);
    EXPECT_EQ(result.faults.held, std::min<std::uint64_t>(1900, result.free_before)) << name;
    EXPECT_EQ(verification_of(result.faults).differs, "") << name;
  }
}

}  // namespace
}  // namespace haloheap
