// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The kernel that devices run, on teams of warps whose lanes take turns in any order, against the rules'
// plain meaning.
#include <haloheap/core/stencil/rule_planes_launch.hpp>
#include <haloheap/core/stencil/stencil_points.hpp>
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

template <class Rule, int Steps, detail::PlaneShape shape, detail::Sides where>
using KernelOf = typename detail::PlanesOf<Rule, Steps, shape, where, emulation::EmulatedPlatform>::type;

/// A rule on its whole grid, with memory for passes of so many steps.
template <class Rule>
struct WholeGrid {
  using Value = typename RuleGrid<Rule>::Value;

  const SideRules& sides;
  RuleGrid<Rule> grid;
  grid::Index done = 0;
  Subdomain where;
  memory::Array<Value> in, out;
  std::vector<typename RuleTraits<Rule>::Constant> constants;

  WholeGrid(const Rule& rule, const SideRules& given, const grid::Triple& cells, int steps, int sets)
      : sides(given),
        grid(rule, sides, cells, {{0, 0, 0}, cells}, sets),
        where(grid.subdomain(steps, &done)),
        in(make_host_array(grid.start(where))),
        out(make_host_array(grid.nothing(where))) {
    where.constants_layout = grid.constants_layout(where);
    constants = grid.constants(where.constants_layout);
    where.constants = constants.data();
  }

  template <int Steps, detail::PlaneShape shape, detail::Sides kind>
  void run(const std::vector<grid::Box>& boxes, int planes, unsigned seed) {
    using Kernel = KernelOf<Rule, Steps, shape, kind>;
    std::vector<detail::StreamBox> parts;
    for (const grid::Box& box : boxes) parts.push_back({box, planes});
    detail::for_each_stream_tiles<3>(
        parts, grid.sets(), Kernel::tile(), [&](const detail::StreamTiles<3>& tiles) {
          const Kernel kernel{
              {detail::InCell<Rule>(in.data()), detail::OutCell<Rule>(out.data()), where.layout.origin,
               where.layout.plane, where.layout.quantity_size, static_cast<int>(where.layout.pitch)},
              grid.rule(),
              detail::FrameOf<Rule>(where, 0),
              detail::RuleEdges<Rule>(sides, where.inside()),
              tiles};
          for (unsigned team = 0; team < tiles.count(); ++team) {
            TeamMemory memory{shape.warps * 32, std::vector<std::uint64_t>(Kernel::scratch_bytes / 8, ~0ULL)};
            emulation::RandomSchedule schedule(seed++);
            emulation::run_warps({static_cast<unsigned>(shape.warps)}, schedule,
                                 [&](unsigned thread) { kernel(EmulatedMember(memory, team, thread)); });
          }
        });
  }
};

/// As a launch does: tiles that meet sides have kernels of their own.
template <int Steps, detail::PlaneShape shape, class Rule>
void check_rule(const Rule& rule, const grid::Triple& cells, int planes, unsigned seed) {
  using detail::Sides;
  for (const SideRules& sides : side_rules_for_tests<Rule>()) {
    WholeGrid<Rule> whole(rule, sides, cells, Steps, 1 + static_cast<int>(seed++ % 2));
    const detail::RuleEdges<Rule> edges(sides, whole.where.inside());
    const grid::Box box = whole.where.layout.own_box();
    const detail::SideParts parts(edges, {&box, 1}, KernelOf<Rule, Steps, shape, Sides::away>::tile());
    whole.template run<Steps, shape, Sides::anywhere>(parts.anywhere, planes, seed);
    whole.template run<Steps, shape, Sides::aligned>(parts.aligned, planes, seed);
    whole.template run<Steps, shape, Sides::away>(parts.away, planes, seed);
    EXPECT_EQ(whole.grid.differences({whole.out.data(), whole.out.data() + whole.out.size()},
                                     whole.where.layout, Steps),
              "")
        << Steps << " steps, " << planes << " planes a tile";
  }
}

using detail::PlaneShape;

TEST(EmulatedPlanes, are_the_rules_plain_meaning_in_any_order_of_the_lanes) {
  check_rule<2, PlaneShape{2, 4, 1}>(Driven{}, {13, 7, 5}, 3, 1);
  check_rule<4, PlaneShape{3, 4, 1}>(DrawnRule<float, 3, 1, 1, StencilShape::star>(3), {9, 6, 7}, 7, 20);
  check_rule<3, PlaneShape{3, 3, 1}>(Layered<float, double, 3>{}, {11, 5, 9}, 4, 40);
  check_rule<2, PlaneShape{3, 4, 1}>(DrawnRule<double, 3, 2, 1, StencilShape::star>(4), {7, 8, 6}, 6, 60);
  check_rule<4, PlaneShape{2, 8, 1}>(DrawnRule<double, 3, 1, 1, StencilShape::star>(6), {5, 9, 4}, 4, 70);
  check_rule<2, PlaneShape{2, 4, 1}>(Mixture<3, StencilShape::star>{}, {9, 7, 5}, 3, 150);
  check_rule<2, PlaneShape{3, 4, 1}>(SmallMixture<3>{}, {9, 8, 6}, 4, 170);
  // Sides between lanes and at the ends of tiles.
  check_rule<2, PlaneShape{2, 4, 1}>(Driven{}, {16, 20, 5}, 3, 90);
  check_rule<2, PlaneShape{3, 4, 1}>(DrawnRule<float, 3, 2, 1, StencilShape::star>(7), {12, 21, 9}, 5, 110);
  check_rule<3, PlaneShape{3, 3, 1}>(Layered<float, double, 3>{}, {8, 26, 9}, 9, 130);
  check_rule<1, PlaneShape{2, 2, 1}>(DrawnRule<double, 3, 1, 3, StencilShape::star>(5), {70, 4, 4}, 3, 80);
  using OfConstants = DrawnWithConstants<DrawnRule<float, 3, 1, 2, StencilShape::star>, float, 2>;
  check_rule<2, PlaneShape{3, 4, 1}>(DrawnCoupled<OfConstants>(10), {8, 9, 6}, 5, 230);
  check_rule<2, PlaneShape{2, 4, 1}>(DrawnCoupled<OfConstants>(11), {9, 7, 5}, 3, 250);
  using OneField = DrawnRule<float, 3, 1, 1, StencilShape::star>;
  check_rule<3, PlaneShape{3, 3, 1}>(DrawnDriven<OneField>(8), {9, 11, 7}, 4, 190);
  check_rule<2, PlaneShape{2, 4, 1}>(DrawnDriven<DrawnRule<double, 3, 1, 2, StencilShape::star>>(9),
                                     {8, 9, 6}, 5, 210);
}

TEST(EmulatedPlanes, begin_rules_in_two_parts_before_the_last_plane_has_come) {
  check_rule<2, PlaneShape{2, 4, 1}>(InParts<float, 3, 1>{}, {13, 7, 5}, 3, 270);
  check_rule<3, PlaneShape{3, 4, 1}>(InParts<double, 3, 1>{}, {8, 20, 7}, 4, 290);
  check_rule<2, PlaneShape{3, 4, 1}>(InParts<double, 3, 2>{}, {12, 21, 9}, 5, 310);
  check_rule<1, PlaneShape{2, 2, 1}>(InParts<float, 3, 1>{}, {70, 4, 4}, 3, 330);
}

TEST(EmulatedPlanes, know_plain_sides_from_the_beginning) {
  check_rule<2, PlaneShape{2, 4, 1}>(WithPlainSides<InParts<float, 3, 1>>{}, {13, 7, 5}, 3, 350);
  check_rule<3, PlaneShape{3, 4, 1}>(WithPlainSides<InParts<double, 3, 1>>{}, {8, 20, 7}, 4, 370);
  check_rule<2, PlaneShape{3, 4, 1}>(WithPlainSides<InParts<double, 3, 2>>{}, {12, 21, 9}, 5, 390);
  check_rule<2, PlaneShape{3, 4, 1}>(WithPlainSides<InParts<float, 3, 2>>{}, {9, 8, 6}, 4, 410);
  // A lane, a warp and a tile that see both sides.
  check_rule<2, PlaneShape{2, 4, 1}>(WithPlainSides<InParts<float, 3, 1>>{}, {4, 2, 3}, 3, 430);
  check_rule<2, PlaneShape{3, 4, 1}>(WithPlainSides<InParts<double, 3, 2>>{}, {4, 4, 4}, 4, 450);
}

/// Different factors for all points, so that none may take another's place.
template <class T>
auto box_of_27_points() {
  using Points = detail::StencilPoints<3, StencilShape::box, 1>;
  std::vector<double> factors;
  for (int i = 0; i < Points::count; ++i) factors.push_back(0.001 * (i % 2 == 0 ? 3 * i + 1 : -2 * i - 1));
  return detail::Linear<T, Points>(custom_stencil(3, StencilShape::box, 1, factors));
}

TEST(EmulatedPlanes, add_up_rules_in_rows_plane_by_plane) {
  check_rule<2, PlaneShape{2, 4, 1}>(box_of_27_points<float>(), {13, 7, 5}, 3, 470);
  check_rule<1, PlaneShape{3, 3, 1}>(box_of_27_points<double>(), {70, 9, 4}, 3, 490);
  check_rule<2, PlaneShape{2, 4, 1}>(WithPlainSides<RowByRow<float, 3, 1>>{}, {13, 7, 5}, 3, 510);
  check_rule<2, PlaneShape{3, 4, 1}>(WithPlainSides<RowByRow<double, 3, 1>>{}, {8, 20, 7}, 4, 530);
  check_rule<1, PlaneShape{3, 2, 1}>(WithPlainSides<RowByRow<double, 3, 1>>{}, {9, 8, 6}, 4, 550);
  // Sides between lanes and at the ends of tiles; a lane, a warp and a tile that see both sides.
  check_rule<2, PlaneShape{2, 4, 1}>(WithPlainSides<RowByRow<float, 3, 1>>{}, {16, 20, 5}, 3, 570);
  check_rule<2, PlaneShape{2, 4, 1}>(WithPlainSides<RowByRow<float, 3, 1>>{}, {4, 2, 3}, 3, 590);
  check_rule<2, PlaneShape{3, 4, 1}>(WithPlainSides<RowByRow<double, 3, 1>>{}, {1, 1, 1}, 2, 610);
}

}  // namespace
}  // namespace haloheap::stencil
