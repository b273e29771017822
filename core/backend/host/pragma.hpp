// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_PRAGMA_HPP
#define HALOHEAP_BACKEND_PRAGMA_HPP

/// Unrolls the loop that follows where the device compiler needs to be told so, to keep small arrays in
/// registers.
#define HALOHEAP_UNROLL

/// Keeps the loop that follows as it is where the device compiler would unroll it.
#define HALOHEAP_KEEP_LOOP

/// On a function with a long inner loop: compiled once for each width of vector registers, chosen when the
/// program starts, so that one binary is fast on old and new processors. The bits do not depend on it.
/// Sanitizers cannot be called from the choice, which happens before they are set up. What it calls becomes
/// part of it (flatten): a loop that calls something, such as the operator of a user's update rule, is no
/// vector loop.
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__linux__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define HALOHEAP_VECTOR_CLONES \
  __attribute__((flatten, target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define HALOHEAP_VECTOR_CLONES
#endif

/// See the device's file: nothing here.
#define HALOHEAP_HIDE_POINTER(pointer) static_cast<void>(pointer)

/// Before a function that is called from several places of a kernel and is large: each copy of it would be
/// compiled anew.
#define HALOHEAP_NOINLINE [[gnu::noinline]]

#endif
