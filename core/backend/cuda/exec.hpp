// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_EXEC_HPP
#define HALOHEAP_BACKEND_EXEC_HPP

#ifdef HALOHEAP_HOST_SPACE
#error \
    "This file is linked with the libraries of two spaces (haloheap::core and haloheap::host_core, say): give it those of one"
#endif

namespace Kokkos {
class Cuda;  // and none of Kokkos' headers, which only nvcc can read
}

namespace haloheap::backend {

/// Where kernels run. Declared only: who launches one, or waits, includes Kokkos.
using Exec = Kokkos::Cuda;

/// Whether kernels run on the host: the device is emulated then, and each reaches the other's memory.
inline constexpr bool kernels_on_host = false;

}  // namespace haloheap::backend

#endif
