// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/solver_adviser.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace haloheap::advise {
namespace {

using comm::SolverMethod;

/// Iterations after those that tell of the spectrum: of blocks of eight steps, eight.
constexpr int looked_at = 64;
/// Iterations that are as many as all cycles of multigrid that were ever seen.
constexpr int many_cycles = 100;
/// By what a trial may take longer than the best so far.
constexpr double margin = 1.3;

/// By what Chebyshev's method makes a residual smaller in a step.
double chebyshev_rate(double condition) {
  const double root = std::sqrt(std::max(condition, 1.0));
  return (root - 1) / (root + 1);
}

bool has_cycles(const SolverChoice& choice) {
  return choice.method == SolverMethod::multigrid || choice.preconditioner == PreconditionerChoice::multigrid;
}
bool is_plain(const SolverChoice& choice) {
  return choice == SolverChoice{};
}
/// Iterations of its own, which those of other methods do not tell.
bool is_raced(const SolverChoice& choice) {
  return choice.preconditioner == PreconditionerChoice::jacobi || needs_assembled(choice.preconditioner) ||
         choice.method == SolverMethod::bicgstab || choice.method == SolverMethod::gmres;
}

bool is_told(const SolverChoice& choice) {
  return !has_cycles(choice) && !is_plain(choice) && !is_raced(choice);
}

class SolverAdviser {
 public:
  SolverAdviser(const SolverOptions& options, SolverBench& bench) : options_(options), bench_(bench) {}

  SolverAdvice run() {
    for_all(has_cycles, [&](const SolverChoice& choice) { solve(choice, many_cycles); });
    if (options_.symmetric) race_plain();
    for_all(is_raced, [&](const SolverChoice& choice) { race(choice); });
    for_all(is_told, [&](const SolverChoice& choice) { predict(choice); });
    confirm();
    sort();
    return std::move(advice_);
  }

 private:
  template <class Which, class With>
  void for_all(const Which& which, const With& with) const {
    for (const SolverChoice& choice : options_.choices)
      if (which(choice)) with(choice);
  }

  double best() const {
    double seconds = std::numeric_limits<double>::infinity();
    for (const SolverCandidate& candidate : advice_.candidates)
      if (candidate.measured) seconds = std::min(seconds, *candidate.measured);
    return seconds;
  }
  /// Iterations after which it has lost, or takes too long to be looked at.
  int iterations_to_win(double each) const {
    constexpr double endless = 1e9;
    const double seconds = std::min(margin * best(), options_.longest);
    return static_cast<int>(each > 0 ? std::clamp(seconds / each, 1.0, endless) : endless);
  }

  void add(const SolverChoice& choice, const SolverTrial& trial) {
    const double each = trial.seconds / std::max(trial.iterations, 1);
    advice_.candidates.push_back(
        {choice, trial.seconds, trial.seconds, trial.seconds, 1.0 * trial.iterations, each});
  }
  void add(const SolverChoice& choice, double iterations, double at_least, double each) {
    advice_.candidates.push_back({choice, iterations * each, {}, at_least * each, iterations, each});
  }
  /// It has been given time enough to win.
  void lost(const SolverChoice& choice, double iterations, double each) {
    add(choice, iterations, iterations, each);
    advice_.candidates.back().lost = true;
  }
  void solve(const SolverChoice& choice, int max_iterations) {
    const auto trial = try_it(choice, max_iterations);
    if (trial && trial->converged) add(choice, *trial);
  }

  std::optional<SolverTrial> try_it(const SolverChoice& choice, int max_iterations) {
    const auto trial = bench_.run(choice, max_iterations);
    if (trial && trial->tolerance) options_.tolerance = *trial->tolerance;
    return trial;
  }

  int probe_iterations() const { return options_.first_iterations + looked_at; }

  /// Conjugate gradients tell what most others need, also where they are not to be chosen.
  void race_plain() {
    const auto first = try_it({}, probe_iterations());
    if (!first || first->iterations == 0) return;
    const double each = first->seconds / first->iterations;
    auto last = first->converged ? first : try_it({}, iterations_to_win(each));
    if (!last) last = first;
    const double condition = last->condition.value_or(0);
    advice_.condition = condition;
    advice_.iterations = advice_.iterations_at_least = last->iterations;
    advice_.open_end = !last->converged;
    if (advice_.open_end)
      advice_.iterations = std::max(advice_.iterations, conjugate_iterations(condition, options_.tolerance));
    if (std::none_of(options_.choices.begin(), options_.choices.end(), is_plain)) return;
    if (last->converged)
      add({}, *last);
    else
      lost({}, advice_.iterations, each);
  }

  void race(const SolverChoice& choice) {
    const auto first = try_it(choice, probe_iterations());
    if (!first || first->iterations == 0) return;
    if (first->converged) return add(choice, *first);
    const double each = first->seconds / first->iterations;
    const int limit = iterations_to_win(each);
    const auto last = limit > first->iterations ? try_it(choice, limit) : first;
    if (last && last->converged) return add(choice, *last);
    lost(choice, std::max<double>(advice_.iterations, limit), each);
  }

  void predict(const SolverChoice& choice) {
    double each = on_line(choice);
    if (each == 0) {
      const auto first = try_it(choice, probe_iterations());
      if (!first || first->iterations == 0) return;
      if (first->converged) return add(choice, *first);
      each = first->seconds / first->iterations;
    }
    add(choice, expected_iterations(choice), least_iterations(choice), each);
  }

  /// What an iteration costs grows by as much with each step of a polynomial: two numbers tell it for many,
  /// whose first iterations would take as long as all of another method's. 0: they are not known yet.
  double on_line(const SolverChoice& choice) const {
    std::vector<const SolverCandidate*> known;
    for (const SolverCandidate& candidate : advice_.candidates)
      if (candidate.choice.method == choice.method &&
          candidate.choice.preconditioner == PreconditionerChoice::polynomial)
        known.push_back(&candidate);
    if (choice.preconditioner != PreconditionerChoice::polynomial || known.size() < 2) return 0;
    const SolverCandidate &one = *known[0], &other = *known[1];
    const double slope = (other.each - one.each) / (other.choice.steps - one.choice.steps);
    return std::max(one.each, one.each + slope * (choice.steps - one.choice.steps));
  }

  /// Of the operator with a polynomial, whose steps leave eigenvalues from 1 - left to 1 + left.
  double condition_with(const SolverChoice& choice) const {
    const double power = std::pow(chebyshev_rate(advice_.condition), choice.steps);
    const double left = 2 * power / (1 + power * power);
    return (1 + left) / (1 - left);
  }
  bool knows_condition() const { return advice_.condition > 1; }
  double expected_iterations(const SolverChoice& choice) const {
    if (knows_condition() && choice.method == SolverMethod::chebyshev)
      return std::max(advice_.iterations, conjugate_iterations(advice_.condition, options_.tolerance));
    if (knows_condition() && choice.preconditioner == PreconditionerChoice::polynomial)
      return conjugate_iterations(condition_with(choice), options_.tolerance);
    return advice_.iterations;
  }
  /// Conjugate gradients may need fewer than the condition number says, and a polynomial may keep that.
  double least_iterations(const SolverChoice& choice) const {
    const double plain = advice_.iterations_at_least;
    if (!knows_condition() || choice.preconditioner != PreconditionerChoice::polynomial) return plain;
    return std::min(expected_iterations(choice),
                    plain * std::sqrt(condition_with(choice) / advice_.condition));
  }

  /// Solves to the end what may be the best.
  void confirm() {
    for (int confirmed = 0; confirmed < options_.confirmed; ++confirmed) {
      SolverCandidate* next = nullptr;
      for (SolverCandidate& candidate : advice_.candidates)
        if (!candidate.measured && !candidate.lost &&
            (next == nullptr || candidate.at_least < next->at_least))
          next = &candidate;
      if (next == nullptr || next->at_least > best()) return;
      const auto trial = try_it(next->choice, iterations_to_win(next->each));
      if (!trial) return;
      if (trial->converged) {
        advice_.error = std::max(advice_.error, std::abs(next->predicted / trial->seconds - 1));
        next->measured = trial->seconds;
        next->iterations = trial->iterations;
      } else {
        next->predicted = std::max(next->predicted, trial->seconds);
        next->lost = true;
      }
    }
  }

  void sort() {
    std::stable_sort(advice_.candidates.begin(), advice_.candidates.end(),
                     [](const auto& a, const auto& b) { return a.seconds() < b.seconds(); });
  }

  SolverOptions options_;
  SolverBench& bench_;
  SolverAdvice advice_;
};

}  // namespace

SolverSteps steps_of(const SolverChoice& choice) {
  if (has_cycles(choice)) return SolverSteps::smoothing;
  if (choice.preconditioner == PreconditionerChoice::polynomial) return SolverSteps::inner;
  return choice.method == SolverMethod::s_step_cg ? SolverSteps::block : SolverSteps::none;
}

double conjugate_iterations(double condition, double tolerance) {
  const double rate = chebyshev_rate(condition);
  return rate > 0 ? std::log(2 / tolerance) / -std::log(rate) : 1;
}

SolverAdvice advise_solver(const SolverOptions& options, SolverBench& bench) {
  return SolverAdviser(options, bench).run();
}

}  // namespace haloheap::advise
