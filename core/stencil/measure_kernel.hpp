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
#include <haloheap/core/stencil/measured_cell.hpp>
#include <haloheap/core/stencil/state_measure.hpp>

#include <algorithm>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace haloheap::stencil {
namespace detail {

/// What kernels read that do nothing but measure.
template <class Measure>
struct MeasuredFields : MeasureParts<Measure> {
  InCell<Measure> fields;
  grid::FieldLayout layout;

  grid::Index rows() const { return layout.own.x > 0 ? layout.own.y * layout.own.z : 0; }
};

/// On a host an iteration has a row.
template <class Measure>
struct MeasureRows : MeasuredFields<Measure> {
  KOKKOS_FUNCTION void operator()(grid::Index row) const {
    const grid::FieldLayout& in = this->layout;
    ThreadMeasuresOf<Measure> found(this->scales);
    for (grid::Triple cell{0, row % in.own.y, row / in.own.y}; cell.x < in.own.x; ++cell.x)
      this->add(found, InMemory<InCell<Measure>>{this->fields + in.at(cell), in.quantity_size}, cell);
    this->put(found, static_cast<unsigned>(row));
  }
  grid::Index iterations() const { return this->rows(); }
};

/// On a device a thread has some cells beside each other, as many as one load brings, in some rows: what is
/// done once a thread costs as much as ten cells. Neighbouring threads have neighbouring columns.
template <class Measure>
struct MeasureColumns : MeasuredFields<Measure> {
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
    ThreadMeasuresOf<Measure> found(this->scales);
    if (own.x - cell.x >= width)
      add_rows<true>(found, cell, left, width);
    else
      add_rows<false>(found, cell, left, static_cast<int>(own.x - cell.x));
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
  /// @tparam whole whether all columns of a pack are own cells
  /// @param some that are
  template <bool whole>
  KOKKOS_FORCEINLINE_FUNCTION void add_rows(ThreadMeasuresOf<Measure>& found, grid::Triple cell,
                                            grid::Index left, int some) const {
    const int columns = whole ? width : some;
    for (; left >= at_once; left -= at_once) add_some<at_once>(found, cell, columns);
    for (; left > 0; --left) add_some<1>(found, cell, columns);
  }
  template <int Rows>
  KOKKOS_FORCEINLINE_FUNCTION void add_some(ThreadMeasuresOf<Measure>& found, grid::Triple& cell,
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

/// A measure on a subdomain.
template <class Measure>
class StateMeasureOf final : public StateMeasure {
 public:
  explicit StateMeasureOf(const MeasureKernel<Measure>& kernel) : kernel_(kernel) {}

  void run(const Exec& exec, const void* fields, double* slots) const override {
    using Value = ArrayValue<typename Measure::Fields>;
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<grid::Index>>;
    MeasureKernel<Measure> kernel = kernel_;
    kernel.fields = InCell<Measure>(static_cast<const Value*>(fields));
    kernel.slots = slots;
    if (kernel.iterations() > 0)
      backend::parallel_for("haloheap::stencil::measure",
                            backend::as_kernel_argument(Policy(exec, 0, kernel.iterations())), kernel);
  }
  /// For kernels that add to these slots.
  MeasureParts<Measure> parts(double* slots) const {
    MeasureParts<Measure> parts = kernel_;
    parts.slots = slots;
    return parts;
  }

 private:
  MeasureKernel<Measure> kernel_;
};

/// @param bounds of the values that are summed
template <class Measure>
MeasureKernel<Measure> kernel_of(const Measure& measure, const MeasuredKinds& kinds,
                                 const std::vector<double>& bounds, const Subdomain& where) {
  MeasureKernel<Measure> kernel{{{measure, CellPlaces(where), {}, {}, nullptr}, {}, where.layout}};
  if constexpr (requires { kernel.share_out(); }) kernel.share_out();
  if constexpr (MeasuredConstants<Measure>::count > 0)
    kernel.constants =
        ConstantsIn<Measure>(static_cast<const typename MeasuredConstants<Measure>::type*>(where.constants),
                             where.constants_layout);
  for (std::size_t i = 0; i < bounds.size(); ++i)
    if (kinds.kinds[i] == MeasuredKinds::sum)
      kernel.scales[i] = SumScale::make(static_cast<int>(i), bounds[i], product(where.cells));
  return kernel;
}

}  // namespace detail

/// A measure, whatever its type.
struct Measurement {
  MeasuredKinds kinds;
  std::vector<double> bounds;  ///< of the values that are summed; 0 of others
  /// For the own cells of a subdomain. @throws UsageError for bounds by which nothing can be summed
  std::function<std::unique_ptr<StateMeasure>(const Subdomain&)> on;
};

template <CellMeasure Measure>
Measurement measurement_of(const Measure& measure) {
  using Measures = typename Measure::Measures;
  const auto kinds = detail::kinds_of<Measures>(std::make_integer_sequence<int, Measures::count>());
  std::vector<double> bounds(kinds.kinds.size());
  if constexpr (detail::has_sums<Measures>())
    for (std::size_t i = 0; i < bounds.size(); ++i)
      if (kinds.kinds[i] == MeasuredKinds::sum) bounds[i] = measure.bound(static_cast<int>(i));
  return {kinds, bounds, [measure, kinds, bounds](const Subdomain& where) {
            return std::make_unique<detail::StateMeasureOf<Measure>>(
                detail::kernel_of(measure, kinds, bounds, where));
          }};
}

}  // namespace haloheap::stencil

#endif
