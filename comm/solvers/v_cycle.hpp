// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_COMM_SOLVERS_V_CYCLE_HPP
#define HALOHEAP_COMM_SOLVERS_V_CYCLE_HPP

#include <haloheap/comm/solvers/cell_gather.hpp>
#include <haloheap/comm/solvers/coefficient_operator.hpp>
#include <haloheap/comm/solvers/dense_inverse.hpp>
#include <haloheap/comm/solvers/diagonal_scaling.hpp>
#include <haloheap/comm/solvers/grid_transfer.hpp>
#include <haloheap/comm/solvers/linear_system.hpp>
#include <haloheap/comm/solvers/replayed_steps.hpp>

#include <memory>
#include <optional>
#include <vector>

namespace haloheap::comm::detail {

/// z = M r by one V-cycle of a geometric multigrid method ([Trottenberg2001]), where M is symmetric and
/// positive definite if the operator is.
///
/// Levels halve the grid in every dimension, with linear interpolation P and coarse operators P' A P: the
/// fine one as it is, the others by coefficients in memory. Smoothing is a polynomial of Jacobi steps, which
/// has the least maximum over the upper part of the spectrum, up to the largest row sum. So no order of cells
/// or ranks matters, and the bits are the same on any rank grid.
///
/// A level has two exchanges a cycle, of the right side before and of the correction after it: what smoothing
/// and restriction need of neighbours is computed on ghost cells. Where subdomains would be smaller than
/// these, all ranks get the whole grid and go on alone; the last level, of some hundred cells at most, is
/// multiplied by its inverse. What needs no host comes from graphs: most levels are so small that a kernel is
/// done before the next is launched.
template <class T>
class VCycle {
 public:
  using Exec = backend::Exec;

  /// Collective. @param r, z fields of the system's layout, which must outlive this object
  /// @throws as HaloExchange, OutOfMemory; UsageError for an operator of other radius than 1 or of less depth
  /// than multigrid_depth, and if the coarsest grid would be too large for factors
  VCycle(const LinearSystem<T>& system, const memory::Array<T>& r, const memory::Array<T>& z);
  ~VCycle();

  /// Collective: the coarse operators, by what the finer one makes of interpolated cells; nothing if they are
  /// there already. Waits. Changes r and z. @returns what is wrong with the operator
  std::optional<StopReason> prepare(const Exec& exec);
  /// Collective. r in own cells; z gets valid there.
  void apply(const Exec& exec);

  /// @throws CommunicationError if a neighbour has stayed silent
  void check();

 private:
  struct Level;

  void add_finest(const memory::Array<T>& r, const memory::Array<T>& z);
  void add_below(Level& finer);
  std::optional<StopReason> find_factors(const Exec& exec, Level& level);
  void make_coarse_operator(const Exec& exec, Level& finer, Level& coarse);
  bool invert(const Exec& exec, const Level& coarsest);
  void add_cycle();
  void add_exchange(Level& level, int set);
  void smooth_down(const Exec& exec, const Level& level, const Level& coarse) const;
  void smooth_up(const Exec& exec, const Level& level, const Level& coarse) const;

  const LinearSystem<T>& system_;
  Communicator alone_;
  int steps_, depth_;
  PhaseTimer timer_{false};  // nobody looks at times
  DiagonalScaling<T> scaling_;
  std::vector<std::unique_ptr<Level>> levels_;
  std::optional<DenseInverse<T>> coarsest_;
  ReplayedSteps cycle_;
};

extern template class VCycle<float>;
extern template class VCycle<double>;

}  // namespace haloheap::comm::detail

#endif
