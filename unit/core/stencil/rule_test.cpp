// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/stencil/rule_passes.hpp>
#include <haloheap/core/stencil/rule_reference.hpp>
#include <haloheap/unit/core/stencil/fields.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <limits>

namespace haloheap::stencil {
namespace {

using namespace testing;

template <class T>
std::vector<T> start_values(grid::Index count, unsigned seed) {
  if constexpr (std::is_floating_point_v<T>) {
    return random_values<T>(count, seed);
  } else {
    std::vector<T> values;
    for (const double value : random_values<double>(count, seed)) values.push_back(value < 0.4 ? 1 : 0);
    return values;
  }
}

/// A rule on the whole grid, or on a part of it as one of several ranks would have it, with a halo for
/// `steps` steps that holds the neighbours' values.
template <class Rule>
class PassesOfRule {
 public:
  using Traits = RuleTraits<Rule>;
  using T = typename Traits::T;
  using Exec = Kokkos::DefaultExecutionSpace;

  PassesOfRule(const Rule& rule, const SideRules& sides, const grid::Triple& cells, const grid::Box& own,
               int sets)
      : rule_(rule), sides_(sides), cells_(cells), own_(own), sets_(sets) {
    for (int set = 0; set < sets; ++set)
      start_.push_back(start_values<T>(Traits::fields * product(cells), 3U + static_cast<unsigned>(set)));
  }

  /// What differs from the reference after passes of so many steps each.
  std::string differences(const std::vector<int>& passes) {
    int depth = 0;
    for (const int steps : passes) depth += steps;
    const grid::Index halo = grid::Index{depth} * Traits::radius;
    const auto layout =
        grid::make_field_layout(Traits::dims, {own_.extent(0), own_.extent(1), own_.extent(2)}, halo,
                                Traits::fields * sets_, sizeof(T));
    Kokkos::View<grid::Index, Exec> done("haloheap::unit::done");
    Subdomain where{layout, cells_, own_, {}, done.data()};
    for (int dim = 0; dim < Traits::dims; ++dim) where.periodic[dim] = sides_.periodic(dim);
    const auto kernels = computation_of(rule_, sides_).passes(where);
    const Exec exec;
    auto now = make_device_array(with_halo(layout, where.inside())),
         next = make_device_array(std::vector<T>(static_cast<std::size_t>(layout.size()), filler()));
    int before = 0;
    for (const int steps : passes) {
      const grid::Index extra = grid::Index{depth - before - steps} * Traits::radius;
      const grid::Box box = intersect(grown(layout.own_box(), Traits::dims, extra), where.inside());
      if (steps == 1) kernels->impose(exec, now.data(), grown(box, Traits::dims, Traits::radius), {}, before);
      kernels->run(exec, now.data(), next.data(), {&box, 1}, before, steps, {});
      std::swap(now, next);
      before += steps;
    }
    exec.fence("haloheap::unit::passes");
    return compare(to_host(now), layout, depth);
  }

 private:
  // A cell that nobody computed is seen.
  static T filler() {
    if constexpr (std::is_floating_point_v<T>) return std::numeric_limits<T>::quiet_NaN();
    return 77;
  }

  std::vector<T> with_halo(const grid::FieldLayout& layout, const grid::Box& inside) const {
    std::vector<T> values(static_cast<std::size_t>(layout.size()), filler());
    for_each_cell(intersect(grown(layout.own_box(), Traits::dims, layout.halo.x), inside),
                  [&](const grid::Triple& cell) {
                    grid::Triple at;
                    for (int dim = 0; dim < 3; ++dim)
                      at[dim] = ((cell[dim] + own_.lo[dim]) % cells_[dim] + cells_[dim]) % cells_[dim];
                    for (int set = 0; set < sets_; ++set)
                      for (int field = 0; field < Traits::fields; ++field)
                        values[static_cast<std::size_t>(layout.at(cell, set * Traits::fields + field))] =
                            start_[static_cast<std::size_t>(set)][position(field, at)];
                  });
    return values;
  }

  std::size_t position(int field, const grid::Triple& at) const {
    return static_cast<std::size_t>(((field * cells_.z + at.z) * cells_.y + at.y) * cells_.x + at.x);
  }

  std::string compare(const std::vector<T>& result, const grid::FieldLayout& layout, int steps) const {
    std::vector<T> found, expected;
    for (int set = 0; set < sets_; ++set) {
      RuleReference<Rule> reference(rule_, sides_, cells_, start_[static_cast<std::size_t>(set)]);
      reference.advance(steps);
      for (int field = 0; field < Traits::fields; ++field)
        for_each_cell(layout.own_box(), [&](const grid::Triple& cell) {
          found.push_back(result[static_cast<std::size_t>(layout.at(cell, set * Traits::fields + field))]);
          expected.push_back(reference.values()[position(
              field, {cell.x + own_.lo.x, cell.y + own_.lo.y, cell.z + own_.lo.z})]);
        });
    }
    return difference(found, expected);
  }

  Rule rule_;
  SideRules sides_;
  grid::Triple cells_;
  grid::Box own_;
  int sets_;
  std::vector<std::vector<T>> start_;
};

/// Single steps, passes of several, and both, on the whole grid and on parts of it.
template <class Rule>
void check(const Rule& rule) {
  constexpr bool flat = RuleTraits<Rule>::dims == 2;
  const int most =
      computation_of(rule, SideRules::everywhere(Outside::mirror(), RuleTraits<Rule>::dims)).max_fused_steps;
  const grid::Triple cells = flat ? grid::Triple{37, 29, 1} : grid::Triple{19, 13, 11};
  const grid::Index deep = flat ? 1 : cells.z;
  const std::vector<grid::Box> parts{{{0, 0, 0}, cells},
                                     {{0, 0, 0}, {cells.x - 8, cells.y - 7, deep}},
                                     {{5, 4, flat ? 0 : 3}, {cells.x, cells.y - 8, deep}}};
  int number = 0;
  for (const SideRules& sides : side_rules_for_tests<Rule>())
    for (const grid::Box& own : parts) {
      const int sets = 1 + number++ % 2;
      PassesOfRule<Rule> run(rule, sides, cells, own, sets);
      EXPECT_EQ(run.differences({1}), "") << number;
      EXPECT_EQ(run.differences({1, 1}), "") << number;
      const auto expect_same = [&](const std::vector<int>& passes) {
        if (most >= passes.front()) {
          EXPECT_EQ(run.differences(passes), "") << number;
        }
      };
      expect_same({2});
      if (RuleTraits<Rule>::radius < 3) expect_same({3, 1});
      if (RuleTraits<Rule>::radius == 1) expect_same({5});
    }
}

TEST(UpdateRule, of_two_species_is_its_plain_meaning) {
  check(GrayScott{});
}
TEST(UpdateRule, of_waves_is_its_plain_meaning) {
  check(Wave{});
}
TEST(UpdateRule, of_eight_bits_is_its_plain_meaning) {
  check(Life{});
}

template <class Rule>
class DrawnRules : public ::testing::Test {};
constexpr auto star = StencilShape::star, box = StencilShape::box;
using Drawn = ::testing::Types<
    DrawnRule<float, 2, 1, 1, star>, DrawnRule<double, 2, 1, 3, box>, DrawnRule<float, 2, 2, 2, box>,
    DrawnRule<double, 2, 3, 1, star>, DrawnRule<float, 2, 4, 5, star>, DrawnRule<double, 3, 1, 2, star>,
    DrawnRule<float, 3, 1, 1, box>, DrawnRule<float, 3, 2, 3, star>, DrawnRule<double, 3, 2, 1, box>>;
TYPED_TEST_SUITE(DrawnRules, Drawn);

TYPED_TEST(DrawnRules, are_their_plain_meaning) {
  for (const unsigned seed : {1U, 2U}) check(TypeParam(seed));
}

std::string refusal(const SideRules& sides, int dims, int fields) {
  try {
    require_sides(sides, dims, fields, false);
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
            "the high side of y has 2 entries for the 3 fields of the update rule\n"
            "  consequence: what is outside the grid is not known of all fields\n"
            "  remedy: give one for each field, or one for all of them");
  sides.high[1].clear();
  EXPECT_EQ(refusal(sides, 2, 1),
            "one side of y is periodic and the other is not\n"
            "  consequence: the cells beyond it are no one's\n"
            "  remedy: make both sides periodic, or neither");
  sides.high[1] = {{Outside::Kind::mirror, 0.5}};
  EXPECT_EQ(refusal(sides, 2, 1).find("the high side of y mirrors with the factor 0.5"), 0U);
  sides.high[1] = {Outside::rule()};
  EXPECT_EQ(refusal(sides, 2, 1).find("the high side of y is left to an update rule that does not say"), 0U);
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
static_assert(UpdateRule<GrayScott> && UpdateRule<Wave> && UpdateRule<Life>);
static_assert(!UpdateRule<NoFields> && !UpdateRule<NoRadius> && !UpdateRule<TwoOfThree> && !UpdateRule<int>);

}  // namespace
}  // namespace haloheap::stencil
