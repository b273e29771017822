// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/allocators/allocation_settings.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

int number(const deck::Deck& deck, const char* key) {
  return static_cast<int>(deck.get<std::int64_t>(key));
}

}  // namespace

AllocationSettings read_allocation(const deck::Deck& deck) {
  const AllocationSettings settings = {
      .allocator = read_allocator(deck),
      .work = Workload::of(deck.choice<AllocationWork>("allocation.work"), number(deck, "allocation.floats")),
      .blocks = number(deck, "allocation.blocks"),
      .threads = number(deck, "allocation.threads"),
      .repetitions = number(deck, "run.repetitions"),
      .warm_ups = number(deck, "run.warmup")};
  const AllocatorSettings& allocator = settings.allocator;
  if (settings.bytes() > allocator.promises.largest)
    deck.reject("allocation.floats",
                fmt::format("{} bytes are more than '{}' can serve at once, which is {}", settings.bytes(),
                            allocator.name, allocator.promises.largest),
                "use fewer floats, a larger allocator.page or a larger allocator.pool");
  if (settings.bytes() * settings.total_threads() > allocator.config.bytes)
    deck.reject("allocator.pool",
                fmt::format("{} threads of {} bytes each do not fit into {} bytes", settings.total_threads(),
                            settings.bytes(), allocator.config.bytes),
                "use a larger pool, or fewer floats, blocks or threads");
  return settings;
}

}  // namespace haloheap
