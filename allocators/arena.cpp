// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/arena.hpp>
#include <haloheap/allocators/arena_list.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace haloheap::allocators {
namespace {

// Below it some allocators align less.
constexpr std::size_t min_request = 16;

backend::Properties properties_of(const HeapConfig& config, const Promises& promises) {
  backend::Properties result = config.resource()->properties();
  result.max_alignment = backend::default_alignment;
  // What does not come back with a reset does not stand in the pool, but where kernels' own malloc puts it.
  if (!promises.resets) {
    result.host_accessible = promises.copyable;
    result.ipc_exportable = false;
    result.device = -1;
  }
  return result;
}

/// What may be missing in front of the first address that is aligned.
std::size_t room_for(std::size_t alignment, const Promises& promises) {
  return alignment - std::min(alignment, promises.alignment_from_16);
}

void* aligned(void* block, std::size_t alignment) {
  const auto address = reinterpret_cast<std::uintptr_t>(block);
  return static_cast<std::byte*>(block) + ((address + alignment - 1) / alignment * alignment - address);
}

}  // namespace

Arena::Arena(std::string name, HeapConfig config, const Promises& promises)
    : name_(std::move(name)),
      config_(std::move(config)),
      promises_(promises),
      properties_(properties_of(config_, promises_)) {
  if (promises_.copyable) return;
  throw CapabilityError(fmt::format("memory that {} gives to kernels cannot be copied by the host", name_),
                        "nothing was allocated", "use another allocator, such as slab_walk");
}

std::size_t Arena::in_use(const HeapStatistics& statistics) const {
  if (promises_.resets) return std::min(statistics.in_use, statistics.capacity);
  const std::size_t held =
      std::accumulate(live_.begin(), live_.end(), std::size_t{0},
                      [](std::size_t sum, const auto& entry) { return sum + entry.second.bytes; });
  return std::min(held, statistics.capacity);
}

void Arena::throw_out_of_memory(std::size_t bytes, std::string_view label) {
  const HeapStatistics now = statistics();
  throw OutOfMemory(bytes,
                    fmt::format("out of {} memory: '{}' needs {} bytes, the heap '{}' has {} free of {}",
                                name_, label, bytes, config_.label, now.capacity - in_use(now), now.capacity),
                    "the block was not allocated",
                    "use a larger pool, a smaller problem, or another memory resource");
}

void Arena::require_servable(std::size_t bytes, std::size_t room, std::string_view label) {
  const std::size_t maximum = promises_.largest - std::min(promises_.largest, room);
  if (bytes <= maximum) return;
  if (bytes > config_.bytes - std::min(config_.bytes, room)) throw_out_of_memory(bytes, label);
  const std::string others = arenas_that_serve(bytes + room, config_);
  throw CapabilityError(
      fmt::format("{} cannot serve '{}' of {} bytes: of the heap '{}' of {} bytes one request can have {} "
                  "at most",
                  name_, label, bytes, config_.label, config_.bytes, maximum),
      "the block was not allocated",
      others.empty() ? "use a larger pool, or memory 'device'" : fmt::format("use one of: {}", others));
}

void* Arena::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  const std::scoped_lock lock(mutex_);
  const std::size_t room = room_for(alignment, promises_);
  require_servable(bytes, room, label);
  const std::size_t request = std::max(bytes, min_request) + room;
  void* const block = take(request);
  if (block == nullptr) throw_out_of_memory(bytes, label);
  void* const data = aligned(block, alignment);
  live_[data] = {block, request};
  return data;
}

void Arena::do_deallocate(const memory::Allocation& allocation) noexcept {
  try {
    const std::scoped_lock lock(mutex_);
    const auto node = live_.extract(allocation.data);
    if (node.empty()) Kokkos::abort("haloheap: an arena was given a block that it does not own");
    give_back(node.mapped().data);
    if (!promises_.frees && live_.empty()) reset();
  } catch (...) {
    // The device reports failures of earlier work, which is not this block's to handle.
  }
}

}  // namespace haloheap::allocators
