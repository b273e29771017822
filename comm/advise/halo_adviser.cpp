// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/advise/halo_adviser.hpp>
#include <haloheap/comm/halo/cycle_passes.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <utility>

namespace haloheap::comm {
namespace {

/// Overlaps and graphs are measured for so many of the quickest transports.
constexpr std::size_t measured_paths = 3;
/// Exchanges that take so many times as long as the quickest are not looked at further.
constexpr double hopeless = 8;
/// Of predictions that nothing near by has corrected.
constexpr double usual_error = 0.6;
/// Of the quickest measurements, those within this share are made again: single ones flatter what they pick.
constexpr double alike = 0.03;
constexpr std::size_t repeated = 5;

template <class T>
bool contains(const std::vector<T>& list, const T& value) {
  return std::find(list.begin(), list.end(), value) != list.end();
}

/// So many of the depths, from the smallest to the largest.
std::vector<int> spread(const std::vector<int>& depths, std::size_t count) {
  if (depths.size() <= count) return depths;
  std::vector<int> chosen;
  for (std::size_t i = 0; i < count; ++i) chosen.push_back(depths[i * (depths.size() - 1) / (count - 1)]);
  return chosen;
}

std::vector<int> middle_first(std::vector<int> depths) {
  if (depths.size() > 1) std::swap(depths[0], depths[1]);
  return depths;
}

/// How far apart two choices are, as to what the errors of their predictions have in common.
double distance(const HaloChoice& a, const HaloChoice& b) {
  const auto doublings = [](int x, int y) { return std::abs(std::log2(static_cast<double>(x) / y)); };
  return 3 * doublings(a.depth, b.depth) + 3 * doublings(a.fused, b.fused) + 3.0 * (a.overlap != b.overlap) +
         1.5 * (a.transport != b.transport) + 1.0 * (a.exchange != b.exchange) + 1.0 * (a.graph != b.graph);
}

/// What measurements say of the predictions around them: a mean of the logarithms of measured over predicted
/// time, each with a weight that falls with its distance, and one of no error far away.
class Corrections {
 public:
  explicit Corrections(const std::vector<HaloCandidate>& candidates)
      : candidates_(candidates), sums_(candidates.size(), {far, 0}) {}

  void learn(const HaloCandidate& measured) {
    const double error = std::log(*measured.measured / measured.predicted);
    for (std::size_t i = 0; i < sums_.size(); ++i) {
      const double weight = std::exp2(-2 * distance(candidates_[i].choice, measured.choice));
      sums_[i].weights += weight;
      sums_[i].errors += weight * error;
    }
  }
  /// What a candidate may take at best: less than its corrected prediction by the usual error where nothing
  /// near it was measured, and by little where much was.
  double at_best(std::size_t i) const {
    const Sum& sum = sums_[i];
    return candidates_[i].predicted *
           std::exp(sum.errors / sum.weights - usual_error * std::sqrt(far / sum.weights));
  }
  std::optional<std::size_t> most_promising(const std::vector<bool>& done) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < sums_.size(); ++i)
      if (!done[i] && (!found || at_best(i) < at_best(*found))) found = i;
    return found;
  }

 private:
  static constexpr double far = 1.0 / 64;  // a doubling of the depth, or another overlap
  struct Sum {
    double weights, errors;
  };
  const std::vector<HaloCandidate>& candidates_;
  std::vector<Sum> sums_;
};

class HaloAdviser {
 public:
  HaloAdviser(const HaloShape& shape, const HaloOptions& options, HaloBench& bench)
      : shape_(shape), options_(options), bench_(bench), choices_(all_choices(options)) {}

  HaloAdvice run() {
    measure_exchanges();
    if (advice_.paths.empty()) return {};
    measure_passes();
    if (advice_.paths.front().costs.passes.empty()) return {};
    for (std::size_t i = 0; i < std::min(measured_paths, advice_.paths.size()); ++i) {
      measure_overlaps(advice_.paths[i]);
      measure_graph(advice_.paths[i]);
    }
    predict();
    if (advice_.candidates.empty()) return {};  // overlaps alone are open, and none could be measured
    confirm();
    search();
    repeat();
    sort();
    return std::move(advice_);
  }

 private:
  /// The depths that this choice may have otherwise.
  std::vector<int> depths_of(HaloChoice choice) const {
    std::vector<int> depths;
    for (const int depth : options_.depths)
      if (choice.depth = depth; options_.admits(choice)) depths.push_back(depth);
    return depths;
  }

  double step_seconds(const HaloCosts& costs, const HaloChoice& choice) const {
    return cycle_seconds(shape_, costs, choice.cycle()) / choice.depth;
  }

  /// The choice with the number of fused steps that is predicted to be best.
  std::optional<HaloChoice> best_fused(HaloChoice choice, const HaloCosts& costs) const {
    std::optional<HaloChoice> best;
    for (const int fused : options_.fused) {
      choice.fused = fused;
      if (options_.admits(choice) && (!best || step_seconds(costs, choice) < step_seconds(costs, *best)))
        best = choice;
    }
    return best;
  }

  /// Cycles of a choice at four depths, each with its best number of fused steps.
  MeasuredCycles cycles_of(HaloChoice choice, const HaloCosts& costs) {
    std::vector<int> depths;
    for (const int depth : options_.depths)
      if (choice.depth = depth; best_fused(choice, costs)) depths.push_back(depth);
    MeasuredCycles cycles;
    for (const int depth : spread(depths, 4)) {
      choice.depth = depth;
      add_measured(cycles, *best_fused(choice, costs));
    }
    return cycles;
  }

  void add_measured(MeasuredCycles& cycles, const HaloChoice& choice) {
    const std::optional<double> seconds = bench_.cycle(choice);
    if (!seconds || !(*seconds > 0)) return;
    cycles.push_back({choice.cycle(), *seconds});
    known_.emplace_back(choice, *seconds / choice.depth);
  }

  double quickest(const MeasuredPath& path) const {
    double minimum = -1;
    for (const HaloChoice& choice : choices_) {
      if (choice.transport != path.transport || choice.exchange != path.exchange) continue;
      const HaloCycle cycle{choice.depth, choice.fused};
      const double seconds = cycle_seconds(shape_, path.costs, cycle) / choice.depth;
      if (minimum < 0 || seconds < minimum) minimum = seconds;
    }
    return minimum;
  }

  void sort_paths() {
    std::stable_sort(advice_.paths.begin(), advice_.paths.end(),
                     [&](const MeasuredPath& a, const MeasuredPath& b) { return quickest(a) < quickest(b); });
  }

  /// What is measured alone is measured as simply as the options have it.
  HaloChoice plain(const std::string& transport, Exchange exchange, int fused) const {
    const bool plain_graph = options_.graphs.front();
    return {transport, exchange, Overlap::none, options_.depths.front(), fused, plain_graph};
  }

  struct Exchanges {
    HaloChoice choice;
    std::vector<int> depths;  // from the one that is measured first
    SecondsOfDepth seconds = {};
  };

  void measure(Exchanges& path, std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < std::min(to, path.depths.size()); ++i) {
      path.choice.depth = path.depths[i];
      const std::optional<double> value = bench_.exchange(path.choice);
      if (value && *value > 0) path.seconds[path.choice.depth] = *value;
    }
  }

  /// At a middle depth, and where that is not hopeless, at the smallest and the largest too.
  void measure_exchanges() {
    std::vector<Exchanges> paths;
    double quickest = std::numeric_limits<double>::infinity();
    for (const std::string& transport : options_.transports)
      for (const Exchange exchange : options_.exchanges) {
        const HaloChoice choice = plain(transport, exchange, options_.fused.front());
        Exchanges& path = paths.emplace_back(Exchanges{choice, middle_first(spread(depths_of(choice), 3))});
        measure(path, 0, 1);
        for (const auto& [depth, seconds] : path.seconds) quickest = std::min(quickest, seconds);
      }
    for (Exchanges& path : paths) {
      if (path.seconds.empty()) continue;
      if (path.seconds.begin()->second <= hopeless * quickest) measure(path, 1, path.depths.size());
      MeasuredPath& found =
          advice_.paths.emplace_back(MeasuredPath{path.choice.transport, path.choice.exchange, {}, 0});
      found.residual = fit_exchanges(shape_, path.seconds, found.costs);
    }
    sort_paths();
  }

  /// Depths whose passes are all of so many steps, or where there are none, all depths.
  std::vector<int> whole_depths(const HaloChoice& choice) const {
    const std::vector<int> depths = depths_of(choice);
    std::vector<int> whole;
    std::copy_if(depths.begin(), depths.end(), std::back_inserter(whole),
                 [&](int depth) { return depth % choice.fused == 0; });
    return whole.empty() ? depths : whole;
  }

  /// The same for all transports: what is left of whole cycles without their exchange.
  void measure_passes() {
    MeasuredPath& best = advice_.paths.front();
    MeasuredCycles cycles;
    // Of each number of steps one depth first: should the time be up early, all are known.
    for (std::size_t sample = 0; sample < 3; ++sample)
      for (const int fused : options_.fused) {
        HaloChoice choice = plain(best.transport, best.exchange, fused);
        const std::vector<int> depths = middle_first(spread(whole_depths(choice), 3));
        if (sample >= depths.size()) continue;
        choice.depth = depths[sample];
        add_measured(cycles, choice);
      }
    advice_.passes_residual = fit_passes(shape_, cycles, best.costs);
    const PassCosts passes = best.costs.passes;
    for (MeasuredPath& path : advice_.paths) path.costs.passes = passes;
    sort_paths();
  }

  void measure_overlaps(MeasuredPath& path) {
    for (const Overlap overlap : options_.overlaps) {
      if (overlap == Overlap::none) continue;
      HaloChoice choice = plain(path.transport, path.exchange, options_.fused.front());
      choice.overlap = overlap;
      const MeasuredCycles cycles = cycles_of(choice, path.costs);
      if (cycles.empty()) continue;
      HaloCosts costs = path.costs;
      const double residual = fit_overlap(shape_, cycles, costs);
      path.overlaps.push_back({overlap, costs, residual});
    }
  }

  void measure_graph(MeasuredPath& path) {
    if (!contains(options_.graphs, true) || options_.graphs.front()) return;
    HaloChoice choice = plain(path.transport, path.exchange, options_.fused.front());
    choice.graph = true;
    const MeasuredCycles cycles = cycles_of(choice, path.costs);
    if (cycles.empty()) return;
    HaloCosts costs = path.costs;
    path.recorded_residual = fit_graph(shape_, cycles, costs);
    path.recorded = costs;
  }

  /// What is known of a choice's costs; nothing where it was not measured.
  std::optional<HaloCosts> costs_of(const MeasuredPath& path, const HaloChoice& choice) const {
    HaloCosts costs = path.costs;
    if (choice.overlap != Overlap::none) {
      const auto found = std::find_if(path.overlaps.begin(), path.overlaps.end(),
                                      [&](const auto& o) { return o.overlap == choice.overlap; });
      if (found == path.overlaps.end()) return std::nullopt;
      costs = found->costs;
    }
    if (!choice.graph || options_.graphs.front()) return costs;
    if (!path.recorded) return std::nullopt;
    costs.recorded_exchange = path.recorded->recorded_exchange;
    costs.recorded_pass = path.recorded->recorded_pass;
    return costs;
  }

  void predict() {
    for (const HaloChoice& choice : choices_)
      for (const MeasuredPath& path : advice_.paths) {
        if (choice.transport != path.transport || choice.exchange != path.exchange) continue;
        if (const auto costs = costs_of(path, choice))
          advice_.candidates.push_back({choice, step_seconds(*costs, choice), {}});
      }
    for (HaloCandidate& candidate : advice_.candidates)
      for (const auto& [choice, seconds] : known_)
        if (choice == candidate.choice) candidate.measured = seconds;
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.predicted < b.predicted; });
  }

  /// Those that were measured first, and of the others the best predictions.
  void sort() {
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(), [](const auto& a, const auto& b) {
      if (a.measured.has_value() != b.measured.has_value()) return a.measured.has_value();
      return a.seconds() < b.seconds();
    });
  }

  bool measure(HaloCandidate& candidate) {
    const std::optional<double> cycle = bench_.cycle(candidate.choice);
    if (cycle && *cycle > 0) candidate.measured = *cycle / candidate.choice.depth;
    return candidate.measured.has_value();
  }

  /// The best predictions, and the best of each overlap with and without a graph: a fit that flatters one of
  /// them must not hide the others.
  void confirm() {
    std::vector<std::pair<Overlap, bool>> seen;
    int confirmed = 0;
    for (HaloCandidate& candidate : advice_.candidates) {
      const std::pair kind{candidate.choice.overlap, candidate.choice.graph};
      const bool first = !contains(seen, kind);
      if (first) seen.push_back(kind);
      if (candidate.measured || (!first && confirmed >= options_.confirmed)) continue;
      ++confirmed;
      measure(candidate);
    }
    sort();
  }

  /// Measures whatever may be better than the best so far, the most promising first. Beside what was
  /// measured, predictions are as wrong as they were there.
  void search() {
    Corrections corrections(advice_.candidates);
    std::vector<bool> done;
    for (const HaloCandidate& candidate : advice_.candidates) {
      done.push_back(candidate.measured.has_value());
      if (candidate.measured) corrections.learn(candidate);
    }
    for (int i = 0; i < options_.searched; ++i) {
      const auto next = corrections.most_promising(done);
      if (!next || corrections.at_best(*next) > min_measured()) return sort();
      HaloCandidate& candidate = advice_.candidates[*next];
      done[*next] = true;
      if (measure(candidate)) corrections.learn(candidate);
    }
    sort();
  }

  double min_measured() const {
    double minimum = std::numeric_limits<double>::infinity();
    for (const HaloCandidate& candidate : advice_.candidates)
      if (candidate.measured) minimum = std::min(minimum, *candidate.measured);
    return minimum;
  }

  void repeat() {
    const std::size_t count = std::min(repeated, advice_.candidates.size());
    const double limit = (1 + alike) * advice_.candidates.front().seconds();
    for (std::size_t i = 0; i < count; ++i) {
      HaloCandidate& candidate = advice_.candidates[i];
      if (!candidate.measured || *candidate.measured > limit) return;
      const double once = *candidate.measured;
      if (measure(candidate)) candidate.measured = (once + *candidate.measured) / 2;
    }
  }

  const HaloShape& shape_;
  const HaloOptions& options_;
  HaloBench& bench_;
  std::vector<HaloChoice> choices_;
  std::vector<std::pair<HaloChoice, double>> known_;  // seconds of a step, measured for the fits
  HaloAdvice advice_;
};

}  // namespace

bool HaloOptions::admits(const HaloChoice& choice) const {
  if (choice.fused > choice.depth || (allowed && !allowed(choice))) return false;
  const int passes = detail::pass_count(choice.depth, choice.fused);
  // The first pass is then all of them.
  if (passes == 1 && choice.overlap == Overlap::all_steps && contains(overlaps, Overlap::first_step))
    return false;
  return std::none_of(fused.begin(), fused.end(), [&](int fewer) {
    return fewer < choice.fused && detail::pass_count(choice.depth, fewer) == passes;
  });
}

std::vector<HaloChoice> all_choices(const HaloOptions& options) {
  std::vector<HaloChoice> choices;
  for (const std::string& transport : options.transports)
    for (const Exchange exchange : options.exchanges)
      for (const Overlap overlap : options.overlaps)
        for (const bool graph : options.graphs)
          for (const int depth : options.depths)
            for (const int fused : options.fused)
              if (const HaloChoice choice{transport, exchange, overlap, depth, fused, graph};
                  options.admits(choice))
                choices.push_back(choice);
  return choices;
}

double HaloAdvice::residual(const HaloChoice& choice) const {
  double largest = passes_residual;
  for (const MeasuredPath& path : paths) {
    if (path.transport != choice.transport || path.exchange != choice.exchange) continue;
    largest = std::max(largest, path.residual);
    if (choice.graph) largest = std::max(largest, path.recorded_residual);
    for (const auto& overlapped : path.overlaps)
      if (overlapped.overlap == choice.overlap) largest = std::max(largest, overlapped.residual);
  }
  return largest;
}

HaloAdvice advise_halo(const HaloShape& shape, const HaloOptions& options, HaloBench& bench) {
  return HaloAdviser(shape, options, bench).run();
}

}  // namespace haloheap::comm
