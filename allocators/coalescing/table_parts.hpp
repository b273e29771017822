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
///
/// The table's words have room for distances below 16 MiB. In a larger superblock each part has 16 bytes in
/// front of it, for its distance, and the table says 0.
template <class Platform, class Under>
class TableParts {
  using Counter = SuperblockCounter<Platform>;

 public:
  using Table = SuperblockTable<Platform>;

  /// Where the parts of a superblock lie. `before` is the bytes of the parts before one, and `rank` their
  /// number.
  struct Places {
    bool far;
    KOKKOS_FUNCTION std::uint64_t distance(std::uint64_t before, unsigned rank) const {
      return superblocks::front + before + (far ? far_front * (std::uint64_t{rank} + 1) : 0);
    }
  };

  KOKKOS_FUNCTION TableParts(const Superblocks<Platform, Under>& superblocks, const Table& table)
      : superblocks_(superblocks), table_(table) {}

  KOKKOS_FUNCTION bool can_have(std::size_t bytes) const { return superblocks_.can_have(bytes); }
  KOKKOS_FUNCTION void* refuse() const {
    superblocks_.count_failures(1);
    return nullptr;
  }

  /// Bytes from one part to the next.
  KOKKOS_FUNCTION static std::uint64_t room(std::size_t bytes) {
    return superblocks::round_up(superblocks::at_least_one(bytes), 16);
  }

  /// Of a superblock whose last part begins behind so many bytes of other parts.
  KOKKOS_FUNCTION static Places places(std::uint64_t before_last) {
    return {superblocks::front + before_last >= Table::reach};
  }

  /// One lane's work. A superblock of so many parts, or nullptr.
  KOKKOS_FUNCTION std::byte* start_superblock(std::size_t bytes, unsigned parts) const {
    std::byte* const superblock = superblocks_.allocate(bytes, parts);
    if (superblock != nullptr) reinterpret_cast<Counter*>(superblock)->start(parts);
    return superblock;
  }

  /// Each lane's work, after the superblock has been started: its part. nullptr if the table is full; the
  /// part is then given back.
  KOKKOS_FUNCTION void* hand_out(std::byte* superblock, std::uint64_t distance, Places places) const {
    std::byte* const part = superblock + distance;
    if (places.far) *distance_of(part) = distance;
    if (table_.insert(part, places.far ? 0 : distance)) return part;
    superblocks_.count_failures(1);
    release(superblock);
    return nullptr;
  }

  /// A superblock for this request alone.
  KOKKOS_FUNCTION void* allocate_alone(std::size_t bytes) const {
    if (!can_have(bytes)) return refuse();
    std::byte* const superblock = start_superblock(superblocks::front + superblocks::at_least_one(bytes), 1);
    return superblock == nullptr ? nullptr : hand_out(superblock, superblocks::front, {false});
  }

  /// Ignores what the table does not know.
  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    auto* const part = static_cast<std::byte*>(pointer);
    if (part == nullptr) return;
    const std::size_t distance = table_.remove(part);
    if (distance != Table::none) release(part - (distance == 0 ? *distance_of(part) : distance));
  }

 private:
  static constexpr std::uint64_t far_front = 16;

  KOKKOS_FUNCTION static std::uint64_t* distance_of(std::byte* part) {
    return reinterpret_cast<std::uint64_t*>(part - far_front);
  }

  KOKKOS_FUNCTION void release(std::byte* superblock) const {
    if (reinterpret_cast<Counter*>(superblock)->release()) superblocks_.deallocate(superblock);
  }

  Superblocks<Platform, Under> superblocks_;
  Table table_;
};

}  // namespace haloheap::allocators::detail

#endif
