// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RULES_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RULES_HPP

#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>

#include <optional>
#include <string>

// Rules between keys. Whatever checks one throws UsageError with the place in the deck.
namespace haloheap {

/// What DeepHalo can run, and what a run of it would measure.
void check_halo_rules(const deck::Deck& deck, const GridSettings& settings);

/// A run that stops more often makes its steps without the graph, which is then not what was to be measured.
/// @param steps that are made between two stops
/// @param they how users are told of them: "grid.steps is 9"
void check_graph(const deck::Deck& deck, const char* key, grid::Index steps, const std::string& they);

/// Whether there is anything of that to be measured.
bool can_measure(Measure measure, comm::Overlap overlap);

/// What each run.measure can measure.
void check_measure_rules(const deck::Deck& deck, const GridSettings& settings);

/// At how many times of a run there is something new to see.
void check_frame_rules(const deck::Deck& deck, const GridSettings& settings);

/// How the squared changes of this physics are summed; not every one has a bound for them.
stencil::ResidualScale checked_residual(const deck::Deck& deck, const GridModel& model);

/// Names the key of what the library finds wrong, if it does.
void reject(const deck::Deck& deck, const std::optional<comm::HaloProblem>& problem);

}  // namespace haloheap

#endif
