// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/virtual_queues/chunk_layout.hpp>
#include <haloheap/allocators/virtual_queues/virtual_queues.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace haloheap::allocators {
namespace {

using Tables = detail::ChunkTables<lanes::Platform>;
using Layout = detail::ChunkLayout<lanes::Platform>;
namespace chunk_classes = detail::chunk_classes;

constexpr std::size_t lanes_side_by_side = std::size_t{1} << 18;

Layout layout_of(const HeapConfig& config) {
  constexpr std::size_t max_chunks = std::size_t{1} << 31;
  const std::size_t chunks = config.bytes / chunk_classes::chunk_bytes;
  const std::string what = fmt::format("{} cannot make the heap '{}'", VirtualQueues::name, config.label);
  if (chunks < Layout::min_chunks)
    throw UsageError(fmt::format("{} of {} bytes", what, config.bytes), "",
                     fmt::format("use {} or more", Layout::min_chunks * chunk_classes::chunk_bytes));
  if (chunks > max_chunks)
    throw UsageError(fmt::format("{} of {} bytes", what, config.bytes), "", "use a smaller pool");
  return {chunks, lanes_side_by_side};
}

struct Start {
  Tables tables;
  KOKKOS_FUNCTION void operator()(std::uint32_t number) const { detail::start_chunks(tables, number); }
};

/// Counts chunks, from the first to the last.
class ChunkCount {
 public:
  void add(bool touched, std::uint32_t state, std::uint32_t size_class) {
    const std::uint32_t pages = chunk_classes::pages(size_class);
    const std::uint32_t used = touched ? pages - (state & detail::ChunkState::free_mask) : 0;
    in_use += static_cast<std::size_t>(used) << chunk_classes::page_shift(size_class);
    footprint += used > 0 ? chunk_classes::chunk_bytes : 0;
    run_ = used > 0 ? 0 : run_ + chunk_classes::chunk_bytes;
    largest_free_run = std::max(largest_free_run, run_);
  }
  std::size_t in_use = 0, footprint = 0, largest_free_run = 0;

 private:
  std::size_t run_ = 0;
};

}  // namespace

VirtualQueues::VirtualQueues(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(config_.resource(), config_.label + "_pool",
            std::size_t{layout_of(config_).all} * chunk_classes::chunk_bytes),
      metadata_(config_.resource(), config_.label + "_metadata", layout_of(config_).bytes()),
      tables_(layout_of(config_).tables(pool_.view().data(), metadata_.view().data())) {
  reset(exec);
}

void VirtualQueues::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, metadata_.view(), std::byte{0});
  Kokkos::parallel_for(
      "haloheap::allocators::virtual_queues::start",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(exec, 0, detail::start_count(tables_)),
      Start{tables_});
  high_water_ = 0;
}

HeapStatistics VirtualQueues::statistics(const Exec& exec) const {
  const auto states = fetch(exec, tables_.states, tables_.chunks);
  const auto classes = fetch(exec, tables_.classes, tables_.chunks);
  const std::uint64_t touched = fetch(exec, &tables_.shared->fresh, 1).front();
  ChunkCount count;
  for (std::uint32_t i = 0; i < tables_.chunks; ++i) count.add(i < touched, states[i], classes[i]);
  using Failures = FailureCounters<lanes::Platform>;
  return {
      .capacity = std::size_t{tables_.chunks} * chunk_classes::chunk_bytes,
      .metadata = metadata_.size() + pool_.size() - std::size_t{tables_.chunks} * chunk_classes::chunk_bytes,
      .in_use = count.in_use,
      .footprint = count.footprint,
      .high_water = high_water_ = std::max(high_water_, count.footprint),
      .largest_free_run = count.largest_free_run,
      .failures = Failures::sum(fetch(exec, tables_.failures, Failures::words))};
}

Promises VirtualQueues::promises(const HeapConfig& config) {
  (void)layout_of(config);  // a pool that cannot be is refused here, too
  return {.largest = chunk_classes::chunk_bytes, .coalescing = Coalescing::warp};
}

}  // namespace haloheap::allocators
