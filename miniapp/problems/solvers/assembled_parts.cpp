// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In a build with Kokkos-Kernels.
#include <haloheap/comm/solvers/kokkos_operator.hpp>
#include <haloheap/miniapp/problems/solvers/assembled_parts.hpp>

namespace haloheap {

bool with_kokkos_kernels() {
  return true;
}

template <class T>
comm::CustomPreconditionerPtr<T> make_assembled_preconditioner(PreconditionerChoice choice,
                                                               const comm::LinearOperator<T>& matrix) {
  const comm::AssembledMatrix<T> assembled(matrix);
  if (choice == PreconditionerChoice::gauss_seidel) return std::make_shared<comm::GaussSeidel<T>>(assembled);
  return std::make_shared<comm::IncompleteFactors<T>>(assembled);
}

template <class T>
comm::LinearOperator<T> make_assembled_operator(const comm::LinearOperator<T>& matrix) {
  return comm::with_assembled_products(matrix);
}

template comm::CustomPreconditionerPtr<float> make_assembled_preconditioner(
    PreconditionerChoice, const comm::LinearOperator<float>&);
template comm::CustomPreconditionerPtr<double> make_assembled_preconditioner(
    PreconditionerChoice, const comm::LinearOperator<double>&);
template comm::LinearOperator<float> make_assembled_operator(const comm::LinearOperator<float>&);
template comm::LinearOperator<double> make_assembled_operator(const comm::LinearOperator<double>&);

}  // namespace haloheap
