// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RULE_PLANES_HPP
#define HALOHEAP_CORE_STENCIL_RULE_PLANES_HPP

#include <haloheap/core/stencil/await_packs.hpp>
#include <haloheap/core/stencil/plane_sides.hpp>
#include <haloheap/core/stencil/plane_tile.hpp>
#include <haloheap/core/stencil/residual_kernels.hpp>
#include <haloheap/core/stencil/rule_edges.hpp>
#include <haloheap/core/stencil/side_parts.hpp>

#include <type_traits>
#include <utility>

namespace haloheap::stencil::detail {

/// What the first part of a rule in two parts has given for a warp's cells of a plane. Nothing of other
/// rules.
template <class Rule, int Height, int Width>
struct BegunPlane {
  template <class BelowAt>
  KOKKOS_FORCEINLINE_FUNCTION void set(const Rule& /*rule*/, const BelowAt& /*below_at*/) {}
};
template <InTwoParts Rule, int Height, int Width>
struct BegunPlane<Rule, Height, Width> {
  BegunOf<Rule> of[Height][Width];

  template <class BelowAt>
  KOKKOS_FORCEINLINE_FUNCTION void set(const Rule& rule, const BelowAt& below_at) {
    HALOHEAP_UNROLL
    for (int row = 0; row < Height; ++row) {
      HALOHEAP_UNROLL
      for (int i = 0; i < Width; ++i) of[row][i] = rule.begin(below_at(row, i));
    }
  }
};

/// A step or several of a 3D star rule in one pass: see PlaneTile. Of every step, called a level here, the
/// last 2 * radius planes of each field stay in registers; a plane that comes from memory passes through all
/// levels, each of which gives a plane that lies `radius` lower. A star needs rows and columns outside the
/// grid only as neighbours in the middle plane, so that they are imposed there and corners do not matter.
/// @tparam Tally NoTally, or ResidualTally for a step of one field
template <class Rule, int Steps, PlaneShape shape, Sides where, class Platform = haloheap::lanes::Platform,
          class Tally = NoTally>
struct RulePlanes
    : PlaneTile<typename RuleTraits<Rule>::T, RuleTraits<Rule>::radius, Steps,
                Steps * RuleTraits<Rule>::fields, shape, Platform, InCell<Rule>, OutCell<Rule>> {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  static_assert(Traits::dims == 3 && Traits::star);
  static constexpr int fields = Traits::fields;
  static_assert(!Tally::counts || (Steps == 1 && fields == 1));
  using Tile =
      PlaneTile<T, Traits::radius, Steps, Steps * fields, shape, Platform, InCell<Rule>, OutCell<Rule>>;
  using Tile::radius, Tile::reach, Tile::height, Tile::width;
  using typename Tile::Columns, typename Tile::Plane, typename Tile::PlaneWindow, typename Tile::Window;
  static constexpr int kept = 2 * radius;  ///< planes of a level
  /// Sides then wait for all fields.
  static constexpr bool sees_fields = SeesFieldsOutside<Rule>;
  /// Sides that are known from the beginning.
  static constexpr bool plain = where != Sides::away && Traits::plain_sides;

  Rule rule;
  FrameOf<Rule> frame;
  RuleEdges<Rule> edges;
  StreamTiles<3> tiles;
  Tally tally = {};

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    const StreamTile part = tiles.find(static_cast<unsigned>(team.league_rank()), Tile::columns, Tile::rows);
    Lane lane;
    this->find_lane(team, part, first_row(edges, part, Tile::tile()), part.quantity * fields, lane);
    if constexpr (plain) lane.sides = {edges, lane.x, lane.y, part};
    stream(team, lane);
  }

 private:
  struct NoSides {};
  using SidesOfLane = typename std::conditional_t<plain, std::type_identity<PlaneSides<Rule, Tile, where>>,
                                                  std::type_identity<NoSides>>::type;
  struct Lane : Tile::LaneState {
    SidesOfLane sides;
  };
  using Planes = Plane[fields];
  using Level = Plane[fields][kept];
  using Begun = BegunPlane<Rule, height, width>;

  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Member& team, const Lane& lane) const {
    InCell<Rule> from = this->in + lane.from + (lane.begin - reach) * this->plane_size;
    OutCell<Rule> to = this->out + lane.to + (lane.begin - 2 * reach) * this->plane_size;
    const Around<Rule> around = frame.read();
    Level levels[Steps] = {};
    Planes coming[2];
    TallySums<Tally> sums(tally);
    load_fields(lane, from, true, coming[0]);
    const int planes = lane.end - lane.begin + 2 * reach;
    for (int base = 0; base < planes; base += kept) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < kept; ++phase, to += this->plane_size) {
        const int number = base + phase;
        Planes plane;
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) {
          Tile::copy(coming[phase % 2][field], plane[field]);
          await_packs<height>(plane[field]);
        }
        from += this->plane_size;
        load_fields(lane, from, number + 1 < planes, coming[(phase + 1) % 2]);
        // Before a level's next plane is there, which then can take the registers of the oldest: copies of
        // whole planes are spared.
        Begun begun[2];
        begin(levels[0], phase, begun[0]);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level) {
          if (level + 1 < Steps) begin(levels[level + 1], phase, begun[(level + 1) % 2]);
          step(lane, around.at_level(level), levels[level], phase, begun[level % 2], plane,
               place(phase + 1, level, 0), lane.begin - reach + number - level * radius);
        }
        if (number >= 2 * reach && number < planes) {
          HALOHEAP_UNROLL
          for (int field = 0; field < fields; ++field) this->store_plane(lane, to, field, plane[field]);
          if constexpr (Tally::counts)
            count(lane, plane[0], levels[0][0][(phase + radius) % kept], lane.begin - 2 * reach + number,
                  sums);
        }
        publish_middles(team, lane, levels, phase);
      }
    }
    sums.put(grid::Index{team.league_rank()} * (shape.warps * Tile::lanes_a_warp) + team.team_rank(), tally);
  }

  /// What a level's oldest plane is needed for, of a rule in two parts.
  KOKKOS_FORCEINLINE_FUNCTION void begin(const Level& before, int oldest, Begun& begun) const {
    begun.set(rule, [&](int row, int i) { return Oldest{before, oldest, row, i}; });
  }

  /// Adds what the stored cells of a plane differ by from those that were there before.
  KOKKOS_FORCEINLINE_FUNCTION void count(const Lane& lane, const Plane& now, const Plane& before, int z,
                                         TallySums<Tally>& sums) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      if (lane.stored >> row & 1)
        sums.template add<width>(tally, now[row].value, before[row].value, lane.x, lane.y + row, z);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load_fields(const Lane& lane, const InCell<Rule>& from, bool wanted,
                                               Planes& to) const {
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) this->load(lane, from, field, wanted, to[field]);
  }

  /// Takes a plane of one level, and makes of it the plane of the next level that can be computed with it.
  /// @param begun of its oldest plane
  /// @param at where the neighbours of the first field's middle plane are
  /// @param z the plane's place in the grid
  KOKKOS_FORCEINLINE_FUNCTION void step(const Lane& lane, const Around<Rule>& now, Level& before, int oldest,
                                        const Begun& begun, Planes& plane, int at, int z) const {
    PlaneWindow middle[fields];
    [[maybe_unused]] unsigned at_ends[fields] = {};
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      if constexpr (plain) impose_plain_z(lane, field, before, oldest, plane, z);
      if constexpr (where != Sides::away && !plain) impose_z(lane, now, field, before, oldest, plane, z);
      Tile::with_rows_around(lane, at + field * Tile::level_size, before[field][(oldest + radius) % kept],
                             middle[field]);
      if constexpr (plain) {
        impose_plain_y(lane, field, before[field][(oldest + radius) % kept], middle[field]);
        at_ends[field] = lane.sides.of(0, field);
      } else if constexpr (where != Sides::away && !sees_fields) {
        impose_y(lane, now, field, middle, z - radius);
      }
    }
    if constexpr (where != Sides::away && sees_fields) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) impose_y(lane, now, field, middle, z - radius);
    }
    Planes result;
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      Window window[fields];
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        Tile::with_cells_around(lane, middle[field][radius + row], window[field]);
        if constexpr (plain)
          SidesOfLane::template impose<0>(edges, field, at_ends[field], lane.x - radius, window[field]);
        else if constexpr (where != Sides::away && !sees_fields)
          impose_x(lane, now, field, window, lane.y + row, z - radius);
      }
      if constexpr (where != Sides::away && sees_fields) {
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field)
          impose_x(lane, now, field, window, lane.y + row, z - radius);
      }
      const Constants constants(now, {lane.x, lane.y + row, z - radius});
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) {
        const Neighbours neighbours{before, plane, middle, window, constants, oldest, row, i};
        const Values<T, fields> values =
            new_values(neighbours, now, {lane.x + i, lane.y + row, z - radius}, begun);
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) result[field][row].value[i] = values.value[field];
      }
    }
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      Tile::copy(plane[field], before[field][oldest]);
      Tile::copy(result[field], plane[field]);
    }
  }

  using Constants = OwnConstants<Rule, width>;

  struct Oldest {
    const Level& before;
    int oldest, row, column;

    KOKKOS_FORCEINLINE_FUNCTION T operator()(int field) const {
      return before[field][oldest][row].value[column];
    }
  };

  struct Neighbours {
    static constexpr bool exact = false;

    const Level& before;
    const Planes& plane;
    const PlaneWindow (&middle)[fields];
    const Window (&window)[fields];
    const Constants& constants;
    int oldest, row, column;

    KOKKOS_FORCEINLINE_FUNCTION auto constant(int field) const requires(Traits::constants > 0) {
      return constants(field, column);
    }
    KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int dz) const {
      if (dz == radius) return plane[field][row].value[column];
      if (dz != 0) return before[field][(oldest + radius + dz) % kept][row].value[column];
      if (dy != 0) return middle[field][radius + row + dy].value[column];
      return window[field][radius + column + dx];
    }
  };

  KOKKOS_FORCEINLINE_FUNCTION Values<T, fields> new_values(const Neighbours& neighbours,
                                                           const Around<Rule>& now, const grid::Triple& at,
                                                           const Begun& begun) const {
    if constexpr (InTwoParts<Rule>)
      return as_new_values<Rule>(rule.finish(Cell<Rule, Neighbours>(neighbours, now, at),
                                             begun.of[neighbours.row][neighbours.column]));
    else
      return detail::new_values(rule, neighbours, now, at);
  }

  /// Of the planes that are in the middle when the next plane comes.
  template <class Member>
  KOKKOS_FORCEINLINE_FUNCTION static void publish_middles(const Member& team, const Lane& lane,
                                                          const Level (&levels)[Steps], int phase) {
    if constexpr (Tile::buffers == 1) team.team_barrier();
    HALOHEAP_UNROLL
    for (int level = 0; level < Steps; ++level) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        Tile::publish(lane, place(phase, level, field), levels[level][field][(phase + 1 + radius) % kept]);
    }
    team.team_barrier();
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int phase, int level, int field) {
    return phase % Tile::buffers * Tile::buffer_size + (level * fields + field) * Tile::level_size;
  }

  /// Rows of a plane. What is outside the grid is imposed on the plane as well where it may be anywhere: its
  /// raw values are not needed any more, and would take registers.
  KOKKOS_FORCEINLINE_FUNCTION void impose_plain_y(const Lane& lane, int field, Plane& plane,
                                                  PlaneWindow& window) const {
    const unsigned sides = lane.sides.of(1, field);
    if (sides == 0) return;
    SidesOfLane::template impose<1>(edges, field, sides, lane.y - radius, window);
    if constexpr (where == Sides::anywhere) {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) plane[row] = window[radius + row];
    }
  }

  /// See impose_z.
  KOKKOS_FORCEINLINE_FUNCTION void impose_plain_z(const Lane& lane, int field, Level& before, int oldest,
                                                  Planes& plane, int z) const {
    if (lane.sides.plain_at(z)) return;
    const unsigned sides = lane.sides.of(2, field);
    const auto came_before = [&](int planes) -> Plane& {
      return before[field][(oldest + kept - planes) % kept];
    };
    SidesOfLane::impose_fixed(edges, field, sides, z, plane[field]);
    if (SidesOfLane::low_mirror(sides) && z == edges.low[2].at + radius - 1) {
      HALOHEAP_UNROLL
      for (int j = 1; j < radius; ++j) Tile::copy(came_before(radius - j), came_before(radius + j - 1));
      Tile::copy(plane[field], came_before(2 * radius - 1));
    }
    if (SidesOfLane::high_mirror(sides)) {
      HALOHEAP_UNROLL
      for (int j = 0; j < radius; ++j)
        if (z == edges.high[2].at + j) Tile::copy(came_before(2 * j + 1), plane[field]);
    }
  }

  /// Sets the cells of a row and of its ends that are outside in x, as far as cells inside have them as
  /// neighbours: what they depend on is then a neighbour too, or one of the row's cells.
  KOKKOS_FORCEINLINE_FUNCTION void impose_x(const Lane& lane, const Around<Rule>& now, int field,
                                            Window (&window)[fields], int y, int z) const {
    impose_line<0, width + 2 * radius>(field, lane.x - radius, [&](int at, int source, int x, bool high) {
      T value[1] = {window[field][source]};
      edges.beyond(rule, now, field, 0, high, {x, y, z}, value,
                   [&](int other, int /*i*/) { return window[other][source]; });
      if (lane.x - radius + at == x) window[field][at] = value[0];
    });
  }

  /// The same of rows in y.
  KOKKOS_FORCEINLINE_FUNCTION void impose_y(const Lane& lane, const Around<Rule>& now, int field,
                                            PlaneWindow (&window)[fields], int z) const {
    impose_line<1, height + 2 * radius>(field, lane.y - radius, [&](int at, int source, int y, bool high) {
      Columns row = window[field][source];
      edges.beyond(rule, now, field, 1, high, {lane.x, y, z}, row.value,
                   [&](int other, int i) { return window[other][source].value[i]; });
      if (lane.y - radius + at == y) window[field][at] = row;
    });
  }

  /// Calls `set(at, source, target, high)` for the places outside of a line of `count` entries, nearest to
  /// the grid first: where such a place would be, and which entry stands for it. Where the sides are aligned,
  /// they lie before the line's own entries or behind them.
  /// @param first the first entry's place in the grid
  template <int dim, int count, class Set>
  KOKKOS_FORCEINLINE_FUNCTION void impose_line(int field, int first, const Set& set) const {
    first = backend::anew(first);
    const auto &low = edges.low[dim], &high = edges.high[dim];
    const bool below = where == Sides::aligned ? first + radius == low.at
                                               : first < low.at && first + count > low.at,
               above = where == Sides::aligned ? first + count - radius == high.at
                                               : first < high.at && first + count > high.at;
    if (low.bounded && below)
      impose_side<-1, count>(low.kind(field) == Outside::Kind::outflow, low.at - 1, set);
    if (high.bounded && above)
      impose_side<1, count>(high.kind(field) == Outside::Kind::outflow, high.at, set);
  }

  template <int outwards, int count, class Set>
  KOKKOS_FORCEINLINE_FUNCTION static void impose_side(bool nearest, int target, const Set& set) {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      HALOHEAP_UNROLL
      for (int at = 0; at < count; ++at) {
        const int mirror = at - outwards * (2 * j + 1), inside = at - outwards * (j + 1);
        if (where == Sides::aligned && at != (outwards < 0 ? radius - 1 - j : count - radius + j)) continue;
        if (nearest && inside >= 0 && inside < count) set(at, inside, target + outwards * j, outwards > 0);
        if (!nearest && mirror >= 0 && mirror < count) set(at, mirror, target + outwards * j, outwards > 0);
      }
    }
  }

  /// Planes beyond the low side are set when the last of those has come that they depend on, planes beyond
  /// the high side when they come themselves.
  KOKKOS_FORCEINLINE_FUNCTION void impose_z(const Lane& lane, const Around<Rule>& now, int field,
                                            Level& before, int oldest, Planes& plane, int z) const {
    const auto &low = edges.low[2], &high = edges.high[2];
    // The plane of a field that came so many planes before this one.
    const auto came_before = [&](int of, int planes) -> Plane& {
      return planes == 0 ? plane[of] : before[of][(oldest + kept - planes) % kept];
    };
    if (low.bounded && z == low.at + radius - 1) {
      const bool nearest = low.kind(field) == Outside::Kind::outflow;
      HALOHEAP_UNROLL
      for (int j = 0; j < radius; ++j) {
        Plane& outside = came_before(field, radius + j);
        Tile::copy(came_before(field, radius - 1 - j), outside);
        if (nearest) Tile::copy(came_before(field, radius - 1), outside);
        set_plane(lane, now, field, false, low.at - 1 - j, outside,
                  [&](int other) -> const Plane& { return came_before(other, radius - 1 - j); });
      }
    }
    if (!high.bounded) return;
    const bool nearest = high.kind(field) == Outside::Kind::outflow;
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      if (z != high.at + j) continue;
      Tile::copy(came_before(field, 2 * j + 1), plane[field]);
      if (nearest) Tile::copy(came_before(field, j + 1), plane[field]);
      set_plane(lane, now, field, true, z, plane[field],
                [&](int other) -> const Plane& { return came_before(other, 2 * j + 1); });
    }
  }

  /// @param inside (field) gives the plane that stands for it
  template <class Inside>
  KOKKOS_FORCEINLINE_FUNCTION void set_plane(const Lane& lane, const Around<Rule>& now, int field, bool high,
                                             int z, Plane& plane, const Inside& inside) const {
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row)
      edges.beyond(rule, now, field, 2, high, {lane.x, lane.y + row, z}, plane[row].value,
                   [&](int other, int i) { return inside(other)[row].value[i]; });
  }
};

}  // namespace haloheap::stencil::detail

#endif
