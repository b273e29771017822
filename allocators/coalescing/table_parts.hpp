// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_TABLE_PARTS_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_TABLE_PARTS_HPP

#include <haloheap/allocators/coalescing/superblock_counter.hpp>
#include <haloheap/allocators/coalescing/superblock_table.hpp>
#include <haloheap/allocators/coalescing/superblocks.hpp>

namespace haloheap::allocators::detail {

/// Parts without headers: a superblock is a counter and the parts, side by side, and a table knows whose part
/// each one is. What block_table and warp_table have in common.
template <class Platform, class Under>
class TableParts {
  using Counter = SuperblockCounter<Platform>;

 public:
  using Table = SuperblockTable<Platform>;
  static constexpr std::uint32_t front = 16;  ///< bytes before the first part: the counter

  KOKKOS_FUNCTION TableParts(const Superblocks<Platform, Under>& superblocks, const Table& table)
      : superblocks_(superblocks), table_(table) {}

  /// Bytes from one part to the next.
  KOKKOS_FUNCTION static std::uint32_t room(std::size_t bytes) {
    return superblocks::round_up(superblocks::clamped(bytes), 16);
  }

  /// One lane's work. A superblock of so many parts, or nullptr.
  KOKKOS_FUNCTION std::byte* start_superblock(std::size_t bytes, unsigned parts) const {
    return started(superblocks_.allocate(bytes, parts), parts);
  }

  /// Each lane's work, after the superblock has been started: its part. nullptr if the table is full; the
  /// part is then given back.
  KOKKOS_FUNCTION void* hand_out(std::byte* superblock, std::size_t distance) const {
    if (table_.insert(superblock + distance, distance)) return superblock + distance;
    superblocks_.count_failures(1);
    release(superblock);
    return nullptr;
  }

  /// A superblock for this request alone.
  KOKKOS_FUNCTION void* allocate_alone(std::size_t bytes) const {
    std::byte* const superblock = started(superblocks_.allocate_alone(bytes, front), 1);
    return superblock == nullptr ? nullptr : hand_out(superblock, front);
  }

  /// Ignores what the table does not know.
  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    auto* const part = static_cast<std::byte*>(pointer);
    if (part == nullptr) return;
    const std::size_t distance = table_.remove(part);
    if (distance != Table::none) release(part - distance);
  }

 private:
  KOKKOS_FUNCTION static std::byte* started(std::byte* superblock, unsigned parts) {
    if (superblock != nullptr) reinterpret_cast<Counter*>(superblock)->start(parts);
    return superblock;
  }

  KOKKOS_FUNCTION void release(std::byte* superblock) const {
    if (reinterpret_cast<Counter*>(superblock)->release()) superblocks_.deallocate(superblock);
  }

  Superblocks<Platform, Under> superblocks_;
  Table table_;
};

}  // namespace haloheap::allocators::detail

#endif
