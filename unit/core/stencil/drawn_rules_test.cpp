// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rules whose numbers are drawn at random. Each kind is a set of kernels to compile, which takes seconds: the
// list has each shape, dimension, radius from 1 to 4, number of fields from 1 to 5, type, linear and other
// terms, constants, stages, and what depends on place and time, in some combination each.
#include <haloheap/unit/core/stencil/rule_checks.hpp>

namespace haloheap::stencil {
namespace {

constexpr auto star = StencilShape::star, box = StencilShape::box;
constexpr auto linear = Drawn::linear;

template <class Rule>
class DrawnRules : public ::testing::Test {};

using Few = ::testing::Types<DrawnRule<float, 2, 1, 1, star>, DrawnRule<double, 2, 1, 3, box>,
                             DrawnRule<float, 2, 2, 2, box>, DrawnRule<double, 2, 3, 1, star>,
                             DrawnRule<float, 2, 4, 5, star>, DrawnRule<double, 2, 1, 4, star, linear>>;
using Many = ::testing::Types<
    DrawnRule<float, 2, 1, 1, star>, DrawnRule<double, 2, 1, 3, box>, DrawnRule<float, 2, 2, 2, box>,
    DrawnRule<double, 2, 3, 1, star>, DrawnRule<float, 2, 4, 5, star>,
    DrawnRule<double, 2, 1, 4, star, linear>, DrawnRule<float, 2, 2, 1, box, linear>,
    DrawnRule<float, 2, 3, 3, star, linear>, DrawnRule<double, 2, 4, 1, box, linear>,
    DrawnStages<DrawnRule<float, 2, 1, 4, box, linear>, DrawnRule<float, 2, 2, 4, star>>,
    DrawnWithConstants<DrawnRule<double, 2, 2, 2, star, linear>, float, 3>,
    DrawnMixture<DrawnRule<float, 2, 2, 4, star>, float, std::int8_t, std::int16_t, std::int8_t>,
    DrawnDriven<DrawnRule<float, 2, 2, 1, box>>,
    DrawnDriven<DrawnMixture<DrawnRule<double, 2, 1, 3, box>, double, std::int8_t, float>>,
    DrawnStages<DrawnDriven<DrawnRule<float, 2, 1, 2, star>>,
                DrawnDriven<DrawnRule<float, 2, 2, 2, star, linear>>>,
    DrawnCoupled<DrawnRule<float, 2, 2, 3, star>>,
    DrawnCoupled<DrawnWithConstants<DrawnRule<double, 2, 1, 2, box>, float, 2>>,
    DrawnStages<DrawnCoupled<DrawnRule<float, 2, 1, 2, star>>, DrawnDriven<DrawnRule<float, 2, 1, 2, box>>>>;
using Kinds = std::conditional_t<every_kind_of_rule, Many, Few>;
TYPED_TEST_SUITE(DrawnRules, Kinds);

TYPED_TEST(DrawnRules, are_their_plain_meaning) {
  for (const unsigned seed : {1U, 2U}) check(TypeParam(seed));
}

}  // namespace
}  // namespace haloheap::stencil
