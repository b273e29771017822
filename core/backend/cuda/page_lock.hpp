// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_PAGE_LOCK_HPP
#define HALOHEAP_BACKEND_PAGE_LOCK_HPP

#include <cstddef>
#include <cuda_runtime.h>

namespace haloheap::backend {

/// Page-locks memory of the host for all devices of this process, under the address that the host has.
inline cudaError_t page_lock(void* data, std::size_t bytes) {
  cudaError_t status = cudaHostRegister(data, bytes, cudaHostRegisterPortable | cudaHostRegisterMapped);
  if (status == cudaSuccess) {
    void* on_device = nullptr;
    status = cudaHostGetDevicePointer(&on_device, data, 0);
    if (status == cudaSuccess && on_device != data) status = cudaErrorNotSupported;
    if (status != cudaSuccess) (void)cudaHostUnregister(data);
  }
  if (status != cudaSuccess) (void)cudaGetLastError();  // the next unrelated call would report it
  return status;
}

inline void page_unlock(void* data) noexcept {
  // The status reports failures of earlier work, or that the program is ending.
  (void)cudaHostUnregister(data);
  (void)cudaGetLastError();
}

}  // namespace haloheap::backend

#endif
