// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_CONSTANTS_HALO_HPP
#define HALOHEAP_COMM_HALO_CONSTANTS_HALO_HPP

#include <haloheap/comm/halo/grid_computation.hpp>
#include <haloheap/comm/halo/halo_exchange.hpp>
#include <haloheap/comm/halo_plan.hpp>

namespace haloheap::comm::detail {

/// Fills what is around a rank's part of the fields that no step changes: once, or whenever they were changed
/// between steps.
class ConstantsHalo {
 public:
  /// Collective. @param setup with constants. @throws as HaloExchange
  ConstantsHalo(const Communicator& communicator, const GridComputation& setup, const DeepHaloConfig& config,
                const stencil::Subdomain& where);

  /// Collective; returns when it is done. @throws as HaloExchange::exchange
  void fill(const backend::Exec& exec);

 private:
  GivenConstants given_;
  stencil::Subdomain where_;
  HaloPlan plan_;
  PhaseTimer timer_{false};
  HaloExchange exchange_;
};

}  // namespace haloheap::comm::detail

#endif
