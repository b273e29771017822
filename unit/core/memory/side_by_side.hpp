// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_MEMORY_SIDE_BY_SIDE_HPP
#define HALOHEAP_UNIT_CORE_MEMORY_SIDE_BY_SIDE_HPP

#include <atomic>
#include <cstddef>
#include <thread>

namespace haloheap::testing {

/// Calls work() on two threads, again and again, until one has often found that the other was at it, too:
/// calls that disturb each other do so then. Returns the number of calls. On one core they may never meet:
/// there it ends all the same.
template <class Work>
std::size_t side_by_side(const Work& work) {
  constexpr std::size_t enough_meetings = 20'000, max_calls = 1'000'000;
  std::atomic<std::size_t> calls[2] = {0, 0};
  std::atomic<bool> enough = false;
  const auto run = [&](int self) {
    std::size_t meetings = 0, seen = 0;
    while (!enough && calls[self] < max_calls) {
      work();
      ++calls[self];
      const std::size_t now = calls[1 - self];
      if (now != seen && ++meetings == enough_meetings) enough = true;
      seen = now;
    }
  };
  std::thread other(run, 1);
  run(0);
  other.join();
  return calls[0] + calls[1];
}

}  // namespace haloheap::testing

#endif
