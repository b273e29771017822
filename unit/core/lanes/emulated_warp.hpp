// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_EMULATED_WARP_HPP
#define HALOHEAP_UNIT_CORE_LANES_EMULATED_WARP_HPP

#include <haloheap/unit/core/lanes/emulated_ring.hpp>
#include <haloheap/unit/core/lanes/fibers.hpp>

#include <cstdint>
#include <cstring>
#include <source_location>
#include <type_traits>

namespace haloheap::emulation {

class Group;

/// core/lanes/platform.hpp's lanes, as hostile as a GPU may be: here() brings together any of the lanes that
/// wait at the same place of the source, and everything else takes turns with all lanes of all warps. A lane
/// that does not do what its fellows do is a Failure. Outside run_warps everybody is a warp of one lane.
class Lanes {
 public:
  using Mask = std::uint32_t;

  static Lanes here(std::source_location place = std::source_location::current());
  static Lanes whole_warp();

  /// Also if they are not all lanes of the warp: what holds for those holds for any.
  bool is_whole() const { return true; }
  const Lanes& whole() const { return *this; }
  Mask mask() const;
  unsigned lane() const { return lane_; }
  unsigned rank() const;
  unsigned with_rank(unsigned rank) const;
  Mask ballot(bool vote) const;
  Mask match(std::uint32_t key) const;
  std::uint64_t reduce_or(std::uint64_t bits) const;
  void sync() const;

  template <class T>
  T shuffle(T value, unsigned lane) const {
    static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));
    std::uint64_t word = 0;
    std::memcpy(&word, &value, sizeof(T));
    word = shuffle_word(word, lane);
    std::memcpy(&value, &word, sizeof(T));
    return value;
  }

 private:
  Lanes(std::shared_ptr<Group> group, unsigned lane) : group_(std::move(group)), lane_(lane) {}
  std::uint64_t shuffle_word(std::uint64_t word, unsigned lane) const;

  std::shared_ptr<Group> group_;
  unsigned lane_;
};

/// Others may run before each operation. Where no lanes run, the operations alone.
struct Atomics {
  template <class T>
  static T load(const T* from) {
    step();
    return noted("load", from, *from);
  }
  template <class T>
  static T latest(T* from) {
    return load(from);
  }
  /// What somebody read here before, perhaps.
  template <class T>
  static T load_stale(const T* from) {
    step();
    if (!Fibers::any()) return *from;
    return noted("load_stale", from, static_cast<T>(Fibers::running().seen(from, *from)));
  }
  template <class T>
  static void store(T* to, std::type_identity_t<T> value) {
    step();
    *to = noted("store", to, value);
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
    return update("fetch_add", to, [value](T old) { return static_cast<T>(old + value); });
  }
  template <class T>
  static T fetch_max(T* to, std::type_identity_t<T> value) {
    return update("fetch_max", to, [value](T old) { return old < value ? value : old; });
  }
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return update("fetch_or", to, [bits](T old) { return static_cast<T>(old | bits); });
  }
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    return update("fetch_and", to, [bits](T old) { return static_cast<T>(old & bits); });
  }
  template <class T>
  static T exchange(T* to, std::type_identity_t<T> value) {
    return update("exchange", to, [value](T) { return value; });
  }
  template <class T>
  static T compare_exchange(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    return update("compare_exchange", to, [=](T old) { return old == expected ? desired : old; });
  }
  // Others may run before the next operation anyhow.
  static void fence() {}
  static void release_fence() {}
  static void acquire_fence() {}

 protected:
  static void step() {
    if (Fibers::any()) Fibers::running().step();
  }
  template <class T>
  static T noted(const char* what, const T* where, T value) {
    if (Fibers::any()) Fibers::running().note(what, where, static_cast<std::uint64_t>(value));
    return value;
  }

 private:
  template <class T, class Change>
  static T update(const char* what, T* to, const Change& change) {
    step();
    const T old = noted(what, to, *to);
    *to = change(old);
    return old;
  }
};

/// Warp algorithms on these run on a CPU, in any order that a schedule gives. Sequentially consistent: what
/// weaker orders may do is for ThreadSanitizer and for a GPU to show.
struct EmulatedPlatform {
  using Lanes = emulation::Lanes;
  using Atomics = emulation::Atomics;
  static constexpr int warp_size = 32;
  template <int Unit, int Units, int Threads>
  using LaneRing = emulation::LaneRing<Unit, Units, Threads>;
  static std::uint32_t entropy() { return Fibers::any() ? Fibers::running().schedule().random() : 0; }
  static std::uint32_t home() { return Fibers::any() ? Fibers::running().self() : 0; }
  static std::uint32_t warp() { return home() / warp_size; }
  static void pause() {
    if (Fibers::any()) Fibers::running().pause();
  }
};

struct Grid {
  unsigned warps = 2, lanes = EmulatedPlatform::warp_size;
  unsigned threads() const { return warps * lanes; }
};

/// Calls kernel(thread) once for each lane of each warp. @throws Failure
void run_warps(Grid grid, Schedule& schedule, const std::function<void(unsigned thread)>& kernel,
               std::uint64_t max_steps = Fibers::default_steps);

}  // namespace haloheap::emulation

#endif
