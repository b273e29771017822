// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_PATHS_HOST_DEVICE_MEMORY_PROBE_HPP
#define HALOHEAP_COMM_PATHS_HOST_DEVICE_MEMORY_PROBE_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/memory/resource.hpp>

#include <memory>
#include <optional>
#include <string>

namespace haloheap::comm {

/// What MPIX_Query_cuda_support says; nothing if this MPI library does not have it.
std::optional<bool> mpi_cuda_support();

/// Whether MPI takes device memory, and how that is known, for the report of a run.
struct GpuAwareness {
  std::string gpu_aware, from;
};

/// @param says mpi_cuda_support()
/// @param probed the run's transport handed device memory to MPI, so that its probe has passed
GpuAwareness gpu_awareness(std::optional<bool> says, bool probed, bool device = !backend::kernels_on_host);

/// @throws CapabilityError if MPI says that it cannot take device memory, or cannot be asked, unless forced
void require_gpu_aware(std::optional<bool> says, bool force);

/// Sends memory of this resource around a ring of all ranks, small and large, and looks at what arrives.
/// Collective. @throws CapabilityError on all ranks if it is not what was sent
void probe_device_memory(const Communicator& communicator,
                         const std::shared_ptr<memory::MemoryResource>& memory, double timeout);

}  // namespace haloheap::comm

#endif
