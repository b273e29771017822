// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_GRID_HPP
#define HALOHEAP_COMM_HALO_GRID_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/topology.hpp>
#include <haloheap/core/grid/field_layout.hpp>

#include <cstddef>
#include <vector>

namespace haloheap::comm {

/// A grid of cells, and which of them this rank owns.
struct Grid {
  int dims = 2;        ///< 2 or 3
  grid::Triple cells;  ///< of all ranks together; one in z of a grid of two dimensions
  Topology topology;   ///< of this rank

  /// Divides the grid among the ranks of a communicator, into subdomains as cubic as can be.
  /// @param cells in x and y, or in x, y and z
  /// @param periodic in the same dimensions; all are if none is said
  /// @throws UsageError for other numbers of dimensions, and for cells of which not every rank gets one
  static Grid make(const Communicator& communicator, const std::vector<grid::Index>& cells,
                   const std::vector<bool>& periodic = {});

  /// The global box of the cells that this rank owns.
  grid::Box own() const;
  /// Where the values of a field stand in one array, with a halo of so many cells on each side.
  /// @param quantities values a cell
  grid::FieldLayout layout(grid::Index halo, int quantities, std::size_t element_bytes) const;
};

namespace detail {

/// @throws UsageError for a grid that there cannot be
void require_grid(const Grid& grid);

}  // namespace detail

}  // namespace haloheap::comm

#endif
