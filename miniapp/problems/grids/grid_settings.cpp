// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/halo_plan.hpp>
#include <haloheap/comm/paths/route.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/grid/decomposition.hpp>
#include <haloheap/miniapp/problems/grids/grid_rules.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap {
namespace {

using deck::Deck;
using Integers = std::vector<std::int64_t>;

std::string text(const Deck& deck, const char* key) {
  return deck.get<std::string>(key);
}

comm::DeepHaloConfig read_config(const Deck& deck) {
  comm::DeepHaloConfig config;
  config.depth = deck.number("halo.depth");
  config.fused_steps = deck.number("stencil.fused_steps");
  config.redundant = deck.choice<comm::Redundant>("stencil.redundant");
  config.exchange = deck.choice<comm::Exchange>("halo.exchange");
  config.messages = deck.choice<comm::MessagesPer>("halo.messages");
  config.overlap = deck.choice<comm::Overlap>("halo.overlap");
  config.phases = deck.get<bool>("run.phases");
  config.graph = deck.get<bool>("halo.graph");
  config.halo = read_exchange_config(deck);
  config.halo.packing = deck.choice<comm::Packing>("halo.packing");
  config.halo.corners = deck.choice<comm::Corners>("halo.corners");
  config.halo.desynchronisation = deck.get<bool>("run.desynchronisation");
  return config;
}

/// @throws UsageError unless a list has a number for each dimension
void check_dimensions(const Deck& deck, const char* key, std::size_t numbers, int dims) {
  if (static_cast<int>(numbers) != dims)
    deck.reject(
        key,
        fmt::format("has {} numbers, but problem {} has {} dimensions", numbers, text(deck, "problem"), dims),
        fmt::format("give {} numbers", dims));
}

/// Cells and bytes are counted in 64 bits.
void check_countable(const Deck& deck, const GridSettings& settings) {
  const GridModel& model = *settings.model;
  double bytes = 2.0 * model.fields() * static_cast<double>(model.value_bytes());
  // Rows are padded to full lines.
  const grid::Index around = 2 * grid::Index{settings.config.depth} * model.facts().radius + 64;
  for (int dim = 0; dim < settings.dims(); ++dim)
    bytes *= static_cast<double>(settings.cells()[dim] + around);
  if (bytes > 0x1p62)
    deck.reject("grid.size", fmt::format("fields of {:.3g} bytes are more than can be counted", bytes),
                "use a smaller grid");
}

}  // namespace

bool GridSettings::uses_mpi() const {
  const auto all = comm::candidates(config.halo.transport, config.halo.mpi);
  return std::any_of(all.begin(), all.end(),
                     [](auto* info) { return info->carrier != comm::Carrier::devices; });
}

bool GridSettings::has_result() const {
  const auto all = comm::candidates(config.halo.transport, config.halo.mpi);
  const bool delivers = std::all_of(all.begin(), all.end(), [](auto* info) { return info->delivers; });
  return delivers && measure != Measure::exchange;
}

comm::Grid GridSettings::grid(int rank) const {
  return {dims(), cells(), comm::Topology::make(rank, ranks, model->facts().periodic)};
}

grid::FieldLayout GridSettings::layout(int rank) const {
  return grid(rank).layout(grid::Index{config.depth} * model->facts().radius, model->fields(),
                           model->value_bytes());
}

grid::Triple read_triple(const Deck& deck, const char* key, int dims, const grid::Triple& fallback) {
  const auto list = deck.get<Integers>(key);
  if (list.empty()) return fallback;
  check_dimensions(deck, key, list.size(), dims);
  grid::Triple result = fallback;
  for (int dim = 0; dim < dims; ++dim) result[dim] = list[static_cast<std::size_t>(dim)];
  return result;
}

std::array<double, 3> read_reals(const Deck& deck, const char* key, int dims) {
  std::array<double, 3> result{};
  const auto list = deck.get<std::vector<double>>(key);
  if (list.empty()) return result;
  check_dimensions(deck, key, list.size(), dims);
  std::copy(list.begin(), list.end(), result.begin());
  return result;
}

grid::Triple read_rank_grid(const Deck& deck, const GridSize& size, int ranks) {
  const grid::Triple grid = read_triple(deck, "ranks.grid", size.dims, {0, 0, 1});
  const grid::Triple result = grid.x == 0 ? grid::rank_grid(ranks, size.dims, size.cells) : grid;
  const std::string shown = size.dims == 2 ? fmt::format("{} x {}", result.x, result.y)
                                           : fmt::format("{} x {} x {}", result.x, result.y, result.z);
  // A product of numbers from a deck may be more than can be counted.
  const double count =
      static_cast<double>(result.x) * static_cast<double>(result.y) * static_cast<double>(result.z);
  if (count != ranks)
    deck.reject("ranks.grid", fmt::format("{} ranks are not the {} that run", shown, ranks),
                fmt::format("start {:.10g} ranks, or leave ranks.grid out", count));
  for (int dim = 0; dim < size.dims; ++dim)
    if (size.cells[dim] < result[dim])
      deck.reject("grid.size",
                  fmt::format("{} cells in {} cannot be divided among {} ranks (rank grid {})",
                              size.cells[dim], "xyz"[dim], result[dim], shown),
                  "use a larger grid, fewer ranks, or set ranks.grid");
  return result;
}

comm::HaloExchangeConfig read_exchange_config(const Deck& deck) {
  comm::HaloExchangeConfig config;
  config.transport = text(deck, "halo.transport");
  config.mpi = text(deck, "halo.mpi");
  config.force_gpu_aware = deck.choice<GpuAware>("halo.gpu_aware") == GpuAware::force;
  config.ranks_per_node = deck.number("halo.ranks_per_node");
  config.timeout = deck.get<double>("halo.timeout");
  return config;
}

std::unique_ptr<GridModel> read_model(const Deck& deck) {
  const ProblemEntry& problem = problems().at(text(deck, "problem"));
  if (problem.model == nullptr) throw InternalError("problem " + problem.name + " has no grid");
  return problem.model(deck, {problem.dims, read_triple(deck, "grid.size", problem.dims, {1, 1, 1})});
}

GridSettings read_grid(const Deck& deck, int ranks) {
  GridSettings settings;
  settings.model = read_model(deck);
  settings.steps = deck.get<std::int64_t>("grid.steps");
  settings.frames = deck.get<std::int64_t>("output.frames");
  settings.ranks = read_rank_grid(deck, settings.model->size(), ranks);
  settings.config = read_config(deck);
  settings.fields = text(deck, "memory.fields");
  settings.buffers = text(deck, "memory.buffers");
  settings.measure = deck.choice<Measure>("run.measure");
  settings.transfer = read_transfer_choice(deck);
  check_countable(deck, settings);
  if (deck.get<bool>("run.residual")) settings.config.residual = checked_residual(deck, *settings.model);
  settings.config.residual_interval = static_cast<int>(deck.get<std::int64_t>("run.residual_interval"));
  check_halo_rules(deck, settings);
  check_measure_rules(deck, settings);
  check_frame_rules(deck, settings);
  return settings;
}

GridCosts grid_costs(const GridSettings& settings, int ranks) {
  GridCosts maximum;
  const GridModel& model = *settings.model;
  for (int rank = 0; rank < ranks; ++rank) {
    const grid::FieldLayout layout = settings.layout(rank);
    const comm::HaloPlan plan = comm::HaloPlan::make(settings.grid(rank).topology, layout, settings.cells(),
                                                     settings.config.exchange, settings.config.messages);
    const auto bytes_of = [&](grid::Index values) {
      return static_cast<std::size_t>(values) * model.value_bytes();
    };
    const auto constants = static_cast<std::size_t>(layout.quantity_size) * model.facts().constant_bytes;
    maximum.field_bytes = std::max(maximum.field_bytes, 2 * bytes_of(layout.size()) + constants);
    maximum.own_bytes = std::max(maximum.own_bytes, bytes_of(layout.own_box().cells() * model.fields()));
    maximum.message_bytes = std::max(maximum.message_bytes, bytes_of(plan.send_cells() * model.fields()));
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
