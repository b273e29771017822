// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/problems/solvers/solver_report.hpp>
#include <haloheap/miniapp/report/output_file.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace haloheap {
namespace {

/// Of a V-cycle, in a cell of the grid. A level: a first step of three, or two at once, which read the
/// operator too; others and those after the correction of `step`, which reads a right side, a scaling, the
/// field and the operator; a residual of one less, which is restricted; the correction. Coarse operators have
/// 5 or 14 coefficients where the finest has constants.
int values_a_cycle(int dims, int steps, int constants) {
  const auto level = [&](int coefficients) {
    const int step = 4 + coefficients, first = steps == 1 ? 3 : 3 + coefficients;
    const int others = steps + std::max(steps - 2, 0);
    return first + others * step + step - 1 + 1 + 2;
  };
  return dims == 2 ? level(constants) + level(5) / 3 : level(constants) + level(14) / 7;
}

/// Of GMRES, as the class says: the mean of a cycle. An iteration applies the operator and makes products and
/// vectors; the last one makes solution and residual in the place of vectors.
int values_a_minimal_residual(int restart, int constants, bool scaled) {
  const int scaling = scaled ? 1 : 0;
  int all = 0;
  for (int vectors = 0; vectors < restart; ++vectors) {
    const int products = vectors + 2 + 2 * ((vectors + 1) / 8);
    const int update = vectors + 4 + 4 * (std::max(vectors - 1, 0) / 16);
    const int end = vectors + 1 + 2 + 2 * (vectors / 16) + scaling + 5;
    all += 2 + constants + scaling + products + (vectors + 1 < restart ? update : end);
  }
  return (all + restart - 1) / restart;
}

}  // namespace

/// Conjugate gradients: residual, last direction and constants make the next direction and what the operator
/// makes of it; then solution, residual, direction and what was applied make the first two anew. A step of a
/// Chebyshev iteration: residual, direction, solution and constants make the first three anew.
int values_an_iteration(const SolverSettings& settings, int dims, int constants) {
  const int conjugate = 4 + constants + 6, step = 6 + constants;
  const comm::SolverConfig& config = settings.config;
  const bool scaled = config.preconditioner == comm::Preconditioner::jacobi;
  // A direction of four; twice an operator, of three and two; a subtraction of three; an update of seven.
  if (settings.method == comm::SolverMethod::bicgstab)
    return 4 + (3 + constants) + (2 + constants) + 3 + 7 + (scaled ? 3 : 0);
  if (settings.method == comm::SolverMethod::gmres)
    return values_a_minimal_residual(config.restart, constants, scaled);
  // A step of seven, which writes six; an operator of two.
  if (settings.method == comm::SolverMethod::pipelined_cg) return 7 + 6 + 2 + constants + (scaled ? 2 : 0);
  if (settings.method == comm::SolverMethod::s_step_cg) {
    // Of a block: vectors by an operator of two and one more, their products, and a combination.
    const int s = config.block_steps, vectors = 2 * s + 1;
    return ((vectors - 2) * (2 + constants + 1) + vectors + (vectors + 1) + 3 + s - 1) / s;
  }
  if (settings.method == comm::SolverMethod::chebyshev) return step;
  if (settings.multigrid()) {  // a cycle, and a sum and a residual, or two products
    const int cycle = values_a_cycle(dims, config.smoothing_steps, constants);
    return cycle + (settings.method == comm::SolverMethod::multigrid ? 3 + 3 + constants + 1 : conjugate + 2);
  }
  if (scaled) return conjugate + 2;  // read twice
  // The residual is copied, and multiplied with what comes out.
  if (config.preconditioner == comm::Preconditioner::polynomial)
    return conjugate + 2 + step * config.inner_steps + 2;
  return conjugate;
}

report::Quantity stop_reason() {
  return {
      "solution.reason", "", "stopped",
      "Why the solver stopped: converged; iterations, if solver.max_iterations were made; stagnated, if "
      "the residual falls no further; indefinite, if the operator is not positive definite, or has 0 on "
      "the diagonal; breakdown, if a product vanished, or the operator is singular; singular, if there is no "
      "solution; not a number, if a value is not finite. Of several steps, that of the first one which "
      "failed, or else did not "
      "converge.",
      report::Shown{}};
}

report::Quantity condition_number() {
  return {
      "figures.condition",
      "",
      "condition number",
      "Of method cg without a preconditioner, or with a polynomial: the operator's largest eigenvalue over "
      "its smallest one, as far as iterations have seen them.",
      {}};
}

report::Quantity last_block_steps() {
  return {"figures.block_steps",
          "",
          "iterations of a block",
          "Of method s_step_cg, in the end: solver.block_steps, which are halved each time that the basis of "
          "a block has turned out to be dependent.",
          {}};
}

std::optional<std::string> note_on_blocks(const SolverSettings& settings,
                                          const std::optional<int>& block_steps) {
  if (!block_steps || *block_steps == settings.config.block_steps) return std::nullopt;
  return fmt::format("blocks of {} iterations were halved to {}, since their basis was dependent",
                     settings.config.block_steps, *block_steps);
}

void write_history(const RunContext& context, const std::vector<double>& history) {
  std::string text = "look,norm\n";
  for (std::size_t look = 0; look < history.size(); ++look)
    text += fmt::format("{},{:.17g}\n", look, history[look]);
  comm::agree(context.communicator, [&] {
    if (context.may_write && context.communicator.rank() == 0)
      report::write_whole_file(context.folder / (context.point_name + "_history.csv"), text);
  });
}

}  // namespace haloheap
