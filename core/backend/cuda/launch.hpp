// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LAUNCH_HPP
#define HALOHEAP_BACKEND_LAUNCH_HPP

#include <Kokkos_Core.hpp>

#include <string>

namespace haloheap::backend {

/// Enqueues a kernel: Kokkos::parallel_for by another name, which host backends need.
template <class Policy, class Kernel>
inline void parallel_for(const std::string& label, const Policy& policy, const Kernel& kernel) {
  Kokkos::parallel_for(label, policy, kernel);
}

/// The same: on a device all kernels are launched alike, however little there is to do.
template <class... Properties, class Kernel>
inline void parallel_for(const std::string& label, const Kokkos::RangePolicy<Properties...>& policy,
                         const Kernel& kernel, bool /*little*/) {
  Kokkos::parallel_for(label, policy, kernel);
}

/// Waits for what is in the queue of an instance.
template <class Space>
inline void fence(const Space& space, const std::string& label) {
  space.fence(label);
}

}  // namespace haloheap::backend

#endif
