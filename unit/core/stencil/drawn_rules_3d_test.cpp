// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// See drawn_rules_test.cpp.
#include <haloheap/unit/core/stencil/rule_checks.hpp>

namespace haloheap::stencil {
namespace {

constexpr auto star = StencilShape::star, box = StencilShape::box;
constexpr auto linear = Drawn::linear;

template <class Rule>
class DrawnRulesIn3D : public ::testing::Test {};

using Few = ::testing::Types<DrawnRule<double, 3, 1, 2, star>, DrawnRule<float, 3, 1, 1, box>,
                             DrawnRule<float, 3, 2, 3, star>, DrawnRule<double, 3, 2, 1, box>>;
using Many = ::testing::Types<
    DrawnRule<double, 3, 1, 2, star>, DrawnRule<float, 3, 1, 1, box>, DrawnRule<float, 3, 2, 3, star>,
    DrawnRule<double, 3, 2, 1, box>, DrawnRule<float, 3, 3, 2, star, linear>,
    DrawnRule<double, 3, 4, 1, star>,
    DrawnStages<DrawnRule<float, 3, 1, 1, star>, DrawnRule<float, 3, 1, 1, star, linear>>,
    DrawnWithConstants<DrawnRule<float, 3, 1, 5, star, linear>, double, 2>,
    DrawnMixture<DrawnRule<double, 3, 1, 4, star, linear>, double, std::int32_t, float, std::int16_t>,
    DrawnDriven<DrawnRule<double, 3, 1, 2, star>>, DrawnDriven<DrawnRule<float, 3, 1, 1, box>>,
    DrawnStages<DrawnDriven<DrawnWithConstants<DrawnRule<float, 3, 1, 1, star>, float, 1>>,
                DrawnDriven<DrawnWithConstants<DrawnRule<float, 3, 1, 1, star, linear>, float, 1>>>,
    DrawnCoupled<DrawnWithConstants<DrawnRule<float, 3, 1, 2, star>, double, 2>>,
    DrawnCoupled<DrawnRule<double, 3, 1, 3, box>>>;
using Kinds = std::conditional_t<every_kind_of_rule, Many, Few>;
TYPED_TEST_SUITE(DrawnRulesIn3D, Kinds);

TYPED_TEST(DrawnRulesIn3D, are_their_plain_meaning) {
  for (const unsigned seed : {1U, 2U}) check(TypeParam(seed));
}

}  // namespace
}  // namespace haloheap::stencil
