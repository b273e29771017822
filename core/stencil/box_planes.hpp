// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_BOX_PLANES_HPP
#define HALOHEAP_CORE_STENCIL_BOX_PLANES_HPP

#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/plane_sides.hpp>
#include <haloheap/core/stencil/plane_tile.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

#include <type_traits>

namespace haloheap::stencil::detail {

/// Of which rules BoxPlanes makes steps.
template <class Rule>
concept SumOverBox = InRows<Rule> && RuleTraits<Rule>::dims == 3 && RuleTraits<Rule>::radius == 1 &&
                     RuleTraits<Rule>::fields == 1 && RuleTraits<Rule>::plain_sides;

/// A step or two of a 3D rule in rows in one pass: see PlaneTile. Of every step, called a level here, one
/// plane stays in registers, and the sums of three: it adds the plane's rows to each, which completes the
/// sums of the plane before; that is the next level's plane. Rows and columns outside the grid are imposed
/// where a plane is used, planes outside as they come. Sides act as they do in memory, the last dimension's
/// last: what is outside of a fixed side in z is so in its corners too, and nothing is imposed on it in y.
/// @tparam Tally NoTally, or ResidualTally for one step
template <SumOverBox Rule, int Steps, PlaneShape shape, Sides where,
          class Platform = haloheap::lanes::Platform, class Tally = NoTally>
struct BoxPlanes
    : PlaneTile<typename RuleTraits<Rule>::T, 1, Steps, Steps, shape, Platform, InCell<Rule>, OutCell<Rule>> {
  static_assert(Steps == 1 || !Tally::counts);
  using T = typename RuleTraits<Rule>::T;
  using Tile = PlaneTile<T, 1, Steps, Steps, shape, Platform, InCell<Rule>, OutCell<Rule>>;
  using Tile::radius, Tile::reach, Tile::height, Tile::width;
  using typename Tile::Columns, typename Tile::Window, typename Tile::Plane, typename Tile::PlaneWindow;
  using Sum = typename Rule::Sum;
  static constexpr int phases = 3;  ///< sums that are under way
  static_assert(Tile::buffers == 2);

  Rule rule;
  FrameOf<Rule> frame;
  RuleEdges<Rule> edges;
  StreamTiles<3> tiles;
  Tally tally = {};

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const StreamTile part = tiles.find(static_cast<unsigned>(team.league_rank()), Tile::columns, Tile::rows);
    Lane lane;
    this->find_lane(team, part, first_row(edges, part, Tile::tile()), part.quantity, lane);
    if constexpr (where != Sides::away) lane.sides = {edges, lane.x, lane.y, part};
    stream(team, lane);
  }

 private:
  using SidesOfLane = PlaneSides<Rule, Tile, where>;
  struct Lane : Tile::LaneState {
    SidesOfLane sides;
  };
  struct Level {
    Sum sums[phases][height][width];
    Plane plane;
  };

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Member& team, const Lane& lane) const {
    InCell<Rule> from = this->in + lane.from + (lane.begin - reach) * this->plane_size;
    OutCell<Rule> to = this->out + lane.to + (lane.begin - 3 * reach) * this->plane_size;
    const Around<Rule> around = frame.read();
    Level levels[Steps] = {};
    Plane coming, last = {};
    TallySums<Tally> found(tally);
    this->load(lane, from, 0, true, coming);
    const int planes = lane.end - lane.begin + 2 * reach;
    int buffer = 0;
    for (int base = 0; base < planes + reach; base += phases) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < phases; ++phase, to += this->plane_size) {
        const int number = base + phase, other = Tile::buffer_size - buffer;
        HALOHEAP_UNROLL
        for (int level = Steps - 1; level >= 0; --level) {
          // The plane of a level came with the number before, and lies two lower than that of the level
          // below.
          const int z = lane.begin - reach + number - 1 - 2 * level;
          add_plane(lane, levels[level], phase, other + level * Tile::level_size, z);
          Plane complete;
          finish(lane, around.at_level(level), levels[level].sums[phase], z - 1, complete);
          if (level + 1 < Steps)
            accept(lane, complete, levels[level + 1].plane, z - 1);
          else if (number >= 3 * reach && number < planes + reach) {
            this->store_plane(lane, to, 0, complete);
            if constexpr (Tally::counts) count(lane, complete, last, z - 1, found);
          }
        }
        if constexpr (Tally::counts) Tile::copy(levels[0].plane, last);
        accept(lane, coming, levels[0].plane, lane.begin - reach + number);
        await_packs<height>(coming);
        from += this->plane_size;
        this->load(lane, from, 0, number + 1 < planes, coming);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level)
          Tile::publish(lane, buffer + level * Tile::level_size, levels[level].plane);
        team.team_barrier();
        buffer = other;
      }
    }
    found.put(grid::Index{team.league_rank()} * (shape.warps * Tile::lanes_a_warp) + team.team_rank(), tally);
  }

  /// Adds a level's plane to the sums of the planes before, at and after it.
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const Lane& lane, Level& level, int phase, int place,
                                             int z) const {
    PlaneWindow plane;
    auto &before = level.sums[phase], &at = level.sums[(phase + 1) % phases],
         &after = level.sums[(phase + 2) % phases];
    const bool outside = in_fixed_plane(lane, z);
    const unsigned sides_y = where == Sides::away || outside ? 0 : lane.sides.of(1, 0),
                   sides_x = where == Sides::away || outside ? 0 : lane.sides.of(0, 0);
    with_neighbours(lane, place, sides_y, level.plane, plane);
    if constexpr (where != Sides::away) {
      // The plane before the grid mirrors this one, whose sums begin with its terms.
      if (!lane.sides.plain_at(z) && SidesOfLane::low_mirror(lane.sides.of(2, 0)) && z == edges.low[2].at) {
        HALOHEAP_UNROLL
        for (int row = 0; row < height + 2; ++row) {
          Window window;
          with_ends(lane, row, sides_y, sides_x, plane[row], window);
          add_row<-1>(window, row, at);
        }
      }
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height + 2; ++row) {
      Window window;
      with_ends(lane, row, sides_y, sides_x, plane[row], window);
      add_row<-1>(window, row, after);
      add_row<0>(window, row, at);
      add_row<1>(window, row, before);
    }
  }

  struct Row {
    const Window& window;
    int column;

    KOKKOS_FORCEINLINE_FUNCTION T operator()(int /*field*/, int dx = 0) const {
      return window[radius + column + dx];
    }
  };

  /// Adds a row to the sums of the rows before, at and after it: in order, since the planes come in order,
  /// and the rows of each.
  /// @param row of a plane window
  template <int dz>
  KOKKOS_FORCEINLINE_FUNCTION void add_row(const Window& window, int row, Sum (&sums)[height][width]) const {
    HALOHEAP_UNROLL
    for (int dy = 1; dy >= -1; --dy) {
      const int target = row - radius - dy;
      if (target < 0 || target >= height) continue;
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) {
        Sum& sum = sums[target][i];
        sum = rule.add(Row{window, i}, dy, dz, dy == -1 && dz == -1 ? Sum{} : sum);
      }
    }
  }

  using Constants = OwnConstants<Rule, width>;

  /// What a rule's `finish` may ask a cell for.
  struct NoNeighbours {
    static constexpr bool exact = false;

    const Constants& constants;
    int column;

    KOKKOS_FORCEINLINE_FUNCTION auto constant(int field) const requires(RuleTraits<Rule>::constants > 0) {
      return constants(field, column);
    }
    template <class Field>
    KOKKOS_FORCEINLINE_FUNCTION T operator()(Field /*field*/, int /*dx*/, int /*dy*/, int /*dz*/) const {
      static_assert(!std::is_same_v<Field, int>,
                    "a rule in rows has all of its neighbours in add(), and none in finish()");
      return T{};
    }
  };

  /// The new values of a plane's cells.
  KOKKOS_FORCEINLINE_FUNCTION void finish(const Lane& lane, const Around<Rule>& now,
                                          const Sum (&sums)[height][width], int z, Plane& plane) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      const Constants constants(now, {lane.x, lane.y + row, z});
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) {
        const NoNeighbours none{constants, i};
        const Cell<Rule, NoNeighbours> cell(none, now, {lane.x + i, lane.y + row, z});
        plane[row].value[i] = as_new_values<Rule>(rule.finish(cell, sums[row][i])).value[0];
      }
    }
  }

  /// A level's next plane comes. The plane behind the grid mirrors the one that the level has.
  KOKKOS_FORCEINLINE_FUNCTION void accept(const Lane& lane, const Plane& from, Plane& to, int z) const {
    bool mirrors = false;
    if constexpr (where != Sides::away)
      mirrors = SidesOfLane::high_mirror(lane.sides.of(2, 0)) && z == edges.high[2].at;
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (!mirrors) to[row] = from[row];
    if constexpr (where != Sides::away)
      if (!lane.sides.plain_at(z)) SidesOfLane::impose_fixed(edges, 0, lane.sides.of(2, 0), z, to);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool in_fixed_plane(const Lane& lane, int z) const {
    if constexpr (where == Sides::away)
      return false;
    else
      return !lane.sides.plain_at(z) && SidesOfLane::is_fixed_at(edges, 2, lane.sides.of(2, 0), z);
  }

  /// Adds what the stored cells of a plane differ by from those that were there before.
  KOKKOS_FORCEINLINE_FUNCTION void count(const Lane& lane, const Plane& now, const Plane& before, int z,
                                         TallySums<Tally>& found) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1)
        found.template add<width>(tally, now[row].value, before[row].value, lane.x, lane.y + row, z);
  }

  /// A plane with the rows next to it. What is outside the grid is imposed on the plane as well where it may
  /// be anywhere: its raw values are not needed any more, and would take registers.
  KOKKOS_FORCEINLINE_FUNCTION void with_neighbours(const Lane& lane, int at, unsigned sides, Plane& plane,
                                                   PlaneWindow& window) const {
    Tile::with_rows_around(lane, at, plane, window);
    if constexpr (where == Sides::away) return;
    if (sides == 0) return;
    SidesOfLane::template impose<1>(edges, 0, sides, lane.y - radius, window);
    if constexpr (where == Sides::anywhere) {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) plane[row] = window[radius + row];
    }
  }

  /// A row of a plane window with the cells next to it. A row outside of a fixed side is so at its ends too.
  KOKKOS_FORCEINLINE_FUNCTION void with_ends(const Lane& lane, int row, unsigned sides_y, unsigned sides_x,
                                             const Columns& cells, Window& window) const {
    Tile::with_cells_around(lane, cells, window);
    if constexpr (where == Sides::away) return;
    if (in_fixed_row(lane, row, sides_y)) sides_x = 0;
    SidesOfLane::template impose<0>(edges, 0, sides_x, lane.x - radius, window);
  }

  KOKKOS_FORCEINLINE_FUNCTION bool in_fixed_row(const Lane& lane, int row, unsigned sides_y) const {
    if constexpr (where == Sides::aligned)
      return (row < radius && (sides_y & low_fixed)) || (row >= radius + height && (sides_y & high_fixed));
    else
      return SidesOfLane::is_fixed_at(edges, 1, sides_y, lane.y - radius + row);
  }
};

}  // namespace haloheap::stencil::detail

#endif
