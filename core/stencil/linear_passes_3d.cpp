// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/linear_passes.hpp>

namespace haloheap::stencil::detail {

template std::unique_ptr<Passes> linear_passes<float, 3>(const Stencil&, const SideRules&, const Subdomain&);
template std::unique_ptr<Passes> linear_passes<double, 3>(const Stencil&, const SideRules&, const Subdomain&);

}  // namespace haloheap::stencil::detail
