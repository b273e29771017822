// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/backend/clock.hpp>
#include <haloheap/core/backend/device_clock.hpp>
#include <haloheap/core/backend/view.hpp>
#include <haloheap/core/base/error.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace haloheap::backend {
namespace {

struct Span {
  std::uint64_t ticks, nanoseconds;
};

/// One lane looks at both clocks, again when `length` nanoseconds are over, and turns at most so often.
struct Compare {
  backend::View<Span> span;
  std::uint64_t length, max_turns;

  KOKKOS_FUNCTION void operator()(int /*lane*/) const {
    const std::uint64_t begin = nanoseconds(), first = ticks();
    std::uint64_t now = begin;
    for (std::uint64_t turn = 0; turn < max_turns && now - begin < length; ++turn) now = nanoseconds();
    span() = {ticks() - first, now - begin};
  }
};

}  // namespace

double seconds_per_tick(const Exec& exec) {
  const backend::View<Span> span("haloheap::clock");
  Kokkos::parallel_for("haloheap::backend::compare_clocks", Kokkos::RangePolicy<Exec>(exec, 0, 1),
                       Compare{span, 5'000'000, 10'000'000});
  Span found{};
  Kokkos::deep_copy(
      exec, Kokkos::View<Span, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&found), span);
  exec.fence("haloheap::backend::seconds_per_tick");
  if (found.ticks == 0 || found.nanoseconds == 0) throw DeviceError("the clocks of the device stand still");
  return 1e-9 * static_cast<double>(found.nanoseconds) / static_cast<double>(found.ticks);
}

}  // namespace haloheap::backend
