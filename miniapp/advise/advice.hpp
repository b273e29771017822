// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_ADVICE_HPP
#define HALOHEAP_MINIAPP_ADVISE_ADVICE_HPP

#include <haloheap/miniapp/advise/point_runner.hpp>
#include <haloheap/miniapp/report/table.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace haloheap::advise {

/// Seconds after which nothing more is measured; what has begun is finished.
inline constexpr double longest = 60;

/// What a deck should have.
struct Advice {
  std::map<std::string, deck::Value> keys;  ///< chosen values; none: there was nothing to choose
  std::string why;                          ///< one line, "halo.depth = 8: predicted ..."
  std::vector<report::Table> tables;        ///< costs that were fitted, candidates
};

/// Which keys are to be chosen: those that are "auto" in the deck, or all there are but those that are kept.
class Scope {
 public:
  static Scope automatic() { return {}; }
  static Scope all_but(std::vector<std::string> kept) {
    Scope scope;
    scope.kept_ = std::move(kept);
    return scope;
  }
  bool is_automatic() const { return !kept_.has_value(); }
  /// This scope, but for a key that has been chosen.
  Scope without(const std::string& key) const {
    Scope scope = *this;
    if (scope.kept_) scope.kept_->push_back(key);
    return scope;
  }
  bool open(const deck::Deck& deck, const std::string& key) const;

 private:
  std::optional<std::vector<std::string>> kept_;
};

/// The keys that advice on this deck may choose.
std::vector<std::string> advised_keys(const deck::Deck& deck);

/// Those of them that advice with this scope does choose: open, and of use to the deck.
std::vector<std::string> open_keys(const deck::Deck& deck, const Scope& scope);

/// Whether advice is needed before the deck can run.
bool has_automatic_keys(const deck::Deck& deck);

/// The deck with the simplest choices in the place of "auto": for rules that hold for all choices.
deck::Deck without_auto(const deck::Deck& deck);

/// Measures, and chooses; neither where no key is open. Collective. @throws CapabilityError if nothing that
/// may be chosen could be measured
Advice advise(const deck::Deck& deck, const Scope& scope, PointRunner& runner);

}  // namespace haloheap::advise

#endif
