// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/memory/adaptors/statistics.hpp>

#include <algorithm>

namespace haloheap::memory {

StatisticsResource::StatisticsResource(std::shared_ptr<MemoryResource> upstream)
    : ResourceAdaptor(std::move(upstream)) {}

MemoryStatistics StatisticsResource::snapshot() const {
  const std::scoped_lock lock(mutex_);
  return statistics_;
}

void* StatisticsResource::do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) {
  void* data = nullptr;
  try {
    data = upstream().allocate(bytes, alignment, label).data;
  } catch (...) {
    const std::scoped_lock lock(mutex_);
    ++statistics_.failed_count;
    throw;
  }
  const std::scoped_lock lock(mutex_);
  statistics_.live_bytes += bytes;
  statistics_.total_bytes += bytes;
  statistics_.peak_bytes = std::max(statistics_.peak_bytes, statistics_.live_bytes);
  ++statistics_.live_count;
  ++statistics_.total_count;
  statistics_.peak_count = std::max(statistics_.peak_count, statistics_.live_count);
  return data;
}

void StatisticsResource::do_deallocate(const Allocation& allocation) noexcept {
  {
    const std::scoped_lock lock(mutex_);
    statistics_.live_bytes -= allocation.bytes;
    --statistics_.live_count;
  }
  upstream().deallocate(allocation);
}

}  // namespace haloheap::memory
