// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA as far as the rewritten kernels of the corpus and Listing 1 of [Blach2022] need it on a host: blocks
// are teams, and memory is that of a handle. What other kernels need, which nobody launches, is declared and
// no more.
#ifndef HALOHEAP_MALLOCS_TESTS_CUDA_HPP
#define HALOHEAP_MALLOCS_TESTS_CUDA_HPP

#include "c_library.hpp"
#include "heap.hpp"
#include <array>
#include <cstddef>
#include <cstring>

// Behind Kokkos and the standard library, in which its words mean nothing. Devices have the variables, hosts
// not.
#define threadIdx declared_threadIdx
#define blockIdx declared_blockIdx
#define blockDim declared_blockDim
#define gridDim declared_gridDim
#include <haloheap_cuda.h>
#undef threadIdx
#undef blockIdx
#undef blockDim
#undef gridDim

inline thread_local uint3 threadIdx, blockIdx;
inline const dim3 blockDim(8), gridDim(3);

/// What --fix calls where all threads ask alike.
inline void* coalesced_malloc(std::size_t bytes, bool all_alike) {
  return kernel_malloc(bytes, all_alike);
}

/// The paper's own, with an argument more.
inline void* malloc(std::size_t bytes, bool all_alike) {
  return kernel_malloc(bytes, all_alike);
}

namespace cuda {

/// Every thread gets its own message back, when all of its block have sent theirs.
inline int all_to_all(const void* sent, int bytes, void* received) {
  kernel_member().team_barrier();
  std::memcpy(received, sent, static_cast<std::size_t>(bytes));
  return 0;
}

/// Numbers of whichever type a kernel reads.
struct Input {
  template <class T>
  operator const T*() const {
    static const std::array<T, 64> numbers = [] {
      std::array<T, 64> made{};
      for (int i = 0; i < 64; ++i) made[i] = static_cast<T>(i * 37 % 11);
      return made;
    }();
    return numbers.data();
  }
};

/// Where one thread stores what it has: room for one value of each thread of the grid.
struct Output {
  alignas(16) std::array<std::byte, 24 * 8> bytes{};
  template <class T>
  operator T*() {
    return reinterpret_cast<T*>(bytes.data());
  }
};

/// @param kernel is given where to store what is seen from outside
template <class Kernel>
void launch(Heap of_all, const Kernel& kernel) {
  Kokkos::parallel_for("cuda", Kokkos::TeamPolicy<>(gridDim.x, blockDim.x), [=](const Member& member) {
    const Thread thread(of_all, member);
    threadIdx.x = static_cast<unsigned>(member.team_rank());
    blockIdx.x = static_cast<unsigned>(member.league_rank());
    Output out;
    {
      const KernelMemory memory(of_all, member);
      kernel(out);
    }
    of_all.note(out.bytes);
  });
}

}  // namespace cuda

#endif
