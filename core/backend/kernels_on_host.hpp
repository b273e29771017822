// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_KERNELS_ON_HOST_HPP
#define HALOHEAP_CORE_BACKEND_KERNELS_ON_HOST_HPP

#include <Kokkos_Core.hpp>

#include <type_traits>

namespace haloheap::backend {

/// Whether kernels of the default execution space run on the host: the device is emulated then, and each
/// reaches the other's memory.
inline constexpr bool kernels_on_host =
    std::is_same_v<Kokkos::DefaultExecutionSpace, Kokkos::DefaultHostExecutionSpace>;

}  // namespace haloheap::backend

#endif
