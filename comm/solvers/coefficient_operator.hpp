// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_COEFFICIENT_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_COEFFICIENT_OPERATOR_HPP

#include <haloheap/comm/solvers/level_operator.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::comm::detail {

/// Cells of a box of 3 x 3, or 3 x 3 x 3, around a cell.
KOKKOS_FORCEINLINE_FUNCTION constexpr int cells_around(int dims) {
  return dims == 2 ? 9 : 27;
}
/// Which way the n-th of them is; x runs fastest.
KOKKOS_FORCEINLINE_FUNCTION constexpr grid::Triple direction_of(int n, int dims) {
  return {n % 3 - 1, n / 3 % 3 - 1, dims == 2 ? 0 : n / 9 - 1};
}

/// Of these the cell itself and those behind it, which a symmetric matrix is made of.
KOKKOS_FORCEINLINE_FUNCTION constexpr int cells_behind(int dims) {
  return cells_around(dims) / 2 + 1;
}

/// An operator whose symmetric matrix stands in memory: in each cell, what the cell itself and the neighbours
/// behind it are multiplied with; those in front of it have that number. Those outside the grid have 0, so
/// that nothing must be there but numbers. A grid that wraps around has three cells or more.
template <class T>
class CoefficientOperator final : public LevelOperator<T> {
 public:
  using Exec = backend::Exec;

  /// @param layout of fields
  /// @param coefficients of layout.size() values for each of the cells_behind, one direction behind the
  /// other. They must outlive this object, and be there for the cells that it is asked for and those around
  /// them; 0 outside the grid.
  CoefficientOperator(const grid::FieldLayout& layout, const T* coefficients)
      : layout_(layout), coefficients_(coefficients) {}

  void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const override;
  void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
              const grid::Box& box) const override;
  void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                        const grid::Box& box) const override;
  void impose(const Exec& /*exec*/, T* /*x*/) const override {}

  /// Adds the magnitudes of all coefficients of own cells.
  void add_magnitudes(const Exec& exec, T* sums) const;
  /// 1 over the coefficient of the cell itself.
  void invert_diagonal(const Exec& exec, T* scale, const grid::Box& box) const;

 private:
  grid::FieldLayout layout_;
  const T* coefficients_;
};

extern template class CoefficientOperator<float>;
extern template class CoefficientOperator<double>;

}  // namespace haloheap::comm::detail

#endif
