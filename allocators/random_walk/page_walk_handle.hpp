// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_WALK_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_RANDOM_WALK_PAGE_WALK_HANDLE_HPP

#include <haloheap/allocators/random_walk/page_sharing.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/random.hpp>

namespace haloheap::allocators::detail {

/// What the handles have in common with which each lane walks alone: `Handle` has walk(random, steps), which
/// gives a page, or none after many steps. Then the lanes that have still found nothing look at all pages
/// together.
template <class Handle, class Platform, class Table>
class PageWalkHandle : public ViewSource<Handle> {
  using Lanes = typename Platform::Lanes;

 public:
  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the steps of the walk.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    lanes::LaneRandom random(Platform::entropy(), Lanes::here().lane());
    std::uint32_t page = pool_.none;
    if (bytes <= pool_.page_bytes()) {
      page = static_cast<const Handle&>(*this).walk(random, steps);
      if (page == pool_.none && !pool_.sign().is_set(1)) {
        const Lanes lanes = Lanes::here();
        PageSharing<Platform, Table>(lanes, pool_, table_).sweep(random.below(table_.chunks()), page);
      }
    }
    if (page != pool_.none) return pool_.address(page);
    pool_.count_failure(random());
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const { pool_.give_back(table_, pointer); }

  static constexpr bool blocks_are_pages = true;
  /// See SizedHandle.
  KOKKOS_FUNCTION std::size_t usable_size(const void*) const { return pool_.page_bytes(); }

 protected:
  KOKKOS_FUNCTION PageWalkHandle(const PagePool<Platform>& pool, const Table& table)
      : pool_(pool), table_(table) {}

  PagePool<Platform> pool_;
  Table table_;
};

}  // namespace haloheap::allocators::detail

#endif
