// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/allocators/kokkos_pool/kokkos_pool.hpp>
#include <haloheap/core/base/error.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace haloheap::allocators {
namespace {

using Failures = FailureCounters<lanes::Platform>;

constexpr std::size_t min_block = 32, max_superblock = std::size_t{1} << 20;

/// An eighth of the pool at most: each size of blocks needs a superblock of its own.
std::size_t superblock(const HeapConfig& config) {
  if (config.bytes < 8 * min_block)
    throw UsageError(fmt::format("the heap '{}' is to have {} bytes", config.label, config.bytes), "",
                     fmt::format("kokkos_pool needs {} or more", 8 * min_block));
  return std::min(max_superblock, std::bit_floor(config.bytes / 8));
}

KokkosPool::Pool make_pool(const HeapConfig& config) {
  const std::size_t block = superblock(config);
  return {memory::DeviceSpace(config.resource()), config.bytes / block * block, min_block, block, block};
}

/// What a superblock says of itself. A block's size is fixed while the superblock has blocks.
struct Measure {
  KokkosPool::Pool pool;
  std::size_t superblock;
  KOKKOS_FUNCTION void operator()(int number, std::size_t& in_use, std::size_t& footprint,
                                  std::size_t& free_run) const {
    int block = 0, blocks = 0, used = 0;
    pool.superblock_state(number, block, blocks, used);
    in_use += static_cast<std::size_t>(used) * static_cast<std::size_t>(block);
    footprint += used == 0 ? 0 : superblock;
    const std::size_t run = used == 0 ? superblock : used < blocks ? static_cast<std::size_t>(block) : 0;
    free_run = Kokkos::max(free_run, run);
  }
};

}  // namespace

KokkosPool::KokkosPool(const Exec& exec, HeapConfig config)
    : config_(std::move(config)),
      pool_(make_pool(config_)),
      failures_(config_.resource(), config_.label + "_failures", Failures::words) {
  Kokkos::deep_copy(exec, failures_.view(), std::uint64_t{0});
}

void KokkosPool::reset(const Exec& exec) {
  exec.fence("haloheap::allocators::kokkos_pool::reset");
  pool_ = Pool();
  pool_ = make_pool(config_);
  Kokkos::deep_copy(exec, failures_.view(), std::uint64_t{0});
  high_water_ = 0;
}

HeapStatistics KokkosPool::statistics(const Exec& exec) const {
  std::size_t in_use = 0, footprint = 0, free_run = 0;
  Kokkos::parallel_reduce(
      "haloheap::allocators::kokkos_pool::statistics",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, pool_.number_of_superblocks()),
      Measure{pool_, superblock(config_)}, in_use, footprint, Kokkos::Max<std::size_t>(free_run));
  high_water_ = std::max(high_water_, footprint);
  return {.capacity = pool_.capacity(),
          .metadata = Failures::words * sizeof(std::uint64_t),
          .in_use = in_use,
          .footprint = footprint,
          .high_water = high_water_,
          .largest_free_run = free_run,
          .failures = Failures::sum(fetch(exec, failures_.view().data(), Failures::words))};
}

Promises KokkosPool::promises(const HeapConfig& config) {
  return {.largest = superblock(config), .alignment = min_block};
}

}  // namespace haloheap::allocators
