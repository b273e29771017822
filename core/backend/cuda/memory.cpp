// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/device_guard.hpp>
#include <haloheap/core/backend/cuda/page_lock.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/memory_file.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cuda_runtime.h>

namespace haloheap::backend {
namespace {

/// Managed bytes that are taken: pages that nobody has touched yet do not show in the device's free memory.
std::atomic<std::size_t> managed_in_use{0};

bool on_host(MemoryKind kind) {
  return kind != MemoryKind::device && kind != MemoryKind::managed;
}

std::string place(const MemoryRequest& request) {
  return on_host(request.kind) ? "the host" : fmt::format("device {}", request.device);
}

MemoryAmount amount_for(const MemoryRequest& request) {
  return on_host(request.kind) ? host_memory() : device_memory(request.device);
}

/// Clears the error, so that the next unrelated call does not report it.
void check(cudaError_t status, const MemoryRequest& request, const char* call) {
  if (status == cudaSuccess) return;
  (void)cudaGetLastError();
  if (status == cudaErrorMemoryAllocation) throw_out_of_memory(request, amount_for(request), place(request));
  throw DeviceError(
      fmt::format("{} of {} bytes for '{}' failed on device {}: {} ({})", call, request.bytes, request.label,
                  request.device, cudaGetErrorString(status), cudaGetErrorName(status)),
      "the block was not allocated",
      "an earlier kernel may have failed: run compute-sanitizer on this program");
}

void* allocate_managed(const MemoryRequest& request, std::size_t bytes) {
  const MemoryAmount amount = device_memory(request.device);
  require_free(request, amount, place(request));
  if (managed_in_use.fetch_add(bytes) + bytes > amount.total) {
    managed_in_use -= bytes;
    throw_out_of_memory(request, amount, place(request));
  }
  void* data = nullptr;
  const cudaError_t status = cudaMallocManaged(&data, bytes, cudaMemAttachGlobal);
  if (status != cudaSuccess) managed_in_use -= bytes;
  check(status, request, "cudaMallocManaged");
  return data;
}

void* allocate_shared(const MemoryRequest& request, std::size_t bytes) {
  void* const data = memory_file::take(bytes);
  if (data == nullptr) throw_out_of_memory(request, amount_for(request), place(request));
  const cudaError_t status = page_lock(data, bytes);
  if (status != cudaSuccess) memory_file::give_back(data);
  check(status, request, "cudaHostRegister");
  return data;
}

void* allocate_registered(const MemoryRequest& request, std::size_t bytes) {
  void* const data = allocate_pageable(request);
  const cudaError_t status = page_lock(data, bytes);
  if (status != cudaSuccess) deallocate_pageable(data);
  check(status, request, "cudaHostRegister");
  return data;
}

void* allocate_page_locked(const MemoryRequest& request, std::size_t bytes) {
  unsigned flags = cudaHostAllocPortable;
  if (request.kind == MemoryKind::write_combined) flags |= cudaHostAllocWriteCombined;
  void* data = nullptr;
  check(cudaHostAlloc(&data, bytes, flags), request, "cudaHostAlloc");
  return data;
}

}  // namespace

void* allocate(const MemoryRequest& request) {
  if (request.kind == MemoryKind::pageable) return allocate_pageable(request);
  require_device(request.device);
  const DeviceGuard guard(request.device);
  const std::size_t bytes = std::max<std::size_t>(request.bytes, 1);
  if (request.kind == MemoryKind::managed) return allocate_managed(request, bytes);
  if (bytes >= checked_bytes) require_free(request, amount_for(request), place(request));
  if (request.kind == MemoryKind::shared) return allocate_shared(request, bytes);
  if (request.kind == MemoryKind::registered) return allocate_registered(request, bytes);
  if (request.kind != MemoryKind::device) return allocate_page_locked(request, bytes);
  void* data = nullptr;
  // Not cudaMallocAsync: another process can map memory of cudaMalloc only.
  check(cudaMalloc(&data, bytes), request, "cudaMalloc");
  return data;
}

void deallocate(MemoryKind kind, void* data, std::size_t bytes, int device) noexcept {
  if (kind == MemoryKind::pageable) return deallocate_pageable(data);
  const DeviceGuard guard(device);
  if (kind == MemoryKind::shared) {
    page_unlock(data);
    return memory_file::give_back(data);
  }
  if (kind == MemoryKind::registered) {
    page_unlock(data);
    return deallocate_pageable(data);
  }
  // The status reports failures of earlier work, which is not this block's to handle.
  (void)(on_host(kind) ? cudaFreeHost(data) : cudaFree(data));
  if (kind == MemoryKind::managed) managed_in_use -= std::max<std::size_t>(bytes, 1);
}

std::string unavailable_reason(MemoryKind kind) {
  if (kind == MemoryKind::pageable) return "";
  int count = 0;
  const cudaError_t status = cudaGetDeviceCount(&count);
  if (status != cudaSuccess || count == 0) {
    (void)cudaGetLastError();
    return fmt::format("no CUDA device: {}",
                       cudaGetErrorString(status == cudaSuccess ? cudaErrorNoDevice : status));
  }
  int managed = 0;
  cudaDeviceGetAttribute(&managed, cudaDevAttrManagedMemory, current_device());
  if (kind == MemoryKind::managed && managed == 0) return "the device has no managed memory";
  return "";
}

Properties properties(MemoryKind kind, int device) {
  int reads_pageable = 0;
  if (kind == MemoryKind::pageable) {
    if (cudaDeviceGetAttribute(&reads_pageable, cudaDevAttrPageableMemoryAccess, device) != cudaSuccess) {
      (void)cudaGetLastError();  // no device: nothing reads it
    }
  }
  Properties result;
  result.device_accessible = kind != MemoryKind::pageable || reads_pageable != 0;
  result.host_accessible = kind != MemoryKind::device;
  result.ipc_exportable = kind == MemoryKind::device || kind == MemoryKind::shared;
  result.device = kind == MemoryKind::device || kind == MemoryKind::managed ? device : -1;
  result.max_alignment = kind == MemoryKind::pageable ? max_pageable_alignment : default_alignment;
  return result;
}

int current_device() {
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) {
    (void)cudaGetLastError();
    return 0;
  }
  return device;
}

MemoryAmount device_memory(int device) {
  const DeviceGuard guard(device);
  MemoryAmount amount;
  const cudaError_t status = cudaMemGetInfo(&amount.free, &amount.total);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw DeviceError(
        fmt::format("cudaMemGetInfo failed on device {}: {}", device, cudaGetErrorString(status)),
        "haloheap cannot check memory before taking it", "check the device with nvidia-smi");
  }
  return amount;
}

}  // namespace haloheap::backend
