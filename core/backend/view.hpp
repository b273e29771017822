// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_VIEW_HPP
#define HALOHEAP_CORE_BACKEND_VIEW_HPP

#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::backend {

/// A View in the memory of Exec. Where that is Kokkos' default space this is Kokkos::View<Data> itself, so
/// that users need not name the space.
template <class Data>
using View = std::conditional_t<std::is_same_v<Exec, Kokkos::DefaultExecutionSpace>, Kokkos::View<Data>,
                                Kokkos::View<Data, Exec>>;

}  // namespace haloheap::backend

#endif
