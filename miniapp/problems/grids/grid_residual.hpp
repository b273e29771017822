// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RESIDUAL_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RESIDUAL_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/core/stencil/residual.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace haloheap {

/// The sums of each step over all ranks, from every rank's share. Exact, so the same on any rank grid.
/// Collective.
std::vector<stencil::ResidualSum> sum_over_ranks(const comm::Communicator& communicator,
                                                 std::vector<stencil::ResidualSum> mine);

/// The norm of each step: the root of its sum.
std::vector<double> norms(const stencil::ResidualScale& scale, const std::vector<stencil::ResidualSum>& sums);

/// Those of each `interval`-th step alone.
std::vector<stencil::ResidualSum> each(int interval, const std::vector<stencil::ResidualSum>& sums);

/// The first sum that is not the expected one, bit for bit: "the residual of step 3"; empty if all are equal.
/// @param interval steps from one sum to the next
std::string difference(const std::vector<stencil::ResidualSum>& sums,
                       const std::vector<stencil::ResidualSum>& expected, int interval);

/// Writes "step,norm" and a line a norm, with all digits. @throws IoError
void write_norms(const std::filesystem::path& path, const std::vector<double>& norms, int interval);

}  // namespace haloheap

#endif
