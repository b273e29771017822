// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_STOPWATCH_HPP
#define HALOHEAP_CORE_BASE_STOPWATCH_HPP

#include <chrono>

namespace haloheap::base {

/// Seconds of the host's steady clock, from a moment that is the same for the whole process.
inline double steady_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// Seconds by the host's steady clock since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin_ = Clock::now();
};

}  // namespace haloheap::base

#endif
