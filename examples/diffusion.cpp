// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat that spreads in a plate which is warm on the left and cold on the right.
#include <haloheap/comm/halo/deep_halo.hpp>

#include <cstdio>

using namespace haloheap;

struct Diffusion {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  double number;  // diffusivity times the time step over the square of a cell's width

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return cell(0) + number * (around - 4 * cell(0));
  }
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double mean = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator world(MPI_COMM_WORLD);
    const auto grid = comm::Grid::make(world, {40, 60}, {false, true});  // ends in x, wraps around in y
    stencil::SideRules sides;
    sides.low[0] = {stencil::Outside::value(1)};
    sides.high[0] = {stencil::Outside::value(0)};
    const auto field = comm::layout_of<Diffusion>(grid, 8);  // with ghost cells for 8 steps
    const Kokkos::View<double*> now("now", field.size()), next("next", field.size());  // 0 at first

    comm::DeepHalo steps(world, grid, Diffusion{0.2}, sides, {.depth = 8, .fused_steps = 4}, now, next);
    steps.advance(20000);
    steps.finish();
    const auto last = stencil::cells_of<Diffusion>(steps.now(), field);
    const Kokkos::MDRangePolicy<Kokkos::Rank<2>> own({0, 0}, {field.own.x, field.own.y});
    const auto add = KOKKOS_LAMBDA(int x, int y, double& sum) {
      sum += last(x, y);
    };
    Kokkos::parallel_reduce("sum", own, add, mean);
    mean = world.sum(mean) / (40 * 60);
    if (world.rank() == 0) std::printf("mean: %.6f\n", mean);  // 0.5: it falls evenly from 1 to 0
  }
  MPI_Finalize();
  return mean > 0.499999 && mean < 0.500001 ? 0 : 1;
}
