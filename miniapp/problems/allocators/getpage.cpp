// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/getpage.hpp>
#include <haloheap/miniapp/problems/allocators/getpage_run.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <fmt/format.h>

#include <numeric>

namespace haloheap {
namespace {

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

/// What a point measured, and the paper's formulas beside it where they hold.
struct GetpagePoint {
  report::Timing timing;
  const GetpageResult& result;
  std::optional<StepCounts> formula;
};

const report::Quantities<GetpagePoint>& getpage_quantities() {
  using G = GetpagePoint;
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
                "TAS by the paper's formula (allocators/random_walk/step_formulas.hpp), for the pages that "
                "were "
                "free.",
                Shown{}},
               [](const G& g) { return g.formula ? std::optional(g.formula->threads) : std::nullopt; }},
              {{"figures.was_formula", "", "WAS by formula",
                "WAS by the paper's formula: a bound, which is infinite where no page is left.", Shown{}},
               [](const G& g) { return g.formula ? std::optional(g.formula->warps) : std::nullopt; }},
              {{"figures.tas_over_formula", "", "TAS/formula", "tas / tas_formula.", Shown{}},
               [](const G& g) {
                 return g.formula ? std::optional(mean(g.result.thread) / g.formula->threads) : std::nullopt;
               }},
              {speedup_over_native(), over_native()},
          });
  return all;
}

void report_getpage(const GetpageSettings& getpage, const GetpageResult& result, report::Point& point) {
  point.measure(getpage_quantities(),
                {{report::spread_of(result.seconds)}, result, formula_steps(getpage, result.free_before)});
  point.verification = verification_of(result.faults);
  if (getpage.allocator.name == "page_queue")
    point.notes.push_back(
        "page_queue counts the operations of a request; the formula also counts those that "
        "it waits for");
  if (getpage.allocator.name == "collaborative_random_walk")
    point.notes.push_back("the formulas beside collaborative_random_walk are those of random_walk_bitmap");
}

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

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const GetpageSettings getpage = read_getpage(context.deck);
    const double runs = getpage.warm_ups + getpage.repetitions;
    int done = 0;
    return run_heap_point(context, getpage.allocator.config.bytes, getpage_array_bytes(getpage),
                          [&](const HeapPlace& place, report::Point& point) {
                            const GetpageResult result =
                                run_getpage(place.exec, getpage, place.pool, place.arrays,
                                            [&] { context.progress.update(++done / runs); });
                            report_getpage(getpage, result, point);
                          });
  }
};

}  // namespace

std::unique_ptr<Problem> make_getpage() {
  return std::make_unique<Getpage>();
}

}  // namespace haloheap
