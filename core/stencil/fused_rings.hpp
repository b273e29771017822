// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_RINGS_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_RINGS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/measure_tally.hpp>
#include <haloheap/core/stencil/residual_row.hpp>
#include <haloheap/core/stencil/ring_tiling.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::stencil::detail {

/// Where the rows start that one row of results needs, of each field.
template <class Rule>
struct RowsAround {
  using Traits = RuleTraits<Rule>;
  static constexpr int side = 2 * Traits::radius + 1;
  static constexpr int count = Traits::dims == 2 ? side : side * side;

  const typename Traits::T* first[Traits::fields][count];

  static constexpr int number(grid::Index dy, grid::Index dz) {
    return static_cast<int>(Traits::dims == 2 ? dy + Traits::radius
                                              : (dz + Traits::radius) * side + dy + Traits::radius);
  }
};

template <class Rule>
struct NeighboursInRings {
  static constexpr bool exact = true;

  const RowsAround<Rule>& rows;
  grid::Index x;

  KOKKOS_FORCEINLINE_FUNCTION auto operator()(int field, int dx, int dy, int dz) const {
    return rows.first[field][RowsAround<Rule>::number(dy, dz)][x + dx];
  }
};

/// Several steps in one pass, for host threads. A thread takes a part of the box and streams along the grid's
/// last dimension. Of each step before the last it keeps the planes that the next step still needs, in rings:
/// a plane is the part's cross-section, grown by what the later steps need, at one index of that dimension.
/// Step k runs k * radius indices behind the first plane read.
/// @tparam Tally what is made of the results: MeasureTally, ResidualTally or NoTally
template <class Rule, class Tally = NoTally>
struct FusedRings {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  using Rows = RowsAround<Rule>;
  static constexpr int fields = Traits::fields, radius = Traits::radius, dims = Traits::dims;
  static constexpr int stream = dims - 1;
  static constexpr bool mixed = is_mixed<typename Rule::Fields>;
  static constexpr int ring = 2 * radius + 1;  ///< planes a level
  static constexpr grid::Index line = RingTiling::line;
  /// Of a field, for what is outside in y or z; the last one for other fields' use.
  static constexpr int ghost_rows = Rows::count + (SeesFieldsOutside<Rule> ? 1 : 0);
  static constexpr std::size_t alignment = 128;

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::FieldLayout layout;
  Rule rule;
  FrameOf<Rule> frame;
  RuleEdges<Rule> edges;
  RingTiling tiling;
  int steps;
  Tally tally;

  /// The rings, and rows for what is outside the grid.
  std::size_t scratch_values() const {
    return static_cast<std::size_t>(fields * (steps * ring * tiling.rows + ghost_rows) * tiling.pitch);
  }
  std::size_t scratch_bytes() const { return scratch_values() * sizeof(T); }

  template <class Member>
  void operator()(const Member& team) const {
    const grid::Index task = team.league_rank(), parts = tiling.count();
    const grid::Box part = tiling.part(task % parts);
    if (part.empty()) return;
    void* scratch = team.team_scratch(1).get_shmem_aligned(scratch_bytes(), alignment);
    Pass(*this, part, static_cast<int>(task / parts), static_cast<T*>(scratch)).run(task);
  }

 private:
  /// One part's way through the stream.
  class Pass {
   public:
    Pass(const FusedRings& kernel, const grid::Box& part, int set, T* scratch)
        : kernel_(kernel), set_(set), rings_(scratch), sums_(sums_of(kernel.tally, part)) {
      for (int level = 0; level <= kernel.steps; ++level)
        region_[level] = clipped_to_grid(part, (kernel.steps - level) * radius);
      const grid::Index reach = kernel.steps * radius;
      corner_ = {whole_lines(part.lo.x - reach) - line, part.lo.y - reach, part.lo.z - reach};
      end_ = part.hi[stream] + reach;
      copied_ = mixed || kernel.edges.crossed_by(0, part.lo.x - reach, part.hi.x + reach);
      ghosts_ = scratch + fields * kernel.steps * ring * kernel.tiling.rows * kernel.tiling.pitch;
      // All of it: cells beyond a level's region are read, though not used, and odd numbers may be slow.
      std::fill_n(scratch, kernel.scratch_values(), T{});
    }

    /// @param task that this is
    void run(grid::Index task) {
      for (grid::Index at = corner_[stream]; at < end_; ++at) {
        if (copied_) copy(at);
        for (int level = 1; level <= kernel_.steps; ++level) advance(level, at - level * radius);
      }
      sums_.put(task * ResidualTally::sharers, kernel_.tally);
    }

   private:
    static grid::Index whole_lines(grid::Index x) { return x & -line; }

    grid::Box clipped_to_grid(const grid::Box& part, grid::Index by) const {
      grid::Box box = part;
      for (int dim = 0; dim < dims; ++dim) {
        const auto &low = kernel_.edges.low[dim], &high = kernel_.edges.high[dim];
        box.lo[dim] = low.bounded ? std::max<grid::Index>(part.lo[dim] - by, low.at) : part.lo[dim] - by;
        box.hi[dim] = high.bounded ? std::min<grid::Index>(part.hi[dim] + by, high.at) : part.hi[dim] + by;
      }
      return box;
    }

    /// Calls `visit(cell)` with the first cell of each row that a level has at one index of the stream.
    template <class Visit>
    void for_each_row(int level, grid::Index at, Visit&& visit) const {
      const grid::Box& region = region_[level];
      if (at < region.lo[stream] || at >= region.hi[stream]) return;
      if constexpr (dims == 2)
        visit(grid::Triple{region.lo.x, at, 0});
      else
        for (grid::Index y = region.lo.y; y < region.hi.y; ++y) visit(grid::Triple{region.lo.x, y, at});
    }

    /// Level 0 where the grid ends in x, as `in` has no room for the cells outside, and of fields of several
    /// types: rings have values of one.
    void copy(grid::Index at) const {
      for_each_row(0, at, [&](const grid::Triple& cell) {
        for (int field = 0; field < fields; ++field) {
          T* const to = in_ring(0, field, cell);
          const InCell<Rule> from = kernel_.in + row_in_memory(cell);
          for (grid::Index x = 0; x < region_[0].extent(0); ++x)
            to[x] = value_at(from + x, field, kernel_.layout.quantity_size);
        }
        impose_sides(0, cell);
      });
    }

    void advance(int level, grid::Index at) {
      const bool last = level == kernel_.steps, between_rings = !last && (level > 1 || copied_);
      grid::Index lo = region_[level].lo.x, hi = region_[level].hi.x;
      // Aligned stores and no ragged end; nobody uses the cells beyond the region. Integers might be divided
      // there by zero, also where they are stored beside floats, and constants end with the halo.
      if (between_rings && std::is_floating_point_v<T> && !mixed && Traits::constants == 0) {
        lo = whole_lines(lo);
        hi = whole_lines(hi + line - 1);
      }
      for_each_row(level, at, [&](const grid::Triple& first) {
        const grid::Triple cell{lo, first.y, first.z};
        const Rows rows = rows_around(level - 1, cell, hi - lo);
        if (last)
          sweep(kernel_, level - 1, rows, cell, kernel_.out + row_in_memory(cell),
                kernel_.layout.quantity_size, hi - lo);
        else
          sweep(kernel_, level - 1, rows, cell, in_ring(level, 0, cell), ring_size(), hi - lo);
        if (!last) impose_sides(level, first);
        if (last) tally_row(rows, cell, hi - lo);
      });
    }

    using Sums = std::conditional_t<Tally::counts, ResidualRow, TallySums<Tally>>;

    static Sums sums_of(const Tally& target, [[maybe_unused]] const grid::Box& part) {
      if constexpr (Tally::counts)
        return Sums(target, part.extent(0));
      else
        return Sums(target);
    }

    /// Of a row that has just been stored. @param before what it was made of
    void tally_row([[maybe_unused]] const Rows& before, [[maybe_unused]] const grid::Triple& cell,
                   [[maybe_unused]] grid::Index n) {
      const Tally& target = kernel_.tally;
      if constexpr (Tally::measures)
        measure_row(target, sums_, kernel_.out + row_in_memory(cell), kernel_.layout.quantity_size, cell, n);
      if constexpr (Tally::counts)
        if (target.counts_row(static_cast<int>(cell.y), static_cast<int>(cell.z)))
          sums_.add_counted(
              target, cell.x, n, fields,
              [&](int field) {
                return kernel_.out + row_in_memory(cell) + field * kernel_.layout.quantity_size;
              },
              [&](int field) { return before.first[field][Rows::number(0, 0)]; });
    }

    Rows rows_around(int level, const grid::Triple& cell, grid::Index n) const {
      Rows rows;
      const bool inside = is_inside(cell);
      for (int field = 0; field < fields; ++field)
        if (inside)
          find_rows(level, field, cell, rows.first[field]);
        else
          find_rows(level, field, cell, n, rows.first[field]);
      return rows;
    }

    /// Inside the grid: with few instructions, as rows may be short.
    void find_rows(int level, int field, const grid::Triple& cell, const T* (&first)[Rows::count]) const {
      if constexpr (dims == 2) {
        for (int dy = -radius; dy <= radius; ++dy)
          first[Rows::number(dy, 0)] = stored(level, field, {cell.x, cell.y + dy, 0});
      } else {
        const grid::Index pitch = level == 0 && !copied_ ? kernel_.layout.pitch : kernel_.tiling.pitch;
        for (int dz = -radius; dz <= radius; ++dz) {
          const T* const middle = stored(level, field, {cell.x, cell.y, cell.z + dz});
          const int reach = Traits::star && dz != 0 ? 0 : radius;
          for (int dy = -reach; dy <= reach; ++dy) first[Rows::number(dy, dz)] = middle + dy * pitch;
        }
      }
    }

    /// Anywhere.
    void find_rows(int level, int field, const grid::Triple& cell, grid::Index n,
                   const T* (&first)[Rows::count]) const {
      constexpr int deep = dims == 3 ? radius : 0;
      for (int dz = -deep; dz <= deep; ++dz)
        for (int dy = -radius; dy <= radius; ++dy)
          if (!Traits::star || dy == 0 || dz == 0)
            first[Rows::number(dy, dz)] =
                row(level, field, {cell.x, cell.y + dy, cell.z + dz}, n, Rows::number(dy, dz));
    }

    /// Whether all rows around this one are inside the grid.
    bool is_inside(const grid::Triple& cell) const {
      for (int dim = 1; dim < dims; ++dim)
        if (kernel_.edges.crossed_by(dim, cell[dim] - radius, cell[dim] + radius + 1)) return false;
      return true;
    }

    const T* stored(int level, int field, const grid::Triple& cell) const {
      if constexpr (!mixed)
        if (level == 0 && !copied_)
          return kernel_.in + row_in_memory(cell) + field * kernel_.layout.quantity_size;
      return in_ring(level, field, cell);
    }

    /// A row of `n` cells, and `radius` on either side. Of one outside the grid in y or z it is that which
    /// stands for it; where this has other values than its own, they are written to the ghost row `number`.
    const T* row(int level, int field, const grid::Triple& cell, grid::Index n, int number) const {
      T* const ghost = ghosts_ + (field * ghost_rows + number) * kernel_.tiling.pitch + line;
      grid::Triple at{cell.x, kernel_.edges.source(field, 1, cell.y),
                      dims == 3 ? kernel_.edges.source(field, dims - 1, cell.z) : cell.z};
      const T* from = stored(level, field, at);
      for (int dim = 1; dim < dims; ++dim) {
        at[dim] = cell[dim];
        const auto &low = kernel_.edges.low[dim], &high = kernel_.edges.high[dim];
        const bool below = low.bounded && cell[dim] < low.at, above = high.bounded && cell[dim] >= high.at;
        if ((!below && !above) || (above ? high : low).copies(field)) continue;
        write_beyond(level, field, dim, above, at, from, ghost, n);
        from = ghost;
      }
      return from;
    }

    /// The rows of all fields that stand for one of `field` outside in `dim`.
    void find_inside(int level, int field, int dim, grid::Triple cell, grid::Index n,
                     const T* (&of_fields)[fields]) const {
      cell[dim] = kernel_.edges.source(field, dim, cell[dim]);
      for (int other = 0; other < fields; ++other) of_fields[other] = row(level, other, cell, n, Rows::count);
    }

    void write_beyond(int level, int field, int dim, bool is_high, const grid::Triple& cell, const T* from,
                      T* to, grid::Index n) const {
      const auto& side = is_high ? kernel_.edges.high[dim] : kernel_.edges.low[dim];
      if (side.kind(field) == Outside::Kind::value) {
        std::fill(to - radius, to + n + radius, side.numbers[field]);
        return;
      }
      const T* of_fields[fields] = {};
      if constexpr (SeesFieldsOutside<Rule>)
        if (side.kind(field) == Outside::Kind::rule) find_inside(level, field, dim, cell, n, of_fields);
      for (grid::Index x = -radius; x < n + radius; ++x) {
        T value[1] = {from[x]};
        kernel_.edges.beyond(kernel_.rule, kernel_.frame.read().at_level(level), field, dim, is_high,
                             {cell.x + x, cell.y, cell.z}, value,
                             [&](int other, int /*i*/) { return of_fields[other][x]; });
        to[x] = value[0];
      }
    }

    grid::Index row_in_memory(const grid::Triple& cell) const {
      return kernel_.layout.at(cell, set_ * fields);
    }

    /// Values from field to field.
    grid::Index ring_size() const { return ring * kernel_.tiling.rows * kernel_.tiling.pitch; }

    T* in_ring(int level, int field, const grid::Triple& cell) const {
      const grid::Index plane = static_cast<unsigned>(cell[stream] - corner_[stream]) % unsigned{ring};
      const grid::Index row = dims == 3 ? cell.y - corner_.y : 0;
      return rings_ +
             (((level * fields + field) * ring + plane) * kernel_.tiling.rows + row) * kernel_.tiling.pitch +
             (cell.x - corner_.x);
    }

    /// Writes the cells left and right of the grid.
    void impose_sides(int level, const grid::Triple& first) const {
      for (int field = 0; field < fields; ++field)
        for (int i = 0; i < radius; ++i) {
          const auto &low = kernel_.edges.low[0], &high = kernel_.edges.high[0];
          const grid::Box& region = region_[level];
          if (low.bounded && region.lo.x == low.at) impose_cell(level, field, false, low.at - 1 - i, first);
          if (high.bounded && region.hi.x == high.at) impose_cell(level, field, true, high.at + i, first);
        }
    }

    void impose_cell(int level, int field, bool high, grid::Index x, const grid::Triple& first) const {
      T* const row = in_ring(level, field, first) - first.x;  // by x
      const grid::Index source = kernel_.edges.source(field, 0, x);
      T value[1] = {row[source]};
      kernel_.edges.beyond(
          kernel_.rule, kernel_.frame.read().at_level(level), field, 0, high, {x, first.y, first.z}, value,
          [&](int other, int /*i*/) { return in_ring(level, other, first)[source - first.x]; });
      row[x] = value[0];
    }

    /// @param cell the first one
    /// @param to where it is stored, in the first field
    /// @param size from field to field
    template <class To>
    static void sweep(const FusedRings& kernel, int level, const Rows& rows, const grid::Triple& cell, To to,
                      grid::Index size, grid::Index n) {
      if constexpr (fields == 1)
        sweep_field(kernel, level, rows, cell, to, n);
      else
        sweep_fields(kernel, level, rows, cell, to, size, n);
    }

    // A function of its own because `restrict` only counts on parameters.
    HALOHEAP_VECTOR_CLONES static void sweep_field(const FusedRings& kernel, int level, const Rows& from,
                                                   const grid::Triple& cell, T* KOKKOS_RESTRICT to,
                                                   grid::Index n) {
      const Rule rule = kernel.rule;
      const Around<Rule> around = kernel.frame.read().at_level(level);
      const Rows rows = from;
      for (grid::Index x = 0; x < n; ++x)
        to[x] =
            new_values(rule, NeighboursInRings<Rule>{rows, x}, around, {cell.x + x, cell.y, cell.z}).value[0];
    }

    // Of several places to write to the compiler does not know that they are different: one after the other.
    template <class To>
    HALOHEAP_VECTOR_CLONES static void sweep_fields(const FusedRings& kernel, int level, const Rows& from,
                                                    const grid::Triple& cell, To to, grid::Index size,
                                                    grid::Index n) {
      constexpr grid::Index piece = 64;
      const Rule rule = kernel.rule;
      const Around<Rule> around = kernel.frame.read().at_level(level);
      const Rows rows = from;
      for (grid::Index begin = 0; begin < n; begin += piece) {
        const grid::Index count = n - begin < piece ? n - begin : piece;
        T results[fields][piece];
        for (grid::Index x = 0; x < count; ++x) {
          const Values<T, fields> values = new_values(rule, NeighboursInRings<Rule>{rows, begin + x}, around,
                                                      {cell.x + begin + x, cell.y, cell.z});
          for (int field = 0; field < fields; ++field) results[field][x] = values.value[field];
        }
        for (int field = 0; field < fields; ++field)
          for (grid::Index x = 0; x < count; ++x) put(to + (begin + x), field, size, results[field][x]);
      }
    }

    const FusedRings& kernel_;
    int set_;
    grid::Box region_[max_ring_steps + 1];  ///< cells to compute, by level
    grid::Triple corner_;                   ///< the first cell of the first plane
    grid::Index end_;                       ///< behind the last plane
    bool copied_;                           ///< whether level 0 has a ring
    T* rings_;
    T* ghosts_;  ///< [field][row]
    Sums sums_;
  };
};

}  // namespace haloheap::stencil::detail

#endif
