// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/launch_blocking.hpp>
#include <haloheap/core/backend/memory.hpp>

#include <fmt/format.h>

#include <cstdlib>
#include <cstring>

namespace haloheap::backend {

int device_count() {
  int count = 0;
  if (cudaGetDeviceCount(&count) == cudaSuccess) return count;
  cudaGetLastError();  // no device and no driver are answers, not errors
  return 0;
}

void require_device(int device) {
  static const int count = device_count();  // does not change while a process runs
  if (device >= 0 && device < count) return;
  throw CapabilityError(
      fmt::format("there is no device {}: this process sees {}, numbered from 0", device, count),
      "nothing was made on it", "use one of these devices, or let CUDA_VISIBLE_DEVICES name more");
}

std::string launches_block_reason() {
  return launches_block_reason(std::getenv("CUDA_LAUNCH_BLOCKING"));
}

CurrentDeviceKeeper::CurrentDeviceKeeper() : device_(current_device()) {}

CurrentDeviceKeeper::~CurrentDeviceKeeper() {
  // To make it current again would be no error, but would start a device that nothing has used. Errors of the
  // device come up in each call after it, and a destructor must not throw.
  int current = device_;
  if (cudaGetDevice(&current) == cudaSuccess && current != device_) cudaSetDevice(device_);
}

DeviceIdentity device_identity() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, current_device()), "cudaGetDeviceProperties");
  DeviceIdentity identity;
  static_assert(sizeof identity == sizeof properties.uuid);
  std::memcpy(identity.data(), &properties.uuid, sizeof identity);
  return identity;
}

std::string device_description() {
  int device = 0, devices = 0, runtime = 0, driver = 0;
  cudaDeviceProp properties{};
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaGetDeviceCount(&devices), "cudaGetDeviceCount");
  check(cudaGetDeviceProperties(&properties, device), "cudaGetDeviceProperties");
  check(cudaRuntimeGetVersion(&runtime), "cudaRuntimeGetVersion");
  check(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
  return fmt::format("CUDA device {} of {}: {}, {} multiprocessors, {:.1f} GiB, runtime {}.{}, driver {}.{}",
                     device, devices, properties.name, properties.multiProcessorCount,
                     static_cast<double>(properties.totalGlobalMem) / (1 << 30), runtime / 1000,
                     runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
}

}  // namespace haloheap::backend
