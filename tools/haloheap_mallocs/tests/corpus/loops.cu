// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Loops, early ends, and what threads decide differently in them.
__global__ void each_round(int n, int length) {
  for (int k = 0; k < n; ++k) {
    int* p = new int[length];  // who=grid same=grid freed loop advice=block
    p[0] = k;
    delete[] p;
  }
}

__global__ void rounds_of_a_stride(int** out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[i] = new int[4];  // who=guarded same=grid bytes=16 escapes loop advice=warp
  }
}

__global__ void rounds_of_a_block(int** out, int n) {
  for (int tile = blockIdx.x; tile < n; tile += gridDim.x) {
    out[tile * blockDim.x + threadIdx.x] =
        new int[4];  // who=blocks same=grid bytes=16 escapes loop advice=block
  }
}

__global__ void rounds_of_each(const int* counts, int** out) {
  for (int k = 0; k < counts[threadIdx.x]; ++k) {
    out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes loop advice=each
  }
}

__global__ void larger_each_round(int** out, int n) {
  for (int k = 1; k < n; ++k) out[k] = new int[k];  // who=grid same=grid escapes loop advice=block
}

__global__ void some_go_on(const int* keys, int** out, int n) {
  for (int k = 0; k < n; ++k) {
    if (keys[threadIdx.x] == k) continue;
    out[k] = new int[4];  // who=part same=grid bytes=16 escapes loop advice=each
  }
}

__global__ void some_break(const int* keys, int** out, int n) {
  int k = 0;
  for (; k < n; ++k) {
    if (keys[k + threadIdx.x] == 0) break;
  }
  out[threadIdx.x] = new int[k];  // who=grid same=thread escapes advice=warp
}

__global__ void at_least_once(const int* keys, int** out) {
  int k = 0;
  do {
    out[k] = new int[4];  // who=part same=grid bytes=16 escapes loop advice=each
    ++k;
  } while (keys[threadIdx.x + k] > 0);
}

__global__ void after_a_loop(const int* counts, int** out) {
  int sum = 0;
  for (int k = 0; k < counts[threadIdx.x]; ++k) sum += k;
  out[threadIdx.x] = sum > 3 ? nullptr : out[0];
  out[threadIdx.x] = new int[4];  // who=grid same=grid bytes=16 escapes advice=block
}

__global__ void retried(int** slots, int n) {
  int* p = nullptr;
  for (int k = 0; k < 3 && p == nullptr; ++k) {
    p = new int[n];  // who=part same=grid escapes loop advice=each
  }
  slots[threadIdx.x] = p;
}
