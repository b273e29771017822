// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_KERNELS_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_KERNELS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/box_list.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/cell.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/residual_row.hpp>

#include <cstdint>

namespace haloheap::stencil::detail {

/// Reads neighbours through memory.
template <class Rule>
struct NeighboursInMemory {
  static constexpr bool exact = true;

  InCell<Rule> cell;
  grid::Index pitch, plane, field_size;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field, int dx, int dy, int dz) const {
    return value_at(cell + (dx + dy * pitch + dz * plane), field, field_size);
  }
};

/// Of several types, nothing is known to the compiler of what else points there.
template <class Pointer>
struct RestrictedTo {
  using type = Pointer;
};
template <class T>
struct RestrictedTo<T*> {
  using type = T* KOKKOS_RESTRICT;
};
template <class Pointer>
using Restricted = typename RestrictedTo<Pointer>::type;

/// One cell a thread. Any box, any rule: used for thin boxes and wherever no better kernel exists.
template <class Rule, class Tally = NoTally>
struct CellSweep {
  static constexpr int fields = RuleTraits<Rule>::fields;
  using T = typename RuleTraits<Rule>::T;

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::FieldLayout layout;
  Rule rule;
  FrameOf<Rule> frame;
  grid::BoxList boxes;
  Tally tally;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const grid::Index cells = boxes.cells();
    const int set = static_cast<int>(i / cells);
    const grid::Triple cell = boxes.cell(i - set * cells);
    const grid::Index at = layout.at(cell, set * fields);
    const NeighboursInMemory<Rule> neighbours{in + at, layout.pitch, layout.plane, layout.quantity_size};
    const Values<T, fields> result = new_values(rule, neighbours, frame.read(), cell);
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field)
      put(out + at, field, layout.quantity_size, result.value[field]);
    if constexpr (Tally::counts)
      if (tally.counts_cell(cell)) {
        TallySums<Tally> sums(tally);
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field)
          sums.add(result.value[field], in[at + field * layout.quantity_size]);
        sums.put(i, tally);
      }
    if constexpr (Tally::measures) {
      TallySums<Tally> sums(tally);
      sums.add_cells(tally, reinterpret_cast<const Pack<T, 1>*>(result.value), 0, 1, cell);
      sums.put(i, tally);
    }
  }
};

/// One row of cells an iteration, for host threads: the compiler vectorises the loop over x.
template <class Rule, class Tally = NoTally>
struct RowSweep {
  static constexpr int fields = RuleTraits<Rule>::fields;
  using T = typename RuleTraits<Rule>::T;
  using Index = grid::Index;

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::FieldLayout layout;
  Rule rule;
  FrameOf<Rule> frame;
  grid::Box box;
  Tally tally;

  KOKKOS_FUNCTION void operator()(Index i) const {
    const Index rows = box.extent(1), planes = box.extent(2);
    const grid::Triple first{box.lo.x, box.lo.y + i % rows, box.lo.z + i / rows % planes};
    const Index at = layout.at(first, static_cast<int>(i / rows / planes) * fields);
    if constexpr (Tally::counts)
      if (tally.counts_row(static_cast<int>(first.y), static_cast<int>(first.z))) {
        sweep_and_count(i, first, at);
        return;
      }
    if constexpr (Tally::measures)
      sweep_and_measure(i, first, at);
    else
      sweep(*this, first, in + at, out + at, box.extent(0));
  }

  /// A row piece by piece: `visit(x, cells)` finds those from box.lo.x + x on in the nearest cache.
  template <class Visit>
  void sweep_pieces(const grid::Triple& cell, Index at, Visit&& visit) const {
    constexpr Index most = 1024;
    for (Index x = 0; x < box.extent(0); x += most) {
      const Index cells = Kokkos::min(most, box.extent(0) - x);
      sweep(*this, {cell.x + x, cell.y, cell.z}, in + at + x, out + at + x, cells);
      visit(x, cells);
    }
  }

  void sweep_and_measure(Index i, const grid::Triple& cell, Index at) const {
    TallySums<Tally> sums(tally);
    sweep_pieces(cell, at, [&](Index x, Index cells) {
      const grid::Triple first{cell.x + x, cell.y, cell.z};
      measure_row(tally, sums, out + at + x, layout.quantity_size, first, cells);
    });
    sums.put(i, tally);
  }

  void sweep_and_count(Index i, const grid::Triple& cell, Index at) const {
    ResidualRow lanes(tally, box.extent(0));
    sweep_pieces(cell, at, [&](Index x, Index cells) {
      const auto there = [&](int field) { return at + field * layout.quantity_size + x; };
      lanes.add_counted(
          tally, box.lo.x + x, cells, fields, [&](int field) { return out + there(field); },
          [&](int field) { return in + there(field); });
    });
    lanes.put(i, tally);
  }

  // A function of its own because `restrict` only counts on parameters. The first cell by value: of a
  // reference that a rule does not read GCC 12 says that it may be uninitialised.
  HALOHEAP_VECTOR_CLONES static void sweep(const RowSweep& kernel, const grid::Triple first,
                                           const Restricted<InCell<Rule>> from,
                                           const Restricted<OutCell<Rule>> to, Index n) {
    const Rule rule = kernel.rule;
    const Around<Rule> around = kernel.frame.read();
    const Index pitch = kernel.layout.pitch, plane = kernel.layout.plane, size = kernel.layout.quantity_size;
    if constexpr (fields == 1) {
      const auto compute = [&](Index begin, Index end) {
        for (Index x = begin; x < end; ++x)
          to[x] = new_values(rule, NeighboursInMemory<Rule>{from + x, pitch, plane, size}, around,
                             {first.x + x, first.y, first.z})
                      .value[0];
      };
      // Stores that cross the ends of cache lines take longer. Of a row that begins beside one all lines but
      // the first and the last are whole, and those two have cells of their neighbours again.
      constexpr Index line = std::size_t{64} / sizeof(T);
      const Index beside = reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % line;
      if (beside == 0 || n < 2 * line) {
        compute(0, n);
        return;
      }
      const Index aligned = line - beside, end = aligned + (n - aligned) / line * line;
      compute(0, line);
      compute(aligned, end);
      if (end < n) compute(n - line, n);
      return;
    }
    // Of several places to write to the compiler does not know that they are different: one after the other.
    constexpr Index piece = 64;
    for (Index begin = 0; begin < n; begin += piece) {
      const Index count = n - begin < piece ? n - begin : piece;
      T results[fields][piece];
      for (Index x = 0; x < count; ++x) {
        const Values<T, fields> values =
            new_values(rule, NeighboursInMemory<Rule>{from + begin + x, pitch, plane, size}, around,
                       {first.x + begin + x, first.y, first.z});
        for (int field = 0; field < fields; ++field) results[field][x] = values.value[field];
      }
      for (int field = 0; field < fields; ++field)
        for (Index x = 0; x < count; ++x) put(to + (begin + x), field, size, results[field][x]);
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
