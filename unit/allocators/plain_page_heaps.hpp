// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The heaps of allocators/random_walk, and page_queue, in plain memory; see plain_heaps.hpp.
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_PAGE_HEAPS_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_PAGE_HEAPS_HPP

#include <haloheap/allocators/page_queue/page_queue.hpp>
#include <haloheap/allocators/random_walk/collaborative_random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk.hpp>
#include <haloheap/allocators/random_walk/random_walk_bitmap.hpp>
#include <haloheap/allocators/random_walk/rw_malloc.hpp>
#include <haloheap/unit/allocators/plain_heaps.hpp>

#include <algorithm>
#include <bit>

namespace haloheap::allocators {

/// Pages of 1 KiB, a word of state for each (of which a bitmap needs less), and locks.
template <class Platform>
class PlainPages {
 public:
  static constexpr unsigned page_shift = 10;
  static constexpr unsigned word_bits = 64;
  static constexpr std::size_t tight = 8192;

  explicit PlainPages(std::size_t bytes)
      : count_(static_cast<std::uint32_t>(bytes >> page_shift)),
        memory_(bytes),
        metadata_((detail::PagePool<Platform>::metadata_words + 2 * count_) * sizeof(std::uint64_t)),
        pool_{memory_.data(), reinterpret_cast<std::uint64_t*>(metadata_.data()), count_, page_shift} {
    std::fill_n(pool_.metadata, detail::PagePool<Platform>::metadata_words + 2 * count_, std::uint64_t{0});
  }

  std::byte* pool() const { return memory_.data(); }
  std::size_t bytes() const { return memory_.bytes(); }
  std::string fault() const { return ""; }

 protected:
  static constexpr std::size_t page_bytes = std::size_t{1} << page_shift;

  std::uint64_t* states() const { return pool_.metadata + detail::PagePool<Platform>::metadata_words; }
  detail::PageBitmap<Platform> bitmap() const { return {states(), count_}; }
  detail::PageFlags<Platform> flags() const { return {reinterpret_cast<std::uint32_t*>(states()), count_}; }
  std::uint64_t* locks() const { return states() + count_; }
  std::size_t bits_set() const {
    std::size_t sum = 0;
    for (std::uint32_t i = 0; i < count_; ++i)
      sum += static_cast<std::size_t>(lanes::bits::count(states()[i]));
    return sum;
  }

  std::uint32_t count_;
  mutable PlainMemory memory_, metadata_;
  detail::PagePool<Platform> pool_;
};

/// Those that give a page for each request.
template <class Platform>
class PlainSinglePages : public PlainPages<Platform> {
 public:
  using PlainPages<Platform>::PlainPages;
  std::size_t capacity(std::size_t) const { return this->count_; }
  std::vector<std::size_t> sizes() const { return {16, 100, 1000, 1024}; }
  std::size_t large() const { return this->page_bytes; }
  std::size_t in_use() const { return this->bits_set() * this->page_bytes; }
  bool has_room(std::size_t bytes) const {
    return bytes <= this->page_bytes && this->bits_set() < this->count_;
  }
};

template <class Platform>
struct PlainRandomWalk : PlainSinglePages<Platform> {
  using PlainSinglePages<Platform>::PlainSinglePages;
  using Allocator = RandomWalk;
  static constexpr const char* name = "random_walk";
  detail::RandomWalkHandle<Platform> handle() const { return {this->pool_, this->flags()}; }
};

template <class Platform>
struct PlainRandomWalkBitmap : PlainSinglePages<Platform> {
  using PlainSinglePages<Platform>::PlainSinglePages;
  using Allocator = RandomWalkBitmap;
  static constexpr const char* name = "random_walk_bitmap";
  detail::RandomWalkBitmapHandle<Platform> handle() const {
    return {this->pool_, this->bitmap(), this->word_bits};
  }
};

template <class Platform>
struct PlainCollaborativeRandomWalk : PlainSinglePages<Platform> {
  using PlainSinglePages<Platform>::PlainSinglePages;
  using Allocator = CollaborativeRandomWalk;
  static constexpr const char* name = "collaborative_random_walk";
  detail::CollaborativeRandomWalkHandle<Platform> handle() const {
    return {this->pool_, this->bitmap(), this->locks(), this->word_bits};
  }
};

/// Requests of two pages leave no page between them for others only where all of them fit; so how many fit is
/// not known, and requests of a page at most share runs with their neighbours.
template <class Platform>
struct PlainRwMalloc : PlainPages<Platform> {
  using Allocator = RwMalloc;
  static constexpr const char* name = "rw_malloc";
  using Handle = detail::RwMallocHandle<Platform>;
  using PlainPages<Platform>::PlainPages;
  Handle handle() const {
    auto* const lengths = reinterpret_cast<typename Handle::Length*>(this->locks());
    return {this->pool_, this->bitmap(), lengths, 32};
  }
  std::size_t capacity(std::size_t) const { return 0; }
  std::vector<std::size_t> sizes() const { return {16, 100, 1000, 1024, 3000}; }
  std::size_t large() const { return Handle::max_bytes; }
  std::size_t in_use() const { return this->bits_set() * this->page_bytes; }
  bool has_room(std::size_t bytes) const {
    std::size_t in_a_row = 0;
    for (std::uint32_t page = 0; page < this->count_; ++page) {
      in_a_row = (this->states()[page / 64] >> (page % 64) & 1) == 0 ? in_a_row + 1 : 0;
      if (in_a_row * this->page_bytes >= bytes) return true;
    }
    return false;
  }
};

/// Pages of 1 KiB, all of them in the ring.
template <class Platform>
class PlainPageQueue {
  using Ring = detail::PageRing<Platform>;

 public:
  using Allocator = PageQueue;
  static constexpr const char* name = "page_queue";
  static constexpr std::size_t tight = 8192;

  explicit PlainPageQueue(std::size_t bytes)
      : count_(static_cast<std::uint32_t>(bytes / page_bytes)),
        memory_(bytes),
        metadata_(Ring::metadata_words),
        slots_(std::bit_ceil(count_)) {
    for (std::uint32_t i = 0; i < slots_.size(); ++i) slots_[i] = Ring::slot(0, i < count_ ? i + 1 : 0);
    metadata_[Ring::count] = metadata_[Ring::tail] = count_;
  }

  detail::PageQueueHandle<Platform> handle() const {
    return detail::PageQueueHandle<Platform>(Ring{memory_.data(), metadata_.data(), slots_.data(), count_,
                                                  static_cast<unsigned>(std::countr_zero(page_bytes)),
                                                  static_cast<unsigned>(std::countr_zero(slots_.size()))});
  }
  std::byte* pool() const { return memory_.data(); }
  std::size_t bytes() const { return memory_.bytes(); }
  std::size_t capacity(std::size_t) const { return count_; }
  std::vector<std::size_t> sizes() const { return {16, 100, 1000, 1024}; }
  std::size_t large() const { return page_bytes; }
  std::size_t in_use() const { return (count_ - metadata_[Ring::count]) * page_bytes; }
  bool has_room(std::size_t bytes) const { return bytes <= page_bytes && metadata_[Ring::count] > 0; }
  std::string fault() const {
    const auto there =
        std::count_if(slots_.begin(), slots_.end(), [](auto slot) { return Ring::content(slot) != 0; });
    return static_cast<std::uint64_t>(there) == metadata_[Ring::count] ? "" : "pages are not in the ring";
  }

 private:
  static constexpr std::size_t page_bytes = 1024;
  std::uint32_t count_;
  mutable PlainMemory memory_;
  mutable std::vector<std::uint64_t> metadata_, slots_;
};

}  // namespace haloheap::allocators

#endif
