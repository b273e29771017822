// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat by implicit steps: a linear system of the whole grid for each, and the published answers of TeaLeaf.
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_run.hpp>
#include <haloheap/miniapp/problems/solvers/solver_report.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace haloheap {
namespace {

struct ImplicitPoint {
  const ImplicitSettings& settings;
  const ImplicitResult& result;
  report::Timing timing;
  std::optional<report::MemoryUse> memory = {};

  double cells() const { return static_cast<double>(product(settings.cells)); }
  double iterations() const { return static_cast<double>(result.iterations); }
  comm::StopReason reason() const {
    if (result.failed) return *result.failed;
    return result.stagnated ? comm::StopReason::stagnated : comm::StopReason::converged;
  }
  std::optional<double> seconds_an_iteration() const {
    if (result.iterations == 0) return std::nullopt;
    return timing.wall.median / iterations();
  }
  std::optional<double> published_difference() const {
    const auto published = published_temperature(settings);
    if (!published || !result.temperature) return std::nullopt;
    return 100 * std::abs(*result.temperature / *published - 1);
  }
};

const report::Quantities<ImplicitPoint>& implicit_quantities() {
  using P = ImplicitPoint;
  using report::Shown;
  static const auto all =
      report::Quantities<P>{}
          .with(&P::timing, report::shown_timings())
          .add({
              {{"figures.iterations", "", "iterations", "Iterations of the solver, of all steps of a run.",
                Shown{}},
               [](const P& p) { return static_cast<double>(p.result.iterations); }},
              {{"figures.iteration_us", "us", "an iteration",
                "The median of the runs' times over the iterations.", Shown{"us/iteration"}},
               [](const P& p) -> std::optional<double> {
                 const auto seconds = p.seconds_an_iteration();
                 return seconds ? std::optional(1e6 * *seconds) : std::nullopt;
               }},
              {{"figures.gb_per_s", "GB/s", "memory",
                "1e9 bytes a second of all ranks, if an iteration moves no more values a cell than its "
                "method "
                "asks for: conjugate gradients five to make a direction and apply the operator to it, six to "
                "update solution and residual. Not of assembled matrices.",
                Shown{"GB/s"}},
               [](const P& p) -> std::optional<double> {
                 const auto seconds = p.seconds_an_iteration();
                 if (!seconds || p.settings.solver.assembled()) return std::nullopt;
                 return 1e-9 * p.cells() * values_an_iteration(p.settings.solver, p.settings.dims, 1) *
                        static_cast<double>(p.settings.value_bytes()) / *seconds;
               }},
              {stop_reason(), [](const P& p) { return name_of(p.reason()); }},
              {condition_number(), [](const P& p) { return p.result.condition; }},
              {last_block_steps(), [](const P& p) { return p.result.block_steps; }},
              {{"figures.residual", "", "residual",
                "The largest norm of b - A x after a step, computed anew, over the one before it.",
                Shown{"", 1, ".1e"}},
               [](const P& p) { return p.result.residual; }},
              {{"figures.heat_change",
                "",
                "change of heat",
                "Of all heat in the grid, over the whole run: 0 but for the solver's tolerance around a "
                "periodic grid, and, without a flow, between sides without flux.",
                {},
                report::Range::any},
               [](const P& p) { return p.result.heat_change; }},
              {{"figures.temperature", "", "temperature",
                "Of start tealeaf: the sum of density, temperature and volume, as TeaLeaf prints it.",
                Shown{"", 1, ".8g"}},
               [](const P& p) { return p.result.temperature; }},
              {{"figures.published_difference_percent", "%", "from the published",
                "How far the temperature is from what TeaLeaf publishes for this benchmark.",
                Shown{"% off", 1, ".1e"}},
               [](const P& p) { return p.published_difference(); }},
              {{"figures.mode_error", "", "error of the mode",
                "Of starts mode and wave: the largest difference from the solution that is known.",
                Shown{"error", 1, ".1e"}},
               [](const P& p) { return p.result.mode_error; }},
              {{"figures.equation_error",
                "",
                "error of the equation",
                "Of start mode: the largest difference from the solution of the differential equation, of "
                "first order in the time step and of second order in the width of a cell.",
                {}},
               [](const P& p) { return p.result.equation_error; }},
          });
  return all;
}

/// What a run must keep to, and does not: the published answer, the mode's, and the solver's tolerance.
std::string wrong_with(const ImplicitPoint& point) {
  const ImplicitSettings& s = point.settings;
  if (point.result.failed) return fmt::format("a step ended because of: {}", name_of(*point.result.failed));
  if (const auto off = point.published_difference(); off && !(*off < published_tolerance))
    return fmt::format("the temperature is {:.3g} % away from the published one, and {} is allowed", *off,
                       published_tolerance);
  // Each step leaves an error of the solver's tolerance, and rounds.
  const double rounding = s.precision == Precision::float32 ? 1e-5 : 1e-12;
  const double allowed = static_cast<double>(s.steps + 1) * (s.solver.config.tolerance + rounding) * 100;
  if (point.result.mode_error && !(*point.result.mode_error <= allowed))
    return fmt::format("the mode is {:.3g} off, and {:.3g} is allowed", *point.result.mode_error, allowed);
  return "";
}

class Implicit final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const ImplicitSettings s = read_implicit(deck, ranks);
    std::size_t largest = 0;
    for (int rank = 0; rank < ranks; ++rank)
      largest = std::max(largest, static_cast<std::size_t>(
                                      s.grid(rank).layout(s.solver.depth(), 1, s.value_bytes()).size()));
    const int fields = s.fields();
    return fmt::format(
        "grid {} x {} x {}, {} implicit steps, rank grid {} x {} x {}\n"
        "  memory of the largest rank: {} fields, {:.2f} MiB\n"
        "  method '{}', operator '{}', preconditioner '{}', to {} of the first residual or {} iterations\n",
        s.cells.x, s.cells.y, s.cells.z, s.steps, s.ranks.x, s.ranks.y, s.ranks.z, fields,
        static_cast<double>(largest * s.value_bytes()) * fields / (1024 * 1024), name_of(s.solver.method),
        name_of(s.solver.form), name_of(s.solver.preconditioner), s.solver.config.tolerance,
        s.solver.config.max_iterations);
  }

  report::QuantityList quantities() const override {
    return list_of(implicit_quantities(), report::memory_use());
  }

  report::Point run(const RunContext& context) override {
    const ImplicitSettings settings = read_implicit(context.deck, context.communicator.size());
    const ImplicitResult result = run_implicit(context, settings);
    const ImplicitPoint measured{settings, result, {report::spread_of(result.seconds), result.warm_up}};
    report::Point point;
    point.ranks = context.communicator.size();
    point.rank_grid = {settings.ranks.x, settings.ranks.y, settings.ranks.z};
    point.work.problem = context.deck.get<std::string>("problem");
    point.work.steps = settings.steps;
    point.work.scalar = name_of(settings.precision);
    for (int dim = 0; dim < settings.dims; ++dim) point.work.size.push_back(settings.cells[dim]);
    point.measure(implicit_quantities(), measured);
    point.measure(report::memory_use(), report::MemoryUse{result.peak_bytes});
    if (context.deck.get<bool>("run.verify")) {
      const std::string wrong = wrong_with(measured);
      point.verification = report::verification_of(wrong);
      if (!wrong.empty()) point.notes.push_back("not the known solution: " + wrong);
    }
    if (result.stagnated)
      point.notes.push_back(
          "the residual stagnated above the solver's tolerance, at what rounding leaves of it");
    if (const auto note = note_on_blocks(settings.solver, result.block_steps)) point.notes.push_back(*note);
    if (settings.solver.assembled()) point.notes.emplace_back(memory_of_assembled);
    point.notes.push_back("ghost cells by transport: " + result.mix);
    write_history(context, result.history);
    return point;
  }
};

ProblemEntry implicit_problem(int dims) {
  return {
      .name = fmt::format("implicit{}d", dims),
      .help = fmt::format("implicit heat in {}D, in a flow too, by Krylov methods; the benchmarks of TeaLeaf",
                          dims),
      .add_keys = {add_grid_keys, add_step_keys, add_precision_keys, add_boundary_keys, add_implicit_keys,
                   add_solver_keys, add_tolerance_keys, add_ranks_keys, add_transport_keys, add_memory_keys},
      .make = make_problem<Implicit>,
      .advice = AdviceKind::solver,
      .dims = dims};
}

}  // namespace

ProblemEntry implicit2d_problem() {
  return implicit_problem(2);
}
ProblemEntry implicit3d_problem() {
  return implicit_problem(3);
}

}  // namespace haloheap
