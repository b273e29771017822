// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/stream_memory.hpp>

#include <Kokkos_Core.hpp>
#include <fmt/format.h>

#include <algorithm>

namespace haloheap::backend {

void* allocate_async(const Exec& exec, std::size_t bytes, std::string_view label) {
  void* data = nullptr;
  const cudaError_t status = cudaMallocAsync(&data, std::max<std::size_t>(bytes, 1), exec.cuda_stream());
  if (status == cudaErrorMemoryAllocation) {
    (void)cudaGetLastError();
    const int device = exec.cuda_device();
    throw_out_of_memory({MemoryKind::device, bytes, 1, label, device}, device_memory(device),
                        fmt::format("device {}", device));
  }
  check(status, "cudaMallocAsync");
  return data;
}

void deallocate_async(const Exec& exec, void* data, std::size_t /*bytes*/) noexcept {
  // The status reports failures of earlier work, which is not this block's to handle.
  (void)cudaFreeAsync(data, exec.cuda_stream());
}

std::string stream_memory_unavailable_reason() {
  int supported = 0;
  if (cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, current_device()) != cudaSuccess)
    (void)cudaGetLastError();
  return supported != 0 ? "" : "the device's attribute MemoryPoolsSupported is 0";
}

}  // namespace haloheap::backend
