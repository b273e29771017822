// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_flags.hpp>
#include <haloheap/allocators/random_walk/page_sharing.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap {

/// What kernels hold of a RandomWalk heap. Algorithm 1 of the paper, with an end: after many steps the lanes
/// that have still found nothing look at all pages together.
template <class Platform>
class RandomWalkHandle : public ViewSource<RandomWalkHandle<Platform>> {
  using Lanes = typename Platform::Lanes;
  using Table = PageFlags<Platform>;

 public:
  static constexpr unsigned most_steps = 65536;

  KOKKOS_FUNCTION RandomWalkHandle(const PagePool<Platform>& pool, const Table& table)
      : pool_(pool), table_(table) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the pages that it probes at random.
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
    const unsigned most = pool_.pages < most_steps / 8 ? 8 * pool_.pages : most_steps;
    for (unsigned step = 0; step < most; ++step) {
      if (step % 64 == 63 && pool_.sign().is_set(1)) break;
      ++steps;
      const std::uint32_t page = random.below(pool_.pages);
      if (table_.take(page)) return page;
    }
    return pool_.none;
  }

  PagePool<Platform> pool_;
  Table table_;
};

}  // namespace haloheap

#endif
