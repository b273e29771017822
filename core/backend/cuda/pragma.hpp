// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_PRAGMA_HPP
#define HALOHEAP_BACKEND_PRAGMA_HPP

// The host's compiler, which sees the same loops, does not know the pragmas.
#ifdef __CUDA_ARCH__
/// Unrolls the loop that follows where the device compiler needs to be told so, to keep small arrays in
/// registers.
#define HALOHEAP_UNROLL _Pragma("unroll")
/// Keeps the loop that follows as it is: what is rarely run should not be large.
#define HALOHEAP_KEEP_LOOP _Pragma("unroll 1")
#else
#define HALOHEAP_UNROLL
#define HALOHEAP_KEEP_LOOP
#endif

/// See the host's file: nothing here, where the long loops run on the device.
#define HALOHEAP_VECTOR_CLONES

/// Hides from the optimiser what a pointer variable points to. nvcc 13.0 ends with "Broken function found"
/// where libcu++'s atomics get an address that a program has as another type and that may be null.
#ifdef __CUDA_ARCH__
#define HALOHEAP_HIDE_POINTER(pointer) asm("" : "+l"(pointer))
#else
#define HALOHEAP_HIDE_POINTER(pointer) static_cast<void>(pointer)
#endif

/// Before a function that is called from several places of a kernel and is large: each copy of it would be
/// compiled anew.
#define HALOHEAP_NOINLINE __noinline__

#endif
