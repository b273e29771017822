// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_CHECK_HPP
#define HALOHEAP_BACKEND_CHECK_HPP

#include <haloheap/core/base/error.hpp>

#include <cuda_runtime.h>
#include <string>

namespace haloheap::backend {

/// Throws DeviceError if a CUDA call failed, naming the call and the device.
inline void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  int device = -1;
  cudaGetDevice(&device);
  throw DeviceError(std::string(call) + " failed on device " + std::to_string(device) + ": " +
                        cudaGetErrorName(status) + ", " + cudaGetErrorString(status),
                    "the device's results cannot be trusted from here on",
                    "run under compute-sanitizer to find the first bad access");
}

}  // namespace haloheap::backend

#endif
