// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RUN_SHARING_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RUN_SHARING_HPP

#include <haloheap/allocators/random_walk/page_runs.hpp>
#include <haloheap/core/lanes/group.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap::allocators::detail {

/// Lanes that look for runs of pages together: each reads one of as many words in a row, and what one has
/// found another may need (Algorithm 3 of [Pham2022], whose runs here may start at any page and cross words).
/// All lanes of the group call. Memory is read by words of 64 bits; where words of 32 are asked for, a lane
/// looks for runs that start in its half.
template <class Platform>
class RunSharing {
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;
  using Word = std::uint64_t;
  static constexpr std::uint32_t none = PagePool<Platform>::none;

 public:
  KOKKOS_FUNCTION RunSharing(const Lanes& lanes, const PagePool<Platform>& pool,
                             const PageBitmap<Platform>& bitmap, unsigned word_bits)
      : lanes_(lanes), pool_(pool), bitmap_(bitmap), runs_(pool, bitmap), word_bits_(word_bits) {}

  /// The first page of `wanted` pages of this lane's own; none if it wants 0, or if there are none. Those who
  /// want the same number are served together.
  template <class Steps>
  KOKKOS_FUNCTION std::uint32_t find(std::uint32_t wanted, lanes::LaneRandom& random, Steps& steps) const {
    std::uint32_t page = none;
    Mask waiting = lanes_.ballot(wanted != 0);
    while (waiting != 0) {
      const std::uint32_t n = lanes_.shuffle(wanted, lanes::bits::lowest(waiting));
      std::uint32_t found = wanted == n ? none : 0;
      walk(n, random, found, steps);
      sweep(n, found);
      if (wanted == n) page = found;
      waiting &= ~lanes_.ballot(wanted == n);
    }
    return page;
  }

 private:
  static constexpr unsigned max_words = 32768;
  static constexpr unsigned max_sweeps = 8, max_losses = 64;

  KOKKOS_FUNCTION bool needed(std::uint32_t found) const { return lanes_.ballot(found == none) != 0; }

  KOKKOS_FUNCTION bool is_full(std::uint32_t n) const { return lanes_.ballot(pool_.sign().is_set(n)) != 0; }

  /// Random places, at multiples of n, so that large runs find words in which they may start.
  template <class Steps>
  KOKKOS_FUNCTION void walk(std::uint32_t n, lanes::LaneRandom& random, std::uint32_t& found,
                            Steps& steps) const {
    if (n > pool_.pages) return;
    // In a small pool as many words as find the last free run almost surely.
    const unsigned words = this->words() < max_words / 16 ? 16 * this->words() : max_words;
    const unsigned maximum = words / lanes::group::size(lanes_) + 1;
    for (unsigned step = 0; step < maximum && needed(found); ++step) {
      if (step % 32 == 31 && is_full(n)) return;
      ++steps;
      const std::uint32_t place = random.below(pool_.pages / n) * n / word_bits_;
      look(lanes_.shuffle(place, lanes::bits::lowest(lanes_.mask())), n, found);
    }
  }

  /// All words; again if something was given back meanwhile. Bounded.
  KOKKOS_FUNCTION void sweep(std::uint32_t n, std::uint32_t& found) const {
    const unsigned leader = lanes::bits::lowest(lanes_.mask());
    for (unsigned attempt = 0; attempt < max_sweeps && needed(found); ++attempt) {
      if (is_full(n)) return;
      Word version = lanes_.lane() == leader ? pool_.sign().begin() : 0;
      version = lanes_.shuffle(version, leader);
      bool all = true;
      for (std::uint32_t word = 0; word < words() && all && needed(found);
           word += lanes::group::size(lanes_)) {
        unsigned losses = 0;
        while (look(word, n, found) && ++losses < max_losses) continue;
        all = losses < max_losses && (word / lanes::group::size(lanes_) % 32 != 31 || !is_full(n));
      }
      const bool missed = all && needed(found);
      const bool sure = lanes_.lane() == leader && pool_.sign().end(version, missed ? n : 0);
      if (lanes_.ballot(sure) != 0) return;
    }
  }

  /// Serves what can be served from as many words of `word_bits` in a row as there are lanes. Whether anybody
  /// lost a run to others, so that there may be more.
  KOKKOS_FUNCTION bool look(std::uint32_t first, std::uint32_t n, std::uint32_t& found) const {
    const std::uint32_t number = first + lanes::group::rank(lanes_);
    const std::uint32_t word = word_bits_ == 64 ? number : number / 2;
    const Word mine = word_bits_ == 64 ? ~Word{0} : Word{0xffffffff} << (number % 2 * 32);
    const Word free = word < bitmap_.chunks() ? bitmap_.free(word) : 0;
    const bool crosses = free >> 63 != 0 && n > 1;
    Word starts = mine & run_bits::starts(free, n, crosses ? runs_.free_from(word + 1, n - 1) : 0);
    const Word aligned = starts & run_bits::multiples(word * 64, n);
    if (lanes_.ballot(aligned != 0) != 0) starts = aligned;
    return share(word, starts, n, found);
  }

  /// The first lane that needs a run gets the first one that a lane has found, and so on, in rounds; then
  /// all claim theirs. Runs of two lanes may overlap: one of them is lost, and needed again. Whether any was.
  KOKKOS_FUNCTION bool share(std::uint32_t word, Word starts, std::uint32_t n, std::uint32_t& found) const {
    std::uint32_t promised = none;
    for (;;) {
      const bool needs = found == none && promised == none;
      const Mask need = lanes_.ballot(needs), has = lanes_.ballot(starts != 0);
      if (need == 0 || has == 0) break;
      const auto [gives, receives, from] = lanes::group::exchange(lanes_, has, need);
      const unsigned bit = starts == 0 ? 0 : lanes::bits::lowest(starts);
      const std::uint32_t offered = lanes_.shuffle(word * 64 + bit, from);
      if (receives) promised = offered;
      if (gives) starts &= ~lanes::bits::low<Word>(bit + n < 64 ? bit + n : 64);
    }
    if (promised != none && runs_.claim(promised, n)) found = promised;
    return lanes_.ballot(promised != none && found == none) != 0;
  }

  /// Of `word_bits` bits.
  KOKKOS_FUNCTION std::uint32_t words() const { return (pool_.pages + word_bits_ - 1) / word_bits_; }

  const Lanes& lanes_;
  const PagePool<Platform>& pool_;
  const PageBitmap<Platform>& bitmap_;
  PageRuns<Platform> runs_;
  unsigned word_bits_;
};

}  // namespace haloheap::allocators::detail

#endif
