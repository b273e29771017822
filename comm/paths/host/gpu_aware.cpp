// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/comm/paths/host/device_memory_probe.hpp>
#include <haloheap/comm/paths/host/gpu_aware.hpp>
#include <haloheap/comm/paths/host/message_path.hpp>

namespace haloheap::comm::detail {

std::unique_ptr<HaloPath> make_gpu_aware_path(PathSetup setup) {
  // Memory that the host can read is nothing special to MPI.
  const bool special = !backend::kernels_on_host && !setup.buffers->properties().host_accessible;
  agree_on(setup.communicator, "transport gpu_aware", set_up_timeout(setup.timeout), [&]() -> Terms {
    if (special) require_gpu_aware(mpi_cuda_support(), setup.force_gpu_aware);
    return {};
  });
  probe_device_memory(setup.communicator, setup.buffers, set_up_timeout(setup.timeout));
  return make_message_path(setup, setup.buffers, nullptr);
}

}  // namespace haloheap::comm::detail
