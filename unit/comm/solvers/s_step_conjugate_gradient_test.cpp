// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace haloheap::comm {
namespace {

using Vector = std::vector<double>;

class SStepConjugateGradients : public ConjugateGradients {
 protected:
  grid::Triple some_ranks() const { return rank_grids(world.size(), 2).front(); }

  auto found(const RuleCase<Conduction<double, 2>>& rule_case, const SolverConfig& config) const {
    return solve<SStepConjugateGradient>(world, rule_case, some_ranks(), config, config.block_steps).solution;
  }
};

TEST_F(SStepConjugateGradients, make_the_iterations_of_the_others_with_the_same_bits_on_every_rank_grid) {
  const auto all_sides = linear_sides(2);
  for (std::size_t i = 0; i < all_sides.size(); ++i) {
    const auto rule_case = conduction<double, 2>({26, 24, 1}, all_sides[i], 20);
    SolverConfig config{.tolerance = 1e-10};
    const auto classic = solve(alone, rule_case, {1, 1, 1}, config);
    for (const int steps : {i == 0 ? 1 : 2, i == 1 ? 3 : 4, 8}) {
      SCOPED_TRACE(steps);
      config.block_steps = steps;
      const auto serial = solve<SStepConjugateGradient>(alone, rule_case, {1, 1, 1}, config, steps);
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-7);
      EXPECT_LE(serial.solution.iterations, 1.1 * classic.solution.iterations);
      EXPECT_LE(serial.solution.residual, 1e-10 * serial.solution.history.front());
      EXPECT_EQ(serial.solution.history.size(), static_cast<std::size_t>(serial.solution.iterations) + 1);
      for (std::size_t at = 0; at < 20; ++at)  // later ones differ by what rounding makes of them
        EXPECT_NEAR(serial.solution.history[at], classic.solution.history[at],
                    1e-6 * classic.solution.history[at]);
      if (steps < 3 && world.size() > 2) continue;  // deeper ghost cells are enough there
      for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
        if (26 / ranks.x < steps || 24 / ranks.y < steps) continue;  // narrower than the ghost cells
        const auto other = solve<SStepConjugateGradient>(world, rule_case, ranks, config, steps);
        same_bits<Conduction<double, 2>>(other.solution, serial.solution);
        EXPECT_EQ(other.error, serial.error);
      }
    }
  }
}

TEST_F(SStepConjugateGradients, do_not_depend_on_the_transport) {
  const auto rule_case = conduction<double, 2>({24, 24, 1}, linear_sides(2)[2]);
  SolverConfig config{.tolerance = 1e-9, .first_iterations = 15};
  const auto wanted = solve<SStepConjugateGradient>(alone, rule_case, {1, 1, 1}, config, 4).solution;
  for (const std::string& transport : transport_names()) {
    SCOPED_TRACE(transport);
    config.halo.transport = transport;
    same_bits<Conduction<double, 2>>(found(rule_case, config), wanted);
  }
}

/// After three iterations nobody knows of the bar that conducts well.
TEST_F(SStepConjugateGradients, learn_of_eigenvalues_that_first_iterations_have_not_seen) {
  const auto rule_case = conduction<double, 2>({48, 32, 1}, linear_sides(2)[1], 100);
  const SolverConfig config{.tolerance = 1e-10, .first_iterations = 3, .block_steps = 6};
  const Solution end = found(rule_case, config);
  EXPECT_TRUE(end.converged());
  EXPECT_LE(end.iterations, 1.1 * solve(world, rule_case, some_ranks(), config).solution.iterations);
}

/// A start whose residual is nearly an eigenvector: all vectors of a basis are nearly the same.
TEST_F(SStepConjugateGradients, stop_a_block_where_its_basis_is_dependent) {
  auto rule_case = conduction<double, 2>({32, 32, 1}, {}, 1);
  for (double& value : rule_case.constants) value = 1;
  for (std::size_t i = 0; i < rule_case.start.size(); ++i) rule_case.start[i] = 1 + 1e-7 * rule_case.start[i];
  const Solution end = found(rule_case, {.tolerance = 1e-11, .first_iterations = 1, .block_steps = 8});
  EXPECT_TRUE(end.converged());
  EXPECT_LE(end.residual, 1e-11 * end.history.front());
}

/// All vectors of a basis from a constant are the same but for rounding, which is larger than what such an
/// operator makes of a constant: p'Ap by their products may have any sign, and by itself is positive. Which
/// ones it makes negative is a matter of the last digits, so that there are several.
TEST_F(SStepConjugateGradients, halve_blocks_whose_basis_breaks_down) {
  int halved = 0;
  for (const int cells : {16, 20, 24, 30})
    for (const double left : {1e-15, 1e-18}) {
      auto rule_case = conduction<double, 2>({cells, cells, 1}, {}, 10);
      rule_case.rule.shift = left;
      const std::size_t count = rule_case.start.size();
      const OperatorRun<Conduction<double, 2>> run(world, rule_case, some_ranks(), 4);
      const auto b = run.field(right_side(rule_case, rule_case.start));
      const auto x = run.field(Vector(count)), even = run.field(Vector(count, left));
      SStepConjugateGradient<double> solver(run.matrix(), {.tolerance = 1e-6, .block_steps = 4}, b, x);
      EXPECT_TRUE(solver.solve(instance.exec()).converged());  // and knows the eigenvalues
      EXPECT_EQ(solver.block_steps(), 4);
      backend::copy(instance.exec(), b.data(), even.data(), b.size() * sizeof(double));
      backend::copy(instance.exec(), x.data(), run.field(Vector(count)).data(), x.size() * sizeof(double));
      const Solution end = solver.solve(instance.exec());
      if (solver.block_steps() == 4) continue;
      ++halved;
      EXPECT_TRUE(end.converged());
      EXPECT_LE(end.residual, 1e-6 * end.history.front());
    }
  EXPECT_GT(halved, 0);
}

/// The first iterations see nothing of it: a block does, and says so once it has no fewer steps left.
TEST_F(SStepConjugateGradients, halve_blocks_down_to_the_step_that_shows_an_indefinite_operator) {
  auto saddle = conduction<double, 2>({16, 16, 1}, {}, 10);
  saddle.rule.shift = -0.5;
  const OperatorRun<Conduction<double, 2>> run(world, saddle, some_ranks(), 4);
  const auto b = run.field(right_side(saddle, saddle.start)), x = run.field(Vector(saddle.start.size()));
  SStepConjugateGradient<double> solver(run.matrix(),
                                        {.tolerance = 1e-12, .first_iterations = 5, .block_steps = 4}, b, x);
  EXPECT_EQ(solver.solve(instance.exec()).reason, StopReason::indefinite);
  EXPECT_EQ(solver.block_steps(), 1);
}

TEST_F(SStepConjugateGradients, may_be_called_again) {
  const auto rule_case = conduction<double, 2>({24, 24, 1}, linear_sides(2)[1], 10);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, some_ranks(), 4);
  const auto b = run.field(right_side(rule_case, rule_case.start));
  const std::vector<double> zeros(rule_case.start.size());
  const auto x = run.field(zeros), nothing = run.field(zeros), y = run.field(zeros);
  SStepConjugateGradient<double> solver(run.matrix(), {.tolerance = 1e-9, .max_iterations = 33}, b, x);
  Solution end = solver.solve(instance.exec());
  EXPECT_EQ(end.reason, StopReason::iterations);
  EXPECT_EQ(end.iterations, 33);
  for (int call = 0; call < 50 && !end.converged(); ++call) {
    const double last = end.residual;
    end = solver.solve(instance.exec());
    EXPECT_DOUBLE_EQ(end.history.front(), last);
  }
  EXPECT_LT(run.largest_difference(x, rule_case.start), 1e-3);
  SStepConjugateGradient<double> idle(run.matrix(), {}, nothing, y);
  end = idle.solve(instance.exec());
  EXPECT_TRUE(end.converged());
  EXPECT_EQ(end.iterations, 0);
}

TEST_F(SStepConjugateGradients, say_what_is_wrong) {
  const SolverConfig config{.tolerance = 1e-9};
  auto negative = conduction<double, 2>({16, 16, 1}, {});
  negative.rule.shift = -1e6;
  EXPECT_EQ(found(negative, config).reason, StopReason::indefinite);
  auto saddle = conduction<double, 2>({16, 16, 1}, {});
  saddle.rule.shift = -0.5;
  EXPECT_EQ(found(saddle, {.tolerance = 1e-12, .max_iterations = 500}).reason, StopReason::indefinite);
  auto broken = conduction<double, 2>({16, 16, 1}, {});
  broken.constants[37] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(found(broken, config).reason, StopReason::not_a_number);
  const auto rule_case = conduction<double, 2>({30, 30, 1}, linear_sides(2)[2], 10);
  EXPECT_EQ(found(rule_case, {.tolerance = 1e-19}).reason, StopReason::stagnated);
}

TEST_F(SStepConjugateGradients, misuse_is_told) {
  const auto rule_case = conduction<double, 2>({36, 36, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, some_ranks(), 4);
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const auto throws = [&](const SolverConfig& config) {
    EXPECT_THROW(SStepConjugateGradient<double>(run.matrix(), config, b, x), UsageError);
  };
  throws({.preconditioner = Preconditioner::jacobi});
  throws({.block_steps = 0});
  throws({.block_steps = 5});
  throws({.block_steps = 9});
  using Run = OperatorRun<Conduction<double, 2>>;
  EXPECT_THROW(Run(world, rule_case, some_ranks(), 0), Error);
}

/// Of all pairs of eleven fields, or of some of them with two, with the same bits as a sum of one pair.
TEST_F(SStepConjugateGradients, gram_matrices_hold_the_products_of_all_pairs) {
  const auto rule_case = conduction<double, 2>({37, 9, 1}, {});
  const int count = 11;
  const auto on = [&](const Communicator& communicator, const grid::Triple& ranks, double guess) {
    const OperatorRun<Conduction<double, 2>> run(communicator, rule_case, ranks);
    std::vector<memory::Array<double>> fields;
    std::vector<const double*> pointers;
    for (int i = 0; i < count; ++i) {
      fields.push_back(run.field(drawn(37 * 9, 20 + i, -1, 1)));
      pointers.push_back(fields.back().data());
    }
    const auto memory = memory::make_memory_resource("device");
    const detail::GramMatrix<double> gram(communicator, memory, 37 * 9, count);
    const Vector products = gram.products(instance.exec(), run.layout(), {pointers, Vector(count, guess)});
    detail::DotProducts dots(communicator, memory, 37 * 9);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t j = 0; j < count; ++j) {
        if (guess < 1) continue;
        detail::for_own_cells(instance.exec(), "haloheap::unit::product", run.layout(),
                              detail::Product<double>{pointers[i], pointers[j]}, dots.target({1, 1, 1}));
        EXPECT_EQ(products[i * count + j], dots.sums(instance.exec())[0]);
      }
    const auto same = [](double found, double wanted) {
      return found == wanted || (std::isnan(found) && std::isnan(wanted));
    };
    for (const std::size_t some : {1, 2, 3, 4, 5, 6, 8, 9, count}) {
      const detail::GramMatrix<double>::Fields first{
          {pointers.begin(), pointers.begin() + static_cast<std::ptrdiff_t>(some)}, Vector(some, guess)};
      const Vector all = gram.products(instance.exec(), run.layout(), first);
      EXPECT_EQ(all.size(), some * some);
      for (std::size_t i = 0; i < all.size(); ++i)
        EXPECT_TRUE(same(all[i], products[i / some * count + i % some]));
      const Vector with_two = gram.products_with(instance.exec(), run.layout(), first,
                                                 {{pointers[2], pointers[7]}, Vector(2, guess)});
      EXPECT_EQ(with_two.size(), 2 * some);
      for (std::size_t i = 0; i < with_two.size(); ++i)
        EXPECT_TRUE(same(with_two[i], products[i / 2 * count + (i % 2 == 0 ? 2 : 7)]));
    }
    return products;
  };
  const Vector serial = on(alone, {1, 1, 1}, 20);
  for (const grid::Triple& ranks : rank_grids(world.size(), 2)) EXPECT_EQ(on(world, ranks, 20), serial);
  for (const double product : on(alone, {1, 1, 1}, 1e-9)) EXPECT_TRUE(std::isnan(product));
}

/// A diagonal matrix, vectors that stand for themselves, and conjugate gradients written out.
class Coordinates : public ::testing::Test {
 protected:
  static double dot(const Vector& a, const Vector& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum;
  }
  Vector applied(const Vector& v) const {
    Vector result = v;
    for (std::size_t i = 0; i < v.size(); ++i) result[i] *= diagonal[i];
    return result;
  }
  std::vector<Vector> powers(const Vector& first, std::size_t count,
                             const std::vector<detail::BasisStep>& steps) const {
    std::vector<Vector> all{first};
    for (std::size_t i = 0; i + 1 < count; ++i) {
      Vector next = applied(all[i]);
      for (std::size_t k = 0; k < next.size(); ++k)
        next[k] = (next[k] - steps[i].shift * all[i][k] - (i > 0 ? steps[i].back * all[i - 1][k] : 0)) /
                  steps[i].scale;
      all.push_back(next);
    }
    return all;
  }
  detail::KrylovCoordinates coordinates(const Vector& p, const Vector& r, int steps) const {
    const auto basis = detail::chebyshev_basis({1, 20}, steps);
    auto vectors = powers(p, static_cast<std::size_t>(steps) + 1, basis);
    for (const Vector& vector : powers(r, static_cast<std::size_t>(steps), basis)) vectors.push_back(vector);
    Vector gram;
    for (const Vector& one : vectors)
      for (const Vector& other : vectors) gram.push_back(dot(one, other));
    return {basis, gram};
  }
  Vector diagonal{1, 2, 3, 5, 7, 8, 11, 13, 14, 16, 18, 20};
};

TEST_F(Coordinates, go_through_the_iterations_of_conjugate_gradients) {
  for (const int steps : {1, 2, 5, 8}) {
    Vector r = drawn(12, 3, -1, 1), p = r;
    auto found = coordinates(p, r, steps);
    EXPECT_LT(found.growth(), 1.01);
    for (int i = 0; i < steps; ++i) {
      ASSERT_TRUE(found.can_go_on());
      const Vector w = applied(p);
      const double rr = dot(r, r), alpha = rr / dot(p, w);
      for (std::size_t k = 0; k < r.size(); ++k) r[k] -= alpha * w[k];
      const double beta = dot(r, r) / rr;
      for (std::size_t k = 0; k < r.size(); ++k) p[k] = r[k] + beta * p[k];
      ASSERT_TRUE(found.iterate());
      EXPECT_NEAR(found.alpha(), alpha, 1e-7 * alpha);
      EXPECT_NEAR(found.beta(), beta, 1e-7 * beta);
      EXPECT_NEAR(found.rr(), dot(r, r), 1e-7 * rr);
    }
    EXPECT_FALSE(found.can_go_on());
  }
}

TEST_F(Coordinates, know_how_many_vectors_are_independent) {
  Vector few(12);
  few[1] = few[4] = few[9] = 1;  // three eigenvectors
  EXPECT_EQ(coordinates(few, few, 8).usable_steps(), 2);
  few[2] = few[11] = 1;
  EXPECT_EQ(coordinates(few, few, 8).usable_steps(), 4);
  EXPECT_EQ(coordinates(drawn(12, 3, -1, 1), drawn(12, 3, -1, 1), 4).usable_steps(), 4);
}

TEST_F(Coordinates, see_eigenvalues_beyond_the_bounds) {
  const Vector beyond = drawn(12, 3, -1, 1);
  diagonal[5] = 40;
  const auto found = coordinates(beyond, beyond, 4);
  EXPECT_GT(found.growth(), 30);
  EXPECT_GT(found.quotient(), 38);
  EXPECT_LT(found.quotient(), 40.1);
}

}  // namespace
}  // namespace haloheap::comm
