// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_ASSEMBLED_PARTS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_ASSEMBLED_PARTS_HPP

#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/comm/solvers/linear_operator.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_settings.hpp>

namespace haloheap {

/// What follows may be called if with_kokkos_kernels() alone.

/// Collective. @throws as GaussSeidel and IncompleteFactors
template <class T>
comm::CustomPreconditionerPtr<T> make_assembled_preconditioner(PreconditionerChoice choice,
                                                               const comm::LinearOperator<T>& matrix);
/// Collective: see with_assembled_products.
template <class T>
comm::LinearOperator<T> make_assembled_operator(const comm::LinearOperator<T>& matrix);

}  // namespace haloheap

#endif
