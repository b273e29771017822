// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_RULES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_HEAT_HEAT_RULES_HPP

#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/heat/heat_settings.hpp>

// Rules between keys. All throw UsageError with the place in the deck.
namespace haloheap {

/// What DeepHalo can run, and what a run of it would measure.
void check_halo_rules(const deck::Deck& deck, const HeatSettings& heat);

/// What each run.measure can measure.
void check_measure_rules(const deck::Deck& deck, const HeatSettings& heat);

/// How the squared changes of this problem are summed; not every stencil has a bound for them.
stencil::ResidualScale checked_residual(const deck::Deck& deck, const HeatSettings& heat);

}  // namespace haloheap

#endif
