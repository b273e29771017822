/* SPDX-FileCopyrightText: 2026 the haloheap contributors
   SPDX-License-Identifier: BSD-3-Clause */
/* The host's generators, as far as programs with kernels name them; see haloheap_cuda.h. */
#ifndef HALOHEAP_MALLOCS_CURAND_H
#define HALOHEAP_MALLOCS_CURAND_H

#include "haloheap_cuda.h"

typedef struct curandGenerator_st* curandGenerator_t;
enum curandStatus { CURAND_STATUS_SUCCESS = 0 };
typedef enum curandStatus curandStatus_t;
enum curandRngType { CURAND_RNG_PSEUDO_DEFAULT = 100, CURAND_RNG_PSEUDO_XORWOW = 101, CURAND_RNG_PSEUDO_MTGP32 = 141 };
typedef enum curandRngType curandRngType_t;
extern "C" {
curandStatus_t curandCreateGenerator(curandGenerator_t*, curandRngType_t);
curandStatus_t curandDestroyGenerator(curandGenerator_t);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t, unsigned long long);
curandStatus_t curandSetStream(curandGenerator_t, cudaStream_t);
curandStatus_t curandGenerate(curandGenerator_t, unsigned*, size_t);
curandStatus_t curandGenerateUniform(curandGenerator_t, float*, size_t);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t, double*, size_t);
curandStatus_t curandGenerateNormal(curandGenerator_t, float*, size_t, float, float);
}

#endif
