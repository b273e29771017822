// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_rules.hpp>

#include <fmt/format.h>

namespace haloheap {

std::string side_key(const char* section, int dim, bool high) {
  return fmt::format("{}.{}_{}", section, "xyz"[dim], high ? "high" : "low");
}

void add_boundary_keys(deck::Schema& schema) {
  deck::Section& boundary = schema.section("boundary", "What is beyond each side of the grid");
  for (const char* side : {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"}) {
    boundary.choice(side, grid::BoundaryKind::periodic)
        .help("Boundary condition; the two sides of a dimension are periodic together or not at all");
  }
  boundary.real("value", 0.0).help("Value beyond Dirichlet sides");
}

grid::Boundary read_boundary(const deck::Deck& deck, int dims) {
  grid::Boundary boundary;
  boundary.value = deck.get<double>("boundary.value");
  for (int dim = 0; dim < dims; ++dim) {
    boundary.low[dim] = deck.choice<grid::BoundaryKind>(side_key("boundary", dim, false));
    boundary.high[dim] = deck.choice<grid::BoundaryKind>(side_key("boundary", dim, true));
  }
  reject(deck, comm::side_problem(boundary, dims));
  return boundary;
}

}  // namespace haloheap
