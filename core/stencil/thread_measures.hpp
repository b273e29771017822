// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_THREAD_MEASURES_HPP
#define HALOHEAP_CORE_STENCIL_THREAD_MEASURES_HPP

#include <haloheap/backend/accumulate.hpp>
#include <haloheap/backend/maximum.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/stencil/measured_words.hpp>
#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// The exact sum of what one thread has of a value, in registers: multiples of the quanta, on top of their
/// pivots, so that an addition rounds to the quantum and what it has rounded off goes to the next part.
struct ThreadSum {
  double part[residual_parts];

  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadSum(const SumScale& scale) {
    HALOHEAP_UNROLL
    for (int i = 0; i < residual_parts; ++i) part[i] = scale.pivot[i];
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(double value, const SumScale& scale) {
    double rest = Kokkos::abs(value) <= scale.bound ? value : Kokkos::Experimental::quiet_NaN_v<double>;
    HALOHEAP_UNROLL
    for (int i = 0; i + 1 < residual_parts; ++i) {
      const double sum = part[i] + rest;
      rest -= sum - part[i];
      part[i] = sum;
    }
    // A value halfway between two multiples goes up or down with the sum so far. For the parts above this is
    // made good by the parts below; here it must not be.
    part[residual_parts - 1] += off_the_halfway(rest);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(double* at, const SumScale& scale) const {
    double sums[residual_parts];
    HALOHEAP_UNROLL
    for (int i = 0; i < residual_parts; ++i) sums[i] = part[i] - scale.pivot[i];
    backend::accumulate(at, sums);
  }
};

/// The largest value that one thread has met, or NaN. What is made of zeros waits for the end.
template <class V>
struct ThreadMax {
  V largest = -Kokkos::Experimental::infinity_v<V>;

  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMax(const SumScale& /*scale*/) {}
  KOKKOS_FORCEINLINE_FUNCTION void add(V value, const SumScale& /*scale*/) {
    largest = backend::maximum(largest, value);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(double* at, const SumScale& /*scale*/) const {
    const double any_zero_as_one = largest + 0.0;
    backend::accumulate_max(reinterpret_cast<MeasureKey*>(at), key_of(any_zero_as_one));
  }
};

/// The smallest one.
template <class V>
struct ThreadMin : ThreadMax<V> {
  using ThreadMax<V>::ThreadMax;
  KOKKOS_FORCEINLINE_FUNCTION void add(V value, const SumScale& scale) { ThreadMax<V>::add(-value, scale); }
};

/// What one thread has measured of each value.
/// @tparam V the type of the values
template <class Measures, class V, int Number = 0>
struct ThreadMeasures {
  using Kind = typename Measures::template kind<Number>;
  using Of = std::conditional_t<std::is_same_v<Kind, Sum>, ThreadSum,
                                std::conditional_t<std::is_same_v<Kind, Max>, ThreadMax<V>, ThreadMin<V>>>;
  using Scales = SumScale[Measures::count];
  using Values = stencil::Values<V, Measures::count>;

  Of first;
  ThreadMeasures<Measures, V, Number + 1> others;

  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMeasures(const Scales& scales)
      : first(scales[Number]), others(scales) {}
  KOKKOS_FORCEINLINE_FUNCTION void add(const Values& values, const Scales& scales) {
    first.add(values.value[Number], scales[Number]);
    others.add(values, scales);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(double* slot, const Scales& scales) const {
    first.put(slot + grid::Index{Number} * residual_parts, scales[Number]);
    others.put(slot, scales);
  }
};

/// The end of the list.
template <class Measures, class V, int Number>
requires(Number == Measures::count) struct ThreadMeasures<Measures, V, Number> {
  template <class Scales>
  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMeasures(const Scales& /*scales*/) {}
  template <class Values, class Scales>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Values& /*values*/, const Scales& /*scales*/) {}
  template <class Scales>
  KOKKOS_FORCEINLINE_FUNCTION void put(double* /*slot*/, const Scales& /*scales*/) const {}
};

/// What one thread has of a measure.
template <class Measure>
using ThreadMeasuresOf =
    ThreadMeasures<typename Measure::Measures,
                   std::remove_reference_t<decltype(std::declval<MeasuredValues<Measure>&>().value[0])>>;

}  // namespace haloheap::stencil::detail

#endif
