// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_REFERENCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_REFERENCE_HPP

#include <haloheap/miniapp/problems/containers/sph_kernels.hpp>

#include <string>
#include <vector>

namespace haloheap::sph {

/// The particles of the first vector after some steps, by one thread and without containers, bit for bit.
std::vector<Particle> reference(const Parameters& parameters, std::int64_t steps);

/// Mean velocity in excess of what gravity makes, over the mean speed: of forces between particles alone it
/// is zero but for rounding.
double excess_momentum(const Particle* particles, const Parameters& parameters, std::int64_t steps);

double bounces(const Particle* particles, ElementIndex number);

/// What is wrong with the particles by themselves: one that is outside, or a density that cannot be.
std::string impossible(const std::vector<Particle>& particles, const Parameters& parameters);

}  // namespace haloheap::sph

#endif
