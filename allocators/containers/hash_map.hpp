// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HPP
#define HALOHEAP_ALLOCATORS_CONTAINERS_HASH_MAP_HPP

#include <haloheap/allocators/containers/hash_map_handle.hpp>
#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/memory/array.hpp>

#include <Kokkos_Core.hpp>

#include <bit>
#include <memory>
#include <string>
#include <utility>

namespace haloheap::containers {

namespace detail {

/// A power of two that an std::uint32_t can be.
inline std::size_t bucket_count(std::size_t wanted) {
  constexpr std::size_t most = std::size_t{1} << 31;
  if (wanted > most)
    throw UsageError("a hash map is to have " + std::to_string(wanted) + " buckets",
                     "kernels count buckets with 32 bits",
                     "use " + std::to_string(most) + " or fewer: chains hold what is more");
  return std::bit_ceil(wanted == 0 ? std::size_t{1} : wanted);
}

template <class Map>
struct CountEntries {
  Map map;
  KOKKOS_FUNCTION void operator()(std::uint32_t bucket, std::size_t& sum) const {
    map.for_each_in(bucket, [&sum](const auto&, const auto&) { ++sum; });
  }
};
template <class Map, class Heap>
struct PurgeBuckets {
  Map map;
  Heap heap;
  bool all;
  KOKKOS_FUNCTION void operator()(std::uint32_t bucket, std::size_t& left) const {
    left += map.purge(heap, bucket, all);
  }
};

}  // namespace detail

/// A hash map that all lanes of kernels use at once, with chains whose nodes come of a heap: it grows as long
/// as the heap has room. The host's side owns the buckets; kernels hold handle(). The nodes are the heap's:
/// clear() gives them back, resetting the heap and then forget() does so at once.
template <Element Key, Element Value, HashOf<Key> Hash = IntegerHash>
class HashMap {
 public:
  using Exec = allocators::HeapConfig::Exec;
  using Handle = HashMapHandle<lanes::Platform, Key, Value, Hash>;

  /// @param buckets rounded up to a power of two; about as many as there will be keys are fast
  /// @param memory what the buckets stand in; null: device memory
  /// @throws OutOfMemory; UsageError for more than 2^31 buckets
  HashMap(const Exec& exec, std::size_t buckets, std::string label = "hash_map",
          std::shared_ptr<memory::MemoryResource> memory = nullptr)
      : buckets_(allocators::HeapConfig{.memory = std::move(memory)}.resource(), std::move(label),
                 detail::bucket_count(buckets)) {
    forget(exec);
  }

  Handle handle() const { return {buckets_.view().data(), static_cast<std::uint32_t>(buckets_.size())}; }

  /// Entries, counted when all kernels of the instance are done.
  std::size_t size(const Exec& exec) const {
    std::size_t sum = 0;
    Kokkos::parallel_reduce("haloheap::containers::hash_map::size", policy(exec),
                            detail::CountEntries<Handle>{handle()}, sum);
    return sum;
  }

  /// Gives the nodes of erased entries back to the heap. No kernel may use the map meanwhile.
  /// @returns the number of entries
  template <allocators::DeviceHandle Heap>
  std::size_t purge(const Exec& exec, const Heap& heap) const {
    return purge(exec, heap, false);
  }
  /// Gives all nodes back to the heap.
  template <allocators::DeviceHandle Heap>
  void clear(const Exec& exec, const Heap& heap) const {
    (void)purge(exec, heap, true);
  }
  /// Empties the map without giving anything back, for a heap that is reset as a whole.
  void forget(const Exec& exec) const { Kokkos::deep_copy(exec, buckets_.view(), std::uintptr_t{0}); }

 private:
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::uint32_t>>;

  Policy policy(const Exec& exec) const {
    return Policy(exec, 0, static_cast<std::uint32_t>(buckets_.size()));
  }
  template <class Heap>
  std::size_t purge(const Exec& exec, const Heap& heap, bool all) const {
    std::size_t left = 0;
    Kokkos::parallel_reduce("haloheap::containers::hash_map::purge", policy(exec),
                            detail::PurgeBuckets<Handle, Heap>{handle(), heap, all}, left);
    return left;
  }

  memory::Array<std::uintptr_t> buckets_;
};

}  // namespace haloheap::containers

#endif
