// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/host_memory.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/memory_file.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::backend {
namespace {

bool in_file(MemoryKind kind) {
  return kind == MemoryKind::device || kind == MemoryKind::shared;
}

/// Reading what was never copied, running over the end and use after release all show. All emulated devices
/// share the memory of the host.
void* allocate_file(const MemoryRequest& request) {
  require_device(request.device);
  const MemoryAmount amount = device_memory(request.device);
  const std::string place = fmt::format("device {} (emulated)", request.device);
  require_free(request, amount, place);
  void* const data = memory_file::take(request.bytes);
  if (data == nullptr) throw_out_of_memory(request, amount, place);
  return data;
}

}  // namespace

void* allocate(const MemoryRequest& request) {
  return in_file(request.kind) ? allocate_file(request) : allocate_pageable(request);
}

void deallocate(MemoryKind kind, void* data, std::size_t /*bytes*/, int /*device*/) noexcept {
  if (in_file(kind)) {
    memory_file::give_back(data);
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
  result.ipc_exportable = in_file(kind);
  result.device = kind == MemoryKind::device || kind == MemoryKind::managed ? device : -1;
  result.max_alignment = kind == MemoryKind::pageable ? max_pageable_alignment : default_alignment;
  return result;
}

int current_device() {
  return 0;
}

MemoryAmount device_memory(int /*device*/) {
  const MemoryAmount host = host_memory();
  const std::size_t in_use = memory_file::in_use();
  return {std::min(host.free, host.total - std::min(in_use, host.total)), host.total};
}

}  // namespace haloheap::backend
