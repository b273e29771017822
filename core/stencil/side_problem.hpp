// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SIDE_PROBLEM_HPP
#define HALOHEAP_CORE_STENCIL_SIDE_PROBLEM_HPP

#include <haloheap/core/stencil/outside.hpp>

#include <string>
#include <vector>

namespace haloheap::stencil {

/// @param fields of the rule: their names
/// @param says_outside whether the rule has a member `outside`
/// @param plain whether its kernels know cells outside with fixed values or mirrored ones alone
/// @throws UsageError for sides of a grid that do not fit a rule of so many dimensions
void require_sides(const SideRules& sides, int dims, const std::vector<std::string>& fields,
                   bool says_outside, bool plain);

/// All that the sides say, in words: different for different sides.
std::string text_of(const SideRules& sides, int dims);

}  // namespace haloheap::stencil

#endif
