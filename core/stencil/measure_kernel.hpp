// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURE_KERNEL_HPP
#define HALOHEAP_CORE_STENCIL_MEASURE_KERNEL_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/backend/residency.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/measured_words.hpp>
#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/pack.hpp>
#include <haloheap/core/stencil/thread_measures.hpp>

#include <algorithm>
#include <functional>
#include <type_traits>
#include <utility>

namespace haloheap::stencil {
namespace detail {

template <class Measure>
using MeasuredConstants = typename ConstantsOfRule<Measure>::type;

/// A measure's constants in memory.
template <class Measure>
using ConstantsIn =
    std::conditional_t<(MeasuredConstants<Measure>::count > 0),
                       ConstantFields<typename MeasuredConstants<Measure>::type, Measure::dims>, Nothing<0>>;

/// The values of a cell's fields where they lie.
template <class Measure>
struct InMemory {
  InCell<Measure> cell;
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

/// What kernels read, and where they put what they have found.
template <class Measure>
struct MeasureParts {
  Measure measure;
  InCell<Measure> fields;
  grid::FieldLayout layout;
  CellPlaces places;
  ConstantsIn<Measure> constants;
  SumScale scales[Measure::Measures::count];
  double* slots;

  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION void add(ThreadMeasures<typename Measure::Measures>& found,
                                       const Values& values, const grid::Triple& cell) const {
    const MeasuredCell<Measure, Values> at(values, places, constants, cell);
    found.add(as_measured<Measure::Measures::count>(measure(at)), scales);
  }
  /// @param number of whoever shares a slot with few others
  KOKKOS_FORCEINLINE_FUNCTION void put(const ThreadMeasures<typename Measure::Measures>& found,
                                       unsigned number) const {
    found.put(slots + number % residual_slots * measure_slot_stride(Measure::Measures::count), scales);
  }
  grid::Index rows() const { return layout.own.x > 0 ? layout.own.y * layout.own.z : 0; }
};

/// On a host an iteration has a row.
template <class Measure>
struct MeasureRows : MeasureParts<Measure> {
  KOKKOS_FUNCTION void operator()(grid::Index row) const {
    const grid::FieldLayout& in = this->layout;
    ThreadMeasures<typename Measure::Measures> found(this->scales);
    for (grid::Triple cell{0, row % in.own.y, row / in.own.y}; cell.x < in.own.x; ++cell.x)
      this->add(found, InMemory<Measure>{this->fields + in.at(cell), in.quantity_size}, cell);
    this->put(found, static_cast<unsigned>(row));
  }
  grid::Index iterations() const { return this->rows(); }
};

/// On a device a thread has some cells beside each other, as many as one load brings, in some rows: what is
/// done once a thread costs as much as ten cells. Neighbouring threads have neighbouring columns.
template <class Measure>
struct MeasureColumns : MeasureParts<Measure> {
  using Measures = typename Measure::Measures;
  using Fields = typename Measure::Fields;
  static constexpr int width = 16 / static_cast<int>(sizeof(typename Fields::type));
  /// Rows that are read before any cell is added up, so that a thread waits once for the memory of all.
  static constexpr int at_once = std::max(1, (Measures::count <= 2 ? 8 : 4) / width);
  using Packs = Pack<typename Fields::type, width>[Fields::count];

  grid::Index rows_a_thread = 16;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Triple& own = this->layout.own;
    const grid::Index first = i / packs_a_row() * rows_a_thread;
    grid::Triple cell{i % packs_a_row() * width, first % own.y, first / own.y};
    const grid::Index left = Kokkos::min(rows_a_thread, own.y * own.z - first);
    ThreadMeasures<Measures> found(this->scales);
    if (own.x - cell.x >= width)
      add_rows(found, cell, left, std::integral_constant<int, width>());
    else
      add_rows(found, cell, left, static_cast<int>(own.x - cell.x));
    this->put(found, static_cast<unsigned>(i) / backend::warp_size);
  }

  grid::Index iterations() const {
    return packs_a_row() * ((this->rows() + rows_a_thread - 1) / rows_a_thread);
  }
  /// As few threads as keep the device busy.
  void share_out() {
    const backend::Residency device = backend::residency();
    const grid::Index threads = 2 * grid::Index{device.multiprocessors} * device.lanes_each;
    rows_a_thread = std::clamp<grid::Index>(packs_a_row() * this->rows() / threads, 4, 64);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION grid::Index packs_a_row() const {
    return (this->layout.own.x + width - 1) / width;
  }
  /// @param columns of a pack that are own cells
  template <class Columns>
  KOKKOS_FORCEINLINE_FUNCTION void add_rows(ThreadMeasures<Measures>& found, grid::Triple cell,
                                            grid::Index left, Columns columns) const {
    for (; left >= at_once; left -= at_once) add_some<at_once>(found, cell, columns);
    for (; left > 0; --left) add_some<1>(found, cell, columns);
  }
  template <int Rows>
  KOKKOS_FORCEINLINE_FUNCTION void add_some(ThreadMeasures<Measures>& found, grid::Triple& cell,
                                            int columns) const {
    Packs packs[Rows];
    grid::Triple first[Rows];
    HALOHEAP_UNROLL
    for (int row = 0; row < Rows; ++row) {
      HALOHEAP_UNROLL
      for (int field = 0; field < Fields::count; ++field)
        packs[row][field] =
            pack_at<width>(this->fields + this->layout.at(cell), field, this->layout.quantity_size);
      first[row] = cell;
      next_row(cell);
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < Rows; ++row) {
      HALOHEAP_UNROLL
      for (int column = 0; column < width; ++column)
        if (column < columns)
          this->add(found, InPacks<typename Fields::type, width>{packs[row], column},
                    {first[row].x + column, first[row].y, first[row].z});
    }
  }
  /// Without a division, which would take longer than all the rest.
  KOKKOS_FORCEINLINE_FUNCTION void next_row(grid::Triple& cell) const {
    ++cell.y;
    if constexpr (Measure::dims == 3) {
      const bool last = cell.y == this->layout.own.y;
      cell.y = last ? 0 : cell.y;
      cell.z += last ? 1 : 0;
    }
  }
};

template <class Measure>
using MeasureKernel =
    std::conditional_t<backend::kernels_on_host, MeasureRows<Measure>, MeasureColumns<Measure>>;

template <class Measures, int... Number>
MeasuredKinds kinds_of(std::integer_sequence<int, Number...> /*all*/) {
  return {{(std::is_same_v<typename Measures::template kind<Number>, Sum>   ? MeasuredKinds::sum
            : std::is_same_v<typename Measures::template kind<Number>, Max> ? MeasuredKinds::max
                                                                            : MeasuredKinds::min)...}};
}

}  // namespace detail

/// A measure, whatever its type.
struct Measurement {
  using Exec = backend::Exec;
  /// Enqueues on `exec` what adds the state of `fields` to slots of a MeasureHistory, and does not wait.
  using Run = std::function<void(const Exec& exec, const void* fields, double* slots)>;

  MeasuredKinds kinds;
  std::vector<double> bounds;  ///< of the values that are summed; 0 of others
  /// For the own cells of a subdomain. @throws UsageError for bounds by which nothing can be summed
  std::function<Run(const Subdomain&)> on;
};

template <CellMeasure Measure>
Measurement measurement_of(const Measure& measure) {
  using namespace detail;
  using Kernel = MeasureKernel<Measure>;
  using Measures = typename Measure::Measures;
  const MeasuredKinds kinds = kinds_of<Measures>(std::make_integer_sequence<int, Measures::count>());
  std::vector<double> bounds(kinds.kinds.size());
  if constexpr (has_sums<Measures>())
    for (int i = 0; i < Measures::count; ++i)
      if (kinds.kinds[static_cast<std::size_t>(i)] == MeasuredKinds::sum)
        bounds[static_cast<std::size_t>(i)] = static_cast<double>(measure.bound(i));
  return {kinds, bounds, [measure, bounds, kinds](const Subdomain& where) -> Measurement::Run {
            Kernel kernel{{measure, {}, where.layout, CellPlaces(where), {}, {}, nullptr}};
            if constexpr (requires { kernel.share_out(); }) kernel.share_out();
            if constexpr (MeasuredConstants<Measure>::count > 0)
              kernel.constants = ConstantsIn<Measure>(
                  static_cast<const typename MeasuredConstants<Measure>::type*>(where.constants),
                  where.constants_layout);
            if constexpr (has_sums<Measures>())
              for (int i = 0; i < Measures::count; ++i)
                if (kinds.kinds[static_cast<std::size_t>(i)] == MeasuredKinds::sum)
                  kernel.scales[i] =
                      SumScale::make(i, bounds[static_cast<std::size_t>(i)], product(where.cells));
            return [kernel](const backend::Exec& exec, const void* fields, double* slots) {
              using Value = ArrayValue<typename Measure::Fields>;
              using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<grid::Index>>;
              Kernel launched = kernel;
              launched.fields = InCell<Measure>(static_cast<const Value*>(fields));
              launched.slots = slots;
              if (launched.iterations() > 0)
                backend::parallel_for("haloheap::stencil::measure",
                                      backend::as_kernel_argument(Policy(exec, 0, launched.iterations())),
                                      launched);
            };
          }};
}

}  // namespace haloheap::stencil

#endif
