// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_KERNEL_MALLOC_HPP
#define HALOHEAP_BACKEND_KERNEL_MALLOC_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>

namespace haloheap::backend {

/// The malloc that kernels have without any help: that of the CUDA runtime. Its memory cannot be reached, nor
/// freed, from the host. See core/backend/kernel_heap.hpp.
KOKKOS_INLINE_FUNCTION void* kernel_malloc(std::size_t bytes) {
  KOKKOS_IF_ON_DEVICE((return ::malloc(bytes);))
  KOKKOS_IF_ON_HOST(((void)bytes; return nullptr;))
}
KOKKOS_INLINE_FUNCTION void kernel_free(void* pointer) {
  KOKKOS_IF_ON_DEVICE((::free(pointer);))
  KOKKOS_IF_ON_HOST(((void)pointer;))
}

}  // namespace haloheap::backend

#endif
