// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_REFERENCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_REFERENCE_HPP

#include <haloheap/miniapp/problems/containers/nbody_kernels.hpp>

#include <vector>

namespace haloheap::nbody {

/// What particles do together.
struct Totals {
  double energy = 0;
  double momentum[3] = {};
  double absolute = 0;  ///< sum of masses times speeds

  /// |momentum - before's| over the absolute sum.
  double momentum_change(const Totals& before) const;
};
Totals totals_of(const Particle* particles, ElementIndex number);

/// The particles after some calls, by one thread and without containers, bit for bit.
std::vector<Particle> reference(const Parameters& parameters, std::int64_t calls);

}  // namespace haloheap::nbody

#endif
