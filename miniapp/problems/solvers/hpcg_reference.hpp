// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_REFERENCE_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_SOLVERS_HPCG_REFERENCE_HPP

#include <haloheap/comm/communicator.hpp>
#include <haloheap/comm/halo/grid.hpp>

#include <vector>

namespace haloheap {

/// What HPCG's reference has found.
struct HpcgReference {
  /// ||r|| by the recurrence, over that of the start, after each iteration. Fewer than were asked for where
  /// it became 0.
  std::vector<double> residuals;
  double error = 0;    ///< the largest difference of the solution from 1
  double seconds = 0;  ///< of the slowest rank

  double reached() const { return residuals.empty() ? 1 : residuals.back(); }
};

/// HPCG's reference ([Dongarra2016]), by plain code on the hosts of all ranks: conjugate gradients from 0
/// with a multigrid method of four levels, each with a sweep of a symmetric Gauss-Seidel method before and
/// after the coarser ones, in the natural order of a rank's cells and with what neighbours had before it;
/// every other cell is a coarse one. So its residual depends on the rank grid. Collective.
/// @param grid whose cells every rank can halve three times: hpcg_divisor
/// @param timeout seconds after which a silent neighbour is given up
/// @throws CommunicationError
HpcgReference run_hpcg_reference(const comm::Communicator& communicator, const comm::Grid& grid,
                                 int iterations, double timeout);

/// Of the points of a sweep, which often have the same: only those run that are not the one of before.
class HpcgReferences {
 public:
  /// Collective. As run_hpcg_reference.
  const HpcgReference& find(const comm::Communicator& communicator, const comm::Grid& grid, int iterations,
                            double timeout);

 private:
  std::vector<grid::Index> last_;  ///< of which
  HpcgReference found_;
};

/// Bytes of a rank's fields in it.
std::size_t hpcg_reference_bytes(const comm::Grid& grid);

/// The right side in a cell: what the matrix makes of ones.
double hpcg_right_side(const grid::Triple& cells, const grid::Triple& cell);

}  // namespace haloheap

#endif
