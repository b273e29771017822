// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/hash_join_settings.hpp>
#include <haloheap/miniapp/problems/allocators/output_page.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

template <class T>
T number(const deck::Deck& deck, const char* key) {
  return static_cast<T>(deck.get<std::int64_t>(key));
}

}  // namespace

HashJoinSettings read_hash_join(const deck::Deck& deck) {
  require_allocator(deck, lane_allocators(), "the threads of a probing team do not ask together");
  HashJoinSettings settings;
  settings.allocator = read_allocator(deck);
  settings.tables = {.tuples = number<std::uint32_t>(deck, "hash_join.tuples"),
                     .match = deck.get<double>("hash_join.match"),
                     .skew = deck.get<double>("hash_join.skew"),
                     .copies = number<std::uint32_t>(deck, "hash_join.copies"),
                     .seed = settings.allocator.seed};
  settings.per_thread = number<int>(deck, "hash_join.per_thread");
  settings.warp_lists = deck.choice<ListOwner>("hash_join.list") == ListOwner::warp;
  settings.repetitions = number<int>(deck, "run.repetitions");
  settings.warm_ups = number<int>(deck, "run.warmup");
  if (OutputPage::capacity_of(settings.page_bytes()) == 0)
    deck.reject("allocator.page",
                fmt::format("an output page of {} bytes has no room for a row", settings.page_bytes()),
                "use 32 bytes or more");
  if (settings.page_bytes() > settings.allocator.promises.largest)
    deck.reject(
        "allocator.page",
        fmt::format("an output page of {} bytes is more than '{}' can serve at once, which is {}",
                    settings.page_bytes(), settings.allocator.name, settings.allocator.promises.largest),
        "use smaller pages or a larger allocator.pool");
  return settings;
}

}  // namespace haloheap
