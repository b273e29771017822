// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_STENCIL_PASSES_HPP
#define HALOHEAP_CORE_STENCIL_STENCIL_PASSES_HPP

#include <haloheap/core/grid/boundary.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/core/stencil/passes.hpp>
#include <haloheap/core/stencil/stencil.hpp>

#include <memory>

namespace haloheap::stencil {

/// The most steps that one pass can make of a stencil, with the default execution space; 1 if it has no
/// kernels.
int max_fused_steps(const Stencil& stencil);

/// What a stencil with constant coefficients computes, of any number of independent fields: the update rule
/// that it is, see detail::Linear. Compiled for float and double.
/// @throws UsageError if the stencil has no kernels
template <class T>
Computation computation_of(const Stencil& stencil, const grid::Boundary& boundary, int quantities = 1);

extern template Computation computation_of<float>(const Stencil&, const grid::Boundary&, int);
extern template Computation computation_of<double>(const Stencil&, const grid::Boundary&, int);

namespace detail {

/// The kernels of that rule, in linear_passes_2d.cpp and linear_passes_3d.cpp.
template <class T, int Dims>
std::unique_ptr<Passes> linear_passes(const Stencil& stencil, const SideRules& sides, const Subdomain& where);

}  // namespace detail

}  // namespace haloheap::stencil

#endif
