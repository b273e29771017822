// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_POINT_RUNNER_HPP
#define HALOHEAP_MINIAPP_ADVISE_POINT_RUNNER_HPP

#include <haloheap/comm/advise/timed_halo_bench.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problem.hpp>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace haloheap::advise {

/// Says what is measured now, and how long that has taken so far.
using Say = std::function<void(const std::string& what, double seconds)>;

/// Runs points of decks to learn what they cost, until its time is up. What one cannot have is remembered,
/// and is no error. All ranks get the same answers. Collective.
class PointRunner {
 public:
  static constexpr double no_limit = comm::while_time_is_left, always = comm::in_any_case;

  /// @param seconds from now on, after which nothing new is started
  PointRunner(const comm::Communicator& communicator, double seconds, Say say = {});

  /// Nothing if the machine cannot do that, or the time is up.
  /// @param until seconds as halfway() counts them, after which this is not started either; `always`: it is
  ///        started even when the time is up, since nothing could be said without it
  std::optional<report::Point> run(const deck::Deck& deck, const std::string& what, double until = no_limit);
  /// When half of the time that is left now will have passed, the same on all ranks. Collective.
  double halfway() const;

  int ranks() const { return communicator_.size(); }
  /// Collective. @param ranks_per_node pretend that so many ranks make a node; 0: ask MPI
  int nodes(int ranks_per_node) const;
  /// What follows gets no more than this share of the whole time, what has passed included.
  void use(double share);
  double elapsed() const { return watch_.seconds(); }
  /// Whether something was not measured for want of time.
  bool time_is_up() const { return time_is_up_; }
  /// What could not be run, with the reason.
  const std::map<std::string, std::string>& missing() const { return missing_; }

 private:
  Problem& problem(const deck::Deck& deck);

  const comm::Communicator& communicator_;
  base::Stopwatch watch_;
  double seconds_, until_;
  Say say_;
  bool time_is_up_ = false;
  std::map<std::string, std::unique_ptr<Problem>> problems_;
  std::map<std::string, std::string> missing_;
  std::set<std::string> refused_;
};

}  // namespace haloheap::advise

#endif
