// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_ADVICE_HPP

#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/report/table.hpp>

#include <map>
#include <string>
#include <vector>

namespace haloheap::advise {

/// Seconds that measuring may take.
inline constexpr double longest = 120;

/// What a deck should have.
struct Advice {
  std::map<std::string, deck::Value> keys;  ///< chosen values; none: there was nothing to choose
  std::string why;                          ///< one line, "halo.depth = 8: predicted ..."
  std::vector<report::Table> tables;        ///< costs that were fitted, candidates
};

/// Which keys are to be chosen: all that are "auto" in the deck, or all there are.
enum class Scope { automatic, all };

/// Whether advice is needed before the deck can run.
bool has_automatic_keys(const deck::Deck& deck);

/// The deck with the simplest choices in the place of "auto": for rules that hold for all choices.
deck::Deck without_auto(const deck::Deck& deck);

/// Measures, and chooses. Collective. @throws CapabilityError if nothing that may be chosen could be measured
Advice advise(const deck::Deck& deck, Scope scope, PointRunner& runner);

}  // namespace haloheap::advise

#endif
