// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// virtual_queues in plain memory; see plain_heaps.hpp.
#ifndef HALOHEAP_UNIT_ALLOCATORS_PLAIN_VIRTUAL_QUEUES_HPP
#define HALOHEAP_UNIT_ALLOCATORS_PLAIN_VIRTUAL_QUEUES_HPP

#include <haloheap/allocators/virtual_queues/chunk_layout.hpp>
#include <haloheap/allocators/virtual_queues/virtual_queues.hpp>
#include <haloheap/unit/allocators/plain_heaps.hpp>

namespace haloheap::allocators {

/// How many blocks there are depends on which classes have chunks.
template <class Platform>
class PlainVirtualQueues {
  using Layout = detail::ChunkLayout<Platform>;
  using Tables = detail::ChunkTables<Platform>;

 public:
  using Allocator = VirtualQueues;
  using Handle = detail::VirtualQueuesHandle<Platform>;
  static constexpr const char* name = "virtual_queues";
  static constexpr std::size_t tight = std::size_t{4} << 13;

  explicit PlainVirtualQueues(std::size_t bytes)
      : layout_(bytes >> detail::chunk_classes::chunk_shift, 128),
        pool_(bytes),
        metadata_(layout_.bytes()),
        tables_(layout_.tables(pool_.data(), metadata_.data())) {
    std::memset(metadata_.data(), 0, layout_.bytes());
    for (std::uint32_t number = 0; number < detail::start_count(tables_); ++number)
      detail::start_chunks(tables_, number);
  }

  Handle handle() const { return Handle(tables_); }
  const Tables& tables() const { return tables_; }
  std::byte* pool() const { return tables_.pool; }
  std::size_t bytes() const { return std::size_t{tables_.chunks} << detail::chunk_classes::chunk_shift; }
  std::size_t capacity(std::size_t) const { return 0; }
  std::vector<std::size_t> sizes() const { return {16, 100, 1000, 1024, 3000}; }
  std::size_t large() const { return detail::chunk_classes::chunk_bytes; }

  std::size_t in_use() const {
    std::size_t sum = 0;
    for (std::uint32_t chunk = 0; chunk < touched(); ++chunk)
      sum += (pages_of(chunk) - free_of(chunk)) << detail::chunk_classes::page_shift(tables_.classes[chunk]);
    return sum;
  }
  bool has_room(std::size_t bytes) const {
    if (touched() < tables_.chunks) return true;
    for (std::uint32_t chunk = 0; chunk < tables_.chunks; ++chunk)
      if (free_of(chunk) == pages_of(chunk) ||
          (free_of(chunk) > 0 && tables_.classes[chunk] == detail::chunk_classes::of(bytes)))
        return true;
    return false;
  }
  /// Chunks with free pages are in a queue, the others are not; no slot is lost.
  std::string fault() const {
    std::uint64_t free = 0, queued = 0, entries = 0;
    for (std::uint32_t chunk = 0; chunk < touched(); ++chunk) {
      const bool answered = (tables_.states[chunk] & detail::ChunkState::answered) != 0;
      if (answered != (free_of(chunk) > 0)) return "chunk " + std::to_string(chunk) + " is not to be had";
      queued += answered ? 1 : 0;
      unsigned bits = 0;
      for (unsigned word = 0; word < Tables::bitmap_words; ++word)
        bits += static_cast<unsigned>(lanes::bits::count(tables_.bitmap(chunk)[word]));
      if (bits != free_of(chunk)) return "chunk " + std::to_string(chunk) + " has lost pages";
    }
    for (unsigned queue = 0; queue < Tables::queues; ++queue) entries += tables_.heads[queue].count;
    if (entries != queued) return "chunks are lost, or twice in a queue";
    for (std::uint32_t i = 0; i < (tables_.segment_count + 63) / 64; ++i)
      free += static_cast<std::uint64_t>(lanes::bits::count(tables_.free_segments[i]));
    for (std::uint32_t i = 0; i < Tables::queues * tables_.directory_size; ++i)
      free += static_cast<std::uint32_t>(tables_.directory[i]) != 0 ? 1 : 0;
    if (free != tables_.segment_count) return "segments are lost";
    return tables_.shared->in_hands == 0 ? "" : "a chunk is in nobody's hands";
  }

 private:
  std::uint32_t touched() const {
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(tables_.shared->fresh, tables_.chunks));
  }
  std::uint32_t pages_of(std::uint32_t chunk) const {
    return detail::chunk_classes::pages(tables_.classes[chunk]);
  }
  std::uint32_t free_of(std::uint32_t chunk) const {
    return tables_.states[chunk] & detail::ChunkState::free_mask;
  }

  Layout layout_;
  mutable PlainMemory pool_, metadata_;
  Tables tables_;
};

}  // namespace haloheap::allocators

#endif
