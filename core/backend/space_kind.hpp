// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_SPACE_KIND_HPP
#define HALOHEAP_CORE_BACKEND_SPACE_KIND_HPP

namespace haloheap::backend {

/// Who can reach the memory. Kokkos wants to know at compile time, so there is one memory space for each.
enum class SpaceKind {
  pageable,  ///< the host only
  device,    ///< the device only
  shared,    ///< both
};

}  // namespace haloheap::backend

namespace haloheap::memory {

template <backend::SpaceKind Kind>
class ResourceSpace;

}  // namespace haloheap::memory

#endif
