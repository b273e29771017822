// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include "c_library.hpp"

#include <haloheap/allocators/coalescing/ask_alike.hpp>

#include <algorithm>
#include <cstring>
#include <new>
#include <utility>

namespace {

thread_local const Heap* kernel_heap = nullptr;
thread_local const Member* own_member = nullptr;

/// A call of the heap, which has memory of its own for itself.
template <class Call>
auto outside_of_the_kernel(const Call& call) {
  const Heap* const heap = std::exchange(kernel_heap, nullptr);
  const auto result = call(*heap);
  kernel_heap = heap;
  return result;
}

void kernel_free(void* block) {
  outside_of_the_kernel([&](const Heap& heap) {
    heap.deallocate(block);
    return 0;
  });
}

void* kernel_realloc(void* block, std::size_t bytes) {
  void* const moved = kernel_malloc(bytes, false);
  if (block == nullptr || moved == nullptr) return moved;
  const std::size_t before = outside_of_the_kernel([&](const Heap& heap) { return heap.bytes_of(block); });
  std::memcpy(moved, block, std::min(before, bytes));
  kernel_free(block);
  return moved;
}

}  // namespace

KernelMemory::KernelMemory(const Heap& heap, const Member& member) {
  kernel_heap = &heap;
  own_member = &member;
}
KernelMemory::~KernelMemory() {
  kernel_heap = nullptr;
}

const Member& kernel_member() {
  return *own_member;
}

void* kernel_malloc(std::size_t bytes, bool all_alike) {
  return outside_of_the_kernel([&](const Heap& heap) {
    return all_alike ? haloheap::allocators::ask_alike(heap, *own_member, bytes) : heap.allocate(bytes);
  });
}

// The linker's names for a call that it redirects, and for what the call was.
// NOLINTBEGIN(bugprone-reserved-identifier, readability-identifier-naming)
extern "C" {
void* __real_malloc(std::size_t bytes);
void __real_free(void* block);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* block, std::size_t bytes);
void* __real_aligned_alloc(std::size_t alignment, std::size_t bytes);

void* __wrap_malloc(std::size_t bytes) {
  return kernel_heap == nullptr ? __real_malloc(bytes) : kernel_malloc(bytes, false);
}
void __wrap_free(void* block) {
  if (kernel_heap == nullptr)
    __real_free(block);
  else
    kernel_free(block);
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  if (kernel_heap == nullptr) return __real_calloc(count, bytes);
  void* const block = kernel_malloc(count * bytes, false);
  return block == nullptr ? nullptr : std::memset(block, 0, count * bytes);
}
void* __wrap_realloc(void* block, std::size_t bytes) {
  return kernel_heap == nullptr ? __real_realloc(block, bytes) : kernel_realloc(block, bytes);
}
void* __wrap_aligned_alloc(std::size_t alignment, std::size_t bytes) {
  return kernel_heap == nullptr ? __real_aligned_alloc(alignment, bytes) : kernel_malloc(bytes, false);
}
}
// NOLINTEND(bugprone-reserved-identifier, readability-identifier-naming)

void* operator new(std::size_t bytes) {
  void* const block = __wrap_malloc(std::max<std::size_t>(bytes, 1));
  if (block == nullptr) throw std::bad_alloc();
  return block;
}
void operator delete(void* block) noexcept {
  __wrap_free(block);
}
void operator delete(void* block, std::size_t /*bytes*/) noexcept {
  __wrap_free(block);
}
