// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/getpage.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_run.hpp>
#include <haloheap/miniapp/problems/allocators/step_quantities.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace haloheap {

namespace {

void add_getpage_keys(deck::Schema& schema) {
  deck::Section& getpage = schema.section("getpage", "Single pages out of a pool that is in use");
  getpage.integer("threads", 16384)
      .range(1, 1 << 28)
      .unit("threads")
      .help("Threads of the kernel, each of which gets a page");
  getpage.real("free", 50.0).range(0.001, 100.0).unit("%").help("Share of the pages that are free before it");
}

}  // namespace

GetpageSettings read_getpage(const deck::Deck& deck) {
  GetpageSettings getpage;
  require_allocator(deck, page_allocators(), "it does not hand out single pages");
  getpage.allocator = read_allocator(deck);
  const allocators::HeapConfig& config = getpage.allocator.config;
  const double share = getpage.free_share = deck.get<double>("getpage.free") / 100;
  getpage.demand.pages = config.bytes / config.page_bytes;
  getpage.demand.threads = static_cast<std::size_t>(deck.get<std::int64_t>("getpage.threads"));
  getpage.demand.free =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(getpage.demand.pages)));
  if (getpage.demand.threads > getpage.demand.free)
    deck.reject("getpage.threads",
                fmt::format("{} threads want a page each, and {} of {} pages are free",
                            getpage.demand.threads, getpage.demand.free, getpage.demand.pages),
                "use fewer threads, a larger getpage.free, a larger allocator.pool or a smaller "
                "allocator.page");
  read_repetitions(deck, getpage);
  return getpage;
}

std::optional<StepCounts> formula_steps(const GetpageSettings& settings, std::size_t free_pages) {
  using namespace allocators::step_formulas;
  const Demand demand{settings.demand.pages, free_pages, settings.demand.threads};
  if (demand.threads > demand.free) return {};
  const unsigned bits = settings.allocator.config.word_bits;
  switch (settings.allocator.search.value()) {
    case Search::queue:
      return StepCounts{queue_average(demand.threads), queue_warp_average(demand.threads)};
    case Search::random_walk:
      return StepCounts{random_walk_average(demand), random_walk_warp_bound(demand)};
    default:
      return StepCounts{bitmap_average(demand, bits), bitmap_warp_bound(demand, bits)};
  }
}

namespace {

/// What a point measured, and the formulas of [Pham2022] beside it where they hold.
struct GetpagePoint {
  report::Timing timing;
  const GetpageResult& result;
  std::optional<StepCounts> formula;
  allocators::step_formulas::Demand demand;  ///< with the pages that were free
  allocators::step_formulas::Search search;
  unsigned word_bits;
};

/// A formula of random_walk, which looks at single pages; nothing for the others.
auto of_walk(double (*formula)(const allocators::step_formulas::Demand&)) {
  return [formula](const GetpagePoint& g) {
    const bool holds = g.formula && g.search == allocators::step_formulas::Search::random_walk;
    return holds ? std::optional(formula(g.demand)) : std::nullopt;
  };
}

/// A formula of bitmaps, for words of so many bits.
auto of_bitmap(double (*formula)(const allocators::step_formulas::Demand&, unsigned)) {
  return [formula](const GetpagePoint& g) {
    using allocators::step_formulas::Search;
    const bool holds = g.formula && (g.search == Search::bitmap || g.search == Search::collaborative_bitmap);
    return holds ? std::optional(formula(g.demand, g.word_bits)) : std::nullopt;
  };
}

const report::Quantities<GetpagePoint>& getpage_quantities() {
  using G = GetpagePoint;
  using report::mean;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<G>{}
          .with(&G::timing, report::timings())
          .add({
              {of_merit(
                   {"figures.getpage_median_us", "us", "getpage",
                    "Time of the kernel in which each thread gets a page, by events around the launch: the "
                    "median.",
                    Shown{}}),
               [](const G& g) { return 1e6 * g.timing.wall.median; }},
              {{"figures.getpage_minimum_us", "us", "fastest getpage",
                "Time of that kernel in the fastest repetition.", Shown{"min"}},
               [](const G& g) { return 1e6 * g.timing.wall.minimum; }},
              {{"figures.tas", "", "TAS", "Steps of a thread on average, in runs of their own.", Shown{}},
               [](const G& g) { return mean(g.result.thread); }},
              {{"figures.was", "", "WAS", "Steps of the slowest of each 32 threads, in runs of their own.",
                Shown{}},
               [](const G& g) { return mean(g.result.warp); }},
              {{"figures.free_pages", "", "free pages", "Pages that are free before the kernel."},
               [](const G& g) { return g.result.free_before; }},
              {{"figures.failures", "", "failures", "Requests that got no page.", Shown{}},
               [](const G& g) { return g.result.failures; }},
              {{"figures.tas_formula", "", "TAS by formula",
                "TAS by the formula of [Pham2022] (allocators/random_walk/step_formulas.hpp), for the pages "
                "that "
                "were "
                "free.",
                Shown{}},
               [](const G& g) { return g.formula ? std::optional(g.formula->threads) : std::nullopt; }},
              {{"figures.was_formula", "", "WAS by formula",
                "WAS by the formula of [Pham2022]: a bound, which is infinite where no page is left.",
                Shown{}},
               [](const G& g) { return g.formula ? std::optional(g.formula->warps) : std::nullopt; }},
          })
          .with(std::identity{}, beside_steps<G>(of_walk, of_bitmap))
          .add({
              {{"figures.tas_over_formula", "", "TAS/formula", "tas / tas_formula.", Shown{}},
               [](const G& g) {
                 return g.formula ? std::optional(mean(g.result.thread) / g.formula->threads) : std::nullopt;
               }},
              {speedup_over_native(), over_native()},
          });
  return all;
}

void report_getpage(const GetpageSettings& getpage, const GetpageResult& result, report::Point& point) {
  point.measure(getpage_quantities(), {{report::spread_of(result.seconds)},
                                       result,
                                       formula_steps(getpage, result.free_before),
                                       {getpage.demand.pages, result.free_before, getpage.demand.threads},
                                       getpage.allocator.search.value(),
                                       getpage.allocator.config.word_bits});
  point.verification = verification_of(result.faults);
  const std::string& name = getpage.allocator.name;
  if (getpage.allocator.search == allocators::step_formulas::Search::queue)
    point.notes.push_back(
        name + " counts the operations of a request; the formula also counts those that it waits for");
  if (getpage.allocator.search == allocators::step_formulas::Search::collaborative_bitmap)
    point.notes.push_back("the formulas beside " + name + " are those of random_walk_bitmap");
}

/// Each thread gets one page, and how many steps that takes ([Pham2022], section 5.2.1 and Figure 7).
class Getpage final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const GetpageSettings getpage = read_getpage(deck);
    return fmt::format("'{}', {} threads, {} of {} pages of {} bytes are free\n", getpage.allocator.name,
                       getpage.demand.threads, getpage.demand.free, getpage.demand.pages,
                       getpage.allocator.config.page_bytes);
  }

  report::QuantityList quantities() const override {
    return list_of(getpage_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const GetpageSettings getpage = read_getpage(context.deck);
    const double runs = getpage.warm_ups + getpage.repetitions;
    int done = 0;
    return run_heap_point(context, getpage.allocator.config.bytes, getpage_array_bytes(getpage),
                          [&](const HeapSetup& setup, report::Point& point) {
                            const GetpageResult result =
                                run_getpage(setup.exec, getpage, setup.pool, setup.arrays,
                                            [&] { context.progress.update(++done / runs); });
                            report_getpage(getpage, result, point);
                          });
  }
};

}  // namespace

ProblemEntry getpage_problem() {
  return {"getpage",
          "pages out of a pool that is in use, and the steps to find them ([Pham2022])",
          {add_allocator_keys, add_getpage_keys, add_memory_keys},
          make_problem<Getpage>,
          AdviceKind::allocator};
}

}  // namespace haloheap
