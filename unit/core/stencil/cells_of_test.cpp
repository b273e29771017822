// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/cells_of.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/rule_fields.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

namespace haloheap::stencil {
namespace {

using namespace testing;

/// Copies numbers through Views of another order, and finds them where the layout has the cells.
template <class Rule, int Field, class Value, class Mine>
void check_cells(const Mine& mine, const grid::FieldLayout& layout) {
  const auto numbers = Kokkos::create_mirror_view(Kokkos::WithoutInitializing, mine);
  for (std::size_t i = 0; i < numbers.span(); ++i) numbers.data()[i] = static_cast<Value>(i % 100);
  Kokkos::deep_copy(mine, numbers);
  auto values = RuleFields<Rule>::unset_values(layout);
  const auto array = make_device_array(values);
  const auto cells = cells_of<Rule, Field>(array, layout);
  static_assert(std::is_same_v<decltype(cells), const CellsView<Value, Rule::dims>>);
  Kokkos::deep_copy(cells, mine);
  values = to_host(array);
  grid::Index others = 0;
  for_each_cell(layout.own_box(), [&](const grid::Triple& at) {
    if constexpr (Rule::dims == 2)
      others += RuleFields<Rule>::get(values, layout, at, Field) != numbers(at.x, at.y);
    else
      others += RuleFields<Rule>::get(values, layout, at, Field) != numbers(at.x, at.y, at.z);
  });
  EXPECT_EQ(others, 0);
  auto expected = RuleFields<Rule>::unset_values(layout);
  for_each_cell(layout.own_box(), [&](const grid::Triple& at) {
    RuleFields<Rule>::set(expected, layout, at, Field, RuleFields<Rule>::get(values, layout, at, Field));
  });
  EXPECT_EQ(std::memcmp(values.data(), expected.data(), values.size() * sizeof(values[0])), 0)
      << "cells that are not the field's own ones changed";
}

TEST(CellsOf, is_a_view_of_one_field_that_kokkos_copies) {
  using Two = Mixture<2, StencilShape::star>;
  const auto bytes = detail::smallest_value_bytes<Two::Fields>();
  using Space = backend::Exec::memory_space;
  check_cells<Two, Two::count, std::int16_t>(
      Kokkos::View<std::int16_t**, Kokkos::LayoutRight, Space>("mine", 5, 3),
      grid::make_field_layout(2, {5, 3, 1}, 2, 3, bytes));
  check_cells<Two, Two::mean, double>(Kokkos::View<double**, Kokkos::LayoutLeft, Space>("mine", 1, 7),
                                      grid::make_field_layout(2, {1, 7, 1}, 2, 3, bytes));
  using Three = DrawnRule<float, 3, 1, 3, StencilShape::star>;
  check_cells<Three, 1, float>(Kokkos::View<float***, Kokkos::LayoutRight, Space>("mine", 4, 3, 6),
                               grid::make_field_layout(3, {4, 3, 6}, 1, 3, sizeof(float)));
}
TEST(CellsOf, is_constant_where_the_array_is) {
  const grid::FieldLayout layout = grid::make_field_layout(2, {5, 3, 1}, 1, 1, sizeof(float));
  const std::vector<float> values(static_cast<std::size_t>(layout.size()));
  const auto cells = cells_of<DrawnRule<float, 2, 1, 1, StencilShape::star>>(values.data(), layout);
  static_assert(std::is_same_v<decltype(cells), const CellsView<const float, 2>>);
  EXPECT_EQ(cells.data() - values.data(), layout.at({0, 0}));
  EXPECT_EQ(cells.extent(0), 5U);
  EXPECT_EQ(cells.extent(1), 3U);
}

}  // namespace
}  // namespace haloheap::stencil
