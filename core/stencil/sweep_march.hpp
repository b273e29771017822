// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP
#define HALOHEAP_CORE_STENCIL_SWEEP_MARCH_HPP

#include <haloheap/core/stencil/sweep_tiles.hpp>

namespace haloheap::stencil::detail {

/// The points of a 3D star, from two places: the planes before and after in registers, the middle plane as
/// rows with ends.
template <class T, int Width, int Height, int Radius>
struct NeighboursInPlanes {
  const Pack<T, Width> (&planes)[2 * Radius + 1][Height];
  const RowWindow<T, Width, Radius> (&middle)[Height + 2 * Radius];
  int row, column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(grid::Index dx, grid::Index dy, grid::Index dz) const {
    if (dz != 0) return planes[Radius + dz][row].value[column];
    return middle[Radius + row + dy].value[Radius + column + dx];
  }
};

/// A thread owns a tile of Width x Height cells in x and y and marches through `planes` planes in z, so that
/// every plane is read from memory once: its rows serve as a plane above, the middle and a plane below in
/// turn.
template <class T, class Points, int Width, int Height, class Residual = NoResidual>
struct MarchSweep {
  static_assert(Points::dims == 3 && Points::star);
  static constexpr int radius = Points::radius;
  using Tiles = Tiling<Width, Height>;

  const T* in;
  T* out;
  grid::Index origin, pitch, plane, quantity_size;
  Coefficients<T, Points> coefficients;
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
    grid::Index at =
        origin + static_cast<grid::Index>(rest / chunks) * quantity_size + x + y * pitch + z_begin * plane;

    Planes near;
    HALOHEAP_UNROLL
    for (int j = 0; j < 2 * radius; ++j) load(near[j], at + (j - radius) * plane, y);
    ResidualSums<Residual> sums(residual);
    for (int z = z_begin; z < z_end; ++z, at += plane) {
      load(near[2 * radius], at + radius * plane, y);
      step(near, at, x, y, z, sums);
      HALOHEAP_UNROLL
      for (int j = 0; j < 2 * radius; ++j) {
        HALOHEAP_UNROLL
        for (int k = 0; k < Height; ++k) near[j][k] = near[j + 1][k];
      }
    }
    sums.put(i, residual);
  }

 private:
  /// The tile's rows of the planes that a cell needs, lowest first.
  using Planes = Pack<T, Width>[2 * radius + 1][Height];

  KOKKOS_FORCEINLINE_FUNCTION void load(Pack<T, Width> (&rows)[Height], grid::Index at, int y) const {
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k)
      if (y + k < tiles.hi_y) rows[k] = *reinterpret_cast<const Pack<T, Width>*>(in + at + k * pitch);
  }

  KOKKOS_FORCEINLINE_FUNCTION void step(const Planes& near, grid::Index at, int x, int y, int z,
                                        ResidualSums<Residual>& sums) const {
    const Pack<T, Width>(&middle)[Height] = near[radius];
    RowWindow<T, Width, radius> window[Height + 2 * radius];
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

    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result;
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c)
        result.value[c] =
            weighted_sum(coefficients, NeighboursInPlanes<T, Width, Height, radius>{near, window, k, c});
      if (y + k < tiles.hi_y) store(out + at + k * pitch, result, tiles.lo_x - x, tiles.hi_x - x);
      sums.template add<Width>(residual, result.value, middle[k].value, x, y + k, z);
    }
  }
};

}  // namespace haloheap::stencil::detail

#endif
