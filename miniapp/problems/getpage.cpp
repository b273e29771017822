// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/getpage.hpp>
#include <haloheap/miniapp/problems/getpage_run.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

#include <numeric>

namespace haloheap {
namespace {

double mean(const std::vector<double>& numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0) / static_cast<double>(numbers.size());
}

void report_getpage(const GetpageSettings& getpage, const GetpageResult& result, report::Point& point) {
  point.wall = report::spread_of(result.seconds);
  point.verification = verification_of(result.faults);
  const auto formula = formula_steps(getpage, result.free_before);
  point.figures = {{"getpage_median_us", "getpage [us]", 1e6 * point.wall.median, true},
                   {"getpage_minimum_us", "min", 1e6 * point.wall.minimum},
                   {"tas", "TAS", mean(result.thread)},
                   {"was", "WAS", mean(result.warp)},
                   {"free_pages", "", static_cast<double>(result.free_before)},
                   {"failures", "failures", static_cast<double>(result.failures)}};
  if (formula) {
    point.figures.push_back({"tas_formula", "TAS by formula", formula->threads});
    point.figures.push_back({"was_formula", "WAS by formula", formula->warps});
    point.figures.push_back({"tas_over_formula", "TAS/formula", mean(result.thread) / formula->threads});
  }
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
