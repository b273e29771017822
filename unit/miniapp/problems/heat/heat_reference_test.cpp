// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/reference.hpp>
#include <haloheap/miniapp/problems/heat/heat_reference.hpp>

#include <gtest/gtest.h>

#include <functional>

namespace haloheap {
namespace {

HeatSettings small() {
  HeatSettings heat;
  heat.cells = {7, 5, 1};
  heat.ranks = {1, 1, 1};
  heat.steps = 3;
  heat.stencil = stencil::heat_stencil(2, stencil::StencilShape::star, 1, 0.1);
  heat.initial.kind = stencil::InitialKind::random;
  return heat;
}

stencil::InitialField initial_of(const HeatSettings& heat) {
  return {heat.initial, heat.boundary, heat.dims, heat.cells, heat.quantities};
}

template <class T>
std::vector<T> computed_anew(const HeatSettings& heat) {
  return stencil::reference_solution<T>(initial_of(heat), heat.stencil, heat.boundary, heat.cells,
                                        heat.quantities, heat.steps);
}

TEST(HeatReference, PointsThatShareTheSolutionShareTheMemory) {
  HeatReference reference;
  HeatSettings heat = small();
  const double* const first = reference.solution<double>(heat, initial_of(heat)).data();
  heat.ranks = {2, 2, 1};
  heat.config.depth = 4;
  heat.config.exchange = comm::Exchange::async;
  heat.config.halo.transport = "pinned";
  heat.fields = "managed";
  EXPECT_EQ(reference.solution<double>(heat, initial_of(heat)).data(), first);
  EXPECT_EQ(reference.solution<double>(heat, initial_of(heat)), computed_anew<double>(heat));
}

TEST(HeatReference, WhateverChangesTheSolutionIsComputedAnew) {
  const std::vector<std::function<void(HeatSettings&)>> changes = {
      [](HeatSettings& heat) {
        heat.cells = {5, 7, 1};
      },
      [](HeatSettings& heat) { heat.steps = 4; },
      [](HeatSettings& heat) { heat.quantities = 2; },
      [](HeatSettings& heat) {
        heat.boundary.low[0] = heat.boundary.high[0] = grid::BoundaryKind::dirichlet;
      },
      [](HeatSettings& heat) { heat.boundary.low[1] = heat.boundary.high[1] = grid::BoundaryKind::neumann; },
      [](HeatSettings& heat) { heat.stencil = stencil::heat_stencil(2, stencil::StencilShape::box, 1, 0.1); },
      [](HeatSettings& heat) {
        heat.stencil = stencil::heat_stencil(2, stencil::StencilShape::star, 2, 0.1);
      },
      [](HeatSettings& heat) { heat.stencil.coefficients[2] += 0.5; },
      [](HeatSettings& heat) { heat.initial.kind = stencil::InitialKind::gaussian; },
      [](HeatSettings& heat) { heat.initial.seed = 2; },
  };
  for (std::size_t i = 0; i < changes.size(); ++i) {
    HeatReference reference;
    const HeatSettings before = small();
    reference.solution<double>(before, initial_of(before));
    HeatSettings after = small();
    changes[i](after);
    ASSERT_NE(computed_anew<double>(before), computed_anew<double>(after))
        << "change " << i << " tests nothing";
    EXPECT_EQ(reference.solution<double>(after, initial_of(after)), computed_anew<double>(after))
        << "change " << i;
  }
}

TEST(HeatReference, TheValueBeyondDirichletSidesCounts) {
  HeatReference reference;
  HeatSettings heat = small();
  heat.boundary.low[0] = heat.boundary.high[0] = grid::BoundaryKind::dirichlet;
  reference.solution<float>(heat, initial_of(heat));
  heat.boundary.value = 1;
  EXPECT_EQ(reference.solution<float>(heat, initial_of(heat)), computed_anew<float>(heat));
}

TEST(HeatReference, ModesCount) {
  HeatReference reference;
  HeatSettings heat = small();
  heat.initial.kind = stencil::InitialKind::sine;
  reference.solution<float>(heat, initial_of(heat));
  heat.initial.mode = {2, 1, 1};
  EXPECT_EQ(reference.solution<float>(heat, initial_of(heat)), computed_anew<float>(heat));
}

TEST(HeatReference, ResidualsAreThoseOfTheProblem) {
  HeatReference reference;
  HeatSettings heat = small();
  heat.config.residual =
      stencil::ResidualScale::make(stencil::residual_bound(heat.stencil, heat.boundary, 1), 35);
  const auto anew = [&] {
    return stencil::reference_residuals<double>(initial_of(heat), heat.stencil, heat.boundary, heat.cells,
                                                heat.quantities, heat.steps, *heat.config.residual);
  };
  const stencil::ResidualSum* const first = reference.residuals<double>(heat, initial_of(heat)).data();
  EXPECT_EQ(reference.residuals<double>(heat, initial_of(heat)), anew());
  heat.config.depth = 4;
  EXPECT_EQ(reference.residuals<double>(heat, initial_of(heat)).data(), first) << "computed once";
  const auto in_double = reference.residuals<double>(heat, initial_of(heat));
  EXPECT_NE(reference.residuals<float>(heat, initial_of(heat)), in_double);
  heat.initial.seed = 2;
  EXPECT_NE(reference.residuals<double>(heat, initial_of(heat)), in_double);
  EXPECT_EQ(reference.residuals<double>(heat, initial_of(heat)), anew());
}

TEST(HeatReference, EachPrecisionHasItsOwn) {
  HeatReference reference;
  const HeatSettings heat = small();
  EXPECT_EQ(reference.solution<double>(heat, initial_of(heat)), computed_anew<double>(heat));
  EXPECT_EQ(reference.solution<float>(heat, initial_of(heat)), computed_anew<float>(heat));
  EXPECT_EQ(reference.solution<double>(heat, initial_of(heat)), computed_anew<double>(heat));
}

}  // namespace
}  // namespace haloheap
