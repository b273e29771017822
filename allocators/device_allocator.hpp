// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_ALLOCATORS_DEVICE_ALLOCATOR_HPP
#define HALOHEAP_ALLOCATORS_DEVICE_ALLOCATOR_HPP

#include <haloheap/allocators/heap_config.hpp>
#include <haloheap/allocators/heap_statistics.hpp>
#include <haloheap/allocators/promises.hpp>
#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

#include <concepts>
#include <cstddef>
#include <type_traits>

namespace haloheap::allocators {

/// What kernels hold of a heap: small, copied by value. From any subset of the lanes of a warp, in divergent
/// code, from any thread, block and kernel:
///   allocate(bytes)  memory aligned as Promises says, of its own also for 0 bytes; nullptr when there is
///                    none, in bounded time
///   deallocate(p)    gives back what any allocate of the same heap gave; nullptr is ignored. What was
///                    written there before is not seen by who gets it next. What was given back already, or
///                    is not a block of this heap, must not be given back: it may then be another's block
///                    that is freed. Checked (checked.hpp) finds who does so.
template <class H>
concept DeviceHandle = std::is_trivially_copyable_v<H> &&
    requires(const H handle, void* pointer, std::size_t bytes) {
  { handle.allocate(bytes) } -> std::same_as<void*>;
  { handle.deallocate(pointer) } -> std::same_as<void>;
};

/// One that knows how large its blocks are, so that no header needs to tell it:
///   usable_size(p)  bytes of the block, which is out: at least as many as were asked for, all its owner's
/// A request of a multiple of 2^n bytes, up to 128, is aligned to 2^n.
template <class H>
concept SizedHandle = DeviceHandle<H> && requires(const H handle, const void* pointer) {
  { handle.usable_size(pointer) } -> std::same_as<std::size_t>;
};

/// One whose blocks are pages, all alike: a block that holds less is no smaller.
template <class H>
concept PageHandle = SizedHandle<H> && requires {
  requires H::blocks_are_pages;
};

/// A DeviceHandle where all threads of a Kokkos team must call together, each for itself.
template <class H>
concept TeamHandle = std::is_trivially_copyable_v<H> &&
    requires(const H handle, const Kokkos::TeamPolicy<backend::Exec>::member_type& member, void* pointer,
             std::size_t bytes) {
  { handle.allocate(member, bytes) } -> std::same_as<void*>;
  { handle.deallocate(pointer) } -> std::same_as<void>;
};

/// The host's side of an in-kernel allocator: owns the heap. Construction, reset and statistics enqueue on
/// the given instance; statistics waits for it.
///   A(exec, config)   @throws OutOfMemory; UsageError for a configuration that it cannot have, and before
///                     Kokkos::initialize or after Kokkos::finalize; the heap must end before the latter
///   reset(exec)       all memory is free again, whoever had it; statistics start anew
///   statistics(exec)  HeapStatistics
///   A::name, A::help  in decks and lists
///   A::promises(config)
template <class A>
concept HeapOwner = std::movable<A> && std::constructible_from<A, const HeapConfig::Exec&, HeapConfig> &&
    requires(A& heap, const A& fixed, const HeapConfig& config, const HeapConfig::Exec& exec) {
  { A::name } -> std::convertible_to<const char*>;
  { A::help } -> std::convertible_to<const char*>;
  { A::promises(config) } -> std::same_as<Promises>;
  { heap.reset(exec) } -> std::same_as<void>;
  { fixed.statistics(exec) } -> std::same_as<HeapStatistics>;
  fixed.handle();
};

/// An in-kernel allocator that any lane may call.
template <class A>
concept DeviceAllocator = HeapOwner<A> && DeviceHandle<typename A::Handle> && requires(const A& heap) {
  { heap.handle() } -> std::same_as<typename A::Handle>;
};

/// An in-kernel allocator that whole teams call.
template <class A>
concept TeamAllocator = HeapOwner<A> && TeamHandle<typename A::Handle> && requires(const A& heap) {
  { heap.handle() } -> std::same_as<typename A::Handle>;
};

}  // namespace haloheap::allocators

#endif
