// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_CORE_BACKEND_KERNEL_ARGUMENT_HPP
#define HALOHEAP_CORE_BACKEND_KERNEL_ARGUMENT_HPP

#include <Kokkos_Core.hpp>

namespace haloheap::backend {

/// A policy whose kernel is passed as an argument, whatever its size. Kokkos passes functors above 512 bytes
/// through one shared buffer, which makes launches of different instances wait for each other and cannot be
/// recorded in a graph.
template <class Policy>
auto as_kernel_argument(const Policy& policy) {
  return Kokkos::Experimental::require(policy, Kokkos::Experimental::WorkItemProperty::HintLightWeight);
}

}  // namespace haloheap::backend

#endif
