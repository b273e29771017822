// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/core/grid/boundary_kind.hpp>
#include <haloheap/core/stencil/kinds.hpp>
#include <haloheap/core/stencil/stencil_table.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>
#include <haloheap/miniapp/problems/precision.hpp>

#include <limits>
#include <string>
#include <vector>

namespace haloheap {
namespace {

using deck::Schema;
using deck::Section;

// Counts end where an int ends: kernels, MPI and Kokkos take them as such.
constexpr double maximum = std::numeric_limits<int>::max();

void add_grid(Schema& schema) {
  Section& grid = schema.section("grid", "The grid and its time steps");
  grid.integers("size", {1024, 1024})
      .length(2, 3)
      .range(1, maximum)
      .unit("cells")
      .help("Size of the whole grid without halos: [nx, ny] or [nx, ny, nz], x contiguous in memory");
  grid.integer("steps", 100).range(0, maximum).unit("steps").help("Time steps");
  grid.choice("precision", Precision::float64).help("Type of the fields");
  grid.integer("quantities", 1)
      .range(1, 8)
      .unit("fields")
      .help("Fields that are stepped and exchanged together");
}

void add_boundary(Schema& schema) {
  Section& boundary = schema.section("boundary", "What is beyond each side of the grid");
  for (const char* side : {"x_low", "x_high", "y_low", "y_high", "z_low", "z_high"}) {
    boundary.choice(side, grid::BoundaryKind::periodic)
        .help("Boundary condition; the two sides of a dimension are periodic together or not at all");
  }
  boundary.real("value", 0.0).help("Value beyond Dirichlet sides");
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
  stencil.integer("fused_steps", 1)
      .range(1, 8)
      .or_auto()
      .unit("steps")
      .help(
          "Time steps that one pass over memory makes, at most halo.depth; 1: a pass for each step. Changes "
          "no "
          "bit of the result");
}

void add_initial(Schema& schema) {
  Section& initial = schema.section("initial", "The field at step 0");
  initial.choice("kind", stencil::InitialKind::sine).help("Initial field");
  initial.integers("mode", {})
      .length(2, 3)
      .range(0, maximum)
      .unit("periods")
      .help("Of sine: periods in each dimension; none: 1 in each");
  initial.integer("seed", 1).at_least(0).seed().help(
      "Of random: the field depends on seed and cell, not on the ranks");
}

void add_ranks(Schema& schema) {
  schema.section("ranks", "Ranks")
      .integers("grid", {})
      .length(2, 3)
      .range(1, maximum)
      .unit("ranks")
      .help("Ranks in each dimension, [px, py] or [px, py, pz]; none: chosen from the number of ranks");
}

void add_halo(Schema& schema) {
  Section& halo = schema.section("halo", "Deep-halo exchange");
  halo.integer("depth", 1)
      .range(1, 1024)
      .or_auto()
      .unit("steps")
      .help("Time steps for each exchange; the halo is depth x stencil.radius cells wide");
  halo.choice("exchange", comm::Exchange::sync)
      .or_auto()
      .help("One dimension after the other with forwarded corners, or all neighbours at once");
  halo.choice("overlap", comm::Overlap::none)
      .or_auto()
      .help(
          "What is computed behind the exchange: nothing, or the interior of the first or of all its steps");
  halo.boolean("graph", false)
      .help(
          "Record two exchanges with their steps as a graph and replay it: for small grids, with peer_store "
          "or "
          "peer_copy");
  halo.real("timeout", 60.0)
      .range(0.001, 1e6)
      .unit("s")
      .help("Longest silence of a neighbour before the run is ended");
}

void add_transport(Schema& schema) {
  Section& halo = schema.section("halo", "Deep-halo exchange");
  std::vector<std::string> names = comm::transports().names();
  names.emplace_back(comm::automatic_transport);
  halo.text("transport", comm::transports().front().name)
      .choices(names)
      .help("How halos get to the neighbours; auto: to each as it can be reached");
  halo.entry("mpi", comm::message_modes())
      .help("How messages are passed by transports that use MPI; shared: none are, within a node");
  halo.choice("gpu_aware", GpuAware::automatic)
      .help(
          "Of transport gpu_aware: believe MPI's answer whether it takes device memory, or try in any case");
  halo.integer("ranks_per_node", 0)
      .range(0, maximum)
      .unit("ranks")
      .help("Pretend that so many ranks make a node, to try out auto; 0: ask MPI");
}

}  // namespace

void add_heat_keys(Schema& schema) {
  add_grid(schema);
  add_boundary(schema);
  add_stencil(schema);
  add_initial(schema);
  add_ranks(schema);
  add_halo(schema);
  add_transport(schema);
}

}  // namespace haloheap
