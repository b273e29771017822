// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURE_TALLY_HPP
#define HALOHEAP_CORE_STENCIL_MEASURE_TALLY_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/core/stencil/measured_cell.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>

namespace haloheap::stencil::detail {

/// Kernels that measure the cells which they store, all of them own cells.
template <class Measure>
struct MeasureTally {
  static constexpr bool counts = false, measures = true;

  MeasureParts<Measure> parts;
};

/// What one thread has measured.
template <class Measure>
struct TallySums<MeasureTally<Measure>> {
  using Tally = MeasureTally<Measure>;
  using T = typename Measure::Fields::type;

  ThreadMeasuresOf<Measure> found;

  KOKKOS_FORCEINLINE_FUNCTION explicit TallySums(const Tally& tally) : found(tally.parts.scales) {}

  /// Squares of differences are for a residual.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Tally&, const T*, const T*, int, int, int) {}
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void add_within(const Tally&, const T*, const T*, int, int, int, int, int) {}

  /// One cell. @param packs one a field
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void add_cell(const Tally& tally, const Pack<T, Width>* packs, int i,
                                            const grid::Triple& first) {
    tally.parts.add(found, InPacks<T, Width>{packs, i}, {first.x + i, first.y, first.z});
  }
  /// The cells that lie in [lo, hi), counted from the first one.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION void add_cells(const Tally& tally, const Pack<T, Width>* packs, int lo, int hi,
                                             const grid::Triple& first) {
    if (lo <= 0 && hi >= Width) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i) add_cell(tally, packs, i, first);
    } else {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i)
        if (i >= lo && i < hi) add_cell(tally, packs, i, first);
    }
  }

  /// Adds what was found to a slot that few others use. @param i number of the iteration
  KOKKOS_FORCEINLINE_FUNCTION void put(grid::Index i, const Tally& tally) const {
    tally.parts.put(found, static_cast<unsigned>(i) / ResidualTally::sharers);
  }
};

/// The cells of a row that a host thread has just stored: they are in the nearest cache.
/// @param out the first one
template <class Measure, class Cell>
KOKKOS_FORCEINLINE_FUNCTION void measure_row(const MeasureTally<Measure>& tally,
                                             TallySums<MeasureTally<Measure>>& sums, const Cell& out,
                                             grid::Index field_size, const grid::Triple& first,
                                             grid::Index cells) {
  for (grid::Index x = 0; x < cells; ++x)
    tally.parts.add(sums.found, InMemory<Cell>{out + x, field_size}, {first.x + x, first.y, first.z});
}

}  // namespace haloheap::stencil::detail

#endif
