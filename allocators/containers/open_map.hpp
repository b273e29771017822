// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_OPEN_MAP_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_OPEN_MAP_HPP

#include <haloheap/allocators/containers/hash.hpp>
#include <haloheap/allocators/containers/vector.hpp>

#include <iterator>

namespace haloheap::containers {

/// A hash map that grows in a kernel, of one thread at a time, with the rules of Vector: open addressing with
/// steps of one, at most 3/4 full, where erasing moves what comes behind, so that nothing is left.
/// For many threads at once there is HashMap.
template <Element Key, Element Value, HashOf<Key> Hash = IntegerHash>
class OpenMap {
 public:
  struct Entry {
    Key key;
    Value value;
  };
  /// Where an entry stands, if it is used.
  struct Slot {
    Entry entry;
    bool used;
  };
  using size_type = std::uint32_t;

  /// What insert says: where the value of the key is, null where there was no room, and whether it is new.
  struct Insertion {
    Value* value;
    bool inserted;
  };

  /// The entries, in no order that means anything.
  template <class E, class Map>
  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    Iterator() = default;
    KOKKOS_FUNCTION Iterator(Map* map, size_type at) : map_(map), at_(at) { skip(); }
    KOKKOS_FUNCTION E& operator*() const { return map_->slots_[at_].entry; }
    KOKKOS_FUNCTION E* operator->() const { return &map_->slots_[at_].entry; }
    KOKKOS_FUNCTION Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    KOKKOS_FUNCTION Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    KOKKOS_FUNCTION bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    KOKKOS_FUNCTION void skip() {
      while (at_ < map_->slots_.size() && !map_->slots_[at_].used) ++at_;
    }
    Map* map_ = nullptr;
    size_type at_ = 0;
  };
  using iterator = Iterator<Entry, OpenMap>;
  using const_iterator = Iterator<const Entry, const OpenMap>;

  KOKKOS_FUNCTION size_type size() const { return size_; }
  KOKKOS_FUNCTION bool empty() const { return size_ == 0; }
  KOKKOS_FUNCTION iterator begin() { return {this, 0}; }
  KOKKOS_FUNCTION iterator end() { return {this, slots_.size()}; }
  KOKKOS_FUNCTION const_iterator begin() const { return {this, 0}; }
  KOKKOS_FUNCTION const_iterator end() const { return {this, slots_.size()}; }
  /// All slots, without a copy, until the map grows: entries stand in those that are used. Values may be
  /// changed there, keys and what is used may not.
  KOKKOS_FUNCTION allocators::HeapView<Slot> view() { return slots_.view(); }
  KOKKOS_FUNCTION allocators::HeapView<const Slot> view() const { return slots_.view(); }

  /// A key that is there keeps its value.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION Insertion insert(const Heap& heap, const Key& key, const Value& value) {
    if (Value* const there = find(key)) return {there, false};
    const Entry entry{key, value};
    if (4 * std::uint64_t{size_ + 1} > 3 * std::uint64_t{slots_.size()} && !grow(heap))
      return {nullptr, false};
    Slot& slot = slots_[free_slot(entry.key)];
    slot = {entry, true};
    ++size_;
    return {&slot.entry.value, true};
  }

  /// Null where the key is not there. Until the map changes.
  KOKKOS_FUNCTION Value* find(const Key& key) {
    const size_type at = slot_of(key);
    return at == none ? nullptr : &slots_[at].entry.value;
  }
  KOKKOS_FUNCTION const Value* find(const Key& key) const {
    const size_type at = slot_of(key);
    return at == none ? nullptr : &slots_[at].entry.value;
  }
  KOKKOS_FUNCTION bool contains(const Key& key) const { return slot_of(key) != none; }

  /// Whether the key was there.
  KOKKOS_FUNCTION bool erase(const Key& key) {
    size_type hole = slot_of(key);
    if (hole == none) return false;
    // What follows without a gap moves up, unless it would come before its own place.
    for (size_type at = next(hole); slots_[at].used; at = next(at)) {
      const size_type home = home_of(slots_[at].entry.key);
      if (distance(home, at) < distance(hole, at)) continue;
      slots_[hole] = slots_[at];
      hole = at;
    }
    slots_[hole].used = false;
    --size_;
    return true;
  }

  KOKKOS_FUNCTION void clear() {
    for (Slot& slot : slots_) slot.used = false;
    size_ = 0;
  }
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION void release(const Heap& heap) {
    slots_.release(heap);
    size_ = 0;
  }

 private:
  static constexpr size_type none = 0xffffffffU, first_slots = 8;

  KOKKOS_FUNCTION size_type mask() const { return slots_.size() - 1; }
  KOKKOS_FUNCTION size_type home_of(const Key& key) const { return Hash()(key) & mask(); }
  KOKKOS_FUNCTION size_type next(size_type at) const { return (at + 1) & mask(); }
  KOKKOS_FUNCTION size_type distance(size_type from, size_type to) const { return (to - from) & mask(); }

  KOKKOS_FUNCTION size_type slot_of(const Key& key) const {
    if (slots_.empty()) return none;
    for (size_type at = home_of(key); slots_[at].used; at = next(at))
      if (slots_[at].entry.key == key) return at;
    return none;
  }
  KOKKOS_FUNCTION size_type free_slot(const Key& key) const {
    size_type at = home_of(key);
    while (slots_[at].used) at = next(at);
    return at;
  }

  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool grow(const Heap& heap) {
    if (slots_.size() > none / 4) return false;
    OpenMap larger;
    if (!larger.slots_.resize(heap, slots_.empty() ? first_slots : 2 * slots_.size(), Slot{})) return false;
    for (const Slot& slot : slots_)
      if (slot.used) larger.slots_[larger.free_slot(slot.entry.key)] = slot;
    slots_.release(heap);
    slots_ = larger.slots_;
    return true;
  }

  Vector<Slot> slots_;  // a power of two
  size_type size_ = 0;
};

}  // namespace haloheap::containers

#endif
