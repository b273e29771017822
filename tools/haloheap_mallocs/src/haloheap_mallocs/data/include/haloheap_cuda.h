/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* What haloheap-mallocs needs to know of CUDA to read kernels where no CUDA is installed, or one that Clang does not
   know. Declarations alone: nothing that is compiled with it is ever run. */
#ifndef HALOHEAP_MALLOCS_CUDA_H
#define HALOHEAP_MALLOCS_CUDA_H
#pragma GCC system_header

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __forceinline__ inline
#define __launch_bounds__(...)
#define __grid_constant__
#define __noinline__ __attribute__((noinline))
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__ __restrict

/* Kernels may call printf, memcpy, std::min and the like. */
#pragma clang force_cuda_host_device begin
#include <assert.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#pragma clang force_cuda_host_device end
/* Clang's own, which has all operators for devices. */
#include <new>
#pragma clang force_cuda_host_device begin
#include <algorithm>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
#pragma clang force_cuda_host_device end

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
struct uint2 {
  unsigned x, y;
};
struct uint4 {
  unsigned x, y, z, w;
};
struct int2 {
  int x, y;
};
struct int3 {
  int x, y, z;
};
struct int4 {
  int x, y, z, w;
};
struct float2 {
  float x, y;
};
struct float3 {
  float x, y, z;
};
struct float4 {
  float x, y, z, w;
};
struct double2 {
  double x, y;
};
struct double3 {
  double x, y, z;
};
struct double4 {
  double x, y, z, w;
};
#define HALOHEAP_MAKE(T, V)                                                              \
  __host__ __device__ inline V##2 make_##V##2(T x, T y) { return {x, y}; }               \
  __host__ __device__ inline V##3 make_##V##3(T x, T y, T z) { return {x, y, z}; }       \
  __host__ __device__ inline V##4 make_##V##4(T x, T y, T z, T w) { return {x, y, z, w}; }
HALOHEAP_MAKE(int, int)
HALOHEAP_MAKE(unsigned, uint)
HALOHEAP_MAKE(float, float)
HALOHEAP_MAKE(double, double)
#undef HALOHEAP_MAKE

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum cudaError_t { cudaSuccess = 0 };
enum cudaMemcpyKind { cudaMemcpyHostToDevice = 1, cudaMemcpyDeviceToHost = 2, cudaMemcpyDeviceToDevice = 3 };
enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };
extern "C" {
int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = 0);
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
cudaError_t cudaDeviceSynchronize();
cudaError_t cudaDeviceSetLimit(cudaLimit, size_t);
cudaError_t cudaDeviceReset();
cudaError_t cudaGetLastError();
cudaError_t cudaFree(void*);
cudaError_t cudaMemcpy(void*, const void*, size_t, cudaMemcpyKind);
cudaError_t cudaMemset(void*, int, size_t);
cudaError_t cudaMemcpyAsync(void*, const void*, size_t, cudaMemcpyKind, cudaStream_t = 0);
cudaError_t cudaMemsetAsync(void*, int, size_t, cudaStream_t = 0);
cudaError_t cudaFreeHost(void*);
cudaError_t cudaSetDevice(int);
cudaError_t cudaPeekAtLastError();
cudaError_t cudaStreamCreate(cudaStream_t*);
cudaError_t cudaStreamDestroy(cudaStream_t);
cudaError_t cudaStreamSynchronize(cudaStream_t);
cudaError_t cudaEventCreate(cudaEvent_t*);
cudaError_t cudaEventDestroy(cudaEvent_t);
cudaError_t cudaEventRecord(cudaEvent_t, cudaStream_t = 0);
cudaError_t cudaEventSynchronize(cudaEvent_t);
cudaError_t cudaEventElapsedTime(float*, cudaEvent_t, cudaEvent_t);
const char* cudaGetErrorString(cudaError_t);
}
template <class T>
cudaError_t cudaMalloc(T**, size_t);
template <class T>
cudaError_t cudaMallocManaged(T**, size_t, unsigned = 1);
template <class T>
cudaError_t cudaMallocHost(T**, size_t, unsigned = 0);
template <class T>
cudaError_t cudaMemcpyToSymbol(T&, const void*, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyHostToDevice);
template <class T>
cudaError_t cudaMemcpyFromSymbol(void*, const T&, size_t, size_t = 0, cudaMemcpyKind = cudaMemcpyDeviceToHost);

__device__ void __syncthreads();
__device__ int __syncthreads_or(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_count(int);
__device__ void __syncwarp(unsigned = 0xffffffffu);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ unsigned __activemask();
__device__ unsigned __ballot_sync(unsigned, int);
__device__ int __any_sync(unsigned, int);
__device__ int __all_sync(unsigned, int);
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __ffs(int);
__device__ int __clz(int);
__device__ int __ffsll(long long);
__device__ int __clzll(long long);
__device__ unsigned __brev(unsigned);
template <class T>
__device__ unsigned __match_any_sync(unsigned, T);
template <class T>
__device__ unsigned __match_all_sync(unsigned, T, int*);
__device__ unsigned __reduce_add_sync(unsigned, unsigned);
__device__ unsigned __reduce_max_sync(unsigned, unsigned);
__device__ unsigned __reduce_min_sync(unsigned, unsigned);
template <class T>
__device__ T __shfl_sync(unsigned, T, int, int = 32);
template <class T>
__device__ T __shfl_up_sync(unsigned, T, unsigned, int = 32);
template <class T>
__device__ T __shfl_down_sync(unsigned, T, unsigned, int = 32);
template <class T>
__device__ T __shfl_xor_sync(unsigned, T, int, int = 32);
template <class T>
__device__ T __ldg(const T*);
template <class T, class U>
__device__ T atomicAdd(T*, U);
template <class T, class U>
__device__ T atomicSub(T*, U);
template <class T, class U>
__device__ T atomicExch(T*, U);
template <class T, class U>
__device__ T atomicMin(T*, U);
template <class T, class U>
__device__ T atomicMax(T*, U);
template <class T, class U>
__device__ T atomicOr(T*, U);
template <class T, class U>
__device__ T atomicAnd(T*, U);
template <class T, class U>
__device__ T atomicXor(T*, U);
template <class T, class U>
__device__ T atomicInc(T*, U);
template <class T, class U>
__device__ T atomicDec(T*, U);
template <class T, class U, class V>
__device__ T atomicCAS(T*, U, V);
__device__ long long clock64();
__device__ long clock();

__device__ inline int min(int a, int b) { return a < b ? a : b; }
__device__ inline int max(int a, int b) { return a < b ? b : a; }
__device__ inline unsigned min(unsigned a, unsigned b) { return a < b ? a : b; }
__device__ inline unsigned max(unsigned a, unsigned b) { return a < b ? b : a; }
__device__ inline size_t min(size_t a, size_t b) { return a < b ? a : b; }
__device__ inline size_t max(size_t a, size_t b) { return a < b ? b : a; }

#endif
