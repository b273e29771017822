// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/miniapp/problems/allocators/collectives.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_kernels.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {

namespace {

void add_collectives_keys(deck::Schema& schema) {
  deck::Section& collectives =
      schema.section("collectives", "Problem collectives: every thread of a kernel is a rank");
  collectives.choice("operation", Collective::alltoall).help("What the ranks do together");
  collectives.choice("method", CollectiveMethod::collective)
      .help(
          "Where messages are: in a buffer of each rank, which all allocate together, or each in memory that "
          "its sender allocates and its receiver frees");
  collectives.integer("blocks", 8)
      .range(1, 1 << 16)
      .unit("blocks")
      .help("Thread blocks; all must be resident at once, on a host all ranks are threads of their own");
  collectives.integer("threads", 32).range(1, 1024).unit("ranks").help("Threads of a block");
  collectives.integer("doubles", 4)
      .range(1, 1 << 20)
      .unit("doubles")
      .help("Of a message; in alltoall every rank has so many for every other");
  collectives.real("timeout", 60.0)
      .range(0.001, 1e6)
      .unit("s")
      .help("Longest wait of a rank for another before the run is ended");
}

}  // namespace

std::size_t CollectivesSettings::buffer_bytes() const {
  const auto count = static_cast<std::size_t>(doubles);
  return sizeof(double) *
         (operation == Collective::alltoall ? count * static_cast<std::size_t>(ranks()) : count);
}

std::size_t CollectivesSettings::requests() const {
  const auto all = static_cast<std::size_t>(ranks());
  return 2 * all + static_cast<std::size_t>(operations()) * message_requests(operation, method, all);
}

CollectivesSettings read_collectives(const deck::Deck& deck) {
  CollectivesSettings settings = {.allocator = read_allocator(deck),
                                  .operation = deck.choice<Collective>("collectives.operation"),
                                  .method = deck.choice<CollectiveMethod>("collectives.method"),
                                  .blocks = deck.number("collectives.blocks"),
                                  .threads = deck.number("collectives.threads"),
                                  .doubles = deck.number("collectives.doubles"),
                                  .timeout = deck.get<double>("collectives.timeout")};
  read_repetitions(deck, settings);
  if (settings.buffer_bytes() > settings.allocator.promises.largest)
    deck.reject(
        "collectives.doubles",
        fmt::format("a rank's buffer of {} bytes is more than '{}' can serve at once, which is {}",
                    settings.buffer_bytes(), settings.allocator.name, settings.allocator.promises.largest),
        "use fewer doubles or ranks, a larger allocator.page or a larger allocator.pool");
  return settings;
}

void require_resident(const deck::Deck& deck, int maximum) {
  const int blocks = deck.number("collectives.blocks"), threads = deck.number("collectives.threads");
  if (blocks <= maximum) return;
  const std::string cause = fmt::format(
      "ranks wait for each other, so all {} blocks of {} must run at once, and here no more than {} do",
      blocks, threads, maximum);
  deck.reject("collectives.blocks", cause,
              maximum > 0 ? fmt::format("use {} blocks or fewer, or smaller ones", maximum)
                          : "use fewer threads a block");
}

namespace {

std::vector<double> of_each(const CollectivesRuns& runs, double CollectivesTimes::*member,
                            double factor = 1) {
  std::vector<double> values;
  for (const CollectivesTimes& times : runs.times) values.push_back(factor * times.*member);
  return values;
}

/// A percentile over the repetitions of a time, in microseconds.
auto percentile_us(double CollectivesTimes::*member, double percent) {
  return [=](const CollectivesRuns& runs) { return report::percentile(of_each(runs, member, 1e6), percent); };
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
              {{"figures.requests", "", "requests", "Requests for memory of all ranks, in one run."},
               [](const R& r) { return r.requests; }},
              {{"figures.superblocks", "", "superblocks",
                "Of coalescing allocators: the requests that reach the heap below, in a run of its own.",
                Shown{}},
               [](const R& r) { return r.superblocks; }},
              {speedup_over_native(), over_native()},
          });
  return all;
}

/// The MPI benchmark of [Blach2022], section 4.2, without the compiler.
class Collectives final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const CollectivesSettings settings = read_collectives(deck);
    return fmt::format("{} of {} doubles between {} blocks of {} ranks, {} messages from '{}'\n",
                       deck.get<std::string>("collectives.operation"), settings.doubles, settings.blocks,
                       settings.threads, deck.get<std::string>("collectives.method"),
                       settings.allocator.name);
  }

  report::QuantityList quantities() const override {
    return list_of(collectives_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const CollectivesSettings settings = read_collectives(context.deck);
    require_resident(context.deck, backend::residency().blocks_of(settings.threads));
    return run_heap_point(context, settings.allocator.config.bytes, collectives_array_bytes(settings),
                          [&](const HeapSetup& setup, report::Point& point) {
                            const CollectivesRuns runs = run_collectives(settings, setup, [&](int done) {
                              context.progress.update(static_cast<double>(done) / settings.runs());
                            });
                            point.work.scalar = "double";
                            point.measure(collectives_quantities(), runs);
                            point.verification = report::verification_of(runs.wrong, runs.checked, "doubles");
                          });
  }
};

}  // namespace

ProblemEntry collectives_problem() {
  return {"collectives",
          "threads of a kernel as MPI ranks ([Blach2022])",
          {add_allocator_keys, add_collectives_keys, add_memory_keys},
          make_problem<Collectives>,
          AdviceKind::allocator};
}

}  // namespace haloheap
