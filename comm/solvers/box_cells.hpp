// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_BOX_CELLS_HPP
#define HALOHEAP_COMM_SOLVERS_BOX_CELLS_HPP

#include <haloheap/comm/solvers/own_cells.hpp>

namespace haloheap::comm::detail {

/// A body that is called with cells of a box as if they were those of a field from (0, 0, 0) on.
template <class Body>
struct FromFirst {
  static constexpr int dots = 0;
  Body body;
  grid::Triple first;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& place, grid::Index at) const {
    body(grid::Triple{first.x + place.x, first.y + place.y, first.z + place.z}, at);
  }
  void row(const grid::Triple& place, grid::Index at, int count) const requires RowBody<Body> {
    body.row(grid::Triple{first.x + place.x, first.y + place.y, first.z + place.z}, at, count);
  }
};

template <TwoHalves Body>
struct FromFirst<Body> {
  static constexpr int dots = 0;
  static constexpr int rows_at_once = Body::rows_at_once;
  using Values = typename Body::Values;
  Body body;
  grid::Triple first;

  KOKKOS_FORCEINLINE_FUNCTION Values read(const grid::Triple& place, grid::Index at) const {
    return body.read(grid::Triple{first.x + place.x, first.y + place.y, first.z + place.z}, at);
  }
  KOKKOS_FORCEINLINE_FUNCTION void write(grid::Index at, const Values& of) const { body.write(at, of); }
  void row(const grid::Triple& place, grid::Index at, int count) const requires RowBody<Body> {
    body.row(grid::Triple{first.x + place.x, first.y + place.y, first.z + place.z}, at, count);
  }
};

/// Enqueues a body without products for the cells of a box, which may be ghost cells.
template <class Body>
void for_box(const backend::Exec& exec, const char* label, const grid::FieldLayout& layout,
             const grid::Box& box, const Body& body) {
  grid::FieldLayout cells = layout;
  cells.own = {box.extent(0), box.extent(1), box.extent(2)};
  cells.origin = layout.at(box.lo);
  for_own_cells(exec, label, cells, FromFirst<Body>{body, box.lo});
}

}  // namespace haloheap::comm::detail

#endif
