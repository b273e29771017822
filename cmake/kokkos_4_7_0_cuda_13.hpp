// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Force-included into every CUDA file when Kokkos 4.7.0 meets CUDA 13 (later Kokkos releases need none of
// it), so that Kokkos itself stays unpatched:
//  - CUDA 13 removed the int-device form of cudaMemPrefetchAsync and the three-array form of
//  cudaGraphAddDependencies;
//  - [[no_unique_address]] in mdspan makes g++ and nvcc lay out Kokkos::View differently in C++20, after
//  which every
//    kernel reads its View members at the wrong offset.
#ifndef HALOHEAP_CMAKE_KOKKOS_4_7_0_CUDA_13_HPP
#define HALOHEAP_CMAKE_KOKKOS_4_7_0_CUDA_13_HPP

#define MDSPAN_IMPL_USE_ATTRIBUTE_NO_UNIQUE_ADDRESS 1
#define MDSPAN_IMPL_NO_UNIQUE_ADDRESS

#include <cuda_runtime.h>

inline cudaError_t cudaMemPrefetchAsync(const void* pointer, size_t bytes, int device, cudaStream_t stream) {
  cudaMemLocation location{};
  location.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  location.id = device == cudaCpuDeviceId ? 0 : device;
  return cudaMemPrefetchAsync(pointer, bytes, location, 0, stream);
}

inline cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from,
                                            const cudaGraphNode_t* to, size_t count) {
  return cudaGraphAddDependencies(graph, from, to, nullptr, count);
}

#endif
