// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_FIELD_KERNELS_HPP
#define HALOHEAP_COMM_SOLVERS_FIELD_KERNELS_HPP

#include <haloheap/comm/solvers/own_cells.hpp>

namespace haloheap::comm::detail {

template <class T>
struct SetAll {
  T* values;
  T value;
  KOKKOS_FUNCTION void operator()(grid::Index i) const { values[i] = value; }
};

/// Enqueues it: ghost cells, too.
template <class T>
void set_all(const backend::Exec& exec, T* field, const grid::FieldLayout& layout, T value) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
  backend::parallel_for("haloheap::comm::set_all",
                        backend::as_kernel_argument(Policy(exec, 0, layout.size())), SetAll<T>{field, value});
}

// z = M r, cell by cell, where M is the identity, a diagonal or a number.

template <class T>
struct Unscaled {
  static constexpr bool identity = true;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return r[at]; }
  KOKKOS_FORCEINLINE_FUNCTION T times(T value, grid::Index /*at*/) const { return value; }
};
template <class T>
struct ScaledByField {
  static constexpr bool identity = false;
  const T* diagonal;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return times(r[at], at); }
  KOKKOS_FORCEINLINE_FUNCTION T times(T value, grid::Index at) const { return diagonal[at] * value; }
};
template <class T>
struct ScaledBy {
  T factor;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* r, grid::Index at) const { return factor * r[at]; }
};

/// M r is in memory.
template <class T>
struct InOtherField {
  static constexpr bool identity = false;
  const T* values;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(const T* /*r*/, grid::Index at) const { return values[at]; }
};

/// Calls `with` the scaling by a diagonal, or by nothing if that is null.
template <class T, class With>
void with_scaling(const T* diagonal, const With& with) {
  if (diagonal != nullptr)
    with(ScaledByField<T>{diagonal});
  else
    with(Unscaled<T>{});
}

/// Adds r'r and r'z, once if they are the same.
template <class T, class Scaling>
struct ResidualProducts {
  static constexpr int dots = Scaling::identity ? 1 : 2;
  const T* r;
  Scaling scaling;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> operator()(const grid::Triple& /*cell*/,
                                                                       grid::Index at) const {
    const auto wide = static_cast<double>(r[at]);
    if constexpr (Scaling::identity)
      return {{wide * wide}};
    else
      return {{wide * wide, wide * static_cast<double>(scaling(r, at))}};
  }
};

/// x += alpha p, r -= alpha w; adds the same.
template <class T, class Scaling>
struct UpdateSolution {
  using Products = ResidualProducts<T, Scaling>;
  static constexpr int dots = Products::dots;
  static constexpr int rows_at_once = 2;
  T *x, *r;
  const T *p, *w;
  Scaling scaling;
  T alpha;

  struct Values {
    T x, r, p, w;
  };
  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& /*cell*/, grid::Index at) const {
    return {x[at], r[at], p[at], w[at]};
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> write(grid::Index at, const Values& of) const {
    x[at] = of.x + alpha * of.p;
    r[at] = of.r - alpha * of.w;
    return Products{r, scaling}({}, at);
  }
};

// Of pipelined conjugate gradients.

/// Adds r'z, w'z with z = M r, and r'r if that is another sum.
template <class T, class Scaling>
struct PipelinedProducts {
  static constexpr int dots = Scaling::identity ? 2 : 3;
  const T *r, *w;
  Scaling scaling;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> operator()(const grid::Triple& /*cell*/,
                                                                       grid::Index at) const {
    const auto wide = static_cast<double>(r[at]), scaled = static_cast<double>(scaling(r, at));
    stencil::Values<double, dots> found;
    found.value[0] = wide * scaled;
    found.value[1] = static_cast<double>(w[at]) * scaled;
    if constexpr (!Scaling::identity) found.value[2] = wide * wide;
    return found;
  }
};

/// Adds q'v with q = M r + beta p and v = w + beta s.
template <class T, class Scaling>
struct DirectionProduct {
  static constexpr int dots = 1;
  const T *r, *w, *p, *s;
  Scaling scaling;
  T beta;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const T direction = scaling(r, at) + beta * p[at], applied = w[at] + beta * s[at];
    return {{static_cast<double>(direction) * static_cast<double>(applied)}};
  }
};

/// p = M r + beta p, s = w + beta s, z = n + beta z; x += alpha p, r -= alpha s, w -= alpha z; adds the same.
template <class T, class Scaling>
struct PipelinedStep {
  using Products = PipelinedProducts<T, Scaling>;
  static constexpr int dots = Products::dots;
  static constexpr int rows_at_once = 1;
  T *x, *r, *w, *p, *s, *z;
  const T* n;
  Scaling scaling;
  T alpha, beta;

  struct Values {
    T x, r, w, direction, applied, twice;
  };
  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& /*cell*/, grid::Index at) const {
    return {x[at], r[at], w[at], scaling(r, at) + beta * p[at], w[at] + beta * s[at], n[at] + beta * z[at]};
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, dots> write(grid::Index at, const Values& of) const {
    p[at] = of.direction;
    s[at] = of.applied;
    z[at] = of.twice;
    x[at] = of.x + alpha * of.direction;
    r[at] = of.r - alpha * of.applied;
    w[at] = of.w - alpha * of.twice;
    return Products{r, w, scaling}({}, at);
  }
};

// Of s-step conjugate gradients.

/// x += a combination of vectors, p and r others of them; both may be among the vectors.
template <class T, int Count>
struct CombineBasis {
  static constexpr int dots = 0;
  const T* vectors[Count];
  T of_x[Count], of_r[Count], of_p[Count];
  T *x, *r, *p;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    T solution = x[at], residual = 0, direction = 0;
    HALOHEAP_UNROLL
    for (int i = 0; i < Count; ++i) {
      const T value = vectors[i][at];
      solution += of_x[i] * value;
      residual += of_r[i] * value;
      direction += of_p[i] * value;
    }
    x[at] = solution;
    r[at] = residual;
    p[at] = direction;
  }
};

// Of BiCGStab.

/// p = r + beta (p - omega v).
template <class T>
struct NextBiDirection {
  static constexpr int dots = 0;
  const T *r, *v;
  T* p;
  T beta, omega;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    p[at] = r[at] + beta * (p[at] - omega * v[at]);
  }
};

/// r -= alpha v; adds r'r.
template <class T>
struct SubtractMultiple {
  static constexpr int dots = 1;
  T* r;
  const T* v;
  T alpha;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const T rest = r[at] - alpha * v[at];
    r[at] = rest;
    return {{static_cast<double>(rest) * static_cast<double>(rest)}};
  }
};

/// x += alpha M p + omega M r, then r -= omega t; adds shadow'r and r'r.
template <class T, class OfDirection, class OfResidual>
struct UpdateBiSolution {
  static constexpr int dots = 2;
  static constexpr int rows_at_once = 1;
  T *x, *r;
  const T *p, *t, *shadow;
  OfDirection of_p;
  OfResidual of_r;
  T alpha, omega;

  struct Values {
    T solution, rest, shadow;
  };
  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& /*cell*/, grid::Index at) const {
    return {x[at] + (alpha * of_p(p, at) + omega * of_r(r, at)), r[at] - omega * t[at], shadow[at]};
  }
  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> write(grid::Index at, const Values& of) const {
    x[at] = of.solution;
    r[at] = of.rest;
    const auto wide = static_cast<double>(of.rest);
    return {{static_cast<double>(of.shadow) * wide, wide * wide}};
  }
};

// Of GMRES.

/// own = factor own - a combination of vectors; then next = factor next - another one - a share of own. What
/// is read and written may be the same field.
template <class T, int Count>
struct OrthogonalisePair {
  static constexpr int dots = 0;
  const T* vectors[Count];
  T of_own[Count], of_next[Count];
  const T *own, *next;
  T *own_to, *next_to;
  T own_factor, next_factor, own_share;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    T one = own_factor * own[at], other = next_factor * next[at];
    HALOHEAP_UNROLL
    for (int i = 0; i < Count; ++i) {
      const T value = vectors[i][at];
      one -= of_own[i] * value;
      other -= of_next[i] * value;
    }
    own_to[at] = one;
    next_to[at] = other - own_share * one;
  }
};

/// x += M times a combination of vectors.
template <class T, int Count, class Scaling>
struct AddCombination {
  static constexpr int dots = 0;
  const T* vectors[Count];
  T of[Count];
  T* x;
  Scaling scaling;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    T sum = 0;
    HALOHEAP_UNROLL
    for (int i = 0; i < Count; ++i) sum += of[i] * vectors[i][at];
    x[at] += scaling.times(sum, at);
  }
};

/// Adds a'b and c'c.
template <class T>
struct ProductAndSquare {
  static constexpr int dots = 2;
  const T *a, *b, *c;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 2> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    const auto wide = static_cast<double>(c[at]);
    return {{static_cast<double>(a[at]) * static_cast<double>(b[at]), wide * wide}};
  }
};

/// Adds a'b.
template <class T>
struct Product {
  static constexpr int dots = 1;
  const T *a, *b;

  KOKKOS_FORCEINLINE_FUNCTION stencil::Values<double, 1> operator()(const grid::Triple& /*cell*/,
                                                                    grid::Index at) const {
    return {{static_cast<double>(a[at]) * static_cast<double>(b[at])}};
  }
};

/// The largest magnitude of what a body would add as its products.
template <class Body>
struct LargestProduct {
  static constexpr int dots = 0;
  Body body;
  MeasureKey* largest;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& cell, grid::Index at) const {
    const auto found = body(cell, at);
    double max = 0;
    HALOHEAP_UNROLL
    for (int n = 0; n < Body::dots; ++n) {
      const double size = Kokkos::abs(found.value[n]);
      max = size <= max ? max : size;  // also if it is not a number
    }
    backend::accumulate_max(largest, stencil::detail::key_of(max));
  }
};

}  // namespace haloheap::comm::detail

#endif
