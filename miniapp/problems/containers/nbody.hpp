// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_NBODY_HPP

#include <haloheap/miniapp/problem.hpp>

namespace haloheap {

/// All particles attract all others. Two vectors by turns: each call reads all of one on every device, and
/// each device writes its part of the other. (The paper's NBody, sections 3.2 and 4.2 and Table 1.)
std::unique_ptr<Problem> make_nbody();

}  // namespace haloheap

#endif
