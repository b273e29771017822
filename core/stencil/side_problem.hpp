// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SIDE_PROBLEM_HPP
#define HALOHEAP_CORE_STENCIL_SIDE_PROBLEM_HPP

#include <haloheap/core/stencil/outside.hpp>

namespace haloheap::stencil {

/// @param says_outside whether the rule has a member `outside`
/// @throws UsageError for sides of a grid that do not fit a rule of so many dimensions and fields
void require_sides(const SideRules& sides, int dims, int fields, bool says_outside);

}  // namespace haloheap::stencil

#endif
