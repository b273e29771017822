// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// How much an allocation asks for.
struct Particle {
  float x, y, z, mass;
};
constexpr int capacity = 20;
enum { tile = 8 };

__global__ void constants(Particle** out) {
  out[4 * threadIdx.x] =
      (Particle*)malloc(capacity * sizeof(Particle));    // who=grid same=grid bytes=320 escapes advice=block
  out[4 * threadIdx.x + 1] = new Particle;               // who=grid same=grid bytes=16 escapes advice=block
  out[4 * threadIdx.x + 2] = new Particle[tile * tile];  // who=grid same=grid bytes=1024 escapes advice=block
}

template <class T, int N>
__global__ void of_a_template(T** out) {
  out[threadIdx.x] = (T*)malloc(N * sizeof(T));  // who=grid same=grid escapes advice=block
}

__global__ void by_thread(char** out) {
  out[threadIdx.x] = (char*)malloc(threadIdx.x + 1);  // who=grid same=thread most=1024 escapes advice=warp
}

__global__ void by_lane(int** out) {
  out[threadIdx.x] = new int[threadIdx.x % 32];  // who=grid same=thread most=124 escapes advice=warp
}

__global__ void by_block(const int* lengths, float** out) {
  int n = lengths[blockIdx.x];
  out[blockIdx.x * blockDim.x + threadIdx.x] = new float[n];  // who=grid same=block escapes advice=block
}

__global__ void by_row(const int* lengths, float** out, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  out[row] = new float[lengths[row]];  // who=guarded same=thread escapes advice=warp
}

__global__ void of_a_byte(const unsigned char* lengths, float** out) {
  out[threadIdx.x] = new float[lengths[threadIdx.x]];  // who=grid same=thread most=1020 escapes advice=warp
}

__global__ void with_a_limit(int n, float** out) {
  out[threadIdx.x] = new float[min(n, 64)];  // who=grid same=grid most=256 escapes advice=block
}

__global__ void by_choice(float** out, int n) {
  int length = threadIdx.x < 4 ? 8 : 16;
  out[threadIdx.x] = new float[length];  // who=grid same=thread most=64 escapes advice=warp
}

__global__ void written_meanwhile(int* lengths, float** out) {
  lengths[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = new float[lengths[0]];  // who=grid same=thread escapes advice=warp
}

__global__ void from_shared_memory(const int* lengths, float** out) {
  __shared__ int n;
  if (threadIdx.x == 0) n = lengths[blockIdx.x];
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] = new float[n];  // who=grid same=block escapes advice=block
}

__global__ void from_the_first_lane(const int* lengths, float** out) {
  int mine = lengths[threadIdx.x];
  int first = __shfl_sync(0xffffffff, mine, 0);
  out[threadIdx.x] = new float[first];  // who=grid same=warp escapes advice=warp
}

__global__ void from_an_atomic(int* counter, float** out) {
  int ticket = atomicAdd(counter, 1);
  out[threadIdx.x] = new float[ticket];  // who=grid same=thread escapes advice=warp
}

__global__ void growing(float** out, int n) {
  int length = 1;
  while (length < n) length *= 2;
  out[threadIdx.x] = new float[length];  // who=grid same=grid escapes advice=block
}

__global__ void growing_by_thread(const int* wanted, float** out) {
  int length = 1;
  while (length < wanted[threadIdx.x]) length *= 2;
  out[threadIdx.x] = new float[length];  // who=grid same=thread escapes advice=warp
}
