// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_KERNELS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_STATISTICS_KERNELS_HPP

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

}  // namespace haloheap

#endif
