/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* The generators and distributions that kernels name most; see haloheap_cuda.h. */
#ifndef HALOHEAP_MALLOCS_CURAND_KERNEL_H
#define HALOHEAP_MALLOCS_CURAND_KERNEL_H

#include "haloheap_cuda.h"

#define HALOHEAP_GENERATOR(State)                                                                              \
  struct State {                                                                                              \
    unsigned v[6];                                                                                             \
  };                                                                                                           \
  __device__ void curand_init(unsigned long long, unsigned long long, unsigned long long, State*);             \
  __device__ unsigned curand(State*);                                                                          \
  __device__ float curand_uniform(State*);                                                                     \
  __device__ double curand_uniform_double(State*);                                                             \
  __device__ float curand_normal(State*);                                                                      \
  __device__ double curand_normal_double(State*);                                                              \
  __device__ float curand_log_normal(State*, float, float);                                                    \
  __device__ unsigned curand_poisson(State*, double);                                                          \
  __device__ float2 curand_normal2(State*);
HALOHEAP_GENERATOR(curandStateXORWOW)
HALOHEAP_GENERATOR(curandStateMRG32k3a)
HALOHEAP_GENERATOR(curandStatePhilox4_32_10)
#undef HALOHEAP_GENERATOR

__device__ float4 curand_uniform4(curandStatePhilox4_32_10*);
__device__ float4 curand_normal4(curandStatePhilox4_32_10*);
typedef curandStateXORWOW curandState, curandState_t, curandStateXORWOW_t;
typedef curandStateMRG32k3a curandStateMRG32k3a_t;
typedef curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

#endif
