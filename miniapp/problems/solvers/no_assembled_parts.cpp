// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// In a build without Kokkos-Kernels: decks that ask for its parts are refused when they are read.
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/solvers/assembled_parts.hpp>

namespace haloheap {
namespace {

[[noreturn]] void missing() {
  throw InternalError("a part of Kokkos-Kernels was asked for, without which this program was built");
}

}  // namespace

bool with_kokkos_kernels() {
  return false;
}

template <class T>
comm::CustomPreconditionerPtr<T> make_assembled_preconditioner(PreconditionerChoice /*choice*/,
                                                               const comm::LinearOperator<T>& /*matrix*/) {
  missing();
}

template <class T>
comm::LinearOperator<T> make_assembled_operator(const comm::LinearOperator<T>& /*matrix*/) {
  missing();
}

template comm::CustomPreconditionerPtr<float> make_assembled_preconditioner(
    PreconditionerChoice, const comm::LinearOperator<float>&);
template comm::CustomPreconditionerPtr<double> make_assembled_preconditioner(
    PreconditionerChoice, const comm::LinearOperator<double>&);
template comm::LinearOperator<float> make_assembled_operator(const comm::LinearOperator<float>&);
template comm::LinearOperator<double> make_assembled_operator(const comm::LinearOperator<double>&);

}  // namespace haloheap
