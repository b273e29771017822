// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_FUSED_PLANES_HPP
#define HALOHEAP_CORE_STENCIL_FUSED_PLANES_HPP

#include <haloheap/core/stencil/plane_team.hpp>

namespace haloheap::stencil::detail {

/// Several steps of the 27-point box in one pass: see PlaneTeam. A level has one plane and the sums of three:
/// it adds the plane's nine terms to each, which completes the sums of the plane before; that is the next
/// level's plane. Rows and columns outside the grid are imposed where a plane is used, planes outside as they
/// come.
template <class T, class Points, int Steps, PlaneShape shape, Sides where,
          class Platform = haloheap::lanes::Platform, class Residual = NoResidual>
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
    this->load(lane, from, true, coming);
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
            this->store_plane(lane, to, complete);
            if constexpr (Residual::counts) this->count(lane, complete, last, z - 1, squares);
          }
        }
        if constexpr (Residual::counts) Team::copy(levels[0].plane, last);
        accept(lane, coming, levels[0].plane, lane.begin - reach + number);
        await_packs<height>(coming);
        from += this->plane_size;
        this->load(lane, from, number + 1 < planes, coming);
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
