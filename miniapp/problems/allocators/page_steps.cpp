// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/allocators/step_quantities.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/problems.hpp>

#include <fmt/format.h>

#include <cmath>
#include <functional>

namespace haloheap {
namespace {

namespace formulas = allocators::step_formulas;

void add_page_steps_keys(deck::Schema& schema) {
  deck::Section& steps = schema.section("steps", "Problem page_steps: what formulas say, without a run");
  steps.integer("pages", 1 << 20).range(1, 1 << 30).unit("pages").help("Pages of the pool");
  steps.real("free", 50.0).range(1e-4, 100.0).unit("%").help("Share of them that is free");
  steps.integer("threads", 1000).range(1, 1 << 28).unit("threads").help("Threads, each of which gets a page");
  steps.integer("word", 32).range(1, 64).unit("bits").help("Of a bitmap: pages that one probe sees");
}

struct StepsSettings {
  formulas::Demand demand;
  unsigned word_bits;
};

StepsSettings read_steps(const deck::Deck& deck) {
  StepsSettings settings;
  settings.demand.pages = static_cast<std::size_t>(deck.number("steps.pages"));
  settings.demand.threads = static_cast<std::size_t>(deck.number("steps.threads"));
  settings.demand.free = static_cast<std::size_t>(
      std::llround(deck.get<double>("steps.free") / 100 * static_cast<double>(settings.demand.pages)));
  settings.word_bits = static_cast<unsigned>(deck.number("steps.word"));
  if (settings.demand.threads > settings.demand.free)
    deck.reject("steps.threads",
                fmt::format("{} threads want a page each, and {} of {} pages are free",
                            settings.demand.threads, settings.demand.free, settings.demand.pages),
                "use fewer threads, more pages or a larger steps.free");
  return settings;
}

struct StepsPoint {
  const StepsSettings& settings;
  report::Timing timing;
};

/// A formula of all, of the demand alone.
auto of_demand(double (*formula)(const formulas::Demand&)) {
  return [formula](const StepsPoint& s) { return formula(s.settings.demand); };
}
auto of_threads(double (*formula)(std::size_t)) {
  return [formula](const StepsPoint& s) { return formula(s.settings.demand.threads); };
}
auto of_words(double (*formula)(const formulas::Demand&, unsigned)) {
  return [formula](const StepsPoint& s) { return formula(s.settings.demand, s.settings.word_bits); };
}

const report::Quantities<StepsPoint>& steps_quantities() {
  using S = StepsPoint;
  using report::Shown;
  static const auto all =
      report::Quantities<S>{}
          .with(&S::timing, report::timings())
          .add({
              {{"figures.tas_queue", "", "TAS, queue",
                "Steps of a thread in a queue, (N + 1) / 2 ([Pham2022], section 3.2.1).", Shown{}},
               of_threads(formulas::queue_average)},
              {{"figures.tas_walk", "", "TAS, walk",
                "Steps of a thread that walks: the sum that equation (2) of [Pham2022] approximates.",
                Shown{}},
               of_demand(formulas::random_walk_average)},
              {{"figures.tas_bitmap", "", "TAS, bitmap",
                "Steps of a thread that sees steps.word pages: equation (4) of [Pham2022].", Shown{}},
               of_words(formulas::bitmap_average)},
              {{"figures.was_queue", "", "WAS, queue",
                "Steps of the slowest of 32 threads in a queue: equation (1) of [Pham2022].", Shown{}},
               of_threads(formulas::queue_warp_average)},
              {{"figures.was_walk", "", "WAS, walk",
                "Bound of the steps of the slowest of 32 threads that walk: equation (3) of [Pham2022].",
                Shown{}},
               of_demand(formulas::random_walk_warp_bound)},
              {{"figures.was_bitmap", "", "WAS, bitmap",
                "Bound of the steps of the slowest of 32 threads that see steps.word pages: equation (5) of "
                "[Pham2022].",
                Shown{}},
               of_words(formulas::bitmap_warp_bound)},
          })
          .with(std::identity{}, beside_steps<S>(of_demand, of_words, Shown{}));
  return all;
}

/// Figure 4 of [Pham2022]: no page is taken, and no kernel runs.
class PageSteps final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const StepsSettings settings = read_steps(deck);
    return fmt::format("formulas for {} threads and {} of {} pages\n", settings.demand.threads,
                       settings.demand.free, settings.demand.pages);
  }

  report::QuantityList quantities() const override {
    return list_of(steps_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const StepsSettings settings = read_steps(context.deck);
    return run_heap_point(context, 0, 0, [&](const HeapSetup&, report::Point& point) {
      const base::Stopwatch watch;
      formulas::random_walk_average(settings.demand);
      point.measure(steps_quantities(), {settings, {report::spread_of({watch.seconds()})}});
      context.progress.update(1);
    });
  }
};

}  // namespace

ProblemEntry page_steps_problem() {
  return {"page_steps",
          "steps to find a free page by the formulas of [Pham2022], without a run (Figure 4)",
          {add_page_steps_keys, add_memory_keys},
          make_problem<PageSteps>};
}

}  // namespace haloheap
