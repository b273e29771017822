// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/heap_point.hpp>
#include <haloheap/miniapp/problems/malloc_run.hpp>
#include <haloheap/miniapp/problems/malloc_sweep.hpp>
#include <haloheap/miniapp/report/spread.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

constexpr double mib = 1024.0 * 1024.0;

class Figures {
 public:
  explicit Figures(report::Point& point) : point_(point) {}

  /// Median and minimum in microseconds; nothing where nothing was timed.
  void add_times(const std::string& what, const std::vector<double>& seconds) {
    if (seconds.empty()) return;
    const report::Spread spread = report::spread_of(seconds);
    add(what + "_median_us", what + " [us]", 1e6 * spread.median);
    point_.figures.back().compared = point_.figures.size() == 1;
    add(what + "_minimum_us", what + " min", 1e6 * spread.minimum);
  }
  void add(std::string name, std::string title, double value) {
    point_.figures.push_back({std::move(name), std::move(title), value});
  }
  void add(std::string name, std::string title, std::uint64_t value) {
    add(std::move(name), std::move(title), static_cast<double>(value));
  }

 private:
  report::Point& point_;
};

/// Seconds of each repetition, all kernels that were timed.
std::vector<double> totals(const MallocResult& result) {
  std::vector<double> all = result.allocate;
  for (const auto* more : {&result.free, &result.churn})
    for (std::size_t i = 0; i < more->size(); ++i) all[i] += (*more)[i];
  return all;
}

void add_heap(Figures& figures, const MallocSettings& malloc, const MallocResult& result) {
  const HeapStatistics& full = result.full;
  if (!malloc.allocator.promises.resets) return;  // it does not know
  figures.add("in_use_bytes", "", full.in_use);
  figures.add("footprint_bytes", "", full.footprint);
  figures.add("high_water_bytes", "", full.high_water);
  figures.add("metadata_bytes", "", full.metadata);
  if (full.in_use > 0)
    figures.add("footprint_over_in_use", "footprint/in use",
                static_cast<double>(full.footprint) / static_cast<double>(full.in_use));
  if (malloc.pattern == MallocPattern::fill)
    figures.add(
        "utilisation_percent", "utilisation [%]",
        100 * static_cast<double>(result.served_bytes) / static_cast<double>(malloc.allocator.config.bytes));
  const bool holes = malloc.pattern == MallocPattern::fill ? malloc.allocator.promises.frees
                                                           : malloc.pattern == MallocPattern::churn;
  const std::size_t free = result.holes.capacity - result.holes.in_use;
  if (holes && free > 0)
    figures.add("fragmentation_percent", "fragmentation [%]",
                100 * (1 - static_cast<double>(result.holes.largest_free_run) / static_cast<double>(free)));
}

void report_malloc(const MallocSettings& malloc, const MallocResult& result, report::Point& point) {
  Figures figures(point);
  figures.add_times("allocate", result.allocate);
  figures.add_times("churn", result.churn);
  figures.add_times("free", result.free);
  figures.add("create_us", "", 1e6 * result.create);
  figures.add("reset_us", "", 1e6 * result.reset);
  figures.add("served", "", result.served);
  if (malloc.pattern != MallocPattern::fill) figures.add("failures", "failures", result.failures);
  if (result.steps) {
    figures.add("steps_thread", "steps", result.steps->threads);
    figures.add("steps_warp", "steps of warp", result.steps->warps);
  }
  if (result.pass_over_packed) figures.add("pass_over_packed", "", *result.pass_over_packed);
  add_heap(figures, malloc, result);
  point.wall = report::spread_of(totals(result));
  point.verification = verification_of(result);
  if (result.wrong.value_or(0) > 0)
    point.notes.push_back(fmt::format("{} of {} blocks are not aligned or did not keep what was written",
                                      *result.wrong, result.served));
  if (result.lost.value_or(0) > 0)
    point.notes.push_back(fmt::format("{} bytes are lost: in use although all was given back", *result.lost));
}

class MallocSweep final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    require_one_rank(deck, ranks);
    const MallocSettings malloc = read_malloc(deck);
    return fmt::format("'{}', {} threads, requests of {} to {} bytes\n  pool {:.2f} MiB, arrays {:.2f} MiB\n",
                       malloc.allocator.name, malloc.threads, malloc.sizes.smallest, malloc.sizes.largest,
                       static_cast<double>(malloc.allocator.config.bytes) / mib,
                       static_cast<double>(malloc_array_bytes(malloc) + malloc_passed_bytes(malloc)) / mib);
  }

  double updates(const deck::Deck& /*deck*/) const override { return 0; }

  report::Point run(const RunContext& context) override {
    const MallocSettings malloc = read_malloc(context.deck);
    const double runs = malloc.warm_ups + malloc.repetitions;
    int done = 0;
    return run_heap_point(context, malloc.allocator.config.bytes + malloc_passed_bytes(malloc),
                          malloc_array_bytes(malloc), [&](const HeapPlace& place, report::Point& point) {
                            const MallocResult result =
                                run_malloc(place.exec, malloc, place.pool, place.arrays,
                                           [&] { context.progress.update(++done / runs); });
                            report_malloc(malloc, result, point);
                          });
  }
};

}  // namespace

std::unique_ptr<Problem> make_malloc_sweep() {
  return std::make_unique<MallocSweep>();
}

}  // namespace haloheap
