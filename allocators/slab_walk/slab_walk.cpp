// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/slab_walk/slab_layout.hpp>
#include <haloheap/allocators/slab_walk/slab_walk.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace haloheap::allocators {
namespace {

using Tables = detail::SlabTables<lanes::Platform>;
using Layout = detail::SlabLayout<lanes::Platform>;

Layout checked_layout(const HeapConfig& config) {
  if (config.bytes < Layout::min_pool)
    throw UsageError(fmt::format("the heap '{}' is to have {} bytes", config.label, config.bytes), "",
                     fmt::format("slab_walk needs {} bytes or more", Layout::min_pool));
  return Layout(config.bytes);
}

struct Start {
  Tables tables;
  KOKKOS_FUNCTION void operator()(unsigned number) const { detail::start_metadata(tables, number); }
};

/// Adds what one slab says, the slabs in their order; `free_run` is the run of free slabs that ends here.
void add_slab(const Tables& tables, detail::SlabState::Word state, HeapStatistics& sum,
              std::size_t& free_run) {
  const unsigned size_class = detail::SlabState::number(state);
  std::size_t used = 0;
  if (size_class == detail::SlabState::run_class)
    used = tables.slab_bytes();
  else if (size_class != detail::SlabState::no_class)
    used = (tables.slab_bytes() / detail::slab_classes::size(size_class) -
            static_cast<std::size_t>(detail::SlabState::free(state))) *
           detail::slab_classes::size(size_class);
  sum.in_use += used;
  sum.footprint += used == 0 ? 0 : tables.slab_bytes();
  free_run = used == 0 ? free_run + tables.slab_bytes() : 0;
  sum.largest_free_run = std::max(sum.largest_free_run, free_run);
}

}  // namespace

SlabWalk::SlabWalk(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(config_.resource(), config_.label + "_pool",
            std::size_t{checked_layout(config_).slabs} << checked_layout(config_).slab_shift),
      metadata_(config_.resource(), config_.label + "_metadata", Layout(config_.bytes).bytes()),
      tables_(Layout(config_.bytes).tables(pool_.view().data(), metadata_.view().data())) {
  reset(exec);
}

void SlabWalk::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, metadata_.view(), std::byte{0});
  Kokkos::parallel_for(
      "haloheap::allocators::slab_walk::start",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<unsigned>>(exec, 0, detail::start_count(tables_)),
      Start{tables_});
}

HeapStatistics SlabWalk::statistics(const Exec& exec) const {
  const auto states = fetch(exec, tables_.states, tables_.slabs);
  const auto failures = fetch(exec, tables_.failures, FailureCounters<lanes::Platform>::words);
  const auto shared = fetch(exec, tables_.shared, 1).front();
  HeapStatistics sum{.capacity = pool_.size(),
                     .metadata = metadata_.size(),
                     .high_water = std::size_t{shared.high_water} << tables_.slab_shift,
                     .failures = FailureCounters<lanes::Platform>::sum(failures)};
  std::size_t free_run = 0;
  for (const auto& state : states) add_slab(tables_, state.word, sum, free_run);
  return sum;
}

Promises SlabWalk::promises(const HeapConfig& config) {
  const Layout layout = checked_layout(config);
  return {.largest = std::size_t{layout.slabs} << layout.slab_shift,
          .alignment = detail::slab_classes::granularity,
          .coalescing = Coalescing::warp};
}

}  // namespace haloheap::allocators
