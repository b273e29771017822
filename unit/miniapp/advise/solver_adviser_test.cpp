// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/advise/solver_adviser.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

namespace haloheap::advise {
namespace {

using comm::SolverMethod;

/// A system with the eigenvalues of an implicit step of heat on a square, which is diagonal: methods need as
/// many iterations for it as for the operator itself, and are written down here for it once more.
class Diagonal {
 public:
  Diagonal(int edge, double number) {
    const auto one = [&](int i) { return 4 * std::pow(std::sin(0.5 * M_PI * (i + 0.5) / edge), 2); };
    for (int x = 0; x < edge; ++x)
      for (int y = 0; y < edge; ++y) values_.push_back(1 + number * (one(x) + one(y)));
    std::mt19937 draw(1);
    std::normal_distribution<double> normal;
    for (std::size_t i = 0; i < values_.size(); ++i) right_.push_back(normal(draw));
  }

  double min() const { return *std::min_element(values_.begin(), values_.end()); }
  double max() const { return *std::max_element(values_.begin(), values_.end()); }

  /// Of conjugate gradients that have a polynomial of `inner` Chebyshev steps for a preconditioner; 0: none.
  int conjugate(double tolerance, int inner) const {
    std::vector<double> r = right_, z = preconditioned(r, inner), p = z;
    const double goal = tolerance * norm(r);
    double rz = dot(r, z);
    int count = 0;
    for (; norm(r) > goal; ++count) {
      double pap = 0;
      for (std::size_t i = 0; i < p.size(); ++i) pap += values_[i] * p[i] * p[i];
      const double alpha = rz / pap;
      for (std::size_t i = 0; i < p.size(); ++i) r[i] -= alpha * values_[i] * p[i];
      z = preconditioned(r, inner);
      const double next = dot(r, z), beta = next / rz;
      rz = next;
      for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + beta * p[i];
    }
    return count;
  }
  /// Of a Chebyshev iteration that looks at its residual now and then.
  int chebyshev(double tolerance) const {
    constexpr int interval = 10;
    const double first = norm(right_);
    for (int count = interval;; count += interval) {
      const std::vector<double> z = preconditioned(right_, count);
      double rest = 0;
      for (std::size_t i = 0; i < z.size(); ++i) rest += std::pow(right_[i] - values_[i] * z[i], 2);
      if (std::sqrt(rest) <= tolerance * first) return count;
    }
  }

 private:
  static double dot(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  static double norm(const std::vector<double>& a) { return std::sqrt(dot(a, a)); }

  /// What steps of a Chebyshev iteration make of 0 for this right side.
  std::vector<double> preconditioned(const std::vector<double>& r, int steps) const {
    if (steps == 0) return r;
    const double theta = (max() + min()) / 2, delta = (max() - min()) / 2, sigma = theta / delta;
    std::vector<double> x(r.size(), 0.0), rest = r, d(r.size());
    double rho = 1 / sigma;
    for (std::size_t i = 0; i < r.size(); ++i) d[i] = r[i] / theta;
    for (int step = 0; step < steps; ++step) {
      const double next = 1 / (2 * sigma - rho);
      for (std::size_t i = 0; i < r.size(); ++i) {
        x[i] += d[i];
        rest[i] -= values_[i] * d[i];
        d[i] = next * rho * d[i] + 2 * next / delta * rest[i];
      }
      rho = next;
    }
    return x;
  }

  std::vector<double> values_, right_;
};

/// What a machine asks for.
struct Costs {
  double cells, bandwidth, latency;  ///< of a rank; bytes a second; seconds of an exchange or a sum
  bool cycles = true;                ///< whether there is room for multigrid
};

/// Counts iterations, and the time that they would take.
class Emulated final : public SolverBench {
 public:
  Emulated(const Diagonal& system, const Costs& costs, double tolerance)
      : system_(system), costs_(costs), tolerance_(tolerance) {}

  std::optional<SolverTrial> run(const SolverChoice& choice, int max_iterations) override {
    if (steps_of(choice) == SolverSteps::smoothing && !costs_.cycles) return std::nullopt;
    const int needed = iterations(choice), made = std::min(needed, max_iterations);
    spent_ += made * each(choice);
    SolverTrial trial{made * each(choice) * noise_(draw_), made, needed <= max_iterations};
    if (choice == SolverChoice{}) trial.condition = system_.max() / system_.min();
    return trial;
  }
  double seconds(const SolverChoice& choice) { return iterations(choice) * each(choice); }
  double spent() const { return spent_; }

 private:
  int iterations(const SolverChoice& choice) {
    const auto key = std::pair(name_of(choice.method) + name_of(choice.preconditioner), choice.steps);
    const auto known = known_.find(key);
    if (known != known_.end()) return known->second;
    return known_[key] = count(choice);
  }
  int count(const SolverChoice& choice) const {
    constexpr int cycles[] = {0, 22, 12, 10};
    if (steps_of(choice) == SolverSteps::smoothing) return cycles[choice.steps];
    if (choice.method == SolverMethod::chebyshev) return system_.chebyshev(tolerance_);
    if (choice.preconditioner == PreconditionerChoice::polynomial)
      return system_.conjugate(tolerance_, choice.steps);
    const int plain = system_.conjugate(tolerance_, 0);
    if (choice.preconditioner == PreconditionerChoice::jacobi) return plain * 3 / 4;
    return choice.method == SolverMethod::pipelined_cg ? plain + plain / 20 : plain;
  }
  double each(const SolverChoice& choice) const {
    const auto cost = [&](double values, double latencies) {
      return costs_.cells * 8 * values / costs_.bandwidth + latencies * costs_.latency;
    };
    const int s = choice.steps;
    if (steps_of(choice) == SolverSteps::smoothing)
      return cost(30 + 20 * s, 16) + (choice.method == SolverMethod::cg ? cost(13, 2) : 0);
    if (choice.method == SolverMethod::chebyshev) return cost(7, 1.1);
    if (choice.method == SolverMethod::pipelined_cg) return cost(16, 2);
    if (choice.method == SolverMethod::s_step_cg) return cost(12 + 3 * s, 2.0 / s);
    if (choice.preconditioner == PreconditionerChoice::polynomial) return cost(13 + 7 * s, 3 + s);
    return cost(choice.preconditioner == PreconditionerChoice::jacobi ? 13 : 11, 3);
  }

  const Diagonal& system_;
  Costs costs_;
  double tolerance_, spent_ = 0;
  std::mt19937 draw_{7};
  std::uniform_real_distribution<double> noise_{0.99, 1.01};
  std::map<std::pair<std::string, int>, int> known_;
};

SolverOptions everything(double tolerance) {
  using enum SolverMethod;
  SolverOptions options;
  options.tolerance = tolerance;
  options.choices = {{cg}, {cg, PreconditionerChoice::jacobi}, {pipelined_cg}, {chebyshev}};
  for (const int steps : {5, 10, 20, 40})
    options.choices.push_back({cg, PreconditionerChoice::polynomial, steps});
  for (const int steps : {2, 4, 8}) options.choices.push_back({s_step_cg, PreconditionerChoice::none, steps});
  for (const int steps : {1, 2, 3}) {
    options.choices.push_back({cg, PreconditionerChoice::multigrid, steps});
    options.choices.push_back({multigrid, PreconditionerChoice::none, steps});
  }
  return options;
}

std::vector<Costs> machines() {
  std::vector<Costs> result;
  for (const bool cycles : {true, false})
    for (const double cells : {1e3, 1e5, 1e7})
      for (const double bandwidth : {2e10, 4e12})
        for (const double latency : {1e-6, 30e-6, 1e-3})
          result.push_back({cells, bandwidth, latency, cycles});
  return result;
}

TEST(SolverAdviser, ChoosesAsExhaustiveRunsDo) {
  constexpr double tolerance = 1e-9;
  const SolverOptions options = everything(tolerance);
  double worst = 1;
  int first = 0, all = 0;
  for (const double number : {0.1, 10.0, 1000.0}) {
    const Diagonal system(24, number);
    for (const Costs& costs : machines()) {
      Emulated bench(system, costs, tolerance);
      const SolverAdvice advice = advise_solver(options, bench);
      ASSERT_FALSE(advice.candidates.empty());
      double best = 1e30;
      for (const SolverChoice& choice : options.choices)
        if (costs.cycles || steps_of(choice) != SolverSteps::smoothing)
          best = std::min(best, bench.seconds(choice));
      const double found = bench.seconds(advice.candidates.front().choice);
      worst = std::max(worst, found / best);
      first += found / best < 1.03 ? 1 : 0;
      ++all;
      EXPECT_LT(found / best, 1.1) << name_of(advice.candidates.front().choice.method) << ' '
                                   << name_of(advice.candidates.front().choice.preconditioner) << ' '
                                   << advice.candidates.front().choice.steps << ": " << costs.cells
                                   << " cells, " << costs.bandwidth << " bytes/s, latency " << costs.latency
                                   << ", number " << number;
    }
  }
  EXPECT_GE(first, all * 9 / 10) << "worst: " << worst;
}

TEST(SolverAdviser, PredictsTheIterationsOfPolynomialsAndChebyshev) {
  constexpr double tolerance = 1e-9;
  const Diagonal system(32, 100);
  Emulated bench(system, {1e5, 1e12, 1e-5, false}, tolerance);
  SolverOptions options = everything(tolerance);
  options.confirmed = 0;
  for (const SolverCandidate& candidate : advise_solver(options, bench).candidates) {
    const double each = bench.seconds(candidate.choice) / bench.run(candidate.choice, 1 << 20)->iterations;
    EXPECT_NEAR(candidate.predicted / bench.seconds(candidate.choice), 1, 0.25)
        << name_of(candidate.choice.method) << ' ' << name_of(candidate.choice.preconditioner) << ' '
        << candidate.choice.steps;
    EXPECT_NEAR(candidate.each / each, 1, 0.02);
  }
}

TEST(SolverAdviser, DoesNotWaitForWhatHasLost) {
  constexpr double tolerance = 1e-9;
  const Diagonal system(96, 1e6);  // of hundreds of iterations
  const SolverOptions options = everything(tolerance);
  Emulated bench(system, {1e7, 2e10, 1e-6}, tolerance);
  const SolverAdvice advice = advise_solver(options, bench);
  ASSERT_TRUE(advice.candidates.front().measured.has_value());
  double exhaustive = 0;
  for (const SolverChoice& choice : options.choices) exhaustive += bench.seconds(choice);
  EXPECT_EQ(steps_of(advice.candidates.front().choice), SolverSteps::smoothing);
  EXPECT_LT(bench.spent(), exhaustive / 2);
}

TEST(SolverAdviser, SaysNothingWhereNothingCouldBeMeasured) {
  class Nothing final : public SolverBench {
    std::optional<SolverTrial> run(const SolverChoice&, int) override { return std::nullopt; }
  } bench;
  EXPECT_TRUE(advise_solver(everything(1e-8), bench).candidates.empty());
}

TEST(SolverAdviser, AdvisesWithoutConjugateGradientsAmongTheChoices) {
  const Diagonal system(16, 10);
  Emulated bench(system, {1e5, 1e12, 1e-5, false}, 1e-8);
  SolverOptions options;
  options.choices = {{SolverMethod::s_step_cg, PreconditionerChoice::none, 2},
                     {SolverMethod::s_step_cg, PreconditionerChoice::none, 4},
                     {SolverMethod::s_step_cg, PreconditionerChoice::none, 8}};
  const SolverAdvice advice = advise_solver(options, bench);
  ASSERT_EQ(advice.candidates.size(), 3u);
  EXPECT_EQ(advice.candidates.front().choice.method, SolverMethod::s_step_cg);
}

}  // namespace
}  // namespace haloheap::advise
