// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host/queues.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/stream_memory.hpp>

#include <cstring>

namespace haloheap::backend {

void* allocate_async(const Exec& exec, std::size_t bytes, std::string_view label) {
  void* const data = allocate({MemoryKind::device, bytes, 1, label, 0});
  // The memory is there when the queue gets here: what others write before is lost.
  if (host::queues() != nullptr) host::enqueue(exec, [=] { std::memset(data, 0xFF, bytes); });
  return data;
}
void deallocate_async(const Exec& exec, void* data, std::size_t bytes) noexcept {
  host::enqueue(exec, [=] { deallocate(MemoryKind::device, data, bytes, 0); });
}
std::string stream_memory_unavailable_reason() {
  return "";
}

}  // namespace haloheap::backend
