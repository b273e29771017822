// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// An update rule of one's own: two species that react and diffuse ([Pearson1993]), with deep halos and
// several steps in each pass over memory.
#include <haloheap/comm/halo/deep_halo.hpp>

#include <Kokkos_Core.hpp>

#include <cstdio>

using namespace haloheap;

struct GrayScott {
  using Fields = stencil::Fields<float, float>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  enum { u, v };
  float feed = 0.037F, kill = 0.06F;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION auto operator()(const Cell& cell) const {
    const float reaction = cell(u) * cell(v) * cell(v);
    return stencil::values(cell(u) + 0.16F * laplacian(cell, u) - reaction + feed * (1 - cell(u)),
                           cell(v) + 0.08F * laplacian(cell, v) + reaction - (feed + kill) * cell(v));
  }

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static float laplacian(const Cell& cell, int field) {
    return cell(field, -1, 0) + cell(field, 1, 0) + cell(field, 0, -1) + cell(field, 0, 1) - 4 * cell(field);
  }
};

/// @returns the sum of v over all cells after 2000 steps
double run(const comm::Communicator& communicator) {
  const auto grid = comm::Grid::make(communicator, {256, 256});  // wraps around
  const comm::DeepHaloConfig config{.depth = 8, .fused_steps = 4, .overlap = comm::Overlap::first_step};
  const auto fields = comm::layout_of<GrayScott>(grid, config.depth);
  const Kokkos::View<float*> now("now", fields.size()), next("next", fields.size());

  using Cells = Kokkos::MDRangePolicy<Kokkos::Rank<2>>;
  const Cells cells({0, 0}, {fields.own.x, fields.own.y});  // the rank's own; ghost cells are around them
  const auto first = grid.own().lo;
  Kokkos::parallel_for(
      "start", cells, KOKKOS_LAMBDA(int x, int y) {
        const bool seed = (first.x + x) / 16 == 7 && (first.y + y) / 16 == 7;
        now(fields.at({x, y}, GrayScott::u)) = seed ? 0.5F : 1.0F;
        now(fields.at({x, y}, GrayScott::v)) = seed ? 0.25F : 0.0F;
      });
  Kokkos::fence("start");

  comm::DeepHalo steps(communicator, grid, GrayScott{}, {}, config, now, next);
  steps.advance(2000);
  steps.finish();

  const float* const last = steps.now();
  double sum = 0;
  Kokkos::parallel_reduce(
      "sum", cells,
      KOKKOS_LAMBDA(int x, int y, double& part) {
        part += last[fields.at({x, y}, GrayScott::v)];
      },
      sum);
  return communicator.sum(sum);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  double sum = 0;
  {
    const Kokkos::ScopeGuard kokkos(argc, argv);
    const comm::Communicator communicator(MPI_COMM_WORLD);
    sum = run(communicator);
    if (communicator.rank() == 0) std::printf("sum of v: %g\n", sum);
  }
  MPI_Finalize();
  return sum > 1000 ? 0 : 1;  // the pattern has grown
}
