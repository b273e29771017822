// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_ATOMICS_HPP
#define HALOHEAP_CORE_LANES_ATOMICS_HPP

#include <haloheap/backend/atomics.hpp>
#include <haloheap/core/lanes/ordered_atomics.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::lanes {

/// The operations that lock-free code is made of, for kernels and the host. All are relaxed, and order comes
/// from the fences alone: code that states its fences can be raced, and checked, on any backend.
struct FencedAtomics {
  template <class T>
  KOKKOS_INLINE_FUNCTION static T load(const T* from) {
    return backend::load_relaxed(from);
  }
  /// The value as an operation sees it, which all operations on it come before or after: what comes after
  /// sees what this lane did before its release_fence().
  template <class T>
  KOKKOS_INLINE_FUNCTION static T latest(T* from) {
    return Kokkos::atomic_fetch_or(from, T{0});
  }
  /// A value that may be old, for hints: does not queue up with others that read the same.
  template <class T>
  KOKKOS_INLINE_FUNCTION static T load_stale(const T* from) {
    return backend::load_stale(from);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static void store(T* to, std::type_identity_t<T> value) {
    backend::store_relaxed(to, value);
  }
  /// Without an answer: nobody waits for it.
  template <class T>
  KOKKOS_INLINE_FUNCTION static void add(T* to, std::type_identity_t<T> value) {
    Kokkos::atomic_add(to, value);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static void set_bits(T* to, std::type_identity_t<T> bits) {
    Kokkos::atomic_or(to, bits);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T fetch_add(T* to, std::type_identity_t<T> value) {
    return Kokkos::atomic_fetch_add(to, value);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T fetch_max(T* to, std::type_identity_t<T> value) {
    return Kokkos::atomic_fetch_max(to, value);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return Kokkos::atomic_fetch_or(to, bits);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T fetch_and(T* to, std::type_identity_t<T> bits) {
    return Kokkos::atomic_fetch_and(to, bits);
  }
  template <class T>
  KOKKOS_INLINE_FUNCTION static T exchange(T* to, std::type_identity_t<T> value) {
    return Kokkos::atomic_exchange(to, value);
  }
  /// The value before; the exchange took place if that is `expected`.
  template <class T>
  KOKKOS_INLINE_FUNCTION static T compare_exchange(T* to, std::type_identity_t<T> expected,
                                                   std::type_identity_t<T> desired) {
    return Kokkos::atomic_compare_exchange(to, expected, desired);
  }
  /// What this lane did before comes, for everybody on the device, before what it does after.
  KOKKOS_INLINE_FUNCTION static void fence() { Kokkos::memory_fence(); }
  /// What this lane did before is seen by whoever sees what it does after. Cheaper than fence(), which also
  /// keeps later loads behind earlier stores.
  KOKKOS_INLINE_FUNCTION static void release_fence() { backend::release_fence(); }
  /// What others did before their release_fence() is seen, if what they did after it was seen.
  KOKKOS_INLINE_FUNCTION static void acquire_fence() { backend::acquire_fence(); }
};

/// What kernels of the default execution space use. A build with ThreadSanitizer has no devices.
#ifdef __SANITIZE_THREAD__
using DeviceAtomics = OrderedAtomics<std::memory_order_seq_cst>;
#else
using DeviceAtomics = FencedAtomics;
#endif

}  // namespace haloheap::lanes

#endif
