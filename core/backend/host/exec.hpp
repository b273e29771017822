// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_EXEC_HPP
#define HALOHEAP_BACKEND_EXEC_HPP

#include <Kokkos_Core_fwd.hpp>

namespace haloheap::backend {

/// Where kernels run: in Kokkos' default space, or in that of HALOHEAP_HOST_SPACE where a build has libraries
/// for both. Declared only: who launches one, or waits, includes Kokkos.
#ifdef HALOHEAP_HOST_SPACE
#ifdef HALOHEAP_DEVICE_SPACE
#error \
    "This file is linked with the libraries of two spaces (haloheap::core and haloheap::host_core, say): give it those of one"
#endif
using Exec = Kokkos::HALOHEAP_HOST_SPACE;
#else
using Exec = Kokkos::DefaultExecutionSpace;
#endif

/// Whether kernels run on the host: the device is emulated then, and each reaches the other's memory.
inline constexpr bool kernels_on_host = true;

}  // namespace haloheap::backend

#endif
