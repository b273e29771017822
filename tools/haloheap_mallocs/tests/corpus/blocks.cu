// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Where a block goes.
__device__ int* global_list;
__device__ void report(const int* numbers, int count);

__global__ void scratch(const float* in, float* out, int n) {
  float* line = (float*)malloc(n * sizeof(float));  // who=grid same=grid freed advice=block
  for (int k = 0; k < n; ++k) line[k] = in[k * blockDim.x + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += line[k] * line[n - 1 - k];
  out[threadIdx.x] = sum;
  free(line);
}

__global__ void small_scratch(const float* in, float* out) {
  float* line = new float[16];  // who=grid same=grid bytes=64 freed advice=local
  for (int k = 0; k < 16; ++k) line[k] = in[k];
  out[threadIdx.x] = line[threadIdx.x % 16];
  delete[] line;
}

__global__ void lost(float* out) {
  float* line = new float[16];  // who=grid same=grid bytes=64 advice=block
  line[0] = 1;
  out[threadIdx.x] = line[0];
}

__global__ void by_an_alias(int** out) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes advice=block
  int* q = p + 1;
  int* r = threadIdx.x & 1 ? q : nullptr;
  out[threadIdx.x] = r;
}

__global__ void to_a_global() {
  if (threadIdx.x == 0 && blockIdx.x == 0)
    global_list = new int[100];  // who=one same=grid bytes=400 escapes advice=each
}

__global__ void to_an_unknown_function() {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes freed advice=block
  report(p, 4);
  delete[] p;
}

__global__ void of_a_block_together(const float* in, float* out, int n) {
  __shared__ float* table;
  if (threadIdx.x == 0) table = new float[256];  // who=one same=grid bytes=1024 shared freed advice=shared
  __syncthreads();
  for (int k = threadIdx.x; k < 256; k += blockDim.x) table[k] = in[k];
  __syncthreads();
  out[threadIdx.x] = table[255 - threadIdx.x % 256];
  __syncthreads();
  if (threadIdx.x == 0) delete[] table;
}

__global__ void of_a_block_and_large(float* out, int n) {
  __shared__ float* table;
  if (threadIdx.x == 0) table = new float[n];  // who=one same=grid shared freed advice=each
  __syncthreads();
  out[threadIdx.x] = table[threadIdx.x];
  __syncthreads();
  if (threadIdx.x == 0) delete[] table;
}

__global__ void freed_in_a_branch(const int* keys, int** out) {
  int* p = new int[4];  // who=grid same=grid bytes=16 escapes freed advice=block
  if (keys[threadIdx.x] > 0) {
    out[threadIdx.x] = p;
  } else {
    delete[] p;
  }
}

struct Node {
  int value;
  Node* next;
};

__global__ void a_list_of_its_own(int n, int* out) {
  Node* head = nullptr;
  for (int k = 0; k < n; ++k) {
    Node* node = new Node;  // who=grid same=grid bytes=16 freed loop advice=block
    node->value = k;
    node->next = head;
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum += head->value;
    delete head;
    head = next;
  }
  out[threadIdx.x] = sum;
}

__global__ void a_list_for_others(Node** heads, const int* keys, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Node* node = (Node*)malloc(sizeof(Node));  // who=guarded same=grid bytes=16 escapes advice=warp
  node->value = keys[i];
  node->next = (Node*)atomicExch((unsigned long long*)&heads[keys[i] % 64], (unsigned long long)node);
}

struct Matrix {
  int rows;
  float* values;
};

__global__ void inside_another(Matrix** out, int rows) {
  Matrix* matrix = new Matrix;              // who=grid same=grid bytes=16 escapes advice=block
  matrix->values = new float[rows * rows];  // who=grid same=grid escapes advice=block
  out[threadIdx.x] = matrix;
}

__global__ void in_a_structure_of_its_own(float* out, int rows) {
  Matrix matrix;
  matrix.rows = rows;
  matrix.values = new float[rows];  // who=grid same=grid freed advice=block
  matrix.values[0] = 1;
  out[threadIdx.x] = matrix.values[0];
  delete[] matrix.values;
}
