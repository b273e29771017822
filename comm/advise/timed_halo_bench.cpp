// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/advise/timed_halo_bench.hpp>
#include <haloheap/core/base/names.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace haloheap::comm {
namespace {

constexpr int max_cycles = 4000;
constexpr double long_enough = 10e-3;  // seconds of a run: a hundred times what a clock and a start may cost
constexpr double too_long = 2;         // seconds of all runs of a measurement

}  // namespace

/// How to measure a cycle that takes so many seconds, or 0 if that is not known: then once, to know it. A
/// graph holds pairs of cycles, and is recorded when it first runs; a cycle may end between two stages of a
/// step.
TimedHaloBench::Length TimedHaloBench::length_of(double cycle, const HaloChoice& choice) const {
  const bool graph = choice.graph;
  const int minimum = std::lcm(graph ? 2 : 1, stages_ / std::gcd(stages_, choice.depth));
  if (!(cycle > 0)) return {std::max(2 * minimum / std::gcd(2, minimum), 2), 1, graph ? 1 : 0};
  const double wanted = std::ceil(1.2 * long_enough / cycle / minimum) * minimum;
  const Length full{static_cast<int>(std::clamp<double>(wanted, minimum, max_cycles)), 3, 1};
  if (cycle * full.cycles * (full.repetitions + full.warm_ups) <= too_long) return full;
  return {minimum, 1, graph ? 1 : 0};
}

/// Where the time is up before there is a run to rely on, what a short one said is better than nothing.
/// @param known seconds of a unit, of which a cycle has `unit`: the quickest so far
std::optional<double> TimedHaloBench::measure(const HaloChoice& choice, Part part, double& known, double unit,
                                              double until) {
  std::optional<double> rough;
  for (;;) {
    const bool first = !(known > 0);
    const Length length = length_of(known * unit, choice);
    if (known * unit * length.cycles * (length.repetitions + length.warm_ups) > 2 * too_long)
      return rough;  // the time is better spent
    const int steps = length.cycles * choice.depth / stages_;
    const auto seconds = run(choice, {part, steps, length.repetitions, length.warm_ups}, until);
    if (!seconds || !(*seconds > 0)) return rough;
    rough = *seconds / length.cycles;
    const double each = *rough / unit;
    known = first ? each : std::min(known, each);
    if (until == in_any_case) until = while_time_is_left;
    const bool reliable = length.repetitions > 1 || known * unit * length.cycles > too_long / 4;
    if (reliable && (*seconds >= long_enough / 2 || length.cycles >= max_cycles)) return rough;
  }
}

std::optional<double> TimedHaloBench::exchange(const HaloChoice& choice) {
  const bool first = std::none_of(exchange_seconds_.begin(), exchange_seconds_.end(),
                                  [](const auto& path) { return path.second > 0; });
  const std::string path = choice.transport + name_of(choice.exchange);
  double until = exchanges_until_;
  if (first) until = in_any_case;
  return measure(choice, Part::exchange, exchange_seconds_[path], 1, until);
}

std::optional<double> TimedHaloBench::cycle(const HaloChoice& choice) {
  double until = while_time_is_left;
  if (!(step_seconds_ > 0)) until = in_any_case;
  return measure(choice, Part::all, step_seconds_, choice.depth, until);
}

}  // namespace haloheap::comm
