// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_HALO_PROBLEM_HPP
#define HALOHEAP_COMM_HALO_PROBLEM_HPP

#include <haloheap/core/base/config_problem.hpp>

namespace haloheap::comm {

/// What of GridProblem, DeepHaloConfig and HaloExchangeConfig can be wrong beside the rest.
enum class HaloSetting {
  boundary_x,
  boundary_y,
  boundary_z,
  cells,
  corners,
  depth,
  fused_steps,
  graph,
  mpi,
  packing,
  redundant,
  residual_interval
};

using HaloProblem = ConfigProblem<HaloSetting>;

}  // namespace haloheap::comm

#endif
