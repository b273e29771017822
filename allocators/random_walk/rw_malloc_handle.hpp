// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_RW_MALLOC_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_RW_MALLOC_HANDLE_HPP

#include <haloheap/allocators/random_walk/run_sharing.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/scan.hpp>

namespace haloheap::allocators::detail {

/// What kernels hold of an RwMalloc heap.
///
/// A block with a run of its own begins where the run begins and has no header, so that 8192 bytes are 32
/// pages of 256, as in [Pham2022]; how many pages it has stands beside the pool, in the place of its first
/// page. Blocks of lanes that share a run: the run starts with 16 bytes that say how many pages it has, and
/// how many of its blocks are alive, and each block has a header of 4 bytes in front that says how far before
/// it that is. Who frees the last one frees the run. A shared block may begin where a page begins; then the
/// place of that page says 0. No usable_size: nothing says where a shared block ends.
template <class Platform>
class RwMallocHandle : public ViewSource<RwMallocHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;

 public:
  using Length = std::uint16_t;  ///< of a run, in pages
  static constexpr std::uint32_t header = 4, unit = 16;
  static constexpr std::size_t max_bytes = 8192;

  /// `lengths`: one a page, of any value at first. `word_bits`: pages that a lane sees in a step, 32 or 64.
  KOKKOS_FUNCTION RwMallocHandle(const PagePool<Platform>& pool, const PageBitmap<Platform>& bitmap,
                                 Length* lengths, unsigned word_bits)
      : pool_(pool), bitmap_(bitmap), lengths_(lengths), word_bits_(word_bits) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the steps that the lane takes part in; a step looks at a word for every lane of the warp.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    const Lanes lanes = Lanes::here();
    lanes::LaneRandom random(Platform::entropy(), lanes.lane());
    const bool possible = bytes <= max_bytes;
    const auto size = static_cast<std::uint32_t>(possible ? bytes : 0);
    const Mask small = lanes.ballot(possible && units_of(size) * unit < pool_.page_bytes());
    std::byte* block = nullptr;
    if (lanes::bits::count(small) > 1) block = allocate_together(lanes, small, size, random, steps);
    // Each for itself: the large ones, and the small ones if there is no such run.
    const std::uint32_t wanted = possible && block == nullptr ? pages(size == 0 ? 1 : size) : 0;
    const std::uint32_t first = runs(lanes).find(wanted, random, steps);
    if (first != pool_.none) {
      lengths_[first] = static_cast<Length>(wanted);
      block = pool_.address(first);
    }
    if (block == nullptr) pool_.count_failure(random());
    return block;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    auto* const block = static_cast<std::byte*>(pointer);
    const PageRuns<Platform> runs(pool_, bitmap_);
    Atomics::release_fence();  // what was written to the block comes before whatever its next owner writes
    const std::uint32_t page = pool_.page_of(block), length = begins_page(block) ? lengths_[page] : 0;
    if (length != 0) return runs.release(page, length);
    std::byte* const run = block - std::size_t{*word_at(block - header)} * unit;
    const std::uint32_t before = Atomics::fetch_add(word_at(run), ~(one_block - 1));
    if (before / one_block != 1) return;
    Atomics::fence();  // so do the others' writes to their blocks
    runs.release(pool_.page_of(run), before % one_block);
  }

 private:
  static constexpr std::uint32_t one_block = 1 << 16;  ///< in a run's first word, above its pages

  /// One run for the small requests. All lanes call; nullptr for the others, and for all if there is none.
  template <class Steps>
  KOKKOS_FUNCTION std::byte* allocate_together(const Lanes& lanes, Mask small, std::uint32_t size,
                                               lanes::LaneRandom& random, Steps& steps) const {
    const bool joins = (small >> lanes.lane() & 1) != 0;
    const std::uint32_t units = joins ? units_of(size) : 0;
    const std::uint32_t offset = 1 + lanes::exclusive_sum(lanes, units);  // behind the run's own first unit
    const std::uint32_t all = lanes.shuffle(offset + units, lanes::bits::highest(lanes.mask()));
    const unsigned leader = lanes::bits::lowest(small);
    const std::uint32_t wanted = lanes.lane() == leader ? pages(all * unit) : 0;
    const std::uint32_t found = runs(lanes).find(wanted, random, steps);
    const std::uint32_t first = lanes.shuffle(found, leader);
    if (first == pool_.none) return nullptr;
    std::byte* const run = pool_.address(first);
    if (lanes.lane() == leader)
      *word_at(run) = wanted | static_cast<std::uint32_t>(lanes::bits::count(small)) * one_block;
    lanes.sync();  // before any block of the run is freed
    if (!joins) return nullptr;
    std::byte* const block = run + std::size_t{offset} * unit;
    *word_at(block - header) = offset;
    if (begins_page(block)) lengths_[pool_.page_of(block)] = 0;
    return block;
  }

  KOKKOS_FUNCTION RunSharing<Platform> runs(const Lanes& lanes) const {
    return {lanes, pool_, bitmap_, word_bits_};
  }

  KOKKOS_FUNCTION static std::uint32_t* word_at(std::byte* place) {
    return reinterpret_cast<std::uint32_t*>(place);
  }
  /// Of a block in a shared run: from its first byte to the next block's, with the next one's header.
  KOKKOS_FUNCTION static std::uint32_t units_of(std::uint32_t bytes) {
    return (bytes + header + unit - 1) / unit;
  }
  KOKKOS_FUNCTION bool begins_page(const std::byte* block) const {
    return static_cast<std::size_t>(block - pool_.data) % pool_.page_bytes() == 0;
  }
  KOKKOS_FUNCTION std::uint32_t pages(std::uint32_t bytes) const {
    return (bytes + pool_.page_bytes() - 1) >> pool_.page_shift;
  }

  PagePool<Platform> pool_;
  PageBitmap<Platform> bitmap_;
  Length* lengths_;
  unsigned word_bits_;
};

}  // namespace haloheap::allocators::detail

#endif
