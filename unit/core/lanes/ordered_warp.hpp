// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_LANES_ORDERED_WARP_HPP
#define HALOHEAP_UNIT_CORE_LANES_ORDERED_WARP_HPP

#include <haloheap/unit/core/lanes/emulated_warp.hpp>

#include <algorithm>
#include <string>
#include <unordered_map>
#include <vector>

namespace haloheap::emulation {

/// Which lane's writes come before what another lane does next, by fences and barriers alone, as the rules of
/// C++ and of CUDA have it: a release fence, a relaxed operation, another lane's operation that sees it, an
/// acquire fence. Operations of a warp that bring values together (ballot, shuffle) order nothing that was
/// not fenced before; sync() does. A lane's writes to what it was given wait for the answer that gave it,
/// without a fence; and what was fenced and has been seen by one is at its place for all, as in the memories
/// of GPUs and of most hosts.
///
/// The operations themselves still come one after the other: what a lane may see late is not shown.
class Order {
 public:
  using Clock = std::vector<std::uint32_t>;  ///< of each lane, how many of its writes are before

  /// For as many lanes as the next run has.
  static void start(unsigned lanes) {
    at() = Order();
    at().lanes_.assign(lanes, Lane{Clock(lanes), Clock(lanes), Clock(lanes), Clock(lanes)});
  }

  static void read(const void* where) {
    if (Fibers::any()) join(me().answers, at().words_[where]);
  }
  static void write(const void* where, bool keeps) {
    if (!Fibers::any()) return;
    Clock& word = at().words_[where];
    if (!keeps) word.clear();
    join(word, me().released);
  }
  static void release() {
    if (!Fibers::any()) return;
    me().released = me().now;
    join(me().released, me().answers);
  }
  static void acquire() {
    if (Fibers::any()) join(me().now, me().answers);
  }

  /// What the lane shows to those that it meets, and what it takes from them.
  static void meet(bool barrier) {
    if (!Fibers::any()) return;
    me().shown = barrier ? me().now : Clock(me().now.size());
  }
  static void met(const Lanes& lanes, bool barrier) {
    if (!Fibers::any()) return;
    const unsigned first = Fibers::running().self() - lanes.lane();
    for (unsigned lane = 0; lane < 32; ++lane) {
      if ((lanes.mask() >> lane & 1) == 0) continue;
      const Lane& other = at().lanes_[first + lane];
      join(me().answers, other.answers);
      join(me().released, other.released);
      if (barrier) join(me().now, other.shown);
    }
  }

  /// The lane writes to memory that all may reach. False if it may be overtaken by an earlier write.
  static bool touch(const void* data) {
    Touch& last = at().touched_[data];
    const unsigned self = Fibers::running().self();
    const bool right = last.count == 0 || last.lane == self || me().now[last.lane] >= last.count ||
                       (last.lane < me().answers.size() && me().answers[last.lane] >= last.count);
    last = {self, ++me().now[self]};
    return right;
  }
  /// Whether the last write there is seen now.
  static bool sees(const void* data) {
    const Touch& last = at().touched_[data];
    return last.count == 0 || me().now[last.lane] >= last.count;
  }

 private:
  struct Lane {
    Clock now, released, answers, shown;
  };
  struct Touch {
    unsigned lane = 0;
    std::uint32_t count = 0;
  };

  static Order& at() {
    static thread_local Order order;
    return order;
  }
  static Lane& me() { return at().lanes_.at(Fibers::running().self()); }
  static void join(Clock& to, const Clock& from) {
    if (to.size() < from.size()) to.resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i) to[i] = std::max(to[i], from[i]);
  }

  std::vector<Lane> lanes_;
  std::unordered_map<const void*, Clock> words_;
  std::unordered_map<const void*, Touch> touched_;
};

/// emulation::Lanes that tell Order.
class OrderedLanes {
  template <class Call>
  auto together(const Call& call) const {
    Order::meet(false);
    const auto result = call();
    Order::met(lanes_, false);
    return result;
  }

 public:
  using Mask = Lanes::Mask;

  static OrderedLanes here(std::source_location place = std::source_location::current()) {
    return OrderedLanes(Lanes::here(place));
  }
  bool is_whole() const { return true; }
  const OrderedLanes& whole() const { return *this; }
  Mask mask() const { return lanes_.mask(); }
  unsigned lane() const { return lanes_.lane(); }
  unsigned rank() const { return lanes_.rank(); }
  unsigned with_rank(unsigned rank) const { return lanes_.with_rank(rank); }
  Mask ballot(bool vote) const {
    return together([&] { return lanes_.ballot(vote); });
  }
  Mask match(std::uint32_t key) const {
    return together([&] { return lanes_.match(key); });
  }
  std::uint64_t reduce_or(std::uint64_t bits) const {
    return together([&] { return lanes_.reduce_or(bits); });
  }
  template <class T>
  T shuffle(T value, unsigned lane) const {
    return together([&] { return lanes_.shuffle(value, lane); });
  }
  void sync() const {
    Order::meet(true);
    lanes_.sync();
    Order::met(lanes_, true);
  }

 private:
  explicit OrderedLanes(Lanes lanes) : lanes_(std::move(lanes)) {}

  Lanes lanes_;
};

/// emulation::Atomics that tell Order.
struct OrderTellingAtomics : Atomics {
  template <class T>
  static T load(const T* from) {
    const T value = Atomics::load(from);
    Order::read(from);
    return value;
  }
  template <class T>
  static T latest(T* from) {
    return fetch_or(from, T{0});
  }
  template <class T>
  static void store(T* to, std::type_identity_t<T> value) {
    Atomics::store(to, value);
    Order::write(to, false);
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
    return told(to, Atomics::fetch_add(to, value));
  }
  template <class T>
  static T fetch_max(T* to, std::type_identity_t<T> value) {
    return told(to, Atomics::fetch_max(to, value));
  }
  template <class T>
  static T fetch_or(T* to, std::type_identity_t<T> bits) {
    return told(to, Atomics::fetch_or(to, bits));
  }
  template <class T>
  static T fetch_and(T* to, std::type_identity_t<T> bits) {
    return told(to, Atomics::fetch_and(to, bits));
  }
  template <class T>
  static T exchange(T* to, std::type_identity_t<T> value) {
    return told(to, Atomics::exchange(to, value));
  }
  template <class T>
  static T compare_exchange(T* to, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
    const T before = Atomics::compare_exchange(to, expected, desired);
    Order::read(to);
    if (before == expected) Order::write(to, true);
    return before;
  }
  static void fence() {
    Order::acquire();
    Order::release();
  }
  static void release_fence() { Order::release(); }
  static void acquire_fence() { Order::acquire(); }

 private:
  template <class T>
  static T told(const T* where, T before) {
    Order::read(where);
    Order::write(where, true);
    return before;
  }
};

/// The emulated platform, on which only fences and barriers order what lanes write.
struct OrderedPlatform : EmulatedPlatform {
  using Lanes = OrderedLanes;
  using Atomics = OrderTellingAtomics;
};

}  // namespace haloheap::emulation

#endif
