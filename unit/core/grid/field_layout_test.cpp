// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/grid/field_layout.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>

#include <gtest/gtest.h>

namespace haloheap::grid {
namespace {

using namespace testing;

struct Case {
  int dims;
  Triple own;
  Index halo;
  int quantities;
  std::size_t bytes;
};

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::size_t bytes : {4, 8})
    for (const int quantities : {1, 3})
      for (const Index halo : {1, 2, 16, 33}) {
        for (const Triple own : {Triple{1, 1, 1}, {37, 29, 1}, {32, 5, 1}, {1, 64, 1}, {200, 1, 1}})
          all.push_back({2, own, halo, quantities, bytes});
        for (const Triple own : {Triple{1, 1, 1}, {7, 5, 3}, {33, 2, 9}})
          all.push_back({3, own, halo > 16 ? 3 : halo, quantities, bytes});
      }
  return all;
}

TEST(FieldLayout, gives_every_cell_and_ghost_cell_a_place_of_its_own) {
  for (const Case& c : cases()) {
    const FieldLayout layout = make_field_layout(c.dims, c.own, c.halo, c.quantities, c.bytes);
    const Box all = grown(layout.own_box(), c.dims, c.halo);
    std::vector<bool> taken(static_cast<std::size_t>(layout.size()));
    for (int quantity = 0; quantity < c.quantities; ++quantity)
      for_each_cell(all, [&](const Triple& cell) {
        const Index at = layout.at(cell, quantity);
        ASSERT_GE(at, 0);
        ASSERT_LT(at, layout.size());
        ASSERT_FALSE(taken[static_cast<std::size_t>(at)]) << text(all) << " " << quantity;
        taken[static_cast<std::size_t>(at)] = true;
      });
  }
}

TEST(FieldLayout, starts_own_rows_on_128_bytes_and_keeps_a_spare_line_around_each_quantity) {
  for (const Case& c : cases()) {
    const FieldLayout layout = make_field_layout(c.dims, c.own, c.halo, c.quantities, c.bytes);
    const auto bytes = static_cast<Index>(c.bytes);
    const Box all = grown(layout.own_box(), c.dims, c.halo);
    for (int quantity = 0; quantity < c.quantities; ++quantity) {
      for (Index z = 0; z < c.own.z; ++z)
        for (Index y = 0; y < c.own.y; ++y) EXPECT_EQ(layout.at({0, y, z}, quantity) * bytes % 128, 0);
      EXPECT_GE((layout.at(all.lo, quantity) - quantity * layout.quantity_size) * bytes, 128);
      const Triple last{all.hi.x - 1, all.hi.y - 1, all.hi.z - 1};
      EXPECT_GE(((quantity + 1) * layout.quantity_size - 1 - layout.at(last, quantity)) * bytes, 128);
    }
  }
}

TEST(FieldLayout, has_no_halo_in_a_dimension_that_the_grid_lacks) {
  EXPECT_EQ(make_field_layout(2, {4, 4, 1}, 3, 1, 8).halo, (Triple{3, 3, 0}));
  EXPECT_EQ(make_field_layout(3, {4, 4, 4}, 3, 1, 8).halo, (Triple{3, 3, 3}));
}

}  // namespace
}  // namespace haloheap::grid
