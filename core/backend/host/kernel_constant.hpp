// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP
#define HALOHEAP_BACKEND_KERNEL_CONSTANT_HPP

#include <haloheap/backend/exec.hpp>

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// A variable at namespace scope that kernels read and the host sets. Devices have one for each file that
/// includes its header. Its type has a constexpr constructor.
/// A kernel function may read it; the code of a device's host may not.
#define HALOHEAP_KERNEL_FUNCTION inline
#define HALOHEAP_KERNEL_CONSTANT inline

/// What kernels do: they are code of the host.
#define HALOHEAP_IN_KERNELS(kernels, host) KOKKOS_IF_ON_HOST(kernels)

/// Kernels that are enqueued on any instance afterwards see the value; others must have ended.
template <class T>
void set_kernel_constant(const backend::Exec& exec, T& variable, const T& value) {
  exec.fence("haloheap::backend::set_kernel_constant");
  variable = value;
}

/// Nothing: on a host, what kernels allocate with new cannot be told from what the rest of the program does.
#define HALOHEAP_REPLACE_NEW(allocate, release)

}  // namespace haloheap::backend

#endif
