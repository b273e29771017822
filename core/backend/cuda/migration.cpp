// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/memory.hpp>
#include <haloheap/core/backend/migration.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {
namespace {

bool has(cudaDeviceAttr attribute) {
  int value = 0;
  if (cudaDeviceGetAttribute(&value, attribute, current_device()) != cudaSuccess) (void)cudaGetLastError();
  return value != 0;
}

// CUDA 13 replaced device numbers by locations.
#if CUDART_VERSION >= 13000
cudaMemLocation location(Side side) {
  cudaMemLocation location{};
  location.type = side == Side::device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost;
  location.id = side == Side::device ? current_device() : 0;
  return location;
}
cudaError_t prefetch(const void* data, std::size_t bytes, Side side, cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, location(side), 0, stream);
}
#else
int location(Side side) {
  return side == Side::device ? current_device() : cudaCpuDeviceId;
}
cudaError_t prefetch(const void* data, std::size_t bytes, Side side, cudaStream_t stream) {
  return cudaMemPrefetchAsync(data, bytes, location(side), stream);
}
#endif

}  // namespace

void prefetch_async(const Exec& exec, void* data, std::size_t bytes, Side side) {
  check(prefetch(data, bytes, side, exec.cuda_stream()), "cudaMemPrefetchAsync");
}

void keep_on_host(void* data, std::size_t bytes) {
  check(cudaMemAdvise(data, bytes, cudaMemAdviseSetPreferredLocation, location(Side::host)), "cudaMemAdvise");
  check(cudaMemAdvise(data, bytes, cudaMemAdviseSetAccessedBy, location(Side::device)), "cudaMemAdvise");
}

std::string prefetch_unavailable_reason() {
  return has(cudaDevAttrConcurrentManagedAccess) ? "" : "the device's attribute ConcurrentManagedAccess is 0";
}

std::string pageable_access_unavailable_reason() {
  return has(cudaDevAttrPageableMemoryAccess)
             ? ""
             : "the device's attribute PageableMemoryAccess is 0 (neither HMM nor ATS)";
}

}  // namespace haloheap::backend
