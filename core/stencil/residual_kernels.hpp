// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RESIDUAL_KERNELS_HPP
#define HALOHEAP_CORE_STENCIL_RESIDUAL_KERNELS_HPP

#include <haloheap/backend/accumulate.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <cstdint>

namespace haloheap::stencil::detail {

/// The value with the last bit of its significand set. A value that lies halfway between two multiples of a
/// much larger quantum would be rounded to the even one, which depends on the sum so far; one with its last
/// bit set never lies there.
KOKKOS_FORCEINLINE_FUNCTION double off_the_halfway(double value) {
  return Kokkos::bit_cast<double>(Kokkos::bit_cast<std::uint64_t>(value) | 1u);
}

/// Adds `square` to sums that started at the pivots. Each sum rounds to its quantum and hands the rest on.
KOKKOS_FORCEINLINE_FUNCTION void add_square(double& first, double& second, double& third, double square) {
  double rest = off_the_halfway(square);
  const double first_sum = first + rest;
  rest = off_the_halfway(rest - (first_sum - first));
  first = first_sum;
  const double second_sum = second + rest;
  rest = off_the_halfway(rest - (second_sum - second));
  second = second_sum;
  third += rest;
}

/// The difference is rounded once, in the precision of the field: a conversion to double of each value would
/// cost a GPU more than all the rest.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION double squared_difference(T now, T before) {
  const auto difference = static_cast<double>(now - before);
  return difference * difference;
}

/// Kernels with residual. 32-bit coordinates, as in the kernels.
struct ResidualTally {
  static constexpr bool counts = true, measures = false;

  double* slots;
  ResidualScale scale;
  int lo[3], hi[3];

  explicit ResidualTally(const ResidualTarget& target) : slots(target.slots), scale(target.scale) {
    for (int dim = 0; dim < 3; ++dim) {
      lo[dim] = static_cast<int>(target.counted.lo[dim]);
      hi[dim] = static_cast<int>(target.counted.hi[dim]);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION bool counts_row(int y, int z) const {
    return y >= lo[1] && y < hi[1] && z >= lo[2] && z < hi[2];
  }
  KOKKOS_FORCEINLINE_FUNCTION bool counts_cell(const grid::Triple& cell) const {
    return cell.x >= lo[0] && cell.x < hi[0] &&
           counts_row(static_cast<int>(cell.y), static_cast<int>(cell.z));
  }

  /// The first part of sums without its pivot; NaN if it left the range in which it is exact. It does not
  /// come back: first parts are not negative.
  KOKKOS_FORCEINLINE_FUNCTION double first_part(double first) const {
    const double part = first - scale.pivot[0];
    return part < scale.limit ? part : Kokkos::Experimental::quiet_NaN_v<double>;
  }

  /// Iterations that share a slot: on a device a warp, which adds up before; on a host some of one thread.
  static constexpr unsigned sharers = backend::kernels_on_host ? 32 : backend::warp_size;

  /// Adds the parts of iteration `i` to a slot. Warps beside each other use different ones.
  KOKKOS_FORCEINLINE_FUNCTION void put(grid::Index i, const double (&parts)[residual_parts]) const {
    const grid::Index slot = static_cast<unsigned>(i) / sharers % residual_slots;
    backend::accumulate(slots + slot * residual_slot_stride, parts);
  }
};

/// Kernels that only compute: nothing is left of it.
struct NoTally {
  static constexpr bool counts = false, measures = false;
};

/// What one thread has found of what kernels are to find on their way: nothing, a residual, or a measure (see
/// MeasureTally), in registers.
template <class Tally>
struct TallySums;

template <>
struct TallySums<NoTally> {
  KOKKOS_FORCEINLINE_FUNCTION explicit TallySums(const NoTally&) {}
  template <int Width, class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(const NoTally&, const T*, const T*, int, int, int) {}
  template <int Width, class T>
  KOKKOS_FORCEINLINE_FUNCTION void add_within(const NoTally&, const T*, const T*, int, int, int, int, int) {}
  template <class Packs>
  KOKKOS_FORCEINLINE_FUNCTION void add_cells(const NoTally&, const Packs*, int, int, const grid::Triple&) {}
  KOKKOS_FORCEINLINE_FUNCTION void put(grid::Index, const NoTally&) const {}
};

template <>
struct TallySums<ResidualTally> {
  double first, second, third;

  KOKKOS_FORCEINLINE_FUNCTION explicit TallySums(const ResidualTally& residual)
      : first(residual.scale.pivot[0]), second(residual.scale.pivot[1]), third(residual.scale.pivot[2]) {}

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(T now, T before) {
    add_square(first, second, third, squared_difference(now, before));
  }

  /// The cells that count among the `Width` ones from (x, y, z) on.
  template <int Width, class T>
  KOKKOS_FORCEINLINE_FUNCTION void add(const ResidualTally& residual, const T* now, const T* before, int x,
                                       int y, int z) {
    add_within<Width>(residual, now, before, 0, Width, x, y, z);
  }
  /// Of these, the ones that lie in [lo, hi), counted from the first one.
  template <int Width, class T>
  KOKKOS_FORCEINLINE_FUNCTION void add_within(const ResidualTally& residual, const T* now, const T* before,
                                              int lo, int hi, int x, int y, int z) {
    if (!residual.counts_row(y, z)) return;
    lo = Kokkos::max(lo, residual.lo[0] - x);
    hi = Kokkos::min(hi, residual.hi[0] - x);
    if (lo <= 0 && hi >= Width) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i) add(now[i], before[i]);
    } else {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i)
        if (i >= lo && i < hi) add(now[i], before[i]);
    }
  }

  /// Squares are added field by field.
  template <class Packs>
  KOKKOS_FORCEINLINE_FUNCTION void add_cells(const ResidualTally&, const Packs*, int, int,
                                             const grid::Triple&) {}

  KOKKOS_FORCEINLINE_FUNCTION void put(grid::Index i, const ResidualTally& residual) const {
    residual.put(
        i, {residual.first_part(first), second - residual.scale.pivot[1], third - residual.scale.pivot[2]});
  }
};

}  // namespace haloheap::stencil::detail

#endif
