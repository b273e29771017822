// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// A rule of one's own, run as is fastest here: depth, fused steps, overlap and transport are measured first.
#include <haloheap/comm/advise/steps_advice.hpp>

#include <cstdio>

using namespace haloheap;

/// A substance that spreads, and reacts with itself.
struct Reaction {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double here = cell(0);
    const double around = cell(0, -1, 0) + cell(0, 1, 0) + cell(0, 0, -1) + cell(0, 0, 1);
    return here + 0.2 * (around - 4 * here) + 0.05 * here * (1 - here);
  }
};

/// Start values, for the run as for the advice: they say which halo their array has.
void fill(double* field, const grid::FieldLayout& layout) {
  using Cells = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  Kokkos::parallel_for(
      "fill", Cells({0, 0}, {layout.own.x, layout.own.y}), KOKKOS_LAMBDA(int x, int y) {
        field[layout.at({x, y})] = (x + y) % 7 == 0 ? 0.5 : 0.0;
      });
  Kokkos::fence("fill");
}

/// @returns the mean of the field, which grows towards 1 everywhere
double mean_of(const comm::Communicator& world, const comm::Grid& grid, const comm::DeepHaloConfig& config) {
  const auto layout = comm::layout_of<Reaction>(grid, config.depth);
  const Kokkos::View<double*> now("now", layout.size()), next("next", layout.size());
  fill(now.data(), layout);
  comm::DeepHalo steps(world, grid, Reaction{}, {}, config, now, next);
  steps.advance(500);
  steps.finish();
  const auto last = stencil::cells_of<Reaction>(steps.now(), layout);
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", Kokkos::MDRangePolicy<Kokkos::Rank<2>>({0, 0}, {layout.own.x, layout.own.y}),
      KOKKOS_LAMBDA(int x, int y, double& part) { part += last(x, y); }, sum);
  return world.sum(sum) / (300.0 * 200.0);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double mean = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator world(MPI_COMM_WORLD);
    const auto grid = comm::Grid::make(world, {300, 200});  // wraps around
    const comm::StepsAdvice advice = comm::advise(world, grid, Reaction{}, {}, fill, {.seconds = 3});
    if (world.rank() == 0) std::fputs(advice.text(5).c_str(), stdout);
    mean = mean_of(world, grid, advice.config);
    if (world.rank() == 0) std::printf("%.3g us a step; mean %.6f\n", 1e6 * advice.step_seconds, mean);
  }
  MPI_Finalize();
  return mean > 0.999 && mean <= 1 ? 0 : 1;
}
