// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_bitmap.hpp>
#include <haloheap/allocators/random_walk/page_sharing.hpp>
#include <haloheap/allocators/random_walk/probe.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap {

/// What kernels hold of a RandomWalkBitmap heap: a step sees all pages of a random word. Section 4.1 of the
/// paper, with an end: after many steps the lanes that have still found nothing look at all words together.
template <class Platform>
class RandomWalkBitmapHandle : public ViewSource<RandomWalkBitmapHandle<Platform>> {
  using Lanes = typename Platform::Lanes;
  using Table = PageBitmap<Platform>;

 public:
  static constexpr unsigned most_steps = 4096;

  KOKKOS_FUNCTION RandomWalkBitmapHandle(const PagePool<Platform>& pool, const Table& table,
                                         unsigned word_bits)
      : pool_(pool), table_(table), word_bits_(word_bits) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the words that it probes at random.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    LaneRandom random(Platform::entropy(), Lanes::here().lane());
    std::uint32_t page = pool_.none;
    if (bytes <= pool_.page_bytes()) {
      page = walk(random, steps);
      if (page == pool_.none && !pool_.sign().is_set(1)) {
        const Lanes lanes = Lanes::here();
        PageSharing<Platform, Table>(lanes, pool_, table_).sweep(random.below(table_.chunks()), page);
      }
    }
    if (page != pool_.none) return pool_.address(page);
    pool_.count_failure(random());
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    Platform::Atomics::release_fence();  // what was written to the page comes before whatever its next owner
                                         // writes
    table_.release(pool_.page_of(pointer));
    pool_.sign().given_back();
  }

 private:
  template <class Steps>
  KOKKOS_FUNCTION std::uint32_t walk(LaneRandom& random, Steps& steps) const {
    // In a small pool, so many find the last free page almost surely.
    const unsigned most = table_.chunks() < most_steps / 16 ? 16 * table_.chunks() : most_steps;
    for (unsigned step = 0; step < most; ++step) {
      if (step % 32 == 31 && pool_.sign().is_set(1)) break;
      ++steps;
      const Probe probe = random_probe(random, pool_.pages, word_bits_);
      for (std::uint64_t free = table_.free(probe.word) & probe.bits; free != 0;) {
        const unsigned bit = bits::pick(free, random());
        if (table_.take(probe.word, std::uint64_t{1} << bit) != 0) return probe.word * 64 + bit;
        free &= ~(std::uint64_t{1} << bit);
      }
    }
    return pool_.none;
  }

  PagePool<Platform> pool_;
  Table table_;
  unsigned word_bits_;
};

}  // namespace haloheap

#endif
