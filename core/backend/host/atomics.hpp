// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_ATOMICS_HPP
#define HALOHEAP_BACKEND_ATOMICS_HPP

#include <Kokkos_Core.hpp>

#include <atomic>

/// Relaxed loads and stores, and fences.
namespace haloheap::backend {

template <class T>
T load_relaxed(const T* from) {
  return std::atomic_ref<T>(*const_cast<T*>(from)).load(std::memory_order_relaxed);
}

/// A value that may be old.
template <class T>
T load_stale(const T* from) {
  return load_relaxed(from);
}

template <class T>
void store_relaxed(T* to, T value) {
  std::atomic_ref<T>(*to).store(value, std::memory_order_relaxed);
}

/// What this thread did before is seen by whoever sees what it does after.
inline void release_fence() {
  std::atomic_thread_fence(std::memory_order_release);
}

/// What others did before their release_fence() is seen, if what they did after it was seen.
inline void acquire_fence() {
  std::atomic_thread_fence(std::memory_order_acquire);
}

}  // namespace haloheap::backend

#endif
