// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Functions that are templates, and members of classes that are, with instances that agree and that do not.

template <class T>
__device__ T* make(int n);

template <class T>
__device__ T* make(int n) {
  return static_cast<T*>(malloc(n * sizeof(T)));  // who=part same=grid freed ways=grid,part
}

template <class T, int N>
__device__ T last_of(const T* in, int n) {
  T* own = make<T>(n);
  for (int i = 0; i < n; ++i) own[i] = in[i] + N;
  T last = own[n - 1];
  free(own);
  return last;
}

__global__ void instances(const int* in, const double* numbers, const float* few, int n, double* out) {
  out[threadIdx.x] = last_of<int, 1>(in, n) + last_of<double, 2>(numbers, n);
  if (threadIdx.x < 4) out[threadIdx.x] += last_of<float, 1>(few, n);
}

template <class T>
__global__ void any_instance(const T* in, int n, T* out) {
  T* own = make<T>(n);
  own[0] = in[0];
  out[threadIdx.x] = last_of<T, 3>(own, 1);  // whose arguments may bring another last_of
  free(own);
}

void launch(int n) { any_instance<long><<<1, 64>>>(nullptr, n, nullptr); }

template <class T>
struct Stack {
  T* items = nullptr;
  int size = 0;
  __device__ void reserve(int n) {
    clear();
    items = (T*)malloc(n * sizeof(T));  // who=grid same=grid freed
  }
  __device__ void clear() { free(items); }
  __device__ void fill(int n);
};

template <class T>
__device__ void Stack<T>::fill(int n) {
  reserve(n);
  for (size = 0; size < n; ++size) items[size] = T(size);
}

using Numbers = Stack<double>;

__global__ void members(int n, double* out) {
  Numbers numbers;
  numbers.fill(n);
  out[threadIdx.x] = numbers.items[n - 1];
  numbers.clear();
}

struct All {
  static __device__ bool takes_part() { return true; }
};
struct Few {
  static __device__ bool takes_part() { return threadIdx.x < 4; }
};

template <class Who>
__device__ void where_they_differ() {
  if (Who::takes_part()) {
    void* own = malloc(32);  // who=part same=grid bytes=32 freed
    free(own);
  }
}

__global__ void disagreeing() {
  where_they_differ<All>();
  where_they_differ<Few>();
}
