// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_OUTPUT_PAGE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_ALLOCATORS_OUTPUT_PAGE_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/miniapp/problems/allocators/join_tables.hpp>

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

/// Appends rows to a list of pages that the lanes of a warp share. Lock-free: each lane takes its place by
/// itself, whichever others are there with it.
template <class Handle, class Platform = haloheap::lanes::Platform>
class WarpList {
  using Atomics = typename Platform::Atomics;

 public:
  /// The list starts out as null.
  KOKKOS_FUNCTION WarpList(const Handle& heap, PageShape shape, PageList* list)
      : heap_(heap), shape_(shape), list_(list) {}

  /// False: the heap is full.
  KOKKOS_FUNCTION bool append(const JoinRow& row) {
    for (;;) {
      const std::uintptr_t page = Atomics::load(&list_->first);
      const std::uint32_t mine = page == 0 ? shape_.capacity : take(page);
      if (mine < shape_.capacity) {
        *reinterpret_cast<OutputPage*>(page)->row(mine) = row;
        return true;
      }
      // The first one without room brings a page. The others wait a moment for it, or else bring one, too.
      for (unsigned i = 0; mine != shape_.capacity && i < max_turns && Atomics::load(&list_->first) == page;
           ++i)
        Platform::pause();
      if (!extend(page)) return false;
    }
  }
  KOKKOS_FUNCTION void finish() {}

 private:
  static constexpr unsigned max_turns = 256;

  /// The number of a row; the page has no room if that is its capacity or more.
  KOKKOS_FUNCTION std::uint32_t take(std::uintptr_t page) {
    if (page != known_) Atomics::fence();  // its members were written before it was found here
    known_ = page;
    return Atomics::fetch_add(&reinterpret_cast<OutputPage*>(page)->rows, 1U);
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
