// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Heat by implicit steps: a linear system of the whole grid for each, and the published answers of TeaLeaf.
#include <haloheap/comm/agree.hpp>
#include <haloheap/miniapp/problems/grids/boundary_keys.hpp>
#include <haloheap/miniapp/problems/grids/grid_settings.hpp>
#include <haloheap/miniapp/problems/problems.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_run.hpp>
#include <haloheap/miniapp/report/output_file.hpp>
#include <haloheap/miniapp/report/result.hpp>
#include <haloheap/miniapp/report/timing.hpp>

#include <fmt/format.h>

#include <cmath>

namespace haloheap {
namespace {

/// Of a V-cycle, in a cell of the grid. A level: a first step of three; others and those after the correction
/// of `step`, which reads a right side, a scaling, the field and the operator; a residual of one less, which
/// is restricted; the correction. Coarse operators have 9 or 27 coefficients where the conductivity is.
int values_a_cycle(int dims, int steps) {
  const auto level = [&](int coefficients) {
    const int step = 4 + coefficients;
    return 3 + (2 * steps - 1) * step + step - 1 + 1 + 2;
  };
  return dims == 2 ? level(1) + level(9) / 3 : level(1) + level(27) / 7;
}

/// Values that an iteration reads and writes in a cell. Conjugate gradients: residual, last direction and
/// conductivity make the next direction and what the operator makes of it; then solution, residual, direction
/// and what was applied make the first two anew. A step of a Chebyshev iteration: residual, direction,
/// solution and conductivity make the first three anew.
int values_an_iteration(const ImplicitSettings& settings) {
  constexpr int conjugate = 5 + 6, step = 7;
  const bool scaled = settings.solver.preconditioner == comm::Preconditioner::jacobi;
  // A direction of four; twice an operator, of four and three; a subtraction of three; an update of seven.
  if (settings.method == comm::SolverMethod::bicgstab) return 4 + 4 + 3 + 3 + 7 + (scaled ? 3 : 0);
  // A step of seven, which writes six; an operator of two and conductivity.
  if (settings.method == comm::SolverMethod::pipelined_cg) return 7 + 6 + 3 + (scaled ? 2 : 0);
  if (settings.method == comm::SolverMethod::s_step_cg) {
    // Of a block: vectors by an operator of three and one more, their products, and a combination.
    const int s = settings.solver.block_steps, vectors = 2 * s + 1;
    return ((vectors - 2) * (3 + 1) + vectors + (vectors + 1) + 3 + s - 1) / s;
  }
  if (settings.method == comm::SolverMethod::chebyshev) return step;
  if (settings.multigrid()) {  // a cycle, and a sum and a residual, or two products
    const int cycle = values_a_cycle(settings.dims, settings.solver.smoothing_steps);
    return cycle + (settings.method == comm::SolverMethod::multigrid ? 3 + 4 + 1 : conjugate + 2);
  }
  if (scaled) return conjugate + 2;  // read twice
  // The residual is copied, and multiplied with what comes out.
  if (settings.solver.preconditioner == comm::Preconditioner::polynomial)
    return conjugate + 2 + step * settings.solver.inner_steps + 2;
  return conjugate;
}

struct ImplicitPoint {
  const ImplicitSettings& settings;
  const ImplicitResult& result;
  report::Timing timing;
  std::optional<report::MemoryUse> memory = {};

  double cells() const { return static_cast<double>(product(settings.cells)); }
  double iterations() const { return static_cast<double>(result.iterations); }
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
                 if (!seconds || p.settings.assembled()) return std::nullopt;
                 return 1e-9 * p.cells() * values_an_iteration(p.settings) *
                        static_cast<double>(p.settings.value_bytes()) / *seconds;
               }},
              {{"figures.residual", "", "residual",
                "The largest norm of b - A x after a step, computed anew, over the one before it.",
                Shown{"", 1, ".1e"}},
               [](const P& p) { return p.result.residual; }},
              {{"figures.heat_change",
                "",
                "change of heat",
                "Of all heat in the grid, over the whole run: 0 but for the solver's tolerance between sides "
                "without flux.",
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
                "Of start mode: the largest difference from the solution that is known.",
                Shown{"error", 1, ".1e"}},
               [](const P& p) { return p.result.mode_error; }},
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
  const double allowed = static_cast<double>(s.steps + 1) * (s.solver.tolerance + rounding) * 100;
  if (point.result.mode_error && !(*point.result.mode_error <= allowed))
    return fmt::format("the mode is {:.3g} off, and {:.3g} is allowed", *point.result.mode_error, allowed);
  return "";
}

/// Norms of the first step's residual, as a solver tells them.
void write_history(const RunContext& context, const std::vector<double>& history) {
  std::string text = "look,norm\n";
  for (std::size_t look = 0; look < history.size(); ++look)
    text += fmt::format("{},{:.17g}\n", look, history[look]);
  report::write_whole_file(context.folder / (context.point_name + "_history.csv"), text);
}

class Implicit final : public Problem {
 public:
  std::string plan(const deck::Deck& deck, int ranks) const override {
    const ImplicitSettings s = read_implicit(deck, ranks);
    std::size_t largest = 0;
    for (int rank = 0; rank < ranks; ++rank)
      largest = std::max(largest,
                         static_cast<std::size_t>(s.grid(rank).layout(s.depth(), 1, s.value_bytes()).size()));
    const int fields = s.fields();
    return fmt::format(
        "grid {} x {} x {}, {} implicit steps, rank grid {} x {} x {}\n"
        "  memory of the largest rank: {} fields, {:.2f} MiB\n"
        "  method '{}', operator '{}', preconditioner '{}', to {} of the first residual or {} iterations\n",
        s.cells.x, s.cells.y, s.cells.z, s.steps, s.ranks.x, s.ranks.y, s.ranks.z, fields,
        static_cast<double>(largest * s.value_bytes()) * fields / (1024 * 1024), name_of(s.method),
        name_of(s.form), name_of(s.preconditioner), s.solver.tolerance, s.solver.max_iterations);
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
    point.notes.push_back("ghost cells by transport: " + result.mix);
    comm::agree(context.communicator, [&] {
      if (context.communicator.rank() == 0) write_history(context, result.history);
    });
    return point;
  }
};

ProblemEntry implicit_problem(int dims) {
  return {.name = fmt::format("implicit{}d", dims),
          .help = fmt::format("implicit heat in {}D, by Krylov methods; the benchmarks of TeaLeaf", dims),
          .add_keys = {add_grid_keys, add_precision_keys, add_boundary_keys, add_implicit_keys,
                       add_ranks_keys, add_transport_keys, add_memory_keys},
          .make = make_problem<Implicit>,
          .advice = AdviceKind::none,
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
