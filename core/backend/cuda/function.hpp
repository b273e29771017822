// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_FUNCTION_HPP
#define HALOHEAP_BACKEND_FUNCTION_HPP

/// Marks small functions on plain data that kernels call too, in headers that know no Kokkos. Files without
/// kernels are compiled by the host's compiler, which reads these headers as well.
#ifdef __CUDACC__
#define HALOHEAP_FUNCTION __host__ __device__
#else
#define HALOHEAP_FUNCTION
#endif

#endif
