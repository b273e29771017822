// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_REPETITIONS_HPP
#define HALOHEAP_MINIAPP_REPETITIONS_HPP

#include <haloheap/miniapp/deck/deck.hpp>

namespace haloheap {

/// How often a point runs, as section run of a deck says.
struct Repetitions {
  int repetitions = 1;  ///< that are measured
  int warm_ups = 0;     ///< before them

  int runs() const { return warm_ups + repetitions; }
};

/// Into settings that have the same two numbers.
template <class Settings>
void read_repetitions(const deck::Deck& deck, Settings& settings) {
  settings.repetitions = deck.number("run.repetitions");
  settings.warm_ups = deck.number("run.warmup");
}

inline Repetitions read_repetitions(const deck::Deck& deck) {
  Repetitions repetitions;
  read_repetitions(deck, repetitions);
  return repetitions;
}

}  // namespace haloheap

#endif
