// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace haloheap::backend {
namespace {

/// Bytes of the emulated device that are taken, in whole pages.
std::atomic<std::size_t> device_in_use{0};

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + page_size() - 1) / page_size() * page_size();
}

/// Pages of their own, with an inaccessible page behind them, filled with a NaN pattern: reading what was
/// never copied, running over the end and use after release all show.
void* allocate_emulated(const MemoryRequest& request) {
  const MemoryAmount amount = device_memory(request.device);
  require_free(request, amount, "device 0 (emulated)");
  const std::size_t bytes = whole_pages(request.bytes);
  void* const data =
      mmap(nullptr, bytes + page_size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (data == MAP_FAILED) throw_out_of_memory(request, amount, "device 0 (emulated)");
  mprotect(static_cast<char*>(data) + bytes, page_size(), PROT_NONE);
  std::memset(data, 0xFF, bytes);
  device_in_use += bytes;
  return data;
}

void deallocate_emulated(void* data, std::size_t bytes) noexcept {
  munmap(data, whole_pages(bytes) + page_size());
  device_in_use -= whole_pages(bytes);
}

}  // namespace

void* allocate(const MemoryRequest& request) {
  return request.kind == MemoryKind::device ? allocate_emulated(request) : allocate_pageable(request);
}

void deallocate(MemoryKind kind, void* data, std::size_t bytes, int /*device*/) noexcept {
  if (kind == MemoryKind::device) {
    deallocate_emulated(data, bytes);
  } else {
    deallocate_pageable(data);
  }
}

std::string unavailable_reason(MemoryKind /*kind*/) {
  return "";
}

Properties properties(MemoryKind kind, int device) {
  Properties result;
  result.device_accessible = kind != MemoryKind::pageable;
  result.host_accessible = kind != MemoryKind::device;
  result.device = kind == MemoryKind::device || kind == MemoryKind::managed ? device : -1;
  result.max_alignment = kind == MemoryKind::pageable ? max_pageable_alignment : default_alignment;
  return result;
}

int current_device() {
  return 0;
}

MemoryAmount device_memory(int /*device*/) {
  const MemoryAmount host = host_memory();
  const std::size_t in_use = device_in_use;
  return {std::min(host.free, host.total - std::min(in_use, host.total)), host.total};
}

}  // namespace haloheap::backend
