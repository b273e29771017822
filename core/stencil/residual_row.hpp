// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_RESIDUAL_ROW_HPP
#define HALOHEAP_CORE_STENCIL_RESIDUAL_ROW_HPP

#include <haloheap/core/stencil/residual_kernels.hpp>

namespace haloheap::stencil::detail {

/// The sums of one row, for host threads: neighbouring cells add to sums of their own, so that the compiler
/// can use vector registers. It must not change the order of additions itself; it cannot know that here none
/// matters.
class ResidualRow {
 public:
  explicit ResidualRow(const ResidualTally& residual, grid::Index cells)
      : used_(static_cast<int>(Kokkos::min<grid::Index>(cells, width))) {
    for (int column = 0; column < used_; ++column) {
      first_[column] = residual.scale.pivot[0];
      second_[column] = residual.scale.pivot[1];
      third_[column] = residual.scale.pivot[2];
    }
  }

  template <class T>
  HALOHEAP_VECTOR_CLONES void add(const T* KOKKOS_RESTRICT now, const T* KOKKOS_RESTRICT before,
                                  grid::Index n) {
    for (grid::Index x = 0; x < n; x += width) {
      const int columns = static_cast<int>(n - x < width ? n - x : width);
      for (int column = 0; column < columns; ++column)
        add_square(first_[column], second_[column], third_[column],
                   squared_difference(now[x + column], before[x + column]));
    }
  }

  /// Of a row of all fields, the cells that count in x.
  /// @param first place of the first cell
  /// @param now (field) where the row begins, new and before
  template <class Now, class Before>
  void add_counted(const ResidualTally& residual, grid::Index first, grid::Index n, int fields,
                   const Now& now, const Before& before) {
    const grid::Index begin = Kokkos::max<grid::Index>(0, residual.lo[0] - first),
                      end = Kokkos::min<grid::Index>(n, residual.hi[0] - first);
    for (int field = 0; begin < end && field < fields; ++field)
      add(now(field) + begin, before(field) + begin, end - begin);
  }

  /// Adds the sums of iteration `i` to a slot.
  void put(grid::Index i, const ResidualTally& residual) const {
    double parts[residual_parts] = {};
    for (int column = 0; column < used_; ++column) {
      parts[0] += residual.first_part(first_[column]);
      parts[1] += second_[column] - residual.scale.pivot[1];
      parts[2] += third_[column] - residual.scale.pivot[2];
    }
    residual.put(i, parts);
  }

 private:
  static constexpr int width = 64;

  int used_;
  alignas(64) double first_[width], second_[width], third_[width];
};

}  // namespace haloheap::stencil::detail

#endif
