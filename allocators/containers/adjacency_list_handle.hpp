// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_ADJACENCY_LIST_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_ADJACENCY_LIST_HANDLE_HPP

#include <haloheap/allocators/containers/range.hpp>
#include <haloheap/allocators/containers/vector.hpp>
#include <haloheap/backend/pragma.hpp>
#include <haloheap/core/lanes/platform.hpp>

#include <iterator>

namespace haloheap::containers {

/// What kernels hold of an AdjacencyList: any lane may call anything at any time, in divergent code, and no
/// call waits for another lane.
///
/// The edges of a vertex stand in blocks, each twice as long as the one before. Who inserts takes the next
/// place with one operation, and makes the blocks up to it if they are missing; of several who do so at once
/// one wins. Erased edges, and places for which there was no room, stay empty until AdjacencyList::compact.
template <class Platform>
class AdjacencyListHandle {
  using Atomics = typename Platform::Atomics;

 public:
  using Vertex = std::uint32_t;
  static constexpr Vertex none = 0xffffffffU;  ///< which no edge goes to

  struct Block {
    std::uintptr_t next;
    std::uint32_t capacity;
    std::uint32_t unused;
    /// The places: none where there is no edge.
    KOKKOS_FUNCTION Vertex* places() { return reinterpret_cast<Vertex*>(this + 1); }
    KOKKOS_FUNCTION static std::size_t bytes(std::uint32_t capacity) {
      return sizeof(Block) + capacity * sizeof(Vertex);
    }
  };
  struct Row {
    std::uintptr_t first;   ///< block; 0: there is none
    std::uint32_t claimed;  ///< places that were taken, in order
    std::uint32_t missing;  ///< of these, places that are empty for good: erased, or without room
  };
  /// How many places of a block were taken, from its first one on.
  struct TakenPlaces {
    Block* block = nullptr;    ///< null: there are none
    std::uint32_t here = 0;    ///< in this block
    std::uint32_t behind = 0;  ///< in those that follow
  };

  /// The vertices to which the edges of a vertex go, in no order that means anything. Others may insert and
  /// erase edges meanwhile: those that come or go on the way may be met or not, none is met twice, and all
  /// others are met. What an iterator stands on stays the same. AdjacencyList::compact, clear and forget end
  /// all iterators.
  class Iterator {
   public:
    using value_type = Vertex;
    using difference_type = std::ptrdiff_t;
    /// The end, of any vertex.
    Iterator() = default;
    KOKKOS_FUNCTION explicit Iterator(const Row& row) : places_(taken_places(row)) { skip(); }
    KOKKOS_FUNCTION Vertex operator*() const { return to_; }
    KOKKOS_FUNCTION Iterator& operator++() {
      ++at_;
      skip();
      return *this;
    }
    KOKKOS_FUNCTION Iterator operator++(int) {
      const Iterator before = *this;
      ++*this;
      return before;
    }
    KOKKOS_FUNCTION bool operator==(const Iterator& other) const {
      return places_.block == other.places_.block && at_ == other.at_;
    }

   private:
    /// On to the next place with an edge, unless this is one.
    KOKKOS_FUNCTION void skip() {
      for (; places_.here > 0; places_ = places_behind(places_), at_ = 0)
        for (; at_ < places_.here; ++at_) {
          to_ = Atomics::load(&places_.block->places()[at_]);
          if (to_ != none) return;
        }
    }

    TakenPlaces places_;
    std::uint32_t at_ = 0;
    Vertex to_ = none;  // as it was met: the edge may be erased now
  };
  using iterator = Iterator;

  KOKKOS_FUNCTION AdjacencyListHandle(Row* rows, Vertex vertices) : rows_(rows), vertices_(vertices) {}

  KOKKOS_FUNCTION Vertex vertices() const { return vertices_; }
  /// How many edges a vertex has; those that come meanwhile may be counted already.
  KOKKOS_FUNCTION std::uint32_t degree(Vertex from) const {
    return Atomics::load(&rows_[from].claimed) - Atomics::load(&rows_[from].missing);
  }

  /// An edge more, even if there is one to the same vertex. False where there was no room, and for an edge to
  /// `none`.
  /// @param heap always a handle of the same heap
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool insert(const Heap& heap, Vertex from, Vertex to) const {
    Row& row = rows_[from];
    // Where requests were refused before, a place is taken only if there is one.
    const bool is_careful = Atomics::load(&row.missing) != 0;
    if (to == none || (is_careful && place_at(heap, row, Atomics::load(&row.claimed)) == nullptr))
      return false;
    Vertex* const place = place_at(heap, row, Atomics::fetch_add(&row.claimed, 1U));
    if (place == nullptr)
      Atomics::add(&row.missing, 1U);
    else
      Atomics::store(place, to);
    return place != nullptr;
  }

  /// One of the edges to that vertex; whether there was one. Of several lanes that erase the last one at once
  /// one is told so.
  KOKKOS_FUNCTION bool erase(Vertex from, Vertex to) const {
    if (to == none) return false;  // which empty places hold
    bool erased = false;
    visit_places(from, [&erased, to](Vertex* place) {
      erased = Atomics::load(place) == to && Atomics::compare_exchange(place, to, none) == to;
      return !erased;
    });
    if (erased) Atomics::add(&rows_[from].missing, 1U);
    return erased;
  }

  KOKKOS_FUNCTION bool contains(Vertex from, Vertex to) const {
    if (to == none) return false;
    bool found = false;
    visit_places(from, [&found, to](const Vertex* place) {
      found = Atomics::load(place) == to;
      return !found;
    });
    return found;
  }

  /// The vertices to which the edges of a vertex go, for loops.
  KOKKOS_FUNCTION Range<Iterator> neighbours(Vertex from) const { return Range(Iterator(rows_[from])); }
  /// Calls visit(to) for each edge of a vertex; for those that come or go meanwhile it may or may not.
  template <class Visit>
  KOKKOS_FUNCTION void for_each(Vertex from, const Visit& visit) const {
    visit_places(from, [&visit](const Vertex* place) {
      const Vertex to = Atomics::load(place);
      if (to != none) visit(to);
      return true;
    });
  }

  /// All edges of a vertex as a View, without a copy, if they stand in one block without gaps, as compact
  /// leaves them; without data if not, or if there are none.
  KOKKOS_FUNCTION allocators::HeapView<const Vertex> view(Vertex from) const {
    const Row& row = rows_[from];
    auto* const block = reinterpret_cast<Block*>(row.first);
    if (block == nullptr || row.missing != 0 || row.claimed > block->capacity) return {};
    return {block->places(), row.claimed};
  }

  /// The edges of a vertex close up, blocks that are not needed any more are freed, and what is left moves to
  /// one block that is as long as they are. Nobody else is in the row. False where there was no room for that
  /// block.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION bool compact(const Heap& heap, Vertex from) const {
    Row& row = rows_[from];
    close_up(heap, row);
    Row compacted{0, row.claimed, 0};
    if (row.first != 0 && reinterpret_cast<Block*>(row.first)->capacity == row.claimed) return true;
    if (compacted.claimed > 0) {
      Block* const block = new_block(heap, compacted.claimed);
      if (block == nullptr) return false;
      std::uint32_t at = 0;
      for_each(from, [&at, block](Vertex to) { block->places()[at++] = to; });
      compacted.first = reinterpret_cast<std::uintptr_t>(block);
    }
    release(heap, from);
    row = compacted;
    return true;
  }
  /// Gives the memory of a vertex' edges back, which are gone. Nobody else is in the row.
  template <allocators::DeviceHandle Heap>
  KOKKOS_FUNCTION void release(const Heap& heap, Vertex from) const {
    free_from(heap, &rows_[from].first);
    rows_[from] = {0, 0, 0};
  }

 private:
  static constexpr std::uint32_t first_capacity = 4;  // a block of 32 bytes

  template <class Heap>
  KOKKOS_FUNCTION static Block* new_block(const Heap& heap, std::uint32_t capacity) {
    auto* const block = static_cast<Block*>(heap.allocate(Block::bytes(capacity)));
    if (block == nullptr) return nullptr;
    *block = {0, capacity, 0};
    for (std::uint32_t i = 0; i < capacity; ++i) block->places()[i] = none;
    return block;
  }

  /// Place number `number` of a row, for which blocks are made; null where there is no room.
  template <class Heap>
  KOKKOS_FUNCTION static Vertex* place_at(const Heap& heap, Row& row, std::uint32_t number) {
    std::uint32_t capacity = first_capacity;
    HALOHEAP_KEEP_LOOP
    for (std::uintptr_t* link = &row.first;;) {
      Block* const block = block_at(heap, link, capacity);
      if (block == nullptr) return nullptr;
      if (number < block->capacity) return &block->places()[number];
      number -= block->capacity;
      capacity = 2 * block->capacity;
      link = &block->next;
    }
  }

  /// Moves edges to places before them that are empty, and frees the blocks behind the last.
  template <class Heap>
  KOKKOS_FUNCTION void close_up(const Heap& heap, Row& row) const {
    auto* to = reinterpret_cast<Block*>(row.first);
    std::uint32_t edges = 0, at = 0;
    for (auto* block = to; block != nullptr; block = reinterpret_cast<Block*>(block->next))
      for (std::uint32_t i = 0; i < block->capacity; ++i) {
        const Vertex edge = block->places()[i];
        if (edge == none) continue;
        block->places()[i] = none;
        if (at == to->capacity) {
          to = reinterpret_cast<Block*>(to->next);
          at = 0;
        }
        to->places()[at++] = edge;
        ++edges;
      }
    row.claimed = edges;
    row.missing = 0;
    free_from(heap, edges == 0 ? &row.first : &to->next);
  }

  /// Frees a block and those behind it.
  template <class Heap>
  KOKKOS_FUNCTION static void free_from(const Heap& heap, std::uintptr_t* link) {
    HALOHEAP_KEEP_LOOP
    for (std::uintptr_t at = *link; at != 0;) {
      auto* const block = reinterpret_cast<Block*>(at);
      at = block->next;
      heap.deallocate(block);
    }
    *link = 0;
  }

  /// The block that a link leads to; a new one, if it leads nowhere.
  template <class Heap>
  KOKKOS_FUNCTION static Block* block_at(const Heap& heap, std::uintptr_t* link, std::uint32_t capacity) {
    std::uintptr_t there = Atomics::load(link);
    if (there == 0) {
      Block* const block = new_block(heap, capacity);
      if (block == nullptr) return nullptr;
      Atomics::release_fence();
      there = Atomics::compare_exchange(link, std::uintptr_t{0}, reinterpret_cast<std::uintptr_t>(block));
      if (there == 0) return block;
      heap.deallocate(block);
    }
    Atomics::acquire_fence();  // the block is as it was when it was added
    return reinterpret_cast<Block*>(there);
  }

  /// Calls visit(place) for all places that were taken, until it says false.
  template <class Visit>
  KOKKOS_FUNCTION void visit_places(Vertex from, const Visit& visit) const {
    for (TakenPlaces at = taken_places(rows_[from]); at.here > 0; at = places_behind(at))
      for (std::uint32_t i = 0; i < at.here; ++i)
        if (!visit(&at.block->places()[i])) return;
  }

  /// The places of a row that were taken, as many as stand in its first block.
  KOKKOS_FUNCTION static TakenPlaces taken_places(const Row& row) {
    const std::uint32_t claimed = Atomics::load(&row.claimed);
    return places_in(Atomics::load(&row.first), claimed);
  }
  KOKKOS_FUNCTION static TakenPlaces places_behind(const TakenPlaces& places) {
    return places_in(Atomics::load(&places.block->next), places.behind);
  }
  KOKKOS_FUNCTION static TakenPlaces places_in(std::uintptr_t address, std::uint32_t taken) {
    if (address == 0 || taken == 0) return {};
    Atomics::acquire_fence();
    auto* const block = reinterpret_cast<Block*>(address);
    const std::uint32_t here = taken < block->capacity ? taken : block->capacity;
    return {block, here, taken - here};
  }

  Row* rows_;
  Vertex vertices_;
};

}  // namespace haloheap::containers

#endif
