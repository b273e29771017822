// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_SPH_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// Smoothed particle hydrodynamics: a block of water falls in a box. Two vectors: densities are written to
/// the second from all of the first, forces to the first from all of the second. (The paper's SPH, section
/// 4.2 and Table 1.)
std::unique_ptr<Problem> make_sph();

}  // namespace haloheap

#endif
