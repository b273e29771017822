// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_HEAP_HPP
#define HALOHEAP_ALLOCATORS_COALESCING_SUPERBLOCK_HEAP_HPP

#include <haloheap/allocators/coalescing/superblocks.hpp>
#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/fetch.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

#include <algorithm>

namespace haloheap::allocators::detail {

/// The host's side of what the coalescing allocators have in common: the heap that superblocks come from, and
/// the count of failures. Statistics are that heap's: a superblock is in use until its last part is given
/// back.
template <DeviceAllocator Under>
class SuperblockHeap {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = Superblocks<lanes::Platform, typename Under::Handle>;

  SuperblockHeap(const Exec& exec, const HeapConfig& config)
      : under_(exec, config),
        failures_(config.resource(), config.label + "_failures", 1),
        largest_(promises(config, Coalescing::none).largest) {
    Kokkos::deep_copy(exec, failures_.view(), std::uint64_t{0});
  }

  /// Where superblocks come from.
  const Under& under() const { return under_; }

  Handle handle() const { return {under_.handle(), failures_.view().data(), largest_}; }

  void reset(const Exec& exec) {
    under_.reset(exec);
    Kokkos::deep_copy(exec, failures_.view(), std::uint64_t{0});
  }

  /// `metadata`: bytes of the plug-in's own metadata.
  HeapStatistics statistics(const Exec& exec, std::size_t metadata = 0) const {
    HeapStatistics result = under_.statistics(exec);
    result.metadata += sizeof(std::uint64_t) + metadata;
    result.failures = fetch(exec, failures_.view().data(), 1).front();
    return result;
  }

  static Promises promises(const HeapConfig& config, Coalescing coalescing) {
    Promises result = Under::promises(config);
    result.largest = std::min(result.largest - superblocks::beside, superblocks::maximum);
    result.coalescing = coalescing;
    result.frees_alone = false;
    return result;
  }

 private:
  Under under_;
  memory::Array<std::uint64_t> failures_;
  std::size_t largest_;
};

}  // namespace haloheap::allocators::detail

#endif
