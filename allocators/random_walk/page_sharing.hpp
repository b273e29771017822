// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_SHARING_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_SHARING_HPP

#include <haloheap/allocators/random_walk/page_pool.hpp>
#include <haloheap/core/lanes/group.hpp>

namespace haloheap::allocators::detail {

/// Lanes that look for free pages together: what one has found, another may need (Algorithm 2, lines 9 to 17,
/// of [Pham2022]). All lanes of the group call.
template <class Platform, class Table>
class PageSharing {
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;
  using Word = std::uint64_t;
  static constexpr std::uint32_t none = PagePool<Platform>::none;

 public:
  KOKKOS_FUNCTION PageSharing(const Lanes& lanes, const PagePool<Platform>& pool, const Table& table)
      : lanes_(lanes), pool_(pool), table_(table) {}

  KOKKOS_FUNCTION bool needed(std::uint32_t page) const { return lanes_.ballot(page == none) != 0; }

  /// The lane has found `free` pages of a chunk. Those whose `page` is none get one each, as far as there
  /// are: the first that needs one from the first that has some, and so on, in rounds. Who has given pages
  /// away claims them with one operation. Whether anybody lost a page to others, so that there may be more.
  KOKKOS_FUNCTION bool share(std::uint32_t chunk, Word free, std::uint32_t& page) const {
    std::uint32_t promised = none;
    unsigned giver = lanes_.lane();
    Word given = 0;
    bool any = false;
    for (;; any = true) {
      const bool needs = page == none && promised == none;
      const Mask need = lanes_.ballot(needs), has = lanes_.ballot(free != 0);
      if (need == 0 || has == 0) break;
      const auto [gives, receives, from] = lanes::group::exchange(lanes_, has, need);
      const Word bit = free & (~free + 1);
      const std::uint32_t offer = chunk * Table::chunk_pages + (bit == 0 ? 0 : lanes::bits::lowest(bit));
      const std::uint32_t offered = lanes_.shuffle(offer, from);
      if (receives) {
        promised = offered;
        giver = from;
      }
      if (gives) {
        given |= bit;
        free ^= bit;
      }
    }
    if (!any) return false;
    const Word got = lanes_.shuffle(given == 0 ? given : table_.take(chunk, given), giver);
    if (promised != none && (got >> (promised % Table::chunk_pages) & 1) != 0) page = promised;
    return lanes_.ballot(promised != none && page == none) != 0;
  }

  /// Looks at all chunks, from `start` on, until all have a page. Again if pages were given back meanwhile,
  /// behind its back. Bounded: whoever is still without one may take it that there is none.
  KOKKOS_FUNCTION void sweep(std::uint32_t start, std::uint32_t& page) const {
    const unsigned leader = lanes::bits::lowest(lanes_.mask());
    const auto sign = pool_.sign();
    for (unsigned attempt = 0; attempt < max_sweeps && needed(page); ++attempt) {
      Word version = lanes_.lane() == leader ? sign.begin() : 0;
      version = lanes_.shuffle(version, leader);
      const bool all = look_at_all(lanes_.shuffle(start, leader), page);
      const bool missed = all && needed(page);
      const bool sure = lanes_.lane() == leader && sign.end(version, missed ? 1 : 0);
      if (lanes_.ballot(sure || sign.is_set(1)) != 0) return;
    }
  }

 private:
  static constexpr unsigned max_sweeps = 8, max_losses = 64;
  static constexpr unsigned ahead = 4;  ///< chunks that a lane loads at once

  /// False unless it has seen all chunks, or all have a page.
  KOKKOS_FUNCTION bool look_at_all(std::uint32_t start, std::uint32_t& page) const {
    const std::uint32_t chunks = table_.chunks(), stride = lanes::group::size(lanes_) * ahead;
    bool all = true;
    for (std::uint32_t done = 0; done < chunks && needed(page); done += stride) {
      Word free[ahead];
      std::uint32_t chunk[ahead];
      for (unsigned k = 0; k < ahead; ++k) {
        const std::uint32_t i = done + k * lanes::group::size(lanes_) + lanes::group::rank(lanes_);
        chunk[k] = i >= chunks ? 0 : start + i >= chunks ? start + i - chunks : start + i;
        free[k] = i < chunks ? table_.free(chunk[k]) : 0;
      }
      for (unsigned k = 0; k < ahead; ++k) {
        const bool valid = done + k * lanes::group::size(lanes_) + lanes::group::rank(lanes_) < chunks;
        unsigned losses = 0;
        while (share(chunk[k], free[k], page) && ++losses < max_losses)
          free[k] = valid ? table_.free(chunk[k]) : 0;
        all = all && losses < max_losses;
      }
      if (done / stride % 16 == 15 && lanes_.ballot(pool_.sign().is_set(1)) != 0) return false;
    }
    return all;
  }

  const Lanes& lanes_;
  const PagePool<Platform>& pool_;
  const Table& table_;
};

}  // namespace haloheap::allocators::detail

#endif
