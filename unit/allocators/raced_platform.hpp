// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_RACED_PLATFORM_HPP
#define HALOHEAP_UNIT_ALLOCATORS_RACED_PLATFORM_HPP

#include <haloheap/backend/lanes.hpp>

#include <atomic>
#include <type_traits>

namespace haloheap {

/// Atomic operations of one order. ThreadSanitizer knows nothing of fences, by which the product's relaxed
/// operations get their order; so here each operation has the order itself, and the fences do nothing. What
/// the fences must do and this cannot show is for the GPU's tests.
template <std::memory_order order>
struct OrderedAtomics {
  template <class T>
  static T load(const T* from) {
    return at(const_cast<T*>(from)).load(order);
  }
  template <class T>
  static T load_stale(const T* from) {
    return load(from);
  }
  template <class T>
  static void store(T* to, std::type_identity_t<T> value) {
    at(to).store(value, order);
  }
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    return at(to).fetch_add(value, order);
  }
  template <class T>
  static T fetch_max(T* to, std::type_identity_t<T> value) {
    T old = load(to);
    while (old < value && !at(to).compare_exchange_weak(old, value, order)) {
    }
    return old;
  }
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return at(to).fetch_or(bits, order);
  }
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    return at(to).fetch_and(bits, order);
  }
  template <class T>
  static T exchange(T* to, std::type_identity_t<T> value) {
    return at(to).exchange(value, order);
  }
  template <class T>
  static T compare_exchange(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    at(to).compare_exchange_strong(expected, desired, order);
    return expected;
  }
  static void fence() {}
  static void release_fence() {}

 private:
  template <class T>
  static std::atomic_ref<T> at(T* to) {
    return std::atomic_ref<T>(*to);
  }
};

/// Threads as warps of one lane, whose races ThreadSanitizer sees.
template <class AtomicsOfRace = OrderedAtomics<std::memory_order_seq_cst>>
struct RacedPlatform {
  using Lanes = backend::Lanes;
  using Atomics = AtomicsOfRace;
  static std::uint32_t entropy() { return backend::entropy(); }
  static std::uint32_t home() { return backend::home(); }
  static std::uint32_t warp() { return backend::warp(); }
  static void pause() { backend::pause_lane(); }
};

}  // namespace haloheap

#endif
