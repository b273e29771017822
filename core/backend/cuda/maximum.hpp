// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_MAXIMUM_HPP
#define HALOHEAP_BACKEND_MAXIMUM_HPP

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// The larger of two numbers; NaN, if one is (IEEE 754-2019). Of two zeros either.
template <class T>
KOKKOS_FORCEINLINE_FUNCTION T maximum(T one, T other) {
  return other > one || other != other ? other : one;
}

/// One instruction, where there is one.
KOKKOS_FORCEINLINE_FUNCTION float maximum(float one, float other) {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  float larger;
  asm("max.NaN.f32 %0, %1, %2;" : "=f"(larger) : "f"(one), "f"(other));
  return larger;
#else
  return maximum<float>(one, other);
#endif
}

}  // namespace haloheap::backend

#endif
