// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocation.hpp>
#include <haloheap/miniapp/problems/allocation_kernels.hpp>
#include <haloheap/miniapp/problems/sample_statistics.hpp>
#include <haloheap/miniapp/problems/verification_of.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {
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

void add_figure(report::Point& point, const std::string& what, const std::string& unit,
                const std::string& title, const std::vector<double>& values, bool compared = false) {
  const std::string end = unit.empty() ? "" : "_" + unit;
  point.figures.push_back({what + end, title, samples::mean(values), compared});
  point.figures.push_back({what + "_deviation" + end, "", samples::deviation(values)});
}

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

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const AllocationSettings settings = read_allocation(context.deck);
    return run_heap_point(context, settings.allocator.config.bytes, allocation_array_bytes(settings),
                          [&](const HeapPlace& place, report::Point& point) {
                            const AllocationRuns runs = run_allocation(settings, place, [&](int done) {
                              context.progress.update(static_cast<double>(done) / settings.runs());
                            });
                            fill(point, settings, runs);
                          });
  }

 private:
  static void fill(report::Point& point, const AllocationSettings& settings, const AllocationRuns& runs) {
    point.work.scalar = "float";
    point.wall = report::spread_of(of_each(runs, &AllocationTimes::kernel));
    point.warm_up = runs.warm_up;
    add_figure(point, "allocate", "us", "allocate [us]", of_each(runs, &AllocationTimes::allocate, 1e6));
    add_figure(point, "work", "us", "work [us]", of_each(runs, &AllocationTimes::work, 1e6), true);
    add_figure(point, "free", "us", "free [us]", of_each(runs, &AllocationTimes::free, 1e6));
    add_figure(point, "gflops", "", "GFlop/s", gflops(settings, runs));
    point.verification =
        verification_of(runs.wrong, settings.total_threads() * static_cast<std::size_t>(settings.runs()),
                        "results of threads");
    if (runs.team_size != settings.threads)
      point.notes.push_back(fmt::format("blocks of {} threads ran as teams of {}: no more fit on this device",
                                        settings.threads, runs.team_size));
  }
};

}  // namespace

std::unique_ptr<Problem> make_allocation() {
  return std::make_unique<AllocationBenchmark>();
}

}  // namespace haloheap
