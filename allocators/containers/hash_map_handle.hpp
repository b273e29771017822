// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HANDLE_HPP

#include <haloheap/allocators/containers/hash.hpp>
#include <haloheap/allocators/containers/range.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <iterator>

namespace haloheap::containers {

/// What kernels hold of a HashMap: any lane may call anything at any time, in divergent code, and no call
/// waits for another lane.
///
/// A bucket is a chain of nodes, to which new ones are added in front, by one exchange each: who lost it
/// looks only at what has come before its own node meanwhile. Erased nodes stay in their chain, marked, until
/// HashMap::purge, since others may be on their way through them. Values are the caller's to change, by
/// atomic operations where several do.
template <class Platform, Element Key, Element Value, HashOf<Key> Hash>
class HashMapHandle {
  using Atomics = typename Platform::Atomics;

 public:
  /// What insert says: where the value of the key is, null where there was no room, and whether it is new.
  struct Insertion {
    Value* value;
    bool inserted;
  };
  struct Node {
    std::uintptr_t next;
    std::uint32_t erased;
    Key key;
    Value value;
  };
  /// The address of the first node; 0: there is none.
  using Bucket = std::uintptr_t;

  /// What iterators give: where an entry's key and value are, until HashMap::purge.
  struct Entry {
    const Key& key;
    Value& value;
  };

  /// The entries of buckets in a row, in no order that means anything. Others may insert, erase and change
  /// values meanwhile: entries that come or go on the way may be met or not, none is met twice, and all
  /// others are met. An entry that is erased while an iterator stands on it can still be read, and the
  /// iterator goes on from there. HashMap::purge, clear and forget end all iterators.
  class Iterator {
   public:
    using value_type = Entry;
    using difference_type = std::ptrdiff_t;
    /// The end, of any buckets.
    Iterator() = default;
    KOKKOS_FUNCTION Iterator(const Bucket* bucket, const Bucket* end)
        : bucket_(bucket), end_(end), at_(first_of(bucket)) {
      skip();
    }
    KOKKOS_FUNCTION Entry operator*() const { return {node_at(at_)->key, node_at(at_)->value}; }
    KOKKOS_FUNCTION auto operator->() const { return Arrow{**this}; }
    KOKKOS_FUNCTION Iterator& operator++() {
      at_ = node_at(at_)->next;
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
    struct Arrow {  // an entry is no object that could be pointed to
      Entry entry;
      KOKKOS_FUNCTION const Entry* operator->() const { return &entry; }
    };

    /// On to the next node that is not erased, unless this one is none.
    KOKKOS_FUNCTION void skip() {
      while (true) {
        while (at_ != 0 && Atomics::load(&node_at(at_)->erased) != 0) at_ = node_at(at_)->next;
        if (at_ != 0 || ++bucket_ == end_) return;
        at_ = first_of(bucket_);
      }
    }

    const Bucket* bucket_ = nullptr;
    const Bucket* end_ = nullptr;
    Bucket at_ = 0;
  };
  using iterator = Iterator;

  /// @param buckets a power of two of them, empty
  KOKKOS_FUNCTION HashMapHandle(Bucket* buckets, std::uint32_t count) : buckets_(buckets), mask_(count - 1) {}

  /// A key that is there keeps its value. Of several lanes that insert the same key at once one does.
  /// @param heap always a handle of the same heap
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION Insertion insert(const Heap& heap, const Key& key, const Value& value) const {
    Bucket* const bucket = bucket_of(key);
    Bucket first = first_of(bucket), seen = 0;
    Node* node = nullptr;
    while (true) {
      if (Node* const there = search(first, seen, key)) {
        if (node != nullptr) heap.deallocate(node);
        return {&there->value, false};
      }
      if (node == nullptr) {
        node = static_cast<Node*>(heap.allocate(sizeof(Node)));
        if (node == nullptr) return {nullptr, false};
        *node = {first, 0, key, value};
      }
      node->next = seen = first;
      Atomics::release_fence();
      first = Atomics::compare_exchange(bucket, seen, reinterpret_cast<Bucket>(node));
      if (first == seen) return {&node->value, true};
      Atomics::acquire_fence();
    }
  }

  /// Null where the key is not there. The value stays where it is until HashMap::purge.
  KOKKOS_FUNCTION Value* find(const Key& key) const {
    Node* const node = search(first_of(bucket_of(key)), 0, key);
    return node == nullptr ? nullptr : &node->value;
  }
  KOKKOS_FUNCTION bool contains(const Key& key) const { return find(key) != nullptr; }

  /// Whether the key was there; of several lanes that erase it at once one is told so.
  KOKKOS_FUNCTION bool erase(const Key& key) const {
    Node* const node = search(first_of(bucket_of(key)), 0, key);
    return node != nullptr && Atomics::fetch_or(&node->erased, 1U) == 0;
  }

  KOKKOS_FUNCTION std::uint32_t bucket_count() const { return mask_ + 1; }
  /// The entries of one of bucket_count() buckets: a thread for each meets all of the map.
  KOKKOS_FUNCTION Range<Iterator> bucket(std::uint32_t number) const {
    return Range(Iterator(buckets_ + number, buckets_ + number + 1));
  }
  /// Calls visit(key, value) for each of them.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_in(std::uint32_t number, const Visit& visit) const {
    for (const Entry entry : bucket(number)) visit(entry.key, entry.value);
  }
  /// From here to end() one thread meets all entries of the map.
  KOKKOS_FUNCTION Iterator begin() const { return {buckets_, buckets_ + bucket_count()}; }
  KOKKOS_FUNCTION Iterator end() const { return {}; }

  /// Frees the nodes of a bucket that are erased; with `all` the others too. Nobody else is in the bucket.
  /// @returns how many are left
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION std::uint32_t purge(const Heap& heap, std::uint32_t bucket, bool all) const {
    std::uint32_t left = 0;
    for (Bucket* link = buckets_ + bucket; *link != 0;) {
      Node* const node = node_at(*link);
      if (all || node->erased != 0) {
        *link = node->next;
        heap.deallocate(node);
      } else {
        link = &node->next;
        ++left;
      }
    }
    return left;
  }

 private:
  KOKKOS_FUNCTION static Node* node_at(Bucket address) { return reinterpret_cast<Node*>(address); }
  KOKKOS_FUNCTION Bucket* bucket_of(const Key& key) const { return buckets_ + (Hash()(key) & mask_); }

  KOKKOS_FUNCTION static Bucket first_of(const Bucket* bucket) {
    const Bucket first = Atomics::load(bucket);
    Atomics::acquire_fence();  // the nodes are as they were when they were added
    return first;
  }

  /// The node of a key that is not erased, from `first` on and before `end`.
  KOKKOS_FUNCTION static Node* search(Bucket first, Bucket end, const Key& key) {
    for (Bucket at = first; at != end; at = node_at(at)->next)
      if (node_at(at)->key == key && Atomics::load(&node_at(at)->erased) == 0) return node_at(at);
    return nullptr;
  }

  Bucket* buckets_;
  std::uint32_t mask_;
};

}  // namespace haloheap::containers

#endif
