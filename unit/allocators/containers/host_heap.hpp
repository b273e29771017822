// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_CONTAINERS_HOST_HEAP_HPP
#define HALOHEAP_UNIT_ALLOCATORS_CONTAINERS_HOST_HEAP_HPP

#include <haloheap/allocators/device_allocator.hpp>

#include <cstdlib>

namespace haloheap::containers {

/// The C library's heap behind the interface of handles, for containers that a test uses on the host. Counts
/// blocks, and refuses requests that would not fit into a small heap, or every n-th.
class HostHeap {
 public:
  static constexpr std::size_t largest = 1 << 20;

  /// @param fails_every 0: never
  explicit HostHeap(int fails_every = 0) : fails_every_(fails_every) {}
  HostHeap(const HostHeap&) = delete;
  HostHeap& operator=(const HostHeap&) = delete;

  struct Handle {
    HostHeap* heap;
    void* allocate(std::size_t bytes) const { return heap->allocate(bytes); }
    void deallocate(void* block) const { heap->deallocate(block); }
  };
  Handle handle() { return {this}; }
  /// Blocks that are out; requests so far.
  int live() const { return live_; }
  int requests() const { return requests_; }

 private:
  void* allocate(std::size_t bytes) {
    ++requests_;
    if (bytes > largest || (fails_every_ > 0 && requests_ % fails_every_ == 0)) return nullptr;
    ++live_;
    return std::malloc(bytes);
  }
  void deallocate(void* block) {
    live_ -= block == nullptr ? 0 : 1;
    std::free(block);
  }

  int fails_every_, live_ = 0, requests_ = 0;
};

}  // namespace haloheap::containers

#endif
