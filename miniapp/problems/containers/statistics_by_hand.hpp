// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_BY_HAND_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_BY_HAND_HPP

#include <haloheap/core/coherence/context.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>

namespace haloheap {

struct Square {
  KOKKOS_FUNCTION double operator()(double x) const { return x * x; }
};
struct Product {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return x * y; }
};
struct SquaredDifference {
  KOKKOS_FUNCTION double operator()(double x, double y) const { return (x - y) * (x - y); }
};

/// Pearson's coefficient of n pairs from the sums of x, y, x*y, x*x and y*y.
inline double correlation(double n, double x, double y, double xy, double xx, double yy) {
  return (n * xy - x * y) / std::sqrt((n * xx - x * x) * (n * yy - y * y));
}

struct HandWritten {
  double result;
  double seconds;
};

/// Problem mse with the same kernel on the same devices, and transfers by hand: what a program without
/// containers would do. x and y are on the host.
HandWritten mse_by_hand(coherence::Context& context, const double* x, const double* y,
                        coherence::ElementIndex size);

/// Problem ppmcc with the same kernels on Kokkos::DualView, which is made, and filled on the host, before the
/// clock starts.
HandWritten ppmcc_by_dual_view(const double* x, const double* y, coherence::ElementIndex size);

}  // namespace haloheap

#endif
