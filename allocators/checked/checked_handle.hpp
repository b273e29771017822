// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_CHECKED_CHECKED_HANDLE_HPP
#define HALOHEAP_ALLOCATORS_CHECKED_CHECKED_HANDLE_HPP

#include <haloheap/allocators/checked/block_guard.hpp>
#include <haloheap/allocators/checked/granule_bits.hpp>
#include <haloheap/allocators/checked/heap_errors.hpp>
#include <haloheap/allocators/view_source.hpp>

namespace haloheap::allocators::detail {

/// Where a checked heap keeps what it knows.
template <class Platform>
struct CheckedMetadata {
  std::byte* pool;
  std::size_t pool_bytes;
  GranuleBits<Platform> starts;  ///< where a block begins that is out
  GranuleBits<Platform> freed;   ///< what was given back and not given out since: full of poison
  ErrorLog log;
  std::size_t front;    ///< bytes of a guard before a block
  bool freed_is_quiet;  ///< the allocator itself writes nothing there
};

/// What kernels hold of a checked heap. `Under` is the handle of the heap that is checked.
template <class Platform, class Under>
class CheckedHandle : public ViewSource<CheckedHandle<Platform, Under>> {
  using Atomics = typename Platform::Atomics;
  using Guard = BlockGuard<Platform>;
  using Metadata = CheckedMetadata<Platform>;
  static constexpr std::size_t granule = GranuleBits<Platform>::granule;

 public:
  KOKKOS_FUNCTION CheckedHandle(const Under& under, const Metadata& metadata)
      : under_(under), metadata_(metadata) {}

  /// @param site is told with what is wrong
  /// @param alignment a power of two, in bytes, at least 16
  KOKKOS_FUNCTION void* allocate(std::size_t bytes, const CallSite& site = {},
                                 std::size_t alignment = granule) const {
    const bool absurd = bytes > metadata_.pool_bytes;  // the sum could be small again
    const std::size_t total = absurd ? bytes : Guard::total(bytes, metadata_.front) + (alignment - granule);
    auto* const block = static_cast<std::byte*>(under_.allocate(total));
    if (block == nullptr) return nullptr;
    Atomics::fence();  // what was there before is looked at
    check_freed(block, total, site);
    const auto behind_front = reinterpret_cast<std::uintptr_t>(block) + metadata_.front;
    const std::size_t offset =
        metadata_.front + static_cast<std::size_t>((std::uintptr_t{0} - behind_front) & (alignment - 1));
    std::byte* const given = block + offset;
    Guard(given, metadata_.front).write(bytes, offset, site);
    metadata_.starts.set(granule_of(given));
    return given;
  }

  /// Errors are counted, and what is not a block of this heap stays as it is. A block whose front is damaged
  /// is not used again before reset: the allocator's own metadata may lie there.
  KOKKOS_FUNCTION void deallocate(void* pointer, const CallSite& site = {}) const {
    if (pointer == nullptr) return;
    auto* const block = static_cast<std::byte*>(pointer);
    if (!is_start(block, site)) return;
    const Guard guard(block, metadata_.front);
    if (!guard.is_sealed()) return report(HeapFault::underrun, block, 0, site);
    const std::size_t bytes = guard.bytes(), offset = guard.offset();
    if (!guard.back_is_whole(bytes)) report(HeapFault::overrun, block, bytes, site, guard.site());
    guard.fill_with_poison(bytes);
    metadata_.freed.set(granule_of(block - metadata_.front), Guard::total(bytes, metadata_.front) / granule);
    Atomics::fence();
    under_.deallocate(block - offset);
  }

  /// The bytes that were asked for; 0 of what is not a block that is out.
  KOKKOS_FUNCTION std::size_t usable_size(const void* pointer) const {
    auto* const block = static_cast<std::byte*>(const_cast<void*>(pointer));
    if (!may_be_start(block) || !metadata_.starts.test(granule_of(block))) return 0;
    const Guard guard(block, metadata_.front);
    return guard.is_sealed() ? guard.bytes() : 0;
  }

 private:
  KOKKOS_FUNCTION std::size_t granule_of(const std::byte* address) const {
    return static_cast<std::size_t>(address - metadata_.pool) / granule;
  }

  /// Whether it is the beginning of a granule of the pool.
  KOKKOS_FUNCTION bool may_be_start(const std::byte* address) const {
    const auto offset =
        reinterpret_cast<std::uintptr_t>(address) - reinterpret_cast<std::uintptr_t>(metadata_.pool);
    return offset < metadata_.pool_bytes && offset % granule == 0;
  }

  KOKKOS_FUNCTION void report(HeapFault kind, const void* address, std::size_t bytes, const CallSite& site,
                              const CallSite& allocation = {}) const {
    metadata_.log.template add<Atomics>({kind, address, bytes, CallText(site), CallText(allocation)});
  }

  /// Of those that give the same block back at once, one is told so.
  KOKKOS_FUNCTION bool is_start(const std::byte* block, const CallSite& site) const {
    if (!may_be_start(block)) {
      report(HeapFault::foreign, block, 0, site);
      return false;
    }
    const std::size_t number = granule_of(block);
    if (metadata_.starts.clear(number)) return true;
    report(metadata_.freed.test(number) ? HeapFault::double_free : HeapFault::foreign, block, 0, site);
    return false;
  }

  /// Reports the first place only: one error is one error.
  KOKKOS_FUNCTION void check_freed(const std::byte* block, std::size_t total, const CallSite& site) const {
    const std::byte* wrong = nullptr;
    metadata_.freed.clear(granule_of(block), total / granule, [this, &wrong](std::size_t number) {
      const std::byte* const place = metadata_.pool + number * granule;
      if (wrong == nullptr && metadata_.freed_is_quiet && !Guard::is_poisoned(place)) wrong = place;
    });
    if (wrong != nullptr) report(HeapFault::use_of_freed, wrong, 0, site);
  }

  Under under_;
  Metadata metadata_;
};

}  // namespace haloheap::allocators::detail

#endif
