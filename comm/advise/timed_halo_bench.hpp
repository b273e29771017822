// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_ADVISE_TIMED_HALO_BENCH_HPP
#define HALOHEAP_COMM_ADVISE_TIMED_HALO_BENCH_HPP

#include <haloheap/comm/advise/halo_adviser.hpp>

#include <limits>
#include <map>
#include <optional>
#include <string>

namespace haloheap::comm {

/// Until when a measurement may begin: seconds since the adviser's start, while it has time at all, or even
/// when that is up, since nothing could be said without it.
inline constexpr double while_time_is_left = std::numeric_limits<double>::max(),
                        in_any_case = std::numeric_limits<double>::infinity();

/// Measures a choice in runs that are made longer until a clock can be relied on.
class TimedHaloBench : public HaloBench {
 public:
  /// @param stages of a step
  /// @param exchanges_until see while_time_is_left: exchanges alone say nothing of steps, and leave them time
  TimedHaloBench(int stages, double exchanges_until) : stages_(stages), exchanges_until_(exchanges_until) {}

  std::optional<double> exchange(const HaloChoice& choice) override;
  std::optional<double> cycle(const HaloChoice& choice) override;

 protected:
  struct Run {
    Part part;  ///< all, or the exchanges alone
    int steps;  ///< of a repetition, whole ones
    int repetitions, warm_ups;
  };
  /// Seconds of a repetition, the median of all, of the slowest rank; nothing where the machine cannot do
  /// that, or no time is left. All ranks give the same answer. Collective.
  virtual std::optional<double> run(const HaloChoice& choice, const Run& run, double until) = 0;

 private:
  struct Length {
    int cycles, repetitions, warm_ups;
  };
  std::optional<double> measure(const HaloChoice& choice, Part part, double& known, double unit,
                                double until);
  Length length_of(double cycle, const HaloChoice& choice) const;

  int stages_;
  double exchanges_until_;
  std::map<std::string, double> exchange_seconds_;  // by path, the quickest so far
  double step_seconds_ = 0;                         // the quickest so far
};

}  // namespace haloheap::comm

#endif
