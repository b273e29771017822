// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_PATIENCE_HPP
#define HALOHEAP_CORE_BASE_PATIENCE_HPP

#include <algorithm>
#include <chrono>

namespace haloheap {

/// How long a polling loop may go on. A turn of the loop counts as a tenth of a second at most: a process
/// that was stopped and goes on would otherwise blame the others for the time in which it was away itself.
class Patience {
 public:
  explicit Patience(double seconds) : left_(seconds) {}

  /// To be called once a turn.
  bool exhausted() {
    const auto now = Clock::now();
    left_ -= std::min(std::chrono::duration<double>(now - last_).count(), longest_turn);
    last_ = now;
    return left_ < 0;
  }

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr double longest_turn = 0.1;

  double left_;
  Clock::time_point last_ = Clock::now();
};

}  // namespace haloheap

#endif
