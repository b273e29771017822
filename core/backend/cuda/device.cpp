// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/device.hpp>

#include <fmt/format.h>

namespace haloheap::backend {

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // no device and no driver are answers, not errors
  return 0;
}

std::string device_description() {
  int device = 0, runtime = 0, driver = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return fmt::format("CUDA device {}: {}, {} multiprocessors, {:.1f} GiB, runtime {}.{}, driver {}.{}",
                     device, properties.name, properties.multiProcessorCount,
                     static_cast<double>(properties.totalGlobalMem) / (1 << 30), runtime / 1000,
                     runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

}  // namespace haloheap::backend
