// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_flags.hpp>
#include <haloheap/allocators/random_walk/page_walk_handle.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a RandomWalk heap. Algorithm 1 of [Pham2022], with an end; a step is a page.
template <class Platform>
class RandomWalkHandle : public PageWalkHandle<RandomWalkHandle<Platform>, Platform, PageFlags<Platform>> {
  using Table = PageFlags<Platform>;
  using Base = PageWalkHandle<RandomWalkHandle, Platform, Table>;
  friend Base;
  using Base::pool_, Base::table_;

 public:
  static constexpr unsigned max_steps = 65536;

  KOKKOS_FUNCTION RandomWalkHandle(const PagePool<Platform>& pool, const Table& table) : Base(pool, table) {}

 private:
  template <class Steps>
  KOKKOS_FUNCTION std::uint32_t walk(lanes::LaneRandom& random, Steps& steps) const {
    // In a small pool, so many find the last free page almost surely.
    const unsigned maximum = pool_.pages < max_steps / 8 ? 8 * pool_.pages : max_steps;
    for (unsigned step = 0; step < maximum; ++step) {
      if (step % 64 == 63 && pool_.sign().is_set(1)) break;
      ++steps;
      const std::uint32_t page = random.below(pool_.pages);
      if (table_.take(page)) return page;
    }
    return pool_.none;
  }
};

}  // namespace haloheap::allocators::detail

#endif
