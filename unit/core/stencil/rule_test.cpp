// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/rule_passes.hpp>
#include <haloheap/unit/core/stencil/rule_checks.hpp>
#include <haloheap/unit/core/stencil/rule_grid.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <utility>

namespace haloheap::stencil {
namespace {

using namespace testing;

/// The kernels of devices, their threads one after the other.
template <class Rule>
void check_device_kernels(const Rule& rule) {
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  constexpr int width = 16 / sizeof(T);
  const grid::Triple cells = Traits::dims == 2 ? grid::Triple{37, 29, 1} : grid::Triple{19, 13, 11};
  for (const SideRules& sides : side_rules_for_tests<Rule>()) {
    const RuleGrid<Rule> grid(rule, sides, cells, {{0, 0, 0}, cells}, 2);
    const grid::Index done = 0;
    Subdomain where = grid.subdomain(1, &done);
    where.constants_layout = grid.constants_layout(where);
    const auto constants = grid.constants(where.constants_layout);
    where.constants = constants.data();
    const grid::FieldLayout& layout = where.layout;
    const grid::Box box = layout.own_box();
    const detail::FrameOf<Rule> now(where, 0);
    const detail::RuleEdges<Rule> edges(sides, where.inside());
    const auto in = make_host_array(grid.start(where));
    const detail::OutCell<Rule> before(in.data());
    const detail::InCell<Rule> from(in.data());
    const detail::ImposeOutside<Rule> impose{before, layout, rule, now, edges};
    for (const grid::Box& outside :
         grid::outside_boxes(grown(box, Traits::dims, Traits::radius), where.inside(), {}))
      for_each_cell(outside, [&](const grid::Triple& cell) {
        for (int set = 0; set < grid.sets(); ++set) impose(cell, set);
      });
    const auto expect_same = [&](const auto& kernel, const auto& out, grid::Index threads) {
      for (grid::Index i = 0; i < threads; ++i) kernel(i);
      EXPECT_EQ(grid.differences({out.data(), out.data() + out.size()}, layout, 1), "");
    };
    {
      const auto out = make_host_array(grid.nothing(where));
      const grid::BoxList list(std::span(&box, 1));
      expect_same(
          detail::CellSweep<Rule>{from, detail::OutCell<Rule>(out.data()), layout, rule, now, list, {}}, out,
          grid.sets() * list.cells());
    }
    const auto out = make_host_array(grid.nothing(where));
    const detail::OutCell<Rule> to(out.data());
    if constexpr (Traits::dims == 2) {
      using Kernel = detail::TileSweep<Rule, width, 3>;
      const typename Kernel::Tiles tiles(box);
      expect_same(Kernel{from, to, layout.origin, layout.pitch, layout.quantity_size, rule, now, tiles, {}},
                  out, grid.sets() * grid::Index{tiles.columns} * tiles.rows);
    } else {
      using Kernel = std::conditional_t<Traits::star, detail::MarchSweep<Rule, width, 2>,
                                        detail::BoxMarchSweep<Rule, width, 2>>;
      const typename Kernel::Tiles tiles(box);
      const unsigned chunks = 3;
      expect_same(Kernel{{from,
                          to,
                          layout.origin,
                          layout.pitch,
                          layout.plane,
                          layout.quantity_size,
                          rule,
                          now,
                          tiles,
                          0,
                          static_cast<int>(cells.z),
                          4,
                          chunks,
                          {}}},
                  out, grid.sets() * grid::Index{tiles.columns} * tiles.rows * chunks);
    }
  }
}

TEST(UpdateRule, of_which_a_pass_makes_eight_steps_is_its_plain_meaning) {
  check(FivePoints{});
}
TEST(UpdateRule, of_two_species_is_its_plain_meaning) {
  check(GrayScott{});
  check(InParts<float, 2, 1>{});
}
TEST(UpdateRule, has_kernels_for_devices) {
  if (!backend::kernels_on_host) GTEST_SKIP() << "the other tests run them";
  check_device_kernels(GrayScott{});
  check_device_kernels(InParts<double, 3, 1>{});
  check_device_kernels(RowByRow<float, 3, 1>{});
  check_device_kernels(Wave{});
  check_device_kernels(Life{});
  check_device_kernels(Layered<float, double, 2>{});
  check_device_kernels(Layered<double, float, 3>{});
  check_device_kernels(DrawnRule<double, 2, 2, 3, StencilShape::box>(4));
  check_device_kernels(DrawnRule<float, 3, 2, 2, StencilShape::star>(5));
  check_device_kernels(DrawnRule<double, 3, 1, 1, StencilShape::box>(6));
  check_device_kernels(Mixture<2, StencilShape::box>{});
  check_device_kernels(Mixture<3, StencilShape::star>{});
  check_device_kernels(SmallMixture<2>{});
  check_device_kernels(SmallMixture<3>{});
  check_device_kernels(Mixture<3, StencilShape::box>{});
  check_device_kernels(DrawnRule<float, 3, 2, 1, StencilShape::box>(9));
  check_device_kernels(DrawnDriven<DrawnRule<double, 2, 2, 2, StencilShape::star>>(10));
  check_device_kernels(DrawnDriven<DrawnRule<float, 3, 1, 2, StencilShape::box>>(11));
}
TEST(UpdateRule, of_waves_is_its_plain_meaning) {
  check(Wave{});
}
TEST(UpdateRule, in_large_grids_is_its_plain_meaning) {
  check_large(GrayScott{});
  check_large(Layered<float, float, 2>{});
}

TEST(UpdateRule, of_eight_bits_is_its_plain_meaning) {
  check(Life{});
}

TEST(UpdateRule, of_fields_of_several_types_is_its_plain_meaning) {
  check(Mixture<2, StencilShape::star>{});
  check(Mixture<2, StencilShape::box>{});
  check(SmallMixture<2>{});
}
TEST(UpdateRule, of_fields_of_several_types_in_large_grids_is_its_plain_meaning) {
  check_large(Mixture<2, StencilShape::star>{});
}

TEST(UpdateRule, with_constants_is_its_plain_meaning) {
  check(Layered<float, float, 2>{});
  check(Layered<double, float, 2>{});
}
TEST(UpdateRule, of_several_stages_is_its_plain_meaning) {
  check(ThreeStages{});
  check(SplitStep{});
}
TEST(UpdateRule, of_stages_takes_its_rules_in_turn) {
  const grid::Triple cells{13, 9, 1};
  const auto sides = SideRules::everywhere(Outside::mirror(), 2);
  std::vector<float> values = random_values<float>(product(cells), 7);
  RuleReference both(Stages(Along<0, 1>{}, Along<1, 2>{}), sides, cells, values);
  both.advance(2);
  for (int step = 0; step < 2; ++step) {
    RuleReference in_x(Along<0, 1>{}, sides, cells, values);
    in_x.advance(1);
    RuleReference in_y(Along<1, 2>{}, sides, cells, in_x.values());
    in_y.advance(1);
    values = in_y.values();
  }
  EXPECT_EQ(both.values(), values);
}

/// The same as one operator.
template <class Parts>
struct InOne {
  using Fields = typename Parts::Fields;
  static constexpr int dims = Parts::dims, radius = Parts::radius;
  static constexpr StencilShape shape = Parts::shape;
  Parts parts;

  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    const auto below = [&](int field) {
      return dims == 2 ? cell(field, 0, -radius) : cell(field, 0, 0, -radius);
    };
    return parts.finish(cell, parts.begin(below));
  }
};

template <class Parts>
void expect_same_in_one() {
  const grid::Triple cells{13, 9, Parts::dims == 2 ? 1 : 7};
  const auto sides = SideRules::everywhere(Outside::mirror(), Parts::dims);
  const auto values = random_values<typename Parts::Fields::type>(2 * product(cells), 7);
  RuleReference parts(Parts{}, sides, cells, values);
  RuleReference one(InOne<Parts>{}, sides, cells, values);
  parts.advance(3);
  one.advance(3);
  EXPECT_EQ(parts.values(), one.values());
}

TEST(UpdateRule, in_two_parts_is_the_same_in_one) {
  expect_same_in_one<InParts<float, 2, 2>>();
  expect_same_in_one<InParts<double, 3, 2>>();
  check(Stages(InParts<float, 2, 1>{}, InParts<float, 2, 2>{}));
}

TEST(UpdateRule, in_rows_is_its_plain_meaning) {
  check(RowByRow<float, 2, 1>{});
  check(RowByRow<double, 2, 2>{});
  check(Stages(RowByRow<double, 2, 1>{}, RowByRow<double, 2, 2>{}));
}

std::string refusal(const SideRules& sides, int dims, int fields, bool plain = false) {
  try {
    std::vector<std::string> names{"density", "u", "v"};
    names.resize(static_cast<std::size_t>(fields));
    require_sides(sides, dims, names, plain, plain);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(SideRules, that_do_not_fit_are_refused) {
  SideRules sides = SideRules::everywhere(Outside::mirror(), 2);
  EXPECT_EQ(refusal(sides, 2, 3), "");
  sides.high[1] = {Outside::mirror(), Outside::value(1)};
  EXPECT_EQ(refusal(sides, 2, 2), "");
  EXPECT_EQ(refusal(sides, 2, 3),
            "the high side of y has 2 entries for the 3 fields of the update rule, density, u, v\n"
            "  consequence: what is outside the grid is not known of all fields\n"
            "  remedy: give one for each field, or one for all of them");
  sides.high[1].clear();
  EXPECT_EQ(refusal(sides, 2, 1),
            "the low side of y has entries and the high side has none\n"
            "  consequence: the grid would end at one side and wrap around at the other\n"
            "  remedy: give both sides, or neither where the grid wraps around");
  sides.high[1] = {{Outside::Kind::mirror, 0.5}};
  EXPECT_EQ(refusal(sides, 2, 1).find("the high side of y mirrors with the factor 0.5"), 0U);
  sides.high[1] = {Outside::rule()};
  EXPECT_EQ(refusal(sides, 2, 1).find("the high side of y is left to an update rule that does not say"), 0U);
}

/// Whose kernels know no other sides than fixed and mirrored ones.
struct Plain {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 1;
  static constexpr bool plain_sides = true;
  template <class Cell>
  KOKKOS_FUNCTION float operator()(const Cell& cell) const {
    return cell(0, 1, 0);
  }
};

/// Two species, of which the second one eats the first.
struct Species {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1, max_fused_steps = 1;
  static constexpr std::string_view names[2] = {"prey", "predators"};
  template <class Cell>
  KOKKOS_FUNCTION auto operator()(const Cell& cell) const {
    return values(cell(0, 1, 0), cell(1, 0, 1));
  }
};

TEST(FieldNames, are_those_of_the_rule_or_numbers) {
  const std::vector<std::string> names{"prey", "predators"}, numbers{"field_0"};
  EXPECT_EQ(field_names<Species>(), names);
  EXPECT_EQ(field_names<Plain>(), numbers);
  EXPECT_EQ((field_names<Stages<Species, Species>>()), names) << "those of the first stage";
  EXPECT_EQ((field_names<MeasuringRule<Species, Residual>>()), names);
  static_assert(field_number<Species>("prey") == 0 && field_number<Species>("predators") == 1);
  static_assert(std::is_empty_v<detail::NamesOf<Species>> && std::is_empty_v<detail::NamesOf<Plain>>);
}

TEST(FieldNames, say_what_is_outside_in_any_order) {
  const std::vector<Outside> outside =
      outside_of<Species>({{"predators", Outside::mirror(-1)}, {"prey", Outside::value(2)}});
  ASSERT_EQ(outside.size(), 2U);
  EXPECT_EQ(outside[0].kind, Outside::Kind::value);
  EXPECT_EQ(outside[0].number, 2);
  EXPECT_EQ(outside[1].kind, Outside::Kind::mirror);
  EXPECT_EQ(outside[1].number, -1);
}

TEST(FieldNames, that_do_not_fit_are_refused) {
  using Entries = std::vector<std::pair<std::string, Outside>>;
  const auto refused = [](const Entries& entries) -> std::string {
    try {
      outside_of<Species>(entries);
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  };
  const Outside closed = Outside::mirror();
  EXPECT_EQ(refused({{"prey", closed}, {"predator", closed}}),
            "the update rule has no field 'predator'\n"
            "  consequence: what is outside the grid is not known of all fields\n"
            "  remedy: give one entry for each field: prey, predators");
  EXPECT_EQ(refused({{"prey", closed}, {"prey", closed}}).find("a side of the grid has two entries for"), 0U);
  EXPECT_EQ(refused({{"predators", closed}}).find("a side of the grid has no entry for the field 'prey'"),
            0U);
  SideRules sides = SideRules::everywhere(closed, 2);
  sides.low[1] = {closed, closed, closed};
  try {
    computation_of(Species{}, sides);
    FAIL() << "three entries for two fields";
  } catch (const UsageError& error) {
    EXPECT_EQ(error.cause(),
              "the low side of y has 3 entries for the 2 fields of the update rule, prey, predators");
  }
}

TEST(SideRules, that_kernels_of_plain_sides_do_not_know_are_refused) {
  SideRules sides = SideRules::everywhere(Outside::mirror(), 2);
  sides.low[1] = {Outside::value(-2)};
  EXPECT_EQ(refusal(sides, 2, 1, true), "");
  const std::string rest =
      ", and the update rule says plain_sides\n"
      "  consequence: its kernels would mirror there\n"
      "  remedy: use value(number) or mirror(), or a rule that does not say so";
  for (const auto& [outside, name] :
       {std::pair(Outside::outflow(), "outflow()"), std::pair(Outside::mirror(-1), "mirror(-1)"),
        std::pair(Outside::rule(), "rule()")}) {
    sides.high[0] = {outside};
    EXPECT_EQ(refusal(sides, 2, 1, true), std::string("the high side of x is Outside::") + name + rest);
  }
  EXPECT_THROW(computation_of(Plain{}, SideRules::everywhere(Outside::outflow(), 2)), UsageError);
}

TEST(SideRules, differ_in_words_where_they_differ) {
  SideRules sides;
  EXPECT_EQ(text_of(sides, 2), "periodic; periodic; periodic; periodic");
  sides.low[1] = {Outside::value(0.1), Outside::outflow()};
  sides.high[1] = {Outside::rule(), Outside::mirror(-1)};
  EXPECT_EQ(text_of(sides, 2), "periodic; periodic; value(0.1) outflow(); rule() mirror(-1)");
}

/// Asks for a neighbour, or a field, that it does not say it needs.
template <StencilShape Shape>
struct AsksFor {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr StencilShape shape = Shape;
  int field = 0, dx = 0, dy = 0, dz = 0;
  template <class Cell>
  float operator()(const Cell& cell) const {
    return cell(field, dx, dy, dz);
  }
};

template <class Rule>
std::string refusal_of(const Rule& rule, std::size_t values = 12) {
  try {
    RuleReference<Rule>(rule, {}, {4, 3, 1}, std::vector<float>(values)).advance(1);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

TEST(RuleReference, refuses_rules_that_ask_for_more_than_they_say) {
  using Star = AsksFor<StencilShape::star>;
  using Box = AsksFor<StencilShape::box>;
  EXPECT_EQ(refusal_of(Star{0, -1, 0}) + refusal_of(Star{0, 0, 1}) + refusal_of(Box{0, 1, -1}), "");
  EXPECT_EQ(refusal_of(Box{0, 2, 0}),
            "an update rule of 2 dimensions and radius 1, shape box, asks for the neighbour (2, 0, 0)\n"
            "  consequence: kernels would read cells that are not there\n"
            "  remedy: say a larger radius");
  EXPECT_EQ(refusal_of(Star{0, 1, 1}),
            "an update rule of 2 dimensions and radius 1, shape star, asks for the neighbour (1, 1, 0)\n"
            "  consequence: kernels would read cells that are not there\n"
            "  remedy: say shape = StencilShape::box");
  EXPECT_NE(refusal_of(Box{0, 0, 0, 1}), "");
  EXPECT_EQ(refusal_of(Box{1}),
            "an update rule asks for field 1 of 1\n"
            "  consequence: kernels would read elsewhere\n"
            "  remedy: count them from 0");
  EXPECT_EQ(refusal_of(Box{}, 11),
            "the fields of a rule have 11 values, but its grid asks for 12\n"
            "  consequence: values would be read elsewhere\n"
            "  remedy: give one for each field and cell of the whole grid");
}

// What the compiler says of a rule that lacks something.
struct NoFields {
  static constexpr int dims = 2, radius = 1;
  template <class Cell>
  float operator()(const Cell&) const {
    return 0;
  }
};
struct NoRadius : NoFields {
  using Fields = stencil::Fields<float>;
  static constexpr int radius = 0;
};
struct TwoOfThree {
  using Fields = stencil::Fields<float, float, float>;
  static constexpr int dims = 2, radius = 1;
  template <class Cell>
  auto operator()(const Cell&) const {
    return values(0.0F, 1.0F);
  }
};
struct RoundsUnseen {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  template <class Cell>
  auto operator()(const Cell& cell) const {
    return 0.5 * cell(0);
  }
};
TEST(FieldOf, points_to_the_values_of_one_field) {
  using Rule = Mixture<2, StencilShape::star>;
  const grid::FieldLayout layout =
      grid::make_field_layout(2, {5, 3, 1}, 1, 3, detail::smallest_value_bytes<Rule::Fields>());
  auto bytes = RuleFields<Rule>::unset_values(layout);
  EXPECT_EQ(static_cast<grid::Index>(bytes.size()), array_size<Rule>(layout));
  const auto cell = static_cast<std::size_t>(layout.at({4, 2}));
  field_of<Rule, Rule::heat>(bytes.data(), layout)[cell] = 1.5F;
  field_of<Rule, Rule::count>(bytes.data(), layout)[cell] = -7;
  field_of<Rule, Rule::mean>(bytes.data(), layout)[cell] = 1e300;
  EXPECT_EQ(RuleFields<Rule>::get(bytes, layout, {4, 2}, Rule::heat), 1.5);
  EXPECT_EQ(RuleFields<Rule>::get(bytes, layout, {4, 2}, Rule::count), -7);
  EXPECT_EQ(RuleFields<Rule>::get(bytes, layout, {4, 2}, Rule::mean), 1e300);
  const auto as_constant = static_cast<const std::vector<std::byte>&>(bytes).data();
  static_assert(
      std::is_same_v<decltype(field_of<Rule, Rule::count>(as_constant, layout)), const std::int16_t*>);

  std::vector<float> values(static_cast<std::size_t>(array_size<GrayScott>(layout)));
  EXPECT_EQ((field_of<GrayScott, GrayScott::v>(values.data(), layout) - values.data()), layout.quantity_size);
}
static_assert(std::is_same_v<Fields<float, std::uint8_t>::type, float> &&
              !detail::is_mixed<Fields<float, float>>);
static_assert(!RuleTraits<Mixture<2, StencilShape::star>>::has_residual &&
              RuleTraits<GrayScott>::has_residual);

static_assert(UpdateRule<GrayScott> && UpdateRule<Wave> && UpdateRule<Life> && UpdateRule<SplitStep>);
static_assert(SplitStep::radius == 2 && RuleTraits<SplitStep>::star && RuleTraits<SplitStep>::uses_step);
static_assert(!UpdateRule<NoFields> && !UpdateRule<NoRadius> && !UpdateRule<TwoOfThree> && !UpdateRule<int>);
static_assert(!UpdateRule<RoundsUnseen>);

}  // namespace
}  // namespace haloheap::stencil
