// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_TABLE_HEAP_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_TABLE_HEAP_HPP

#include <haloheap/allocators/coalescing/superblock_heap.hpp>
#include <haloheap/allocators/coalescing/table_parts.hpp>

#include <algorithm>
#include <bit>

namespace haloheap::allocators::detail {

/// The host's side of block_table and warp_table. The table has a place for every 64 bytes of the pool, so an
/// eighth to a quarter of the pool stands beside it; with smaller parts, the table is full before the pool
/// is.
template <DeviceAllocator Under>
class TableHeap {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = TableParts<lanes::Platform, typename Under::Handle>;
  using Word = typename Handle::Table::Word;

  TableHeap(const Exec& exec, const HeapConfig& config)
      : heap_(exec, config), words_(config.resource(), config.label + "_table", places(config)) {
    clear(exec);
  }

  const Under& under() const { return heap_.under(); }

  Handle handle() const {
    return {heap_.handle(), {words_.view().data(), static_cast<std::uint32_t>(words_.size())}};
  }

  void reset(const Exec& exec) {
    heap_.reset(exec);
    clear(exec);
  }

  HeapStatistics statistics(const Exec& exec) const {
    return heap_.statistics(exec, words_.size() * sizeof(Word));
  }

  static Promises promises(const HeapConfig& config, Coalescing coalescing) {
    return SuperblockHeap<Under>::promises(config, coalescing);
  }

  /// Of the table, for a pool.
  static std::size_t places(const HeapConfig& config) {
    constexpr std::size_t bytes_per_place = 64, minimum = Handle::Table::probes,
                          maximum = std::size_t{1} << 31;
    return std::bit_ceil(std::clamp(config.bytes / bytes_per_place, minimum, maximum));
  }

 private:
  void clear(const Exec& exec) { Kokkos::deep_copy(exec, words_.view(), Word{0}); }

  SuperblockHeap<Under> heap_;
  memory::Array<Word> words_;
};

}  // namespace haloheap::allocators::detail

#endif
