// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_SETTINGS_HPP

#include <haloheap/core/stencil/initial.hpp>
#include <haloheap/miniapp/deck/deck.hpp>

namespace haloheap {

/// What the heat problems have to themselves.
struct HeatSettings {
  int quantities = 1;
  stencil::Stencil stencil;
  stencil::Initial initial;
};

/// @throws UsageError with the place in the deck
HeatSettings read_heat(const deck::Deck& deck, int dims);

/// Adds grid.quantities, and the sections stencil and initial.
void add_heat_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
