// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace haloheap::comm {
namespace {

/// Each cell with both neighbours in each dimension: advection and diffusion, a shift, or what has no
/// inverse.
template <class T, int Dims>
struct Neighbours {
  using Fields = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  T own;
  T before[3], behind[3];

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    T sum = own * cell(0) + before[0] * cell(0, -1, 0) + behind[0] * cell(0, 1, 0) +
            before[1] * cell(0, 0, -1) + behind[1] * cell(0, 0, 1);
    if constexpr (Dims == 3) sum += before[2] * cell(0, 0, 0, -1) + behind[2] * cell(0, 0, 0, 1);
    return sum;
  }
};
using Plane = Neighbours<double, 2>;

/// -laplace, and a wind that is so many times as strong in a cell.
template <class T, int Dims>
Neighbours<T, Dims> advection(double shift, double wind) {
  Neighbours<T, Dims> rule{static_cast<T>(shift), {}, {}};
  for (int dim = 0; dim < Dims; ++dim) {
    const double along = dim == 1 ? wind / 3 : wind;
    rule.own += static_cast<T>(2 + along);
    rule.before[dim] = static_cast<T>(-1 - along);
    rule.behind[dim] = static_cast<T>(-1);
  }
  return rule;
}

template <class T, int Dims>
RuleCase<Neighbours<T, Dims>> on_grid(const Neighbours<T, Dims>& rule, const grid::Triple& cells,
                                      const stencil::SideRules& sides) {
  const auto count = static_cast<std::size_t>(product(cells));
  return {rule, sides, cells, as<T>(drawn(count, 4, -1, 1)), {}};
}

using LongDouble = long double;
using LongVector = std::vector<LongDouble>;

LongDouble dot(const LongVector& a, const LongVector& b) {
  LongDouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}
LongDouble norm_of(const LongVector& a) {
  return std::sqrt(dot(a, a));
}
/// What is left of a vector beside others that are orthonormal, with length 1. @returns the length before
LongDouble orthonormalise(LongVector& a, const std::vector<LongVector>& others) {
  for (int twice = 0; twice < 2; ++twice)
    for (const LongVector& other : others) {
      const LongDouble share = dot(a, other);
      for (std::size_t i = 0; i < a.size(); ++i) a[i] -= share * other[i];
    }
  const LongDouble length = norm_of(a);
  for (LongDouble& value : a) value /= length;
  return length;
}

/// The norms of the smallest residuals over r, A r, A A r, ..., without a Hessenberg matrix: the residual
/// loses what it has in common with A times each of the vectors. Leaves the last residual.
std::vector<double> smallest_norms(const std::vector<std::vector<double>>& matrix, LongVector& rest,
                                   int steps) {
  std::vector<LongVector> basis, images;
  LongVector next = rest;
  std::vector<double> norms;
  for (int step = 0; step < steps; ++step) {
    orthonormalise(next, basis);
    basis.push_back(next);
    LongVector image(rest.size());
    for (std::size_t row = 0; row < image.size(); ++row)
      for (std::size_t column = 0; column < image.size(); ++column)
        image[row] += static_cast<LongDouble>(matrix[row][column]) * next[column];
    next = image;
    orthonormalise(image, images);
    images.push_back(image);
    const LongDouble share = dot(rest, image);
    for (std::size_t i = 0; i < rest.size(); ++i) rest[i] -= share * image[i];
    norms.push_back(static_cast<double>(norm_of(rest)));
  }
  return norms;
}

/// The same with restarts, and all that a solution's history has.
template <class Rule>
std::vector<double> wanted_history(const RuleCase<Rule>& rule_case, Preconditioner preconditioner,
                                   int restart, int iterations) {
  auto matrix = dense(rule_case);
  LongVector rest(matrix.size());
  for (std::size_t row = 0; row < rest.size(); ++row)
    for (std::size_t column = 0; column < rest.size(); ++column)
      rest[row] +=
          static_cast<LongDouble>(matrix[row][column]) * static_cast<LongDouble>(rule_case.start[column]);
  std::vector<double> diagonal;
  for (std::size_t i = 0; i < matrix.size(); ++i) diagonal.push_back(matrix[i][i]);
  if (preconditioner == Preconditioner::jacobi)
    for (auto& row : matrix)
      for (std::size_t column = 0; column < row.size(); ++column) row[column] /= diagonal[column];
  std::vector<double> history{static_cast<double>(norm_of(rest))};
  for (int made = 0; made < iterations; made += restart)
    for (const double norm : smallest_norms(matrix, rest, std::min(restart, iterations - made)))
      history.push_back(norm);
  return history;
}

class MinimalResiduals : public ConjugateGradients {
 protected:
  grid::Triple some_ranks(int dims = 2) const { return rank_grids(world.size(), dims).front(); }

  template <class Rule>
  Solution found(const RuleCase<Rule>& rule_case, const SolverConfig& config) const {
    return solve<Gmres>(world, rule_case, some_ranks(Rule::dims), config).solution;
  }
  template <class Rule>
  void same_bits_on_every_rank_grid(const RuleCase<Rule>& rule_case, const SolverConfig& config,
                                    double largest_error) const {
    const auto serial = solve<Gmres>(alone, rule_case, {1, 1, 1}, config);
    EXPECT_TRUE(serial.solution.converged()) << name_of(serial.solution.reason);
    EXPECT_LT(serial.error, largest_error);
    EXPECT_EQ(serial.solution.history.size(), static_cast<std::size_t>(serial.solution.iterations) + 1);
    EXPECT_LE(serial.solution.residual, config.tolerance * serial.solution.history.front());
    for (const grid::Triple& ranks : rank_grids(world.size(), Rule::dims)) {
      const auto other = solve<Gmres>(world, rule_case, ranks, config);
      same_bits<Rule>(other.solution, serial.solution);
      EXPECT_EQ(other.error, serial.error);
    }
  }
};

TEST_F(MinimalResiduals, are_the_smallest_that_there_are) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    for (const auto& sides : linear_sides(2))
      for (const int restart : {1, 2, 7, 25, 60}) {
        SCOPED_TRACE(restart);
        auto rule_case = on_grid(advection<double, 2>(0.2, 2), {11, 8, 1}, sides);
        rule_case.rule.own += 0.5;
        const SolverConfig config{
            .tolerance = 0, .max_iterations = 30, .preconditioner = preconditioner, .restart = restart};
        const Solution solution = found(rule_case, config);
        EXPECT_EQ(solution.reason, StopReason::iterations);
        const auto wanted = wanted_history(rule_case, preconditioner, restart, 30);
        ASSERT_EQ(solution.history.size(), wanted.size());
        for (std::size_t i = 0; i < wanted.size(); ++i)
          EXPECT_NEAR(solution.history[i], wanted[i], 1e-12 * wanted[0]) << i;
        EXPECT_NEAR(solution.residual, wanted.back(), 1e-12 * wanted[0]);
      }
}

/// As long as the residual is not made of rounding, however small it is.
TEST_F(MinimalResiduals, are_so_in_a_long_cycle) {
  auto rule_case = on_grid(advection<double, 2>(0, 10), {13, 9, 1}, linear_sides(2)[2]);
  const Solution solution = found(rule_case, {.tolerance = 1e-11, .restart = 100});
  EXPECT_TRUE(solution.converged());
  const auto wanted = wanted_history(rule_case, Preconditioner::none, 100, solution.iterations);
  for (std::size_t i = 0; i < wanted.size(); ++i)
    EXPECT_NEAR(solution.history[i], wanted[i], 1e-3 * wanted[i] + 1e-13 * wanted[0]) << i;
}

TEST_F(MinimalResiduals, find_the_solution_with_the_same_bits_on_every_rank_grid) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    for (const auto& sides : linear_sides(2)) {
      const auto rule_case = on_grid(advection<double, 2>(0.1, 5), {24, 21, 1}, sides);
      SolverConfig config{.tolerance = 1e-11, .preconditioner = preconditioner};
      for (const int restart : {3, 30}) {
        config.restart = restart;
        same_bits_on_every_rank_grid(rule_case, config, 1e-8);
      }
    }
}

TEST_F(MinimalResiduals, find_it_in_three_dimensions_and_in_float) {
  for (const auto& sides : linear_sides(3))
    same_bits_on_every_rank_grid(on_grid(advection<double, 3>(0.1, 4), {9, 8, 10}, sides),
                                 {.tolerance = 1e-10, .preconditioner = Preconditioner::jacobi}, 1e-7);
  for (const int restart : {2, 20}) {
    const auto rule_case = on_grid(advection<float, 2>(0.1, 4), {17, 21, 1}, linear_sides(2)[2]);
    same_bits_on_every_rank_grid(rule_case, {.tolerance = 1e-5, .restart = restart}, 1e-2);
  }
}

/// With coefficients that jump, and so many neighbours that the order of a sum would show.
TEST_F(MinimalResiduals, find_it_for_other_operators) {
  const auto jumps = conduction<double, 2>({20, 18, 1}, linear_sides(2)[1], 1000);
  same_bits_on_every_rank_grid(jumps, {.tolerance = 1e-10, .preconditioner = Preconditioner::jacobi}, 1e-6);
  const RuleCase<Wide> wide{{}, linear_sides(2)[3], {20, 23, 1}, drawn(460, 3, -1, 1), {}};
  same_bits_on_every_rank_grid(wide, {.tolerance = 1e-12}, 1e-9);
}

TEST_F(MinimalResiduals, do_not_depend_on_the_transport) {
  const auto rule_case = on_grid(advection<double, 2>(0.1, 5), {24, 24, 1}, linear_sides(2)[2]);
  SolverConfig config{.tolerance = 1e-9, .preconditioner = Preconditioner::jacobi, .restart = 10};
  const auto wanted = solve<Gmres>(alone, rule_case, {1, 1, 1}, config).solution;
  for (const std::string& transport : transport_names()) {
    SCOPED_TRACE(transport);
    config.halo.transport = transport;
    same_bits<Plane>(found(rule_case, config), wanted);
  }
}

/// A cycle that is longer than there are unknowns ends when it has all of them.
TEST_F(MinimalResiduals, are_zero_when_all_unknowns_are_known) {
  for (const double tolerance : {1e-13, 0.0}) {
    const auto rule_case = on_grid(advection<double, 2>(0, 2), {6, 5, 1}, linear_sides(2)[2]);
    const auto result = solve<Gmres>(world, rule_case, some_ranks(),
                                     {.tolerance = tolerance, .max_iterations = 500, .restart = 100});
    EXPECT_EQ(result.solution.reason, tolerance > 0 ? StopReason::converged : StopReason::stagnated);
    EXPECT_LT(result.error, 1e-12);
    if (tolerance > 0) {
      EXPECT_LE(result.solution.iterations, 30);
    }
  }
  // An operator that is a multiple of the identity needs one iteration, and A b is all that there is.
  auto multiple = on_grid(Plane{4, {}, {}}, {6, 6, 1}, {});
  const Solution once = found(multiple, {.tolerance = 1e-14});
  EXPECT_TRUE(once.converged());
  EXPECT_EQ(once.iterations, 1);
}

/// Of both signs, and skew, where a step of BiCGStab is divided by 0.
TEST_F(MinimalResiduals, are_found_for_what_other_methods_cannot_solve) {
  Plane saddle{-1.3, {1, 1, 0}, {1, 1, 0}};
  const auto both_signs = solve<Gmres>(world, on_grid(saddle, {14, 12, 1}, linear_sides(2)[2]), some_ranks(),
                                       {.tolerance = 1e-11, .restart = 100});
  EXPECT_TRUE(both_signs.solution.converged());
  EXPECT_LT(both_signs.error, 1e-7);
  EXPECT_EQ(solve(world, on_grid(saddle, {14, 12, 1}, linear_sides(2)[2]), some_ranks(), {.tolerance = 1e-11})
                .solution.reason,
            StopReason::indefinite);
  const Plane skew{0, {-1, 0, 0}, {1, 0, 0}};
  EXPECT_TRUE(found(on_grid(skew, {16, 16, 1}, {}), {.tolerance = 1e-10}).converged());
}

/// A shift around the grid: what is at the first cell comes to the last one in the end and not before.
TEST_F(MinimalResiduals, stagnate_where_cycles_are_too_short) {
  auto rule_case = on_grid(Plane{0, {1, 0, 0}, {}}, {12, 12, 1}, {});
  for (std::size_t i = 0; i < rule_case.start.size(); ++i) rule_case.start[i] = i % 12 == 3 ? 1 : 0;
  const Solution too_short = found(rule_case, {.restart = 11});
  EXPECT_EQ(too_short.reason, StopReason::stagnated);
  EXPECT_EQ(too_short.iterations, 11);
  EXPECT_NEAR(too_short.residual, too_short.history.front(), 1e-14);
  const Solution whole = found(rule_case, {.restart = 12});
  EXPECT_TRUE(whole.converged());
  EXPECT_EQ(whole.iterations, 12);
}

TEST_F(MinimalResiduals, stop_where_rounding_leaves_no_smaller_residual) {
  for (const int restart : {2, 30}) {
    const auto rule_case = on_grid(advection<double, 2>(0.5, 3), {15, 14, 1}, linear_sides(2)[1]);
    const auto end = solve<Gmres>(world, rule_case, some_ranks(), {.tolerance = 1e-19, .restart = restart});
    EXPECT_EQ(end.solution.reason, StopReason::stagnated);
    EXPECT_LT(end.solution.residual, 1e-14 * end.solution.history.front());
    EXPECT_LT(end.error, 1e-13);
  }
}

/// Singular operators, with right sides that have a solution and that have none.
TEST_F(MinimalResiduals, do_not_pretend_to_solve_what_has_no_solution) {
  const auto singular = on_grid(advection<double, 2>(0, 3), {12, 10, 1}, {});  // rows add up to 0 exactly
  EXPECT_TRUE(found(singular, {.tolerance = 1e-9}).converged());
  const OperatorRun<Plane> run(world, singular, some_ranks());
  const auto reason = [&](const std::vector<double>& right) {
    const auto b = run.field(right), x = run.field(std::vector<double>(right.size()));
    const Solution solution = Gmres<double>(run.matrix(), {.tolerance = 1e-9}, b, x).solve(instance.exec());
    EXPECT_TRUE(std::isfinite(solution.residual));
    EXPECT_LE(solution.residual, 1.0001 * solution.history.front());
    return solution.reason;
  };
  EXPECT_EQ(reason(std::vector<double>(120, 2)), StopReason::singular);  // A b = 0
  EXPECT_EQ(reason(drawn(120, 8, 1, 2)), StopReason::singular);
  auto nothing = singular;
  nothing.rule = {};
  const OperatorRun<Plane> zeros(world, nothing, some_ranks());
  const auto b = zeros.field(singular.start), x = zeros.field(std::vector<double>(120));
  EXPECT_EQ(Gmres<double>(zeros.matrix(), {}, b, x).solve(instance.exec()).reason, StopReason::singular);
}

TEST_F(MinimalResiduals, say_what_is_wrong_with_an_operator) {
  const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = HUGE_VAL;
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
    const SolverConfig config{.tolerance = 1e-9, .preconditioner = preconditioner};
    auto broken = conduction<double, 2>({16, 16, 1}, {});
    broken.constants[37] = nan;
    EXPECT_EQ(found(broken, config).reason, StopReason::not_a_number);
    auto infinite = on_grid(advection<double, 2>(0, 2), {12, 10, 1}, {});
    infinite.rule.own = infinity;
    EXPECT_NE(found(infinite, config).reason, StopReason::converged);
    auto right = on_grid(advection<double, 2>(0, 2), {12, 10, 1}, {});
    right.start[17] = nan;
    EXPECT_EQ(found(right, config).reason, StopReason::not_a_number);
    const auto negative = on_grid(Plane{-9, {1, 2, 0}, {1, 0, 0}}, {12, 10, 1}, {});
    EXPECT_TRUE(found(negative, config).converged());
  }
  const auto without = on_grid(Plane{0, {1, 0, 0}, {}}, {12, 12, 1}, {});
  EXPECT_EQ(found(without, {.preconditioner = Preconditioner::jacobi}).reason, StopReason::indefinite);
}

/// Far away from 1, but within what a double can have as a square.
TEST_F(MinimalResiduals, are_found_for_any_magnitude) {
  for (const double factor : {1e-60, 1e60}) {
    auto rule_case = on_grid(advection<double, 2>(0.1, 3), {12, 10, 1}, linear_sides(2)[1]);
    const Solution wanted = found(rule_case, {.tolerance = 1e-9});
    for (double& value : rule_case.start) value *= factor;
    const Solution right = found(rule_case, {.tolerance = 1e-9});
    EXPECT_TRUE(right.converged());
    EXPECT_EQ(right.iterations, wanted.iterations);
    for (double& value : rule_case.start) value /= factor;
    rule_case.rule.own *= 1e3 * factor;
    for (int dim = 0; dim < 2; ++dim) {
      rule_case.rule.before[dim] *= 1e3 * factor;
      rule_case.rule.behind[dim] *= 1e3 * factor;
    }
    const Solution left = found(rule_case, {.tolerance = 1e-9});
    EXPECT_TRUE(left.converged());
    EXPECT_EQ(left.iterations, wanted.iterations);
  }
}

TEST_F(MinimalResiduals, stop_where_there_is_nothing_to_do) {
  const auto rule_case = on_grid(advection<double, 2>(0.1, 3), {16, 16, 1}, {});
  const OperatorRun<Plane> run(world, rule_case, some_ranks());
  const std::vector<double> zeros(rule_case.start.size());
  const auto b = run.field(zeros), x = run.field(zeros), start = run.field(rule_case.start);
  const Solution solution = Gmres<double>(run.matrix(), {}, b, x).solve(instance.exec());
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_EQ(solution.history, std::vector<double>{0});
  Gmres<double> none(run.matrix(), {.max_iterations = 0}, b, start);
  const Solution stopped = none.solve(instance.exec());
  EXPECT_EQ(stopped.reason, StopReason::iterations);
  EXPECT_EQ(stopped.residual, stopped.history.front());
  Gmres<double> few(run.matrix(), {.tolerance = 0, .max_iterations = 3}, b, start);
  for (int call = 0; call < 2; ++call) {  // goes on from where it has stopped
    const Solution next = few.solve(instance.exec());
    EXPECT_EQ(next.reason, StopReason::iterations);
    EXPECT_EQ(next.iterations, 3);
    EXPECT_NEAR(next.residual, next.history.back(), 1e-12 * next.history.front());
    if (call == 0) {
      EXPECT_LT(next.residual, stopped.residual);
    }
  }
}

TEST_F(MinimalResiduals, misuse_is_told) {
  const auto rule_case = on_grid(advection<double, 2>(0.1, 3), {16, 16, 1}, {});
  const OperatorRun<Plane> run(world, rule_case, some_ranks());
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const auto cause = [&](const SolverConfig& config) {
    try {
      Gmres<double>(run.matrix(), config, b, x);
    } catch (const Error& error) {
      return error.cause();
    }
    return std::string();
  };
  EXPECT_EQ(cause({}), "");
  EXPECT_EQ(cause({.restart = 0}), "restart of a solver is 0");
  EXPECT_EQ(cause({.preconditioner = Preconditioner::polynomial}),
            "method 'gmres' is to have preconditioner 'polynomial'");
  if (world.size() == 1) return;
  EXPECT_NE(cause({.restart = world.rank() == 0 ? 5 : 6}).find("restart is '5' on rank 0"),
            std::string::npos);
}

}  // namespace
}  // namespace haloheap::comm
