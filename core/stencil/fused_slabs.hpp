// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_SLABS_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_SLABS_HPP

#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/core/stencil/grid_edges.hpp>
#include <haloheap/core/stencil/slab_tiling.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::stencil::detail {

/// The most steps of a pass.
inline constexpr int max_fused_slabs = 8;

/// Where the rows start that one row of results needs.
template <class T, class Points>
struct StencilRows {
  const T* first[Points::dims == 2 ? Points::side : Points::side * Points::side];

  static constexpr grid::Index number(grid::Index dy, grid::Index dz) {
    return Points::dims == 2 ? dy + Points::radius
                             : (dz + Points::radius) * Points::side + dy + Points::radius;
  }
};

template <class T, class Points>
struct NeighboursInSlabs {
  const StencilRows<T, Points>& rows;
  grid::Index x;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index dx, grid::Index dy, grid::Index dz) const {
    return rows.first[StencilRows<T, Points>::number(dy, dz)][x + dx];
  }
};

/// Several steps in one pass, for host threads. A thread takes a part of the box and streams along the grid's
/// last dimension. Of each step before the last it keeps the slabs that the next step still needs, in rings:
/// a slab is the part's cross-section, grown by what the later steps need, at one index of that dimension.
/// Step k runs k * radius indices behind the first slab read.
template <class T, class Points>
struct FusedSlabs {
  static constexpr int stream = Points::dims - 1;
  static constexpr int ring = Points::side;  ///< slabs a level
  static constexpr grid::Index line = SlabTiling::line;
  static constexpr std::size_t alignment = 128;

  const T* in;
  T* out;
  grid::FieldLayout layout;
  Coefficients<T, Points> coefficients;
  GridEdges<T> edges;
  SlabTiling tiling;
  int steps;

  /// The rings, and one row of Dirichlet cells.
  std::size_t scratch_bytes() const {
    return static_cast<std::size_t>((steps * ring * tiling.rows + 1) * tiling.pitch) * sizeof(T);
  }

  template <class Member>
  void operator()(const Member& team) const {
    const grid::Index task = team.league_rank(), parts = tiling.count();
    const grid::Box part = tiling.part(task % parts);
    if (part.empty()) return;
    void* scratch = team.team_scratch(1).get_shmem_aligned(scratch_bytes(), alignment);
    Pass(*this, part, static_cast<int>(task / parts), static_cast<T*>(scratch)).run();
  }

 private:
  /// One part's way through the stream.
  class Pass {
   public:
    Pass(const FusedSlabs& kernel, const grid::Box& part, int quantity, T* scratch)
        : kernel_(kernel), quantity_(quantity), rings_(scratch) {
      for (int level = 0; level <= kernel.steps; ++level)
        region_[level] = clipped_to_grid(part, (kernel.steps - level) * Points::radius);
      const grid::Index reach = kernel.steps * Points::radius;
      corner_ = {whole_lines(part.lo.x - reach) - line, part.lo.y - reach, part.lo.z - reach};
      end_ = part.hi[stream] + reach;
      copied_ = kernel.edges.crossed_by(0, static_cast<int>(part.lo.x - reach),
                                        static_cast<int>(part.hi.x + reach));
      fixed_row_ = scratch + kernel.steps * ring * kernel.tiling.rows * kernel.tiling.pitch;
      // All of it: cells beyond a level's region are read, though not used, and odd numbers may be slow.
      std::fill_n(scratch, kernel.scratch_bytes() / sizeof(T), kernel.edges.value);
    }

    void run() const {
      for (grid::Index at = corner_[stream]; at < end_; ++at) {
        if (copied_) copy(at);
        for (int level = 1; level <= kernel_.steps; ++level) advance(level, at - level * Points::radius);
      }
    }

   private:
    static grid::Index whole_lines(grid::Index x) { return x & -line; }

    grid::Box clipped_to_grid(const grid::Box& part, grid::Index by) const {
      grid::Box box = part;
      for (int dim = 0; dim < Points::dims; ++dim) {
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
      if constexpr (Points::dims == 2)
        visit(grid::Triple{region.lo.x, at, 0});
      else
        for (grid::Index y = region.lo.y; y < region.hi.y; ++y) visit(grid::Triple{region.lo.x, y, at});
    }

    /// Level 0 where the grid ends in x: `in` has no room for the cells outside.
    void copy(grid::Index at) const {
      for_each_row(0, at, [&](const grid::Triple& cell) {
        const T* from = kernel_.in + kernel_.layout.at(cell, quantity_);
        std::copy_n(from, region_[0].extent(0), in_ring(0, cell));
        impose_sides(0, cell);
      });
    }

    void advance(int level, grid::Index at) const {
      const bool last = level == kernel_.steps, between_rings = !last && (level > 1 || copied_);
      grid::Index lo = region_[level].lo.x, hi = region_[level].hi.x;
      if (between_rings) {  // aligned stores and no ragged end; nobody uses the cells beyond the region
        lo = whole_lines(lo);
        hi = whole_lines(hi + line - 1);
      }
      for_each_row(level, at, [&](const grid::Triple& first) {
        const grid::Triple cell{lo, first.y, first.z};
        T* to = last ? kernel_.out + kernel_.layout.at(cell, quantity_) : in_ring(level, cell);
        sweep(rows_around(level - 1, cell), to, hi - lo, kernel_.coefficients);
        if (!last) impose_sides(level, first);
      });
    }

    StencilRows<T, Points> rows_around(int level, const grid::Triple& cell) const {
      constexpr grid::Index reach = Points::radius, deep = Points::dims == 3 ? reach : 0;
      StencilRows<T, Points> rows;
      for (grid::Index dz = -deep; dz <= deep; ++dz)
        for (grid::Index dy = -reach; dy <= reach; ++dy)
          if (!Points::star || dy == 0 || dz == 0)
            rows.first[rows.number(dy, dz)] = row(level, {cell.x, cell.y + dy, cell.z + dz});
      return rows;
    }

    /// Outside the grid in y or z the row that stands for this one, so that nothing needs to be written
    /// there.
    const T* row(int level, grid::Triple cell) const {
      for (int dim = 1; dim < Points::dims; ++dim)
        for (const bool high : {false, true}) {
          const auto& side = high ? kernel_.edges.high[dim] : kernel_.edges.low[dim];
          if (!side.bounded || (cell[dim] < side.at) == high) continue;
          if (side.fixed) return fixed_row_ + (cell.x - corner_.x);
          cell[dim] = 2 * grid::Index{side.at} - 1 - cell[dim];
        }
      return level == 0 && !copied_ ? kernel_.in + kernel_.layout.at(cell, quantity_) : in_ring(level, cell);
    }

    T* in_ring(int level, const grid::Triple& cell) const {
      const grid::Index slab = static_cast<unsigned>(cell[stream] - corner_[stream]) % unsigned{ring};
      const grid::Index row = Points::dims == 3 ? cell.y - corner_.y : 0;
      return rings_ + ((level * ring + slab) * kernel_.tiling.rows + row) * kernel_.tiling.pitch +
             (cell.x - corner_.x);
    }

    /// Writes the cells left and right of the grid.
    void impose_sides(int level, const grid::Triple& first) const {
      const auto &low = kernel_.edges.low[0], &high = kernel_.edges.high[0];
      const grid::Box& region = region_[level];
      T* row = in_ring(level, first) - region.lo.x;  // by x
      if (low.bounded && region.lo.x == low.at)
        for (grid::Index i = 0; i < Points::radius; ++i)
          row[low.at - 1 - i] = low.fixed ? kernel_.edges.value : row[low.at + i];
      if (high.bounded && region.hi.x == high.at)
        for (grid::Index i = 0; i < Points::radius; ++i)
          row[high.at + i] = high.fixed ? kernel_.edges.value : row[high.at - 1 - i];
    }

    // A function of its own because `restrict` only counts on parameters.
    HALOHEAP_VECTOR_CLONES static void sweep(const StencilRows<T, Points>& from, T* KOKKOS_RESTRICT to,
                                             grid::Index n, const Coefficients<T, Points>& given) {
      const Coefficients<T, Points> c = given;
      const StencilRows<T, Points> rows = from;
      for (grid::Index x = 0; x < n; ++x) to[x] = weighted_sum(c, NeighboursInSlabs<T, Points>{rows, x});
    }

    const FusedSlabs& kernel_;
    int quantity_;
    grid::Box region_[max_fused_slabs + 1];  ///< cells to compute, by level
    grid::Triple corner_;                    ///< the first cell of the first slab
    grid::Index end_;                        ///< behind the last slab
    bool copied_;                            ///< whether level 0 has a ring
    T* rings_;
    T* fixed_row_;
  };
};

}  // namespace haloheap::stencil::detail

#endif
