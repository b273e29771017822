// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// CUDA as far as Listing 1 of [Blach2022] needs it: its blocks are teams, and malloc and free are those of a
// handle.
#ifndef HALOHEAP_MALLOCS_TESTS_CUDA_HPP
#define HALOHEAP_MALLOCS_TESTS_CUDA_HPP

#include <haloheap/allocators/coalescing/ask_alike.hpp>

#include <Kokkos_Core.hpp>

#include "heap.hpp"
#include <cstddef>
#include <cstring>

#define __device__
#define __global__

namespace cuda {

struct Index {
  int x = 0;
};
inline thread_local Index threadIdx;
inline thread_local const Heap* heap = nullptr;
inline thread_local const Member* member = nullptr;

inline void* malloc(std::size_t bytes, bool all_alike = false) {
  return all_alike ? haloheap::allocators::ask_alike(*heap, *member, bytes) : heap->allocate(bytes);
}
inline void free(void* pointer) {
  heap->deallocate(pointer);
}

/// Every thread gets its own message back, when all of its block have sent theirs.
inline int all_to_all(const void* sent, int bytes, void* received) {
  member->team_barrier();
  std::memcpy(received, sent, static_cast<std::size_t>(bytes));
  return 0;
}

/// Blocks of eight threads, of which four have numbers below four.
template <class Kernel>
void launch(Heap of_all, const Kernel& kernel) {
  Kokkos::parallel_for("cuda", Kokkos::TeamPolicy<>(3, 8), [=](const Member& own) {
    const Thread thread(of_all, own);
    threadIdx.x = own.team_rank();
    heap = &of_all;
    member = &own;
    kernel();
  });
}

}  // namespace cuda

#endif
