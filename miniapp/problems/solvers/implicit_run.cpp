// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/agree.hpp>
#include <haloheap/core/base/stopwatch.hpp>
#include <haloheap/miniapp/problems/solvers/any_solver.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_rules.hpp>
#include <haloheap/miniapp/problems/solvers/implicit_run.hpp>
#include <haloheap/miniapp/problems/solvers/own_values.hpp>
#include <haloheap/miniapp/repetitions.hpp>
#include <haloheap/miniapp/run_memory.hpp>

#include <algorithm>
#include <cmath>
#include <complex>
#include <memory>

namespace haloheap {
namespace {

template <class T, int Dims>
class ImplicitRun {
 public:
  using Rule = BackwardEuler<T, Dims>;

  ImplicitRun(const RunContext& context, const ImplicitSettings& settings)
      : context_(context),
        communicator_(context.communicator),
        settings_(settings),
        grid_(settings.grid(communicator_.rank())),
        layout_(comm::layout_of<Rule>(grid_, settings.solver.depth())),
        constants_layout_(comm::constants_layout_of<Rule>(grid_, settings.solver.depth())),
        values_(layout_, grid_.own()),
        memory_(context.deck) {
    agree(communicator_, [&] {
      const auto size = static_cast<std::size_t>(layout_.size());
      fields_ =
          memory_.resource("memory.fields", static_cast<std::size_t>(settings_.fields()) * size * sizeof(T) +
                                                settings_.solver.rim_bytes());
      b_.emplace(fields_, "haloheap::implicit::right_side", size);
      x_.emplace(fields_, "haloheap::implicit::heat", size);
      constants_.emplace(fields_, "haloheap::implicit::conductivity",
                         static_cast<std::size_t>(constants_layout_.size()));
      settings_.solver.config.fields = fields_;
      settings_.solver.config.halo.buffers = memory_.resource("memory.buffers");
    });
    OwnValues<T>(constants_layout_, grid_.own()).set(exec(), *constants_, [&](const grid::Triple& cell) {
      return settings_.number() / (2 * conductivity(cell));
    });
    if (settings_.flows())
      make_matrix(flow_rule());
    else
      make_matrix(heat_rule());
    const comm::FieldData<T> b(*b_), x(*x_);
    solver_ = make_solver<T>(settings_.solver, *matrix_, b, x);
  }

  ImplicitResult run() {
    ImplicitResult result;
    const auto [repetitions, warm_ups] = read_repetitions(context_.deck);
    const base::Stopwatch watch;
    for (int i = 0; i < warm_ups; ++i) repetition(result, i, warm_ups + repetitions);
    result.warm_up = watch.seconds();
    for (int i = 0; i < repetitions; ++i)
      result.seconds.push_back(repetition(result, warm_ups + i, warm_ups + repetitions));
    judge(result);
    result.mix = solver_.mix();
    result.condition = solver_.condition();
    result.block_steps = solver_.block_steps();
    result.peak_bytes =
        static_cast<std::size_t>(communicator_.max(static_cast<double>(memory_.peak_bytes())));
    return result;
  }

 private:
  const backend::Exec& exec() const { return instance_.exec(); }

  Rule heat_rule() const {
    Rule rule{};
    for (int dim = 0; dim < 3; ++dim) {
      const double wider = settings_.width(0) / settings_.width(dim);
      rule.across[dim] = static_cast<T>(dim < Dims ? wider * wider : 0);
    }
    return rule;
  }
  BackwardEulerInFlow<T, Dims> flow_rule() const {
    BackwardEulerInFlow<T, Dims> rule{heat_rule(), {}, {}};
    for (std::size_t dim = 0; dim < 3; ++dim) {
      rule.before[dim] = static_cast<T>(std::max(settings_.courant[dim], 0.0));
      rule.behind[dim] = static_cast<T>(std::max(-settings_.courant[dim], 0.0));
    }
    return rule;
  }
  template <class AnyRule>
  void make_matrix(const AnyRule& rule) {
    const stencil::SideRules sides = stencil::side_rules(settings_.boundary, Dims);
    matrix_.emplace(
        communicator_, grid_, rule, sides, comm::FieldData<T>(*constants_),
        comm::OperatorConfig{.depth = settings_.solver.depth(), .halo = settings_.solver.config.halo});
  }

  double density(const grid::Triple& cell) const {
    return settings_.is_known() ? 1 : tealeaf_state(settings_, cell).density;
  }
  double conductivity(const grid::Triple& cell) const {
    const double found = density(cell);
    return settings_.conductivity == Conductivity::density ? found : 1 / found;
  }
  double first_heat(const grid::Triple& cell) const {
    if (settings_.is_known()) return 1 + mode_value(settings_, cell, 1);
    const HeatState state = tealeaf_state(settings_, cell);
    return state.density * state.energy;
  }

  /// What rounding may leave of a residual: above it, one that no longer falls is no solution.
  static constexpr double rounding = sizeof(T) == 4 ? 1e-3 : 1e-10;

  /// @returns seconds of the slowest rank
  double repetition(ImplicitResult& result, int number, int of) {
    values_.set(exec(), *x_, [&](const grid::Triple& cell) { return first_heat(cell); });
    result.iterations = 0;
    result.failed.reset();
    result.stagnated = false;
    result.residual = 0;
    communicator_.barrier();
    const base::Stopwatch watch;
    for (grid::Index step = 0; step < settings_.steps; ++step) {
      // What the last step has made is the right side and the first guess of this one.
      backend::copy_async(exec(), b_->data(), x_->data(), x_->size() * sizeof(T));
      const comm::Solution solution = solver_.solve(exec());
      result.iterations += solution.iterations;
      const double first = solution.history.front();
      const bool stagnated =
          solution.reason == comm::StopReason::stagnated && solution.residual <= rounding * first;
      result.stagnated = result.stagnated || stagnated;
      if (!solution.converged() && !stagnated && !result.failed) result.failed = solution.reason;
      if (first > 0) result.residual = std::max(result.residual, solution.residual / first);
      if (step == 0) result.history = solution.history;
      context_.progress.update(
          (number + static_cast<double>(step + 1) / static_cast<double>(settings_.steps)) / of);
      if (solution.reason == comm::StopReason::not_a_number ||
          solution.reason == comm::StopReason::indefinite)
        break;
    }
    return communicator_.max(watch.seconds());
  }

  void judge(ImplicitResult& result) {
    double before = 0, now = 0, temperature = 0, error = 0, equation_error = 0;
    const double undivided = undivided_mode_left(settings_);
    const std::complex<double> left = std::pow(mode_factor(settings_), static_cast<double>(settings_.steps));
    values_.read(exec(), *x_, [&](const grid::Triple& cell, double heat) {
      const double first = first_heat(cell);
      before += first;
      now += heat;
      temperature += heat * density(cell);
      equation_error = std::max(equation_error, std::abs(heat - (1 + undivided * (first - 1))));
      if (settings_.is_known())
        error = std::max(error, std::abs(heat - (1 + mode_value(settings_, cell, left))));
    });
    before = communicator_.sum(before);
    now = communicator_.sum(now);
    result.heat_change = before == 0 ? 0 : now / before - 1;
    if (settings_.start == ImplicitStart::mode) result.equation_error = communicator_.max(equation_error);
    if (settings_.is_known()) {
      result.mode_error = communicator_.max(error);
    } else {
      double volume = 1;
      for (int dim = 0; dim < Dims; ++dim) volume *= settings_.width(dim);
      result.temperature = communicator_.sum(temperature) * volume;
    }
  }

  const RunContext& context_;
  const comm::Communicator& communicator_;
  ImplicitSettings settings_;
  comm::Grid grid_;
  grid::FieldLayout layout_, constants_layout_;
  OwnValues<T> values_;
  RunMemory memory_;
  backend::Instance instance_{backend::Priority::low};
  std::shared_ptr<memory::MemoryResource> fields_;
  std::optional<memory::Array<T>> b_, x_, constants_;
  std::optional<comm::LinearOperator<T>> matrix_;
  AnySolver solver_;
};

}  // namespace

ImplicitResult run_implicit(const RunContext& context, const ImplicitSettings& settings) {
  const bool narrow = settings.precision == Precision::float32;
  if (settings.dims == 2)
    return narrow ? ImplicitRun<float, 2>(context, settings).run()
                  : ImplicitRun<double, 2>(context, settings).run();
  return narrow ? ImplicitRun<float, 3>(context, settings).run()
                : ImplicitRun<double, 3>(context, settings).run();
}

}  // namespace haloheap
