// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat spreads along a rod, by calls that are made ten thousand times: as soon as they find all elements
// where they need them, a device is given all of them at once.
#include <haloheap/core/coherence/repeated.hpp>
#include <haloheap/core/coherence/skeletons.hpp>

#include <Kokkos_Core.hpp>

#include <cmath>
#include <cstdio>

using namespace haloheap::coherence;

struct Spread {
  KOKKOS_FUNCTION double operator()(const Window<double>& u) const {
    return u(0) + 0.25 * (u(-1) - 2 * u(0) + u(1));
  }
};

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  Context context;  // all devices of this process; the host if there is none
  Vector<double> now(context, "now", 1000), next(context, "next", 1000);
  now.fill(1);
  now[500] = 101;

  Repeated two_steps(context, [&] {
    map_overlap(all_devices, "spread", next, Spread{}, 1, Edge<double>{}, now);
    map_overlap(all_devices, "spread", now, Spread{}, 1, Edge<double>{}, next);
  });
  two_steps(5000);
  const double sum = reduce(all_devices, "sum", Sum<double>{}, now);
  std::printf("%.6f in all, %.6f in the middle, %llu of 5000 repetitions as graphs\n", sum,
              std::as_const(now)[500], static_cast<unsigned long long>(two_steps.launched()));
  return std::abs(sum - 1100) < 1e-6 && two_steps.launched() > 4900 ? 0 : 1;
}
