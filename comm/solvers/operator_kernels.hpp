// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_OPERATOR_KERNELS_HPP
#define HALOHEAP_COMM_SOLVERS_OPERATOR_KERNELS_HPP

#include <haloheap/comm/solvers/field_kernels.hpp>
#include <haloheap/core/grid/box_list.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>

namespace haloheap::comm::detail {

/// Reads neighbours of one cell in z = M p, which is in no memory.
template <class T, class Scaling>
struct ScaledAround {
  static constexpr bool exact = true;
  const T* p;
  Scaling scaling;
  grid::Index at, pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int /*field*/, int dx, int dy, int dz) const {
    return scaling(p, at + dx + dy * pitch + dz * plane);
  }
};

/// Reads neighbours of one cell in z + beta p, which is in no memory.
template <class T, class Scaling>
struct DirectionAround {
  static constexpr bool exact = true;
  const T *r, *p;
  Scaling scaling;
  T beta;
  grid::Index at, pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int /*field*/, int dx, int dy, int dz) const {
    const grid::Index there = at + dx + dy * pitch + dz * plane;
    return scaling(r, there) + beta * p[there];
  }
};

/// An update rule as it is applied to one cell.
template <class Rule>
struct AppliedRule {
  Rule rule;
  stencil::detail::FrameOf<Rule> frame;

  template <class Around>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Around& around, const grid::Triple& cell) const {
    return stencil::detail::new_values(rule, around, frame.read(), cell).value[0];
  }
};

/// y = A M x.
template <class Rule, class Scaling>
struct Apply {
  using T = typename Rule::Fields::type;
  static constexpr int dots = 0;
  AppliedRule<Rule> rule;
  const T* x;
  T* y;
  Scaling scaling;
  grid::Index pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    y[at] = rule(ScaledAround<T, Scaling>{x, scaling, at, pitch, plane}, cell);
  }
};

/// r = b - A x.
template <class Applied, class T>
struct SubtractFrom {
  static constexpr int dots = 0, rows_at_once = 2;
  Applied applied;
  const T *b, *x;
  T* r;
  grid::Index pitch, plane;

  using Values = T;
  KOKKOS_FORCEINLINE_FUNCTION T read(const grid::Triple& cell, grid::Index at) const {
    return b[at] - applied(ScaledAround<T, Unscaled<T>>{x, {}, at, pitch, plane}, cell);
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, T rest) const { r[at] = rest; }
};

/// next = x + factor * scale * (b - A x).
template <class Applied, class T>
struct SmoothStep {
  static constexpr int dots = 0, rows_at_once = 2;
  Applied applied;
  const T *b, *x, *scale;
  T* next;
  T factor;
  grid::Index pitch, plane;

  using Values = T;
  KOKKOS_FORCEINLINE_FUNCTION T read(const grid::Triple& cell, grid::Index at) const {
    const T rest = b[at] - applied(ScaledAround<T, Unscaled<T>>{x, {}, at, pitch, plane}, cell);
    return x[at] + factor * scale[at] * rest;
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, T value) const { next[at] = value; }
};

/// What a Jacobi step from 0 makes of a right side, as a scaling.
template <class T>
struct StepFromZero {
  const T* scale;
  T factor;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* b, grid::Index at) const {
    return factor * scale[at] * b[at];
  }
};

/// Two Jacobi steps from 0.
template <class Applied, class T>
struct SmoothFromZero {
  static constexpr int dots = 0, rows_at_once = 2;
  Applied applied;
  const T *b, *scale;
  T* next;
  T first, factor;
  grid::Index pitch, plane;

  using Values = T;
  KOKKOS_FORCEINLINE_FUNCTION T read(const grid::Triple& cell, grid::Index at) const {
    const ScaledAround<T, StepFromZero<T>> around{b, {scale, first}, at, pitch, plane};
    const T rest = b[at] - applied(around, cell);
    return around(0, 0, 0, 0) + factor * scale[at] * rest;
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, T value) const { next[at] = value; }
};

/// q = z + beta p, w = A q; adds q'w. One pass over memory: q is computed anew for each neighbour.
template <class Rule, class Scaling>
struct NextDirection {
  using T = typename Rule::Fields::type;
  static constexpr int dots = 1;
  AppliedRule<Rule> rule;
  const T *r, *p;
  static constexpr int rows_at_once = 1;
  T *q, *w;
  Scaling scaling;
  T beta;
  grid::Index pitch, plane;

  struct Values {
    T own, applied;
  };
  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& cell, grid::Index at) const {
    const DirectionAround<T, Scaling> around{r, p, scaling, beta, at, pitch, plane};
    return {around(0, 0, 0, 0), rule(around, cell)};
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> write(grid::Index at, const Values& of) const {
    q[at] = of.own;
    w[at] = of.applied;
    return {{static_cast<double>(of.own) * static_cast<double>(of.applied)}};
  }
};

/// w = A M p; adds a'w and w'w.
template <class Rule, class Scaling>
struct ApplyScaled {
  using T = typename Rule::Fields::type;
  static constexpr int dots = 2;
  AppliedRule<Rule> rule;
  const T *p, *a;
  T* w;
  Scaling scaling;
  grid::Index pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> operator()(const grid::Triple& cell,
                                                                    grid::Index at) const {
    const T applied = rule(ScaledAround<T, Scaling>{p, scaling, at, pitch, plane}, cell);
    w[at] = applied;
    const auto wide = static_cast<double>(applied);
    return {{static_cast<double>(a[at]) * wide, wide * wide}};
  }
};

/// q = factor r + beta p, x += q, s = r - A q: a step of a Chebyshev iteration.
/// @tparam First x has no value yet; no argument, as a condition in it keeps hosts from doing several cells
/// at once
template <class Rule, bool First>
struct ChebyshevStep {
  using T = typename Rule::Fields::type;
  static constexpr int dots = 0;
  AppliedRule<Rule> rule;
  const T *r, *p;
  T *q, *x, *s;
  ScaledBy<T> scaling;
  T beta;
  grid::Index pitch, plane;
  static constexpr int rows_at_once = 1;

  struct Values {
    T own, solution, residual;
  };
  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& cell, grid::Index at) const {
    const DirectionAround<T, ScaledBy<T>> around{r, p, scaling, beta, at, pitch, plane};
    const T own = around(0, 0, 0, 0), applied = rule(around, cell);
    if constexpr (First)
      return {own, own, r[at] - applied};
    else
      return {own, x[at] + own, r[at] - applied};
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, const Values& of) const {
    q[at] = of.own;
    x[at] = of.solution;
    s[at] = of.residual;
  }
};

/// next = (A v - shift v - back last) / scale.
template <class Rule>
struct ExtendBasis {
  using T = typename Rule::Fields::type;
  static constexpr int dots = 0;
  AppliedRule<Rule> rule;
  const T *v, *last;
  T* next;
  T shift, back, factor;
  grid::Index pitch, plane;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const T applied = rule(ScaledAround<T, Unscaled<T>>{v, {}, at, pitch, plane}, cell);
    next[at] = factor * (applied - shift * v[at] - back * last[at]);
  }
};

/// The diagonal of A, from what it makes of a field that is 1 in one cell and, by the sides, perhaps in cells
/// outside that stand for it.
template <class Rule>
struct Diagonal {
  using T = typename Rule::Fields::type;
  using Traits = stencil::RuleTraits<Rule>;
  static constexpr int dots = 0;
  AppliedRule<Rule> rule;
  stencil::detail::RuleEdges<Rule> edges;
  int period[3];  ///< cells in dimensions in which the grid wraps around and this rank has all of it, else 0
  T* diagonal;
  bool inverse;

  struct One {
    static constexpr bool exact = true;
    const Diagonal& of;
    const grid::Triple& cell;

    KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int dz) const {
      const grid::Triple there{cell.x + dx, cell.y + dy, cell.z + dz};
      const grid::Triple source = of.edges.source(field, there);
      bool same = true;
      for (int dim = 0; dim < Traits::dims; ++dim) {
        const auto away = static_cast<int>(source[dim] - cell[dim]);
        same = same && (away == 0 || (of.period[dim] > 0 && away % of.period[dim] == 0));
      }
      if (!same) return T{0};
      return of.edges.beyond(of.rule.rule, of.rule.frame.read(), field, there, T{1});
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const T found = rule(One{*this, cell}, cell);
    diagonal[at] = inverse ? T{1} / found : found;
  }
};

/// q = z + beta p on cells around the own ones.
template <class T, class Scaling>
struct DirectionOutside {
  const T *r, *p;
  T* q;
  Scaling scaling;
  T beta;
  grid::FieldLayout layout;
  grid::BoxList boxes;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index at = layout.at(boxes.cell(i));
    q[at] = scaling(r, at) + beta * p[at];
  }
};

}  // namespace haloheap::comm::detail

#endif
