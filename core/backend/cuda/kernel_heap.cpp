// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/kernel_heap.hpp>

#include <fmt/format.h>

namespace haloheap::backend {

void reserve_kernel_heap(std::size_t bytes) {
  std::size_t now = 0;
  check(cudaDeviceGetLimit(&now, cudaLimitMallocHeapSize), "cudaDeviceGetLimit");
  if (now >= bytes) return;
  const cudaError_t status = cudaDeviceSetLimit(cudaLimitMallocHeapSize, bytes);
  if (status == cudaSuccess) return;
  cudaGetLastError();
  throw CapabilityError(
      fmt::format("kernels' own malloc has {} bytes and cannot be given {}: {}", now, bytes,
                  cudaGetErrorString(status)),
      "", "make the largest native heap first: CUDA sets the size before the first kernel that uses malloc");
}

bool kernel_heap_is_copyable() {
  return false;
}

}  // namespace haloheap::backend
