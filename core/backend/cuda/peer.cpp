// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/cuda/device_guard.hpp>
#include <haloheap/core/backend/device.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/peer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <set>
#include <utility>

namespace haloheap::backend {

std::string peer_unavailable_reason(int device, int other) {
  const int count = device_count();
  if (other == device || std::min(device, other) < 0 || std::max(device, other) >= count)
    return fmt::format("this process sees {} device{}", count, count == 1 ? "" : "s");
  int reaches = 0;
  check(cudaDeviceCanAccessPeer(&reaches, device, other), "cudaDeviceCanAccessPeer");
  return reaches != 0 ? "" : fmt::format("device {} does not reach the memory of device {}", device, other);
}

std::string peer_unavailable_reason(int other) {
  return peer_unavailable_reason(current_device(), other);
}

void enable_peer(int device, int other) {
  require_device(device);
  const DeviceGuard guard(device);
  // To ask twice is an error, which tools report.
  static std::mutex mutex;
  static std::set<std::pair<int, int>> enabled;
  const std::scoped_lock lock(mutex);
  if (!enabled.emplace(device, other).second) return;
  const cudaError_t status = cudaDeviceEnablePeerAccess(other, 0);
  if (status != cudaSuccess) (void)cudaGetLastError();  // the next unrelated call would report it
  if (status != cudaErrorPeerAccessAlreadyEnabled) check(status, "cudaDeviceEnablePeerAccess");
}

void enable_peer(int other) {
  enable_peer(current_device(), other);
}

}  // namespace haloheap::backend
