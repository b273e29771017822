// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_DEVICE_GUARD_HPP
#define HALOHEAP_BACKEND_DEVICE_GUARD_HPP

#include <cuda_runtime.h>

namespace haloheap::backend {

/// Makes a device current in a scope. A thread starts on device 0, whatever the others use.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) {
    cudaGetDevice(&previous_);
    if (previous_ != device) cudaSetDevice(device);
  }
  DeviceGuard(const DeviceGuard&) = delete;
  DeviceGuard& operator=(const DeviceGuard&) = delete;
  ~DeviceGuard() { cudaSetDevice(previous_); }

 private:
  int previous_ = 0;
};

}  // namespace haloheap::backend

#endif
