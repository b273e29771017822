// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/coefficient_operator.hpp>
#include <haloheap/comm/solvers/operator_kernels.hpp>

namespace haloheap::comm::detail {

template <class T, int Dims>
struct AppliedCoefficients {
  static constexpr int cells = cells_around(Dims), centre = cells / 2;
  const T* coefficients;
  grid::Index size, pitch, plane;

  template <class Around>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Around& around, const grid::Triple& /*cell*/) const {
    T sum = 0;
    HALOHEAP_UNROLL_WITHIN
    for (int n = 0; n < cells; ++n)
      sum += coefficient(n, around.at) * around(0, n % 3 - 1, n / 3 % 3 - 1, Dims == 2 ? 0 : n / 9 - 1);
    return sum;
  }
  /// Of the n-th cell around.
  KOKKOS_FORCEINLINE_FUNCTION T coefficient(int n, grid::Index at) const {
    if (n >= centre) return coefficients[(n - centre) * size + at];
    const grid::Triple there = direction_of(n, Dims);
    return coefficients[(centre - n) * size + at + there.x + there.y * pitch + there.z * plane];
  }
};

template <class Applied, class T>
struct AddMagnitudes {
  static constexpr int dots = 0;
  Applied applied;
  T* sums;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    T sum = sums[at];
    HALOHEAP_UNROLL_WITHIN
    for (int n = 0; n < Applied::cells; ++n) sum += Kokkos::abs(applied.coefficient(n, at));
    sums[at] = sum;
  }
};

template <class T>
struct InvertDiagonal {
  static constexpr int dots = 0;
  const T* diagonal;
  T* scale;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    scale[at] = T{1} / diagonal[at];
  }
};

namespace {

template <class T, class With>
void with_applied(const grid::FieldLayout& layout, const T* coefficients, const With& with) {
  if (layout.dims == 2)
    with(AppliedCoefficients<T, 2>{coefficients, layout.size(), layout.pitch, layout.plane});
  else
    with(AppliedCoefficients<T, 3>{coefficients, layout.size(), layout.pitch, layout.plane});
}

}  // namespace

template <class T>
void CoefficientOperator<T>::residual(const Exec& exec, const T* b, const T* x, T* r,
                                      const grid::Box& box) const {
  with_applied(layout_, coefficients_, [&](const auto& applied) {
    for_box(exec, "haloheap::comm::coarse_residual", layout_, box,
            SubtractFrom<std::decay_t<decltype(applied)>, T>{applied, b, x, r, layout_.pitch, layout_.plane});
  });
}

template <class T>
void CoefficientOperator<T>::smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor,
                                    T* next, const grid::Box& box) const {
  with_applied(layout_, coefficients_, [&](const auto& applied) {
    for_box(exec, "haloheap::comm::coarse_smooth", layout_, box,
            SmoothStep<std::decay_t<decltype(applied)>, T>{applied, b, x, scale, next, factor, layout_.pitch,
                                                           layout_.plane});
  });
}

template <class T>
void CoefficientOperator<T>::smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor,
                                              T* next, const grid::Box& box) const {
  with_applied(layout_, coefficients_, [&](const auto& applied) {
    for_box(exec, "haloheap::comm::coarse_smooth_from_zero", layout_, box,
            SmoothFromZero<std::decay_t<decltype(applied)>, T>{applied, b, scale, next, first, factor,
                                                               layout_.pitch, layout_.plane});
  });
}

template <class T>
void CoefficientOperator<T>::add_magnitudes(const Exec& exec, T* sums) const {
  with_applied(layout_, coefficients_, [&](const auto& applied) {
    for_own_cells(exec, "haloheap::comm::coarse_magnitudes", layout_,
                  AddMagnitudes<std::decay_t<decltype(applied)>, T>{applied, sums});
  });
}

template <class T>
void CoefficientOperator<T>::invert_diagonal(const Exec& exec, T* scale, const grid::Box& box) const {
  for_box(exec, "haloheap::comm::coarse_diagonal", layout_, box, InvertDiagonal<T>{coefficients_, scale});
}

template class CoefficientOperator<float>;
template class CoefficientOperator<double>;

}  // namespace haloheap::comm::detail
