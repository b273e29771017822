// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A forest that burns, by a rule with fields of two types: heat that spreads, and a byte for each tree.
#include <haloheap/comm/halo/deep_halo.hpp>

#include <cstdint>
#include <cstdio>

using namespace haloheap;

struct Fire {
  using Fields = stencil::Fields<float, std::uint8_t>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  enum { heat, state };
  static constexpr std::uint8_t ash = 0, tree = 1, lit = 6;  // a tree that burns counts down from lit

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const float warm = cell(heat), is = cell(state);  // both in float
    const float around = cell(heat, -1, 0) + cell(heat, 1, 0) + cell(heat, 0, -1) + cell(heat, 0, 1);
    float next = is > 2 ? is - 1 : ash;
    if (is == tree) next = warm > 0.2F ? float{lit} : is;
    return stencil::values(0.9F * (warm + 0.2F * (around - 4 * warm)) + (is > tree ? 1.0F : 0.0F), next);
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double standing = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator world(MPI_COMM_WORLD);
    const auto grid = comm::Grid::make(world, {256, 128});  // wraps around
    const auto layout = comm::layout_of<Fire>(grid, 8);     // with ghost cells for 8 steps
    const Kokkos::View<std::byte*> now("now", stencil::array_size<Fire>(layout)), next("next", now.size());
    const auto first = grid.own().lo;
    const Kokkos::MDRangePolicy<Kokkos::Rank<2>> own({0, 0}, {layout.own.x, layout.own.y});
    const auto heat = stencil::cells_of<Fire, Fire::heat>(now, layout);
    const auto state = stencil::cells_of<Fire, Fire::state>(now, layout);
    Kokkos::parallel_for(
        "plant", own, KOKKOS_LAMBDA(int x, int y) {
          heat(x, y) = first.x + x == 64 && first.y + y == 64 ? 1.0F : 0.0F;  // where it begins
          state(x, y) = (first.x + x) % 128 < 8 ? 0 : 1;                      // two lanes without trees
        });
    Kokkos::fence("planted");
    comm::DeepHalo steps(world, grid, Fire{}, {}, {.depth = 8, .fused_steps = 4}, now, next);
    steps.advance(500);
    steps.finish();
    const auto last = stencil::cells_of<Fire, Fire::state>(steps.now(), layout);
    const auto count = KOKKOS_LAMBDA(int x, int y, double& sum) {
      sum += last(x, y) == Fire::tree;
    };
    Kokkos::parallel_reduce("count", own, count, standing);
    standing = world.sum(standing);
    if (world.rank() == 0) std::printf("trees left: %g\n", standing);  // those of the other half
  }
  MPI_Finalize();
  return standing == 120 * 128 ? 0 : 1;
}
