// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_LAYOUT_HPP
#define HALOHEAP_ALLOCATORS_SLAB_WALK_SLAB_LAYOUT_HPP

#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/slab_walk/slab_tables.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace haloheap::allocators::detail {

/// Where the metadata of a heap stands in one block of memory.
template <class Platform>
struct SlabLayout {
  using Tables = SlabTables<Platform>;
  static constexpr unsigned min_shift = 16;  // 64 KiB
  static constexpr std::size_t min_pool = std::size_t{1} << min_shift;
  static constexpr std::size_t alignment = 256;

  unsigned slab_shift;
  std::uint32_t slabs, classes;

  explicit SlabLayout(std::size_t pool)
      : slab_shift(
            std::max(min_shift, static_cast<unsigned>(std::bit_width((std::max<std::size_t>(pool, 1) - 1) /
                                                                     SlabSet<Platform>::maximum)))),
        slabs(static_cast<std::uint32_t>(pool >> slab_shift)),
        classes(slab_classes::of(std::uint32_t{1} << (slab_shift - 1)) + 1) {}

  /// Bytes of the tables' parts, in their order there.
  std::array<std::size_t, 10> parts() const {
    return {(static_cast<std::size_t>(slabs) << (slab_shift - 9)) * sizeof(typename Tables::Word),
            slabs * sizeof(typename Tables::State),
            classes * sizeof(ClassSlabs<Platform>),
            classes * sizeof(SlabClass),
            std::size_t{classes} * homes() * sizeof(SlabHome),
            Tables::copies * sizeof(typename Tables::Version),
            std::size_t{classes} * slabs * sizeof(std::uint16_t),
            std::size_t{Tables::copies} * slabs * sizeof(std::uint16_t),
            sizeof(typename Tables::Shared),
            FailureCounters<Platform>::words * sizeof(std::uint64_t)};
  }

  std::size_t bytes() const {
    std::size_t total = 0;
    for (const std::size_t part : parts()) total += round_up(part);
    return total;
  }

  Tables tables(std::byte* pool, std::byte* metadata) const {
    std::array<std::byte*, 10> at{};
    for (std::size_t i = 0; i < at.size(); metadata += round_up(parts()[i]), ++i) at[i] = metadata;
    return {pool,
            reinterpret_cast<typename Tables::Word*>(at[0]),
            reinterpret_cast<typename Tables::State*>(at[1]),
            reinterpret_cast<ClassSlabs<Platform>*>(at[2]),
            reinterpret_cast<SlabClass*>(at[3]),
            reinterpret_cast<SlabHome*>(at[4]),
            reinterpret_cast<typename Tables::Version*>(at[5]),
            reinterpret_cast<std::uint16_t*>(at[6]),
            reinterpret_cast<std::uint16_t*>(at[7]),
            reinterpret_cast<typename Tables::Shared*>(at[8]),
            reinterpret_cast<std::uint64_t*>(at[9]),
            slabs,
            classes,
            homes(),
            slab_shift};
  }

 private:
  /// Fewer for small heaps, whose metadata would be larger than they.
  unsigned homes() const { return std::clamp(std::bit_floor(slabs / 32), 1U, 128U); }

  static std::size_t round_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
};

/// What is not zero in the metadata of a new heap, for all numbers below start_count().
template <class Platform>
KOKKOS_FUNCTION void start_metadata(const SlabTables<Platform>& tables, unsigned number) {
  if (number == 0) tables.shared->free.fill(tables.slabs);
  if (number < tables.slabs) tables.states[number].word = SlabState::retired();
  if (number < tables.class_count)
    tables.sizes[number] = SlabClass::of(slab_classes::size(number), tables.slab_bytes());
}

template <class Platform>
unsigned start_count(const SlabTables<Platform>& tables) {
  return std::max(tables.slabs, tables.class_count);
}

}  // namespace haloheap::allocators::detail

#endif
