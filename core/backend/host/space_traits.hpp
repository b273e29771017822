// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_SPACE_TRAITS_HPP
#define HALOHEAP_BACKEND_SPACE_TRAITS_HPP

#include <haloheap/core/backend/space_kind.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::backend {

/// The Kokkos space whose copies and rules of access a kind of space takes over. Kernels run on the host, so
/// all of them are host memory here.
template <SpaceKind Kind>
struct BaseSpace {
  using type = Kokkos::HostSpace;
};

template <class Space>
inline constexpr bool holds_device_space = false;
template <>
inline constexpr bool holds_device_space<memory::ResourceSpace<SpaceKind::device>> = true;
template <class Execution>
inline constexpr bool
    holds_device_space<Kokkos::Device<Execution, memory::ResourceSpace<SpaceKind::device>>> = true;

}  // namespace haloheap::backend

namespace Kokkos::Impl {

/// Host kernels reach the emulated device's memory, so Kokkos would take a View there for its own mirror. A
/// mirror has to be a second copy, as on a real device: otherwise no staging path would run in the host's
/// tests.
template <class Original>
requires haloheap::backend::holds_device_space<Original>
struct HostMirror<Original> {
  using Space = Kokkos::HostSpace;
};

}  // namespace Kokkos::Impl

#endif
