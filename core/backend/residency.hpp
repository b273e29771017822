// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_RESIDENCY_HPP
#define HALOHEAP_CORE_BACKEND_RESIDENCY_HPP

namespace haloheap::backend {

/// Lanes of how many blocks run side by side, so that each goes on while others wait for it.
struct Residency {
  int multiprocessors = 1;
  int lanes_each = 1;  ///< of a kernel whose launch bounds are 1024 threads a block

  /// Blocks of that many threads that are resident together. A block stays on one multiprocessor, but where
  /// a multiprocessor is a thread of a host: there a block is as many threads.
  int blocks_of(int threads) const {
    return lanes_each == 1 ? multiprocessors / threads : multiprocessors * (lanes_each / threads);
  }
};

/// Of the current device; of a host the threads of the default execution space. Kokkos must be initialised.
Residency residency();

}  // namespace haloheap::backend

#endif
