// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LANE_RING_HPP
#define HALOHEAP_BACKEND_LANE_RING_HPP

#include <haloheap/backend/lanes.hpp>
#include <haloheap/backend/pragma.hpp>

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstring>

namespace haloheap::backend {

/// Bytes that the rings of all blocks of a multiprocessor can have. Each block takes 1024 more.
#if defined(KOKKOS_ARCH_HOPPER) || defined(KOKKOS_ARCH_BLACKWELL100)
inline constexpr int ring_memory = 228 * 1024;
#elif defined(KOKKOS_ARCH_AMPERE80) || defined(KOKKOS_ARCH_AMPERE87)
inline constexpr int ring_memory = 164 * 1024;
#elif defined(KOKKOS_ARCH_TURING75)
inline constexpr int ring_memory = 64 * 1024;
#else
inline constexpr int ring_memory = 96 * 1024;
#endif

/// Values on their way from memory to one lane: see core/lanes/platform.hpp. They come through the block's
/// shared memory by asynchronous copies, and use no registers before they are taken. A lane waits for its own
/// copies alone, and each lane's places lie in banks of their own.
template <int Unit, int Units, int Threads>
class LaneRing {
 public:
  KOKKOS_FORCEINLINE_FUNCTION LaneRing() {
    KOKKOS_IF_ON_DEVICE(
        (const unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
         first_ = memory() + thread / warp_size * (warp_size * Units * Unit) + thread % warp_size * Unit;))
  }

  template <bool shared, class Values>
  KOKKOS_FORCEINLINE_FUNCTION void ask(int place, const Values* from, bool wanted) {
    constexpr int piece = sizeof(Values) < Unit ? sizeof(Values) : Unit;
    static_assert(sizeof(Values) % piece == 0);
    // Of half a sector, the copy of the other half takes its part from the cache.
    [[maybe_unused]] constexpr bool cached = shared || sizeof(Values) != 16;
    HALOHEAP_UNROLL
    for (int i = 0; i < static_cast<int>(sizeof(Values)) / piece; ++i) {
      [[maybe_unused]] const unsigned to = at(place + i);
      [[maybe_unused]] const char* const bytes = reinterpret_cast<const char*>(from) + i * piece;
      [[maybe_unused]] const int count = wanted ? piece : 0;
      KOKKOS_IF_ON_DEVICE((copy<piece, cached>(to, bytes, count);))
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION void close() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.commit_group;");
#endif
  }

  template <int Open>
  KOKKOS_FORCEINLINE_FUNCTION void await() {
#if __CUDA_ARCH__ >= 800
    asm volatile("cp.async.wait_group %0;" ::"n"(Open));
#endif
  }

  template <class Values>
  KOKKOS_FORCEINLINE_FUNCTION Values take(int place) const {
    constexpr int piece = sizeof(Values) < Unit ? sizeof(Values) : Unit;
    Values values;
    HALOHEAP_UNROLL
    for (int i = 0; i < static_cast<int>(sizeof(Values)) / piece; ++i) {
      [[maybe_unused]] const unsigned address = at(place + i);
      KOKKOS_IF_ON_DEVICE((const auto words = load<piece>(address);
                           memcpy(reinterpret_cast<char*>(&values) + i * piece, &words, piece);))
    }
    return values;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION unsigned at(int place) const {
    return first_ + static_cast<unsigned>(place) * (warp_size * Unit);
  }

  __device__ static unsigned memory() {
    __shared__ alignas(16) std::byte bytes[static_cast<std::size_t>(Threads) * Units * Unit];
    return static_cast<unsigned>(__cvta_generic_to_shared(bytes));
  }

  /// @tparam cached in the first level, too
  /// @param bytes that are read; what they leave of the piece becomes 0
  template <int Piece, bool cached>
  __device__ static void copy(unsigned to, const char* from, int bytes) {
#if __CUDA_ARCH__ < 800  // there are no such copies
    store<Piece>(to, from, bytes);
#else
    if constexpr (!cached)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes));
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(to), "l"(from), "n"(Piece),
                   "r"(bytes));
#endif
  }

  template <int Piece>
  __device__ static void store(unsigned to, const char* from, int bytes) {
    unsigned words[Piece / 4] = {};
    if (bytes > 0) memcpy(words, from, Piece);
    HALOHEAP_UNROLL
    for (int i = 0; i < Piece / 4; ++i)
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(to + 4 * i), "r"(words[i]));
  }

  template <int Piece>
  __device__ static auto load(unsigned from) {
    if constexpr (Piece == 16) {
      uint4 words;
      asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(words.x), "=r"(words.y), "=r"(words.z), "=r"(words.w)
                   : "r"(from));
      return words;
    } else if constexpr (Piece == 8) {
      uint2 words;
      asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words.x), "=r"(words.y) : "r"(from));
      return words;
    } else {
      unsigned word = 0;
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(word) : "r"(from));
      return word;
    }
  }

  unsigned first_ = 0;  ///< the address of this lane's first place
};

}  // namespace haloheap::backend

#endif
