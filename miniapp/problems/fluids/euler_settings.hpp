// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EULER_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_FLUIDS_EULER_SETTINGS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/core/stencil/outside.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/fluids/gas.hpp>
#include <haloheap/miniapp/problems/grids/grid_model.hpp>

namespace haloheap::fluids {

constexpr auto names_of(Flux) {
  return name_table<Flux>("flux", {{Flux::rusanov, "rusanov"}, {Flux::hll, "hll"}});
}
constexpr auto names_of(Limiter) {
  return name_table<Limiter>("limiter", {{Limiter::minmod, "minmod"}, {Limiter::van_leer, "van_leer"}});
}

enum class EulerStart { sod, wave, kelvin_helmholtz, vortex };

constexpr auto names_of(EulerStart) {
  return name_table<EulerStart>("start", {{EulerStart::sod, "sod"},
                                          {EulerStart::wave, "wave"},
                                          {EulerStart::kelvin_helmholtz, "kelvin_helmholtz"},
                                          {EulerStart::vortex, "vortex"}});
}

/// What is beyond a side of the grid.
enum class EulerSide { periodic, reflecting, outflow };

constexpr auto names_of(EulerSide) {
  return name_table<EulerSide>("side", {{EulerSide::periodic, "periodic"},
                                        {EulerSide::reflecting, "reflecting"},
                                        {EulerSide::outflow, "outflow"}});
}

/// What a deck says of the gas.
struct EulerSettings {
  EulerStart start;
  int along;  ///< the dimension of the tube
  double gamma;
  Flux flux;
  Limiter limiter;
  int order;          ///< in space: 1 or 2
  int stages;         ///< in time: 2 or 3
  double time_step;   ///< 0: from courant
  double courant;     ///< number, for the fastest waves
  grid::Index every;  ///< steps after which the time step is chosen anew; 0: never
  double amplitude;
  grid::Triple mode;
  EulerSide sides[2][2];  ///< by dimension; low, high

  bool periodic(int dim) const { return sides[dim][0] == EulerSide::periodic; }
};

/// Adds the section euler2d.
void add_euler_keys(deck::Schema& schema);

/// @throws UsageError with the place in the deck
EulerSettings read_euler(const deck::Deck& deck, const GridSize& size);

/// Of the four components of a state, twice.
stencil::SideRules euler_sides(const EulerSettings& settings);

}  // namespace haloheap::fluids

#endif
