// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP
#define HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP

#include <haloheap/core/backend/cuda/check.hpp>

#include <Kokkos_Core.hpp>

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

/// Device code's own new and delete, by calls that are like malloc and free. The host's stay what they are.
/// Inline is not standard for them, and what keeps files with the same definitions apart here.
#define HALOHEAP_REPLACE_NEW(allocate, release)                                              \
  _Pragma("nv_diag_suppress 2620") inline __device__ void* operator new(std::size_t bytes) { \
    return allocate(bytes);                                                                  \
  }                                                                                          \
  inline __device__ void* operator new[](std::size_t bytes) {                                \
    return allocate(bytes);                                                                  \
  }                                                                                          \
  inline __device__ void operator delete(void* block) noexcept {                             \
    release(block);                                                                          \
  }                                                                                          \
  inline __device__ void operator delete[](void* block) noexcept {                           \
    release(block);                                                                          \
  }                                                                                          \
  inline __device__ void operator delete(void* block, std::size_t) noexcept {                \
    release(block);                                                                          \
  }                                                                                          \
  inline __device__ void operator delete[](void* block, std::size_t) noexcept {              \
    release(block);                                                                          \
  }                                                                                          \
  _Pragma("nv_diag_default 2620")

}  // namespace haloheap::backend

#endif
