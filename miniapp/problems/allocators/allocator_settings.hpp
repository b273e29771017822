// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATOR_SETTINGS_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_ALLOCATOR_SETTINGS_HPP

#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/allocators/promises.hpp>
#include <haloheap/allocators/random_walk/step_formulas.hpp>
#include <haloheap/miniapp/deck/deck.hpp>
#include <haloheap/miniapp/schema.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace haloheap {

/// The section allocator of a deck.
struct AllocatorSettings {
  std::string name;
  allocators::HeapConfig config;  ///< without its memory: in the deck that is memory.fields
  std::uint64_t seed = 0;
  allocators::Promises promises;  ///< of that allocator with that configuration
  bool team = false;              ///< whole teams call it, not any lane
  std::optional<allocators::step_formulas::Search> search = {};  ///< of allocators of single pages
};

/// Of a heap whose pool stands in `pool`.
allocators::HeapConfig heap_config(const AllocatorSettings& allocator,
                                   std::shared_ptr<memory::MemoryResource> pool);

/// Reads and checks everything that can be known without a device.
/// @throws UsageError with the place in the deck
AllocatorSettings read_allocator(const deck::Deck& deck);

/// For problems that not every allocator can serve.
/// @throws UsageError with the place of allocator.name in the deck, unless the allocator is one of `names`
void require_allocator(const deck::Deck& deck, const std::vector<std::string>& names, const std::string& why);

/// Those that any lane may call, for require_allocator.
std::vector<std::string> lane_allocators();
/// Those that look for single pages, for require_allocator.
std::vector<std::string> page_allocators();
/// All, in the order of the lists.
std::vector<std::string> all_allocators();

/// Adds the section allocator, for all problems that allocate in kernels.
void add_allocator_keys(deck::Schema& schema);

}  // namespace haloheap

#endif
