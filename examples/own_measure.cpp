// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat that spreads in a closed box: none is lost, and the warmest cell cools down.
#include <haloheap/comm/halo/deep_halo.hpp>

#include <cstdio>
#include <vector>

using namespace haloheap;

struct Diffusion {
  using Fields = stencil::Fields<float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION float operator()(const Cell& cell) const {
    const float around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + 0.125F * (around - 4 * cell(0));
  }
};

struct Heat {
  using Fields = Diffusion::Fields;
  using Measures = stencil::Measures<stencil::Sum, stencil::Max>;
  static constexpr int dims = 2;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    return stencil::measured(cell(0), cell(0));
  }
  double bound(int /*number*/) const { return 1000; }  // no cell's value of a sum is larger
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  bool right = true;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator world(MPI_COMM_WORLD);
    const auto grid = comm::Grid::make(world, {64, 64}, {false, false});
    const auto sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
    const auto field = comm::layout_of<Diffusion>(grid, 4);
    const Kokkos::View<float*> now("now", field.size()), next("next", field.size());
    const auto corner = field.at({0, 0});
    const auto heat_one_cell = KOKKOS_LAMBDA(int) {
      now(corner) = 512;
    };
    if (world.rank() == 0) Kokkos::parallel_for("heat", 1, heat_one_cell);
    Kokkos::fence();

    const auto rule = stencil::measuring<Heat>(Diffusion{});  // its kernels measure on the way
    comm::DeepHalo steps(world, grid, rule, sides, {.depth = 4, .fused_steps = 4}, now, next);
    steps.measure_each(100, Heat{});  // from here on after each 100th step, and nobody waits for it
    steps.advance(1000);
    steps.finish();
    double warmest = 512;
    for (const std::vector<double>& values : steps.measured()) {  // of all ranks
      if (world.rank() == 0) std::printf("heat %.6f, warmest cell %.6f\n", values[0], values[1]);
      right = right && values[0] > 511.99 && values[0] < 512.01 && values[1] < warmest;
      warmest = values[1];
    }
    const auto [heat, highest] = steps.measure(Heat{});  // of now, and waits for it
    right = right && highest == warmest && heat > 511.99;
  }
  MPI_Finalize();
  return right ? 0 : 1;
}
