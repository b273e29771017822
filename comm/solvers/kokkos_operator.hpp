// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// For programs that link Kokkos::kokkoskernels, as kokkos_sparse.hpp is.
#ifndef HALOHEAP_COMM_SOLVERS_KOKKOS_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_KOKKOS_OPERATOR_HPP

#include <haloheap/comm/solvers/kokkos_sparse.hpp>
#include <haloheap/core/backend/view.hpp>

#include <KokkosSparse_spmv.hpp>

#include <memory>
#include <type_traits>

namespace haloheap::comm {

namespace detail {

/// The value of one cell for a product, from a field.
template <class T, class Scaling>
struct ScaledValue {
  const T* p;
  Scaling scaling;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index at) const { return scaling(p, at); }
};
template <class T, class Scaling>
struct DirectionValue {
  const T *r, *p;
  Scaling scaling;
  T beta;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index at) const { return scaling(r, at) + beta * p[at]; }
};

/// Own cells into a vector, and into a field if there is one.
template <class T, class Value>
struct PutOwnValues {
  static constexpr int dots = 0;
  Value value;
  grid::Triple own;
  T *vector, *field;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const T found = value(at);
    vector[row_of(cell, own)] = found;
    if (field != nullptr) field[at] = found;
  }
};
template <class T, class Value>
struct PutGhostValues {
  Value value;
  const grid::Index* places;
  T* vector;

  KOKKOS_FUNCTION void operator()(grid::Index column) const { vector[column] = value(places[column]); }
};

/// Out of a vector into a field, where products follow, which an operator's kernels add.
template <class T>
struct TakeValues {
  grid::Triple own;
  const T* vector;
  T* w;

  KOKKOS_FORCEINLINE_FUNCTION T take(const grid::Triple& cell, grid::Index at) const {
    return w[at] = vector[row_of(cell, own)];
  }
};
template <class T>
struct TakeWithProduct {
  static constexpr int dots = 1;
  TakeValues<T> values;
  const T* q;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& cell,
                                                                    grid::Index at) const {
    return {{static_cast<double>(q[at]) * static_cast<double>(values.take(cell, at))}};
  }
};
template <class T>
struct TakeWithProducts {
  static constexpr int dots = 2;
  TakeValues<T> values;
  const T* a;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> operator()(const grid::Triple& cell,
                                                                    grid::Index at) const {
    const auto wide = static_cast<double>(values.take(cell, at));
    return {{static_cast<double>(a[at]) * wide, wide * wide}};
  }
};

/// Products with an assembled matrix by Kokkos-Kernels. What is outside the grid, residuals, which have to
/// know it, and everything that another method asks for are the rule's.
template <class T>
class KokkosOperator final : public GridOperator<T> {
 public:
  using Exec = backend::Exec;

  explicit KokkosOperator(const LinearOperator<T>& rule)
      : rule_(rule.kernels()),
        assembled_(rule),
        matrix_(kokkos_matrix(assembled_.rows())),
        in_("haloheap::comm::multiplied", static_cast<std::size_t>(assembled_.rows().column_count)),
        out_("haloheap::comm::product", static_cast<std::size_t>(assembled_.own_cells())) {
    Kokkos::fence("haloheap::comm::KokkosOperator");
  }

  void apply(const Exec& exec, const T* x, DiagonalOf<T> scaling, T* y) const override {
    with_scaling(scaling, [&](const auto& by) {
      multiply(exec, ScaledValue<T, std::decay_t<decltype(by)>>{x, by}, nullptr);
    });
    assembled_.unpack(exec, out_.data(), y);
  }
  void next_direction(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta, T* q, T* w,
                      const DotTarget& target) const override {
    with_scaling(scaling, [&](const auto& by) {
      multiply(exec, DirectionValue<T, std::decay_t<decltype(by)>>{r, p, by, beta}, q);
    });
    for_own_cells(exec, "haloheap::comm::take_product", layout(), TakeWithProduct<T>{take(w), q}, target);
  }
  void apply_scaled(const Exec& exec, const T* p, DiagonalOf<T> scaling, const T* a, T* w,
                    const DotTarget& target) const override {
    with_scaling(scaling, [&](const auto& by) {
      multiply(exec, ScaledValue<T, std::decay_t<decltype(by)>>{p, by}, nullptr);
    });
    for_own_cells(exec, "haloheap::comm::take_product", layout(), TakeWithProducts<T>{take(w), a}, target);
  }

  void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const override {
    rule_.residual(exec, b, x, r, box);
  }
  void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
              const grid::Box& box) const override {
    rule_.smooth(exec, b, x, scale, factor, next, box);
  }
  void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                        const grid::Box& box) const override {
    rule_.smooth_from_zero(exec, b, scale, first, factor, next, box);
  }
  void direction_outside(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta,
                         T* q) const override {
    rule_.direction_outside(exec, r, scaling, p, beta, q);
  }
  void chebyshev_step(const Exec& exec, const T* r, T factor, const T* p, T beta, T* q, T* x, T* s,
                      bool first) const override {
    rule_.chebyshev_step(exec, r, factor, p, beta, q, x, s, first);
  }
  void extend_basis(const Exec& exec, const T* v, const T* last, const BasisStep& step, T* next,
                    int around) const override {
    rule_.extend_basis(exec, v, last, step, next, around);
  }
  void diagonal(const Exec& exec, T* values, bool inverse) const override {
    rule_.diagonal(exec, values, inverse);
  }
  void impose(const Exec& exec, T* solution) const override { rule_.impose(exec, solution); }
  void impose_on_direction(const Exec& exec, T* direction) const override {
    rule_.impose_on_direction(exec, direction);
  }
  void impose_on_scaling(const Exec& exec, T* diagonal) const override {
    rule_.impose_on_scaling(exec, diagonal);
  }

 private:
  const grid::FieldLayout& layout() const { return assembled_.layout(); }
  TakeValues<T> take(T* field) const { return {layout().own, out_.data(), field}; }

  template <class Value>
  void multiply(const Exec& exec, const Value& value, T* field) const {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
    for_own_cells(exec, "haloheap::comm::put_own_values", layout(),
                  PutOwnValues<T, Value>{value, layout().own, in_.data(), field});
    if (assembled_.ghost_cells() > 0)
      backend::parallel_for(
          "haloheap::comm::put_ghost_values",
          backend::as_kernel_argument(Policy(exec, assembled_.own_cells(), assembled_.rows().column_count)),
          PutGhostValues<T, Value>{value, assembled_.places().data(), in_.data()});
    // Kokkos-Kernels does not know the queues that a host may have in the place of a device's.
    if constexpr (backend::kernels_on_host) backend::wait_for(exec);
    KokkosSparse::spmv(exec, "N", T{1}, matrix_, in_, T{0}, out_);
  }

  const GridOperator<T>& rule_;
  AssembledMatrix<T> assembled_;
  KokkosMatrix<T> matrix_;
  backend::View<T*> in_, out_;
};

}  // namespace detail

/// Collective: the same operator with products by its assembled matrix and KokkosSparse::spmv, in
/// ConjugateGradient and BiCGStab. What these do but seldom is the rule's as before, and so is what is not a
/// product by itself: other solvers may mix both. It needs the given one, and stays as it is when that one's
/// constants change. Products are rounded otherwise, and depend on the number of ranks in their last digits.
template <class T>
LinearOperator<T> with_assembled_products(const LinearOperator<T>& matrix) {
  return {matrix, std::make_unique<detail::KokkosOperator<T>>(matrix)};
}

}  // namespace haloheap::comm

#endif
