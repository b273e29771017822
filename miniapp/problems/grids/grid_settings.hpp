// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_SETTINGS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/choices.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <array>
#include <memory>
#include <string>

namespace haloheap {

/// Whether MPI is believed when it says that it does not take device memory (deck: halo.gpu_aware).
enum class GpuAware { automatic, force };

constexpr auto names_of(GpuAware) {
  return name_table<GpuAware>("answer", {{GpuAware::automatic, "auto"}, {GpuAware::force, "force"}});
}

/// A deck's problem on a grid in the libraries' own terms.
struct GridSettings {
  std::shared_ptr<const GridModel> model;
  grid::Triple ranks;
  grid::Index steps = 0;
  grid::Index frames = 0;       ///< times at which the fields are written, after the start; 0: none
  comm::DeepHaloConfig config;  ///< without the memory of its buffers
  std::string fields, buffers;
  Measure measure = Measure::steps;
  TransferChoice transfer;  ///< of the fields, between host and device

  int dims() const { return model->size().dims; }
  const grid::Triple& cells() const { return model->size().cells; }
  /// Whether halo.mpi says how messages are passed, unless `auto` finds all neighbours on the same node.
  bool uses_mpi() const;
  /// Whether what was sent arrives and steps are made, so that the last field is that of the problem.
  bool has_result() const;
  comm::Grid grid(int rank) const;
  grid::Box own(int rank) const { return grid(rank).own(); }
  grid::FieldLayout layout(int rank) const;
  /// Passes of all steps: those of a physics with stages are several.
  grid::Index sub_steps() const { return steps * model->facts().stages; }
  grid::Index exchanges() const { return (sub_steps() + config.depth - 1) / config.depth; }
};

/// A list of as many numbers as the grid has dimensions; `fallback` if the deck has none, and beyond them.
/// @throws UsageError with the place in the deck
grid::Triple read_triple(const deck::Deck& deck, const char* key, int dims, const grid::Triple& fallback);
/// The same of reals: 0 if the deck has none, and beyond them.
std::array<double, 3> read_reals(const deck::Deck& deck, const char* key, int dims);

/// Of ranks.grid, or chosen. @throws UsageError with the place in the deck if it does not fit
grid::Triple read_rank_grid(const deck::Deck& deck, const GridSize& size, int ranks);

/// What add_transport_keys adds.
comm::HaloExchangeConfig read_exchange_config(const deck::Deck& deck);

/// The physics alone.
std::unique_ptr<GridModel> read_model(const deck::Deck& deck);

/// Reads and checks everything that can be known without a device.
/// @throws UsageError with the place in the deck
GridSettings read_grid(const deck::Deck& deck, int ranks);

/// What a rank takes and sends; the largest over ranks. Of buffers the most that the transport can take.
struct GridCosts {
  std::size_t field_bytes = 0;  ///< all fields, before and after a step
  std::size_t own_bytes = 0;    ///< the own cells of all fields, which are copied between host and device
  std::size_t device_buffer_bytes = 0;  ///< packed halos, sending and receiving
  std::size_t host_buffer_bytes = 0;
  std::string host_buffers;       ///< the resource that they are taken from; empty if there are none
  int messages = 0;               ///< sent in one exchange
  std::size_t message_bytes = 0;  ///< sent in one exchange
};

GridCosts grid_costs(const GridSettings& settings, int ranks);

/// Adds the section grid with its size,
void add_grid_keys(deck::Schema& schema);
/// and grid.steps, of problems that make time steps.
void add_step_keys(deck::Schema& schema);

/// Adds grid.precision, of physics that are computed in float or in double.
void add_precision_keys(deck::Schema& schema);
Precision read_precision(const deck::Deck& deck);

/// Adds sections of which nothing changes any result: how steps are made with deep halos, stencil and halo;
void add_halo_keys(deck::Schema& schema);
/// ranks;
void add_ranks_keys(deck::Schema& schema);
/// and how halos get to neighbours, in section halo.
void add_transport_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
