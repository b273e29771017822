// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_COHERENCE_PLACEMENT_HPP
#define HALOHEAP_CORE_COHERENCE_PLACEMENT_HPP

#include <haloheap/core/coherence/workers.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace haloheap::coherence {

/// Who does a call fastest, by measurement: the host, one device, two, ..., or all. Each is tried by the
/// first calls of a name and a size (to the power of two that is not smaller); from then on the fastest does
/// them. Where the elements are when a call begins is part of what it costs: each tries several times in a
/// row, as it would go on, and its best time counts. Results do not depend on who computes them. For one
/// thread.
class Placement {
 public:
  using Clock = std::function<double()>;  ///< seconds

  /// @param clock for tests
  explicit Placement(Context& context, Clock clock = {});

  /// Makes the call: call(workers).
  template <class Call>
  void operator()(const std::string& name, ElementIndex size, const Call& call) {
    Choice& choice = choice_of(name, size);
    const std::size_t candidate = choice.candidate();
    const bool measured = !choice.made();
    const double begin = measured ? fenced_time() : 0;
    call(candidates_[candidate]);
    if (measured) choice.add(fenced_time() - begin, candidates_.size());
  }

  /// The workers that are to do the next call of this name and size.
  Workers next(const std::string& name, ElementIndex size) {
    return candidates_[choice_of(name, size).candidate()];
  }
  /// A line for each choice that is made: what it is, and the times of all.
  std::string report() const;

  static constexpr int tries = 3;

 private:
  /// What is known of the calls of one name and size.
  class Choice {
   public:
    bool made() const { return made_; }
    /// The number of the workers whose turn it is.
    std::size_t candidate() const { return candidate_; }
    void add(double seconds, std::size_t candidates);
    const std::vector<double>& best() const { return best_; }

   private:
    std::vector<double> best_;  // seconds, of each candidate
    std::size_t candidate_ = 0;
    int tried_ = 0;
    bool made_ = false;
  };

  Choice& choice_of(const std::string& name, ElementIndex size);
  double fenced_time();

  Context& context_;
  Clock clock_;
  std::vector<Workers> candidates_;
  std::map<std::pair<std::string, int>, Choice> choices_;  // by name and logarithm of the size
};

}  // namespace haloheap::coherence

#endif
