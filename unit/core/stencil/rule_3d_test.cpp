// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/unit/core/stencil/rule_checks.hpp>

namespace haloheap::stencil {
namespace {

TEST(UpdateRule, in_three_dimensions_is_its_plain_meaning) {
  check(Driven{});
  check(Layered<float, double, 3>{});
  check(DrawnRule<float, 3, 1, 1, StencilShape::star>(7));
  check(DrawnRule<double, 3, 2, 1, StencilShape::star>(8));
}

TEST(UpdateRule, in_large_grids_of_three_dimensions_is_its_plain_meaning) {
  check_large(Driven{});
  check_large(Layered<float, double, 3>{});
  check_large(DrawnRule<float, 3, 1, 1, StencilShape::star>(9));
  check_large(DrawnRule<double, 3, 2, 1, StencilShape::star>(10));
}

TEST(UpdateRule, of_fields_of_several_types_in_three_dimensions_is_its_plain_meaning) {
  check(Mixture<3, StencilShape::star>{});
  check(Mixture<3, StencilShape::box>{});
  check(SmallMixture<3>{});
  check_large(SmallMixture<3>{});
}

TEST(UpdateRule, in_two_parts_in_three_dimensions_is_its_plain_meaning) {
  check(InParts<float, 3, 1>{});
  check_large(InParts<float, 3, 1>{});
  check(WithPlainSides<InParts<double, 3, 2>>{});
}

TEST(UpdateRule, in_rows_in_three_dimensions_is_its_plain_meaning) {
  check(RowByRow<float, 3, 1>{});
  check(RowByRow<double, 3, 2>{});
  check(WithPlainSides<RowByRow<float, 3, 1>>{});
  check(WithPlainSides<RowByRow<double, 3, 1>>{});
  check_large(WithPlainSides<RowByRow<float, 3, 1>>{});
}

}  // namespace
}  // namespace haloheap::stencil
