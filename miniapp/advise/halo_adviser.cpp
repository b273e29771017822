// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/halo_adviser.hpp>

#include <algorithm>

namespace haloheap::advise {
namespace {

/// Overlaps are measured for so many of the quickest transports.
constexpr std::size_t overlapped_paths = 3;

class HaloAdviser {
 public:
  HaloAdviser(const HaloShape& shape, const HaloOptions& options, HaloBench& bench)
      : shape_(shape), options_(options), bench_(bench) {}

  HaloAdvice run() {
    measure_exchanges();
    if (advice_.paths.empty()) return {};
    measure_steps();
    measure_overlaps();
    predict();
    confirm();
    return std::move(advice_);
  }

 private:
  bool allowed(const HaloChoice& choice) const { return !options_.allowed || options_.allowed(choice); }

  /// The smallest, a middle and the largest depth that is allowed.
  std::vector<int> samples(HaloChoice choice) const {
    std::vector<int> depths;
    for (const int depth : options_.depths)
      if (choice.depth = depth; allowed(choice)) depths.push_back(depth);
    if (depths.size() <= 3) return depths;
    return {depths.front(), depths[depths.size() / 2], depths.back()};
  }

  template <class Measure>
  SecondsOfDepth measured(HaloChoice choice, const Measure& measure) const {
    SecondsOfDepth seconds;
    for (const int depth : samples(choice)) {
      choice.depth = depth;
      if (const std::optional<double> value = measure(choice); value && *value > 0) seconds[depth] = *value;
    }
    return seconds;
  }

  double quickest(const HaloPath& path) const {
    double least = cycle_seconds(shape_, path.costs, options_.depths.front(), Overlap::none);
    for (const int depth : options_.depths)
      least = std::min(least, cycle_seconds(shape_, path.costs, depth, Overlap::none) / depth);
    return least;
  }

  void sort_paths() {
    std::stable_sort(advice_.paths.begin(), advice_.paths.end(),
                     [&](const HaloPath& a, const HaloPath& b) { return quickest(a) < quickest(b); });
  }

  void measure_exchanges() {
    for (const std::string& transport : options_.transports)
      for (const Exchange exchange : options_.exchanges) {
        const auto seconds = measured({transport, exchange, Overlap::none, 1},
                                      [&](const HaloChoice& choice) { return bench_.exchange(choice); });
        if (seconds.empty()) continue;
        HaloPath path{transport, exchange, {}, 0};
        path.residual = fit_exchanges(shape_, seconds, path.costs);
        advice_.paths.push_back(path);
      }
    sort_paths();
  }

  /// The same for all transports: what is left of whole cycles without their exchange.
  void measure_steps() {
    HaloPath& best = advice_.paths.front();
    const HaloChoice choice{best.transport, best.exchange, Overlap::none, 1};
    SecondsOfDepth steps = measured(choice, [&](const HaloChoice& c) { return bench_.cycle(c); });
    for (auto& [depth, seconds] : steps) {
      const double exchange = best.costs.exchange + best.costs.byte * shape_.halo_bytes(depth);
      seconds = std::max(seconds - exchange, 0.01 * seconds);  // clocks are not exact
    }
    if (steps.empty()) return;
    HaloCosts costs;
    advice_.steps_residual = fit_steps(shape_, steps, costs);
    for (HaloPath& path : advice_.paths) {
      path.costs.step = costs.step;
      path.costs.frame_cell = costs.frame_cell;
    }
    sort_paths();
  }

  void measure_overlaps() {
    const std::size_t count = std::min(overlapped_paths, advice_.paths.size());
    for (std::size_t i = 0; i < count; ++i)
      for (const Overlap overlap : options_.overlaps) {
        if (overlap == Overlap::none) continue;
        HaloPath& path = advice_.paths[i];
        const auto cycles = measured({path.transport, path.exchange, overlap, 1},
                                     [&](const HaloChoice& choice) { return bench_.cycle(choice); });
        if (cycles.empty()) continue;
        HaloCosts costs = path.costs;
        const double residual = fit_overlap(shape_, cycles, overlap, costs);
        path.overlaps.push_back({overlap, costs, residual});
      }
  }

  void predict(const HaloPath& path, Overlap overlap, const HaloCosts& costs) {
    for (const int depth : options_.depths) {
      const HaloChoice choice{path.transport, path.exchange, overlap, depth};
      if (allowed(choice))
        advice_.candidates.push_back({choice, cycle_seconds(shape_, costs, depth, overlap) / depth, {}});
    }
  }

  void predict() {
    const bool serial = std::find(options_.overlaps.begin(), options_.overlaps.end(), Overlap::none) !=
                        options_.overlaps.end();
    for (const HaloPath& path : advice_.paths) {
      if (serial) predict(path, Overlap::none, path.costs);
      for (const auto& [overlap, costs, residual] : path.overlaps) predict(path, overlap, costs);
    }
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  }

  void confirm() {
    const std::size_t count =
        std::min(static_cast<std::size_t>(options_.confirmed), advice_.candidates.size());
    std::size_t confirmed = 0;
    for (; confirmed < count; ++confirmed) {
      HaloCandidate& candidate = advice_.candidates[confirmed];
      const std::optional<double> cycle = bench_.cycle(candidate.choice);
      if (!cycle) break;  // no time is left
      candidate.measured = *cycle / candidate.choice.depth;
    }
    std::stable_sort(advice_.candidates.begin(),
                     advice_.candidates.begin() + static_cast<std::ptrdiff_t>(confirmed),
                     [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
  }

  const HaloShape& shape_;
  const HaloOptions& options_;
  HaloBench& bench_;
  HaloAdvice advice_;
};

}  // namespace

double HaloAdvice::residual(const HaloChoice& choice) const {
  double largest = steps_residual;
  for (const HaloPath& path : paths) {
    if (path.transport != choice.transport || path.exchange != choice.exchange) continue;
    largest = std::max(largest, path.residual);
    for (const auto& overlapped : path.overlaps)
      if (overlapped.overlap == choice.overlap) largest = std::max(largest, overlapped.residual);
  }
  return largest;
}

HaloAdvice advise_halo(const HaloShape& shape, const HaloOptions& options, HaloBench& bench) {
  return HaloAdviser(shape, options, bench).run();
}

}  // namespace haloheap::advise
