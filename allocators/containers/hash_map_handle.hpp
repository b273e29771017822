// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HANDLE_HPP

#include <haloheap/allocators/containers/hash.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/core/lanes/platform.hpp>

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

  /// Calls visit(key, value) for each entry of one of bucket_count() buckets: a thread for each visits all.
  template <class Visit>
  KOKKOS_FUNCTION void for_each_in(std::uint32_t bucket, const Visit& visit) const {
    for (Bucket at = first_of(buckets_ + bucket); at != 0; at = node_at(at)->next)
      if (Atomics::load(&node_at(at)->erased) == 0) visit(node_at(at)->key, node_at(at)->value);
  }
  KOKKOS_FUNCTION std::uint32_t bucket_count() const { return mask_ + 1; }

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
