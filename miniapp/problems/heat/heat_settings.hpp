// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_SETTINGS_HPP

#include <haloheap/comm/halo/deep_halo_config.hpp>
#include <haloheap/core/base/names.hpp>
#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/choices.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/precision.hpp>
#include <haloheap/miniapp/problems/transfers/transfer_settings.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <string>

namespace haloheap {

/// Whether MPI is believed when it says that it does not take device memory (deck: halo.gpu_aware).
enum class GpuAware { automatic, force };

constexpr auto names_of(GpuAware) {
  return name_table<GpuAware>("answer", {{GpuAware::automatic, "auto"}, {GpuAware::force, "force"}});
}

/// A deck's heat problem in the libraries' own terms.
struct HeatSettings {
  int dims = 2;
  grid::Triple cells, ranks;
  grid::Index steps = 0;
  bool single_precision = false;
  int quantities = 1;
  grid::Boundary boundary;
  stencil::Stencil stencil;
  stencil::Initial initial;
  comm::DeepHaloConfig config;  ///< without the memory of its buffers
  std::string fields, buffers;
  Measure measure = Measure::steps;
  TransferChoice transfer;  ///< of the field, between host and device

  /// Whether halo.mpi says how messages are passed, unless `auto` finds all neighbours on the same node.
  bool uses_mpi() const;
  /// Whether what was sent arrives and steps are made, so that the last field is that of the problem.
  bool has_result() const;
  std::size_t value_bytes() const { return single_precision ? sizeof(float) : sizeof(double); }
  comm::GridProblem problem(int rank) const;
};

/// Reads and checks everything that can be known without a device.
/// @throws UsageError with the place in the deck
HeatSettings read_heat(const deck::Deck& deck, int ranks);

/// What a rank takes and sends; the largest over ranks. Of buffers the most that the transport can take.
struct HeatCosts {
  std::size_t field_bytes = 0;  ///< both fields
  std::size_t own_bytes = 0;    ///< the own cells of one field, which are copied between host and device
  std::size_t device_buffer_bytes = 0;  ///< packed halos, sending and receiving
  std::size_t host_buffer_bytes = 0;
  std::string host_buffers;       ///< the resource that they are taken from; empty if there are none
  int messages = 0;               ///< sent in one exchange
  std::size_t message_bytes = 0;  ///< sent in one exchange
};

HeatCosts heat_costs(const HeatSettings& settings, int ranks);

/// Adds the sections grid, boundary, stencil, initial, ranks and halo.
void add_heat_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
