// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_LINEAR_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_LINEAR_PASSES_HPP

#include <haloheap/core/stencil/measuring.hpp>
#include <haloheap/core/stencil/rule_passes.hpp>
#include <haloheap/core/stencil/stencil_passes.hpp>
#include <haloheap/core/stencil/with_points.hpp>

namespace haloheap::stencil::detail {

/// Included where it is compiled for a number of dimensions.
template <class T, int Dims>
std::unique_ptr<Passes> linear_passes(const Stencil& stencil, const SideRules& sides,
                                      const Subdomain& where) {
  std::unique_ptr<Passes> passes;
  with_points_in<Dims>(stencil, [&]<class Points>(Points) {
    using Rule = MeasuringRule<Linear<T, Points>, Residual>;
    passes = std::make_unique<RulePasses<Rule>>(Rule(Linear<T, Points>(stencil)), sides, where);
  });
  return passes;
}

}  // namespace haloheap::stencil::detail

#endif
