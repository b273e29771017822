// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// New and delete in templates, of types that instances in other files may choose.

template <class T>
__device__ T differences(const T* in, int n) {
  T* own = new T[n + 1];  // who=part same=grid freed ways=grid,part
  own[0] = T();
  for (int i = 0; i < n; ++i) own[i + 1] = in[i] - own[i];
  T last = own[n];
  delete[] own;
  return last;
}

template <class T>
__device__ void passed_on(T* own) {
  own[0] = T();
}

template <class T>
__device__ T known_to_others(const T* in, int n) {
  T* own = new T[n];  // who=grid same=grid freed
  passed_on(own);     // or to another function of the name, beside the type
  T first = own[0];
  delete[] own;
  return first;
}

__global__ void instances(const int* in, const double* numbers, int n, double* out) {
  out[threadIdx.x] = differences(in, n) + differences<double>(numbers, 8) + known_to_others(in, n);
  if (threadIdx.x < 4) out[threadIdx.x] += differences(numbers, n);
}

template <class T, int N>
__global__ void any_instance(const T* in, T* out) {
  int* counts = new int[N];  // who=grid same=grid freed
  counts[0] = 0;
  T* one = new T;  // who=grid same=grid freed
  if (one != nullptr && in[0] < in[1]) counts[0] = 1;
  out[threadIdx.x] = in[counts[0]];
  delete one;
  delete[] counts;
}
