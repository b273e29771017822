// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP

#include <haloheap/core/stencil/sweep_tiles.hpp>

namespace haloheap::stencil::detail {

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

/// A thread owns a tile of Width x Height cells in x and y and marches through `planes` planes in z, so that
/// every plane is read from memory once: its rows serve as a plane above, the middle and a plane below in
/// turn.
template <class Rule, int Width, int Height, class Residual = NoResidual>
struct MarchSweep {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  static_assert(Traits::dims == 3 && Traits::star);
  static constexpr int fields = Traits::fields;
  static constexpr int radius = Traits::radius;
  using Tiles = Tiling<Width, Height>;

  const T* in;
  T* out;
  grid::Index origin, pitch, plane, quantity_size;
  Rule rule;
  FrameOf<Rule> frame;
  Tiles tiles;
  int lo_z, hi_z, planes;
  unsigned chunks;
  Residual residual;

  KOKKOS_FUNCTION void operator()(grid::Index i) const {
    const unsigned tile = static_cast<unsigned>(i), column = tile % tiles.columns;
    unsigned rest = tile / tiles.columns;
    const int x = tiles.first_x + static_cast<int>(column) * Width;
    const int y = tiles.lo_y + static_cast<int>(rest % tiles.rows) * Height;
    rest /= tiles.rows;
    const int z_begin = lo_z + static_cast<int>(rest % chunks) * planes;
    const int z_end = z_begin + planes < hi_z ? z_begin + planes : hi_z;
    grid::Index at = origin + static_cast<grid::Index>(rest / chunks) * fields * quantity_size + x +
                     y * pitch + z_begin * plane;

    Planes near[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field) {
      HALOHEAP_UNROLL
      for (int j = 0; j < 2 * radius; ++j)
        load(near[field][j], at + field * quantity_size + (j - radius) * plane, y);
    }
    ResidualSums<Residual> sums(residual);
    for (int z = z_begin; z < z_end; ++z, at += plane) {
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field)
        load(near[field][2 * radius], at + field * quantity_size + radius * plane, y);
      step(near, at, x, y, z, sums);
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) move_on(near[field]);
    }
    sums.put(i, residual);
  }

 private:
  /// The tile's rows of the planes that a cell needs, lowest first.
  using Planes = Pack<T, Width>[2 * radius + 1][Height];
  using Windows = RowWindow<T, Width, radius>[Height + 2 * radius];

  KOKKOS_FORCEINLINE_FUNCTION void load(Pack<T, Width> (&rows)[Height], grid::Index at, int y) const {
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k)
      if (y + k < tiles.hi_y) rows[k] = *reinterpret_cast<const Pack<T, Width>*>(in + at + k * pitch);
  }

  KOKKOS_FORCEINLINE_FUNCTION static void move_on(Planes& near) {
    HALOHEAP_UNROLL
    for (int j = 0; j < 2 * radius; ++j) {
      HALOHEAP_UNROLL
      for (int k = 0; k < Height; ++k) near[j][k] = near[j + 1][k];
    }
  }

  /// The rows of the middle plane with their ends, and those before and after.
  KOKKOS_FORCEINLINE_FUNCTION void load_middle(const Pack<T, Width> (&middle)[Height], grid::Index at, int y,
                                               Windows& window) const {
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) window[j].load(in + at + (j - radius) * pitch);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) window[radius + k].value[radius + c] = middle[k].value[c];
      if (y + k < tiles.hi_y) {
        HALOHEAP_UNROLL
        for (int j = 0; j < radius; ++j) {
          window[radius + k].value[j] = in[at + k * pitch + j - radius];
          window[radius + k].value[radius + Width + j] = in[at + k * pitch + Width + j];
        }
      }
    }
    // The rows after the last own one: inside the field because the sweep reads them for that row, and for
    // ragged tiles they are the last rows that exist.
    const int last = tiles.hi_y - y < Height ? tiles.hi_y - y : Height;
    HALOHEAP_UNROLL
    for (int j = 0; j < radius; ++j) {
      RowWindow<T, Width, radius> after;
      after.load(in + at + (last + j) * pitch);
      HALOHEAP_UNROLL
      for (int k = 1; k <= Height; ++k)
        if (k == last) window[radius + k + j] = after;
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void step(const Planes (&near)[fields], grid::Index at, int x, int y, int z,
                                        ResidualSums<Residual>& sums) const {
    const Around<Rule> around = frame.read();
    Windows window[fields];
    HALOHEAP_UNROLL
    for (int field = 0; field < fields; ++field)
      load_middle(near[field][radius], at + field * quantity_size, y, window[field]);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result[fields];
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) {
        const NeighboursInPlanes<T, Width, Height, radius, fields> neighbours{near, window, k, c};
        const Values<T, fields> values = new_values(rule, neighbours, around, {x + c, y + k, z});
        HALOHEAP_UNROLL
        for (int field = 0; field < fields; ++field) result[field].value[c] = values.value[field];
      }
      HALOHEAP_UNROLL
      for (int field = 0; field < fields; ++field) {
        if (y + k < tiles.hi_y)
          store(out + at + field * quantity_size + k * pitch, result[field], tiles.lo_x - x, tiles.hi_x - x);
        sums.template add<Width>(residual, result[field].value, near[field][radius][k].value, x, y + k, z);
      }
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
