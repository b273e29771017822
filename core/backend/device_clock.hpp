// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_DEVICE_CLOCK_HPP
#define HALOHEAP_CORE_BACKEND_DEVICE_CLOCK_HPP

#include <haloheap/core/backend/instance.hpp>

namespace haloheap::backend {

/// Seconds of a tick of the clock that kernels have (backend/clock.hpp), measured against the device's
/// nanoseconds over some milliseconds: a device's clock rate is not always the one that it names.
double seconds_per_tick(const Exec& exec);

}  // namespace haloheap::backend

#endif
