// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that devices run, on teams of warps whose lanes take turns in any order, against the rules'
// plain meaning.
#include <haloheap/core/stencil/rule_planes.hpp>
#include <haloheap/unit/core/lanes/emulated_warp.hpp>
#include <haloheap/unit/core/stencil/rule_grid.hpp>
#include <haloheap/unit/core/stencil/rules.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

namespace haloheap::stencil {
namespace {

using namespace testing;

/// What the warps of a team share.
struct TeamMemory {
  int threads;
  std::vector<std::uint64_t> scratch;
  int arrived = 0;
  unsigned barriers = 0;
};

/// Kokkos' TeamMember, as far as kernels here use it.
class EmulatedMember {
 public:
  EmulatedMember(TeamMemory& memory, unsigned league_rank, unsigned thread)
      : memory_(memory), league_rank_(league_rank), thread_(thread) {}

  int league_rank() const { return static_cast<int>(league_rank_); }
  int team_rank() const { return static_cast<int>(thread_); }
  void team_barrier() const {
    const unsigned mine = memory_.barriers;
    if (++memory_.arrived == memory_.threads) {
      memory_.arrived = 0;
      ++memory_.barriers;
    }
    while (memory_.barriers == mine) emulation::EmulatedPlatform::pause();
  }
  const EmulatedMember& team_scratch(int /*level*/) const { return *this; }
  void* get_shmem_aligned(int bytes, int /*alignment*/) const {
    EXPECT_LE(static_cast<std::size_t>(bytes), 8 * memory_.scratch.size());
    return memory_.scratch.data();
  }

 private:
  TeamMemory& memory_;
  unsigned league_rank_, thread_;
};

/// A rule's passes on its whole grid.
template <int Steps, detail::PlaneShape shape, class Rule>
void check_rule(const Rule& rule, const grid::Triple& cells, int planes, unsigned seed) {
  using T = typename RuleTraits<Rule>::T;
  using Kernel = detail::RulePlanes<Rule, Steps, shape, true, emulation::EmulatedPlatform>;
  for (const SideRules& sides : side_rules_for_tests<Rule>()) {
    const RuleGrid<Rule> grid(rule, sides, cells, {{0, 0, 0}, cells}, 1 + static_cast<int>(seed % 2));
    const grid::Index done = 0;
    Subdomain where = grid.subdomain(Steps, &done);
    where.constants_layout = grid.constants_layout(where);
    const auto constants = grid.constants(where.constants_layout);
    where.constants = constants.data();
    const detail::StreamBox box{where.layout.own_box(), planes};
    const detail::StreamTiles<3> tiles({&box, 1}, grid.sets(), Kernel::tile());
    const auto in = make_host_array(grid.start(where)), out = make_host_array(grid.nothing(where));
    const Kernel kernel{{in.data(), out.data(), where.layout.origin, where.layout.plane,
                         where.layout.quantity_size, static_cast<int>(where.layout.pitch)},
                        rule,
                        detail::FrameOf<Rule>(where, 0),
                        detail::RuleEdges<Rule>(sides, where.inside()),
                        tiles};
    for (unsigned team = 0; team < tiles.count(); ++team) {
      TeamMemory memory{shape.warps * 32, std::vector<std::uint64_t>(Kernel::scratch_bytes / 8, ~0ULL)};
      emulation::RandomSchedule schedule(seed++);
      emulation::run_warps({static_cast<unsigned>(shape.warps)}, schedule,
                           [&](unsigned thread) { kernel(EmulatedMember(memory, team, thread)); });
    }
    EXPECT_EQ(grid.differences(std::vector<T>(out.data(), out.data() + out.size()), where.layout, Steps), "")
        << Steps << " steps, " << planes << " planes a tile";
  }
}

using detail::PlaneShape;

TEST(EmulatedPlanes, are_the_rules_plain_meaning_in_any_order_of_the_lanes) {
  check_rule<2, PlaneShape{2, 4, 1}>(Driven{}, {13, 7, 5}, 3, 1);
  check_rule<4, PlaneShape{3, 4, 1}>(DrawnRule<float, 3, 1, 1, StencilShape::star>(3), {9, 6, 7}, 7, 20);
  check_rule<3, PlaneShape{3, 3, 1}>(Layered<float, double, 3>{}, {11, 5, 9}, 4, 40);
  check_rule<2, PlaneShape{3, 4, 1}>(DrawnRule<double, 3, 2, 1, StencilShape::star>(4), {7, 8, 6}, 6, 60);
  check_rule<1, PlaneShape{2, 2, 1}>(DrawnRule<double, 3, 1, 3, StencilShape::star>(5), {70, 4, 4}, 3, 80);
}

}  // namespace
}  // namespace haloheap::stencil
