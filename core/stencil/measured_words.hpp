// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURED_WORDS_HPP
#define HALOHEAP_CORE_STENCIL_MEASURED_WORDS_HPP

#include <haloheap/core/grid/box.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <vector>

namespace haloheap::stencil {

/// How sums of a measure are split: as residuals are, but of either sign.
struct SumScale {
  double pivot[residual_parts] = {};
  double bound = 0;

  /// @param number of the measure's value, for the message
  /// @param terms at least the number of cells of all ranks
  /// @throws UsageError for a bound that is not positive, not finite, or beyond what can be split
  static SumScale make(int number, double bound, grid::Index terms);
};

/// 64 bits by the name that atomics know on all backends.
using MeasureKey = unsigned long long;

/// What is made of each value of a measure, as far as what adds results up must know.
struct MeasuredKinds {
  enum Kind : std::uint8_t { sum, max, min };
  std::vector<Kind> kinds;

  grid::Index words() const { return static_cast<grid::Index>(kinds.size()) * residual_parts; }
  std::uint32_t sums() const {
    std::uint32_t bits = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) bits |= std::uint32_t{kinds[i] == sum} << i;
    return bits;
  }
  friend bool operator==(const MeasuredKinds&, const MeasuredKinds&) = default;
};

/// What one rank has of one value of one state: the three parts of a sum, or the key of the largest value.
struct MeasuredWords {
  double part[residual_parts] = {};
  MeasureKey key = 0;

  double value(MeasuredKinds::Kind kind) const;
};

namespace detail {

/// Numbers in the order of values, so that the largest is the same whatever it is compared with first, zeros
/// of both signs and NaN included; 0 is below that of any value.
KOKKOS_FORCEINLINE_FUNCTION MeasureKey key_of(double value) {
  // Written without branches: kernels do this for every cell.
  constexpr MeasureKey sign = MeasureKey{1} << 63;
  const auto bits = Kokkos::bit_cast<MeasureKey>(value);
  const MeasureKey key = (bits & sign) != 0 ? ~bits : bits | sign;
  return Kokkos::isnan(value) ? ~MeasureKey{0} : key;
}

/// Of no value at all: what is below every other.
double value_of(MeasureKey key);

/// Doubles from one slot to the next: whole cache lines.
KOKKOS_FORCEINLINE_FUNCTION constexpr int measure_slot_stride(int values) {
  constexpr int line = residual_slot_stride;
  return (values * residual_parts + line - 1) / line * line;
}

}  // namespace detail
}  // namespace haloheap::stencil

#endif
