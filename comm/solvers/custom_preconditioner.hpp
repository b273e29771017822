// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_CUSTOM_PRECONDITIONER_HPP
#define HALOHEAP_COMM_SOLVERS_CUSTOM_PRECONDITIONER_HPP

#include <haloheap/backend/exec.hpp>

#include <memory>

namespace haloheap::comm {

/// A preconditioner of a user's own, which a solver is given as its last argument:
///
///     comm::ConjugateGradient solver(matrix, config, b, x, std::make_shared<Mine>(matrix));
///
/// The solver's configuration has Preconditioner::none then.
template <class T>
class CustomPreconditioner {
 public:
  using Exec = backend::Exec;

  CustomPreconditioner() = default;
  CustomPreconditioner(const CustomPreconditioner&) = delete;
  CustomPreconditioner& operator=(const CustomPreconditioner&) = delete;
  virtual ~CustomPreconditioner() = default;

  /// Called by all ranks when a solution begins. What it throws it has to throw on all ranks.
  virtual void prepare(const Exec& /*exec*/) {}
  /// z = M r, where M stays the same from one `prepare` to the next; for conjugate gradients it is symmetric
  /// and positive definite. Called by all ranks, and enqueued on `exec`, or done on return.
  /// @param r, z fields of the operator's layout: own cells are read, and own cells are set. Ghost cells of
  /// both may hold anything, and those of z may be overwritten
  virtual void apply(const Exec& exec, const T* r, T* z) = 0;
};

/// Null where a solver has none.
template <class T>
using CustomPreconditionerPtr = std::shared_ptr<CustomPreconditioner<T>>;

}  // namespace haloheap::comm

#endif
