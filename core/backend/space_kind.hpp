// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_SPACE_KIND_HPP
#define HALOHEAP_CORE_BACKEND_SPACE_KIND_HPP

namespace haloheap {

/// Who can reach the memory. Kokkos wants to know at compile time, so there is one memory space for each.
enum class SpaceKind {
  pageable,  ///< the host only
  device,    ///< the device only
  shared,    ///< both
};

template <SpaceKind Kind>
class ResourceSpace;

}  // namespace haloheap

#endif
