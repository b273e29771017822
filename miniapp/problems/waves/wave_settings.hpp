// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_SETTINGS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>
#include <haloheap/miniapp/problems/waves/wave_speed.hpp>

#include <array>
#include <vector>

namespace haloheap {

enum class WaveStart { source, mode };

constexpr auto names_of(WaveStart) {
  return name_table<WaveStart>("start", {{WaveStart::source, "source"}, {WaveStart::mode, "mode"}});
}

/// What a wave meets at a side of the grid. An absorbing side is a fixed one behind a sponge.
enum class WaveSide { periodic, fixed, absorbing };

constexpr auto names_of(WaveSide) {
  return name_table<WaveSide>(
      "side of waves",
      {{WaveSide::periodic, "periodic"}, {WaveSide::fixed, "fixed"}, {WaveSide::absorbing, "absorbing"}});
}

/// Receivers of a seismogram.
struct WaveReceivers {
  std::vector<grid::Triple> cells;
  grid::Index interval;  ///< steps between two recordings
};

/// What a deck says of waves.
struct WaveSettings {
  GridSize size;
  int order;
  double spacing, time_step;
  WaveSpeed speed;
  std::array<WaveSide, 3> low, high;
  grid::Index sponge;  ///< cells
  WaveStart start;
  double amplitude, frequency;
  grid::Triple source, mode;
  WaveReceivers receivers;

  int radius() const { return order / 2; }
  bool absorbs() const;
  stencil::SideRules sides() const;
  /// (c dt / h)^2
  double courant2(const grid::Triple& cell) const;
  /// What a sponge leaves of the field in a step: 1 outside of sponges.
  double taper(const grid::Triple& cell) const;
};

void add_wave_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck
WaveSettings read_waves(const deck::Deck& deck, const GridSize& size);

/// The weights of the second derivative of this order, in units of cells, by distance.
std::array<double, 5> second_derivative(int order);
/// The largest of an eigenvalue of -lap, in units of cells.
double stiffest(int order, int dims);

/// What the source adds to u in each step, from step 0 on; the last one is 0 and stands for all that follow.
std::vector<double> ricker_wavelet(const WaveSettings& settings, grid::Index steps);

}  // namespace haloheap

#endif
