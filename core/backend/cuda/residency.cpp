// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/backend/cuda/check.hpp>
#include <haloheap/core/backend/residency.hpp>

namespace haloheap::backend {

Residency residency() {
  // A block of 1024 threads can always be resident, so as many threads in smaller blocks can: registers are
  // given out by warp, and there are no more than 32 of these.
  int device = 0, multiprocessors = 0;
  check(cudaGetDevice(&device), "cudaGetDevice");
  check(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
        "cudaDeviceGetAttribute");
  return {multiprocessors, 1024};
}

}  // namespace haloheap::backend
