// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_CYCLE_PASSES_HPP
#define HALOHEAP_COMM_HALO_CYCLE_PASSES_HPP

#include <algorithm>

namespace haloheap::comm::detail {

/// A pass over memory: sub-steps `before` + 1 to `after` of a cycle, which is what lies between two
/// exchanges.
struct Pass {
  int before = 0, after = 0;
  int steps() const { return after - before; }
};

/// Passes of a cycle of so many steps of which one pass makes at most `fused`. Both are positive.
inline int pass_count(int steps, int fused) {
  return (steps + fused - 1) / fused;
}

/// Pass number `number`, from 1 to pass_count. The passes of a cycle differ by at most one step, for a pass
/// of a single step costs hardly less than one of several: 4 steps of which a pass makes at most 3 are 2 and
/// 2, not 3 and 1. The longer ones come first, so that the first pass is as long as any.
inline Pass pass_of(int number, int steps, int fused) {
  const int count = pass_count(steps, fused), minimum = steps / count, longer = steps % count;
  const auto end_of = [&](int passes) { return passes * minimum + std::min(passes, longer); };
  return {end_of(number - 1), end_of(number)};
}

/// What is done between two exchanges. Where the last step is `apart`, it is a pass by itself: its squared
/// differences are added up, which not all kernels of several steps can do.
struct Cycle {
  int steps = 0, fused = 1;
  bool apart = false;
  bool measured = false;  ///< the last pass measures what it leaves

  int passes() const { return pass_count(steps - apart, fused) + apart; }
  Pass pass(int number) const {
    if (apart && number == passes()) return {steps - 1, steps};
    return pass_of(number, steps - apart, fused);
  }
};

}  // namespace haloheap::comm::detail

#endif
