// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/solvers/any_solver.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_facts.hpp>
#include <haloheap/miniapp/problems/solvers/hpcg_run.hpp>
#include <haloheap/miniapp/problems/solvers/own_values.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

namespace haloheap {
namespace {

/// That of hpcg_diagonal. Outside the grid fields are 0.
struct HpcgOperator {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 3, radius = 1;
  [[maybe_unused]] static constexpr auto shape = stencil::StencilShape::box;
  static constexpr bool uses_index = false;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return (hpcg_diagonal + 1) * cell(0) - (plane(cell, -1) + plane(cell, 0) + plane(cell, 1));
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static double plane(const Cell& cell, int z) {
    return row(cell, -1, z) + row(cell, 0, z) + row(cell, 1, z);
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static double row(const Cell& cell, int y, int z) {
    return cell(0, -1, y, z) + cell(0, 0, y, z) + cell(0, 1, y, z);
  }
};

class HpcgRun {
 public:
  HpcgRun(const RunContext& context, const HpcgSettings& settings)
      : context_(context),
        communicator_(context.communicator),
        settings_(settings),
        grid_(settings.grid(communicator_.rank())),
        layout_(comm::layout_of<HpcgOperator>(grid_, settings.solver.depth())),
        values_(layout_, grid_.own()),
        memory_(context.deck) {}

  HpcgResult run(const HpcgReference& reference) {
    agree(communicator_, [&] { take_tolerance(reference); });
    make_fields();
    const base::Stopwatch watch;
    make_operator();
    const double operator_seconds = watch.seconds();
    if (context_.deck.get<bool>("run.verify") && !settings_.solver.assembled())
      result_.symmetry = test_symmetry(*matrix_, settings_.solver);
    set_up(operator_seconds);
    repeat();
    judge();
    return std::move(result_);
  }

 private:
  const backend::Exec& exec() const { return instance_.exec(); }

  void take_tolerance(const HpcgReference& reference) {
    settings_.solver.config.tolerance = reference.reached();
    if (reference.reached() > 0) return;
    context_.deck.reject("hpcg.reference_iterations",
                         fmt::format("the residual of HPCG's reference is 0 after {} iterations of {}",
                                     reference.residuals.size(), settings_.reference_iterations),
                         "nothing that a solver could reach: use fewer iterations, or a larger grid.size");
  }

  void make_fields() {
    agree(communicator_, [&] {
      const auto size = static_cast<std::size_t>(layout_.size());
      // A test of symmetry may have three fields more.
      fields_ = memory_.resource("memory.fields",
                                 static_cast<std::size_t>(settings_.fields() + 3) * size * sizeof(double) +
                                     settings_.solver.rim_bytes());
      b_.emplace(fields_, "haloheap::hpcg::right_side", size);
      x_.emplace(fields_, "haloheap::hpcg::solution", size);
      settings_.solver.config.fields = fields_;
      settings_.solver.config.halo.buffers = memory_.resource("memory.buffers");
    });
    values_.set(exec(), *b_, [&](const grid::Triple& cell) { return hpcg_right_side(grid_.cells, cell); });
  }

  void make_operator() {
    const auto zero = stencil::SideRules::everywhere(stencil::Outside::value(0), 3);
    matrix_.emplace(
        communicator_, grid_, HpcgOperator{}, zero,
        comm::OperatorConfig{.depth = settings_.solver.depth(), .halo = settings_.solver.config.halo});
  }

  /// A solver finds ones to be the solution at once, but makes its coarse operators before it looks.
  void set_up(double operator_seconds) {
    set_solution(1);
    communicator_.barrier();
    const base::Stopwatch watch;
    solver_ = make_solver<double>(settings_.solver, *matrix_, *b_, *x_);
    result_.of_ones = solver_.solve(exec()).history.front();
    result_.set_up = communicator_.max(operator_seconds + watch.seconds());
  }

  void set_solution(double value) {
    values_.set(exec(), *x_, [&](const grid::Triple& /*cell*/) { return value; });
  }

  /// @returns seconds of the slowest rank
  double repetition() {
    set_solution(0);
    communicator_.barrier();
    const base::Stopwatch watch;
    result_.solution = solver_.solve(exec());
    return communicator_.max(watch.seconds());
  }

  void repeat() {
    const auto [repetitions, warm_ups] = read_repetitions(context_.deck);
    const auto step = [this, of = warm_ups + repetitions](int done) {
      context_.progress.update(static_cast<double>(done) / of);
    };
    const base::Stopwatch watch;
    for (int i = 0; i < warm_ups; ++i) {
      repetition();
      step(i + 1);
    }
    result_.warm_up = watch.seconds();
    for (int i = 0; i < repetitions; ++i) {
      result_.seconds.push_back(repetition());
      step(warm_ups + i + 1);
    }
  }

  void judge() {
    double error = 0;
    values_.read(exec(), *x_, [&](const grid::Triple& /*cell*/, double value) {
      error = std::max(error, std::isfinite(value) ? std::abs(value - 1) : HUGE_VAL);
    });
    result_.error = communicator_.max(error);
    result_.mix = solver_.mix();
    result_.condition = solver_.condition();
    result_.block_steps = solver_.block_steps();
    result_.peak_bytes =
        static_cast<std::size_t>(communicator_.max(static_cast<double>(memory_.peak_bytes())));
  }

  const RunContext& context_;
  const comm::Communicator& communicator_;
  HpcgSettings settings_;
  comm::Grid grid_;
  grid::FieldLayout layout_;
  OwnValues<double> values_;
  RunMemory memory_;
  backend::Instance instance_{backend::Priority::low};
  std::shared_ptr<memory::MemoryResource> fields_;
  std::optional<memory::Array<double>> b_, x_;
  std::optional<comm::LinearOperator<double>> matrix_;
  AnySolver solver_;
  HpcgResult result_;
};

}  // namespace

HpcgResult run_hpcg(const RunContext& context, const HpcgSettings& settings, const HpcgReference& reference) {
  return HpcgRun(context, settings).run(reference);
}

}  // namespace haloheap
