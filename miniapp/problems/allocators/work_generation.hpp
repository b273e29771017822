// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_GENERATION_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_WORK_GENERATION_HPP

#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/request_sizes.hpp>

namespace haloheap {

/// What a deck says about problem work_generation.
struct WorkSettings {
  static constexpr std::uint32_t element_bytes = 4;

  AllocatorSettings allocator;
  int threads = 1;
  RequestSizes elements;  ///< of a thread's piece, one at least
  int repetitions = 1, warm_ups = 0;

  int runs() const { return warm_ups + repetitions; }
  /// The most that all pieces can have together.
  std::size_t largest_bytes() const {
    return static_cast<std::size_t>(threads) * elements.largest * element_bytes;
  }
};

/// @throws UsageError with the place in the deck, also where the allocator cannot serve such pieces
WorkSettings read_work_generation(const deck::Deck& deck);

}  // namespace haloheap

#endif
