// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ATOMICS_HPP
#define HALOHEAP_BACKEND_ATOMICS_HPP

#include <Kokkos_Core.hpp>

#include <cuda/atomic>

/// Fences of one direction: PTX 8.6 and Hopper.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && \
    __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__ >= 1208
#define HALOHEAP_HALF_FENCE(kind) asm volatile("fence." kind ".gpu;" ::: "memory")
#else
#define HALOHEAP_HALF_FENCE(kind) \
  cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device)
#endif

/// Relaxed loads and stores, and fences. Kokkos' own load is an atomic addition of nothing on a device, for
/// which thousands of lanes queue up, and its fence orders more than the release of a block needs.
namespace haloheap::backend {

template <class T>
KOKKOS_INLINE_FUNCTION T load_relaxed(const T* from) {
  KOKKOS_IF_ON_DEVICE((return cuda::atomic_ref<T, cuda::thread_scope_device>(*const_cast<T*>(from))
                           .load(cuda::memory_order_relaxed);))
  KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(from);))
}

/// A value that may be old: what many lanes read at once then comes from the cache beside them.
template <class T>
KOKKOS_INLINE_FUNCTION T load_stale(const T* from) {
  KOKKOS_IF_ON_DEVICE((return __ldca(from);))
  KOKKOS_IF_ON_HOST((return Kokkos::atomic_load(from);))
}

template <class T>
KOKKOS_INLINE_FUNCTION void store_relaxed(T* to, T value) {
  KOKKOS_IF_ON_DEVICE(
      (cuda::atomic_ref<T, cuda::thread_scope_device>(*to).store(value, cuda::memory_order_relaxed);))
  KOKKOS_IF_ON_HOST((Kokkos::atomic_store(to, value);))
}

/// What this lane did before is seen by whoever sees what it does after. libcu++'s fences, also its release,
/// are fence.acq_rel, which empties the cache beside all lanes of the multiprocessor.
KOKKOS_INLINE_FUNCTION void release_fence() {
  KOKKOS_IF_ON_DEVICE((HALOHEAP_HALF_FENCE("release");))
  KOKKOS_IF_ON_HOST((Kokkos::memory_fence();))
}

/// What others did before their release_fence() is seen, if what they did after it was seen.
KOKKOS_INLINE_FUNCTION void acquire_fence() {
  KOKKOS_IF_ON_DEVICE((HALOHEAP_HALF_FENCE("acquire");))
  KOKKOS_IF_ON_HOST((Kokkos::memory_fence();))
}

#undef HALOHEAP_HALF_FENCE

}  // namespace haloheap::backend

#endif
