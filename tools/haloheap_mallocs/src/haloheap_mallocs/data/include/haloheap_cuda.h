/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* What haloheap-mallocs needs to know of CUDA to read kernels where no CUDA is installed, or one that Clang does not
   know. Declarations alone: nothing that is compiled with it is ever run. */
#ifndef HALOHEAP_MALLOCS_CUDA_H
#define HALOHEAP_MALLOCS_CUDA_H
/* Headers of others ask by these whether CUDA's own have been included. */
#define __CUDA_RUNTIME_H__
#define __DRIVER_TYPES_H__
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
#include <time.h>
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
#include <exception>
#include <limits>
#include <tuple>
#include <type_traits>
#include <utility>
/* What the file itself includes. */
#ifdef HALOHEAP_USES_any
#include <any>
#endif
#ifdef HALOHEAP_USES_array
#include <array>
#endif
#ifdef HALOHEAP_USES_atomic
#include <atomic>
#endif
#ifdef HALOHEAP_USES_bit
#include <bit>
#endif
#ifdef HALOHEAP_USES_bitset
#include <bitset>
#endif
#ifdef HALOHEAP_USES_chrono
#include <chrono>
#endif
#ifdef HALOHEAP_USES_complex
#include <complex>
#endif
#ifdef HALOHEAP_USES_condition_variable
#include <condition_variable>
#endif
#ifdef HALOHEAP_USES_deque
#include <deque>
#endif
#ifdef HALOHEAP_USES_execution
#include <execution>
#endif
#ifdef HALOHEAP_USES_filesystem
#include <filesystem>
#endif
#ifdef HALOHEAP_USES_forward_list
#include <forward_list>
#endif
#ifdef HALOHEAP_USES_fstream
#include <fstream>
#endif
#ifdef HALOHEAP_USES_functional
#include <functional>
#endif
#ifdef HALOHEAP_USES_future
#include <future>
#endif
#ifdef HALOHEAP_USES_iomanip
#include <iomanip>
#endif
#ifdef HALOHEAP_USES_ios
#include <ios>
#endif
#ifdef HALOHEAP_USES_iostream
#include <iostream>
#endif
#ifdef HALOHEAP_USES_istream
#include <istream>
#endif
#ifdef HALOHEAP_USES_iterator
#include <iterator>
#endif
#ifdef HALOHEAP_USES_list
#include <list>
#endif
#ifdef HALOHEAP_USES_locale
#include <locale>
#endif
#ifdef HALOHEAP_USES_map
#include <map>
#endif
#ifdef HALOHEAP_USES_memory
#include <memory>
#endif
#ifdef HALOHEAP_USES_mutex
#include <mutex>
#endif
#ifdef HALOHEAP_USES_numeric
#include <numeric>
#endif
#ifdef HALOHEAP_USES_ostream
#include <ostream>
#endif
#ifdef HALOHEAP_USES_queue
#include <queue>
#endif
#ifdef HALOHEAP_USES_random
#include <random>
#endif
#ifdef HALOHEAP_USES_ratio
#include <ratio>
#endif
#ifdef HALOHEAP_USES_regex
#include <regex>
#endif
#ifdef HALOHEAP_USES_set
#include <set>
#endif
#ifdef HALOHEAP_USES_shared_mutex
#include <shared_mutex>
#endif
#ifdef HALOHEAP_USES_span
#include <span>
#endif
#ifdef HALOHEAP_USES_sstream
#include <sstream>
#endif
#ifdef HALOHEAP_USES_stack
#include <stack>
#endif
#ifdef HALOHEAP_USES_stdexcept
#include <stdexcept>
#endif
#ifdef HALOHEAP_USES_streambuf
#include <streambuf>
#endif
#ifdef HALOHEAP_USES_string
#include <string>
#endif
#ifdef HALOHEAP_USES_string_view
#include <string_view>
#endif
#ifdef HALOHEAP_USES_system_error
#include <system_error>
#endif
#ifdef HALOHEAP_USES_thread
#include <thread>
#endif
#ifdef HALOHEAP_USES_typeindex
#include <typeindex>
#endif
#ifdef HALOHEAP_USES_typeinfo
#include <typeinfo>
#endif
#ifdef HALOHEAP_USES_unordered_map
#include <unordered_map>
#endif
#ifdef HALOHEAP_USES_unordered_set
#include <unordered_set>
#endif
#ifdef HALOHEAP_USES_valarray
#include <valarray>
#endif
#ifdef HALOHEAP_USES_vector
#include <vector>
#endif
#pragma clang force_cuda_host_device end
/* Their exceptions override a function of <new>, which is for hosts. */
#ifdef HALOHEAP_USES_optional
#include <optional>
#endif
#ifdef HALOHEAP_USES_variant
#include <variant>
#endif
/* Behind headers of the library, some of which write the attribute so. */
#define __noinline__ __attribute__((noinline))

struct uint3 {
  unsigned x, y, z;
};
struct dim3 {
  unsigned x, y, z;
  __host__ __device__ constexpr dim3(unsigned a = 1, unsigned b = 1, unsigned c = 1) : x(a), y(b), z(c) {}
};
#define HALOHEAP_VECTORS(T, V)                                                            \
  struct V##1 {                                                                           \
    T x;                                                                                  \
  };                                                                                      \
  struct V##2 {                                                                           \
    T x, y;                                                                               \
  };                                                                                      \
  struct V##4 {                                                                           \
    T x, y, z, w;                                                                         \
  };                                                                                      \
  __host__ __device__ inline V##1 make_##V##1(T x) { return {x}; }                        \
  __host__ __device__ inline V##2 make_##V##2(T x, T y) { return {x, y}; }                \
  __host__ __device__ inline V##4 make_##V##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define HALOHEAP_VECTORS_3(T, V)                                                          \
  struct V##3 {                                                                           \
    T x, y, z;                                                                            \
  };                                                                                      \
  __host__ __device__ inline V##3 make_##V##3(T x, T y, T z) { return {x, y, z}; }        \
  HALOHEAP_VECTORS(T, V)
HALOHEAP_VECTORS_3(signed char, char)
HALOHEAP_VECTORS_3(unsigned char, uchar)
HALOHEAP_VECTORS_3(short, short)
HALOHEAP_VECTORS_3(unsigned short, ushort)
HALOHEAP_VECTORS_3(int, int)
HALOHEAP_VECTORS(unsigned, uint)
HALOHEAP_VECTORS_3(long, long)
HALOHEAP_VECTORS_3(unsigned long, ulong)
HALOHEAP_VECTORS_3(long long, longlong)
HALOHEAP_VECTORS_3(unsigned long long, ulonglong)
HALOHEAP_VECTORS_3(float, float)
HALOHEAP_VECTORS_3(double, double)
__host__ __device__ inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
#undef HALOHEAP_VECTORS_3
#undef HALOHEAP_VECTORS

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;

typedef struct CUstream_st* cudaStream_t;
typedef struct CUevent_st* cudaEvent_t;
enum cudaError {
  cudaSuccess = 0,
  cudaErrorInvalidValue = 1,
  cudaErrorMemoryAllocation = 2,
  cudaErrorInvalidConfiguration = 9,
  cudaErrorNoDevice = 100,
  cudaErrorInvalidDevice = 101,
  cudaErrorNotReady = 600,
  cudaErrorLaunchFailure = 719,
  cudaErrorUnknown = 999
};
typedef enum cudaError cudaError_t;
enum cudaMemcpyKind {
  cudaMemcpyHostToHost = 0,
  cudaMemcpyHostToDevice = 1,
  cudaMemcpyDeviceToHost = 2,
  cudaMemcpyDeviceToDevice = 3,
  cudaMemcpyDefault = 4
};
enum { cudaStreamDefault = 0, cudaStreamNonBlocking = 1, cudaEventDefault = 0, cudaEventDisableTiming = 2 };
enum { cudaHostAllocDefault = 0, cudaHostAllocPortable = 1, cudaHostAllocMapped = 2, cudaHostAllocWriteCombined = 4 };
enum { cudaHostRegisterDefault = 0, cudaHostRegisterPortable = 1, cudaHostRegisterMapped = 2 };
enum { cudaDeviceMapHost = 8, cudaMemAttachGlobal = 1, cudaMemAttachHost = 2 };
struct cudaDeviceProp {
  char name[256];
  size_t totalGlobalMem, sharedMemPerBlock, sharedMemPerMultiprocessor, totalConstMem, memPitch, textureAlignment;
  int major, minor, multiProcessorCount, maxThreadsPerBlock, warpSize, maxThreadsPerMultiProcessor, regsPerBlock;
  int maxThreadsDim[3], maxGridSize[3], clockRate, memoryClockRate, memoryBusWidth, l2CacheSize, concurrentKernels;
  int managedMemory, concurrentManagedAccess, unifiedAddressing, canMapHostMemory, integrated, ECCEnabled;
  int cooperativeLaunch, asyncEngineCount, deviceOverlap, kernelExecTimeoutEnabled, computeMode, pciBusID, pciDeviceID;
};
enum cudaLimit {
  cudaLimitStackSize = 0,
  cudaLimitPrintfFifoSize = 1,
  cudaLimitMallocHeapSize = 2,
  cudaLimitDevRuntimeSyncDepth = 3,
  cudaLimitDevRuntimePendingLaunchCount = 4
};
enum cudaDeviceAttr {
  cudaDevAttrMaxThreadsPerBlock = 1,
  cudaDevAttrMaxSharedMemoryPerBlock = 8,
  cudaDevAttrWarpSize = 10,
  cudaDevAttrClockRate = 13,
  cudaDevAttrMultiProcessorCount = 16,
  cudaDevAttrIntegrated = 18,
  cudaDevAttrComputeMode = 20,
  cudaDevAttrComputeCapabilityMajor = 75,
  cudaDevAttrComputeCapabilityMinor = 76
};
enum cudaComputeMode { cudaComputeModeDefault = 0, cudaComputeModeExclusive = 1, cudaComputeModeProhibited = 2 };
enum cudaFuncCache { cudaFuncCachePreferNone, cudaFuncCachePreferShared, cudaFuncCachePreferL1 };
extern "C" {
int __cudaPushCallConfiguration(dim3, dim3, size_t = 0, void* = 0);
int cudaConfigureCall(dim3, dim3, size_t = 0, cudaStream_t = 0);
__host__ __device__ cudaError_t cudaDeviceSynchronize();
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
cudaError_t cudaGetDevice(int*);
cudaError_t cudaGetDeviceCount(int*);
cudaError_t cudaGetDeviceProperties(cudaDeviceProp*, int);
cudaError_t cudaDeviceGetLimit(size_t*, cudaLimit);
cudaError_t cudaStreamCreateWithFlags(cudaStream_t*, unsigned);
cudaError_t cudaMemGetInfo(size_t*, size_t*);
cudaError_t cudaDeviceGetAttribute(int*, cudaDeviceAttr, int);
cudaError_t cudaDeviceSetCacheConfig(cudaFuncCache);
cudaError_t cudaDriverGetVersion(int*);
cudaError_t cudaRuntimeGetVersion(int*);
cudaError_t cudaFreeAsync(void*, cudaStream_t);
cudaError_t cudaMemcpy2D(void*, size_t, const void*, size_t, size_t, size_t, cudaMemcpyKind);
cudaError_t cudaMemPrefetchAsync(const void*, size_t, int, cudaStream_t = 0);
cudaError_t cudaStreamWaitEvent(cudaStream_t, cudaEvent_t, unsigned = 0);
cudaError_t cudaEventCreateWithFlags(cudaEvent_t*, unsigned);
cudaError_t cudaEventQuery(cudaEvent_t);
cudaError_t cudaStreamQuery(cudaStream_t);
cudaError_t cudaHostRegister(void*, size_t, unsigned);
cudaError_t cudaHostUnregister(void*);
cudaError_t cudaSetDeviceFlags(unsigned);
cudaError_t cudaChooseDevice(int*, const cudaDeviceProp*);
cudaError_t cudaProfilerStart();
cudaError_t cudaProfilerStop();
cudaError_t cudaThreadSynchronize();
cudaError_t cudaThreadExit();
cudaError_t cudaThreadSetLimit(cudaLimit, size_t);
const char* cudaGetErrorName(cudaError_t);
const char* cudaGetErrorString(cudaError_t);
}
template <class T>
cudaError_t cudaMalloc(T**, size_t);
template <class T>
cudaError_t cudaMallocAsync(T**, size_t, cudaStream_t);
template <class T>
cudaError_t cudaMallocPitch(T**, size_t*, size_t, size_t);
template <class T>
cudaError_t cudaHostAlloc(T**, size_t, unsigned);
template <class T>
cudaError_t cudaHostGetDevicePointer(T**, void*, unsigned);
template <class T>
cudaError_t cudaGetSymbolAddress(void**, const T&);
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
__device__ T atomicAdd_block(T*, U);
template <class T, class U>
__device__ T atomicAdd_system(T*, U);
template <class T, class U>
__device__ T atomicSub(T*, U);
template <class T, class U>
__device__ T atomicSub_block(T*, U);
template <class T, class U>
__device__ T atomicSub_system(T*, U);
template <class T, class U>
__device__ T atomicExch(T*, U);
template <class T, class U>
__device__ T atomicExch_block(T*, U);
template <class T, class U>
__device__ T atomicExch_system(T*, U);
template <class T, class U>
__device__ T atomicMin(T*, U);
template <class T, class U>
__device__ T atomicMin_block(T*, U);
template <class T, class U>
__device__ T atomicMin_system(T*, U);
template <class T, class U>
__device__ T atomicMax(T*, U);
template <class T, class U>
__device__ T atomicMax_block(T*, U);
template <class T, class U>
__device__ T atomicMax_system(T*, U);
template <class T, class U>
__device__ T atomicOr(T*, U);
template <class T, class U>
__device__ T atomicOr_block(T*, U);
template <class T, class U>
__device__ T atomicOr_system(T*, U);
template <class T, class U>
__device__ T atomicAnd(T*, U);
template <class T, class U>
__device__ T atomicAnd_block(T*, U);
template <class T, class U>
__device__ T atomicAnd_system(T*, U);
template <class T, class U>
__device__ T atomicXor(T*, U);
template <class T, class U>
__device__ T atomicXor_block(T*, U);
template <class T, class U>
__device__ T atomicXor_system(T*, U);
template <class T, class U>
__device__ T atomicInc(T*, U);
template <class T, class U>
__device__ T atomicDec(T*, U);
template <class T, class U, class V>
__device__ T atomicCAS(T*, U, V);
__device__ void __trap();
__device__ void __nanosleep(unsigned);
__device__ int __mul24(int, int);
__device__ int __mulhi(int, int);
__device__ unsigned __umulhi(unsigned, unsigned);
__device__ unsigned long long __umul64hi(unsigned long long, unsigned long long);
__device__ float __fdividef(float, float);
__device__ float __fmaf_rn(float, float, float);
__device__ float __fsqrt_rn(float);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
__device__ unsigned __float_as_uint(float);
__device__ float __uint_as_float(unsigned);
__device__ long long __double_as_longlong(double);
__device__ double __longlong_as_double(long long);
__device__ int __double2hiint(double);
__device__ int __double2loint(double);
__device__ double __hiloint2double(int, int);
__device__ int __float2int_rd(float);
__device__ int __float2int_rn(float);
__device__ int __float2int_rz(float);
__device__ float __saturatef(float);
/* What CUDA has and C long had not. */
extern "C" {
#define HALOHEAP_MATH(F)                         \
  __host__ __device__ double F(double) noexcept; \
  __host__ __device__ float F##f(float) noexcept;
HALOHEAP_MATH(cospi)
HALOHEAP_MATH(sinpi)
HALOHEAP_MATH(cyl_bessel_i0)
HALOHEAP_MATH(cyl_bessel_i1)
HALOHEAP_MATH(erfinv)
HALOHEAP_MATH(erfcinv)
HALOHEAP_MATH(erfcx)
HALOHEAP_MATH(normcdf)
HALOHEAP_MATH(normcdfinv)
HALOHEAP_MATH(rcbrt)
#undef HALOHEAP_MATH
__device__ double norm(int, const double*);
__device__ double rnorm(int, const double*);
__device__ double norm3d(double, double, double);
__device__ double rnorm3d(double, double, double);
__device__ double norm4d(double, double, double, double);
__device__ double rnorm4d(double, double, double, double);
__device__ double rhypot(double, double);
}
__device__ float rsqrtf(float);
__device__ double rsqrt(double);
__device__ long long clock64();

/* As CUDA has them, also of an integer with a sign and one without. */
#define HALOHEAP_LEAST(T, A, B)                                                \
  __host__ __device__ inline T min(A a, B b) { return (T)a < (T)b ? (T)a : (T)b; } \
  __host__ __device__ inline T max(A a, B b) { return (T)a < (T)b ? (T)b : (T)a; }
#define HALOHEAP_LEAST_OF(S, U)  \
  HALOHEAP_LEAST(S, S, S)        \
  HALOHEAP_LEAST(U, U, U)        \
  HALOHEAP_LEAST(U, S, U)        \
  HALOHEAP_LEAST(U, U, S)
HALOHEAP_LEAST_OF(int, unsigned)
HALOHEAP_LEAST_OF(long, unsigned long)
HALOHEAP_LEAST_OF(long long, unsigned long long)
HALOHEAP_LEAST(float, float, float)
HALOHEAP_LEAST(double, double, double)
HALOHEAP_LEAST(double, float, double)
HALOHEAP_LEAST(double, double, float)
#undef HALOHEAP_LEAST_OF
#undef HALOHEAP_LEAST

#endif
