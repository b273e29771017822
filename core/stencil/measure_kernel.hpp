// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_MEASURE_KERNEL_HPP
#define HALOHEAP_CORE_STENCIL_MEASURE_KERNEL_HPP

#include <haloheap/backend/accumulate.hpp>
#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/measured_words.hpp>
#include <haloheap/core/stencil/measures.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>

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

/// What a measure is called with.
template <class Measure>
class MeasuredCell {
 public:
  using T = typename Measure::Fields::type;

  KOKKOS_FORCEINLINE_FUNCTION MeasuredCell(const InCell<Measure>& fields, grid::Index field_size,
                                           const CellPlaces& places, const ConstantsIn<Measure>& constants,
                                           const grid::Triple& local)
      : fields_(fields), field_size_(field_size), places_(places), constants_(constants), local_(local) {}

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field) const { return value_at(fields_, field, field_size_); }
  KOKKOS_FORCEINLINE_FUNCTION auto constant(int field) const {
    static_assert(MeasuredConstants<Measure>::count > 0,
                  "a measure that calls cell.constant() has the type Constants of its rule");
    return constants_.at(field, local_);
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index index(int dim) const { return places_.place(dim, local_[dim]); }

 private:
  InCell<Measure> fields_;
  grid::Index field_size_;
  const CellPlaces& places_;
  const ConstantsIn<Measure>& constants_;
  grid::Triple local_;
};

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

/// The largest value that one thread has met. What is made of NaN and zeros waits for the end.
struct ThreadMax {
  double largest = -Kokkos::Experimental::infinity_v<double>;
  bool nan = false;

  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMax(const SumScale& /*scale*/) {}
  KOKKOS_FORCEINLINE_FUNCTION void add(double value, const SumScale& /*scale*/) {
    nan = nan || value != value;
    largest = value > largest ? value : largest;
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(double* at, const SumScale& /*scale*/) const {
    const double any_zero_as_one = largest + 0.0;
    backend::accumulate_max(reinterpret_cast<MeasureKey*>(at),
                            nan ? ~MeasureKey{0} : key_of(any_zero_as_one));
  }
};

/// The smallest one.
struct ThreadMin : ThreadMax {
  using ThreadMax::ThreadMax;
  KOKKOS_FORCEINLINE_FUNCTION void add(double value, const SumScale& scale) { ThreadMax::add(-value, scale); }
};

/// What one thread has measured of each value.
template <class Measures, int Number = 0>
struct ThreadMeasures {
  using Kind = typename Measures::template kind<Number>;
  using Of = std::conditional_t<std::is_same_v<Kind, Sum>, ThreadSum,
                                std::conditional_t<std::is_same_v<Kind, Max>, ThreadMax, ThreadMin>>;
  using Scales = SumScale[Measures::count];
  using Values = stencil::Values<double, Measures::count>;

  Of first;
  ThreadMeasures<Measures, Number + 1> others;

  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMeasures(const Scales& scales)
      : first(scales[Number]), others(scales) {}
  KOKKOS_FORCEINLINE_FUNCTION void add(const Values& values, const Scales& scales) {
    first.add(values.value[Number], scales[Number]);
    others.add(values, scales);
  }
  KOKKOS_FORCEINLINE_FUNCTION void put(double* slot, const Scales& scales) const {
    first.put(slot + Number * residual_parts, scales[Number]);
    others.put(slot, scales);
  }
};

/// The end of the list.
template <class Measures, int Number>
requires(Number == Measures::count) struct ThreadMeasures<Measures, Number> {
  template <class Scales>
  KOKKOS_FORCEINLINE_FUNCTION explicit ThreadMeasures(const Scales& /*scales*/) {}
  template <class Values, class Scales>
  KOKKOS_FORCEINLINE_FUNCTION void add(const Values& /*values*/, const Scales& /*scales*/) {}
  template <class Scales>
  KOKKOS_FORCEINLINE_FUNCTION void put(double* /*slot*/, const Scales& /*scales*/) const {}
};

/// A read of the own cells. On a host an iteration has a row; on a device neighbouring threads have
/// neighbouring columns, and some rows each, as what is done once a thread costs more than a cell.
template <class Measure, bool ByRows = backend::kernels_on_host>
struct MeasureKernel {
  using Measures = typename Measure::Measures;
  using All = std::make_integer_sequence<int, Measures::count>;
  static constexpr bool by_rows = ByRows;
  static constexpr grid::Index rows_a_thread = 16;
  /// Cells whose values are read before any is added up: a device's thread waits once for the memory of all.
  static constexpr int at_once = by_rows ? 1 : Measures::count <= 2 ? 8 : Measures::count <= 4 ? 4 : 2;
  static constexpr unsigned sharers = by_rows ? 1 : backend::warp_size;

  Measure measure;
  InCell<Measure> fields;
  grid::FieldLayout layout;
  CellPlaces places;
  ConstantsIn<Measure> constants;
  SumScale scales[Measures::count];
  double* slots;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index first = by_rows ? i : i / layout.own.x * rows_a_thread;
    grid::Triple cell{by_rows ? 0 : i % layout.own.x, first % layout.own.y, first / layout.own.y};
    grid::Index left = layout.own.x;
    if constexpr (!by_rows) {
      left = layout.own.y * layout.own.z - first;
      if (left > rows_a_thread) left = rows_a_thread;
    }
    ThreadMeasures<Measures> found(scales);
    for (; left >= at_once; left -= at_once) add<at_once>(found, cell);
    for (; left > 0; --left) add<1>(found, cell);
    const unsigned slot = static_cast<unsigned>(i) / sharers % residual_slots;
    found.put(slots + slot * measure_slot_stride(Measures::count), scales);
  }

  template <int Cells>
  KOKKOS_FORCEINLINE_FUNCTION void add(ThreadMeasures<Measures>& found, grid::Triple& cell) const {
    Values<double, Measures::count> values[Cells];
    HALOHEAP_UNROLL
    for (int n = 0; n < Cells; ++n) {
      const MeasuredCell<Measure> at(fields + layout.at(cell, 0), layout.quantity_size, places, constants,
                                     cell);
      values[n] = as_measured<Measures::count>(measure(at));
      go_on(cell);
    }
    HALOHEAP_UNROLL
    for (const auto& value : values) found.add(value, scales);
  }

  /// To the thread's next cell, without a division, which would take longer than all the rest.
  KOKKOS_FORCEINLINE_FUNCTION void go_on(grid::Triple& cell) const {
    if constexpr (by_rows) {
      ++cell.x;
    } else {
      ++cell.y;
      if constexpr (Measure::dims == 3) {
        const bool last = cell.y == layout.own.y;
        cell.y = last ? 0 : cell.y;
        cell.z += last ? 1 : 0;
      }
    }
  }

  grid::Index iterations() const {
    const grid::Index rows = layout.own.y * layout.own.z;
    if (layout.own.x <= 0 || rows <= 0) return 0;
    return by_rows ? rows : layout.own.x * ((rows + rows_a_thread - 1) / rows_a_thread);
  }
};

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
  const MeasuredKinds kinds = kinds_of<Measures>(typename Kernel::All());
  std::vector<double> bounds(kinds.kinds.size());
  if constexpr (has_sums<Measures>())
    for (int i = 0; i < Measures::count; ++i)
      if (kinds.kinds[static_cast<std::size_t>(i)] == MeasuredKinds::sum)
        bounds[static_cast<std::size_t>(i)] = static_cast<double>(measure.bound(i));
  return {kinds, bounds, [measure, bounds, kinds](const Subdomain& where) -> Measurement::Run {
            Kernel kernel{measure, {}, where.layout, CellPlaces(where), {}, {}, nullptr};
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
