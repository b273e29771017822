// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/cuda/page_lock.hpp>
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/page_lock.hpp>

namespace haloheap::backend {

PageLock::PageLock(void* data, std::size_t bytes, std::string_view label) : data_(data) {
  const cudaError_t status = page_lock(data, bytes);
  if (status == cudaErrorMemoryAllocation)
    throw_out_of_memory({MemoryKind::pinned, bytes, 1, label, current_device()}, host_memory(), "the host");
  check(status, "cudaHostRegister");
}

PageLock::~PageLock() {
  page_unlock(data_);
}

}  // namespace haloheap::backend
