// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/stencil/kinds.hpp>
#include <haloheap/core/stencil/stencil_table.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>

#include <vector>

namespace haloheap {
namespace {

using deck::Deck;
using deck::Schema;
using deck::Section;

void add_quantities(Schema& schema) {
  Section& grid = schema.section("grid", "The grid and its time steps");
  grid.integer("quantities", 1)
      .range(1, 8)
      .unit("fields")
      .help("Fields that are stepped and exchanged together");
}

void add_stencil(Schema& schema) {
  Section& stencil = schema.section("stencil", "The stencil of one time step");
  stencil.choice("shape", stencil::StencilShape::star)
      .help("Neighbours along the axes only, or all of the box");
  stencil.integer("radius", 1)
      .range(1, stencil::widest_stencil())
      .unit("cells")
      .help("Reach along an axis: a star of the heat equation has differences of order 2 x radius");
  stencil.reals("coefficients", {})
      .help(
          "One for each point, lexicographic in (z, y, x), lowest first: for 5 points south, west, centre, "
          "east, north; "
          "none: the explicit step of the heat equation");
  stencil.real("diffusion", 0.1)
      .range(0.0, 0.5)
      .help("alpha dt / h^2 of the heat equation, where there are no coefficients");
}

void add_initial(Schema& schema) {
  Section& initial = schema.section("initial", "The field at step 0");
  initial.choice("kind", stencil::InitialKind::sine).help("Initial field");
  initial.integers("mode", {})
      .length(2, 3)
      .range(0, deck::largest_count)
      .unit("periods")
      .help("Of sine: periods in each dimension; none: 1 in each");
  initial.integer("seed", 1).at_least(0).seed().help(
      "Of random: the field depends on seed and cell, not on the ranks");
}

stencil::Stencil read_stencil(const Deck& deck, int dims) {
  const auto shape = deck.choice<stencil::StencilShape>("stencil.shape");
  const int radius = deck.number("stencil.radius");
  const auto require = [&](const char* key, const auto& problem) {
    if (problem) deck.reject(key, *problem);
  };
  require("stencil.radius", stencil::stencil_problem(dims, shape, radius));
  const auto coefficients = deck.get<std::vector<double>>("stencil.coefficients");
  if (coefficients.empty())
    return stencil::heat_stencil(dims, shape, radius, deck.get<double>("stencil.diffusion"));
  require("stencil.coefficients", stencil::coefficients_problem(dims, shape, radius, coefficients.size()));
  return stencil::custom_stencil(dims, shape, radius, coefficients);
}

stencil::Initial read_initial(const Deck& deck, int dims) {
  stencil::Initial initial;
  initial.kind = deck.choice<stencil::InitialKind>("initial.kind");
  initial.mode = read_triple(deck, "initial.mode", dims, {1, 1, 1});
  initial.seed = static_cast<std::uint64_t>(deck.get<std::int64_t>("initial.seed"));
  return initial;
}

}  // namespace

HeatSettings read_heat(const Deck& deck, int dims) {
  return {deck.number("grid.quantities"), read_stencil(deck, dims), read_initial(deck, dims)};
}

void add_heat_keys(Schema& schema) {
  add_quantities(schema);
  add_stencil(schema);
  add_initial(schema);
}

}  // namespace haloheap
