// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/halo/grid_terms.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>

#include <fmt/format.h>

namespace haloheap::comm {

void detail::require_grid(const Grid& grid) {
  bool good = grid.dims == 2 || grid.dims == 3;
  for (int dim = 0; dim < 3; ++dim) {
    good = good && grid.topology.ranks[dim] > 0 && grid.cells[dim] >= grid.topology.ranks[dim];
    if (dim >= grid.dims) good = good && grid.cells[dim] == 1;
  }
  if (!good)
    throw UsageError(
        fmt::format("a grid of {} dimensions and {} cells cannot be divided among {} ranks", grid.dims,
                    detail::extent_text(grid.cells), detail::extent_text(grid.topology.ranks)),
        "", "give two or three dimensions, a cell or more to each rank, and one in z to a grid of two");
}

Grid Grid::make(const Communicator& communicator, const std::vector<grid::Index>& cells,
                const std::vector<bool>& periodic) {
  const std::size_t dims = cells.size();
  if (dims < 2 || dims > 3 || (!periodic.empty() && periodic.size() != dims))
    throw UsageError(
        fmt::format("{} numbers of cells and {} of periodicity are no grid", dims, periodic.size()), "",
        "give two or three numbers of cells, and as many of periodicity, or none");
  grid::Triple all{1, 1, 1};
  bool wraps[3] = {true, true, true};
  for (std::size_t dim = 0; dim < dims; ++dim) {
    all[static_cast<int>(dim)] = cells[dim];
    if (!periodic.empty()) wraps[dim] = periodic[dim];
  }
  const grid::Triple ranks = grid::rank_grid(communicator.size(), static_cast<int>(dims), all);
  Grid result{static_cast<int>(dims), all, Topology::make(communicator.rank(), ranks, wraps)};
  detail::require_grid(result);
  return result;
}

grid::Box Grid::own() const {
  return grid::subdomain(cells, topology.ranks, topology.coordinates);
}

grid::FieldLayout Grid::layout(grid::Index halo, int quantities, std::size_t element_bytes) const {
  const grid::Box box = own();
  return grid::make_field_layout(dims, {box.extent(0), box.extent(1), box.extent(2)}, halo, quantities,
                                 element_bytes);
}

}  // namespace haloheap::comm
