// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_CORE_STENCIL_RULE_CHECKS_HPP
#define HALOHEAP_UNIT_CORE_STENCIL_RULE_CHECKS_HPP

#include <haloheap/core/stencil/rule_passes.hpp>
#include <haloheap/unit/core/stencil/rule_grid.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace haloheap::stencil {

using namespace testing;

/// What differs from the plain meaning after passes of so many steps each.
template <class Rule>
std::string differences(const RuleGrid<Rule>& grid, const std::vector<int>& passes) {
  using Traits = RuleTraits<Rule>;
  using Exec = Kokkos::DefaultExecutionSpace;
  int depth = 0, before = 0;
  for (const int steps : passes) depth += steps;
  const Kokkos::View<grid::Index, Exec> done("haloheap::unit::done");
  Subdomain where = grid.subdomain(depth, done.data());
  where.constants_layout = grid.constants_layout(where);
  const auto constants = make_device_array(grid.constants(where.constants_layout));
  where.constants = constants.data();
  const auto kernels = computation_of(grid.rule(), grid.sides()).passes(where);
  const Exec exec;
  auto now = make_device_array(grid.start(where)), next = make_device_array(grid.nothing(where));
  for (const int steps : passes) {
    const grid::Index extra = grid::Index{depth - before - steps} * Traits::radius;
    const grid::Box box = intersect(grown(where.layout.own_box(), Traits::dims, extra), where.inside());
    if (steps == 1) kernels->impose(exec, now.data(), grown(box, Traits::dims, Traits::radius), {}, before);
    kernels->run(exec, now.data(), next.data(), {&box, 1}, before, steps, {});
    std::swap(now, next);
    before += steps;
  }
  exec.fence("haloheap::unit::passes");
  return grid.differences(to_host(now), where.layout, depth);
}

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
      const RuleGrid<Rule> grid(rule, sides, cells, own, sets);
      EXPECT_EQ(differences(grid, {1}), "") << number;
      EXPECT_EQ(differences(grid, {1, 1}), "") << number;
      const auto expect_same = [&](const std::vector<int>& passes) {
        if (most >= passes.front()) {
          EXPECT_EQ(differences(grid, passes), "") << number;
        }
      };
      expect_same({2});
      if (RuleTraits<Rule>::radius < 3) expect_same({3, 1});
      if (RuleTraits<Rule>::radius == 1) expect_same({5});
      if (RuleTraits<Rule>::radius == 1) expect_same({8});
    }
}

/// In which most tiles of the kernels of devices are away from all sides.
template <class Rule>
void check_large(const Rule& rule) {
  const int most =
      computation_of(rule, SideRules::everywhere(Outside::mirror(), RuleTraits<Rule>::dims)).max_fused_steps;
  const grid::Triple cells =
      RuleTraits<Rule>::dims == 2 ? grid::Triple{701, 400, 1} : grid::Triple{265, 90, 70};
  for (const SideRules& sides : {SideRules{}, side_rules_for_tests<Rule>()[1]}) {
    const RuleGrid<Rule> grid(rule, sides, cells, {{0, 0, 0}, cells}, 1);
    for (const int steps : {2, 3, 4})
      if (steps <= most) {
        EXPECT_EQ(differences(grid, {steps}), "") << steps;
      }
  }
}

}  // namespace haloheap::stencil

#endif
