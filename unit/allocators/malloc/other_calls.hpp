// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_ALLOCATORS_MALLOC_OTHER_CALLS_HPP
#define HALOHEAP_UNIT_ALLOCATORS_MALLOC_OTHER_CALLS_HPP

// Behind haloheap/heap.hpp with HALOHEAP_REPLACE_MALLOC: part of a program as it was written for another
// malloc.
#include <Kokkos_Core.hpp>

#include <cstdint>

/// Counts what is not as it should be.
struct OtherCalls {
  KOKKOS_FUNCTION void operator()(int i, int& sum) const {
    auto* numbers = static_cast<int*>(calloc(3, sizeof(int)));
    numbers[0] += i;
    numbers = static_cast<int*>(realloc(numbers, 500));
    void* const aligned = aligned_alloc(64, 64);
    sum += numbers[0] == i && numbers[2] == 0 && reinterpret_cast<std::uintptr_t>(aligned) % 64 == 0 ? 0 : 1;
    free(numbers);
    free(aligned);
  }
};

#endif
