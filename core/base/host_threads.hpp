// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BASE_HOST_THREADS_HPP
#define HALOHEAP_CORE_BASE_HOST_THREADS_HPP

#include <algorithm>
#include <cstdint>
#include <future>
#include <vector>

namespace haloheap::base {

/// CPUs that this process may use: fewer than the machine has where it is bound to some.
int allowed_cpus();

/// Calls `visit(begin, end)` for parts of [0, count) that are as even as can be, each by a thread of its own,
/// and waits for all of them. For work that is long beside the start of a thread, where Kokkos has one thread
/// on the host since its kernels run on a device.
/// @throws what a part throws
template <class Visit>
void share_among_threads(std::int64_t count, int threads, const Visit& visit) {
  const auto parts = std::clamp<std::int64_t>(threads, 1, std::max<std::int64_t>(count, 1));
  const auto begin_of = [&](std::int64_t part) {
    return count / parts * part + std::min(part, count % parts);
  };
  std::vector<std::future<void>> others;  // their destructors wait, also if something is thrown here
  for (std::int64_t part = 1; part < parts; ++part)
    others.push_back(std::async(std::launch::async, [&visit, begin = begin_of(part),
                                                     end = begin_of(part + 1)] { visit(begin, end); }));
  visit(std::int64_t{0}, begin_of(1));
  for (std::future<void>& other : others) other.get();
}

}  // namespace haloheap::base

#endif
