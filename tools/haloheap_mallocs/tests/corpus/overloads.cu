// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Functions and members that share their name with others.

struct List {
  int* items = nullptr;
  int size = 0;
  __device__ void reserve(int n) {
    items = (int*)malloc(n * sizeof(int));  // who=part same=grid freed ways=grid,part
  }
  __device__ void clear() { free(items); }
};

template <class T>
struct Queue {
  T* items = nullptr;
  __device__ void reserve(int n) {
    items = (T*)malloc(n * sizeof(T));  // who=grid same=grid freed
  }
  __device__ void clear() { free(items); }
};

__global__ void members(int n, int* out) {
  List list;
  list.reserve(n);
  out[threadIdx.x] = list.items[0];
  list.clear();
  if (threadIdx.x < 4) {
    List few;
    few.reserve(8);
    few.clear();
  }
  Queue<double> queue;
  queue.reserve(n + 1);
  queue.clear();
}

__device__ int sum(const int* in, int n) {
  int* own = (int*)malloc(n * sizeof(int));  // who=grid same=grid freed
  for (int i = 0; i < n; ++i) own[i] = in[i];
  int all = own[0] + own[n - 1];
  free(own);
  return all;
}

__device__ double sum(const double* in, int n) {
  double* own = (double*)malloc(n * sizeof(double));  // who=part same=grid freed
  for (int i = 0; i < n; ++i) own[i] = in[i];
  double all = own[0] + own[n - 1];
  free(own);
  return all;
}

__device__ int sum(int a) { return a; }

__global__ void overloaded(const int* in, const double* numbers, int n, double* out) {
  out[threadIdx.x] = sum(in, n) + sum(n);
  if (threadIdx.x < 4) out[threadIdx.x] += sum(numbers, n);
}

__device__ void step(int n) {
  void* own = malloc(n);  // who=grid same=grid freed
  free(own);
}

__device__ void step(int n, bool is_last) {
  void* own = malloc(is_last ? 8 : 2 * n);  // who=grid same=grid freed
  free(own);
}

__global__ void one_more_argument(int n) {
  step(n);  // with one more it would be the other step
  step(n, n > 3);
}
