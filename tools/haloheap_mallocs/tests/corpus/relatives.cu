// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// The C library's other requests: cleared, aligned, and moved.

constexpr int LINE = 16;

__device__ int sum_of(int n) {
  int* all = static_cast<int*>(calloc(n, sizeof(int)));  // who=part same=grid freed ways=grid,part
  int sum = all == nullptr ? 1 : all[0];
  free(all);
  return sum;
}

__global__ void cleared(int n, int* out) {
  out[threadIdx.x] = sum_of(n);
  if (threadIdx.x < 4) out[threadIdx.x] += sum_of(n);
  char* own = (char*)calloc(threadIdx.x + 1, 2);  // who=grid same=thread most=2048 freed
  free(own);
}

__global__ void aligned(int n, int alignment) {
  void* line = aligned_alloc(LINE, n);  // who=grid same=grid freed
  free(line);
  void* any = aligned_alloc(alignment, 64);  // who=grid same=grid bytes=64 freed
  free(any);
  void* wide = aligned_alloc(128, 128);  // who=grid same=grid bytes=128 freed
  free(wide);
}

__global__ void moved(int n) {
  void* first = realloc(nullptr, n);  // who=grid same=grid freed
  free(first);
  void* grown = realloc(nullptr, 8);  // who=grid same=grid bytes=8
  grown = realloc(grown, n);          // who=grid same=grid freed
  free(grown);
}
