// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/kernel_heap.hpp>

namespace haloheap::backend {

void reserve_kernel_heap(std::size_t /*bytes*/) {}

bool kernel_heap_is_copyable() {
  return true;
}

}  // namespace haloheap::backend
