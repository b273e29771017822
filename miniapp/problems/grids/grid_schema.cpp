// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/exchange.hpp>
#include <haloheap/comm/paths/host/messages/message_set.hpp>
#include <haloheap/comm/paths/transport_list.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <string>
#include <vector>

namespace haloheap {
namespace {

using deck::Schema;
using deck::Section;

void add_fused_steps(Schema& schema) {
  Section& stencil = schema.section("stencil", "The stencil of one time step");
  stencil.integer("fused_steps", 1)
      .range(1, 8)
      .or_auto()
      .unit("steps")
      .help(
          "Time steps that one pass over memory makes, at most halo.depth; 1: a pass for each step. Changes "
          "no "
          "bit of the result");
  stencil.choice("redundant", comm::Redundant::shrinking)
      .help(
          "Cells of neighbours that each step between two exchanges computes too: those that are still "
          "needed, or "
          "as many as the first step, as in [Valen2023]. Changes no bit of the result");
}

void add_halo(Schema& schema) {
  Section& halo = schema.section("halo", "Deep-halo exchange");
  halo.integer("depth", 1)
      .range(1, 1024)
      .or_auto()
      .unit("steps")
      .help("Time steps for each exchange; the halo is depth x the radius of the stencil cells wide");
  halo.choice("exchange", comm::Exchange::sync)
      .or_auto()
      .help("One dimension after the other with forwarded corners, or all neighbours at once");
  halo.choice("messages", comm::MessagesPer::neighbour)
      .help("A message for each neighbour, or one each way, also where several go to the same rank");
  halo.choice("packing", comm::Packing::kernel)
      .help("Kernels pack messages, or MPI gathers them by datatypes from copies of the border on the host");
  halo.choice("corners", comm::Corners::device)
      .help(
          "Where exchanges in rounds copy corners from one round to the next: in the halo, or between the "
          "host's "
          "buffers, which needs one way to the host and back instead of one for each round");
  halo.choice("overlap", comm::Overlap::none)
      .or_auto()
      .help(
          "What is computed behind the exchange: nothing, or the interior of the first or of all its steps");
  halo.boolean("graph", false)
      .help(
          "Record two exchanges with their steps as a graph and replay it: for small grids, with peer_store "
          "or "
          "peer_copy");
}

}  // namespace

void add_ranks_keys(Schema& schema) {
  schema.section("ranks", "Ranks")
      .integers("grid", {})
      .length(2, 3)
      .range(1, deck::largest_count)
      .unit("ranks")
      .help("Ranks in each dimension, [px, py] or [px, py, pz]; none: chosen from the number of ranks");
}

void add_transport_keys(Schema& schema) {
  Section& halo = schema.section("halo", "Deep-halo exchange");
  halo.real("timeout", 60.0)
      .range(0.001, 1e6)
      .unit("s")
      .help("Longest silence of a neighbour before the run is ended");
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
      .range(0, deck::largest_count)
      .unit("ranks")
      .help("Pretend that so many ranks make a node, to try out auto; 0: ask MPI");
}

void add_grid_keys(Schema& schema) {
  Section& grid = schema.section("grid", "The grid and its time steps");
  grid.integers("size", {1024, 1024})
      .length(2, 3)
      .range(1, deck::largest_count)
      .unit("cells")
      .help("Size of the whole grid without halos: [nx, ny] or [nx, ny, nz], x contiguous in memory");
}

void add_step_keys(Schema& schema) {
  schema.section("grid", "The grid and its time steps")
      .integer("steps", 100)
      .range(0, deck::largest_count)
      .unit("steps")
      .help("Time steps");
}

void add_precision_keys(Schema& schema) {
  schema.section("grid", "The grid and its time steps")
      .choice("precision", Precision::float64)
      .help("Type of the fields");
}

Precision read_precision(const deck::Deck& deck) {
  return deck.choice<Precision>("grid.precision");
}

void add_halo_keys(Schema& schema) {
  add_fused_steps(schema);
  add_halo(schema);
}

}  // namespace haloheap
