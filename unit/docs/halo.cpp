// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What docs/guide/halo.md and README.md quote.
#include <Kokkos_Core.hpp>
#include <gtest/gtest.h>
#include <mpi.h>

// [readme]
#include <haloheap/comm/halo/halo.hpp>
// [readme]

namespace haloheap::halo_page {

using namespace haloheap::comm;

/// The ghost cell before the first own one in x, in a row of own cells.
template <class View>
double ghost(const View& view) {
  const auto host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
  return host(2, 0);
}

TEST(HaloPage, has_two_sets_of_views) {
  const Communicator communicator(MPI_COMM_WORLD);
  const Kokkos::DefaultExecutionSpace instance;
  const Grid grid = Grid::make(communicator, {16 * communicator.size(), 8});
  const auto own = grid.own();
  const Kokkos::View<double**> now("now", 2 + own.extent(1), 2 + own.extent(0)),
      next("next", now.extent(0), now.extent(1));
  const double mine = communicator.rank();
  Kokkos::deep_copy(now, mine);
  Kokkos::deep_copy(next, 10 + mine);
  // [sets]
  Halo halo(communicator, grid, FieldSets{{now}, {next}}, {.width = 1});
  halo.exchange(instance, 0);  // the ghost cells of now
  halo.exchange(instance, 1);  // the ghost cells of next
  // [sets]
  instance.fence("has_two_sets_of_views");
  const double left = grid.topology.neighbour({-1, 0, 0});
  EXPECT_EQ(ghost(now), left);
  EXPECT_EQ(ghost(next), 10 + left);
}

TEST(HaloPage, exchanges_users_own_views) {
  const Communicator communicator(MPI_COMM_WORLD);
  const Kokkos::DefaultExecutionSpace instance;
  const grid::Index nx = 16 * communicator.size(), ny = 12;
  const auto own = Grid::make(communicator, {nx, ny}).own();
  const Kokkos::View<double**> density("density", 4 + own.extent(1), 4 + own.extent(0));
  const Kokkos::View<float***> velocity("velocity", 2, density.extent(0), density.extent(1));
  Kokkos::deep_copy(density, communicator.rank() + 1.0);
  Kokkos::deep_copy(velocity, static_cast<float>(communicator.rank()) + 11);
  // [readme]
  using namespace haloheap::comm;
  const Grid grid = Grid::make(communicator, {nx, ny});
  Halo halo(communicator, grid, {density, velocity}, {.width = {2, 2}});  // density(y, x), velocity(q, y, x)
  halo.exchange(instance);
  // [readme]
  instance.fence("exchanges_users_own_views");
  const int left = grid.topology.neighbour({-1, 0, 0});
  EXPECT_EQ(ghost(density), left + 1);
  const Kokkos::View<float**> of_y("of_y", density.extent(0), density.extent(1));
  Kokkos::deep_copy(of_y, Kokkos::subview(velocity, 1, Kokkos::ALL, Kokkos::ALL));
  EXPECT_EQ(ghost(of_y), left + 11);
}

}  // namespace haloheap::halo_page
