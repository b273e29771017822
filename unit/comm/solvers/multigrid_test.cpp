// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/multigrid.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

namespace haloheap::comm {
namespace {

using detail::Coarsening;
using stencil::Outside;

/// Sides of value 0, so that -laplace alone is positive definite.
stencil::SideRules held(int dims) {
  return stencil::SideRules::everywhere(Outside::value(0), dims);
}

std::vector<Coarsening> coarsenings() {
  std::vector<Coarsening> made;
  for (const grid::Index cells : {3, 4, 5, 8, 11, 12, 13})
    for (const bool wraps : {false, true})
      for (const auto& outside : {Outside::mirror(), Outside::mirror(-1), Outside::value(0)}) {
        const bool periodic[3] = {wraps, wraps, true};
        made.push_back(
            Coarsening::of(2, {cells, cells + 1, 1}, periodic,
                           wraps ? stencil::SideRules{} : stencil::SideRules::everywhere(outside, 2), 4));
        made.push_back(made.back().next(2, 4));
      }
  return made;
}

TEST(Coarsening, gives_each_fine_cell_parents_in_the_grid) {
  for (const Coarsening& of : coarsenings())
    for (int dim = 0; dim < 2; ++dim)
      for (grid::Index cell = 0; cell < of.fine[dim]; ++cell) {
        const detail::Parents found = of.parents(dim, cell);
        for (const grid::Index parent : found.coarse) {
          EXPECT_GE(parent, of.periodic[dim] ? -1 : 0);
          EXPECT_LT(parent, of.coarse[dim] + (of.periodic[dim] ? 1 : 0));
        }
        const double sum = found.weight[0] + found.weight[1];
        EXPECT_LE(sum, 1);
        EXPECT_GT(sum, of.low[dim] < Coarsening::far_away ? 0.15 : 0.999);
      }
}

TEST(Coarsening, has_no_parents_but_those_that_count_a_cell_as_a_child) {
  for (const Coarsening& of : coarsenings())
    for (int dim = 0; dim < 2; ++dim) {
      double up = 0, down = 0;
      for (grid::Index cell = 0; cell < of.fine[dim]; ++cell) {
        const detail::Parents found = of.parents(dim, cell);
        up += found.weight[0] + found.weight[1];
      }
      for (grid::Index parent = 0; parent < of.coarse[dim]; ++parent)
        for (int child = 0; child < of.children(dim); ++child)
          down += of.weight(dim, of.first_child(dim, parent) + child, parent);
      EXPECT_NEAR(up, down, 1e-12);
    }
}

TEST(Coarsening, divides_coarse_cells_as_fine_ones) {
  const Coarsening of = coarsenings().back();
  grid::Index next = 0;
  for (grid::Index begin = 0; begin < of.fine.x;) {
    const grid::Index end = std::min(begin + 3, of.fine.x);
    const grid::Box box = of.coarse_of({{begin, 0, 0}, {end, of.fine.y, 1}});
    EXPECT_EQ(box.lo.x, next);
    next = box.hi.x;
    begin = end;
  }
  EXPECT_EQ(next, of.coarse.x);
}

TEST(DenseFactors, give_the_inverse) {
  const std::size_t n = 23;
  std::vector<double> rows(n * n);
  const auto numbers = drawn(n * n, 3, -1, 1);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t k = 0; k < n; ++k) rows[i * n + j] += numbers[i * n + k] * numbers[j * n + k];
  const detail::DenseFactors factors(rows, n);
  EXPECT_TRUE(factors.good());
  const std::vector<double> inverse = factors.inverse();
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double product = 0;
      for (std::size_t k = 0; k < n; ++k) product += rows[i * n + k] * inverse[k * n + j];
      EXPECT_NEAR(product, i == j ? 1 : 0, 1e-9);
      EXPECT_EQ(inverse[i * n + j], inverse[j * n + i]);
    }
  EXPECT_FALSE(detail::DenseFactors({1, 2, 2, 1}, 2).good());
  EXPECT_FALSE(detail::DenseFactors({std::nan(""), 0, 0, 1}, 2).good());
  EXPECT_EQ(detail::DenseFactors({1, -1, -1, 1}, 2).inverse(), (std::vector<double>{1, 0, 0, 0}));
}

class MultigridCycles : public ConjugateGradients {
 protected:
  static SolverConfig config(int steps = 2) {
    return {.tolerance = 1e-8, .max_iterations = 60, .smoothing_steps = steps};
  }

  template <class T, int Dims>
  static auto laplace(const grid::Triple& cells, const stencil::SideRules& sides, double shift = 0) {
    auto made = conduction<T, Dims>(cells, sides, 1);
    made.constants.assign(made.constants.size(), T{1});
    made.rule.shift = static_cast<T>(shift);
    return made;
  }
  template <class Rule>
  auto cycles(const RuleCase<Rule>& rule_case, int steps = 2) const {
    return solve<Multigrid>(world, rule_case, rank_grids(world.size(), Rule::dims).front(), config(steps),
                            multigrid_depth(steps));
  }
};

TEST_F(MultigridCycles, do_not_grow_in_number_with_the_grid) {
  for (const grid::Triple& cells :
       {grid::Triple{63, 63, 1}, {64, 64, 1}, {100, 77, 1}, {255, 255, 1}, {300, 24, 1}}) {
    for (const auto& sides : {held(2), stencil::SideRules::everywhere(Outside::mirror(-1), 2)}) {
      const auto end = cycles(laplace<double, 2>(cells, sides));
      EXPECT_TRUE(end.solution.converged());
      EXPECT_LE(end.solution.iterations, 12) << cells.x;
      EXPECT_LT(end.error, 1e-3);
    }
    for (const auto& sides : {stencil::SideRules{}, stencil::SideRules::everywhere(Outside::mirror(), 2)}) {
      const auto end = cycles(laplace<double, 2>(cells, sides, 1e-4));
      EXPECT_TRUE(end.solution.converged());
      EXPECT_LE(end.solution.iterations, 12) << cells.x;
    }
  }
  for (const grid::Index n : {31, 40}) {
    const auto end = cycles(laplace<double, 3>({n, n, n}, held(3)));
    EXPECT_TRUE(end.solution.converged());
    EXPECT_LE(end.solution.iterations, 12) << n;
  }
}

TEST_F(MultigridCycles, need_fewer_with_more_smoothing) {
  const auto rule_case = laplace<double, 2>({96, 80, 1}, held(2));
  int last = 60;
  for (const int steps : {1, 2, 3}) {
    const int needed = cycles(rule_case, steps).solution.iterations;
    EXPECT_LT(needed, last);
    last = needed;
  }
}

/// Levels that ranks share, and levels that all of them have whole.
TEST_F(MultigridCycles, have_the_same_bits_on_every_rank_grid) {
  for (const int steps : {1, 2, 4})
    for (const auto& sides : linear_sides(2)) {
      const auto rule_case = conduction<double, 2>({61, 50, 1}, sides, 10);
      const auto serial =
          solve<Multigrid>(alone, rule_case, {1, 1, 1}, config(steps), multigrid_depth(steps));
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-6);
      EXPECT_EQ(serial.solution.history.size(), static_cast<std::size_t>(serial.solution.iterations) + 1);
      for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
        const auto other = solve<Multigrid>(world, rule_case, ranks, config(steps), multigrid_depth(steps));
        same_bits<Conduction<double, 2>>(other.solution, serial.solution);
        EXPECT_EQ(other.error, serial.error);
      }
    }
}

TEST_F(MultigridCycles, have_the_same_bits_in_three_dimensions) {
  for (const auto& sides : linear_sides(3)) {
    const auto rule_case = conduction<float, 3>({19, 24, 17}, sides, 10);
    SolverConfig some = config();
    some.tolerance = 1e-5;
    const auto serial = solve<Multigrid>(alone, rule_case, {1, 1, 1}, some, multigrid_depth(2));
    EXPECT_TRUE(serial.solution.converged());
    EXPECT_LT(serial.error, 1e-3);
    for (const grid::Triple& ranks : rank_grids(world.size(), 3))
      same_bits<Conduction<float, 3>>(
          solve<Multigrid>(world, rule_case, ranks, some, multigrid_depth(2)).solution, serial.solution);
  }
}

TEST_F(MultigridCycles, do_not_depend_on_the_transport) {
  const auto rule_case = conduction<double, 2>({48, 48, 1}, linear_sides(2)[2], 10);
  SolverConfig some = config();
  const auto ranks = rank_grids(world.size(), 2).front();
  const auto wanted = solve<Multigrid>(alone, rule_case, {1, 1, 1}, some, multigrid_depth(2)).solution;
  for (const std::string& transport : transport_names()) {
    SCOPED_TRACE(transport);
    some.halo.transport = transport;
    same_bits<Conduction<double, 2>>(
        solve<Multigrid>(world, rule_case, ranks, some, multigrid_depth(2)).solution, wanted);
  }
}

/// x'My = y'Mx and x'Mx > 0: what conjugate gradients ask of a preconditioner.
TEST_F(MultigridCycles, are_symmetric_and_positive_definite) {
  for (const int steps : {1, 2, 3})
    for (const auto& sides : linear_sides(2)) {
      const auto rule_case = conduction<double, 2>({37, 30, 1}, sides, 1000);
      const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front(),
                                                   multigrid_depth(steps));
      const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
      detail::LinearSystem<double> system(SolverMethod::multigrid, run.matrix(), config(steps), b, x);
      const auto z = system.field("z");
      detail::VCycle<double> cycle(system, system.residual_field(), z);
      ASSERT_FALSE(cycle.prepare(instance.exec()));
      const std::size_t count = rule_case.start.size();
      std::vector<memory::Array<double>> fields, made;
      for (const unsigned seed : {5U, 6U}) {
        fields.push_back(run.field(drawn(count, seed, -1, 1)));
        made.push_back(run.field(rule_case.start));
        backend::copy(instance.exec(), system.r(), fields.back().data(), z.size() * sizeof(double));
        cycle.apply(instance.exec());
        backend::copy(instance.exec(), made.back().data(), z.data(), z.size() * sizeof(double));
      }
      const auto times = [&](const auto& one, const auto& other) {
        return system.exact(instance.exec(), detail::Product<double>{one.data(), other.data()})[0];
      };
      const double size = times(fields[0], made[0]);
      EXPECT_GT(size, 0);
      EXPECT_NEAR(times(fields[0], made[1]), times(fields[1], made[0]), 1e-12 * size);
    }
}

TEST_F(MultigridCycles, make_conjugate_gradients_need_few_iterations) {
  SolverConfig some = config();
  some.tolerance = 1e-10;
  some.max_iterations = 5000;
  for (const double contrast : {1.0, 1e4})
    for (const auto& sides : linear_sides(2)) {
      const auto rule_case = conduction<double, 2>({90, 70, 1}, sides, contrast);
      some.preconditioner = Preconditioner::jacobi;
      const int plain = solve(alone, rule_case, {1, 1, 1}, some, 4).solution.iterations;
      some.preconditioner = Preconditioner::multigrid;
      const auto serial = solve(alone, rule_case, {1, 1, 1}, some, 4);
      EXPECT_TRUE(serial.solution.converged());
      EXPECT_LT(serial.error, 1e-5);
      EXPECT_LE(serial.solution.iterations, 30) << contrast;
      EXPECT_LT(3 * serial.solution.iterations, plain);
      for (const grid::Triple& ranks : rank_grids(world.size(), 2))
        same_bits<Conduction<double, 2>>(solve(world, rule_case, ranks, some, 4).solution, serial.solution);
    }
}

TEST_F(MultigridCycles, begin_again_where_they_have_stopped) {
  const auto rule_case = conduction<double, 2>({64, 33, 1}, linear_sides(2)[1], 10);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front(),
                                               multigrid_depth(2));
  const auto b = run.field(right_side(rule_case, rule_case.start));
  const auto x = run.field(std::vector<double>(rule_case.start.size()));
  SolverConfig some = config();
  some.max_iterations = 2;
  Multigrid<double> solver(run.matrix(), some, b, x);
  const Solution first = solver.solve(instance.exec()), second = solver.solve(instance.exec());
  EXPECT_EQ(first.reason, StopReason::iterations);
  EXPECT_EQ(first.iterations, 2);
  EXPECT_EQ(second.history.front(), first.residual);
  EXPECT_LT(second.residual, 0.1 * first.residual);
}

TEST_F(MultigridCycles, stop_where_rounding_leaves_no_smaller_residual) {
  SolverConfig some = config();
  some.tolerance = 0;
  const auto rule_case = conduction<double, 2>({40, 40, 1}, linear_sides(2)[1], 1);
  const auto end = solve<Multigrid>(alone, rule_case, {1, 1, 1}, some, multigrid_depth(2));
  EXPECT_EQ(end.solution.reason, StopReason::stagnated);
  EXPECT_LT(end.error, 1e-12);
}

TEST_F(MultigridCycles, say_what_is_wrong_with_an_operator) {
  const auto ends = [&](const RuleCase<Conduction<double, 2>>& rule_case) {
    const StopReason alone_reason = cycles(rule_case).solution.reason;
    SolverConfig some = config();
    some.preconditioner = Preconditioner::multigrid;
    EXPECT_EQ(solve(world, rule_case, rank_grids(world.size(), 2).front(), some, 4).solution.reason,
              alone_reason);
    return alone_reason;
  };
  auto negative = conduction<double, 2>({32, 32, 1}, {});
  negative.rule.shift = -1e6;
  EXPECT_EQ(ends(negative), StopReason::indefinite);
  auto saddle = laplace<double, 2>({32, 32, 1}, {}, -0.5);  // of both signs: found on the coarsest grid
  EXPECT_EQ(ends(saddle), StopReason::indefinite);
  auto broken = conduction<double, 2>({32, 32, 1}, {});
  broken.constants[37] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(ends(broken), StopReason::not_a_number);
}

TEST_F(MultigridCycles, misuse_is_told) {
  const auto rule_case = conduction<double, 2>({32, 32, 1}, {});
  const auto ranks = rank_grids(world.size(), 2).front();
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, ranks, multigrid_depth(2));
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const auto throws = [&](const SolverConfig& some) {
    EXPECT_THROW(Multigrid<double>(run.matrix(), some, b, x), UsageError);
  };
  throws({.smoothing_steps = 3});
  throws({.smoothing_steps = 0});
  throws({.preconditioner = Preconditioner::jacobi});
  EXPECT_THROW(ConjugateGradient<double>(
                   run.matrix(), {.preconditioner = Preconditioner::multigrid, .smoothing_steps = 3}, b, x),
               UsageError);
  const RuleCase<Wide> wide{{}, {}, {32, 32, 1}, rule_case.start, {}};
  const OperatorRun<Wide> other(world, wide, ranks, 4);
  const auto wide_b = other.field(wide.start), wide_x = other.field(wide.start);
  EXPECT_THROW(Multigrid<double>(other.matrix(), {}, wide_b, wide_x), UsageError);
}

}  // namespace
}  // namespace haloheap::comm
