// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_KERNEL_ACCESS_HPP
#define HALOHEAP_CORE_MEMORY_KERNEL_ACCESS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/resource.hpp>

namespace haloheap::memory {

/// Whether kernels of the default execution space may use memory with these properties. Where kernels run on
/// the host, all memory will do, whatever it stands for.
inline bool kernel_accessible(const backend::Properties& properties) {
  return properties.device_accessible || backend::kernels_on_host;
}

/// \throws UsageError unless kernels may use the resource's memory
inline void require_kernel_access(const MemoryResource& memory) {
  if (!kernel_accessible(memory.properties()))
    throw UsageError("kernels cannot reach memory '" + memory.name() + "' on this machine", "",
                     "use device, pinned or managed memory");
}

}  // namespace haloheap::memory

#endif
