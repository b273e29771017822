// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_EXPLORER_HPP
#define HALOHEAP_UNIT_CORE_LANES_EXPLORER_HPP

#include <haloheap/unit/core/lanes/fibers.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace haloheap::emulation {

/// Something small to try in every order: what each lane does, on a state made for this one trial, and what
/// is wrong with the state when all have done it (empty: nothing).
struct Trial {
  std::vector<Fibers::Program> lanes;
  std::function<std::string()> verdict;
};

struct Exploration {
  unsigned preemptions = 2;  ///< how often a lane may be interrupted where it could go on, in one trial
  std::uint64_t max_trials = 2'000'000, max_steps = 20'000;
  /// explore_stops: the lane that is held up goes on when the others have paused so often
  std::uint64_t max_pauses = ~std::uint64_t{0};
};

struct Explored {
  std::uint64_t trials = 0;
  bool complete = false;  ///< there is no other order
  std::string failure;    ///< of the first trial that went wrong, with what every lane did; or empty
};

/// Tries all orders of the lanes' atomic operations with so many preemptions, depth first. Most faults of
/// protocols need one or two. make() is called for each trial and must make the same each time. The memory is
/// sequentially consistent: what weaker orders may do is for other checks.
Explored explore(const std::function<Trial()>& make, const Exploration& limits = {});

/// Tries all places at which the first lane may be held up for long, once for each of the others: there the
/// next of the others runs to its end, and who waits for the first lane waits long. As many trials as there
/// are places, or combinations of them; for two lanes, the first one's operations and one.
Explored explore_stops(const std::function<Trial()>& make, const Exploration& limits = {});

}  // namespace haloheap::emulation

#endif
