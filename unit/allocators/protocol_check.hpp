// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Lock-free protocols in all orders of a few lanes. A protocol is a function template over a Platform that
// makes a Trial: a state, what each lane does with it, and what must then hold. expect_right tries it with
// right atomics; expect_caught with faulty ones, and expects the fault to be seen.
#ifndef HALOHEAP_UNIT_ALLOCATORS_PROTOCOL_CHECK_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PROTOCOL_CHECK_HPP

#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/lanes/explorer.hpp>

#include <gtest/gtest.h>

#include <map>
#include <string_view>
#include <utility>

namespace haloheap::emulation {

/// A platform with other atomics.
template <class Faulty>
struct WithAtomics : EmulatedPlatform {
  using Atomics = Faulty;
};

/// An atomic operation that is none: others may run in the middle of it.
struct TornOr : Atomics {
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    const T old = load(to);
    store(to, old | bits);
    return old;
  }
  template <class T>
  static void set_bits(T* to, std::type_identity_t<T> bits) {
    fetch_or(to, bits);
  }
};
struct TornAdd : Atomics {
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    const T old = load(to);
    store(to, static_cast<T>(old + value));
    return old;
  }
  template <class T>
  static void add(T* to, std::type_identity_t<T> value) {
    fetch_add(to, value);
  }
};
/// The reference code's way to free pages: what others did to the word meanwhile is overwritten.
struct TornAnd : Atomics {
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    const T old = load(to);
    store(to, old & bits);
    return old;
  }
};
struct TornExchange : Atomics {
  template <class T>
  static T exchange(T* to, std::type_identity_t<T> value) {
    const T old = load(to);
    store(to, value);
    return old;
  }
};
struct TornCompare : Atomics {
  template <class T>
  static T compare_exchange(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    const T old = load(to);
    if (old == expected) store(to, desired);
    return old;
  }
};

/// Whoever takes members out of a set, and looks again behind the acquire whether that was right, sees
/// nothing.
struct NoSecondLook : Atomics {
  static void acquire_fence() { ++looks(); }
  template <class T>
  static T load(const T* from) {
    const T value = Atomics::load(from);
    if (looks() == 0) return value;
    --looks();
    return 0;
  }
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    looks() = 0;
    return Atomics::fetch_add(to, value);
  }

 private:
  static unsigned& looks() {  // that are still to be taken
    static std::map<unsigned, unsigned> lanes;
    static unsigned nobody;
    if (Fibers::any()) return lanes[Fibers::running().self()];
    lanes.clear();  // before or after a trial: the next one is to begin like the last
    return nobody = 0;
  }
};

/// An addition overtakes the clearing of bits right before it.
struct LateClear : Atomics {
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    if (!Fibers::any()) return Atomics::fetch_and(to, bits);
    clear();
    late() = [to, bits] { Atomics::fetch_and(to, bits); };
    return *to;
  }
  template <class T>
  static T fetch_add(T* to, std::type_identity_t<T> value) {
    const T old = Atomics::fetch_add(to, value);
    clear();
    return old;
  }
  template <class T>
  static T load(const T* from) {
    return clear(), Atomics::load(from);
  }
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return clear(), Atomics::fetch_or(to, bits);
  }

 private:
  static std::function<void()>& late() {
    static std::map<unsigned, std::function<void()>> lanes;
    return lanes[Fibers::running().self()];
  }
  static void clear() {
    if (!Fibers::any()) return;
    if (const auto bits = std::exchange(late(), nullptr)) bits();
  }
};

inline void expect_right(const std::function<Trial()>& make, const Exploration& limits = {}) {
  const Explored result = explore(make, limits);
  EXPECT_TRUE(result.failure.empty()) << "in trial " << result.trials << ": " << result.failure;
  EXPECT_TRUE(result.complete) << result.trials << " trials";
  EXPECT_GT(result.trials, 10U) << "the lanes do not meet";
}

inline void expect_caught(std::string_view what, const std::function<Trial()>& make,
                          const Exploration& limits = {}) {
  const Explored result = explore(make, limits);
  EXPECT_NE(result.failure.find(what), std::string::npos)
      << "after " << result.trials << " trials: '" << result.failure.substr(0, 1000) << "'";
}

}  // namespace haloheap::emulation

#endif
