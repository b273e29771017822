// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/coherence/heap_counter.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

namespace {
std::atomic<long> count{0};
}  // namespace

void* operator new(std::size_t bytes) {
  ++count;
  if (void* const data = std::malloc(bytes == 0 ? 1 : bytes)) return data;
  throw std::bad_alloc();
}
void operator delete(void* data) noexcept {
  std::free(data);
}
void operator delete(void* data, std::size_t /*bytes*/) noexcept {
  std::free(data);
}

namespace haloheap::coherence {

long heap_allocations() {
  return count;
}

}  // namespace haloheap::coherence
