// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_CELL_HPP
#define HALOHEAP_CORE_STENCIL_CELL_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/grid/rounding.hpp>
#include <haloheap/core/stencil/applied_rule.hpp>
#include <haloheap/core/stencil/pack.hpp>
#include <haloheap/core/stencil/rule.hpp>
#include <haloheap/core/stencil/stored_fields.hpp>
#include <haloheap/core/stencil/subdomain.hpp>

#include <Kokkos_Core.hpp>

#include <limits>

namespace haloheap::stencil::detail {

/// The places of the cells of a subdomain in the whole grid. By value in kernels.
/// 32-bit numbers and no branch: kernels ask once a cell.
struct CellPlaces {
  int first[3] = {};   ///< the first own cell's place in the whole grid
  int period[3] = {};  ///< cells of the whole grid in dimensions in which it wraps around, else 0
  int end[3] = {};     ///< the same, or what no place reaches

  CellPlaces() = default;
  explicit CellPlaces(const Subdomain& where) {
    for (int dim = 0; dim < 3; ++dim) {
      first[dim] = static_cast<int>(where.own.lo[dim]);
      period[dim] = where.periodic[dim] ? static_cast<int>(where.cells[dim]) : 0;
      end[dim] = where.periodic[dim] ? period[dim] : std::numeric_limits<int>::max();
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION int place(int dim, grid::Index local) const {
    // Never further away than a halo, which is not wider than a subdomain.
    const int at = first[dim] + static_cast<int>(local);
    return at + (at < 0 ? period[dim] : 0) - (at >= end[dim] ? period[dim] : 0);
  }
};

/// How many stages were done before a kernel's first, as its launch knows it.
struct Time {
  /// When the cycle of passes began, in memory that kernels reach, as a recorded cycle is run again and
  /// again.
  const grid::Index* done = nullptr;
  grid::Index since = 0;  ///< since then
};

/// The same where a kernel has read it.
template <int Stages>
struct Moment {
  grid::Index step = 0;
  int stage = 0;

  Moment() = default;
  KOKKOS_FORCEINLINE_FUNCTION explicit Moment(const Time& time) : step(*time.done + time.since) {
    if constexpr (Stages > 1) {
      stage = static_cast<int>(step % Stages);
      step /= Stages;
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION Moment after(int stages) const {
    Moment later;
    later.step = step + (stage + stages) / Stages;
    later.stage = (stage + stages) % Stages;
    return later;
  }
};

/// Fields that no step changes, in memory. Cells in registers stand for whole warps, also beyond the memory:
/// of a place that is not in it they get some other value, which nobody uses. 32-bit coordinates and constant
/// dimensions: kernels ask once a cell.
template <class T, int Dims>
struct ConstantFields {
  const T* data = nullptr;
  grid::Index origin = 0, pitch = 0, plane = 0, field_size = 0;
  int first_cell[Dims] = {}, last_cell[Dims] = {};  ///< with the halo

  ConstantFields() = default;
  ConstantFields(const T* start, const grid::FieldLayout& layout)
      : data(start),
        origin(layout.origin),
        pitch(layout.pitch),
        plane(layout.plane),
        field_size(layout.quantity_size) {
    for (int dim = 0; dim < Dims; ++dim) {
      first_cell[dim] = static_cast<int>(-layout.halo[dim]);
      last_cell[dim] = static_cast<int>(layout.own[dim] + layout.halo[dim] - 1);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION T at(int field, const grid::Triple& cell) const {
    grid::Index place = origin + field * field_size + cell.x + cell.y * pitch;
    if constexpr (Dims == 3) place += cell.z * plane;
    return data[place];
  }
  KOKKOS_FORCEINLINE_FUNCTION T at_nearest(int field, const grid::Triple& cell) const {
    grid::Index place = origin + field * field_size + nearest<0>(cell.x) + nearest<1>(cell.y) * pitch;
    if constexpr (Dims == 3) place += nearest<2>(cell.z) * plane;
    return data[place];
  }
  /// Where those are of the cells from one on whose place in x is a multiple of `Width`. Memory begins and
  /// ends with whole cache lines.
  template <int Width>
  KOKKOS_FORCEINLINE_FUNCTION const Pack<T, Width>* pack_at_nearest(int field,
                                                                    const grid::Triple& cell) const {
    const int first = grid::detail::multiple_below(first_cell[0], Width),
              last = grid::detail::multiple_below(last_cell[0], Width);
    grid::Index place = origin + field * field_size + Kokkos::clamp(static_cast<int>(cell.x), first, last) +
                        nearest<1>(cell.y) * pitch;
    if constexpr (Dims == 3) place += nearest<2>(cell.z) * plane;
    return reinterpret_cast<const Pack<T, Width>*>(data + place);
  }

 private:
  template <int Dim>
  KOKKOS_FORCEINLINE_FUNCTION grid::Index nearest(grid::Index at) const {
    return Kokkos::clamp(static_cast<int>(at), first_cell[Dim], last_cell[Dim]);
  }
};

/// What a rule does not ask for. Different types, as an object cannot have two empty bases of one.
template <int Number>
struct Nothing {};

template <class Rule>
using PlacesOf = std::conditional_t<RuleTraits<Rule>::uses_index, CellPlaces, Nothing<0>>;
template <class Rule>
using ConstantsOf =
    std::conditional_t<(RuleTraits<Rule>::constants > 0),
                       ConstantFields<typename RuleTraits<Rule>::Constant, RuleTraits<Rule>::dims>,
                       Nothing<1>>;

/// What a rule may ask for besides its neighbours, in a kernel.
template <class Rule>
struct Around : PlacesOf<Rule>, ConstantsOf<Rule> {
  using Traits = RuleTraits<Rule>;
  std::conditional_t<Traits::uses_step, Moment<Traits::stages>, Nothing<2>> moment;

  KOKKOS_FORCEINLINE_FUNCTION Around at_level(int level) const {
    Around later = *this;
    if constexpr (Traits::uses_step) later.moment = moment.after(level);
    return later;
  }
};

/// The constants of the cells that a lane computes together.
template <class Rule, int Width>
struct OwnConstants {
  using Traits = RuleTraits<Rule>;
  Pack<typename Traits::Constant, Width> values[Traits::constants];

  OwnConstants() = default;
  /// @param cell the first one
  KOKKOS_FORCEINLINE_FUNCTION OwnConstants(const Around<Rule>& around, const grid::Triple& cell) {
    HALOHEAP_UNROLL
    for (int field = 0; field < Traits::constants; ++field)
      values[field] = *around.template pack_at_nearest<Width>(field, cell);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field, int column) const {
    return values[field].value[column];
  }
};
template <class Rule, int Width>
requires(RuleTraits<Rule>::constants == 0) struct OwnConstants<Rule, Width> {
  OwnConstants() = default;
  KOKKOS_FORCEINLINE_FUNCTION OwnConstants(const Around<Rule>&, const grid::Triple&) {}
};

/// The same as a launch hands it to a kernel.
template <class Rule>
struct FrameOf : PlacesOf<Rule>, ConstantsOf<Rule> {
  using Traits = RuleTraits<Rule>;
  std::conditional_t<Traits::uses_step, Time, Nothing<2>> time;

  FrameOf() = default;
  /// @param since stages since the cycle of passes began
  FrameOf(const Subdomain& where, grid::Index since) {
    if constexpr (Traits::uses_index) static_cast<CellPlaces&>(*this) = CellPlaces(where);
    if constexpr (Traits::uses_step) time = {where.done, since};
    if constexpr (Traits::constants > 0)
      static_cast<ConstantsOf<Rule>&>(*this) = ConstantsOf<Rule>(
          static_cast<const typename Traits::Constant*>(where.constants), where.constants_layout);
  }

  KOKKOS_FORCEINLINE_FUNCTION Around<Rule> read() const {
    Around<Rule> around;
    static_cast<PlacesOf<Rule>&>(around) = *this;
    static_cast<ConstantsOf<Rule>&>(around) = *this;
    if constexpr (Traits::uses_step) around.moment = Moment<Traits::stages>(time);
    return around;
  }
};

/// What an update rule is called with. What it may not ask for is said in a sentence, and nothing else is: so
/// nothing is read where an assertion fails.
/// @tparam Neighbours a functor (field, dx, dy, dz); `Neighbours::exact` if it stands for cells in memory
/// alone; it may have constant(field), of the cell itself
template <class Rule, class Neighbours>
class Cell {
 public:
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;

  KOKKOS_FORCEINLINE_FUNCTION Cell(const Neighbours& neighbours, const Around<Rule>& around,
                                   const grid::Triple& local)
      : neighbours_(neighbours), around_(around), local_(local) {}

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx = 0, int dy = 0, int dz = 0) const {
    return neighbours_(field, dx, dy, dz);
  }
  KOKKOS_FORCEINLINE_FUNCTION auto constant(int field, int dx = 0, int dy = 0, int dz = 0) const {
    static_assert(Traits::constants > 0,
                  "a rule that calls cell.constant() says what these are: using Constants = "
                  "haloheap::stencil::Fields<float>");
    if constexpr (Traits::constants > 0) {
      if constexpr (requires(const Neighbours& n) { n.constant(0); })
        if (dx == 0 && dy == 0 && dz == 0) return neighbours_.constant(field);
      const grid::Triple at{local_.x + dx, local_.y + dy, local_.z + dz};
      if constexpr (Neighbours::exact)
        return around_.at(field, at);
      else
        return around_.at_nearest(field, at);
    } else {
      return T{};
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index index(int dim) const {
    static_assert(Traits::uses_index, "a rule with uses_index = false does not ask for its place");
    if constexpr (Traits::uses_index) return around_.place(dim, local_[dim]);
    return 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION grid::Index step() const {
    static_assert(Traits::uses_step,
                  "a rule that calls cell.step() says so: static constexpr bool uses_step = true");
    if constexpr (Traits::uses_step) return around_.moment.step;
    return 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION int stage() const {
    static_assert(Traits::stages > 1,
                  "a rule that calls cell.stage() says how many there are: static constexpr int stages = 3");
    if constexpr (Traits::stages > 1) return around_.moment.stage;
    return 0;
  }

 private:
  const Neighbours& neighbours_;
  const Around<Rule>& around_;
  grid::Triple local_;
};

/// What a rule has returned, as its fields hold it.
template <class Rule, class Returned>
KOKKOS_FORCEINLINE_FUNCTION auto as_new_values(const Returned& returned) {
  using Traits = RuleTraits<Rule>;
  auto values = as_values<typename Traits::T, Traits::fields>(returned);
  if constexpr (is_mixed<typename Rule::Fields>) {
    HALOHEAP_UNROLL
    for (int field = 0; field < Traits::fields; ++field)
      values.value[field] = as_stored<Rule>(field, values.value[field]);
  }
  return values;
}

/// The new values of one cell.
template <class Rule, class Neighbours>
KOKKOS_FORCEINLINE_FUNCTION auto new_values(const Rule& rule, const Neighbours& neighbours,
                                            const Around<Rule>& around, const grid::Triple& local) {
  return as_new_values<Rule>(applied(rule, Cell<Rule, Neighbours>(neighbours, around, local)));
}

}  // namespace haloheap::stencil::detail

#endif
