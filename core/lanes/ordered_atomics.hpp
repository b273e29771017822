// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_ORDERED_ATOMICS_HPP
#define HALOHEAP_CORE_LANES_ORDERED_ATOMICS_HPP

#include <atomic>
#include <type_traits>

namespace haloheap::lanes {

/// The operations of FencedAtomics (atomics.hpp) for threads of a host, each with an order of its own, and
/// fences that do nothing. ThreadSanitizer knows nothing of fences, by which relaxed operations get their
/// order, and takes what they order for races. What the fences must do, and this cannot show, is for the
/// GPU's tests.
///
/// The compiler's own operations and not those of std::atomic_ref, to which the order is an argument: where
/// that is not inlined, the strictest order is taken, and what lacks order goes unseen.
template <std::memory_order order>
struct OrderedAtomics {
  template <class T>
  static T load(const T* from) {
    return __atomic_load_n(from, number);
  }
  template <class T>
  static T latest(T* from) {
    return fetch_or(from, T{0});
  }
  template <class T>
  static T load_stale(const T* from) {
    return load(from);
  }
  template <class T>
  static void store(T* to, std::type_identity_t<T> value) {
    __atomic_store_n(to, value, number);
  }
  template <class T>
  static void add(T* to, std::type_identity_t<T> value) {
    fetch_add(to, value);
  }
  template <class T>
  static void set_bits(T* to, std::type_identity_t<T> bits) {
    fetch_or(to, bits);
  }
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    return __atomic_fetch_add(to, value, number);
  }
  template <class T>
  static T fetch_max(T* to, std::type_identity_t<T> value) {
    T old = load(to);
    while (old < value) {
      const T before = compare_exchange(to, old, value);
      if (before == old) break;
      old = before;
    }
    return old;
  }
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return __atomic_fetch_or(to, bits, number);
  }
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    return __atomic_fetch_and(to, bits, number);
  }
  template <class T>
  static T exchange(T* to, std::type_identity_t<T> value) {
    return __atomic_exchange_n(to, value, number);
  }
  template <class T>
  static T compare_exchange(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    __atomic_compare_exchange_n(to, &expected, desired, false, number, number);
    return expected;
  }
  static void fence() {}
  static void release_fence() {}
  static void acquire_fence() {}

 private:
  static constexpr int number = static_cast<int>(order);
};

}  // namespace haloheap::lanes

#endif
