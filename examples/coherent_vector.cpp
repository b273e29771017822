// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Vectors that the host and all devices use in turn. What is moved is what is needed, and is counted.
#include <haloheap/core/coherence/skeletons.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

using namespace haloheap::coherence;

/// The largest eigenvalue of the matrix with 2 on its diagonal and -1 beside it, by the power method.
double largest_eigenvalue(ElementIndex n, int steps) {
  Context context;  // all devices of this process; the host if there is none
  Vector<double> x(context, "x", n), y(context, "y", n);
  for (ElementIndex i = 0; i < n; ++i) x[i] = i % 2 == 0 ? 1.0 : -0.5;  // on the host
  const Edge<double> zero_outside{Edge<double>::Kind::constant, 0};
  double norm = 0;
  for (int step = 0; step < steps; ++step) {
    map_overlap(
        all_devices, "multiply", y,
        KOKKOS_LAMBDA(const Window<double>& at) { return 2 * at(0) - at(-1) - at(1); }, 1, zero_outside, x);
    norm = std::sqrt(map_reduce<double>(
        all_devices, "norm", Sum<double>{}, KOKKOS_LAMBDA(double a) { return a * a; }, y));
    map(
        all_devices, "scale", x, KOKKOS_LAMBDA(double a) { return a / norm; }, y);
  }
  return norm;
}

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  constexpr ElementIndex n = 30;
  const double found = largest_eigenvalue(n, 2000);
  const double exact = 2 + 2 * std::cos(std::acos(-1.0) / (n + 1));
  std::printf("largest eigenvalue: %.12f, exactly %.12f\n", found, exact);
  return std::abs(found - exact) < 1e-9 ? 0 : 1;
}
