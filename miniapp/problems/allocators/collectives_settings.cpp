// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/miniapp/problems/allocators/collectives_settings.hpp>

#include <fmt/format.h>

namespace haloheap {
namespace {

int number(const deck::Deck& deck, const char* key) {
  return static_cast<int>(deck.get<std::int64_t>(key));
}

std::vector<std::string> usable_allocators() {
  std::vector<std::string> names = lane_allocators();
  for (const AllocatorInfo& info : allocator_infos<LaneAllocatorsOverNative>()) names.push_back(info.name);
  return names;
}

}  // namespace

std::size_t CollectivesSettings::buffer_bytes() const {
  const auto count = static_cast<std::size_t>(doubles);
  return sizeof(double) *
         (operation == Collective::alltoall ? count * static_cast<std::size_t>(ranks()) : count);
}

CollectivesSettings read_collectives(const deck::Deck& deck) {
  require_allocator(deck, usable_allocators(), "ranks allocate when they get to it, not as a team");
  const CollectivesSettings settings = {.allocator = read_allocator(deck),
                                        .operation = deck.choice<Collective>("collectives.operation"),
                                        .blocks = number(deck, "collectives.blocks"),
                                        .threads = number(deck, "collectives.threads"),
                                        .doubles = number(deck, "collectives.doubles"),
                                        .timeout = deck.get<double>("collectives.timeout"),
                                        .repetitions = number(deck, "run.repetitions"),
                                        .warm_ups = number(deck, "run.warmup")};
  if (settings.buffer_bytes() > settings.allocator.promises.largest)
    deck.reject(
        "collectives.doubles",
        fmt::format("a rank's buffer of {} bytes is more than '{}' can serve at once, which is {}",
                    settings.buffer_bytes(), settings.allocator.name, settings.allocator.promises.largest),
        "use fewer doubles or ranks, a larger allocator.page or a larger allocator.pool");
  return settings;
}

void require_resident(const deck::Deck& deck, int most) {
  const int blocks = number(deck, "collectives.blocks"), threads = number(deck, "collectives.threads");
  if (blocks <= most) return;
  const std::string cause = fmt::format(
      "ranks wait for each other, so all {} blocks of {} must run at once, and here no more than {} do",
      blocks, threads, most);
  deck.reject(
      "collectives.blocks", cause,
      most > 0 ? fmt::format("use {} blocks or fewer, or smaller ones", most) : "use fewer threads a block");
}

}  // namespace haloheap
