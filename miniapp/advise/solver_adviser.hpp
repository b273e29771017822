// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_MINIAPP_ADVISE_SOLVER_ADVISER_HPP
#define HALOHEAP_MINIAPP_ADVISE_SOLVER_ADVISER_HPP

#include <haloheap/comm/solvers/solver_config.hpp>
#include <haloheap/miniapp/problems/solvers/solver_settings.hpp>

#include <optional>
#include <vector>

namespace haloheap::advise {

/// How a linear system is solved.
struct SolverChoice {
  comm::SolverMethod method = comm::SolverMethod::cg;
  PreconditionerChoice preconditioner = PreconditionerChoice::none;
  /// SolverConfig::block_steps, inner_steps or smoothing_steps, where the method or preconditioner has them.
  int steps = 1;

  friend bool operator==(const SolverChoice&, const SolverChoice&) = default;
};

/// Which number of a configuration `steps` of a choice is.
enum class SolverSteps { none, block, inner, smoothing };
SolverSteps steps_of(const SolverChoice& choice);

struct SolverOptions {
  std::vector<SolverChoice> choices;
  bool symmetric = true;  ///< whether the operator is: conjugate gradients tell of other methods
  double tolerance = 1e-8;
  int first_iterations = 30;  ///< in which those that need it learn of the spectrum
  int confirmed = 6;          ///< so many that may be the best are solved to the end
  double longest = 10;        ///< seconds of a trial at most, as far as can be told
};

/// A system that was solved, or the first iterations of it.
struct SolverTrial {
  double seconds = 0;
  int iterations = 0;
  bool converged = false;
  /// Of conjugate gradients: the largest eigenvalue over the smallest one, as far as they have seen.
  std::optional<double> condition = {};
  std::optional<double> tolerance = {};  ///< that was asked for, if the system itself says it
};

class SolverBench {
 public:
  virtual ~SolverBench() = default;
  /// Solves the system, with so many iterations at most, by a solver that has done before what it does once.
  /// Nothing where that cannot be, or no time is left.
  virtual std::optional<SolverTrial> run(const SolverChoice& choice, int max_iterations) = 0;
};

struct SolverCandidate {
  SolverChoice choice;
  double predicted = 0;            ///< seconds of a solution
  std::optional<double> measured;  ///< the same, where it was solved to the end
  double at_least = 0;             ///< seconds that it needs at least, by what conjugate gradients needed
  double iterations = 0;           ///< that it needs, or is expected to
  double each = 0;                 ///< seconds of an iteration
  bool lost = false;               ///< whether it was given time enough to win

  double seconds() const { return measured.value_or(predicted); }
};

struct SolverAdvice {
  std::vector<SolverCandidate> candidates;  ///< the best first
  double iterations = 0;                    ///< of conjugate gradients, made or expected
  double iterations_at_least = 0;           ///< that were made
  bool open_end =
      false;  ///< whether they were given up, so that predictions are too small rather than too large
  double condition = 0;  ///< 0: it was not looked for
  double error = 0;      ///< of predictions that were confirmed: the largest difference, relative
};

/// Iterations of conjugate gradients that a condition number asks for at most ([Saad2003], section 6.11.3).
double conjugate_iterations(double condition, double tolerance);

/// Solves once with each multigrid method, whose iterations are few, and with conjugate gradients as long as
/// these may still win. Of all others it makes the first iterations, which tell what one costs, and predicts
/// how many there will be: as many as of conjugate gradients, or, where Chebyshev polynomials stand for a
/// part of them, as many as their theory has it for the condition number. What may be the best by that is
/// solved to the end. Where the operator is not symmetric, each method is solved with as long as it may still
/// win. Empty if nothing that may be chosen could be measured.
SolverAdvice advise_solver(const SolverOptions& options, SolverBench& bench);

}  // namespace haloheap::advise

#endif
