// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_KERNEL_ACCESS_HPP
#define HALOHEAP_CORE_MEMORY_KERNEL_ACCESS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/core/backend/memory_properties.hpp>

namespace haloheap::memory {

/// Whether kernels of the default execution space may use memory with these properties. Where kernels run on
/// the host, all memory will do, whatever it stands for.
inline bool kernel_accessible(const backend::Properties& properties) {
  return properties.device_accessible || backend::kernels_on_host;
}

}  // namespace haloheap::memory

#endif
