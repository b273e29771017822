// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_LANES_PLATFORM_HPP
#define HALOHEAP_CORE_LANES_PLATFORM_HPP

#include <haloheap/backend/lane_ring.hpp>
#include <haloheap/backend/lanes.hpp>
#include <haloheap/core/lanes/atomics.hpp>

namespace haloheap::lanes {

/// What warp algorithms are templates over: lanes that work together, and the memory that they share. This
/// one is what kernels of the default execution space run on: a warp of a GPU, or a thread of a host as a
/// warp of one lane. Tests have another, whose 32 lanes take turns in any order.
///
/// Lanes::here() is the group of those that came together: any subset of a warp, another one at each call.
/// Lanes::whole_warp() is all lanes of a warp, and waits for those that are not there yet: for algorithms in
/// which every lane has its part. All lanes of a group must then make the same calls on it:
///   mask()            the group's lanes, a bit each; lane(): this one's number in its warp, below warp_size
///   rank()            how many of the group's lanes come before this one
///   is_whole()        they are all lanes of the warp; then whole() is the same group, of a type whose calls
///                     are cheaper, and whose with_rank(r) is the lane with so many before it
///   ballot(vote)      the lanes that vote
///   shuffle(v, lane)  the value of a lane of the group; each may ask for another
///   match(key)        the lanes that have the same key
///   reduce_or(bits)   of all lanes
///   sync()            what the lanes wrote before is visible to the lanes after
///
/// LaneRing<Unit, Units, Threads> is values on their way from memory to a lane, of warps that are whole. It
/// has `Units` places of `Unit` bytes, 4, 8 or 16; values of 4, 8 or a multiple of 16 bytes take as many as
/// they need, from their place on. One a kernel, in blocks of at most `Threads` lanes:
///   ask<shared>(place, from, wanted)  begins to bring *from there, or zeros unless it is wanted; `shared` if
///                                     other warps ask for the same memory at that time
///   close()                           ends a group of these: those since the last call
///   await<n>()                        waits for all groups but the last n
///   take<Values>(place)               what has come
struct Platform {
  using Lanes = backend::Lanes;
  using Atomics = DeviceAtomics;
  static constexpr int warp_size = backend::warp_size;  ///< lanes of a whole warp
  template <int Unit, int Units, int Threads>
  using LaneRing = backend::LaneRing<Unit, Units, Threads>;

  /// Another number each time, for choosing a place to begin at.
  KOKKOS_INLINE_FUNCTION static std::uint32_t entropy() { return backend::entropy(); }
  /// The same number for lanes that run side by side, others for others.
  KOKKOS_INLINE_FUNCTION static std::uint32_t home() { return backend::home(); }
  /// The number of the calling warp in its kernel.
  KOKKOS_INLINE_FUNCTION static std::uint32_t warp() { return backend::warp(); }
  /// Leaves the processor to others for a moment.
  KOKKOS_INLINE_FUNCTION static void pause() { backend::pause_lane(); }
};

}  // namespace haloheap::lanes

#endif
