// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_STOPWATCH_HPP
#define HALOHEAP_CORE_BASE_STOPWATCH_HPP

#include <chrono>

namespace haloheap {

/// Seconds by the host's steady clock since it was made.
class Stopwatch {
 public:
  double seconds() const { return std::chrono::duration<double>(Clock::now() - begin_).count(); }

 private:
  using Clock = std::chrono::steady_clock;

  Clock::time_point begin_ = Clock::now();
};

}  // namespace haloheap

#endif
