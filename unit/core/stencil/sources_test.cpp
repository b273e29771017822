// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/sources.hpp>

#include <gtest/gtest.h>

namespace haloheap::stencil {
namespace {

/// What a rule is called with, of which a source asks for place and time alone.
struct At {
  grid::Triple place;
  grid::Index time = 0;

  KOKKOS_FUNCTION grid::Index index(int dim) const { return place[dim]; }
  KOKKOS_FUNCTION grid::Index step() const { return time; }
};

/// Calls `visit` with all cells of a grid and those of a halo around it.
template <class Visit>
void for_each_place(const Visit& visit) {
  for (grid::Index z = -1; z < 5; ++z)
    for (grid::Index y = -1; y < 6; ++y)
      for (grid::Index x = -1; x < 7; ++x) visit(grid::Triple{x, y, z});
}

TEST(Sources, a_point_is_one_cell) {
  const Point<2> flat{{4, 0}};
  const Point<3> deep{{4, 0, 3}};
  for_each_place([&](const grid::Triple& at) {
    EXPECT_EQ(flat.contains(At{at}), at.x == 4 && at.y == 0);
    EXPECT_EQ(deep.contains(At{at}), at.x == 4 && at.y == 0 && at.z == 3);
  });
}

TEST(Sources, a_region_is_a_box_of_cells) {
  const grid::Box box{{1, 0, 2}, {5, 3, 4}};
  const Region<2> flat(box);
  const Region<3> deep(box);
  for_each_place([&](const grid::Triple& at) {
    const bool inside = at.x >= 1 && at.x < 5 && at.y >= 0 && at.y < 3;
    EXPECT_EQ(flat.contains(At{at}), inside);
    EXPECT_EQ(deep.contains(At{at}), inside && at.z >= 2 && at.z < 4);
  });
  EXPECT_FALSE(Region<2>(grid::Box{{2, 2, 0}, {2, 4, 1}}).contains(At{{2, 2, 0}}));
}

TEST(Sources, the_last_sample_stands_for_all_steps_that_follow) {
  const float values[] = {3, -1, 0.5F};
  const PointSource<float, 2> source{{{4, 0}}, {values, 3}};
  const float expected[] = {3, -1, 0.5F, 0.5F, 0.5F};
  for (grid::Index step = 0; step < 5; ++step) {
    EXPECT_EQ(source(At{{4, 0, 0}, step}), expected[step]);
    EXPECT_EQ(source(At{{4, 1, 0}, step}), 0);
  }
  EXPECT_EQ(source(At{{4, 0, 0}, grid::Index{1} << 40}), 0.5F);
}

}  // namespace
}  // namespace haloheap::stencil
