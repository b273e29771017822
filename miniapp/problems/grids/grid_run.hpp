// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RUN_HPP
#define HALOHEAP_MINIAPP_PROBLEMS_GRIDS_GRID_RUN_HPP

#include <haloheap/miniapp/problem.hpp>
#include <haloheap/miniapp/problems/grids/grid_reference.hpp>
#include <haloheap/miniapp/problems/grids/grid_results.hpp>
#include <haloheap/miniapp/problems/grids/grid_stepper.hpp>
#include <haloheap/miniapp/repetitions.hpp>

#include <array>
#include <string>
#include <vector>

namespace haloheap {

/// One point of a sweep, with fields of T: what is measured, checked and reported.
template <class T>
class GridRun {
 public:
  /// Collective; allocates. @throws AgreedError if any rank cannot
  GridRun(const RunContext& context, const GridSettings& settings, const GridModelOf<T>& model,
          GridReference& reference);

  /// Warm-up, repetitions, ceiling, verification, field files, frames. Collective.
  report::Point run();

 private:
  using PhaseSeconds = std::array<double, comm::phase_count>;

  void show(grid::Index done);
  double repetition();
  void warm_up();
  void measure();
  void measure_overlap();
  void keep();
  void count();
  void check(report::Point& point);
  std::string residual_difference();
  void report_residual();
  void describe(report::Point& point) const;
  void describe_path(report::Point& point);
  void report_phases();

  const RunContext& context_;
  GridSettings settings_;
  const GridModelOf<T>& model_;
  GridCosts costs_;
  GridReference& reference_;
  GridStepper<T> stepper_;
  Repetitions repetitions_;
  int runs_, runs_done_ = 0;
  GridResult result_;
  std::vector<stencil::ResidualSum> residuals_;  // of the last repetition, over all ranks
  bool residuals_vary_ = false;                  // from one repetition to another
  std::vector<PhaseSeconds> phase_times_;        // of this rank, a repetition; none without phase timers
  std::vector<double> h2d_times_, d2h_times_;    // seconds of each repetition, with a transfer mode
};

/// Runs of all steps that a point makes.
int grid_runs(const deck::Deck& deck, Measure measure);

}  // namespace haloheap

#endif
