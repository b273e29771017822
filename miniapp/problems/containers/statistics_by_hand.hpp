// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_BY_HAND_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_BY_HAND_HPP

#include <haloheap/core/coherence/context.hpp>

namespace haloheap {

struct HandWritten {
  double result;
  double seconds;
};

/// Problem mse with the same kernel on the same devices, and transfers by hand: what a program without
/// containers would do. x and y are on the host.
HandWritten mse_by_hand(coherence::Context& context, const double* x, const double* y, coherence::Index size);

/// Problem ppmcc with the same kernels on Kokkos::DualView, which is made, and filled on the host, before the
/// clock starts.
HandWritten ppmcc_by_dual_view(const double* x, const double* y, coherence::Index size);

}  // namespace haloheap

#endif
