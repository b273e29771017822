// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_MEMORY_ADAPTORS_STATISTICS_HPP
#define HALOHEAP_CORE_MEMORY_ADAPTORS_STATISTICS_HPP

#include <haloheap/core/memory/adaptors/adaptor.hpp>

#include <mutex>

namespace haloheap::memory {

/// Bytes as asked for (without what the resource rounds up) and numbers of blocks.
struct MemoryStatistics {
  std::size_t live_bytes = 0;
  std::size_t peak_bytes = 0;   ///< largest live_bytes so far
  std::size_t total_bytes = 0;  ///< allocated since the start
  std::size_t live_count = 0;
  std::size_t peak_count = 0;
  std::size_t total_count = 0;
  std::size_t failed_count = 0;  ///< requests that threw
};

/// Counts what passes through.
class StatisticsResource final : public ResourceAdaptor {
 public:
  explicit StatisticsResource(std::shared_ptr<MemoryResource> upstream);
  std::string name() const override { return wrapped_name("statistics"); }

  /// All numbers of one moment.
  MemoryStatistics snapshot() const;

 private:
  void* do_allocate(std::size_t bytes, std::size_t alignment, std::string_view label) override;
  void do_deallocate(const Allocation& allocation) noexcept override;

  mutable std::mutex mutex_;
  MemoryStatistics statistics_;
};

}  // namespace haloheap::memory

#endif
