// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/peer.hpp>

#include <fmt/format.h>

namespace haloheap::backend {

std::string peer_unavailable_reason(int other) {
  const int device = current_device();
  if (other == device || other < 0 || other >= device_count())
    return fmt::format("this process sees {} device{}", device_count(), device_count() == 1 ? "" : "s");
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, device, other), "cudaDeviceCanAccessPeer");
  return reaches != 0 ? "" : fmt::format("device {} does not reach the memory of device {}", device, other);
}

void enable_peer(int other) {
  const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
  if (status == cudaErrorPeerAccessAlreadyEnabled) {
    (void)cudaGetLastError();
    return;
  }
  check(status, "cudaDeviceEnablePeerAccess");
}

}  // namespace haloheap::backend
