// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_CHUNK_TABLES_HPP
#define HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_CHUNK_TABLES_HPP

#include <haloheap/allocators/failure_counters.hpp>
#include <haloheap/core/lanes/bits.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators::detail {

/// The size classes of virtual_queues: pages of 16, 32, ... 8192 bytes. A chunk of 8192 bytes has 512 of the
/// smallest and one of the largest.
namespace chunk_classes {

inline constexpr unsigned min_shift = 4, chunk_shift = 13;
inline constexpr unsigned count = chunk_shift - min_shift + 1;
inline constexpr std::size_t chunk_bytes = std::size_t{1} << chunk_shift;

/// Of a request of at most a chunk.
KOKKOS_INLINE_FUNCTION unsigned of(std::size_t bytes) {
  if (bytes <= 16) return 0;
  return lanes::bits::highest(static_cast<std::uint32_t>(bytes) - 1) + 1 - min_shift;
}
KOKKOS_INLINE_FUNCTION unsigned pages(unsigned size_class) {
  return 1U << (count - 1 - size_class);
}
KOKKOS_INLINE_FUNCTION unsigned page_shift(unsigned size_class) {
  return min_shift + size_class;
}

}  // namespace chunk_classes

/// How many free pages a chunk has, and whether somebody answers for it: it stands in a queue, or a lane has
/// it in hands. Who sets that bit queues the chunk; who answers for a chunk without free pages clears it and
/// leaves the chunk alone, until a page is given back.
struct ChunkState {
  using Word = std::uint32_t;
  static constexpr Word answered = Word{1} << 31;
  static constexpr Word free_mask = answered - 1;
};

/// A queue's semaphore and tickets, each with a memory sector of its own.
struct alignas(128) QueueHead {
  std::uint64_t count;  ///< semaphore: chunks that are in the queue and nobody's yet, as a signed number
  std::uint64_t pad0[3];
  std::uint64_t head;  ///< tickets for taking
  std::uint64_t pad1[3];
  std::uint64_t tail;  ///< tickets for putting
  std::uint64_t pad2[3];
  std::uint64_t empty;  ///< chunks of the class that are wholly free, as a signed number
  std::uint64_t pad3[3];
};

/// What the heap knows of its chunks, beside the pool.
struct ChunkShared {
  std::uint64_t fresh;  ///< chunks that somebody has had; those behind are untouched
  std::uint64_t pad0[3];
  std::uint64_t in_hands;  ///< lanes that look for a chunk now, or bring one
  std::uint64_t pad1[3];
  std::uint64_t version;  ///< how often a semaphore has been raised
  std::uint64_t pad2[3];
};

/// The memory of a heap, for kernels. A segment is 64 slots of a queue, which stands in the pool's first
/// chunks.
template <class Platform>
struct ChunkTables {
  using Word = std::uint64_t;
  static constexpr unsigned queues = chunk_classes::count + 1;  ///< the last one is of chunks of no class
  static constexpr unsigned no_class_queue = chunk_classes::count;
  static constexpr unsigned bitmap_words = 8;  ///< of 64 pages, of a chunk
  static constexpr unsigned segment_slots = 64;

  std::byte* pool;   ///< the first chunk that is handed out
  Word* segments;    ///< the slots
  QueueHead* heads;  ///< one a queue
  ChunkShared* shared;
  Word* directory;         ///< of each queue: which segment stands where
  Word* free_segments;     ///< a bit each
  std::uint32_t* uses;     ///< of a segment: puts and takes that are done
  Word* bitmaps;           ///< of a chunk: its free pages
  std::uint32_t* states;   ///< ChunkState
  std::uint32_t* classes;  ///< of chunks that have one
  Word* failures;
  std::uint32_t chunks, segment_count, directory_size;

  KOKKOS_FUNCTION std::byte* chunk(std::uint32_t number) const {
    return pool + (static_cast<std::size_t>(number) << chunk_classes::chunk_shift);
  }
  KOKKOS_FUNCTION Word* bitmap(std::uint32_t number) const {
    return bitmaps + static_cast<std::size_t>(number) * bitmap_words;
  }
};

}  // namespace haloheap::allocators::detail

#endif
