/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* Numbers of 16 bits, as far as kernels convert them; see haloheap_cuda.h. */
#ifndef HALOHEAP_MALLOCS_CUDA_FP16_H
#define HALOHEAP_MALLOCS_CUDA_FP16_H

#include "haloheap_cuda.h"

struct __half {
  unsigned short bits;
  __half() = default;
  __host__ __device__ __half(float);
  __host__ __device__ operator float() const;
};
struct __half2 {
  __half x, y;
};
typedef __half half;
typedef __half2 half2;
__host__ __device__ __half __float2half(float);
__host__ __device__ float __half2float(__half);
__host__ __device__ __half2 __floats2half2_rn(float, float);

#endif
