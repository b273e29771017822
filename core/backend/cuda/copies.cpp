// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/copies.hpp>
#include <haloheap/core/backend/cuda/check.hpp>

#include <Kokkos_Core.hpp>

#include <vector>

namespace haloheap::backend {
namespace {

/// CUDA records no copies for which devices are named. Where one reaches the other, addresses say as much.
bool is_recorded(const Exec& exec) {
  cudaStreamCaptureStatus status{};
  check(cudaStreamIsCapturing(exec.cuda_stream(), &status), "cudaStreamIsCapturing");
  return status == cudaStreamCaptureStatusActive;
}

}  // namespace

void copy_rows_async(const Exec& exec, void* to, std::size_t to_pitch, const void* from,
                     std::size_t from_pitch, std::size_t row_bytes, std::size_t rows) {
  check(cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, row_bytes, rows, cudaMemcpyDefault,
                          exec.cuda_stream()),
        "cudaMemcpy2DAsync");
}

void copy_peer_async(const Exec& exec, void* to, int to_device, const void* from, int from_device,
                     std::size_t bytes) {
  if (is_recorded(exec)) return copy_async(exec, to, from, bytes);
  check(cudaMemcpyPeerAsync(to, to_device, from, from_device, bytes, exec.cuda_stream()),
        "cudaMemcpyPeerAsync");
}

void copy_rows_peer_async(const Exec& exec, void* to, int to_device, std::size_t to_pitch, const void* from,
                          int from_device, std::size_t from_pitch, std::size_t row_bytes, std::size_t rows) {
  if (row_bytes == 0 || rows == 0) return;
  if (is_recorded(exec)) return copy_rows_async(exec, to, to_pitch, from, from_pitch, row_bytes, rows);
  cudaMemcpy3DPeerParms copy{};
  copy.dstPtr = make_cudaPitchedPtr(to, to_pitch, row_bytes, rows);
  copy.dstDevice = to_device;
  copy.srcPtr =
      make_cudaPitchedPtr(const_cast<void*>(from), from_pitch, row_bytes, rows);  // CUDA has no other
  copy.srcDevice = from_device;
  copy.extent = make_cudaExtent(row_bytes, rows, 1);
  check(cudaMemcpy3DPeerAsync(&copy, exec.cuda_stream()), "cudaMemcpy3DPeerAsync");
}

#if CUDART_VERSION >= 13000

void copy_batch_async(const Exec& exec, std::span<const Copy> copies) {
  if (copies.empty()) return;
  std::vector<void*> to;
  std::vector<const void*> from;
  std::vector<std::size_t> bytes;
  for (const Copy& copy : copies) {
    to.push_back(copy.to);
    from.push_back(copy.from);
    bytes.push_back(copy.bytes);
  }
  cudaMemcpyAttributes attributes{};
  attributes.srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  std::size_t first = 0;
  check(cudaMemcpyBatchAsync(to.data(), from.data(), bytes.data(), copies.size(), &attributes, &first, 1,
                             exec.cuda_stream()),
        "cudaMemcpyBatchAsync");
}

std::string copy_batch_unavailable_reason() {
  int driver = 0;
  if (cudaDriverGetVersion(&driver) != cudaSuccess) (void)cudaGetLastError();
  return driver >= 13000 ? "" : "the driver is older than CUDA 13.0, which has cudaMemcpyBatchAsync";
}

#else

void copy_batch_async(const Exec&, std::span<const Copy>) {
  throw CapabilityError(copy_batch_unavailable_reason());
}

std::string copy_batch_unavailable_reason() {
  return "built with a CUDA Toolkit before 13.0, which has cudaMemcpyBatchAsync";
}

#endif

}  // namespace haloheap::backend
