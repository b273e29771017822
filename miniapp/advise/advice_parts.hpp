// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_ADVICE_PARTS_HPP
#define HALOHEAP_MINIAPP_ADVISE_ADVICE_PARTS_HPP

#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/advise/advice.hpp>

#include <fmt/format.h>

#include <algorithm>

// What advice on all kinds of decks has in common.
namespace haloheap::advise {

/// A table of candidates has at least so many, as far as there are.
inline constexpr std::size_t listed_candidates = 12;

/// The values that may stand for a key: those given, if it is to be chosen, or what the deck has.
template <class T>
std::vector<T> choices(const deck::Deck& deck, const Scope& scope, const char* key, std::vector<T> all) {
  if (scope.open(deck, key)) return all;
  return {deck.get<T>(key)};
}

inline std::string in_words(const std::map<std::string, deck::Value>& keys) {
  std::string text;
  for (const auto& [key, value] : keys)
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", key, deck::to_toml(value));
  return text;
}

template <class Candidate>
std::string reason(const Candidate& candidate, const char* of, double residual) {
  const std::string measured =
      candidate.measured ? fmt::format(", measured {:.4g} us", 1e6 * *candidate.measured) : "";
  return fmt::format("predicted {:.4g} us {}{}; residual of the fit {:.1f} %", 1e6 * candidate.predicted, of,
                     measured, 100 * residual);
}

[[noreturn]] inline void nothing_measured(const PointRunner& runner) {
  std::string why = runner.time_is_up() ? "the time was up" : "";
  for (const auto& [what, reason] : runner.missing())
    why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", what, reason);
  throw CapabilityError("no advice: nothing could be measured" + (why.empty() ? "" : " (" + why + ")"),
                        "nothing was chosen", "name the values in the deck");
}

/// One row a candidate: its keys, predicted and measured time. `keys_of` says a choice as a deck does.
template <class Candidates, class Keys>
report::Table candidate_table(const Candidates& candidates, const Keys& keys_of, const std::string& of,
                              std::size_t rows = listed_candidates) {
  report::Table table;
  const auto column = [&](const std::string& title, bool right) -> report::Column& {
    return table.emplace_back(report::Column{title, {}, right});
  };
  if (candidates.empty()) return table;
  for (const auto& [key, value] : keys_of(candidates.front().choice))
    column(key.substr(key.find('.') + 1), false);
  const std::size_t keys = table.size();
  column("predicted [us/" + of + "]", true);
  column("measured", true);
  for (std::size_t i = 0; i < std::min(std::max(rows, listed_candidates), candidates.size()); ++i) {
    std::size_t at = 0;
    for (const auto& [key, value] : keys_of(candidates[i].choice))
      table[at++].cells.push_back(deck::to_string(value));
    table[keys].cells.push_back(fmt::format("{:.2f}", 1e6 * candidates[i].predicted));
    table[keys + 1].cells.push_back(
        candidates[i].measured ? fmt::format("{:.2f}", 1e6 * *candidates[i].measured) : "-");
  }
  return table;
}

}  // namespace haloheap::advise

#endif
