// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_OUTPUT_PAGE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_OUTPUT_PAGE_HPP

#include <haloheap/core/lanes/group.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/miniapp/problems/join_tables.hpp>

#include <new>

namespace haloheap {

/// A page of the result of a join: the rows follow.
struct alignas(16) OutputPage {
  OutputPage* next;
  std::uint32_t rows;  ///< more than there is room for, once somebody found it full

  static std::uint32_t capacity_of(std::size_t page_bytes) {
    return page_bytes < sizeof(OutputPage)
               ? 0
               : static_cast<std::uint32_t>((page_bytes - sizeof(OutputPage)) / sizeof(JoinRow));
  }
  KOKKOS_FUNCTION JoinRow* row(std::uint32_t i) { return reinterpret_cast<JoinRow*>(this + 1) + i; }
};

/// Where a list of pages begins.
struct PageList {
  std::uintptr_t first;  ///< an OutputPage's address, or 0

  KOKKOS_FUNCTION OutputPage* page() const { return reinterpret_cast<OutputPage*>(first); }
};

/// How large the pages of a list are.
struct PageShape {
  std::size_t bytes;
  std::uint32_t capacity;  ///< rows
};

/// Appends rows to a list of pages that is one thread's own.
template <class Handle>
class ThreadList {
 public:
  KOKKOS_FUNCTION ThreadList(const Handle& heap, PageShape shape, PageList* list)
      : heap_(heap), shape_(shape), list_(list) {}

  /// False: the heap is full.
  KOKKOS_FUNCTION bool append(const JoinRow& row) {
    if (page_ == nullptr || rows_ == shape_.capacity) {
      void* const memory = heap_.allocate(shape_.bytes);
      if (memory == nullptr) return false;
      close();
      page_ = new (memory) OutputPage{page_, 0};
      rows_ = 0;
    }
    *page_->row(rows_++) = row;
    return true;
  }
  KOKKOS_FUNCTION void finish() {
    close();
    list_->first = reinterpret_cast<std::uintptr_t>(page_);
  }

 private:
  KOKKOS_FUNCTION void close() {
    if (page_ != nullptr) page_->rows = rows_;
  }

  const Handle& heap_;
  PageShape shape_;
  PageList* list_;
  OutputPage* page_ = nullptr;
  std::uint32_t rows_ = 0;
};

/// Appends rows to a list of pages that the lanes of a warp share. Those that append together take their
/// places with one operation; which lanes these are may change with each row, so the list is lock-free.
template <class Handle, class Platform = haloheap::Platform>
class WarpList {
  using Lanes = typename Platform::Lanes;
  using Atomics = typename Platform::Atomics;

 public:
  /// The list starts out as null.
  KOKKOS_FUNCTION WarpList(const Handle& heap, PageShape shape, PageList* list)
      : heap_(heap), shape_(shape), list_(list) {}

  /// False: the heap is full.
  KOKKOS_FUNCTION bool append(const JoinRow& row) {
    for (;;) {
      const Lanes lanes = Lanes::here();
      const unsigned leader = bits::lowest(lanes.mask()), size = group::size(lanes);
      Place place{0, 0, 1};
      if (lanes.lane() == leader) place = take(size);
      auto* const page = reinterpret_cast<OutputPage*>(lanes.shuffle(place.page, leader));
      const std::uint32_t mine = lanes.shuffle(place.row, leader) + group::rank(lanes);
      const int more = lanes.shuffle(place.more, leader);
      if (page != nullptr && mine < shape_.capacity) {
        *page->row(mine) = row;
        return true;
      }
      if (more == 0) return false;
    }
  }
  KOKKOS_FUNCTION void finish() {}

 private:
  struct Place {
    std::uintptr_t page;
    std::uint32_t row;  ///< the group's first
    int more;           ///< 0: there is no page for those that have no room in this one
  };

  KOKKOS_FUNCTION Place take(unsigned size) {
    const std::uintptr_t page = Atomics::load(&list_->first);
    std::uint32_t row = 0;
    if (page != 0) {
      if (page != known_) Atomics::fence();  // its members were written before it was found here
      known_ = page;
      row = Atomics::fetch_add(&reinterpret_cast<OutputPage*>(page)->rows, size);
    }
    const bool full = page == 0 || row + size > shape_.capacity;
    return {page, row, full && !extend(page) ? 0 : 1};
  }

  /// A new page in front of `page`, unless there is one already.
  KOKKOS_FUNCTION bool extend(std::uintptr_t page) {
    if (Atomics::load(&list_->first) != page) return true;
    void* const memory = heap_.allocate(shape_.bytes);
    if (memory == nullptr) return Atomics::load(&list_->first) != page;
    new (memory) OutputPage{reinterpret_cast<OutputPage*>(page), 0};
    Atomics::release_fence();
    const auto added = reinterpret_cast<std::uintptr_t>(memory);
    if (Atomics::compare_exchange(&list_->first, page, added) != page) heap_.deallocate(memory);
    return true;
  }

  const Handle& heap_;
  PageShape shape_;
  PageList* list_;
  std::uintptr_t known_ = 0;
};

}  // namespace haloheap

#endif
