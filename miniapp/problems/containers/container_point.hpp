// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_POINT_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_CONTAINERS_CONTAINER_POINT_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/containers/container_app.hpp>

#include <string>

namespace haloheap {

/// The deck's section coherence. @throws UsageError, also for more than one rank: devices are of one process
coherence::ContextOptions read_coherence(const deck::Deck& deck, int ranks);

/// "2 devices, policy region, peer copies", for plans.
std::string describe(const coherence::ContextOptions& options);

/// What all applications on containers measure.
report::QuantityList container_quantities();

/// The same, and what an application measures itself.
template <class Result>
report::QuantityList container_quantities(const report::Quantities<Result>& own) {
  report::QuantityList all = container_quantities();
  for (const report::Quantity* quantity : list_of(own)) all.push_back(quantity);
  return all;
}

/// Warm-up and measured runs of an application, each with containers of its own, and with a context of its
/// own, so that device memory is taken in every run, as in the paper's.
report::Point run_container_point(const RunContext& context, ContainerApp& app);

}  // namespace haloheap

#endif
