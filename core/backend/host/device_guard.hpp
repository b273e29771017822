// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_DEVICE_GUARD_HPP
#define HALOHEAP_BACKEND_DEVICE_GUARD_HPP

namespace haloheap::backend {

/// Makes a device current in a scope: nothing, where the device is emulated.
class DeviceGuard {
 public:
  explicit DeviceGuard(int /*device*/) {}
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
};

}  // namespace haloheap::backend

#endif
