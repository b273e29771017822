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

}  // namespace haloheap::backend

#endif
