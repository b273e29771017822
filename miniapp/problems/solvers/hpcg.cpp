// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// HPCG's problem: the time that a solver of ours needs to the residual of HPCG's reference, and the rating
// that follows from it.
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_run.hpp>
#include <haloheap/miniapp/problems/solvers/solver_report.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace {

struct HpcgPoint {
  const HpcgSettings& settings;
  const HpcgReference& reference;
  const HpcgResult& result;
  report::Timing timing;

  double seconds() const { return timing.wall.median; }
  double cells() const { return static_cast<double>(product(settings.cells)); }
  double iterations() const { return static_cast<double>(result.solution.iterations); }
  double operations() const { return hpcg_operations(settings.cells, settings.reference_iterations).total(); }
  /// ||r|| by the solver's recurrence, over that of the start.
  double reached() const { return result.solution.history.back() / result.solution.history.front(); }
  double computed_anew() const { return result.solution.residual / result.solution.history.front(); }
};

const report::Quantities<HpcgPoint>& hpcg_quantities() {
  using P = HpcgPoint;
  using report::Shown;
  static const auto all =
      report::Quantities<P>{}
          .with(&P::timing, report::shown_timings())
          .add({
              {{"figures.iterations", "", "iterations", "Iterations of the solver, of a run.", Shown{}},
               [](const P& p) { return p.iterations(); }},
              {{"figures.hpcg_gflops", "GFLOP/s", "rating",
                "1e9 floating-point operations a second, as HPCG counts those of its reference's iterations, "
                "over "
                "the time in which the solver reaches their residual: HPCG's total with convergence "
                "overhead. Not "
                "an official result.",
                Shown{"GFLOP/s"}},
               [](const P& p) { return 1e-9 * p.operations() / p.seconds(); }},
              {{"figures.hpcg_gflops_with_set_up", "GFLOP/s", "rating with set-up",
                "The same over the time and a tenth of the set-up's, as HPCG's final rating has it. Not an "
                "official result.",
                Shown{"with set-up"}},
               [](const P& p) { return 1e-9 * p.operations() / (p.seconds() + p.result.set_up / 10); }},
              {{"figures.gb_per_s", "GB/s", "memory",
                "1e9 bytes a second of all ranks, if an iteration moves no more values a cell than its "
                "method "
                "asks for: see the problems of implicit heat.",
                Shown{"GB/s"}},
               [](const P& p) -> std::optional<double> {
                 if (p.settings.solver.assembled()) return std::nullopt;
                 return 1e-9 * p.cells() * values_an_iteration(p.settings.solver, 3, 0) * sizeof(double) *
                        p.iterations() / p.seconds();
               }},
              {stop_reason(), [](const P& p) { return name_of(p.result.solution.reason); }},
              {condition_number(), [](const P& p) { return p.result.condition; }},
              {last_block_steps(), [](const P& p) { return p.result.block_steps; }},
              {{"figures.reference_residual", "", "reference residual",
                "Of HPCG's reference after hpcg.reference_iterations: the norm of the residual, over that of "
                "the start. A solver stops where its own is no larger.",
                Shown{"to residual", 1, ".2e"}},
               [](const P& p) { return p.reference.reached(); }},
              {{"figures.residual",
                "",
                "residual",
                "Of the solver in the end by its recurrence, over that of the start.",
                {}},
               [](const P& p) { return p.reached(); }},
              {{"figures.computed_residual",
                "",
                "residual computed anew",
                "The norm of b - A x in the end, over that of the start: below some 1e-15 it is what "
                "rounding "
                "leaves.",
                {}},
               [](const P& p) { return p.computed_anew(); }},
              {{"figures.error", "", "error", "The largest difference of the solution from 1.",
                Shown{"", 1, ".1e"}},
               [](const P& p) { return p.result.error; }},
              {{"figures.matrix_asymmetry",
                "",
                "asymmetry of the matrix",
                "|x'Ay - y'Ax| / (2 |x| |A| |y| epsilon) for two drawn fields, with |A| = 52: HPCG allows 1. "
                "Of "
                "verified runs.",
                {}},
               [](const P& p) {
                 return p.result.symmetry ? std::optional(p.result.symmetry->matrix) : std::nullopt;
               }},
              {{"figures.preconditioner_asymmetry",
                "",
                "asymmetry of the preconditioner",
                "The same of a V-cycle, with the same |A|, where the solver has one.",
                {}},
               [](const P& p) {
                 return p.result.symmetry ? p.result.symmetry->preconditioner : std::nullopt;
               }},
              {{"figures.set_up_s",
                "s",
                "set-up",
                "Operator and solver with its coarse operators, once for all runs.",
                {}},
               [](const P& p) { return p.result.set_up; }},
              {{"figures.reference_s", "s", "reference",
                "The iterations of HPCG's reference, plain code on the hosts, one thread a rank, once before "
                "the "
                "runs.",
                Shown{"reference [s]"}},
               [](const P& p) { return p.reference.seconds; }},
          });
  return all;
}

/// What rounding may leave of b - A x: each of 27 terms a cell is rounded, and those of the solution are
/// of 1.
double rounding_of(double cells) {
  return 27 * 53 * 0x1p-52 * std::sqrt(cells);
}

/// What a run must keep to, and does not.
std::string wrong_with(const HpcgPoint& point) {
  const HpcgResult& result = point.result;
  if (result.of_ones != 0)
    return fmt::format("the operator does not make the right side of ones: residual {:.3g}", result.of_ones);
  if (!result.solution.converged())
    return fmt::format("the residual of the reference was not reached, because of: {}",
                       name_of(result.solution.reason));
  // HPCG's own margin.
  if (!(point.reached() <= point.reference.reached() * (1 + 1e-6)))
    return fmt::format("the residual is {:.3g}, and that of the reference {:.3g}", point.reached(),
                       point.reference.reached());
  // An error is no larger than a residual over the smallest eigenvalue.
  const double allowed =
      (point.reference.reached() * result.solution.history.front() + rounding_of(point.cells())) /
      hpcg_smallest_eigenvalue(point.settings.cells);
  const auto off = [&](const char* what, double error) {
    return fmt::format("a cell of the {} is {:.3g} away from 1, and {:.3g} is allowed", what, error, allowed);
  };
  if (!(result.error <= allowed)) return off("solution", result.error);
  if (!(point.reference.error <= allowed)) return off("reference", point.reference.error);
  if (!result.symmetry) return "";
  if (!(result.symmetry->matrix <= 1)) return "the matrix is not symmetric";
  if (result.symmetry->preconditioner && !(*result.symmetry->preconditioner <= 1))
    return "the preconditioner is not symmetric";
  return "";
}

constexpr const char* not_of_assembled =
    "symmetry was not tested: what is known of the rule says nothing of Kokkos-Kernels' parts";
constexpr const char* not_official =
    "not an official result: HPCG wants its own multigrid method, a matrix in memory and at least the "
    "reference's number of iterations; this is the same problem to the same residual by other means";

class Hpcg final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const HpcgSettings s = read_hpcg(deck, ranks);
    const SolverSettings& solver = s.solver;
    constexpr double mib = 1024.0 * 1024.0;
    const auto bytes = static_cast<double>(s.grid(0).layout(solver.depth(), 1, sizeof(double)).size()) *
                       sizeof(double) * s.fields();
    return fmt::format(
        "grid {} x {} x {}, {} iterations of HPCG's reference on the hosts, rank grid {} x {} x {}\n"
        "  memory of a rank: {} fields, {:.2f} MiB; of the reference {:.2f} MiB of the host\n"
        "  method '{}', operator '{}', preconditioner '{}', to the residual of the reference or {} "
        "iterations\n",
        s.cells.x, s.cells.y, s.cells.z, s.reference_iterations, s.ranks.x, s.ranks.y, s.ranks.z, s.fields(),
        bytes / mib, static_cast<double>(hpcg_reference_bytes(s.grid(0))) / mib, name_of(solver.method),
        name_of(solver.form), name_of(solver.preconditioner), solver.config.max_iterations);
  }

  report::QuantityList quantities() const override {
    return list_of(hpcg_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const HpcgSettings settings = read_hpcg(context.deck, context.communicator.size());
    const HpcgReference& reference =
        references_.find(context.communicator, settings.grid(context.communicator.rank()),
                         settings.reference_iterations, settings.solver.config.halo.timeout);
    const HpcgResult result = run_hpcg(context, settings, reference);
    const HpcgPoint measured{
        settings, reference, result, {report::spread_of(result.seconds), result.warm_up}};
    report::Point point;
    point.ranks = context.communicator.size();
    point.rank_grid = {settings.ranks.x, settings.ranks.y, settings.ranks.z};
    point.work.problem = context.deck.get<std::string>("problem");
    point.work.steps = settings.reference_iterations;
    point.work.scalar = name_of(Precision::float64);
    point.work.size = {settings.cells.x, settings.cells.y, settings.cells.z};
    point.measure(hpcg_quantities(), measured);
    point.measure(report::memory_use(), report::MemoryUse{result.peak_bytes});
    const std::string wrong = wrong_with(measured);
    if (context.deck.get<bool>("run.verify")) point.verification = report::verification_of(wrong);
    if (!wrong.empty()) point.notes.push_back("not HPCG's solution: " + wrong);
    point.notes.emplace_back(not_official);
    if (const auto note = note_on_blocks(settings.solver, result.block_steps)) point.notes.push_back(*note);
    if (settings.solver.assembled()) point.notes.emplace_back(not_of_assembled);
    if (settings.solver.assembled()) point.notes.emplace_back(memory_of_assembled);
    point.notes.push_back("ghost cells by transport: " + result.mix);
    write_history(context, result.solution.history);
    return point;
  }

 private:
  HpcgReferences references_;
};

}  // namespace

ProblemEntry hpcg_problem() {
  return {.name = "hpcg",
          .help = "HPCG's linear system of 27 points to the residual of HPCG's reference, and its rating",
          .add_keys = {add_grid_keys, add_hpcg_keys, add_solver_keys, add_ranks_keys, add_transport_keys,
                       add_memory_keys},
          .make = make_problem<Hpcg>,
          .advice = AdviceKind::solver,
          .dims = 3};
}

}  // namespace haloheap
