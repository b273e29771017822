// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURED_CELL_HPP
#define HALOHEAP_CORE_STENCIL_MEASURED_CELL_HPP

#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/measured_words.hpp>
#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/pack.hpp>
#include <haloheap/core/stencil/thread_measures.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

template <class Measure>
using MeasuredConstants = typename ConstantsOfRule<Measure>::type;

/// A measure's constants in memory.
template <class Measure>
using ConstantsIn =
    std::conditional_t<(MeasuredConstants<Measure>::count > 0),
                       ConstantFields<typename MeasuredConstants<Measure>::type, Measure::dims>, Nothing<0>>;

/// The values of a cell's fields where they lie.
/// @tparam Cell what points to one
template <class Cell>
struct InMemory {
  Cell cell;
  grid::Index field_size;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field) const { return value_at(cell, field, field_size); }
};

/// The same in registers, as one of the cells that were loaded together.
template <class T, int Width>
struct InPacks {
  const Pack<T, Width>* packs;  // one a field
  int column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field) const { return packs[field].value[column]; }
};

/// What a measure is called with.
template <class Measure, class Values>
class MeasuredCell {
 public:
  using T = typename Measure::Fields::type;

  KOKKOS_FORCEINLINE_FUNCTION MeasuredCell(const Values& values, const CellPlaces& places,
                                           const ConstantsIn<Measure>& constants, const grid::Triple& local)
      : values_(values), places_(places), constants_(constants), local_(local) {}

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field) const { return values_(field); }
  KOKKOS_FORCEINLINE_FUNCTION auto constant(int field) const {
    static_assert(MeasuredConstants<Measure>::count > 0,
                  "a measure that calls cell.constant() has the type Constants of its rule");
    return constants_.at(field, local_);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index index(int dim) const { return places_.place(dim, local_[dim]); }

 private:
  Values values_;
  const CellPlaces& places_;
  const ConstantsIn<Measure>& constants_;
  grid::Triple local_;
};

/// What kernels that measure have besides the values, and where they put what they have found.
template <class Measure>
struct MeasureParts {
  Measure measure;
  CellPlaces places;
  ConstantsIn<Measure> constants;
  SumScale scales[Measure::Measures::count];
  double* slots;

  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void add(ThreadMeasuresOf<Measure>& found, const Values& values,
                                       const grid::Triple& cell) const {
    const MeasuredCell<Measure, Values> at(values, places, constants, cell);
    found.add(as_measured<Measure::Measures::count>(measure(at)), scales);
  }
  /// @param number of whoever shares a slot with few others
  KOKKOS_FORCEINLINE_FUNCTION void put(const ThreadMeasuresOf<Measure>& found, unsigned number) const {
    found.put(slots + number % residual_slots * measure_slot_stride(Measure::Measures::count), scales);
  }
};

}  // namespace haloheap::stencil::detail

#endif
