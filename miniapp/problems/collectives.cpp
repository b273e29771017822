// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/miniapp/problems/collectives.hpp>
#include <haloheap/miniapp/problems/collectives_kernels.hpp>
#include <haloheap/miniapp/problems/sample_statistics.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

std::vector<double> of_each(const CollectivesRuns& runs, double CollectivesTimes::*member,
                            double factor = 1) {
  std::vector<double> values;
  for (const CollectivesTimes& times : runs.times) values.push_back(factor * times.*member);
  return values;
}

void add_figures(report::Point& point, const CollectivesRuns& runs) {
  const auto collective = of_each(runs, &CollectivesTimes::collective, 1e6);
  const auto median = [](const std::vector<double>& values) { return samples::percentile(values, 50); };
  point.figures = {{"collective_5th_us", "5th [us]", samples::percentile(collective, 5)},
                   {"collective_us", "median [us]", median(collective), true},
                   {"collective_95th_us", "95th [us]", samples::percentile(collective, 95)},
                   {"allocate_us", "allocate [us]", median(of_each(runs, &CollectivesTimes::allocate, 1e6))},
                   {"free_us", "free [us]", median(of_each(runs, &CollectivesTimes::free, 1e6))}};
}

class Collectives final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const CollectivesSettings settings = read_collectives(deck);
    return fmt::format("{} of {} doubles between {} blocks of {} ranks, messages from '{}'\n",
                       deck.get<std::string>("collectives.operation"), settings.doubles, settings.blocks,
                       settings.threads, settings.allocator.name);
  }

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const CollectivesSettings settings = read_collectives(context.deck);
    require_resident(context.deck, backend::residency().blocks_of(settings.threads));
    return run_heap_point(context, settings.allocator.config.bytes, collectives_array_bytes(settings),
                          [&](const HeapPlace& place, report::Point& point) {
                            const CollectivesRuns runs = run_collectives(settings, place, [&](int done) {
                              context.progress.update(static_cast<double>(done) / settings.runs());
                            });
                            point.work.scalar = "double";
                            point.wall = report::spread_of(of_each(runs, &CollectivesTimes::kernel));
                            point.warm_up = runs.warm_up;
                            add_figures(point, runs);
                            point.verification = verification_of(runs.wrong, runs.checked, "doubles");
                          });
  }
};

}  // namespace

std::unique_ptr<Problem> make_collectives() {
  return std::make_unique<Collectives>();
}

}  // namespace haloheap
