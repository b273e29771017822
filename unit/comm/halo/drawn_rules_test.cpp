// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Rules whose numbers are drawn at random, in deep halos: see rules_test.cpp. The kinds cover what rules may
// be, as those of unit/core/stencil/drawn_rules_test.cpp do.
#include <haloheap/unit/comm/halo/rule_runs.hpp>

namespace haloheap::comm {
namespace {

constexpr auto star = stencil::StencilShape::star, box = stencil::StencilShape::box;
constexpr auto linear = Drawn::linear;

TEST(DeepHaloRules, drawn_ones_have_the_same_bits) {
  check(DrawnRule<double, 2, 1, 3, box>(5), {29, 19, 1}, 200);
  check(DrawnRule<float, 2, 3, 1, star>(6), {53, 47, 1}, 300);
  check(DrawnRule<float, 3, 1, 2, box>(7), {13, 12, 14}, 400);
  check(DrawnRule<double, 3, 2, 1, star>(8), {17, 19, 16}, 500);
}

template <class Rule>
void check_of_every_kind(unsigned seed, const grid::Triple& cells) {
  if constexpr (every_kind_of_rule)
    check(Rule(seed), cells, 100 * seed);
  else
    GTEST_SKIP() << "compiled for devices with HALOHEAP_TEST_ALL_RULES=ON";
}

TEST(DeepHaloRules, drawn_ones_of_radius_4_have_the_same_bits) {
  check(DrawnRule<float, 2, 4, 5, star>(9), {53, 47, 1}, 900);
  check_of_every_kind<DrawnRule<double, 3, 4, 1, star, linear>>(10, {27, 25, 26});
}
TEST(DeepHaloRules, drawn_ones_of_radius_3_in_3d_have_the_same_bits) {
  check_of_every_kind<DrawnRule<float, 3, 3, 2, star>>(11, {21, 19, 20});
}
TEST(DeepHaloRules, drawn_linear_ones_have_the_same_bits) {
  check(DrawnRule<double, 2, 1, 4, star, linear>(12), {31, 27, 1}, 1200);
  check_of_every_kind<DrawnRule<float, 2, 2, 2, box, linear>>(13, {37, 33, 1});
}
TEST(DeepHaloRules, drawn_stages_have_the_same_bits) {
  using Steps = DrawnStages<DrawnRule<float, 2, 1, 2, box, linear>, DrawnRule<float, 2, 2, 2, star>>;
  check_of_every_kind<Steps>(14, {37, 33, 1});
}
TEST(DeepHaloRules, drawn_ones_with_constants_have_the_same_bits) {
  check_of_every_kind<DrawnWithConstants<DrawnRule<float, 2, 2, 1, star, linear>, double, 2>>(15,
                                                                                              {37, 31, 1});
}
TEST(DeepHaloRules, drawn_ones_of_several_types_have_the_same_bits) {
  using Rule = DrawnRule<float, 2, 2, 4, star>;
  check_of_every_kind<DrawnMixture<Rule, float, std::int8_t, std::int16_t, std::int8_t>>(16, {37, 31, 1});
}
TEST(DeepHaloRules, drawn_ones_that_depend_on_place_and_time_have_the_same_bits) {
  check(DrawnDriven<DrawnRule<float, 2, 1, 2, box>>(17), {31, 29, 1}, 1700);
  using Steps = DrawnStages<DrawnDriven<DrawnRule<double, 2, 1, 2, star>>,
                            DrawnDriven<DrawnRule<double, 2, 1, 2, box, linear>>>;
  check_of_every_kind<Steps>(18, {29, 31, 1});
}
TEST(DeepHaloRules, drawn_ones_whose_sides_see_all_fields_have_the_same_bits) {
  check(DrawnCoupled<DrawnRule<float, 2, 1, 2, star>>(19), {31, 29, 1}, 1900);
  check_of_every_kind<DrawnCoupled<DrawnWithConstants<DrawnRule<double, 3, 1, 2, box>, float, 1>>>(
      20, {13, 12, 14});
}

}  // namespace
}  // namespace haloheap::comm
