/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* The groups that kernels name most; see haloheap_cuda.h. */
#ifndef HALOHEAP_MALLOCS_COOPERATIVE_GROUPS_H
#define HALOHEAP_MALLOCS_COOPERATIVE_GROUPS_H

#include "haloheap_cuda.h"

namespace cooperative_groups {

struct thread_group {
  __device__ void sync() const;
  __device__ unsigned thread_rank() const;
  __device__ unsigned size() const;
  __device__ unsigned num_threads() const;
};
struct thread_block : thread_group {
  __device__ dim3 group_index() const;
  __device__ dim3 thread_index() const;
  __device__ dim3 group_dim() const;
};
struct grid_group : thread_group {
  __device__ bool is_valid() const;
};
struct coalesced_group : thread_group {
  template <class T>
  __device__ T shfl(T, int) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
};
template <unsigned Size, class Parent = void>
struct thread_block_tile : coalesced_group {
  __device__ unsigned meta_group_rank() const;
  __device__ unsigned meta_group_size() const;
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ coalesced_group coalesced_threads();
template <unsigned Size, class Group>
__device__ thread_block_tile<Size, Group> tiled_partition(const Group&);
template <class Group>
__device__ void sync(const Group&);

}  // namespace cooperative_groups

#endif
