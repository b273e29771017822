// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_CHUNK_LAYOUT_HPP
#define HALOHEAP_ALLOCATORS_VIRTUAL_QUEUES_CHUNK_LAYOUT_HPP

#include <haloheap/allocators/virtual_queues/chunk_tables.hpp>

#include <array>

namespace haloheap::allocators::detail {

/// Where the metadata of a heap stands in one block of memory, and how many of the pool's chunks the queues
/// take.
template <class Platform>
struct ChunkLayout {
  using Tables = ChunkTables<Platform>;
  using Word = typename Tables::Word;
  static constexpr std::size_t alignment = 256;
  static constexpr std::size_t min_chunks = 4;
  static constexpr std::size_t segment_bytes = Tables::segment_slots * sizeof(Word);

  std::uint32_t all, segments, directory, chunks;

  /// `lanes`: that run side by side, so that a queue's tickets are not further apart than its directory is
  /// long.
  ChunkLayout(std::size_t pool_chunks, std::size_t lanes)
      : all(static_cast<std::uint32_t>(pool_chunks)),
        // Those that are full, two at the ends of each queue, and a few that are on their way.
        segments(all / Tables::segment_slots + 2 * Tables::queues + 10),
        directory(all / Tables::segment_slots + static_cast<std::uint32_t>(lanes / Tables::segment_slots) +
                  2),
        chunks(all - static_cast<std::uint32_t>((segments * segment_bytes + chunk_classes::chunk_bytes - 1) /
                                                chunk_classes::chunk_bytes)) {}

  std::size_t segment_words() const { return std::size_t{segments} * Tables::segment_slots; }

  /// Bytes of the tables' parts, in their order there.
  std::array<std::size_t, 9> parts() const {
    return {Tables::queues * sizeof(QueueHead),
            sizeof(ChunkShared),
            std::size_t{Tables::queues} * directory * sizeof(Word),
            (segments + std::size_t{63}) / 64 * sizeof(Word),
            segments * sizeof(std::uint32_t),
            std::size_t{chunks} * Tables::bitmap_words * sizeof(Word),
            chunks * sizeof(std::uint32_t),
            chunks * sizeof(std::uint32_t),
            FailureCounters<Platform>::words * sizeof(Word)};
  }

  std::size_t bytes() const {
    std::size_t total = 0;
    for (const std::size_t part : parts()) total += round_up(part);
    return total;
  }

  Tables tables(std::byte* pool, std::byte* metadata) const {
    std::array<std::byte*, 9> at{};
    for (std::size_t i = 0; i < at.size(); metadata += round_up(parts()[i]), ++i) at[i] = metadata;
    return {pool + (std::size_t{all - chunks} << chunk_classes::chunk_shift),
            reinterpret_cast<Word*>(pool),
            reinterpret_cast<QueueHead*>(at[0]),
            reinterpret_cast<ChunkShared*>(at[1]),
            reinterpret_cast<Word*>(at[2]),
            reinterpret_cast<Word*>(at[3]),
            reinterpret_cast<std::uint32_t*>(at[4]),
            reinterpret_cast<Word*>(at[5]),
            reinterpret_cast<std::uint32_t*>(at[6]),
            reinterpret_cast<std::uint32_t*>(at[7]),
            reinterpret_cast<Word*>(at[8]),
            chunks,
            segments,
            directory};
  }

 private:
  static std::size_t round_up(std::size_t bytes) { return (bytes + alignment - 1) / alignment * alignment; }
};

/// What is not zero in the metadata of a new heap, and what must be in its segments, whose slots would else
/// be taken for full: for all numbers below start_count().
template <class Platform>
KOKKOS_FUNCTION void start_chunks(const ChunkTables<Platform>& tables, std::uint32_t number) {
  using Tables = ChunkTables<Platform>;
  tables.segments[number] = 0;
  if (number % 64 == 0 && number / 64 < (tables.segment_count + 63) / 64) {
    const std::uint32_t rest = tables.segment_count - number;
    tables.free_segments[number / 64] = lanes::bits::low<typename Tables::Word>(rest < 64 ? rest : 64);
  }
}

template <class Platform>
std::uint32_t start_count(const ChunkTables<Platform>& tables) {
  return tables.segment_count * ChunkTables<Platform>::segment_slots;
}

}  // namespace haloheap::allocators::detail

#endif
