// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LANES_HPP
#define HALOHEAP_BACKEND_LANES_HPP

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace haloheap::backend {

/// Lanes of a warp.
inline constexpr int warp_size = 32;

/// The lanes of a warp that came here together. See core/lanes/platform.hpp. The group is whoever executes
/// here() at once, and two calls may see different groups; every other function names the group's lanes to
/// the hardware, which waits for them, so that nothing rests on lanes staying together in between.
/// @tparam all they are all lanes of the warp: what they do together then takes a third of the instructions,
/// since ptxas needs no check of who is there
template <bool all>
class LanesOf {
 public:
  using Mask = std::uint32_t;

  KOKKOS_INLINE_FUNCTION static LanesOf here() {
    static_assert(!all, "nobody knows before");
    LanesOf lanes;
    KOKKOS_IF_ON_DEVICE((lanes.lane_ = id(); lanes.mask_ = of_any_lanes(__activemask(), lanes.lane_);
                         if (!lanes.is_whole()) __syncwarp(lanes.mask_);))
    return lanes;
  }

  KOKKOS_INLINE_FUNCTION static LanesOf<true> whole_warp() {
    KOKKOS_IF_ON_DEVICE((__syncwarp(); return LanesOf<true>(id());))
    KOKKOS_IF_ON_HOST((return LanesOf<true>();))
  }

  KOKKOS_INLINE_FUNCTION bool is_whole() const { return mask() == ~Mask{0}; }
  KOKKOS_INLINE_FUNCTION LanesOf<true> whole() const { return LanesOf<true>(lane_); }

  KOKKOS_INLINE_FUNCTION Mask mask() const { return all ? ~Mask{0} : mask_; }
  KOKKOS_INLINE_FUNCTION unsigned lane() const { return lane_; }
  KOKKOS_INLINE_FUNCTION unsigned rank() const {
    return all ? lane_
               : static_cast<unsigned>(
                     Kokkos::Experimental::popcount_builtin(mask_ & ((Mask{1} << lane_) - 1)));
  }

  /// The lane that has so many others of the group below it.
  KOKKOS_INLINE_FUNCTION unsigned with_rank(unsigned rank) const {
    static_assert(all, "use group::nth");
    return rank;
  }

  KOKKOS_INLINE_FUNCTION Mask ballot(bool vote) const {
    KOKKOS_IF_ON_DEVICE((return __ballot_sync(mask(), vote);))
    KOKKOS_IF_ON_HOST((return vote ? 1 : 0;))
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION T shuffle(T value, unsigned lane) const {
    KOKKOS_IF_ON_DEVICE((return __shfl_sync(mask(), value, lane);))
    KOKKOS_IF_ON_HOST(((void)lane; return value;))
  }

  KOKKOS_INLINE_FUNCTION Mask match(std::uint32_t key) const {
    KOKKOS_IF_ON_DEVICE((return __match_any_sync(mask(), key);))
    KOKKOS_IF_ON_HOST(((void)key; return mask();))
  }

  KOKKOS_INLINE_FUNCTION std::uint32_t reduce_or(std::uint32_t bits) const {
    KOKKOS_IF_ON_DEVICE((return __reduce_or_sync(mask(), bits);))
    KOKKOS_IF_ON_HOST((return bits;))
  }

  KOKKOS_INLINE_FUNCTION std::uint64_t reduce_or(std::uint64_t bits) const {
    return std::uint64_t{reduce_or(static_cast<std::uint32_t>(bits >> 32))} << 32 |
           reduce_or(static_cast<std::uint32_t>(bits));
  }

  KOKKOS_INLINE_FUNCTION void sync() const { KOKKOS_IF_ON_DEVICE((__syncwarp(mask());)) }

 private:
  friend class LanesOf<false>;
  KOKKOS_DEFAULTED_FUNCTION LanesOf() = default;
  KOKKOS_INLINE_FUNCTION explicit LanesOf(std::uint32_t lane) : lane_(lane) {}

  __device__ static std::uint32_t id() {
    std::uint32_t lane = 0;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
  }

  // The same mask, in a way that ptxas cannot see through. It takes what __activemask() gave for the same in
  // all lanes of a warp wherever it is used later, and then lets a collective pass when the lanes of one
  // lane's mask are there, although others next to it have another mask (CUDA 13.0, sm_90; lanes of
  // cooperative_groups::coalesced_threads() as well). See docs/guide/allocators.md.
  __device__ static Mask of_any_lanes(Mask active, std::uint32_t lane) {
    Mask bit = 0;
    asm("mov.u32 %0, %%lanemask_eq;" : "=r"(bit));
    return active ^ bit ^ 1U << lane;
  }

  Mask mask_ = 1;
  std::uint32_t lane_ = 0;
};

using Lanes = LanesOf<false>;

/// Another number each time, for choosing a place to begin at.
KOKKOS_INLINE_FUNCTION std::uint32_t entropy() {
  KOKKOS_IF_ON_DEVICE((std::uint32_t multiprocessor = 0; std::uint32_t warp = 0;
                       asm volatile("mov.u32 %0, %%smid;"
                                    : "=r"(multiprocessor));
                       asm volatile("mov.u32 %0, %%warpid;"
                                    : "=r"(warp));
                       return (multiprocessor << 6 | warp) ^ static_cast<std::uint32_t>(clock64()) << 14;))
  KOKKOS_IF_ON_HOST((return 0;))
}

/// The same number for lanes that run side by side.
KOKKOS_INLINE_FUNCTION std::uint32_t home() {
  KOKKOS_IF_ON_DEVICE((std::uint32_t multiprocessor = 0; asm("mov.u32 %0, %%smid;"
                                                             : "=r"(multiprocessor));
                       return multiprocessor;))
  KOKKOS_IF_ON_HOST((return 0;))
}

/// The number of the calling warp in its kernel.
KOKKOS_INLINE_FUNCTION std::uint32_t warp() {
  KOKKOS_IF_ON_DEVICE((const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
                       const unsigned row = (block * blockDim.z + threadIdx.z) * blockDim.y + threadIdx.y;
                       return (row * blockDim.x + threadIdx.x) / warp_size;))
  KOKKOS_IF_ON_HOST((return 0;))
}

/// Leaves the processor to others for a moment.
KOKKOS_INLINE_FUNCTION void pause_lane() {
  KOKKOS_IF_ON_DEVICE((__nanosleep(100);))
}

/// The same number, of which the compiler does not know that it is. What a long loop computes of it stays in
/// the loop, instead of in registers that the loop needs.
template <class Integer>
KOKKOS_INLINE_FUNCTION Integer anew(Integer number) {
  static_assert(sizeof(Integer) == 4);
  KOKKOS_IF_ON_DEVICE((asm volatile("" : "+r"(number));))
  return number;
}

/// Waits here for what comes from memory, of which `word` is made. The compiler would wait where it is used,
/// and there also for what was asked for later.
KOKKOS_INLINE_FUNCTION void await(int word) {
  // One fence more changes nothing, but the compiler has to look whether it is wanted.
  KOKKOS_IF_ON_DEVICE((if (word == 0x7f8abcde) __threadfence_block();))
  KOKKOS_IF_ON_HOST(((void)word;))
}

}  // namespace haloheap::backend

#endif
