// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_STENCIL_PACK_HPP
#define HALOHEAP_CORE_STENCIL_PACK_HPP

namespace haloheap::stencil::detail {

/// Cells of a row that are loaded and stored together.
template <class T, int Width>
struct alignas(sizeof(T) * Width) Pack {
  T value[Width];
};

}  // namespace haloheap::stencil::detail

#endif
