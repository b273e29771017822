// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace haloheap::comm {
namespace {

TEST_F(ConjugateGradients, find_the_solution_with_the_same_bits_on_every_rank_grid) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    for (const auto& sides : linear_sides(2)) {
      if (preconditioner == Preconditioner::none && sides.periodic(0)) continue;  // the others are enough
      const auto rule_case = conduction<double, 2>({13, 11, 1}, sides, 50);
      const SolverConfig config{.tolerance = 1e-12, .max_iterations = 2000, .preconditioner = preconditioner};
      const auto serial = solve(alone, rule_case, {1, 1, 1}, config);
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-8);
      EXPECT_EQ(serial.solution.history.size(), static_cast<std::size_t>(serial.solution.iterations) + 1);
      EXPECT_LE(serial.solution.history.back(), 1e-12 * serial.solution.history.front());
      EXPECT_LE(serial.solution.residual, 1e-10 * serial.solution.history.front());
      const std::vector<double> solution = to_host(serial.x);
      for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
        const auto found = solve(world, rule_case, ranks, config);
        same_bits<Conduction<double, 2>>(found.solution, serial.solution);
        EXPECT_EQ(found.error, serial.error);
      }
    }
}

TEST_F(ConjugateGradients, do_not_depend_on_the_transport) {
  const auto rule_case = conduction<double, 2>({24, 24, 1}, linear_sides(2)[2]);
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  SolverConfig config{.tolerance = 1e-9, .preconditioner = Preconditioner::jacobi};
  const Solution wanted = solve(alone, rule_case, {1, 1, 1}, config).solution;
  for (const std::string& transport : transport_names()) {
    SCOPED_TRACE(transport);
    config.halo.transport = transport;
    same_bits<Conduction<double, 2>>(solve(world, rule_case, ranks, config).solution, wanted);
  }
}

/// A start that is the solution, a right side of zeros, and no iterations at all.
TEST_F(ConjugateGradients, stop_where_there_is_nothing_to_do) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const std::vector<double> zeros(rule_case.start.size());
  const auto b = run.field(zeros), x = run.field(zeros);
  ConjugateGradient<double> solver(run.matrix(), {}, b, x);
  const Solution solution = solver.solve(instance.exec());
  EXPECT_TRUE(solution.converged());
  EXPECT_EQ(solution.iterations, 0);
  EXPECT_EQ(solution.history, std::vector<double>{0});
  const auto start = run.field(rule_case.start);
  ConjugateGradient<double> none(run.matrix(), {.tolerance = 0.5, .max_iterations = 0}, b, start);
  const Solution stopped = none.solve(instance.exec());
  EXPECT_EQ(stopped.reason, StopReason::iterations);
  EXPECT_EQ(stopped.iterations, 0);
  EXPECT_EQ(stopped.residual, stopped.history.front());
}

/// A solver goes on from what x holds, and may be used again.
TEST_F(ConjugateGradients, go_on_from_where_they_stopped) {
  const auto rule_case = conduction<double, 2>({20, 15, 1}, linear_sides(2)[3]);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).back());
  const auto b = run.field(right_side(rule_case, rule_case.start));
  const auto x = run.field(std::vector<double>(rule_case.start.size()));
  ConjugateGradient<double> solver(run.matrix(), {.tolerance = 0, .max_iterations = 25}, b, x);
  const Solution first = solver.solve(instance.exec());
  const Solution second = solver.solve(instance.exec());
  EXPECT_EQ(second.history.front(), first.residual);
  EXPECT_LT(second.residual, first.residual);
}

TEST_F(ConjugateGradients, say_what_is_wrong_with_an_operator) {
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  const auto reason = [&](const auto& rule_case, Preconditioner preconditioner) {
    return solve(world, rule_case, ranks, {.tolerance = 1e-9, .preconditioner = preconditioner})
        .solution.reason;
  };
  auto negative = conduction<double, 2>({16, 16, 1}, {});
  negative.rule.shift = -1e6;
  EXPECT_EQ(reason(negative, Preconditioner::none), StopReason::indefinite);
  EXPECT_EQ(reason(negative, Preconditioner::jacobi), StopReason::indefinite);
  auto broken = conduction<double, 2>({16, 16, 1}, {});
  broken.constants[37] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(reason(broken, Preconditioner::none), StopReason::not_a_number);
  EXPECT_EQ(reason(broken, Preconditioner::jacobi), StopReason::not_a_number);
  auto infinite = conduction<double, 2>({16, 16, 1}, {});
  infinite.rule.shift = std::numeric_limits<double>::infinity();
  EXPECT_EQ(reason(infinite, Preconditioner::none), StopReason::not_a_number);
}

/// Singular: all of its rows add up to 0. With a right side that does, too, there are solutions, and without
/// one there is none: the residual stays.
TEST_F(ConjugateGradients, do_not_pretend_to_solve_what_has_no_solution) {
  auto rule_case = conduction<double, 2>({16, 12, 1}, {});
  rule_case.rule.shift = 0;
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  EXPECT_TRUE(
      solve(world, rule_case, ranks, {.tolerance = 1e-9, .max_iterations = 500}).solution.converged());
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, ranks);
  const auto b = run.field(std::vector<double>(rule_case.start.size(), 1));
  const auto x = run.field(std::vector<double>(rule_case.start.size()));
  ConjugateGradient<double> solver(run.matrix(), {.tolerance = 1e-9, .max_iterations = 500}, b, x);
  EXPECT_EQ(solver.solve(instance.exec()).reason, StopReason::singular);
}

/// Where coefficients differ by five orders of magnitude.
TEST_F(ConjugateGradients, need_fewer_iterations_with_a_preconditioner) {
  const auto rule_case = conduction<double, 2>({32, 32, 1}, linear_sides(2)[1], 1e5);
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  const auto iterations = [&](Preconditioner preconditioner) {
    return solve(world, rule_case, ranks, {.tolerance = 1e-8, .preconditioner = preconditioner})
        .solution.iterations;
  };
  EXPECT_LT(2 * iterations(Preconditioner::jacobi), iterations(Preconditioner::none));
}

TEST_F(ConjugateGradients, operators_do_what_their_rule_says) {
  for (const auto& sides : linear_sides(2)) {
    applies_like_the_serial_one(world, instance.exec(), conduction<double, 2>({21, 18, 1}, sides));
    RuleCase<Wide> wide{{}, sides, {20, 23, 1}, drawn(460, 3, -1, 1), {}};
    applies_like_the_serial_one(world, instance.exec(), wide);
  }
}

TEST_F(ConjugateGradients, operators_know_their_diagonal) {
  const auto check = [&](const auto& rule_case) {
    has_the_diagonal_of_its_matrix(world, instance.exec(), rule_case);
  };
  for (const auto& sides : linear_sides(2)) {
    check(conduction<double, 2>({9, 8, 1}, sides, 1));
    check(RuleCase<Wide>{{}, sides, {9, 10, 1}, drawn(90, 3, -1, 1), {}});
  }
  // So narrow that it wraps around onto itself.
  if (world.size() > 1) return;
  check(conduction<double, 2>({1, 7, 1}, {}, 1));
  check(RuleCase<Wide>{{}, {}, {2, 5, 1}, drawn(10, 3, -1, 1), {}});
}

/// The dense matrix, and of operators on every rank grid x'Ay = y'Ax and x'Ax > 0.
template <int Dims>
void is_symmetric(const Communicator& world, const backend::Exec& exec,
                  const RuleCase<Conduction<double, Dims>>& rule_case) {
  const auto matrix = dense(rule_case);
  for (std::size_t i = 0; i < matrix.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) ASSERT_NEAR(matrix[i][j], matrix[j][i], 1e-12);
  const std::size_t count = rule_case.start.size();
  for (const grid::Triple& ranks : rank_grids(world.size(), Dims)) {
    OperatorRun<Conduction<double, Dims>> run(world, rule_case, ranks);
    const auto x = run.field(drawn(count, 5, -1, 1)), y = run.field(drawn(count, 6, -1, 1));
    const auto ax = run.field(rule_case.start), ay = run.field(rule_case.start);
    run.apply(exec, x, ax, true);
    run.apply(exec, y, ay, true);
    detail::DotProducts dots(world, memory::make_memory_resource("device"), product(rule_case.cells));
    const auto product_of = [&](const auto& a, const auto& b) {
      detail::for_own_cells(exec, "haloheap::unit::product", run.layout(),
                            detail::Product<double>{a.data(), b.data()}, dots.target({1e6, 1}));
      return dots.sums(exec)[0];
    };
    const double yax = product_of(y, ax), xay = product_of(x, ay);
    EXPECT_NEAR(yax, xay, 1e-10 * std::abs(yax));
    EXPECT_GT(product_of(x, ax), 0);
  }
}

TEST_F(ConjugateGradients, dense_matrices_are_symmetric_and_so_are_operators_on_every_rank_grid) {
  for (const auto& sides : linear_sides(2))
    is_symmetric(world, instance.exec(), conduction<double, 2>({10, 9, 1}, sides, 10));
  for (const auto& sides : linear_sides(3))
    is_symmetric(world, instance.exec(), conduction<double, 3>({6, 5, 7}, sides, 10));
}

TEST_F(ConjugateGradients, polynomials_spare_iterations_and_bits_stay) {
  for (const auto& sides : {linear_sides(2)[1], linear_sides(2)[2]}) {
    const auto rule_case = conduction<double, 2>({24, 22, 1}, sides, 100);
    SolverConfig config{.tolerance = 1e-9, .first_iterations = 12, .inner_steps = 6};
    const int plain = solve(alone, rule_case, {1, 1, 1}, config).solution.iterations;
    config.preconditioner = Preconditioner::polynomial;
    const auto serial = solve(alone, rule_case, {1, 1, 1}, config);
    EXPECT_TRUE(serial.solution.converged());
    EXPECT_LT(serial.error, 1e-6);
    EXPECT_LT(2 * (serial.solution.iterations - 12), plain - 12);
    for (const grid::Triple& ranks : rank_grids(world.size(), 2))
      same_bits<Conduction<double, 2>>(solve(world, rule_case, ranks, config).solution, serial.solution);
  }
}

/// What first iterations have told is not asked for again.
TEST_F(ConjugateGradients, polynomials_are_remembered) {
  const auto rule_case = conduction<double, 2>({24, 22, 1}, linear_sides(2)[1], 100);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const std::vector<double> zeros(rule_case.start.size());
  const auto b = run.field(right_side(rule_case, rule_case.start)), x = run.field(zeros);
  ConjugateGradient<double> solver(
      run.matrix(), {.tolerance = 1e-9, .preconditioner = Preconditioner::polynomial, .first_iterations = 12},
      b, x);
  EXPECT_FALSE(solver.spectrum().has_value());
  const int first = solver.solve(instance.exec()).iterations;
  ASSERT_TRUE(solver.spectrum().has_value());
  EXPECT_LT(solver.spectrum()->min, solver.spectrum()->max);
  to_device(std::vector<double>(x.size()), x);
  const Solution again = solver.solve(instance.exec());
  EXPECT_TRUE(again.converged());
  EXPECT_LT(again.iterations, first);
}

/// A value on one side, and 0 to begin with: first iterations get no further than a few cells, and see
/// nothing of the bar that conducts a hundred times as well.
RuleCase<Conduction<double, 2>> far_away() {
  stencil::SideRules sides = stencil::SideRules::everywhere(stencil::Outside::mirror(), 2);
  sides.low[0] = {stencil::Outside::value(1)};
  auto rule_case = conduction<double, 2>({30, 14, 1}, sides, 100);
  rule_case.rule.shift = 0;
  rule_case.start.assign(rule_case.start.size(), 1);
  return rule_case;
}

TEST_F(ConjugateGradients, polynomials_learn_of_eigenvalues_that_first_iterations_have_not_seen) {
  for (const int steps : {1, 4, 9}) {
    const auto found = solve(world, far_away(), rank_grids(world.size(), 2).back(),
                             {.tolerance = 1e-10,
                              .max_iterations = 2000,
                              .preconditioner = Preconditioner::polynomial,
                              .first_iterations = 5,
                              .inner_steps = steps});
    EXPECT_TRUE(found.solution.converged()) << steps;
    EXPECT_LT(found.error, 1e-6) << steps;
  }
}

TEST_F(ConjugateGradients, chebyshev_iterations_learn_of_them_too) {
  const auto found = solve<Chebyshev>(world, far_away(), rank_grids(world.size(), 2).back(),
                                      {.tolerance = 1e-6, .max_iterations = 20000, .first_iterations = 9});
  EXPECT_TRUE(found.solution.converged());
  EXPECT_LT(found.error, 1e-2);
  const auto& history = found.solution.history;
  EXPECT_GT(*std::max_element(history.begin() + 9, history.end()), history[9]);  // it did grow
  EXPECT_LE(found.solution.iterations, 20000);
  EXPECT_LE(found.solution.residual, 1.01e-6 * history.front());
}

TEST_F(ConjugateGradients, chebyshev_iterations_find_it_too) {
  for (const auto& sides : {linear_sides(2)[0], linear_sides(2)[2]}) {
    const auto rule_case = conduction<double, 2>({24, 22, 1}, sides, 20);
    const SolverConfig config{.tolerance = 1e-9, .first_iterations = 15};
    const auto serial = solve<Chebyshev>(alone, rule_case, {1, 1, 1}, config);
    EXPECT_TRUE(serial.solution.converged());
    EXPECT_LT(serial.error, 1e-6);
    EXPECT_GT(serial.solution.iterations, 15);
    EXPECT_LE(serial.solution.residual, 1.1e-9 * serial.solution.history.front());
    for (const grid::Triple& ranks : rank_grids(world.size(), 2))
      same_bits<Conduction<double, 2>>(solve<Chebyshev>(world, rule_case, ranks, config).solution,
                                       serial.solution);
  }
}

/// Of operators that are not symmetric.
TEST_F(ConjugateGradients, bicgstab_solves_what_is_not_symmetric_with_the_same_bits) {
  for (const auto preconditioner : {Preconditioner::none, Preconditioner::jacobi})
    for (const auto& sides : linear_sides(2)) {
      const RuleCase<Wide> rule_case{{}, sides, {20, 23, 1}, drawn(460, 3, -1, 1), {}};
      if (preconditioner == Preconditioner::none && sides.periodic(0)) continue;
      const SolverConfig config{.tolerance = 1e-12, .max_iterations = 300, .preconditioner = preconditioner};
      const auto serial = solve<BiCGStab>(alone, rule_case, {1, 1, 1}, config);
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-9);
      for (const grid::Triple& ranks : rank_grids(world.size(), 2))
        same_bits<Wide>(solve<BiCGStab>(world, rule_case, ranks, config).solution, serial.solution);
    }
}

TEST_F(ConjugateGradients, eigenvalues_lie_within_the_bounds_that_iterations_tell) {
  const auto rule_case = conduction<double, 2>({9, 8, 1}, linear_sides(2)[1], 10);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const auto b = run.field(right_side(rule_case, rule_case.start));
  const auto x = run.field(std::vector<double>(rule_case.start.size()));
  ConjugateGradient<double> solver(run.matrix(),
                                   {.tolerance = 0, .max_iterations = 60, .first_iterations = 60}, b, x);
  solver.solve(instance.exec());
  ASSERT_TRUE(solver.spectrum().has_value());
  // The largest one by multiplying with the dense matrix, the smallest one by doing so with what is left of
  // it.
  const auto matrix = dense(rule_case);
  const auto largest_of = [&](double shift) {
    std::vector<double> v = drawn(matrix.size(), 9, -1, 1), w(v.size());
    double length = 0;
    for (int i = 0; i < 20000; ++i) {
      for (std::size_t row = 0; row < w.size(); ++row) {
        w[row] = shift * v[row];
        for (std::size_t column = 0; column < w.size(); ++column)
          w[row] += (shift == 0 ? 1 : -1) * matrix[row][column] * v[column];
      }
      length = 0;
      for (const double value : w) length += value * value;
      length = std::sqrt(length);
      for (std::size_t row = 0; row < w.size(); ++row) v[row] = w[row] / length;
    }
    return length;
  };
  const double max = largest_of(0), min = max - largest_of(max);
  EXPECT_NEAR(solver.spectrum()->max, 1.05 * max, 1e-3 * max);
  EXPECT_NEAR(solver.spectrum()->min, 0.95 * min, 1e-3 * min);
}

/// Products of which some are 10^12 times as large as others, and cancel.
TEST_F(ConjugateGradients, products_add_up_to_the_same_bits_or_tell_that_a_bound_was_too_small) {
  const auto rule_case = conduction<double, 2>({67, 5, 1}, {});
  std::vector<double> a = drawn(335, 11, -1, 1), b = drawn(335, 12, -1, 1);
  long double wanted = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    a[i] *= i % 7 == 0 ? 1e6 : 1e-6;
    b[i] *= i % 7 == 0 ? 1e6 : 1;
    wanted += static_cast<long double>(a[i] * b[i]);
  }
  const auto sum_on = [&](const Communicator& communicator, const grid::Triple& ranks, double bound) {
    const OperatorRun<Conduction<double, 2>> run(communicator, rule_case, ranks);
    const auto left = run.field(a), right = run.field(b);
    detail::DotProducts dots(communicator, memory::make_memory_resource("device"), product(rule_case.cells));
    detail::for_own_cells(instance.exec(), "haloheap::unit::product", run.layout(),
                          detail::Product<double>{left.data(), right.data()}, dots.target({bound, 1}));
    if (bound < 1e12) return dots.sums(instance.exec())[0];
    dots.begin_sums(instance.exec());
    const double begun = dots.finish_sums()[0];
    detail::for_own_cells(instance.exec(), "haloheap::unit::product", run.layout(),
                          detail::Product<double>{left.data(), right.data()}, dots.target({bound, 1}));
    const double at_once = dots.sums(instance.exec())[0];
    EXPECT_TRUE(begun == at_once || (std::isnan(begun) && std::isnan(at_once)));
    return at_once;
  };
  const double serial = sum_on(alone, {1, 1, 1}, 1e12);
  EXPECT_NEAR(serial, static_cast<double>(wanted), 1e-12 * std::abs(serial));
  for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
    EXPECT_EQ(sum_on(world, ranks, 1e12), serial);
    EXPECT_TRUE(std::isnan(sum_on(world, ranks, 1e9)));
    EXPECT_EQ(sum_on(world, ranks, 1e12), serial);  // nothing of it is left
  }
  a[3] = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(sum_on(world, rank_grids(world.size(), 2).front(), 1e12)));
}

TEST(Spectrum, is_that_of_a_tridiagonal_matrix) {
  for (const int n : {1, 2, 3, 10, 57}) {
    const std::vector<double> diagonal(static_cast<std::size_t>(n), 2),
        beside(static_cast<std::size_t>(n), -1);
    const auto found = detail::extreme_eigenvalues(diagonal, beside);
    EXPECT_NEAR(found.min, 2 - 2 * std::cos(M_PI / (n + 1)), 1e-12) << n;
    EXPECT_NEAR(found.max, 2 + 2 * std::cos(M_PI / (n + 1)), 1e-12) << n;
  }
}

TEST_F(ConjugateGradients, misuse_is_told) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const auto cause = [&](const SolverConfig& config, FieldData<double> right, FieldData<double> left) {
    try {
      ConjugateGradient<double>(run.matrix(), config, right, left);
    } catch (const Error& error) {
      return error.cause();
    }
    return std::string();
  };
  EXPECT_EQ(cause({}, b, x), "");
  EXPECT_EQ(cause({.tolerance = -1}, b, x), "the tolerance of a solver is -1");
  EXPECT_EQ(cause({.max_iterations = -3}, b, x), "a solver is to make -3 iterations at most");
  const SolverConfig scaled{.preconditioner = Preconditioner::jacobi};
  EXPECT_THROW(Chebyshev<double>(run.matrix(), scaled, b, x), UsageError);
  EXPECT_EQ(cause({}, b, b), "the fields 'b' and 'x' are the same memory");
  EXPECT_NE(cause({}, b, static_cast<double*>(nullptr)), "");
  const auto small = make_device_array(std::vector<double>(5));
  EXPECT_NE(cause({}, small, x), "");
  EXPECT_THROW(OperatorProduct<double>(run.matrix(), x, x), UsageError);
  EXPECT_THROW(OperatorProduct<double>(run.matrix(), x, small), UsageError);
  stencil::SideRules sides = stencil::SideRules::everywhere(stencil::Outside::rule(), 2);
  EXPECT_THROW(LinearOperator<double>(world, run.grid(), Wide{}, sides), Error);
  if (world.size() == 1) return;
  EXPECT_NE(
      cause({.tolerance = world.rank() == 0 ? 1e-3 : 1e-4}, b, x).find("tolerance is '0.001' on rank 0"),
      std::string::npos);
}

}  // namespace
}  // namespace haloheap::comm
