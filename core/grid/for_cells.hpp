// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_FOR_CELLS_HPP
#define HALOHEAP_CORE_GRID_FOR_CELLS_HPP

#include <haloheap/backend/exec.hpp>
#include <haloheap/backend/launch.hpp>
#include <haloheap/core/backend/kernel_argument.hpp>
#include <haloheap/core/grid/box_list.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <span>

namespace haloheap::grid {

namespace detail {

/// Calls a kernel for cells of boxes and sets of fields: a thread of a device for one, of a host for some
/// that follow each other.
template <class Kernel>
struct ForCells {
  static constexpr Index at_once = backend::kernels_on_host ? 256 : 1;
  Kernel kernel;
  BoxList boxes;

  KOKKOS_FUNCTION void operator()(Index i) const {
    if constexpr (backend::kernels_on_host) {
      const int set = static_cast<int>(i / pieces());
      const Index begin = (i - set * pieces()) * at_once;
      boxes.for_each_row(begin, std::min(begin + at_once, boxes.cells()),
                         [&](const Triple& first, Index count) {
                           for (Index x = 0; x < count; ++x)
                             kernel(Triple{first.x + x, first.y, first.z}, set);
                         });
    } else {
      const int set = static_cast<int>(i / boxes.cells());
      kernel(boxes.cell(i - set * boxes.cells()), set);
    }
  }

  /// Iterations of one set.
  Index pieces() const { return (boxes.cells() + at_once - 1) / at_once; }
};

}  // namespace detail

/// Enqueues `kernel(cell, set)` for each cell of disjoint boxes and each of `sets` sets.
template <class Kernel>
void for_cells(const backend::Exec& exec, const char* label, std::span<const Box> boxes, int sets,
               const Kernel& kernel) {
  using Policy = Kokkos::RangePolicy<backend::Exec, Kokkos::IndexType<Index>>;
  for_each_box_list(boxes, [&](const BoxList& list) {
    const detail::ForCells<Kernel> cells{kernel, list};
    backend::parallel_for(label, backend::as_kernel_argument(Policy(exec, 0, cells.pieces() * sets)), cells);
  });
}

}  // namespace haloheap::grid

#endif
