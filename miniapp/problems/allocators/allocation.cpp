// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/allocation.hpp>
#include <haloheap/miniapp/problems/allocators/allocation_kernels.hpp>
#include <haloheap/miniapp/problems/allocators/allocation_work.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {

namespace {

void add_allocation_keys(deck::Schema& schema) {
  deck::Section& allocation =
      schema.section("allocation", "Problem allocation: each thread allocates, works, frees");
  allocation.choice("work", AllocationWork::linear)
      .help(
          "What each thread computes from its own array of n floats: the sum from the first to the last; the "
          "sum "
          "of all n x n products; the sum in steps of 8, each in another 32 bytes, beginning 8 times; the "
          "sum of n "
          "elements at random places; rows times columns of the array as a square matrix");
  allocation.integer("floats", 100).range(1, 1 << 24).unit("floats").help("Length n of each thread's array");
  allocation.integer("blocks", 12).range(1, 1 << 20).unit("blocks").help("Thread blocks of the kernel");
  allocation.integer("threads", 1024).range(1, 1024).unit("threads").help("Threads of a block");
  allocation.integer("total", 0)
      .range(0, 1 << 30)
      .unit("threads")
      .help(
          "Threads of the kernel, in as many blocks as that takes, to compare blocks; 0: as "
          "allocation.blocks says");
}

}  // namespace

AllocationSettings read_allocation(const deck::Deck& deck) {
  AllocationSettings settings = {
      .allocator = read_allocator(deck),
      .work = Workload::of(deck.choice<AllocationWork>("allocation.work"), deck.number("allocation.floats")),
      .blocks = deck.number("allocation.blocks"),
      .threads = deck.number("allocation.threads")};
  read_repetitions(deck, settings);
  const int total = deck.number("allocation.total");
  if (total % settings.threads != 0)
    deck.reject("allocation.total",
                fmt::format("{} threads cannot be divided into blocks of {}", total, settings.threads),
                "use a multiple of allocation.threads");
  if (total > 0) settings.blocks = total / settings.threads;
  const AllocatorSettings& allocator = settings.allocator;
  if (settings.bytes() > allocator.promises.largest)
    deck.reject("allocation.floats",
                fmt::format("{} bytes are more than '{}' can serve at once, which is {}", settings.bytes(),
                            allocator.name, allocator.promises.largest),
                "use fewer floats, a larger allocator.page or a larger allocator.pool");
  if (settings.bytes() * settings.total_threads() > allocator.config.bytes)
    deck.reject("allocator.pool",
                fmt::format("{} threads of {} bytes each do not fit into {} bytes", settings.total_threads(),
                            settings.bytes(), allocator.config.bytes),
                "use a larger pool, or fewer floats, blocks or threads");
  return settings;
}

namespace {

std::vector<double> of_each(const AllocationRuns& runs, double AllocationTimes::*member, double factor = 1) {
  std::vector<double> values;
  for (const AllocationTimes& times : runs.times) values.push_back(factor * times.*member);
  return values;
}

/// 1e9 floating-point operations a second in each run, of as many threads as run side by side. On a device
/// that has room for all of them these are all, and the mean thread's time is the time of all.
std::vector<double> gflops(const AllocationSettings& settings, const AllocationRuns& runs) {
  std::vector<double> values;
  for (const AllocationTimes& times : runs.times)
    values.push_back(1e-9 * settings.work.flops() * static_cast<double>(runs.at_once) / times.work);
  return values;
}

/// What a point measured: means and deviations are over its runs.
struct AllocationPoint {
  report::Timing timing;
  std::vector<double> allocate, work, free;  ///< microseconds of the mean thread
  std::vector<double> gflops;
};

const report::Quantities<AllocationPoint>& allocation_quantities() {
  using A = AllocationPoint;
  using report::deviation;
  using report::mean;
  using report::of_merit;
  using report::Shown;
  static const auto all =
      report::Quantities<A>{}
          .with(&A::timing, report::timings())
          .add({
              {{"figures.allocate_us", "us", "allocate",
                "Time of an allocation, of the mean thread, by a clock in the kernel: "
                "mean over the repetitions.",
                Shown{}},
               [](const A& a) { return mean(a.allocate); }},
              {{"figures.allocate_deviation_us", "us", "deviation of allocate",
                "Standard deviation of allocate_us over the repetitions."},
               [](const A& a) { return deviation(a.allocate); }},
              {of_merit({"figures.work_us", "us", "work",
                         "Time of the work on the array, of the mean thread, likewise.", Shown{}}),
               [](const A& a) { return mean(a.work); }},
              {{"figures.work_deviation_us", "us", "deviation of work",
                "Standard deviation of work_us over the repetitions."},
               [](const A& a) { return deviation(a.work); }},
              {{"figures.free_us", "us", "free", "Time of a free, of the mean thread, likewise.", Shown{}},
               [](const A& a) { return mean(a.free); }},
              {{"figures.free_deviation_us", "us", "deviation of free",
                "Standard deviation of free_us over the repetitions."},
               [](const A& a) { return deviation(a.free); }},
              {{"figures.gflops", "GFlop/s", "work",
                "1e9 additions and multiplications a second of the work, of all threads "
                "that run side by side.",
                Shown{"GFlop/s"}},
               [](const A& a) { return mean(a.gflops); }},
              {{"figures.gflops_deviation", "GFlop/s", "deviation of the work's rate",
                "Standard deviation of gflops over the repetitions."},
               [](const A& a) { return deviation(a.gflops); }},
              {speedup_over_native(), over_native()},
          });
  return all;
}

/// The unit benchmark of [Blach2022], section 4.1.
class AllocationBenchmark final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const AllocationSettings settings = read_allocation(deck);
    return fmt::format("{} blocks of {} threads, {} floats each ({:.1f} MiB in all) from '{}', {} work\n",
                       settings.blocks, settings.threads, settings.work.n,
                       static_cast<double>(settings.bytes() * settings.total_threads()) / (1024.0 * 1024.0),
                       settings.allocator.name, deck.get<std::string>("allocation.work"));
  }

  report::QuantityList quantities() const override {
    return list_of(allocation_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const AllocationSettings settings = read_allocation(context.deck);
    return run_heap_point(context, settings.allocator.config.bytes, allocation_array_bytes(settings),
                          [&](const HeapSetup& setup, report::Point& point) {
                            const AllocationRuns runs = run_allocation(settings, setup, [&](int done) {
                              context.progress.update(static_cast<double>(done) / settings.runs());
                            });
                            fill(point, settings, runs);
                          });
  }

 private:
  static void fill(report::Point& point, const AllocationSettings& settings, const AllocationRuns& runs) {
    point.work.scalar = "float";
    point.measure(allocation_quantities(),
                  {{report::spread_of(of_each(runs, &AllocationTimes::kernel)), runs.warm_up},
                   of_each(runs, &AllocationTimes::allocate, 1e6),
                   of_each(runs, &AllocationTimes::work, 1e6),
                   of_each(runs, &AllocationTimes::free, 1e6),
                   gflops(settings, runs)});
    point.verification = report::verification_of(
        runs.wrong, settings.total_threads() * static_cast<std::size_t>(settings.runs()),
        "results of threads");
    if (runs.team_size != settings.threads)
      point.notes.push_back(fmt::format("blocks of {} threads ran as teams of {}: no more fit on this device",
                                        settings.threads, runs.team_size));
  }
};

}  // namespace

ProblemEntry allocation_problem() {
  return {"allocation",
          "allocate, work and free in one kernel ([Blach2022])",
          {add_allocator_keys, add_allocation_keys, add_memory_keys},
          make_problem<AllocationBenchmark>,
          AdviceKind::allocator};
}

}  // namespace haloheap
