// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_SWEEP_MARCH_HPP
#define HALOHEAP_CORE_GRID_SWEEP_MARCH_HPP

#include <haloheap/core/grid/sweep_tiles.hpp>

namespace haloheap::detail {

/// The seven points of the 3D star of radius 1, from three places: the planes before and after in registers,
/// the middle plane as rows with ends.
template <class T, int Width, int Height>
struct NeighboursInPlanes {
  const Pack<T, Width> (&below)[Height];
  const RowWindow<T, Width, 1> (&middle)[Height + 2];
  const Pack<T, Width> (&above)[Height];
  int row, column;

  KOKKOS_FORCEINLINE_FUNCTION T operator()(Index dx, Index dy, Index dz) const {
    if (dz < 0) return below[row].value[column];
    if (dz > 0) return above[row].value[column];
    return middle[row + 1 + dy].value[1 + column + dx];
  }
};

/// A thread owns a tile of Width x Height cells in x and y and marches through `planes` planes in z, so that
/// every plane is read from memory once: its rows serve as the plane above, the middle and the plane below in
/// turn.
template <class T, class Points, int Width, int Height, class Residual = NoResidual>
struct MarchSweep {
  static_assert(Points::dims == 3 && Points::star && Points::radius == 1);
  using Tiles = Tiling<Width, Height>;

  const T* in;
  T* out;
  Index origin, pitch, plane, quantity_size;
  Coefficients<T, Points> coefficients;
  Tiles tiles;
  int lo_z, hi_z, planes;
  unsigned chunks;
  Residual residual;

  KOKKOS_FUNCTION void operator()(Index i) const {
    const unsigned tile = static_cast<unsigned>(i), column = tile % tiles.columns;
    unsigned rest = tile / tiles.columns;
    const int x = tiles.first_x + static_cast<int>(column) * Width;
    const int y = tiles.lo_y + static_cast<int>(rest % tiles.rows) * Height;
    rest /= tiles.rows;
    const int z_begin = lo_z + static_cast<int>(rest % chunks) * planes;
    const int z_end = z_begin + planes < hi_z ? z_begin + planes : hi_z;
    Index at = origin + static_cast<Index>(rest / chunks) * quantity_size + x + y * pitch + z_begin * plane;

    Pack<T, Width> below[Height], middle[Height], above[Height];
    load(below, at - plane, y);
    load(middle, at, y);
    ResidualSums<Residual> sums(residual);
    for (int z = z_begin; z < z_end; ++z, at += plane) {
      load(above, at + plane, y);
      step(below, middle, above, at, x, y, z, sums);
      HALOHEAP_UNROLL
      for (int k = 0; k < Height; ++k) {
        below[k] = middle[k];
        middle[k] = above[k];
      }
    }
    sums.put(i, residual);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION void load(Pack<T, Width> (&rows)[Height], Index at, int y) const {
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k)
      if (y + k < tiles.hi_y) rows[k] = *reinterpret_cast<const Pack<T, Width>*>(in + at + k * pitch);
  }

  KOKKOS_FORCEINLINE_FUNCTION void step(const Pack<T, Width> (&below)[Height],
                                        const Pack<T, Width> (&middle)[Height],
                                        const Pack<T, Width> (&above)[Height], Index at, int x, int y, int z,
                                        ResidualSums<Residual>& sums) const {
    RowWindow<T, Width, 1> window[Height + 2];
    window[0].load(in + at - pitch);
    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c) window[k + 1].value[c + 1] = middle[k].value[c];
      if (y + k < tiles.hi_y) {
        window[k + 1].value[0] = in[at + k * pitch - 1];
        window[k + 1].value[Width + 1] = in[at + k * pitch + Width];
      }
    }
    // The row after the last own one: inside the field because the sweep reads it for that row, and for
    // ragged tiles it is the last row that exists.
    const int last = tiles.hi_y - y < Height ? tiles.hi_y - y : Height;
    RowWindow<T, Width, 1> after;
    after.load(in + at + last * pitch);
    HALOHEAP_UNROLL
    for (int k = 1; k <= Height; ++k)
      if (k == last) window[k + 1] = after;

    HALOHEAP_UNROLL
    for (int k = 0; k < Height; ++k) {
      Pack<T, Width> result;
      HALOHEAP_UNROLL
      for (int c = 0; c < Width; ++c)
        result.value[c] =
            weighted_sum(coefficients, NeighboursInPlanes<T, Width, Height>{below, window, above, k, c});
      if (y + k < tiles.hi_y) store(out + at + k * pitch, result, tiles.lo_x - x, tiles.hi_x - x);
      sums.template add<Width>(residual, result.value, middle[k].value, x, y + k, z);
    }
  }
};

}  // namespace haloheap::detail

#endif
