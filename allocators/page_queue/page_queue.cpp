// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/page_queue/page_queue.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>

#include <algorithm>
#include <bit>

namespace haloheap {
namespace {

using Ring = PageRing<Platform>;

std::uint32_t pages_of(const HeapConfig& config) {
  return PageHeap::pages(config, PageQueue::name);
}

std::size_t slots_of(const HeapConfig& config) {
  return std::bit_ceil(std::size_t{pages_of(config)});
}

struct Fill {
  Ring ring;
  KOKKOS_FUNCTION void operator()(std::uint32_t i) const {
    ring.slots[i] = Ring::slot(0, i < ring.pages ? i + 1 : 0);
    if (i == 0) ring.books[Ring::count] = ring.books[Ring::tail] = ring.pages;
  }
};

}  // namespace

PageQueue::PageQueue(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(config_.resource(), config_.label + "_pool", pages_of(config_) * config_.page_bytes),
      books_(config_.resource(), config_.label + "_books", Ring::book_words + slots_of(config_)),
      ring_{pool_.view().data(),
            books_.view().data(),
            books_.view().data() + Ring::book_words,
            pages_of(config_),
            static_cast<unsigned>(std::countr_zero(config_.page_bytes)),
            static_cast<unsigned>(std::countr_zero(slots_of(config_)))} {
  reset(exec);
}

void PageQueue::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, books_.view(), Ring::Word{0});
  Kokkos::parallel_for("haloheap::allocators::page_queue::fill",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>(
                           exec, 0, std::uint32_t{1} << ring_.ring_shift),
                       Fill{ring_});
  high_water_ = 0;
}

HeapStatistics PageQueue::statistics(const Exec& exec) const {
  const auto books = fetch(exec, ring_.books, Ring::book_words);
  const auto slots = fetch(exec, ring_.slots, std::size_t{1} << ring_.ring_shift);
  std::vector<bool> free(ring_.pages);
  for (const auto slot : slots)
    if (Ring::content(slot) != 0) free[Ring::content(slot) - 1] = true;
  HeapStatistics result{.capacity = pool_.size(),
                        .metadata = books_.size() * sizeof(Ring::Word),
                        .failures = FailureCounters<Platform>::sum(std::span(books).subspan(Ring::failures))};
  std::size_t run = 0;
  for (const bool is_free : free) {
    run = is_free ? run + config_.page_bytes : 0;
    result.in_use += is_free ? 0 : config_.page_bytes;
    result.largest_free_run = std::max(result.largest_free_run, run);
  }
  result.footprint = result.in_use;
  result.high_water = high_water_ = std::max(high_water_, result.footprint);
  return result;
}

Promises PageQueue::promises(const HeapConfig& config) {
  return {.largest = config.page_bytes};
}

}  // namespace haloheap
