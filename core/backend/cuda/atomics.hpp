// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_ATOMICS_HPP
#define HALOHEAP_CORE_BACKEND_ATOMICS_HPP

#include <Kokkos_Core.hpp>

#include <cuda/atomic>

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

/// What this lane did before is seen by whoever sees what it does after.
KOKKOS_INLINE_FUNCTION void release_fence() {
  KOKKOS_IF_ON_DEVICE((cuda::atomic_thread_fence(cuda::memory_order_acq_rel, cuda::thread_scope_device);))
  KOKKOS_IF_ON_HOST((Kokkos::memory_fence();))
}

}  // namespace haloheap::backend

#endif
