// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_WITH_RESIDUAL_HPP
#define HALOHEAP_CORE_STENCIL_WITH_RESIDUAL_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>

#include <algorithm>
#include <span>

namespace haloheap::stencil::detail {

/// Calls `visit` with the residual that kernels count which compute `boxes`, or with none.
template <class Visit>
void with_residual(ResidualTarget target, std::span<const grid::Box> boxes, Visit&& visit) {
  if (boxes.size() == 1)  // its tiles reach beyond it
    target.counted = intersect(boxes.front(), target.counted);
  const auto counts = [&](const grid::Box& box) { return !intersect(box, target.counted).empty(); };
  if (target.slots != nullptr && std::any_of(boxes.begin(), boxes.end(), counts))
    visit(ResidualTally(target));
  else
    visit(NoTally{});
}

}  // namespace haloheap::stencil::detail

#endif
