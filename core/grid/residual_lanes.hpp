// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_RESIDUAL_LANES_HPP
#define HALOHEAP_CORE_GRID_RESIDUAL_LANES_HPP

#include <haloheap/core/grid/residual_kernels.hpp>

namespace haloheap::detail {

/// The sums of one row, for host threads: neighbouring cells add to sums of their own, so that the compiler
/// can use vector registers. It must not change the order of additions itself; it cannot know that here none
/// matters.
class ResidualLanes {
 public:
  explicit ResidualLanes(const CountResidual& residual, Index cells)
      : used_(static_cast<int>(Kokkos::min<Index>(cells, width))) {
    for (int lane = 0; lane < used_; ++lane) {
      first_[lane] = residual.scale.pivot[0];
      second_[lane] = residual.scale.pivot[1];
      third_[lane] = residual.scale.pivot[2];
    }
  }

  template <class T>
  HALOHEAP_VECTOR_CLONES void add(const T* KOKKOS_RESTRICT now, const T* KOKKOS_RESTRICT before, Index n) {
    for (Index x = 0; x < n; x += width) {
      const int lanes = static_cast<int>(n - x < width ? n - x : width);
      for (int lane = 0; lane < lanes; ++lane)
        add_square(first_[lane], second_[lane], third_[lane],
                   squared_difference(now[x + lane], before[x + lane]));
    }
  }

  /// Adds the sums of iteration `i` to a slot.
  void put(Index i, const CountResidual& residual) const {
    double parts[residual_parts] = {};
    for (int lane = 0; lane < used_; ++lane) {
      parts[0] += residual.first_part(first_[lane]);
      parts[1] += second_[lane] - residual.scale.pivot[1];
      parts[2] += third_[lane] - residual.scale.pivot[2];
    }
    residual.put(i, parts);
  }

 private:
  static constexpr int width = 64;

  int used_;
  alignas(64) double first_[width], second_[width], third_[width];
};

}  // namespace haloheap::detail

#endif
