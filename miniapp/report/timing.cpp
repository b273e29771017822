// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/report/timing.hpp>

namespace haloheap::report {
namespace {

using T = Timing;

std::optional<double> spread(const T& timing) {
  const Spread& wall = timing.wall;
  if (!(wall.maximum > wall.minimum) || !(wall.median > 0)) return std::nullopt;
  return (wall.maximum - wall.minimum) / wall.median;
}

Quantities<T> make_timings(const std::optional<Shown>& time) {
  return {
      {{"wall_s.median", "s", "time", "Time of a run, the slowest rank's: the median over the repetitions.",
        time},
       [](const T& t) { return t.wall.median; }},
      {{"wall_s.minimum", "s", "shortest time", "Time of the fastest repetition."},
       [](const T& t) { return t.wall.minimum; }},
      {{"wall_s.maximum", "s", "longest time", "Time of the slowest repetition."},
       [](const T& t) { return t.wall.maximum; }},
      {{"wall_s.spread", "", "spread", "(maximum - minimum) / median, where repetitions differ.",
        Shown{"spread [%]", 100, ".1f"}},
       spread},
      {{"warm_up_s", "s", "warm-up", "Time before the first repetition that counts."}, &T::warm_up},
  };
}

}  // namespace

const Quantities<T>& timings() {
  static const auto all = make_timings(std::nullopt);
  return all;
}

const Quantities<T>& shown_timings() {
  static const auto all = make_timings(Shown{});
  return all;
}

const Quantities<MemoryUse>& memory_use() {
  static const Quantities<MemoryUse> all = {{{"memory_per_rank_bytes", "bytes", "memory of a rank",
                                              "Bytes that the rank with the largest need takes."},
                                             &MemoryUse::bytes}};
  return all;
}

}  // namespace haloheap::report
