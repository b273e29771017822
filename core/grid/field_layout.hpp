// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_GRID_FIELD_LAYOUT_HPP
#define HALOHEAP_CORE_GRID_FIELD_LAYOUT_HPP

#include <haloheap/backend/function.hpp>
#include <haloheap/core/grid/box.hpp>

namespace haloheap::grid {

/// Where the cells of one rank's subdomain stand in one flat array: quantity by quantity, plane by plane, row
/// by row. Cell (0, 0, 0) is the first own cell; ghost cells have coordinates below 0 and from `own` on. Own
/// rows start on a 128-byte boundary of an array that is so aligned, which is what wide loads want.
struct FieldLayout {
  int dims = 2;
  int quantities = 1;
  Triple own;               ///< own cells
  Triple halo;              ///< ghost cells on each side, 0 in dimensions that the grid does not have
  Index pitch = 0;          ///< elements from row to row
  Index plane = 0;          ///< elements from z-plane to z-plane
  Index quantity_size = 0;  ///< elements from quantity to quantity
  Index origin = 0;         ///< position of cell (0, 0, 0) of quantity 0

  HALOHEAP_FUNCTION Index at(const Triple& cell, int quantity = 0) const {
    return origin + quantity * quantity_size + cell.x + cell.y * pitch + cell.z * plane;
  }
  Index size() const { return quantities * quantity_size; }
  Box own_box() const { return {{0, 0, 0}, own}; }
};

/// @param halo ghost cells on each side in the grid's dimensions
/// @param element_bytes size of one value, for the row alignment
inline FieldLayout make_field_layout(int dims, const Triple& own, Index halo, int quantities,
                                     std::size_t element_bytes) {
  const Index align = static_cast<Index>(128 / element_bytes);
  const auto round_up = [align](Index n) { return (n + align - 1) / align * align; };
  FieldLayout layout{
      .dims = dims, .quantities = quantities, .own = own, .halo = {halo, halo, dims == 3 ? halo : 0}};
  const Index left = round_up(halo);
  layout.pitch = left + round_up(own.x + halo);
  layout.plane = layout.pitch * (own.y + 2 * halo);
  // One spare line in front and behind: a wide load of a ragged row may touch it, and its value is never
  // used.
  layout.quantity_size = round_up(layout.plane * (own.z + 2 * layout.halo.z)) + 2 * align;
  layout.origin = align + left + layout.halo.y * layout.pitch + layout.halo.z * layout.plane;
  return layout;
}

}  // namespace haloheap::grid

#endif
