// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RANDOM_WALK_BITMAP_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_bitmap.hpp>
#include <haloheap/allocators/random_walk/page_walk_handle.hpp>
#include <haloheap/allocators/random_walk/probe.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of a RandomWalkBitmap heap: a step sees all pages of a random word. Section 4.1 of
/// [Pham2022], with an end.
template <class Platform>
class RandomWalkBitmapHandle
    : public PageWalkHandle<RandomWalkBitmapHandle<Platform>, Platform, PageBitmap<Platform>> {
  using Table = PageBitmap<Platform>;
  using Base = PageWalkHandle<RandomWalkBitmapHandle, Platform, Table>;
  friend Base;
  using Base::pool_, Base::table_;

 public:
  static constexpr unsigned max_steps = 4096;

  KOKKOS_FUNCTION RandomWalkBitmapHandle(const PagePool<Platform>& pool, const Table& table,
                                         unsigned word_bits)
      : Base(pool, table), word_bits_(word_bits) {}

 private:
  template <class Steps>
  KOKKOS_FUNCTION std::uint32_t walk(lanes::LaneRandom& random, Steps& steps) const {
    // In a small pool, so many find the last free page almost surely.
    const unsigned maximum = table_.chunks() < max_steps / 16 ? 16 * table_.chunks() : max_steps;
    for (unsigned step = 0; step < maximum; ++step) {
      if (step % 32 == 31 && pool_.sign().is_set(1)) break;
      ++steps;
      const Probe probe = random_probe(random, pool_.pages, word_bits_);
      for (std::uint64_t free = table_.free(probe.word) & probe.bits; free != 0;) {
        const unsigned bit = lanes::bits::pick(free, random());
        if (table_.take(probe.word, std::uint64_t{1} << bit) != 0) return probe.word * 64 + bit;
        free &= ~(std::uint64_t{1} << bit);
      }
    }
    return pool_.none;
  }

  unsigned word_bits_;
};

}  // namespace haloheap::allocators::detail

#endif
