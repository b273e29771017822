// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_SPEED_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_WAVES_WAVE_SPEED_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>

#include <vector>

namespace haloheap {

enum class Medium { uniform, layered, lens };

constexpr auto names_of(Medium) {
  return name_table<Medium>(
      "medium", {{Medium::uniform, "uniform"}, {Medium::layered, "layered"}, {Medium::lens, "lens"}});
}

/// How fast waves are in each cell.
struct WaveSpeed {
  Medium medium;
  double speed;                     ///< of a uniform medium, and around a lens
  std::vector<double> layers;       ///< speeds, along the last dimension
  std::vector<grid::Index> bounds;  ///< the first cell of each layer but the first
  double lens_speed;                ///< in its middle, which is that of the grid
  double lens_radius;               ///< cells
  GridSize size;

  double at(const grid::Triple& cell) const;
  double fastest() const;
  double slowest() const;
};

void add_wave_speed_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck
WaveSpeed read_wave_speed(const deck::Deck& deck, const GridSize& size);

}  // namespace haloheap

#endif
