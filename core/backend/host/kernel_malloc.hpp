// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_KERNEL_MALLOC_HPP
#define HALOHEAP_BACKEND_KERNEL_MALLOC_HPP

#include <cstddef>
#include <cstdlib>

namespace haloheap::backend {

/// The malloc that kernels have without any help: that of the C library. See core/backend/kernel_heap.hpp.
inline void* kernel_malloc(std::size_t bytes) {
  return std::malloc(bytes);
}
inline void kernel_free(void* pointer) {
  std::free(pointer);
}

}  // namespace haloheap::backend

#endif
