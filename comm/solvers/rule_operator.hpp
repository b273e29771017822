// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_RULE_OPERATOR_HPP
#define HALOHEAP_COMM_SOLVERS_RULE_OPERATOR_HPP

#include <haloheap/comm/solvers/box_cells.hpp>
#include <haloheap/comm/solvers/grid_operator.hpp>
#include <haloheap/comm/solvers/operator_kernels.hpp>
#include <haloheap/core/grid/box_list.hpp>
#include <haloheap/core/stencil/impose_outside.hpp>

#include <type_traits>

namespace haloheap::comm::detail {

/// Sides with each of them replaced by what `other` makes of it.
template <class Other>
stencil::SideRules changed(stencil::SideRules sides, const Other& other) {
  for (std::size_t dim = 0; dim < 3; ++dim)
    for (auto* side : {&sides.low[dim], &sides.high[dim]})
      for (stencil::Outside& outside : *side) outside = other(outside);
  return sides;
}

/// What is outside of a difference of two fields that have these sides.
inline stencil::SideRules homogeneous(const stencil::SideRules& sides) {
  return changed(sides, [](const stencil::Outside& outside) {
    return outside.kind == stencil::Outside::Kind::value ? stencil::Outside::value(0) : outside;
  });
}

/// Of a factor, so that the factor times a field has outside what the field has there.
inline stencil::SideRules of_factor(const stencil::SideRules& sides) {
  return changed(sides, [](const stencil::Outside& outside) {
    return outside.kind == stencil::Outside::Kind::outflow ? outside : stencil::Outside::mirror();
  });
}

/// An update rule with one field, as an operator on a rank's part of the grid.
template <class Rule>
class RuleOperator final : public GridOperator<typename Rule::Fields::type> {
 public:
  using T = typename Rule::Fields::type;
  using Exec = backend::Exec;
  using Traits = stencil::RuleTraits<Rule>;

  RuleOperator(const Rule& rule, const stencil::SideRules& sides, const stencil::Subdomain& where)
      : rule_{rule, stencil::detail::FrameOf<Rule>(where, 0)},
        layout_(where.layout),
        inside_(where.inside()),
        edges_(sides, inside_),
        direction_edges_(homogeneous(sides), inside_),
        factor_edges_(of_factor(sides), inside_) {
    for (int dim = 0; dim < Traits::dims; ++dim) {
      const bool whole = where.periodic[dim] && where.own.extent(dim) == where.cells[dim];
      period_[dim] = whole ? static_cast<int>(where.cells[dim]) : 0;
    }
  }

  void apply(const Exec& exec, const T* x, DiagonalOf<T> scaling, T* y) const override {
    with_scaling(scaling, [&](const auto& by) {
      for_own_cells(exec, "haloheap::comm::apply", layout_,
                    Apply<Rule, std::decay_t<decltype(by)>>{rule_, x, y, by, layout_.pitch, layout_.plane});
    });
  }
  void residual(const Exec& exec, const T* b, const T* x, T* r, const grid::Box& box) const override {
    for_box(exec, "haloheap::comm::residual", layout_, box,
            SubtractFrom<AppliedRule<Rule>, T>{rule_, b, x, r, layout_.pitch, layout_.plane});
  }
  void smooth(const Exec& exec, const T* b, const T* x, const T* scale, T factor, T* next,
              const grid::Box& box) const override {
    for_box(exec, "haloheap::comm::smooth", layout_, box,
            SmoothStep<AppliedRule<Rule>, T>{rule_, b, x, scale, next, factor, layout_.pitch, layout_.plane});
  }
  void smooth_from_zero(const Exec& exec, const T* b, const T* scale, T first, T factor, T* next,
                        const grid::Box& box) const override {
    for_box(exec, "haloheap::comm::smooth_from_zero", layout_, box,
            SmoothFromZero<AppliedRule<Rule>, T>{rule_, b, scale, next, first, factor, layout_.pitch,
                                                 layout_.plane});
  }
  void next_direction(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta, T* q, T* w,
                      const DotTarget& target) const override {
    with_scaling(scaling, [&](const auto& by) {
      for_own_cells(exec, "haloheap::comm::next_direction", layout_,
                    NextDirection<Rule, std::decay_t<decltype(by)>>{rule_, r, p, q, w, by, beta,
                                                                    layout_.pitch, layout_.plane},
                    target);
    });
  }
  void direction_outside(const Exec& exec, const T* r, DiagonalOf<T> scaling, const T* p, T beta,
                         T* q) const override {
    with_scaling(scaling, [&](const auto& by) { scaled_direction_outside(exec, r, by, p, beta, q); });
  }
  void apply_scaled(const Exec& exec, const T* p, DiagonalOf<T> scaling, const T* a, T* w,
                    const DotTarget& target) const override {
    with_scaling(scaling, [&](const auto& by) {
      for_own_cells(
          exec, "haloheap::comm::apply_scaled", layout_,
          ApplyScaled<Rule, std::decay_t<decltype(by)>>{rule_, p, a, w, by, layout_.pitch, layout_.plane},
          target);
    });
  }
  void chebyshev_step(const Exec& exec, const T* r, T factor, const T* p, T beta, T* q, T* x, T* s,
                      bool first) const override {
    const ScaledBy<T> scaling{factor};
    const auto step = [&](auto is_first) {
      for_own_cells(exec, "haloheap::comm::chebyshev_step", layout_,
                    ChebyshevStep<Rule, decltype(is_first)::value>{rule_, r, p, q, x, s, scaling, beta,
                                                                   layout_.pitch, layout_.plane});
    };
    if (first)
      step(std::true_type());
    else
      step(std::false_type());
    scaled_direction_outside(exec, r, scaling, p, beta, q);
  }
  void extend_basis(const Exec& exec, const T* v, const T* last, const BasisStep& step, T* next,
                    int around) const override {
    const grid::Box box =
        grid::intersect(grown(layout_.own_box(), layout_.dims, around * Traits::radius), inside_);
    for_box(exec, "haloheap::comm::extend_basis", layout_, box,
            ExtendBasis<Rule>{rule_, v, last, next, static_cast<T>(step.shift), static_cast<T>(step.back),
                              static_cast<T>(1 / step.scale), layout_.pitch, layout_.plane});
    impose_on_direction(exec, next);
  }
  void diagonal(const Exec& exec, T* values, bool inverse) const override {
    for_own_cells(
        exec, "haloheap::comm::diagonal", layout_,
        Diagonal<Rule>{rule_, direction_edges_, {period_[0], period_[1], period_[2]}, values, inverse});
  }

  void impose(const Exec& exec, T* solution) const override { impose(exec, solution, edges_); }
  void impose_on_direction(const Exec& exec, T* direction) const override {
    impose(exec, direction, direction_edges_);
  }
  void impose_on_scaling(const Exec& exec, T* diagonal) const override {
    impose(exec, diagonal, factor_edges_);
  }

 private:
  using Edges = stencil::detail::RuleEdges<Rule>;

  /// With the ghost cells; beyond the grid no further than the radius, as cells inside alone are computed.
  grid::Box region() const {
    return intersect(grown(layout_.own_box(), layout_.dims, layout_.halo.x),
                     grown(inside_, layout_.dims, Rule::radius));
  }

  void impose(const Exec& exec, T* field, const Edges& edges) const {
    stencil::detail::impose_outside(
        exec, stencil::detail::ImposeOutside<Rule>{field, layout_, rule_.rule, rule_.frame, edges},
        grid::outside_boxes(region(), inside_, {}));
  }

  template <class Scaling>
  void scaled_direction_outside(const Exec& exec, const T* r, const Scaling& scaling, const T* p, T beta,
                                T* q) const {
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
    grid::for_each_box_list(
        grid::outside_boxes(region(), layout_.own_box(), {}), [&](const grid::BoxList& list) {
          backend::parallel_for("haloheap::comm::direction_outside",
                                backend::as_kernel_argument(Policy(exec, 0, list.cells())),
                                DirectionOutside<T, Scaling>{r, p, q, scaling, beta, layout_, list});
        });
  }

  AppliedRule<Rule> rule_;
  grid::FieldLayout layout_;
  grid::Box inside_;
  Edges edges_, direction_edges_, factor_edges_;
  int period_[3] = {};
};

}  // namespace haloheap::comm::detail

#endif
