// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_CHECKED_HEAP_HPP
#define HALOHEAP_UNIT_ALLOCATORS_CHECKED_HEAP_HPP

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>

namespace haloheap::allocators {

/// A heap for tests of what stands on a heap: it gives each address once, knows which ones are out, and
/// overwrites what comes back.
template <class Platform>
class CheckedHeapHandle {
  using Atomics = typename Platform::Atomics;

 public:
  static constexpr std::uint32_t unit = 16;  ///< bytes
  struct Metadata {
    std::uint32_t next;    ///< the first unit that nobody has had
    std::uint32_t live;    ///< blocks that are out
    std::uint32_t errors;  ///< given back: what was not out
  };

  KOKKOS_FUNCTION CheckedHeapHandle(std::byte* pool, std::uint32_t* sizes, std::uint32_t units,
                                    Metadata* metadata)
      : pool_(pool), sizes_(sizes), units_(units), metadata_(metadata) {}

  KOKKOS_FUNCTION void* allocate(std::size_t bytes) const {
    if (bytes > std::size_t{units_} * unit) return nullptr;
    const auto wanted = static_cast<std::uint32_t>((bytes + unit - 1) / unit);
    if (Atomics::load(&metadata_->next) + wanted > units_) return nullptr;
    const std::uint32_t first = Atomics::fetch_add(&metadata_->next, wanted);
    if (first + wanted > units_) return nullptr;
    Atomics::store(&sizes_[first], wanted);
    Atomics::fetch_add(&metadata_->live, 1U);
    return pool_ + std::size_t{first} * unit;
  }

  KOKKOS_FUNCTION void deallocate(void* pointer) const {
    const auto offset = static_cast<std::size_t>(static_cast<std::byte*>(pointer) - pool_);
    const bool inside = offset / unit < units_ && offset % unit == 0;
    const std::uint32_t size = inside ? Atomics::exchange(&sizes_[offset / unit], 0U) : 0;
    if (size == 0) {
      Atomics::fetch_add(&metadata_->errors, 1U);
      return;
    }
    for (std::size_t i = 0; i < std::size_t{size} * unit; ++i) pool_[offset + i] = std::byte{0xdd};
    Atomics::fetch_add(&metadata_->live, ~0U);
  }

 private:
  std::byte* pool_;
  std::uint32_t* sizes_;  ///< of a block, at its first unit
  std::uint32_t units_;
  Metadata* metadata_;
};

/// The memory of such a heap.
template <class Platform>
class CheckedHeap {
  using Exec = Kokkos::DefaultExecutionSpace;

 public:
  using Handle = CheckedHeapHandle<Platform>;
  using Metadata = typename Handle::Metadata;

  explicit CheckedHeap(std::uint32_t units)
      : units_(units),
        pool_("haloheap::test::pool", std::size_t{units} * Handle::unit),
        sizes_("haloheap::test::sizes", units),
        metadata_("haloheap::test::metadata") {}

  Handle handle() const { return {pool_.data(), sizes_.data(), units_, metadata_.data()}; }

  Metadata metadata() const {
    Metadata result;
    Kokkos::deep_copy(
        Kokkos::View<Metadata, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>(&result),
        metadata_);
    return result;
  }

 private:
  std::uint32_t units_;
  Kokkos::View<std::byte*, Exec> pool_;
  Kokkos::View<std::uint32_t*, Exec> sizes_;
  Kokkos::View<Metadata, Exec> metadata_;
};

}  // namespace haloheap::allocators

#endif
