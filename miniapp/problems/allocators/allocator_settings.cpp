// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/allocator_list.hpp>
#include <haloheap/allocators/choose_allocator.hpp>
#include <haloheap/allocators/coalescing/over_native.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/allocators/allocator_settings.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <bit>

namespace haloheap {
namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

using AllAllocators =
    JoinedAllocators<DeviceAllocators, TeamAllocators, LaneAllocatorsOverNative, TeamAllocatorsOverNative>;

template <class List>
void add_names(std::vector<std::string>& names) {
  for (const AllocatorInfo& info : allocator_infos<List>()) names.push_back(info.name);
}

HeapConfig read_config(const deck::Deck& deck) {
  HeapConfig config;
  config.bytes = static_cast<std::size_t>(deck.get<double>("allocator.pool") * gib);
  config.page_bytes = static_cast<std::size_t>(deck.get<std::int64_t>("allocator.page"));
  config.word_bits = static_cast<unsigned>(deck.get<std::int64_t>("allocator.word"));
  if (!std::has_single_bit(config.page_bytes))
    deck.reject(
        "allocator.page", fmt::format("{} is not a power of two", config.page_bytes),
        fmt::format("use {} or {}", std::bit_floor(config.page_bytes), std::bit_ceil(config.page_bytes)));
  if (config.word_bits != 32 && config.word_bits != 64)
    deck.reject("allocator.word", fmt::format("there are no words of {} bits", config.word_bits),
                "use 32 or 64");
  if (config.bytes < config.page_bytes)
    deck.reject(
        "allocator.pool",
        fmt::format("a pool of {} bytes has no room for a page of {}", config.bytes, config.page_bytes),
        "use a larger pool, or a smaller allocator.page");
  return config;
}

}  // namespace

HeapConfig heap_config(const AllocatorSettings& allocator, std::shared_ptr<MemoryResource> pool) {
  HeapConfig config = allocator.config;
  config.memory = std::move(pool);
  return config;
}

std::vector<std::string> lane_allocators() {
  std::vector<std::string> names;
  add_names<DeviceAllocators>(names);
  return names;
}

std::vector<std::string> all_allocators() {
  std::vector<std::string> names = lane_allocators();
  add_names<TeamAllocators>(names);
  add_names<LaneAllocatorsOverNative>(names);
  add_names<TeamAllocatorsOverNative>(names);
  return names;
}

void require_allocator(const deck::Deck& deck, const std::vector<std::string>& names,
                       const std::string& why) {
  const auto name = deck.get<std::string>("allocator.name");
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  deck.reject("allocator.name",
              fmt::format("'{}' cannot run problem '{}': {}", name, deck.get<std::string>("problem"), why),
              fmt::format("use one of: {}", fmt::join(names, ", ")));
}

AllocatorSettings read_allocator(const deck::Deck& deck) {
  AllocatorSettings settings;
  settings.name = deck.get<std::string>("allocator.name");
  settings.config = read_config(deck);
  settings.seed = static_cast<std::uint64_t>(deck.get<std::int64_t>("allocator.seed"));
  try {
    choose_allocator<AllAllocators>(settings.name, [&]<class A>() {
      settings.promises = A::promises(settings.config);
      settings.team = TeamAllocator<A>;
    });
  } catch (const UsageError& error) {  // it knows no deck
    deck.reject("allocator.pool", error.cause(),
                error.remedy().empty() ? "use a larger pool" : error.remedy());
  }
  return settings;
}

}  // namespace haloheap
