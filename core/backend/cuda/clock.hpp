// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_CLOCK_HPP
#define HALOHEAP_BACKEND_CLOCK_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace haloheap::backend {

/// The fastest clock that a kernel has: cycles of the multiprocessor that the lane is on. What the lane does
/// before and after stays on its side. core/backend/device_clock.hpp says how long a tick is.
KOKKOS_INLINE_FUNCTION std::uint64_t ticks() {
  KOKKOS_IF_ON_DEVICE((std::uint64_t now = 0; asm volatile("mov.u64 %0, %%clock64;"
                                                           : "=l"(now)
                                                           :
                                                           : "memory");
                       return now;))
  KOKKOS_IF_ON_HOST((return 0;))
}

/// A clock that all lanes of a device share, in steps of up to a microsecond. It keeps its pace, and goes on
/// while the kernel is off the device.
KOKKOS_INLINE_FUNCTION std::uint64_t nanoseconds() {
  KOKKOS_IF_ON_DEVICE((std::uint64_t now = 0; asm volatile("mov.u64 %0, %%globaltimer;"
                                                           : "=l"(now)
                                                           :
                                                           : "memory");
                       return now;))
  KOKKOS_IF_ON_HOST((return 0;))
}

}  // namespace haloheap::backend

#endif
