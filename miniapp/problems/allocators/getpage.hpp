// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_GETPAGE_HPP

#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>
#include <haloheap/miniapp/problems/allocators/step_counts.hpp>

#include <optional>

namespace haloheap {

/// A deck's problem getpage.
struct GetpageSettings {
  AllocatorSettings allocator;
  allocators::step_formulas::Demand demand;  ///< pages, of which are free, and threads
  double free_share = 1;                     ///< of the pages; demand.free is what to expect
  int repetitions = 1, warm_ups = 0;
};

/// Reads and checks everything that can be known without a device.
/// @throws UsageError with the place in the deck
GetpageSettings read_getpage(const deck::Deck& deck);

/// Steps by the formulas of [Pham2022], if so many pages are free: of warps an upper bound, but for the
/// queue. collaborative_random_walk has no formulas, and gets those of the bitmap. Nothing if there are too
/// few pages.
std::optional<StepCounts> formula_steps(const GetpageSettings& settings, std::size_t free_pages);

}  // namespace haloheap

#endif
