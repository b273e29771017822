// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/page_queue/page_queue.hpp>
#include <haloheap/allocators/random_walk/page_count.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>

#include <algorithm>
#include <bit>

namespace haloheap::allocators {
namespace {

using Ring = detail::PageRing<lanes::Platform>;

std::uint32_t pages_of(const HeapConfig& config) {
  return detail::PageHeap::pages(config, PageQueue::name);
}

std::size_t slots_of(const HeapConfig& config) {
  return std::bit_ceil(std::size_t{pages_of(config)});
}

Kokkos::RangePolicy<PageQueue::Exec, Kokkos::IndexType<std::uint32_t>> ring_policy(
    const PageQueue::Exec& exec, const Ring& ring) {
  return {exec, 0, std::uint32_t{1} << ring.ring_shift};
}

using FreeBits = Kokkos::View<std::uint64_t*, PageQueue::Exec::memory_space>;

/// A bit for each page that the ring holds.
struct MarkFree {
  Ring ring;
  std::uint64_t* free;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    const std::uint32_t content = Ring::content(ring.slots[i]);
    if (content != 0) Kokkos::atomic_or(&free[(content - 1) / 64], std::uint64_t{1} << ((content - 1) % 64));
  }
};

struct IsUsed {
  const std::uint64_t* free;
  KOKKOS_FUNCTION bool operator()(std::uint32_t page) const {
    return (free[page / 64] >> (page % 64) & 1) == 0;
  }
};

struct Fill {
  Ring ring;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    ring.slots[i] = Ring::slot(0, i < ring.pages ? i + 1 : 0);
    if (i == 0) ring.metadata[Ring::count] = ring.metadata[Ring::tail] = ring.pages;
  }
};

}  // namespace

PageQueue::PageQueue(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(config_.resource(), config_.label + "_pool", pages_of(config_) * config_.page_bytes),
      metadata_(config_.resource(), config_.label + "_metadata", Ring::metadata_words + slots_of(config_)),
      ring_{pool_.view().data(),
            metadata_.view().data(),
            metadata_.view().data() + Ring::metadata_words,
            pages_of(config_),
            static_cast<unsigned>(std::countr_zero(config_.page_bytes)),
            static_cast<unsigned>(std::countr_zero(slots_of(config_)))} {
  reset(exec);
}

void PageQueue::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, metadata_.view(), Ring::Word{0});
  Kokkos::parallel_for("haloheap::allocators::page_queue::fill", ring_policy(exec, ring_), Fill{ring_});
  high_water_ = 0;
}

HeapStatistics PageQueue::statistics(const Exec& exec) const {
  const auto metadata = fetch(exec, ring_.metadata, Ring::metadata_words);
  const FreeBits free(Kokkos::view_alloc(exec, "haloheap::allocators::page_queue::free"),
                      std::size_t{ring_.pages} / 64 + 1);
  Kokkos::parallel_for("haloheap::allocators::page_queue::mark_free", ring_policy(exec, ring_),
                       MarkFree{ring_, free.data()});
  const detail::PageCount count = detail::count_pages(exec, ring_.pages, IsUsed{free.data()});
  HeapStatistics result{
      .capacity = pool_.size(),
      .metadata = metadata_.size() * sizeof(Ring::Word),
      .failures = FailureCounters<lanes::Platform>::sum(std::span(metadata).subspan(Ring::failures))};
  result.in_use = result.footprint = count.used * config_.page_bytes;
  result.largest_free_run = count.largest_free_run * config_.page_bytes;
  result.high_water = high_water_ = std::max(high_water_, result.footprint);
  return result;
}

Promises PageQueue::promises(const HeapConfig& config) {
  return {.largest = config.page_bytes};
}

}  // namespace haloheap::allocators
