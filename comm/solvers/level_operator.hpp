// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_LEVEL_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_LEVEL_OPERATOR_HPP

#include <haloheap/comm/solvers/grid_operator.hpp>

namespace haloheap::comm::detail {

/// What a level of a multigrid method asks of its operator. All is enqueued, and done in a box of local cells
/// that lie inside the grid; cells around it are read.
template <class T>
class LevelOperator {
 public:
  using Exec = backend::Exec;

  virtual ~LevelOperator() = default;

  /// r = b - A x.
  virtual void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const = 0;
  /// next = x + factor * scale * (b - A x), cell by cell: a step of a Jacobi iteration.
  virtual void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
                      const grid::Box& box) const = 0;
  /// Two such steps from 0 in one pass: next = y + factor * scale * (b - A y) with y = first * scale * b.
  virtual void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                                const grid::Box& box) const = 0;
  /// Sets what is outside of the grid, for an operator that reads it.
  virtual void impose(const Exec& exec, T* x) const = 0;
};

/// That of the finest level.
template <class T>
class FinestOperator final : public LevelOperator<T> {
 public:
  using Exec = backend::Exec;
  explicit FinestOperator(const GridOperator<T>& matrix) : matrix_(matrix) {}

  void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const override {
    matrix_.residual(exec, b, x, r, box);
  }
  void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
              const grid::Box& box) const override {
    matrix_.smooth(exec, b, x, scale, factor, next, box);
  }
  void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                        const grid::Box& box) const override {
    matrix_.smooth_from_zero(exec, b, scale, first, factor, next, box);
  }
  void impose(const Exec& exec, T* x) const override { matrix_.impose_on_direction(exec, x); }

 private:
  const GridOperator<T>& matrix_;
};

}  // namespace haloheap::comm::detail

#endif
