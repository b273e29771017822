// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_BUMP_BUMP_HPP
#define HALOHEAP_ALLOCATORS_BUMP_BUMP_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/view_source.hpp>
#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/memory/array.hpp>

#include <cstdint>

namespace haloheap::allocators {

/// One counter that only grows. The lanes that call together take their shares with one operation.
template <class Platform>
class BumpHandle : public ViewSource<BumpHandle<Platform>> {
 public:
  struct Metadata {
    std::uint64_t used, failures;
  };

  KOKKOS_FUNCTION BumpHandle(std::byte* pool, std::uint64_t bytes, Metadata* metadata)
      : pool_(pool), bytes_(bytes), metadata_(metadata) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    using Atomics = typename Platform::Atomics;
    const std::uint64_t size = bytes > bytes_ ? bytes_ + 1 : (bytes < 16 ? 16 : (bytes + 15) & ~15ULL);
    // Looks first: the counter must not run over, however often a full heap is asked.
    if (Atomics::load(&metadata_->used) + size <= bytes_) {
      const std::uint64_t first = Atomics::fetch_add(&metadata_->used, size);
      if (first + size <= bytes_) return pool_ + first;
    }
    Atomics::fetch_add(&metadata_->failures, std::uint64_t{1});
    return nullptr;
  }

  KOKKOS_FUNCTION void deallocate(void* /*pointer*/) const {}

 private:
  std::byte* pool_;
  std::uint64_t bytes_;
  Metadata* metadata_;
};

/// The simplest allocator there is: a bound for all others, and the direct output buffer of a join
/// ([Pham2022], section 5.2.3). Frees nothing before reset.
class Bump {
 public:
  using Exec = HeapConfig::Exec;
  using Handle = BumpHandle<lanes::Platform>;
  static constexpr const char* name = "bump";
  static constexpr const char* help = "one counter that only grows; nothing is freed before reset";

  Bump(const Exec& exec, HeapConfig config);

  Handle handle() const { return {pool_.view().data(), pool_.size(), metadata_.view().data()}; }
  void reset(const Exec& exec);
  HeapStatistics statistics(const Exec& exec) const;
  static Promises promises(const HeapConfig& config);

 private:
  HeapConfig config_;
  memory::Array<std::byte> pool_;
  memory::Array<Handle::Metadata> metadata_;
};

static_assert(DeviceAllocator<Bump>);

}  // namespace haloheap::allocators

#endif
