// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/atomics.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>

#include <fmt/format.h>

#include <limits>

namespace haloheap {
namespace {

void add_atomics_keys(deck::Schema& schema) {
  deck::Section& atomics =
      schema.section("atomics", "Problem atomics: threads that change the same words of 32 bits");
  atomics.choice("operation", AtomicOperation::add)
      .help("What each thread does: add 1, or leave its number; either answers with what was there");
  atomics.integer("threads", 16384).range(1, 1 << 26).unit("threads").help("Threads of the kernel");
  atomics.integer("addresses", 1)
      .range(0, 1 << 26)
      .unit("words")
      .help("Words that they share: thread i changes word i % addresses; 0: each has its own");
  atomics.integer("rounds", 16)
      .range(1, 1 << 20)
      .unit("operations")
      .help("Operations of a thread; each needs the answer of the one before");
  atomics.integer("spacing", 32)
      .range(4, 4096)
      .unit("bytes")
      .help("From one word to the next, a multiple of 4: 4 puts 8 into a memory sector, 32 one");
}

}  // namespace

AtomicsSettings read_atomics(const deck::Deck& deck) {
  AtomicsSettings settings{.operation = deck.choice<AtomicOperation>("atomics.operation"),
                           .threads = deck.number("atomics.threads"),
                           .addresses = deck.number("atomics.addresses"),
                           .rounds = deck.number("atomics.rounds"),
                           .spacing = deck.number("atomics.spacing")};
  read_repetitions(deck, settings);
  if (settings.addresses == 0) settings.addresses = settings.threads;
  if (settings.addresses > settings.threads)
    deck.reject("atomics.addresses",
                fmt::format("{} threads cannot change {} words", settings.threads, settings.addresses),
                "use 0 for a word for each thread, or more threads");
  if (settings.spacing % 4 != 0)
    deck.reject("atomics.spacing", fmt::format("words of 4 bytes cannot stand {} apart", settings.spacing),
                "use a multiple of 4");
  if (settings.operations() > std::numeric_limits<std::int32_t>::max())
    deck.reject("atomics.rounds",
                fmt::format("{} threads with {} operations each count further than 2^31", settings.threads,
                            settings.rounds),
                "use fewer rounds or threads");
  return settings;
}

namespace {

/// What a point measured.
struct AtomicsPoint {
  const AtomicsSettings& settings;
  const AtomicsResult& result;
  report::Timing timing;
};

/// Nanoseconds; the median over the repetitions.
double median_ns(const std::vector<double>& seconds) {
  return 1e9 * report::spread_of(seconds).median;
}

const report::Quantities<AtomicsPoint>& atomics_quantities() {
  using A = AtomicsPoint;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<A>{}
          .with(&A::timing, report::timings())
          .add({
              {of_merit(
                   {"figures.latency_ns", "ns", "latency",
                    "Time of one operation, of the mean thread, by a clock in the kernel: the median over "
                    "the repetitions.",
                    Shown{}}),
               [](const A& a) { return median_ns(a.result.mean); }},
              {{"figures.latency_minimum_ns", "ns", "lowest latency",
                "Time of one operation, of the mean thread, in the repetition in which it was the shortest."},
               [](const A& a) { return 1e9 * report::spread_of(a.result.mean).minimum; }},
              {{"figures.latency_slowest_ns", "ns", "slowest thread",
                "Time of one operation, of the slowest thread: the median over the repetitions.", Shown{}},
               [](const A& a) { return median_ns(a.result.slowest); }},
              {{"figures.operations_per_ns", "1/ns", "rate",
                "1e9 operations a second of all threads, launch included.", Shown{"Gop/s"}},
               [](const A& a) { return 1e-9 * a.settings.operations() / a.timing.wall.median; }},
              {{"figures.kernel_median_us", "us", "kernel",
                "Time of the kernel, by events around the launch: the median.", Shown{}},
               [](const A& a) { return 1e6 * a.timing.wall.median; }},
          });
  return all;
}

/// Figure 1 of [Pham2022]: what threads wait that change the same word, and beside it what they wait where
/// each has its own.
class Atomics final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const AtomicsSettings settings = read_atomics(deck);
    return fmt::format("{} threads, {} operations each, on {} words\n", settings.threads, settings.rounds,
                       settings.addresses);
  }

  report::QuantityList quantities() const override {
    return list_of(atomics_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const AtomicsSettings settings = read_atomics(context.deck);
    const double runs = settings.warm_ups + settings.repetitions;
    return run_heap_point(
        context, settings.word_bytes(), atomics_array_bytes(settings),
        [&](const HeapSetup& setup, report::Point& point) {
          const AtomicsResult result =
              run_atomics(settings, setup, [&](int done) { context.progress.update(done / runs); });
          point.measure(atomics_quantities(), {settings, result, {report::spread_of(result.kernel)}});
          point.verification = report::verification_of(result.wrong, result.checked, "words");
        });
  }
};

}  // namespace

ProblemEntry atomics_problem() {
  return {"atomics",
          "atomic operations of many threads on one word and on many ([Pham2022], Figure 1)",
          {add_atomics_keys, add_memory_keys},
          make_problem<Atomics>};
}

}  // namespace haloheap
