// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Allocations that kernels reach through functions.
__device__ int* make(int n) {
  return (int*)malloc(n * sizeof(int));  // who=part same=thread escapes freed advice=each ways=grid,part
}

__global__ void makes(int** out, int n) {
  int* p = make(n);
  free(p);
  if (threadIdx.x & 1) out[threadIdx.x] = make(threadIdx.x);
}

__device__ void give_back(int* p) {
  free(p);
}

__global__ void gives_back_elsewhere() {
  int* p = new int[8];  // who=grid same=grid bytes=32 freed advice=local
  p[0] = 1;
  give_back(p);
}

__device__ void put(int** slot, int* p) {
  *slot = p;
}

__global__ void puts_elsewhere(int** out) {
  int* p = new int[8];  // who=grid same=grid bytes=32 escapes advice=block
  put(out + threadIdx.x, p);
}

__device__ void fill(int*& p, int n) {
  p = new int[n];  // who=grid same=grid freed advice=block
}

__global__ void by_reference(int n) {
  int* p = nullptr;
  fill(p, n);
  p[0] = 0;
  delete[] p;
}

__device__ void fill_through(int** p, int n) {
  *p = new int[n];  // who=grid same=grid freed advice=block
}

__global__ void by_pointer(int n) {
  int* p = nullptr;
  fill_through(&p, n);
  p[0] = 0;
  delete[] p;
}

template <class T>
__device__ T* make_some(int n) {
  return new T[n];  // who=guarded same=grid escapes advice=warp
}

__global__ void of_a_type(double** out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = make_some<double>(length);
}

struct Stack {
  int* data;
  int used;
  __device__ explicit Stack(int capacity)
      : data(new int[capacity]), used(0) {}  // who=grid same=grid freed advice=block
  __device__ void push(int value) { data[used++] = value; }
  __device__ ~Stack() { delete[] data; }
};

__global__ void of_a_class(int* out, int n) {
  Stack stack(n);
  for (int k = 0; k < n; ++k) stack.push(k);
  out[threadIdx.x] = stack.used;
}

__device__ int depth_of(int n) {
  int* p = new int[4];  // who=grid same=grid bytes=16 freed advice=block
  int result = n <= 0 ? 0 : 1 + depth_of(n - 1);
  delete[] p;
  return result;
}

__global__ void recursive(int* out) {
  out[threadIdx.x] = depth_of(3);
}

// No kernel of this file calls it.
__device__ int* nobody_calls(int n) {
  return new int[n];  // who=part same=thread escapes advice=each
}

__device__ inline int global_index() {
  return blockIdx.x * blockDim.x + threadIdx.x;
}

__global__ void index_of_a_function(int** out, int n) {
  int i = global_index();
  if (i < n) out[i] = new int[3];  // who=guarded same=grid bytes=12 escapes advice=warp
}

__global__ void by_a_lambda(int** out, int n) {
  auto allocate = [&](int length) { return new int[length]; };  // who=grid same=grid escapes advice=block
  out[threadIdx.x] = allocate(n);
}

struct Heap {
  __device__ void* allocate(size_t bytes) const;
  __device__ void deallocate(void* p) const;
};

__global__ void of_a_handle(Heap heap, int** out, int n) {
  int* p = (int*)heap.allocate(n * sizeof(int));  // who=grid same=grid freed advice=block
  out[threadIdx.x][0] = p[0];
  heap.deallocate(p);
}

template <class T>
struct Buffer {
  T* data;
  __device__ explicit Buffer(int n) : data(new T[n]) {}  // who=guarded same=grid freed advice=warp
  __device__ ~Buffer() { delete[] data; }
};

template <class T>
__global__ void of_a_class_template(const T* in, T* out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Buffer<T> line(width);
  for (int k = 0; k < width; ++k) line.data[k] = in[i * width + k];
  out[i] = line.data[width / 2];
}

void launch(const float* in, float* out) { of_a_class_template<<<8, 64>>>(in, out, 500, 9); }
