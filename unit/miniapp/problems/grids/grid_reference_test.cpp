// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/deck/loader.hpp>
#include <haloheap/miniapp/problems/grids/grid_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <gtest/gtest.h>

namespace haloheap {
namespace {

constexpr const char* small = R"(
  problem = "heat2d"
  grid = {size = [7, 5], steps = 3}
  initial.kind = "random"
  run.residual = true
)";

/// The physics of a deck, with what it depends on.
template <class T>
struct Case {
  explicit Case(const std::vector<std::string>& changes = {})
      : deck(deck::load_text(app_schema(), small, "a.toml", with_type(changes)).point(0)),
        settings(read_grid(deck, 1)),
        model(dynamic_cast<const GridModelOf<T>&>(*settings.model)) {}

  static std::vector<std::string> with_type(std::vector<std::string> changes) {
    changes.emplace_back(sizeof(T) == sizeof(float) ? "grid.precision=float" : "grid.precision=double");
    return changes;
  }

  std::vector<T> anew() const { return model.reference(settings.steps); }
  std::vector<stencil::ResidualSum> residuals_anew() const {
    return model.reference_residuals(settings.steps, settings.config.residual.value());
  }
  const std::vector<T>& from(GridReference& reference) const { return reference.solution(deck, model); }
  const std::vector<stencil::ResidualSum>& residuals_from(GridReference& reference) const {
    return reference.residuals(deck, model, settings.config.residual.value());
  }

  deck::Deck deck;
  GridSettings settings;
  const GridModelOf<T>& model;
};

TEST(GridReference, PointsThatShareTheSolutionShareTheMemory) {
  GridReference reference;
  const double* const first = Case<double>().from(reference).data();
  const Case<double> other({"halo.depth=4", "halo.exchange=async", "halo.transport=pageable",
                            "halo.overlap=first_step", "memory.fields=pinned", "run.repetitions=7"});
  EXPECT_EQ(other.from(reference).data(), first);
  EXPECT_EQ(other.from(reference), other.anew());
}

TEST(GridReference, WhateverChangesTheSolutionIsComputedAnew) {
  const std::vector<std::vector<std::string>> changes = {
      {"grid.size=[5,7]"},
      {"grid.steps=4"},
      {"grid.quantities=2"},
      {"boundary.x_low=dirichlet", "boundary.x_high=dirichlet"},
      {"boundary.x_low=dirichlet", "boundary.x_high=dirichlet", "boundary.value=1"},
      {"boundary.y_low=neumann", "boundary.y_high=neumann"},
      {"stencil.shape=box"},
      {"stencil.radius=2"},
      {"stencil.coefficients=[0.1,0.1,1.1,0.1,0.1]", "run.residual=false"},
      {"stencil.diffusion=0.2"},
      {"initial.kind=gaussian"},
      {"initial.kind=sine"},
      {"initial.kind=sine", "initial.mode=[2,1]"},
      {"initial.seed=2"},
  };
  GridReference reference;
  for (const auto& change : changes) {
    const Case<double> before, after(change);
    before.from(reference);
    ASSERT_NE(before.anew(), after.anew()) << change.front() << " tests nothing";
    EXPECT_EQ(after.from(reference), after.anew()) << change.front();
  }
}

TEST(GridReference, OfTheProblemToo) {
  GridReference reference;
  const Case<float> flat, solid({"problem=heat3d", "grid.size=[7,5,2]"});
  flat.from(reference);
  EXPECT_EQ(solid.from(reference), solid.anew());
}

TEST(GridReference, ResidualsAreThoseOfTheProblem) {
  GridReference reference;
  const Case<double> before;
  const stencil::ResidualSum* const first = before.residuals_from(reference).data();
  EXPECT_EQ(before.residuals_from(reference), before.residuals_anew());
  EXPECT_EQ(Case<double>({"halo.depth=4"}).residuals_from(reference).data(), first) << "computed once";
  const auto in_double = before.residuals_from(reference);
  EXPECT_NE(Case<float>().residuals_from(reference), in_double);
  const Case<double> seeded({"initial.seed=2"});
  EXPECT_NE(seeded.residuals_from(reference), in_double);
  EXPECT_EQ(seeded.residuals_from(reference), seeded.residuals_anew());
}

TEST(GridReference, EachPrecisionHasItsOwn) {
  GridReference reference;
  const Case<double> in_double;
  const Case<float> in_float;
  EXPECT_EQ(in_double.from(reference), in_double.anew());
  EXPECT_EQ(in_float.from(reference), in_float.anew());
  EXPECT_EQ(in_double.from(reference), in_double.anew());
}

}  // namespace
}  // namespace haloheap
