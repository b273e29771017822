// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP

#include <haloheap/core/stencil/sweep_tiles.hpp>

namespace haloheap::stencil::detail {

/// A tile of Width x Height cells in x and y that a thread marches through in z, `planes` planes at most, so
/// that every plane is read from memory once.
template <class Rule, int Width, int Height, class Tally>
struct March {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  static_assert(Traits::dims == 3);
  static constexpr int fields = Traits::fields;
  static constexpr int radius = Traits::radius;
  using Tiles = Tiling<Width, Height>;

  InCell<Rule> in;
  OutCell<Rule> out;
  grid::Index origin, pitch, plane, quantity_size;
  Rule rule;
  FrameOf<Rule> frame;
  Tiles tiles;
  int lo_z, hi_z, planes;
  unsigned chunks;
  Tally tally;

 protected:
  /// The tile's first cell, its place in memory, and where the march begins and ends.
  struct Way {
    int x, y, z_begin, z_end;
    grid::Index at;
  };

  KOKKOS_FORCEINLINE_FUNCTION Way way(grid::Index i) const {
    const unsigned tile = static_cast<unsigned>(i), column = tile % tiles.columns;
    unsigned rest = tile / tiles.columns;
    Way way;
    way.x = tiles.first_x + static_cast<int>(column) * Width;
    way.y = tiles.lo_y + static_cast<int>(rest % tiles.rows) * Height;
    rest /= tiles.rows;
    way.z_begin = lo_z + static_cast<int>(rest % chunks) * planes;
    way.z_end = way.z_begin + planes < hi_z ? way.z_begin + planes : hi_z;
    way.at = origin + static_cast<grid::Index>(rest / chunks) * fields * quantity_size + way.x +
             way.y * pitch + way.z_begin * plane;
    return way;
  }

  /// Stores new values of the tile's row `k` at plane z, as far as there is such a row, and counts them.
  /// @param before what was there
  KOKKOS_FORCEINLINE_FUNCTION void finish_row(const Way& way, grid::Index at, int k, int z, int field,
                                              const Pack<T, Width>& result, const T* before,
                                              TallySums<Tally>& sums) const {
    if (way.y + k < tiles.hi_y)
      store(out + at + k * pitch, field, quantity_size, result, tiles.lo_x - way.x, tiles.hi_x - way.x);
    sums.template add<Width>(tally, result.value, before, way.x, way.y + k, z);
  }
  /// Measures the cells of a row that are stored.
  KOKKOS_FORCEINLINE_FUNCTION void measure_row(const Way& way, int k, int z,
                                               const Pack<T, Width> (&result)[fields],
                                               TallySums<Tally>& sums) const {
    if (way.y + k < tiles.hi_y)
      sums.add_cells(tally, result, tiles.lo_x - way.x, tiles.hi_x - way.x, {way.x, way.y + k, z});
  }
};

/// The points of a 3D star, from two places: the planes before and after in registers, the middle plane as
/// rows with ends.
template <class T, int Width, int Height, int Radius, int Fields>
struct NeighboursInPlanes {
  static constexpr bool exact = false;

  const Pack<T, Width> (&planes)[Fields][2 * Radius + 1][Height];
  const RowWindow<T, Width, Radius> (&middle)[Fields][Height + 2 * Radius];
  int row, column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int dz) const {
    if (dz != 0) return planes[field][Radius + dz][row].value[column];
    return middle[field][Radius + row + dy].value[Radius + column + dx];
  }
};

/// A march for stars: the rows of a plane serve as a plane above, the middle and a plane below in turn.
template <class Rule, int Width, int Height, class Tally = NoTally>
struct MarchSweep : March<Rule, Width, Height, Tally> {
  using Base = March<Rule, Width, Height, Tally>;
  using Base::fields, Base::radius;
  using Base::in, Base::pitch, Base::plane, Base::quantity_size, Base::tiles;
  using typename Base::T, typename Base::Way;
  static_assert(Base::Traits::star);

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const Way way = this->way(i);
    grid::Index at = way.at;
    Planes near[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      HALOHEAP_UNROLL
      for (int j = 0; j < 2 * radius; ++j) load(near[field][j], at + (j - radius) * plane, field, way.y);
    }
    TallySums<Tally> sums(this->tally);
    for (int z = way.z_begin; z < way.z_end; ++z, at += plane) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        load(near[field][2 * radius], at + radius * plane, field, way.y);
      step(near, way, at, z, sums);
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) move_on(near[field]);
    }
    sums.put(i, this->tally);
  }

 private:
  /// The tile's rows of the planes that a cell needs, lowest first.
  using Planes = Pack<T, Width>[2 * radius + 1][Height];
  using Windows = RowWindow<T, Width, radius>[Height + 2 * radius];

  KOKKOS_FORCEINLINE_FUNCTION void load(Pack<T, Width> (&rows)[Height], grid::Index at, int field,
                                        int y) const {
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k)
      if (y + k < tiles.hi_y) rows[k] = pack_at<Width>(in + at + k * pitch, field, quantity_size);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void move_on(Planes& near) {
    HALOHEAP_UNROLL
    for (int j = 0; j < 2 * radius; ++j) {
      HALOHEAP_UNROLL
      for (int k = 0; k < Height; ++k) near[j][k] = near[j + 1][k];
    }
  }

  /// The rows of the middle plane with their ends, and those before and after.
  KOKKOS_FORCEINLINE_FUNCTION void load_middle(const Pack<T, Width> (&middle)[Height], grid::Index at,
                                               int field, int y, Windows& window) const {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) window[j].load(in + at + (j - radius) * pitch, field, quantity_size);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) window[radius + k].value[radius + c] = middle[k].value[c];
      if (y + k < tiles.hi_y) {
        HALOHEAP_UNROLL
        for (int j = 0; j < radius; ++j) {
          const auto value = [&](int dx) { return value_at(in + at + k * pitch + dx, field, quantity_size); };
          window[radius + k].value[j] = value(j - radius);
          window[radius + k].value[radius + Width + j] = value(Width + j);
        }
      }
    }
    // The rows after the last own one: inside the field because the sweep reads them for that row, and for
    // ragged tiles they are the last rows that exist.
    const int last = tiles.hi_y - y < Height ? tiles.hi_y - y : Height;
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      RowWindow<T, Width, radius> after;
      after.load(in + at + (last + j) * pitch, field, quantity_size);
      HALOHEAP_UNROLL
      for (int k = 1; k <= Height; ++k)
        if (k == last) window[radius + k + j] = after;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void step(const Planes (&near)[fields], const Way& way, grid::Index at, int z,
                                        TallySums<Tally>& sums) const {
    const Around<Rule> around = this->frame.read();
    Windows window[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field)
      load_middle(near[field][radius], at, field, way.y, window[field]);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result[fields];
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) {
        const NeighboursInPlanes<T, Width, Height, radius, fields> neighbours{near, window, k, c};
        const Values<T, fields> values =
            new_values(this->rule, neighbours, around, {way.x + c, way.y + k, z});
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) result[field].value[c] = values.value[field];
      }
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        this->finish_row(way, at, k, z, field, result[field], near[field][radius][k].value, sums);
      this->measure_row(way, k, z, result, sums);
    }
  }
};

/// Neighbours of column `column` of row `row` in windows of all planes of a tile.
template <class T, int Width, int Height, int Radius, int Fields>
struct NeighboursInBlocks {
  static constexpr bool exact = false;

  const RowWindow<T, Width, Radius> (&planes)[Fields][2 * Radius + 1][Height + 2 * Radius];
  int row, column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(int field, int dx, int dy, int dz) const {
    return planes[field][Radius + dz][Radius + row + dy].value[Radius + column + dx];
  }
};

/// A march for boxes: of every plane the rows around the tile stay in registers, with their ends.
template <class Rule, int Width, int Height, class Tally = NoTally>
struct BoxMarchSweep : March<Rule, Width, Height, Tally> {
  using Base = March<Rule, Width, Height, Tally>;
  using Base::fields, Base::radius;
  using Base::plane, Base::tiles;
  using typename Base::T, typename Base::Way;
  static constexpr int rows = Height + 2 * radius, deep = 2 * radius + 1;
  /// Words of registers that the planes take.
  static constexpr int words = fields * deep * rows * (Width + 2 * radius) * static_cast<int>(sizeof(T)) / 4;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const Way way = this->way(i);
    grid::Index at = way.at;
    Planes near[fields];
    HALOHEAP_UNROLL
    for (int j = 0; j < deep - 1; ++j) load(near, j, way, at + (j - radius) * plane);
    TallySums<Tally> sums(this->tally);
    for (int z = way.z_begin; z < way.z_end; ++z, at += plane) {
      load(near, deep - 1, way, at + radius * plane);
      step(near, way, at, z, sums);
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) move_on(near[field]);
    }
    sums.put(i, this->tally);
  }

 private:
  using Planes = RowWindow<T, Width, radius>[deep][rows];

  KOKKOS_FORCEINLINE_FUNCTION void load(Planes (&near)[fields], int number, const Way& way,
                                        grid::Index at) const {
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      HALOHEAP_UNROLL
      for (int j = 0; j < rows; ++j)
        if (way.y + j - radius < tiles.hi_y + radius)
          near[field][number][j].load(this->in + at + (j - radius) * this->pitch, field, this->quantity_size);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION static void move_on(Planes& near) {
    HALOHEAP_UNROLL
    for (int j = 0; j < deep - 1; ++j) {
      HALOHEAP_UNROLL
      for (int row = 0; row < rows; ++row) near[j][row] = near[j + 1][row];
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void step(const Planes (&near)[fields], const Way& way, grid::Index at, int z,
                                        TallySums<Tally>& sums) const {
    const Around<Rule> around = this->frame.read();
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result[fields];
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) {
        const NeighboursInBlocks<T, Width, Height, radius, fields> neighbours{near, k, c};
        const Values<T, fields> values =
            new_values(this->rule, neighbours, around, {way.x + c, way.y + k, z});
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) result[field].value[c] = values.value[field];
      }
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        this->finish_row(way, at, k, z, field, result[field], &near[field][radius][radius + k].value[radius],
                         sums);
      this->measure_row(way, k, z, result, sums);
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
