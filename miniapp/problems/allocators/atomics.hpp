// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ATOMICS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ATOMICS_HPP

#include <haloheap/core/base/names.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/problems/heap_point.hpp>

#include <cstdint>
#include <functional>
#include <vector>

namespace haloheap {

enum class AtomicOperation { add, exchange };

constexpr auto names_of(AtomicOperation) {
  return name_table<AtomicOperation>(
      "operation", {{AtomicOperation::add, "add"}, {AtomicOperation::exchange, "exchange"}});
}

/// What a deck says about problem atomics.
struct AtomicsSettings {
  AtomicOperation operation = AtomicOperation::add;
  int threads = 1;
  int addresses = 1;  ///< words that the threads share; thread i has word i % addresses
  int rounds = 1;     ///< operations of a thread, one after the other
  int spacing = 32;   ///< bytes from one word to the next
  int repetitions = 1, warm_ups = 0;

  std::size_t word_bytes() const {
    return static_cast<std::size_t>(addresses) * static_cast<std::size_t>(spacing);
  }
  double operations() const { return static_cast<double>(threads) * rounds; }
};

/// @throws UsageError with the place in the deck
AtomicsSettings read_atomics(const deck::Deck& deck);

/// Seconds, one entry a repetition.
struct AtomicsResult {
  std::vector<double> kernel;
  std::vector<double> mean, slowest;  ///< of one operation, of the mean thread and of the slowest one
  std::uint64_t wrong = 0;            ///< words, over all runs, that are not what the operations must leave
  std::uint64_t checked = 0;
};

/// Bytes of what stands beside the words.
std::size_t atomics_array_bytes(const AtomicsSettings& settings);

/// Each thread changes its word `rounds` times, with a clock around all of them; each operation needs the
/// answer of the one before.
/// @param progress gets the number of runs that are done
AtomicsResult run_atomics(const AtomicsSettings& settings, const HeapSetup& setup,
                          const std::function<void(int)>& progress);

/// What must be true of words and answers after `add` or `exchange`: no operation was lost, and none saw what
/// another one had seen. Words that are not right; all of them where the answers are not.
/// @param finals what the words hold
/// @param answers the sum of what all operations had found
std::uint64_t wrong_words(const AtomicsSettings& settings, const std::vector<std::uint32_t>& finals,
                          std::uint64_t answers);

}  // namespace haloheap

#endif
