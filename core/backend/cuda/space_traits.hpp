// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_SPACE_TRAITS_HPP
#define HALOHEAP_BACKEND_SPACE_TRAITS_HPP

#include <haloheap/core/backend/space_kind.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// The Kokkos space whose copies and rules of access a kind of space takes over.
template <SpaceKind Kind>
struct BaseSpace;
template <>
struct BaseSpace<SpaceKind::pageable> {
  using type = Kokkos::HostSpace;
};
template <>
struct BaseSpace<SpaceKind::device> {
  using type = Kokkos::CudaSpace;
};
template <>
struct BaseSpace<SpaceKind::shared> {
  using type = Kokkos::CudaUVMSpace;
};

}  // namespace haloheap::backend

#endif
