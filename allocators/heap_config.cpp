// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/base/kokkos_running.hpp>
#include <haloheap/core/memory/registry.hpp>

namespace haloheap {

std::shared_ptr<MemoryResource> HeapConfig::resource() const {
  require_kokkos("heap '" + label + "'");
  return memory ? memory : make_memory_resource("device");
}

}  // namespace haloheap
