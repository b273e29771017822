// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP
#define HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP

#include <haloheap/core/backend/cuda/check.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdlib>
#include <new>

namespace haloheap::backend {

/// A variable at namespace scope that kernels read, as fast as their arguments, and the host sets. Each file
/// that includes its header has one of its own, since devices know no variables across files without
/// relocatable code. Its type has a constexpr constructor.
/// A kernel function may read it; the code of a device's host may not.
#define HALOHEAP_KERNEL_FUNCTION inline __device__
#define HALOHEAP_KERNEL_CONSTANT static __constant__

/// What kernels do, and what the code of their device's host does in the same function.
#define HALOHEAP_IN_KERNELS(kernels, host) KOKKOS_IF_ON_DEVICE(kernels) KOKKOS_IF_ON_HOST(host)

/// Kernels that are enqueued on any instance of the device afterwards see the value; others must have ended.
template <class T>
void set_kernel_constant(const Kokkos::Cuda& exec, const T& variable, const T& value) {
  check(
      cudaMemcpyToSymbolAsync(variable, &value, sizeof value, 0, cudaMemcpyHostToDevice, exec.cuda_stream()),
      "cudaMemcpyToSymbolAsync");
  exec.fence("haloheap::backend::set_kernel_constant");
}

/// What new does on the host, as everywhere else.
inline void* host_new(std::size_t bytes) {
  while (true) {
    if (void* const block = std::malloc(bytes == 0 ? 1 : bytes)) return block;
    const std::new_handler handler = std::get_new_handler();
    if (handler == nullptr) throw std::bad_alloc();
    handler();
  }
}

// Both sides have one new: a __device__ one would be refused where the C++ library calls it on the host.
// Inline is not standard for it, and is what lets several files have it.
#define HALOHEAP_NEW(allocate)                                      \
  (std::size_t bytes) {                                             \
    KOKKOS_IF_ON_DEVICE((return allocate(bytes);))                  \
    KOKKOS_IF_ON_HOST((return haloheap::backend::host_new(bytes);)) \
  }
#define HALOHEAP_DELETE(release)           \
  noexcept {                               \
    KOKKOS_IF_ON_DEVICE((release(block);)) \
    KOKKOS_IF_ON_HOST((std::free(block);)) \
  }

/// New and delete in device code, by calls that are like malloc and free; on the host what they always are.
#define HALOHEAP_REPLACE_NEW(allocate, release)                                                      \
  _Pragma("nv_diag_suppress 2620") KOKKOS_INLINE_FUNCTION void* operator new HALOHEAP_NEW(allocate)  \
      KOKKOS_INLINE_FUNCTION void*                                                                   \
      operator new[] HALOHEAP_NEW(allocate) KOKKOS_INLINE_FUNCTION void                              \
      operator delete(void* block) HALOHEAP_DELETE(release) KOKKOS_INLINE_FUNCTION void              \
      operator delete[](void* block) HALOHEAP_DELETE(release) KOKKOS_INLINE_FUNCTION void            \
      operator delete(void* block, std::size_t) HALOHEAP_DELETE(release) KOKKOS_INLINE_FUNCTION void \
      operator delete[](void* block, std::size_t) HALOHEAP_DELETE(release) _Pragma("nv_diag_default 2620")

}  // namespace haloheap::backend

#endif
