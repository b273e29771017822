// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STENCIL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_STENCIL_PASSES_HPP

#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/stencil.hpp>

namespace haloheap::stencil {

/// What a stencil with constant coefficients computes, of any number of independent fields. Compiled for
/// float and double.
template <class T>
Computation computation_of(const Stencil& stencil, const grid::Boundary& boundary, int quantities = 1);

extern template Computation computation_of<float>(const Stencil&, const grid::Boundary&, int);
extern template Computation computation_of<double>(const Stencil&, const grid::Boundary&, int);

}  // namespace haloheap::stencil

#endif
