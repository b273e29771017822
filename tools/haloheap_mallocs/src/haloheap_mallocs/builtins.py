# SPDX-FileCopyrightText: 2026 the haloheap contributors
# SPDX-License-Identifier: BSD-3-Clause
"""Names of CUDA, Kokkos and the C library that the analysis knows."""

from __future__ import annotations

from haloheap_mallocs.values import Index, Level, Value, of_range

MOST_THREADS = 1024  # of a block, by CUDA

# Members of variables.
BUILTIN_VARIABLES = {"threadIdx", "blockIdx", "blockDim", "gridDim"}


def builtin(variable: str, member: str) -> Value:
    if variable == "threadIdx":
        # x runs fastest, and its threads are a multiple of a warp: y and z may differ within one where they are not.
        return Value(Level.THREAD, 0, MOST_THREADS - 1, Index.THREAD, aligned=member == "x", dims=frozenset(member))
    if variable == "blockIdx":
        return of_range(Level.BLOCK, 0, None)
    if variable == "blockDim":
        return Value(Level.GRID, 1, MOST_THREADS, aligned=member == "x")
    return of_range(Level.GRID, 1, None)


ALLOCATING = {"malloc": (0,), "calloc": (0, 1), "realloc": (1,), "aligned_alloc": (1,), "kokkos_malloc": (-1,),
              "operator new": (0,), "operator new[]": (0,)}
"""Functions, and which arguments have the bytes, or what to multiply for them."""
FREEING = {"free", "kokkos_free", "operator delete", "operator delete[]"}
HANDLE_ALLOCATES, HANDLE_FREES = "allocate", "deallocate"

MATHEMATICS = {
    "abs", "fabs", "fabsf", "sqrt", "sqrtf", "rsqrtf", "exp", "expf", "log", "logf", "log2", "log2f", "pow", "powf",
    "sin", "sinf", "cos", "cosf", "tan", "tanf", "floor", "floorf", "ceil", "ceilf", "round", "roundf", "fmin", "fminf",
    "fmax", "fmaxf", "fma", "fmaf", "__popc", "__popcll", "__ffs", "__clz", "min", "max", "clamp", "strlen",
}
"""What they return depends on their arguments alone."""
SYNCHRONISING = {
    "__syncthreads", "__syncwarp", "__threadfence", "__threadfence_block", "__threadfence_system", "team_barrier",
}
OF_A_WARP = {"__ballot_sync", "__any_sync", "__all_sync", "__activemask"}
OF_A_BLOCK = {"__syncthreads_or", "__syncthreads_and", "__syncthreads_count"}
SHUFFLES = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync"}
ATOMIC = {
    *(f"atomic{name}{scope}" for name in ("Add", "Sub", "Exch", "Min", "Max", "Inc", "Dec", "CAS", "And", "Or", "Xor")
      for scope in ("", "_block", "_system")),
    *(f"atomic_{name}" for name in (
        "add", "sub", "exchange", "compare_exchange", "fetch_add", "fetch_sub", "fetch_min", "fetch_max", "fetch_and",
        "fetch_or", "fetch_xor", "store", "load", "inc", "dec", "increment", "decrement", "max", "min")),
}
READING = {"printf", "memcmp", "strcmp", "assert", "__assert_fail", "clock", "clock64"}
"""They keep no pointer that they get."""
COPYING = {"memcpy", "memmove", "strcpy"}

NAMES = {*MATHEMATICS, *SYNCHRONISING, *OF_A_WARP, *OF_A_BLOCK, *SHUFFLES, *ATOMIC, *READING, *COPYING, "memset",
         "__ldg"}

KOKKOS_LAUNCHES = {"Kokkos::parallel_for", "Kokkos::parallel_reduce", "Kokkos::parallel_scan"}
KOKKOS_SINGLE = "Kokkos::single"
TEAM_MEMBERS = {
    "team_rank": Value(Level.THREAD, 0, MOST_THREADS - 1, Index.THREAD, aligned=True, dims=frozenset("x")),
    "thread_rank": Value(Level.THREAD, 0, MOST_THREADS - 1, Index.THREAD, aligned=True, dims=frozenset("xyz")),
    "league_rank": of_range(Level.BLOCK, 0, None),
    "team_size": Value(Level.GRID, 1, MOST_THREADS),
    "league_size": of_range(Level.GRID, 1, None),
}
