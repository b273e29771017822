// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/lanes/schedule.hpp>

#include <algorithm>

namespace haloheap::emulation {

RandomSchedule::RandomSchedule(std::uint32_t seed)
    : seed_(seed), engine_(seed * 2654435761U + 1), turn_(1U << seed % 5), sleep_(16U << seed / 5 % 4) {}

unsigned RandomSchedule::next(Point point, const std::vector<unsigned>& runnable, unsigned current) {
  constexpr unsigned longest_sleep = 3000;  // steps of all others together
  ++now_;
  if (point == Point::step && engine_() % turn_ != 0) return current;
  if (point != Point::end && engine_() % sleep_ == 0) {
    wakes_.resize(std::max<std::size_t>(wakes_.size(), current + 1));
    wakes_[current] = now_ + engine_() % longest_sleep;
  }
  for (int attempt = 0; attempt < 8; ++attempt) {
    const unsigned fiber = runnable[engine_() % runnable.size()];
    if (!sleeps(fiber) && (point != Point::pause || fiber != current)) return fiber;
  }
  return runnable[engine_() % runnable.size()];
}

}  // namespace haloheap::emulation
