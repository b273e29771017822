// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_PLANES_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_PLANES_HPP

#include <haloheap/core/stencil/plane_team.hpp>

namespace haloheap::stencil::detail {

/// Several steps of a 3D star in one pass: see PlaneTeam. Of every step, called a level here, the last 2 *
/// radius planes stay in registers; a plane that comes from memory passes through all levels, each of which
/// gives a plane that lies `radius` lower. A star needs rows and columns outside the grid only as neighbours
/// in the middle plane, so that they are imposed there and corners do not matter.
template <class T, class Points, int Steps, PlaneShape shape, Sides where,
          class Platform = haloheap::lanes::Platform, class Residual = NoTally>
struct FusedStarPlanes : PlaneTeam<T, Points, Steps, shape, where, Platform, Residual> {
  static_assert(Points::star);
  using Team = PlaneTeam<T, Points, Steps, shape, where, Platform, Residual>;
  using Team::radius, Team::reach, Team::height, Team::width;
  using typename Team::Lane, typename Team::Member, typename Team::Plane, typename Team::PlaneWindow,
      typename Team::Window;
  static constexpr int kept = 2 * radius;  ///< planes of a level

  KOKKOS_FUNCTION void operator()(const Member& team) const { stream(team, this->lane_of(team)); }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void stream(const Member& team, const Lane& lane) const {
    const T* from = this->in + lane.from + (lane.begin - reach) * this->plane_size;
    T* to = this->out + lane.to + (lane.begin - 2 * reach) * this->plane_size;
    Plane levels[Steps][kept] = {};
    Plane coming[2];
    typename Team::Squares squares(this->residual);
    this->load(lane, from, 0, true, coming[0]);
    const int planes = lane.end - lane.begin + 2 * reach;
    for (int base = 0; base < planes; base += kept) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < kept; ++phase, to += this->plane_size) {
        const int number = base + phase;
        Plane plane;
        Team::copy(coming[phase % 2], plane);
        await_packs<height>(plane);
        from += this->plane_size;
        this->load(lane, from, 0, number + 1 < planes, coming[(phase + 1) % 2]);
        // Before a level's next plane is there, which then can take the registers of the oldest: copies of
        // whole planes are spared.
        Plane sums[2];
        begin_sums(levels[0][phase], sums[0]);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level) {
          if (level + 1 < Steps) begin_sums(levels[level + 1][phase], sums[(level + 1) % 2]);
          step(lane, levels[level], phase, sums[level % 2], plane, place(phase + 1, level),
               lane.begin - reach + number - level * radius);
        }
        if (number >= 2 * reach && number < planes) {
          this->store_plane(lane, to, 0, plane);
          if constexpr (Residual::counts)
            this->count(lane, plane, back(levels[0], phase, radius), lane.begin - 2 * reach + number,
                        squares);
        }
        publish_middles(team, lane, levels, phase);
      }
    }
    this->put(team, squares);
  }

  /// The first terms of the sums that a level's oldest plane is needed for.
  KOKKOS_FORCEINLINE_FUNCTION void begin_sums(const Plane& oldest, Plane& sums) const {
    static_assert(Points::offset(0).z == -radius);
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) sums[row].value[i] = this->coefficients.value[0] * oldest[row].value[i];
    }
  }

  /// Takes a plane of one level and gives the plane of the next level that can be computed with it.
  /// @param sums begun
  /// @param place where the neighbours of its middle plane are
  /// @param z the plane's place in the grid
  KOKKOS_FORCEINLINE_FUNCTION void step(const Lane& lane, Plane (&before)[kept], int oldest,
                                        const Plane& sums, Plane& plane, int place, int z) const {
    if constexpr (where != Sides::away) impose_z(lane, before, oldest, plane, z);
    PlaneWindow middle;
    this->with_neighbours(lane, place, back(before, oldest, radius), middle);
    Plane result;
    const unsigned sides = backend::anew(lane.sides[0]);
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      Window window;
      this->with_ends(lane, sides, middle[radius + row], window);
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i)
        result[row].value[i] =
            add_terms(this->coefficients, Neighbours{before, plane, middle, window, oldest, row, i},
                      sums[row].value[i]);
    }
    Team::copy(plane, before[oldest]);
    Team::copy(result, plane);
  }

  struct Neighbours {
    const Plane (&before)[kept];
    const Plane& plane;
    const PlaneWindow& middle;
    const Window& window;
    int oldest, row, column;

    KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index dx, grid::Index dy, grid::Index dz) const {
      if (dz == radius) return plane[row].value[column];
      if (dz != 0) return before[(oldest + radius + dz) % kept][row].value[column];
      if (dy != 0) return middle[radius + row + dy].value[column];
      return window[radius + column + dx];
    }
  };

  /// Of the planes that are in the middle when the next plane comes.
  KOKKOS_FORCEINLINE_FUNCTION static void publish_middles(const Member& team, const Lane& lane,
                                                          Plane (&levels)[Steps][kept], int phase) {
    if constexpr (Team::buffers == 1) team.team_barrier();
    HALOHEAP_UNROLL
    for (int level = 0; level < Steps; ++level)
      Team::publish(lane, place(phase, level), back(levels[level], phase + 1, radius));
    team.team_barrier();
  }

  /// Planes beyond the low side are set when the last of those has come that they mirror, planes beyond the
  /// high side when they come themselves.
  KOKKOS_FORCEINLINE_FUNCTION void impose_z(const Lane& lane, Plane (&before)[kept], int oldest, Plane& plane,
                                            int z) const {
    if (z >= lane.first_plain && z < lane.end_of_plain) return;
    const unsigned sides = lane.sides[2];
    const int low = this->edges.low[2].at, high = this->edges.high[2].at;
    if (this->in_fixed_planes(sides, z)) {
      HALOHEAP_UNROLL
      for (int row = 0; row < height; ++row) this->fill(plane[row]);
    }
    if ((sides & Team::low_mirrors) && z == low + radius - 1) {
      HALOHEAP_UNROLL
      for (int j = 1; j < radius; ++j)
        Team::copy(back(before, oldest, radius - j), back(before, oldest, radius + j - 1));
      Team::copy(plane, back(before, oldest, 2 * radius - 1));
    }
    if (sides & Team::high_mirrors) {
      HALOHEAP_UNROLL
      for (int j = 0; j < radius; ++j)
        if (z == high + j) Team::copy(back(before, oldest, 2 * j + 1), plane);
    }
  }

  /// The plane that came so many planes before.
  KOKKOS_FORCEINLINE_FUNCTION static Plane& back(Plane (&before)[kept], int oldest, int planes) {
    return before[(oldest + kept - planes) % kept];
  }

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int place(int phase, int level) {
    return phase % Team::buffers * Team::buffer_size + level * Team::level_size;
  }
};

/// Several steps of the 27-point box in one pass: see PlaneTeam. A level has one plane and the sums of three:
/// it adds the plane's nine terms to each, which completes the sums of the plane before; that is the next
/// level's plane. Rows and columns outside the grid are imposed where a plane is used, planes outside as they
/// come.
template <class T, class Points, int Steps, PlaneShape shape, Sides where,
          class Platform = haloheap::lanes::Platform, class Residual = NoTally>
struct FusedBoxPlanes : PlaneTeam<T, Points, Steps, shape, where, Platform, Residual> {
  static_assert(!Points::star && Points::radius == 1);
  using Team = PlaneTeam<T, Points, Steps, shape, where, Platform, Residual>;
  using Team::radius, Team::reach, Team::height, Team::width;
  using typename Team::Lane, typename Team::Member, typename Team::Plane, typename Team::PlaneWindow,
      typename Team::Window;
  static constexpr int phases = 3;  ///< sums that are under way
  static_assert(Team::buffers == 2);

  KOKKOS_FUNCTION void operator()(const Member& team) const { stream(team, this->lane_of(team)); }

 private:
  struct Level {
    Plane sums[phases];
    Plane plane;
  };

  KOKKOS_FORCEINLINE_FUNCTION void stream(const Member& team, const Lane& lane) const {
    const T* from = this->in + lane.from + (lane.begin - reach) * this->plane_size;
    T* to = this->out + lane.to + (lane.begin - 3 * reach) * this->plane_size;
    Level levels[Steps] = {};
    Plane coming, last = {};
    typename Team::Squares squares(this->residual);
    this->load(lane, from, 0, true, coming);
    const int planes = lane.end - lane.begin + 2 * reach;
    int buffer = 0;
    for (int base = 0; base < planes + reach; base += phases) {
      HALOHEAP_UNROLL
      for (int phase = 0; phase < phases; ++phase, to += this->plane_size) {
        const int number = base + phase, other = Team::buffer_size - buffer;
        HALOHEAP_UNROLL
        for (int level = Steps - 1; level >= 0; --level) {
          // The plane of a level came with the number before, and lies two lower than that of the level
          // below.
          const int z = lane.begin - reach + number - 1 - 2 * level;
          add_plane(lane, levels[level], phase, other + level * Team::level_size, z);
          const Plane& complete = levels[level].sums[phase];
          if (level + 1 < Steps)
            accept(lane, complete, levels[level + 1].plane, z - 1);
          else if (number >= 3 * reach && number < planes + reach) {
            this->store_plane(lane, to, 0, complete);
            if constexpr (Residual::counts) this->count(lane, complete, last, z - 1, squares);
          }
        }
        if constexpr (Residual::counts) Team::copy(levels[0].plane, last);
        accept(lane, coming, levels[0].plane, lane.begin - reach + number);
        await_packs<height>(coming);
        from += this->plane_size;
        this->load(lane, from, 0, number + 1 < planes, coming);
        HALOHEAP_UNROLL
        for (int level = 0; level < Steps; ++level)
          Team::publish(lane, buffer + level * Team::level_size, levels[level].plane);
        team.team_barrier();
        buffer = other;
      }
    }
    this->put(team, squares);
  }

  /// Adds the terms of a level's plane to the sums of the planes before, at and after it.
  KOKKOS_FORCEINLINE_FUNCTION void add_plane(const Lane& lane, Level& level, int phase, int place,
                                             int z) const {
    PlaneWindow plane;
    this->with_neighbours(lane, place, level.plane, plane);
    Plane &last = level.sums[phase], &middle = level.sums[(phase + 1) % phases],
          &first = level.sums[(phase + 2) % phases];
    const unsigned sides = backend::anew(lane.sides[0]);
    if constexpr (where != Sides::away) {
      // The plane before the grid mirrors this one, whose sums begin with its terms.
      if ((lane.sides[2] & Team::low_mirrors) && z == this->edges.low[2].at) {
        HALOHEAP_UNROLL
        for (int row = 0; row < height + 2; ++row) {
          Window window;
          this->with_ends(lane, sides, plane[row], window);
          add_row<-1>(window, row, middle);
        }
      }
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height + 2; ++row) {
      Window window;
      this->with_ends(lane, sides, plane[row], window);
      add_row<-1>(window, row, first);
      add_row<0>(window, row, middle);
      add_row<1>(window, row, last);
    }
  }

  /// Adds the terms of a row to the sums of the rows before, at and after it: in the order of
  /// Stencil::offsets(), since the planes come in order, and the rows of each.
  /// @param row of a plane window
  template <int dz>
  KOKKOS_FORCEINLINE_FUNCTION void add_row(const Window& window, int row, Plane& sums) const {
    HALOHEAP_UNROLL
    for (int dy = 1; dy >= -1; --dy) {
      const int target = row - radius - dy;
      if (target < 0 || target >= height) continue;
      HALOHEAP_UNROLL
      for (int i = 0; i < width; ++i) {
        HALOHEAP_UNROLL
        for (int dx = -1; dx <= 1; ++dx) {
          const int term = ((dz + 1) * 3 + dy + 1) * 3 + dx + 1;
          T& sum = sums[target].value[i];
          const T factor = this->coefficients.value[term], value = window[radius + i + dx];
          sum = term == 0 ? factor * value : Kokkos::fma(factor, value, sum);
        }
      }
    }
  }

  /// A level's next plane comes. The plane behind the grid mirrors the one that the level has.
  KOKKOS_FORCEINLINE_FUNCTION void accept(const Lane& lane, const Plane& from, Plane& to, int z) const {
    bool outside = false, mirrors = false;
    if constexpr (where != Sides::away) {
      const unsigned sides = backend::anew(lane.sides[2]);
      outside = this->in_fixed_planes(sides, z);
      mirrors = (sides & Team::high_mirrors) && z == this->edges.high[2].at;
    }
    HALOHEAP_UNROLL
    for (int row = 0; row < height; ++row) {
      if (!mirrors) to[row] = from[row];
      if (outside) this->fill(to[row]);
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
