// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/grid.hpp>
#include <haloheap/comm/halo/host_ghost_cells.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace haloheap::comm {
namespace {

constexpr double untouched = -1;

/// A value that tells a cell from all others.
double value_of(const grid::Triple& cell) {
  return static_cast<double>(cell.x + 100 * cell.y + 10000 * cell.z);
}

template <class Visit>
void for_each_cell(const grid::Box& box, const Visit& visit) {
  for (grid::Index z = box.lo.z; z < box.hi.z; ++z)
    for (grid::Index y = box.lo.y; y < box.hi.y; ++y)
      for (grid::Index x = box.lo.x; x < box.hi.x; ++x) visit(grid::Triple{x, y, z});
}

/// Of a cell around a rank's own: the value of the cell in the grid that it stands for, or none.
double wanted(const Grid& grid, grid::Triple cell) {
  for (int dim = 0; dim < grid.dims; ++dim) {
    if (cell[dim] >= 0 && cell[dim] < grid.cells[dim]) continue;
    if (!grid.topology.periodic[dim]) return untouched;
    cell[dim] = (cell[dim] + grid.cells[dim]) % grid.cells[dim];
  }
  return value_of(cell);
}

void check(const Communicator& world, int dims, bool periodic, grid::Index halo) {
  const grid::Triple cells{13, 11, dims == 3 ? 9 : 1};
  const bool around[3] = {periodic, false, dims < 3 || periodic};
  const Grid grid{dims, cells,
                  Topology::make(world.rank(), grid::rank_grid(world.size(), dims, cells), around)};
  const grid::FieldLayout layout = grid.layout(halo, 1, sizeof(double));
  std::vector<double> field(static_cast<std::size_t>(layout.size()), untouched);
  const grid::Triple first = grid.own().lo;
  const auto in_grid = [&](const grid::Triple& cell) {
    return grid::Triple{first.x + cell.x, first.y + cell.y, first.z + cell.z};
  };
  const auto at = [&](const grid::Triple& cell) -> double& {
    return field[static_cast<std::size_t>(layout.at(cell))];
  };
  for_each_cell(layout.own_box(), [&](const grid::Triple& cell) { at(cell) = value_of(in_grid(cell)); });
  HostGhostCells(world, grid.topology, layout, cells, 60).fill(field.data());
  for_each_cell(grid::grown(layout.own_box(), dims, halo), [&](const grid::Triple& cell) {
    EXPECT_EQ(at(cell), wanted(grid, in_grid(cell))) << cell.x << " " << cell.y << " " << cell.z;
  });
}

TEST(HostGhostCells, are_the_neighbours_own_cells) {
  const Communicator world(MPI_COMM_WORLD);
  for (const int dims : {2, 3})
    for (const bool periodic : {false, true})
      for (const grid::Index halo : {1, 2}) check(world, dims, periodic, halo);
}

TEST(HostGhostCells, end_in_an_error_if_a_neighbour_does_not_come) {
  const Communicator world(MPI_COMM_WORLD);
  if (world.size() == 1) GTEST_SKIP() << "nobody is missing on one rank";
  const Communicator own(MPI_COMM_WORLD);
  const grid::Triple cells{4 * world.size(), 4, 1};
  const Grid grid{2, cells, Topology::make(world.rank(), {world.size(), 1, 1}, {false, false, false})};
  const grid::FieldLayout layout = grid.layout(1, 1, sizeof(double));
  std::vector<double> field(static_cast<std::size_t>(layout.size()));
  HostGhostCells ghosts(own, grid.topology, layout, cells, 0.2);
  if (world.rank() == 0) {
    EXPECT_THROW(ghosts.fill(field.data()), CommunicationError);
  }
  world.barrier();
}

}  // namespace
}  // namespace haloheap::comm
