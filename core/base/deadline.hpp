// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_DEADLINE_HPP
#define HALOHEAP_CORE_BASE_DEADLINE_HPP

#include <algorithm>
#include <chrono>
#include <thread>

namespace haloheap::base {

/// How long a polling loop may go on. A turn of the loop counts as a tenth of a second at most: a process
/// that was stopped and goes on would otherwise blame the others for the time in which it was away itself.
template <class Clock>
class DeadlineBy {
 public:
  explicit DeadlineBy(double seconds) : left_(seconds) {}

  /// To be called once a turn.
  bool passed() {
    const auto now = Clock::now();
    const double turn = std::min(std::chrono::duration<double>(now - last_).count(), longest_turn);
    waited_ += turn;
    left_ -= turn;
    last_ = now;
    return left_ < 0;
  }

  /// Whether the wait has become so long that its end need not be seen at once.
  bool long_since() const { return waited_ > long_wait; }

  /// Something has come: what comes next may come soon.
  void encourage() { waited_ = 0; }

  /// Leaves the core to others for a moment, who may be those that are waited for. Not at once: on a busy
  /// machine it is milliseconds until the core comes back, and what is under way comes sooner.
  void rest() const {
    if (long_since()) {
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    } else if (waited_ > short_wait) {
      std::this_thread::yield();
    }
  }

 private:
  static constexpr double longest_turn = 0.1;
  static constexpr double short_wait = 20e-6;  // of a message between two ranks that run
  static constexpr double long_wait = 0.05;    // a thousand times as long as a sleep, and than most exchanges

  double left_, waited_ = 0;
  typename Clock::time_point last_ = Clock::now();
};

using Deadline = DeadlineBy<std::chrono::steady_clock>;

}  // namespace haloheap::base

#endif
