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

namespace haloheap {

void add_allocator_keys(deck::Schema& schema) {
  const std::vector<std::string> names = all_allocators();
  deck::Section& allocator = schema.section("allocator", "The in-kernel allocator");
  allocator.text("name", names.front()).choices(names).or_auto().help("What kernels allocate with");
  allocator.real("pool", 0.0625)
      .range(1e-6, 1e5)
      .unit("GiB")
      .help("Memory that it hands out; its own metadata comes on top");
  allocator.integer("page", 256)
      .range(16, 1 << 30)
      .unit("bytes")
      .help("Of allocators of pages: the size of a page, a power of two");
  allocator.integer("word", 32)
      .range(32, 64)
      .unit("bits")
      .help("Of bitmaps of pages: those that one probe sees, 32 or 64");
  allocator.integer("alignment", 16)
      .range(4, 16)
      .unit("bytes")
      .help(
          "What blocks of 16 bytes and more are aligned to: 16, or 8 or 4 for small headers of warp_header");
  allocator.integer("seed", 1).at_least(0).seed().help(
      "Of random sizes and of random choices of what is freed");
}

namespace {

constexpr double gib = 1024.0 * 1024.0 * 1024.0;

const char* key_of(allocators::HeapSetting setting) {
  switch (setting) {
    case allocators::HeapSetting::bytes:
      return "allocator.pool";
    case allocators::HeapSetting::page_bytes:
      return "allocator.page";
    case allocators::HeapSetting::word_bits:
      return "allocator.word";
    case allocators::HeapSetting::alignment:
      return "allocator.alignment";
  }
  throw InternalError("a setting of a heap has no key");
}

allocators::HeapConfig read_config(const deck::Deck& deck) {
  allocators::HeapConfig config;
  config.bytes = static_cast<std::size_t>(deck.get<double>("allocator.pool") * gib);
  config.page_bytes = static_cast<std::size_t>(deck.get<std::int64_t>("allocator.page"));
  config.word_bits = static_cast<unsigned>(deck.get<std::int64_t>("allocator.word"));
  config.alignment = static_cast<unsigned>(deck.get<std::int64_t>("allocator.alignment"));
  for (const auto& problem : {allocators::page_problem(config), allocators::alignment_problem(config)})
    if (problem) deck.reject(key_of(problem->setting), *problem);
  return config;
}

}  // namespace

allocators::HeapConfig heap_config(const AllocatorSettings& allocator,
                                   std::shared_ptr<memory::MemoryResource> pool) {
  allocators::HeapConfig config = allocator.config;
  config.memory = std::move(pool);
  return config;
}

std::vector<std::string> lane_allocators() {
  return allocators::allocators_of<allocators::DeviceAllocators>().names();
}

std::vector<std::string> page_allocators() {
  std::vector<std::string> names;
  allocators::AllAllocators::for_each([&]<class A>() {
    if constexpr (allocators::SearchesPages<A>) names.emplace_back(A::name);
  });
  return names;
}

std::vector<std::string> all_allocators() {
  return allocators::allocators_of<allocators::AllAllocators>().names();
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
    allocators::choose_allocator<allocators::AllAllocators>(settings.name, [&]<class A>() {
      settings.promises = A::promises(settings.config);
      settings.team = allocators::TeamAllocator<A>;
      if constexpr (allocators::SearchesPages<A>) settings.search = A::search;
    });
  } catch (const UsageError& error) {  // it knows no deck
    deck.reject("allocator.pool", error.cause(),
                error.remedy().empty() ? "use a larger pool" : error.remedy());
  }
  return settings;
}

}  // namespace haloheap
