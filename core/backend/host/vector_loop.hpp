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

#endif
