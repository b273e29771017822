// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_PAGE_QUEUE_PAGE_QUEUE_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_PAGE_QUEUE_PAGE_QUEUE_HANDLE_HPP

#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/allocators/random_walk/steps.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/random.hpp>

#include <cstddef>

namespace haloheap::allocators::detail {

/// The ring of free pages, and how to read it. A slot says in which round around the ring it is to be used
/// next, and which page it holds.
template <class Platform>
struct PageRing {
  using Word = std::uint64_t;
  /// Words of `metadata`: how many pages are in the ring, the tickets for taking and for putting, each with a
  /// memory sector of its own, and the failures.
  static constexpr unsigned count = 0, head = 4, tail = 8, failures = 12;
  static constexpr unsigned metadata_words = failures + FailureCounters<Platform>::words;

  std::byte* data;
  Word* metadata;
  Word* slots;
  std::uint32_t pages;
  unsigned page_shift, ring_shift;  ///< log2 of a page's bytes, and of the number of slots

  KOKKOS_FUNCTION static Word slot(std::uint32_t round, std::uint32_t content) {
    return Word{round} << 32 | content;
  }
  KOKKOS_FUNCTION static std::uint32_t round(Word slot) { return static_cast<std::uint32_t>(slot >> 32); }
  /// A page's number and 1; or 0.
  KOKKOS_FUNCTION static std::uint32_t content(Word slot) { return static_cast<std::uint32_t>(slot); }
};

/// What kernels hold of a PageQueue heap.
///
/// A request first takes one from the number of pages, so that there is one for it. Then it draws a ticket,
/// for a slot and a round, and takes what is there. Nobody waits for others: who finds that the page of its
/// ticket has not been put there yet closes the slot for this round, and both it and who comes late with the
/// page draw another ticket.
template <class Platform>
class PageQueueHandle : public ViewSource<PageQueueHandle<Platform>> {
  using Atomics = typename Platform::Atomics;
  using Ring = PageRing<Platform>;
  using Word = typename Ring::Word;

 public:
  KOKKOS_FUNCTION explicit PageQueueHandle(const Ring& ring) : ring_(ring) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    NoSteps none;
    return allocate(bytes, none);
  }

  /// Counts the tickets that it draws, each an operation that it shares with everybody.
  template <class Steps>
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, Steps& steps) const {
    if (bytes <= page_bytes() && reserve()) {
      for (unsigned ticket = 0; ticket < max_tickets; ++ticket) {
        ++steps;
        const std::uint32_t content = take(Atomics::fetch_add(&ring_.metadata[Ring::head], Word{1}));
        if (content != 0) return ring_.data + (static_cast<std::size_t>(content - 1) << ring_.page_shift);
      }
      Atomics::fetch_add(&ring_.metadata[Ring::count], Word{1});
    }
    FailureCounters<Platform>(ring_.metadata + Ring::failures).add(lanes::bits::mix(Platform::entropy()));
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    if (pointer == nullptr) return;
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - ring_.data);
    const auto content = static_cast<std::uint32_t>(offset >> ring_.page_shift) + 1;
    Atomics::release_fence();  // what was written to the page comes before whatever its next owner writes
    while (!put(Atomics::fetch_add(&ring_.metadata[Ring::tail], Word{1}), content)) continue;
    Atomics::release_fence();  // whoever reserves it can find it
    Atomics::fetch_add(&ring_.metadata[Ring::count], Word{1});
  }

  static constexpr bool blocks_are_pages = true;
  /// See SizedHandle.
  KOKKOS_FUNCTION std::size_t usable_size(const void*) const { return page_bytes(); }

 private:
  static constexpr unsigned max_tickets = 1 << 20;  // there is a page for everybody who comes that far
  static constexpr unsigned max_reservations = 4;

  KOKKOS_FUNCTION std::size_t page_bytes() const { return std::size_t{1} << ring_.page_shift; }

  /// Whether one of the ring's pages is promised. Who takes more than there is gives it back at once, and
  /// until then others see less than there is: they look again a few times.
  KOKKOS_FUNCTION bool reserve() const {
    Word* const count = &ring_.metadata[Ring::count];
    for (unsigned attempt = 0; attempt < max_reservations; ++attempt) {
      if (attempt > 0) Platform::pause();
      if (static_cast<std::int64_t>(Atomics::load(count)) <= 0) continue;
      if (static_cast<std::int64_t>(Atomics::fetch_add(count, ~Word{0})) > 0) return true;
      Atomics::fetch_add(count, Word{1});
    }
    return false;
  }

  /// The content of the ticket's slot, which is closed for this round; 0 if nothing was there.
  KOKKOS_FUNCTION std::uint32_t take(Word ticket) const {
    Word* const place = slot_of(ticket);
    for (Word slot = Atomics::load(place); !is_past(slot, ticket);) {
      const Word before = Atomics::compare_exchange(place, slot, Ring::slot(round_of(ticket) + 1, 0));
      if (before == slot) return Ring::content(slot);
      slot = before;
    }
    return 0;
  }

  /// Whether the content is now in the ticket's slot, which was empty and not closed.
  KOKKOS_FUNCTION bool put(Word ticket, std::uint32_t content) const {
    Word* const place = slot_of(ticket);
    for (Word slot = Atomics::load(place); !is_past(slot, ticket);) {
      if (Ring::content(slot) != 0) return false;  // its taker is late
      const Word before = Atomics::compare_exchange(place, slot, Ring::slot(round_of(ticket), content));
      if (before == slot) return true;
      slot = before;
    }
    return false;
  }

  /// Whether the slot is for a later round than the ticket's, also where the rounds start anew at 0: they are
  /// less than 2^31 apart.
  KOKKOS_FUNCTION bool is_past(Word slot, Word ticket) const {
    return static_cast<std::int32_t>(Ring::round(slot) - round_of(ticket)) > 0;
  }

  KOKKOS_FUNCTION Word* slot_of(Word ticket) const {
    return &ring_.slots[ticket & ((Word{1} << ring_.ring_shift) - 1)];
  }
  KOKKOS_FUNCTION std::uint32_t round_of(Word ticket) const {
    return static_cast<std::uint32_t>(ticket >> ring_.ring_shift);
  }

  Ring ring_;
};

}  // namespace haloheap::allocators::detail

#endif
