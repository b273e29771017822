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
/// Each block has a header of 4 bytes in front. Pages start 4 bytes before a multiple of 16, so that blocks
/// are aligned all the same. A block with a run of its own: the header has the number of pages. Blocks of
/// lanes that share a run: the run starts with 16 bytes that say how many pages it has, and how many of its
/// blocks are alive; each block's header says how far before it that is. Who frees the last one frees the
/// run.
template <class Platform>
class RwMallocHandle : public ViewSource<RwMallocHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Lanes = typename Platform::Lanes;
  using Mask = typename Lanes::Mask;

 public:
  static constexpr std::uint32_t header = 4, unit = 16;
  static constexpr std::size_t page_offset = unit - header;  ///< of a page's first byte, modulo 16
  static constexpr std::size_t max_bytes = 8192;

  KOKKOS_FUNCTION RwMallocHandle(const PagePool<Platform>& pool, const PageBitmap<Platform>& bitmap)
      : pool_(pool), bitmap_(bitmap) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the steps that the lane takes part in; a step looks at 64 pages for every lane of the warp.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    const Lanes lanes = Lanes::here();
    lanes::LaneRandom random(Platform::entropy(), lanes.lane());
    const bool possible = bytes <= max_bytes;
    const auto size = static_cast<std::uint32_t>(possible ? bytes : 0) + header;
    const Mask small = lanes.ballot(possible && bytes <= pool_.page_bytes());
    std::byte* block = nullptr;
    if (lanes::bits::count(small) > 1) block = allocate_together(lanes, small, size, random, steps);
    // Each for itself: the large ones, and the small ones if there is no such run.
    const std::uint32_t wanted = possible && block == nullptr ? pages(size) : 0;
    const std::uint32_t first = RunSharing<Platform>(lanes, pool_, bitmap_).find(wanted, random, steps);
    if (first != pool_.none) block = with_header(pool_.address(first), wanted);
    if (block == nullptr) pool_.count_failure(random());
    return block;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    std::byte* const start = static_cast<std::byte*>(pointer) - header;
    const std::uint32_t what = *word_at(start);
    const PageRuns<Platform> runs(pool_, bitmap_);
    Atomics::release_fence();  // what was written to the block comes before whatever its next owner writes
    if ((what & part_bit) == 0) return runs.release(pool_.page_of(start), what);
    std::byte* const run = start - std::size_t{what & ~part_bit} * unit;
    const std::uint32_t before = Atomics::fetch_add(word_at(run), ~(one_block - 1));
    if (before / one_block != 1) return;
    Atomics::fence();  // so do the others' writes to their blocks
    runs.release(pool_.page_of(run), before % one_block);
  }

 private:
  static constexpr std::uint32_t part_bit = std::uint32_t{1} << 31;
  static constexpr std::uint32_t one_block = 1 << 16;  ///< in a run's first word, above its pages

  /// One run for the small requests. All lanes call; nullptr for the others, and for all if there is none.
  template <class Steps>
  KOKKOS_FUNCTION std::byte* allocate_together(const Lanes& lanes, Mask small, std::uint32_t size,
                                               lanes::LaneRandom& random, Steps& steps) const {
    const bool joins = (small >> lanes.lane() & 1) != 0;
    const std::uint32_t units = joins ? (size + unit - 1) / unit : 0;
    const std::uint32_t offset = 1 + lanes::exclusive_sum(lanes, units);  // behind the run's own first unit
    const std::uint32_t all = lanes.shuffle(offset + units, lanes::bits::highest(lanes.mask()));
    const unsigned leader = lanes::bits::lowest(small);
    const std::uint32_t wanted = lanes.lane() == leader ? pages(all * unit) : 0;
    const std::uint32_t found = RunSharing<Platform>(lanes, pool_, bitmap_).find(wanted, random, steps);
    const std::uint32_t first = lanes.shuffle(found, leader);
    if (first == pool_.none) return nullptr;
    std::byte* const run = pool_.address(first);
    if (lanes.lane() == leader)
      *word_at(run) = wanted | static_cast<std::uint32_t>(lanes::bits::count(small)) * one_block;
    lanes.sync();  // before any block of the run is freed
    return joins ? with_header(run + std::size_t{offset} * unit, part_bit | offset) : nullptr;
  }

  KOKKOS_FUNCTION static std::uint32_t* word_at(std::byte* place) {
    return reinterpret_cast<std::uint32_t*>(place);
  }
  KOKKOS_FUNCTION static std::byte* with_header(std::byte* start, std::uint32_t what) {
    *word_at(start) = what;
    return start + header;
  }
  KOKKOS_FUNCTION std::uint32_t pages(std::uint32_t bytes) const {
    return (bytes + pool_.page_bytes() - 1) >> pool_.page_shift;
  }

  PagePool<Platform> pool_;
  PageBitmap<Platform> bitmap_;
};

}  // namespace haloheap::allocators::detail

#endif
