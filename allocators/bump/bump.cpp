// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/bump/bump.hpp>
#include <haloheap/allocators/fetch.hpp>

#include <algorithm>

namespace haloheap::allocators {

Bump::Bump(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(config_.resource(), config_.label + "_pool", config_.bytes / 16 * 16),
      metadata_(config_.resource(), config_.label + "_metadata", 1) {
  reset(exec);
}

void Bump::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, metadata_.view(), Handle::Metadata{0, 0});
}

HeapStatistics Bump::statistics(const Exec& exec) const {
  const Handle::Metadata metadata = fetch(exec, metadata_.view().data(), 1).front();
  const std::size_t used = std::min<std::size_t>(metadata.used, pool_.size());
  return {.capacity = pool_.size(),
          .metadata = sizeof(Handle::Metadata),
          .in_use = used,
          .footprint = used,
          .high_water = used,
          .largest_free_run = pool_.size() - used,
          .failures = metadata.failures};
}

Promises Bump::promises(const HeapConfig& config) {
  return {.largest = config.bytes / 16 * 16, .frees = false, .frees_alone = false, .recovers_all = false};
}

}  // namespace haloheap::allocators
