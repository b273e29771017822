// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/heat/heat_rules.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap {
namespace {

using deck::Deck;
using Integers = std::vector<std::int64_t>;

std::string text(const Deck& deck, const char* key) {
  return deck.get<std::string>(key);
}

grid::Triple read_triple(const Deck& deck, const char* key, int dims, const grid::Triple& fallback) {
  const auto list = deck.get<Integers>(key);
  if (list.empty()) return fallback;
  if (static_cast<int>(list.size()) != dims)
    deck.reject(key,
                fmt::format("has {} numbers, but problem {} has {} dimensions", list.size(),
                            text(deck, "problem"), dims),
                fmt::format("give {} numbers", dims));
  grid::Triple result = fallback;
  for (int dim = 0; dim < dims; ++dim) result[dim] = list[static_cast<std::size_t>(dim)];
  return result;
}

grid::Boundary read_boundary(const Deck& deck, const HeatSettings& heat) {
  grid::Boundary boundary;
  boundary.value = deck.get<double>("boundary.value");
  for (int dim = 0; dim < heat.dims; ++dim) {
    const std::string low = fmt::format("boundary.{}_low", "xyz"[dim]),
                      high = fmt::format("boundary.{}_high", "xyz"[dim]);
    boundary.low[dim] = deck.choice<grid::BoundaryKind>(low);
    boundary.high[dim] = deck.choice<grid::BoundaryKind>(high);
  }
  return boundary;
}

stencil::Stencil read_stencil(const Deck& deck, int dims) {
  const auto shape = deck.choice<stencil::StencilShape>("stencil.shape");
  const int radius = deck.number("stencil.radius");
  const auto require = [&](const char* key, const auto& problem) {
    if (problem) deck.reject(key, problem->cause, problem->remedy);
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

grid::Triple read_ranks(const Deck& deck, const HeatSettings& heat, int ranks) {
  const grid::Triple grid = read_triple(deck, "ranks.grid", heat.dims, {0, 0, 1});
  const grid::Triple result = grid.x == 0 ? grid::rank_grid(ranks, heat.dims, heat.cells) : grid;
  const std::string shown = heat.dims == 2 ? fmt::format("{} x {}", result.x, result.y)
                                           : fmt::format("{} x {} x {}", result.x, result.y, result.z);
  // A product of numbers from a deck may be more than can be counted.
  const double count =
      static_cast<double>(result.x) * static_cast<double>(result.y) * static_cast<double>(result.z);
  if (count != ranks)
    deck.reject("ranks.grid", fmt::format("{} ranks are not the {} that run", shown, ranks),
                fmt::format("start {:.10g} ranks, or leave ranks.grid out", count));
  for (int dim = 0; dim < heat.dims; ++dim)
    if (heat.cells[dim] < result[dim])
      deck.reject("grid.size",
                  fmt::format("{} cells in {} cannot be divided among {} ranks (rank grid {})",
                              heat.cells[dim], "xyz"[dim], result[dim], shown),
                  "use a larger grid, fewer ranks, or set ranks.grid");
  return result;
}

comm::DeepHaloConfig read_config(const Deck& deck) {
  comm::DeepHaloConfig config;
  config.depth = deck.number("halo.depth");
  config.fused_steps = deck.number("stencil.fused_steps");
  config.exchange = deck.choice<comm::Exchange>("halo.exchange");
  config.overlap = deck.choice<comm::Overlap>("halo.overlap");
  config.phases = deck.get<bool>("run.phases");
  config.graph = deck.get<bool>("halo.graph");
  config.halo.transport = text(deck, "halo.transport");
  config.halo.mpi = text(deck, "halo.mpi");
  config.halo.force_gpu_aware = deck.choice<GpuAware>("halo.gpu_aware") == GpuAware::force;
  config.halo.ranks_per_node = deck.number("halo.ranks_per_node");
  config.halo.timeout = deck.get<double>("halo.timeout");
  config.halo.desynchronisation = deck.get<bool>("run.desynchronisation");
  return config;
}

/// Cells and bytes are counted in 64 bits.
void check_countable(const Deck& deck, const HeatSettings& heat) {
  double bytes = 2.0 * heat.quantities * static_cast<double>(heat.value_bytes());
  // Rows are padded to full lines.
  const grid::Index around = 2 * grid::Index{heat.config.depth} * heat.stencil.radius + 64;
  for (int dim = 0; dim < heat.dims; ++dim) bytes *= static_cast<double>(heat.cells[dim] + around);
  if (bytes > 0x1p62)
    deck.reject("grid.size", fmt::format("fields of {:.3g} bytes are more than can be counted", bytes),
                "use a smaller grid");
}

}  // namespace

bool HeatSettings::uses_mpi() const {
  const auto all = comm::candidates(config.halo.transport, config.halo.mpi);
  return std::any_of(all.begin(), all.end(),
                     [](auto* info) { return info->carrier != comm::Carrier::devices; });
}

bool HeatSettings::has_result() const {
  const auto all = comm::candidates(config.halo.transport, config.halo.mpi);
  const bool delivers = std::all_of(all.begin(), all.end(), [](auto* info) { return info->delivers; });
  return delivers && measure != Measure::exchange;
}

comm::GridProblem HeatSettings::problem(int rank) const {
  const bool periodic[3] = {boundary.periodic(0), boundary.periodic(1), boundary.periodic(2)};
  return {stencil, boundary, cells, comm::Topology::make(rank, ranks, periodic), quantities};
}

HeatSettings read_heat(const Deck& deck, int ranks) {
  HeatSettings heat;
  const int dims = heat.dims = problems().at(text(deck, "problem")).dims;
  heat.cells = read_triple(deck, "grid.size", dims, {1, 1, 1});
  heat.steps = deck.get<std::int64_t>("grid.steps");
  heat.single_precision = deck.choice<Precision>("grid.precision") == Precision::float32;
  heat.quantities = deck.number("grid.quantities");
  heat.stencil = read_stencil(deck, dims);
  heat.boundary = read_boundary(deck, heat);
  heat.initial = read_initial(deck, dims);
  heat.ranks = read_ranks(deck, heat, ranks);
  heat.config = read_config(deck);
  heat.fields = text(deck, "memory.fields");
  heat.buffers = text(deck, "memory.buffers");
  heat.measure = deck.choice<Measure>("run.measure");
  heat.transfer = read_transfer_choice(deck);
  check_countable(deck, heat);
  if (deck.get<bool>("run.residual")) heat.config.residual = checked_residual(deck, heat);
  check_halo_rules(deck, heat);
  check_measure_rules(deck, heat);
  return heat;
}

HeatCosts heat_costs(const HeatSettings& settings, int ranks) {
  HeatCosts maximum;
  for (int rank = 0; rank < ranks; ++rank) {
    const comm::GridProblem problem = settings.problem(rank);
    const grid::FieldLayout layout = problem.layout(settings.config.depth, settings.value_bytes());
    const comm::HaloPlan plan =
        comm::HaloPlan::make(problem.topology, layout, settings.cells, settings.config.exchange);
    const auto bytes =
        static_cast<std::size_t>(plan.send_cells() * settings.quantities) * settings.value_bytes();
    maximum.field_bytes =
        std::max(maximum.field_bytes, 2 * static_cast<std::size_t>(layout.size()) * settings.value_bytes());
    maximum.own_bytes =
        std::max(maximum.own_bytes, static_cast<std::size_t>(layout.own_box().cells() * settings.quantities) *
                                        settings.value_bytes());
    maximum.message_bytes = std::max(maximum.message_bytes, bytes);
    maximum.messages = std::max(maximum.messages, plan.messages());
  }
  for (const comm::TransportInfo* transport :
       comm::candidates(settings.config.halo.transport, settings.config.halo.mpi)) {
    if (transport->places.kernels) maximum.device_buffer_bytes = 2 * maximum.message_bytes;
    if (transport->places.host.empty()) continue;
    maximum.host_buffer_bytes =
        static_cast<std::size_t>(transport->places.host_buffers) * maximum.message_bytes;
    maximum.host_buffers = transport->places.host;
  }
  return maximum;
}

}  // namespace haloheap
