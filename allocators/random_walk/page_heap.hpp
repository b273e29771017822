// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_HEAP_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_HEAP_HPP

#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/allocators/heap_statistics.hpp>
#include <haloheap/allocators/random_walk/page_bitmap.hpp>
#include <haloheap/allocators/random_walk/page_flags.hpp>
#include <haloheap/allocators/random_walk/page_pool.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

namespace haloheap::allocators::detail {

/// The host's side of the heaps that find pages by random walks: pool, metadata, and what they say.
///
/// The metadata has no counters that a request would change, so statistics() looks at the state of every
/// page; it is exact while no kernel uses the heap. Its high water is the most that any call of it has met
/// since the last reset: to know better would take an operation on one counter a request, which these heaps
/// are there to avoid.
class PageHeap {
 public:
  using Exec = HeapConfig::Exec;
  using Word = std::uint64_t;
  enum class State { flags, bits };

  struct Needs {
    const char* allocator;  ///< in messages
    State state;
    bool locks = false;    ///< of words of config.word_bits pages
    bool lengths = false;  ///< of runs, 2 bytes a page
  };

  /// @throws UsageError for sizes that cannot be; OutOfMemory
  PageHeap(const Exec& exec, HeapConfig config, const Needs& needs);

  const PagePool<lanes::Platform>& pool() const { return pool_pages_; }
  PageBitmap<lanes::Platform> bitmap() const { return {states(), pool_pages_.pages}; }
  PageFlags<lanes::Platform> flags() const {
    return {reinterpret_cast<std::uint32_t*>(states()), pool_pages_.pages};
  }
  Word* locks() const { return states() + state_words_; }
  /// In the place of locks.
  std::uint16_t* lengths() const { return reinterpret_cast<std::uint16_t*>(locks()); }
  unsigned word_bits() const { return config_.word_bits; }

  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;

  /// Whole pages of a pool. @throws UsageError
  static std::uint32_t pages(const HeapConfig& config, const char* allocator);

 private:
  Word* states() const { return pool_pages_.metadata + PagePool<lanes::Platform>::metadata_words; }

  HeapConfig config_;
  State state_;
  std::size_t state_words_;
  memory::Array<std::byte> pool_;
  memory::Array<Word> metadata_;
  PagePool<lanes::Platform> pool_pages_;
  mutable std::size_t high_water_ = 0;
};

}  // namespace haloheap::allocators::detail

#endif
