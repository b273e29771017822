// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/random_walk/page_count.hpp>
#include <haloheap/allocators/random_walk/page_heap.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace haloheap::allocators::detail {
namespace {

std::size_t words_of_states(PageHeap::State state, std::uint32_t pages) {
  return state == PageHeap::State::flags ? (std::size_t{pages} + 1) / 2 : (std::size_t{pages} + 63) / 64;
}

std::size_t words_of_locks(const HeapConfig& config, std::uint32_t pages) {
  return (std::size_t{pages} / config.word_bits + 64) / 64;
}

std::size_t words_of_lengths(std::uint32_t pages) {
  return (std::size_t{pages} + 3) / 4;
}

/// For kernels.
struct IsUsed {
  const PageHeap::Word* words;
  unsigned bits;  ///< a page has in the words; the lowest tells
  KOKKOS_FUNCTION bool operator()(std::uint32_t page) const {
    const std::size_t bit = std::size_t{page} * bits;
    return (words[bit / 64] >> (bit % 64) & 1) != 0;
  }
};

}  // namespace

std::uint32_t PageHeap::pages(const HeapConfig& config, const char* allocator) {
  constexpr std::size_t maximum = std::size_t{1} << 31;
  const std::string what = fmt::format("{} cannot make the heap '{}'", allocator, config.label);
  if (const auto problem = page_problem(config))
    throw UsageError(fmt::format("{}: {}", what, problem->cause), problem->consequence, problem->remedy);
  const std::size_t pages = config.bytes / config.page_bytes;
  if (pages > maximum)
    throw UsageError(fmt::format("{} of {} pages", what, pages), "",
                     fmt::format("it can have {} pages: give it larger ones", maximum));
  return static_cast<std::uint32_t>(pages);
}

PageHeap::PageHeap(const Exec& exec, HeapConfig config, const Needs& needs)
    : config_(std::move(config)),
      state_(needs.state),
      state_words_(words_of_states(state_, pages(config_, needs.allocator))),
      pool_(config_.resource(), config_.label + "_pool",
            pages(config_, needs.allocator) * config_.page_bytes),
      metadata_(config_.resource(), config_.label + "_metadata",
                PagePool<lanes::Platform>::metadata_words + state_words_ +
                    (needs.locks ? words_of_locks(config_, pages(config_, needs.allocator)) : 0) +
                    (needs.lengths ? words_of_lengths(pages(config_, needs.allocator)) : 0)),
      pool_pages_{pool_.view().data(), metadata_.view().data(), pages(config_, needs.allocator),
                  static_cast<unsigned>(std::countr_zero(config_.page_bytes))} {
  reset(exec);
}

void PageHeap::reset(const Exec& exec) {
  Kokkos::deep_copy(exec, metadata_.view(), Word{0});
  high_water_ = 0;
}

HeapStatistics PageHeap::statistics(const Exec& exec) const {
  const auto metadata = fetch(exec, pool_pages_.metadata, PagePool<lanes::Platform>::metadata_words);
  const PageCount count =
      count_pages(exec, pool_pages_.pages, IsUsed{states(), state_ == State::flags ? 32U : 1U});
  HeapStatistics result{.capacity = std::size_t{pool_pages_.pages} << pool_pages_.page_shift,
                        .metadata = metadata_.size() * sizeof(Word),
                        .failures = FailureCounters<lanes::Platform>::sum(std::span(metadata).subspan(4))};
  result.in_use = result.footprint = count.used * config_.page_bytes;
  result.largest_free_run = count.largest_free_run * config_.page_bytes;
  result.high_water = high_water_ = std::max(high_water_, result.footprint);
  return result;
}

}  // namespace haloheap::allocators::detail
