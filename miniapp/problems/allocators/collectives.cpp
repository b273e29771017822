// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/sample_statistics.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

std::vector<double> of_each(const CollectivesRuns& runs, double CollectivesTimes::*member,
                            double factor = 1) {
  std::vector<double> values;
  for (const CollectivesTimes& times : runs.times) values.push_back(factor * times.*member);
  return values;
}

/// A percentile over the repetitions of a time, in microseconds.
auto percentile_us(double CollectivesTimes::*member, double percent) {
  return
      [=](const CollectivesRuns& runs) { return samples::percentile(of_each(runs, member, 1e6), percent); };
}

const report::Quantities<CollectivesRuns>& collectives_quantities() {
  using R = CollectivesRuns;
  using T = CollectivesTimes;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<R>{}
          .with(
              [](const R& r) {
                return report::Timing{report::spread_of(of_each(r, &T::kernel)), r.warm_up};
              },
              report::timings())
          .add({
              {{"figures.collective_5th_us", "us", "5th percentile",
                "Time of the operation: of each repetition the median over the ranks, by a clock in the "
                "kernel; "
                "of these "
                "the 5th percentile.",
                Shown{"5th [us]"}},
               percentile_us(&T::collective, 5)},
              {of_merit({"figures.collective_us", "us", "median",
                         "Time of the operation, likewise: the median over the repetitions.", Shown{}}),
               percentile_us(&T::collective, 50)},
              {{"figures.collective_95th_us", "us", "95th percentile",
                "Time of the operation, likewise: the 95th percentile.", Shown{"95th [us]"}},
               percentile_us(&T::collective, 95)},
              {{"figures.allocate_us", "us", "allocate",
                "Time to allocate a rank's two buffers, before the operation: the median.", Shown{}},
               percentile_us(&T::allocate, 50)},
              {{"figures.free_us", "us", "free",
                "Time to free a rank's two buffers, after the operation: the median.", Shown{}},
               percentile_us(&T::free, 50)},
              {speedup_over_native(), over_native()},
          });
  return all;
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

  report::QuantityList quantities() const override {
    return list_of(collectives_quantities(), report::memory_use());
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
                            point.measure(collectives_quantities(), runs);
                            point.verification = verification_of(runs.wrong, runs.checked, "doubles");
                          });
  }
};

}  // namespace

std::unique_ptr<Problem> make_collectives() {
  return std::make_unique<Collectives>();
}

}  // namespace haloheap
