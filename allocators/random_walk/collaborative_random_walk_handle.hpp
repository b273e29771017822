// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_COLLABORATIVE_RANDOM_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_COLLABORATIVE_RANDOM_WALK_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_bitmap.hpp>
#include <haloheap/allocators/random_walk/page_sharing.hpp>
#include <haloheap/allocators/random_walk/probe.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a CollaborativeRandomWalk heap: Algorithm 2 of [Pham2022], with an end.
///
/// The LockMap says that another warp is giving away a word's pages, so that one's time is better spent on
/// other words. Nobody waits for it, and no page is handed out by it: pages are claimed in the bitmap itself,
/// which also serves those who pass the LockMap by. So a lane that is held up with a lock in its hands hides
/// pages from walks only, and no page that is freed meanwhile is lost.
template <class Platform>
class CollaborativeRandomWalkHandle : public ViewSource<CollaborativeRandomWalkHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Lanes = typename Platform::Lanes;
  using Table = PageBitmap<Platform>;
  using Word = std::uint64_t;

 public:
  static constexpr unsigned max_words = 32768;

  /// `locks`: a bit for each word of `word_bits` pages.
  KOKKOS_FUNCTION CollaborativeRandomWalkHandle(const PagePool<Platform>& pool, const Table& table,
                                                Word* locks, unsigned word_bits)
      : pool_(pool), table_(table), locks_(locks), word_bits_(word_bits) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the steps that the lane takes part in; a step is a word for every lane of the warp.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    const Lanes lanes = Lanes::here();
    lanes::LaneRandom random(Platform::entropy(), lanes.lane());
    const bool possible = bytes <= pool_.page_bytes();
    std::uint32_t page = possible ? pool_.none : nothing;
    const PageSharing<Platform, Table> sharing(lanes, pool_, table_);
    // So many words for all lanes together; in a small pool as many as find the last free page almost surely.
    const unsigned words = table_.chunks() < max_words / 16 ? 16 * table_.chunks() : max_words;
    const unsigned maximum = words / lanes::group::size(lanes) + 1;
    for (unsigned step = 0; step < maximum && sharing.needed(page); ++step) {
      if (step % 32 == 31 && lanes.ballot(pool_.sign().is_set(1)) != 0) break;
      ++steps;
      const Probe probe = random_probe(random, pool_.pages, word_bits_);
      const Word lock = Word{1} << (probe.number % 64);
      const bool locked = (Atomics::fetch_or(&locks_[probe.number / 64], lock) & lock) == 0;
      sharing.share(probe.word, locked ? table_.free(probe.word) & probe.bits : 0, page);
      if (locked) Atomics::fetch_and(&locks_[probe.number / 64], ~lock);
    }
    if (sharing.needed(page) && lanes.ballot(pool_.sign().is_set(1)) == 0)
      sharing.sweep(random.below(table_.chunks()), page);
    if (possible && page != pool_.none) return pool_.address(page);
    pool_.count_failure(random());
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { pool_.give_back(table_, pointer); }

  static constexpr bool blocks_are_pages = true;
  /// See SizedHandle.
  KOKKOS_FUNCTION std::size_t usable_size(const void*) const { return pool_.page_bytes(); }

 private:
  static constexpr std::uint32_t nothing = 0;  ///< stands for a page where none is asked for

  PagePool<Platform> pool_;
  Table table_;
  Word* locks_;
  unsigned word_bits_;
};

}  // namespace haloheap::allocators::detail

#endif
