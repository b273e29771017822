// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Who gets to an allocation.
#define BATCH 16

__global__ void everybody(int** out, int n) {
  int* p = (int*)malloc(n * sizeof(int));  // who=grid same=grid escapes advice=block
  out[blockIdx.x * blockDim.x + threadIdx.x] = p;
}

__global__ void guarded(int** out, int n, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = (int*)malloc(length * sizeof(int));  // who=guarded same=grid escapes advice=warp
  }
}

__global__ void guarded_by_return(int** out, int n, int length) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  out[i] = new int[length];  // who=guarded same=grid escapes advice=warp
}

__global__ void guarded_in_two_dimensions(float** out, int width, int height, int length) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  out[y * width + x] = new float[length];  // who=guarded same=grid escapes advice=warp
}

__global__ void first_lanes(int** out) {
  if (threadIdx.x % 32 < 8) out[threadIdx.x] = new int;  // who=part same=grid bytes=4 escapes advice=each
}

__global__ void one_of_a_block(int** out, int n) {
  if (threadIdx.x == 0) out[blockIdx.x] = new int[n];  // who=one same=grid escapes advice=each
}

__global__ void one_of_a_block_by_not(int** out, int n) {
  if (!threadIdx.x) out[blockIdx.x] = new int[n];  // who=one same=grid escapes advice=each
}

__global__ void one_of_the_grid(int** out, int n) {
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = new int[n];  // who=one same=grid escapes advice=each
}

__global__ void leaders_return(int** out, int n) {
  if (threadIdx.x != 0) return;
  out[blockIdx.x] = new int[n];  // who=one same=grid escapes advice=each
}

__global__ void even_blocks(int** out, int n) {
  if (blockIdx.x % 2 == 0) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = new int[n];  // who=blocks same=grid escapes advice=block
  }
}

__global__ void whole_warps(int** out, int n) {
  if (threadIdx.x < 64) out[threadIdx.x] = new int[n];  // who=warps same=grid escapes advice=warp
}

__global__ void warp_roles(int** out, int n) {
  int warp = threadIdx.x / 32;
  if (warp == 1) out[threadIdx.x] = new int[n];  // who=warps same=grid escapes advice=warp
}

__global__ void warp_roles_by_shift(int** out, int n) {
  if ((threadIdx.x >> 5) & 1) out[threadIdx.x] = new int[n];  // who=warps same=grid escapes advice=warp
}

__global__ void by_data(const int* keys, int** out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && keys[i] > 0) out[i] = new int[4];  // who=part same=grid bytes=16 escapes advice=each
}

__global__ void by_data_of_a_block(const int* keys, int** out) {
  if (keys[blockIdx.x] > 0) {
    out[blockIdx.x * blockDim.x + threadIdx.x] =
        new int[4];  // who=blocks same=grid bytes=16 escapes advice=block
  }
}

__global__ void by_vote(const int* keys, int** out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__any_sync(0xffffffff, keys[i] > 0))
    out[i] = new int[4];  // who=warps same=grid bytes=16 escapes advice=warp
}

__global__ void by_vote_of_the_block(const int* keys, int** out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (__syncthreads_or(keys[i] > 0))
    out[i] = new int[4];  // who=blocks same=grid bytes=16 escapes advice=block
}

__global__ void by_an_argument(int** out, bool wanted) {
  if (wanted) out[threadIdx.x] = new int[BATCH];  // who=grid same=grid bytes=64 escapes advice=block
}

__global__ void by_a_role(int role, int** out) {
  switch (role) {
    case 0:
      out[threadIdx.x] = new int[8];  // who=grid same=grid bytes=32 escapes advice=block
      break;
    default:
      break;
  }
}

__global__ void by_a_role_of_each(int** out) {
  switch (threadIdx.x & 3) {
    case 1:
      out[threadIdx.x] = new int[8];  // who=part same=grid bytes=32 escapes advice=each
      break;
    default:
      break;
  }
}

__global__ void after_a_branch(int** out, int n) {
  int extra = 0;
  if (threadIdx.x < 4) extra = 1;
  out[threadIdx.x] = new int[n + extra];  // who=grid same=thread escapes advice=warp
}

__global__ void who_left_early(const int* keys, int** out) {
  for (int k = 0; k < 10; ++k) {
    if (keys[threadIdx.x] == k) return;
  }
  out[threadIdx.x] = new int[4];  // who=part same=grid bytes=16 escapes advice=each
}

__global__ void first_lane(int** out) {
  if (threadIdx.x % 32 == 0) out[threadIdx.x] = new int[4];  // who=lane same=grid bytes=16 escapes advice=each
}

__global__ void lane_of_a_variable(int** out, int n) {
  const int lane = threadIdx.x & 31;
  if (lane != 0) return;
  out[threadIdx.x] = new int[n];  // who=lane same=grid escapes advice=each
}

__global__ void lane_of_a_function(int n) {
  const int lane = (blockIdx.x * blockDim.x + threadIdx.x) % warpSize;
  int* room = nullptr;
  if (!lane && n > 3) room = (int*)malloc(40);  // who=lane same=grid bytes=40 shared freed advice=shared
  room = (int*)__shfl_sync(0xffffffff, (unsigned long long)room, 0);
  if (lane == 0) free(room);
}

__global__ void first_lane_and_more(const int* in) {
  if (threadIdx.x % 32 == 0 || in[threadIdx.x]) free(malloc(8));  // who=part same=grid bytes=8 freed advice=local
}

__global__ void no_lane(int** out) {
  if (threadIdx.x % 32 + blockIdx.x == 3) out[threadIdx.x] = new int;  // who=part same=grid bytes=4 escapes
  if (threadIdx.x % 16 == 0) out[threadIdx.x] = new int;              // who=part same=grid bytes=4 escapes
  if (threadIdx.x % 32 < 1) out[threadIdx.x] = new int;               // who=part same=grid bytes=4 escapes
  if ((threadIdx.x + 1) % 32 == 0) out[threadIdx.x] = new int;        // who=part same=grid bytes=4 escapes
}

__global__ void lane_or_all(int n) {
  if (threadIdx.x % 32 == 0) free(malloc(8 + n));  // who=lane same=grid freed
  if (threadIdx.x % 32 == n) free(malloc(9 + n));  // who=lane same=grid freed
  if (threadIdx.x % 32 != 0) free(malloc(7 + n));  // who=part same=grid freed
}

__device__ void room(int n) {
  free(malloc(n));  // who=part same=grid freed ways=grid,lane
}
__global__ void lane_and_all(int n) {
  room(n);
  if (threadIdx.x % 32 == 0) room(n);
}
