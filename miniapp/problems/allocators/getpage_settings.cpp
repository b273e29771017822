// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/getpage_settings.hpp>

#include <fmt/format.h>

#include <cmath>

namespace haloheap {

GetpageSettings read_getpage(const deck::Deck& deck) {
  GetpageSettings getpage;
  require_allocator(deck, {"page_queue", "random_walk", "random_walk_bitmap", "collaborative_random_walk"},
                    "it does not hand out single pages");
  getpage.allocator = read_allocator(deck);
  const HeapConfig& config = getpage.allocator.config;
  const double share = getpage.free_share = deck.get<double>("getpage.free") / 100;
  getpage.demand.pages = config.bytes / config.page_bytes;
  getpage.demand.threads = static_cast<std::size_t>(deck.get<std::int64_t>("getpage.threads"));
  getpage.demand.free =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(getpage.demand.pages)));
  if (getpage.demand.threads > getpage.demand.free)
    deck.reject("getpage.threads",
                fmt::format("{} threads want a page each, and {} of {} pages are free",
                            getpage.demand.threads, getpage.demand.free, getpage.demand.pages),
                "use fewer threads, a larger getpage.free, a larger allocator.pool or a smaller "
                "allocator.page");
  getpage.repetitions = static_cast<int>(deck.get<std::int64_t>("run.repetitions"));
  getpage.warm_ups = static_cast<int>(deck.get<std::int64_t>("run.warmup"));
  return getpage;
}

std::optional<StepCounts> formula_steps(const GetpageSettings& settings, std::size_t free_pages) {
  using namespace step_formulas;
  const Demand demand{settings.demand.pages, free_pages, settings.demand.threads};
  if (demand.threads > demand.free) return {};
  const unsigned bits = settings.allocator.config.word_bits;
  if (settings.allocator.name == "page_queue")
    return StepCounts{queue_average(demand.threads), queue_warp_average(demand.threads)};
  if (settings.allocator.name == "random_walk")
    return StepCounts{random_walk_average(demand), random_walk_warp_bound(demand)};
  return StepCounts{bitmap_average(demand, bits), bitmap_warp_bound(demand, bits)};
}

}  // namespace haloheap
