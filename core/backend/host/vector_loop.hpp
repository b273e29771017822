// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_VECTOR_LOOP_HPP
#define HALOHEAP_BACKEND_VECTOR_LOOP_HPP

/// Before a loop none of whose iterations reads what another one writes, although the compiler cannot know it
/// of the pointers: it may compute several at once.
#if defined(__GNUC__) && !defined(__clang__)
#define HALOHEAP_INDEPENDENT _Pragma("GCC ivdep")
#else
#define HALOHEAP_INDEPENDENT
#endif

/// Before a loop of a fixed number of iterations within such a loop: unrolls it. GCC by itself does so up to
/// 16 iterations, and does several cells at once only where nothing is a loop within.
#if defined(__GNUC__) && !defined(__clang__)
#define HALOHEAP_UNROLL_WITHIN _Pragma("GCC unroll 64")
#else
#define HALOHEAP_UNROLL_WITHIN
#endif

#endif
