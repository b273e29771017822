// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_GRID_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_GRID_OPERATOR_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/comm/solvers/field_kernels.hpp>

namespace haloheap::comm::detail {

/// z = M r: null for the identity.
template <class T>
using DiagonalOf = const T*;

/// How one vector of a Krylov basis follows from those before it: A v = scale * next + shift * v + back *
/// last.
struct BasisStep {
  double shift = 0, back = 0, scale = 1;
};

/// What solvers ask of an operator, whatever its rule. Everything is enqueued; fields have the operator's
/// layout. Those that are read with neighbours have their ghost cells, and cells outside the grid.
template <class T>
class GridOperator {
 public:
  using Exec = backend::Exec;

  virtual ~GridOperator() = default;

  /// y = A M x.
  virtual void apply(const Exec& exec, const T* x, DiagonalOf<T> scaling, T* y) const = 0;
  /// r = b - A x in a box of local cells that lie inside the grid.
  virtual void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const = 0;
  /// next = x + factor * scale * (b - A x) there, cell by cell: a step of a Jacobi iteration.
  virtual void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
                      const grid::Box& box) const = 0;
  /// Two such steps from 0: next = y + factor * scale * (b - A y) with y = first * scale * b.
  virtual void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                                const grid::Box& box) const = 0;
  /// q = z + beta p and w = A q; adds q'w. Ghost cells of q are for the call after it.
  virtual void next_direction(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta, T* q,
                              T* w, const DotTarget& target) const = 0;
  virtual void direction_outside(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta,
                                 T* q) const = 0;
  /// w = A M p; adds a'w and w'w.
  virtual void apply_scaled(const Exec& exec, const T* p, DiagonalOf<T> scaling, const T* a, T* w,
                            const DotTarget& target) const = 0;
  /// q = factor r + beta p, also in ghost cells, x += q, or x = q for the first step, and s = r - A q.
  virtual void chebyshev_step(const Exec& exec, const T* r, T factor, const T* p, T beta, T* q, T* x, T* s,
                              bool first) const = 0;
  /// The next vector of a basis, in own cells and as far around as `around` applications more will need, with
  /// cells outside the grid.
  virtual void extend_basis(const Exec& exec, const T* v, const T* last, const BasisStep& step, T* next,
                            int around) const = 0;
  /// The diagonal of A or its inverse, in own cells.
  virtual void diagonal(const Exec& exec, T* values, bool inverse) const = 0;

  /// Sets cells outside the grid, as far as they are read: by the radius. A direction is 0 where the solution
  /// has a fixed value.
  virtual void impose(const Exec& exec, T* solution) const = 0;
  virtual void impose_on_direction(const Exec& exec, T* direction) const = 0;
  /// Of what directions are multiplied with.
  virtual void impose_on_scaling(const Exec& exec, T* diagonal) const = 0;
};

}  // namespace haloheap::comm::detail

#endif
