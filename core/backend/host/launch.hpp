// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_BACKEND_LAUNCH_HPP
#define HALOHEAP_BACKEND_LAUNCH_HPP

#include <haloheap/core/backend/host/queues.hpp>

#include <Kokkos_Core.hpp>

#include <cstdint>
#include <string>
#include <type_traits>

namespace haloheap::backend {

/// Enqueues a kernel, as Kokkos::parallel_for does. The libraries launch by this what may be in a queue at
/// the same time as other work, so that tests on a host can keep it there; see queues.hpp. Kernel and policy
/// are values: what they point to has to live until they have run.
template <class Policy, class Kernel>
void parallel_for(const std::string& label, const Policy& policy, const Kernel& kernel) {
  if constexpr (std::is_same_v<typename Policy::execution_space, Exec>) {
    if (host::Queues* const queues = host::queues(); queues != nullptr)
      return queues->enqueue(policy.space(),
                             [label, policy, kernel] { Kokkos::parallel_for(label, policy, kernel); });
  }
  Kokkos::parallel_for(label, policy, kernel);
}

/// The same, by this thread alone if there is so little to do that waking others would take longer. Tools see
/// it as any other kernel.
template <class... Properties, class Kernel>
void parallel_for(const std::string& label, const Kokkos::RangePolicy<Properties...>& policy,
                  const Kernel& kernel, bool little) {
  if (!little || host::queues() != nullptr) return backend::parallel_for(label, policy, kernel);
  std::uint64_t id = 0;
  Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(policy.space()), &id);
  for (auto i = policy.begin(); i < policy.end(); ++i) kernel(i);
  Kokkos::Tools::endParallelFor(id);
}

/// Waits for what is in the queue of an instance, as its own fence does, and for nothing else.
template <class Space>
void fence(const Space& space, const std::string& label) {
  if constexpr (std::is_same_v<Space, Exec>) {
    if (host::Queues* const queues = host::queues(); queues != nullptr) return queues->drain(space);
  }
  space.fence(label);
}

}  // namespace haloheap::backend

#endif
