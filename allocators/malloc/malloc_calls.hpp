// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_MALLOC_MALLOC_CALLS_HPP
#define HALOHEAP_ALLOCATORS_MALLOC_MALLOC_CALLS_HPP

#include <haloheap/allocators/device_allocator.hpp>
#include <haloheap/allocators/malloc/malloc_blocks.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace haloheap::allocators {

/// The C library's calls over the handle of a heap, for kernels: any lane may call any of them. Blocks are
/// aligned to 16 bytes. Only these calls may be given what they have returned.
///
/// @tparam Blocks how blocks are had of the heap; another one than this for who wants them to be calls
template <class Handle, class Blocks = detail::MallocBlocks<Handle>>
class MallocCalls {
  struct alignas(16) Unit {
    std::uint64_t words[2];
  };

 public:
  /// @param heap outlives the calls
  /// @param site what a checked heap tells with what is wrong
  KOKKOS_FUNCTION explicit MallocCalls(const Handle& heap, const CallSite& site = {})
      : heap_(heap), site_(site) {}

  /// @returns nullptr when there is no room; memory of its own for 0 bytes, too
  KOKKOS_FUNCTION void* malloc(std::size_t bytes) const { return Blocks::allocate(heap_, bytes, site_); }
  KOKKOS_FUNCTION void free(void* block) const { Blocks::deallocate(heap_, block, site_); }

  /// All bytes are 0. @returns nullptr also where count * bytes is more than a std::size_t can be
  KOKKOS_FUNCTION void* calloc(std::size_t count, std::size_t bytes) const {
    if (bytes != 0 && count > SIZE_MAX / bytes) return nullptr;
    void* const block = malloc(count * bytes);
    if (block != nullptr) clear(block, count * bytes);
    return block;
  }

  /// @param alignment a power of two, in bytes. @returns nullptr for an alignment of more than 128, or that
  /// is no power of two
  KOKKOS_FUNCTION void* aligned_alloc(std::size_t alignment, std::size_t bytes) const {
    if (alignment == 0 || (alignment & (alignment - 1)) != 0 || alignment > max_alignment) return nullptr;
    return alignment <= 16 ? malloc(bytes) : Blocks::allocate(heap_, alignment, bytes, site_);
  }

  /// The block with room for so many bytes: itself, if they fit without more than half of it being wasted
  /// (of a heap that checks, without any) or if all blocks of the heap are alike; else another one with the
  /// same content, as far as it fits. @returns nullptr when there is no room for more: the block stays as it
  /// is; and for 0 bytes, when it is freed
  KOKKOS_FUNCTION void* realloc(void* block, std::size_t bytes) const {
    if (block == nullptr) return malloc(bytes);
    if (bytes == 0) {
      free(block);
      return nullptr;
    }
    const std::size_t room = usable_size(block);
    if (bytes <= room && Blocks::are_alike) return block;
    if (bytes <= room && room - bytes <= (Blocks::are_guarded ? 0 : room / 2)) return block;
    void* const moved = malloc(bytes);
    if (moved == nullptr) return bytes <= room ? block : nullptr;
    copy(moved, block, bytes < room ? bytes : room);
    free(block);
    return moved;
  }

  /// Bytes of a block that its owner may use: at least as many as were asked for.
  KOKKOS_FUNCTION std::size_t usable_size(const void* block) const {
    return Blocks::usable_size(heap_, block);
  }

  static constexpr std::size_t max_alignment = 128;

 private:
  KOKKOS_FUNCTION static void clear(void* block, std::size_t bytes) {
    auto* const units = static_cast<Unit*>(block);
    for (std::size_t i = 0; i < bytes / sizeof(Unit); ++i) units[i] = {};
    auto* const rest = static_cast<unsigned char*>(block);
    for (std::size_t i = bytes / sizeof(Unit) * sizeof(Unit); i < bytes; ++i) rest[i] = 0;
  }

  KOKKOS_FUNCTION static void copy(void* to, const void* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes / sizeof(Unit); ++i)
      static_cast<Unit*>(to)[i] = static_cast<const Unit*>(from)[i];
    for (std::size_t i = bytes / sizeof(Unit) * sizeof(Unit); i < bytes; ++i)
      static_cast<unsigned char*>(to)[i] = static_cast<const unsigned char*>(from)[i];
  }

  std::conditional_t<std::is_empty_v<Handle>, Handle, const Handle&> heap_;
  CallSite site_;
};

}  // namespace haloheap::allocators

#endif
