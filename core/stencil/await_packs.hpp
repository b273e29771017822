// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_AWAIT_PACKS_HPP
#define HALOHEAP_CORE_STENCIL_AWAIT_PACKS_HPP

#include <haloheap/core/lanes/platform.hpp>
#include <haloheap/core/stencil/sweep_tiles.hpp>

#include <cstring>

namespace haloheap::stencil::detail {

/// Waits for `Count` packs that are being loaded, from number `first` on, before others are asked for: see
/// backend::await.
template <int Count, class T, int Width, int Size>
KOKKOS_FORCEINLINE_FUNCTION void await_packs(const Pack<T, Width> (&packs)[Size], int first = 0) {
  int all = 0;
  HALOHEAP_UNROLL
  for (int i = 0; i < Count; ++i) {
    const T value = packs[first + i].value[0];  // a copy: nothing should take the address of a register
    int word = 0;
    memcpy(&word, &value, sizeof(value) < sizeof(word) ? sizeof(value) : sizeof(word));
    all ^= word;
  }
  backend::await(all);
}

}  // namespace haloheap::stencil::detail

#endif
