// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// What solvers find beside what is known without them: solutions of the differential equation, and residuals
// of other backends.
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/comm/solvers/multigrid.hpp>
#include <haloheap/comm/solvers/pipelined_conjugate_gradient.hpp>
#include <haloheap/comm/solvers/s_step_conjugate_gradient.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace haloheap::comm {
namespace {

/// u - div(k grad u) = f on a unit square or cube, where u is a product of sines, and k, which differs from
/// place to place, 1 and half a product of cosines. The grid wraps around, or u is 0 on all sides.
template <int Dims>
class Manufactured {
 public:
  Manufactured(grid::Index cells, bool wraps) : wraps_(wraps), cells_(cells) {}

  grid::Triple cells() const { return {cells_, cells_, Dims == 3 ? cells_ : 1}; }
  double spacing() const { return 1.0 / static_cast<double>(wraps_ ? cells_ : cells_ + 1); }
  stencil::SideRules sides() const {
    if (wraps_) return {};
    return stencil::SideRules::everywhere(stencil::Outside::value(0), Dims);
  }

  double u(const grid::Triple& cell) const {
    double product = 1;
    for (int dim = 0; dim < Dims; ++dim) product *= std::sin(angle(dim, cell) + phase(dim));
    return product;
  }
  double k(const grid::Triple& cell) const {
    double product = 0.5;
    for (int dim = 0; dim < Dims; ++dim) product *= std::cos(angle(dim, cell));
    return 1 + product;
  }
  double f(const grid::Triple& cell) const {
    double divergence = -Dims * wave() * wave() * u(cell) * k(cell);
    for (int dim = 0; dim < Dims; ++dim) {
      double u_slope = wave() * std::cos(angle(dim, cell) + phase(dim));
      double k_slope = -0.5 * wave() * std::sin(angle(dim, cell));
      for (int other = 0; other < Dims; ++other)
        if (other != dim) {
          u_slope *= std::sin(angle(other, cell) + phase(other));
          k_slope *= std::cos(angle(other, cell));
        }
      divergence += u_slope * k_slope;
    }
    return u(cell) - divergence;
  }

 private:
  double wave() const { return (wraps_ ? 2 : 1) * std::numbers::pi; }
  double phase(int dim) const { return wraps_ ? 1.0 + dim : 0; }
  double angle(int dim, const grid::Triple& cell) const {
    return wave() * spacing() * static_cast<double>(cell[dim] + (wraps_ ? 0 : 1));
  }

  bool wraps_;
  grid::Index cells_;
};

class KnownSolutions : public ConjugateGradients {
 protected:
  /// The largest error of a solution in a cell.
  template <int Dims>
  double error(const Manufactured<Dims>& of, Preconditioner preconditioner) const {
    auto rule_case = conduction<double, Dims>(of.cells(), of.sides());
    const double area = of.spacing() * of.spacing();
    rule_case.rule.shift = area;
    std::vector<double> right(rule_case.start.size());
    const grid::Triple cells = of.cells();
    for (grid::Index z = 0; z < cells.z; ++z)
      for (grid::Index y = 0; y < cells.y; ++y)
        for (grid::Index x = 0; x < cells.x; ++x) {
          const std::size_t at = rule_case.position(0, {x, y, z});
          rule_case.start[at] = of.u({x, y, z});
          rule_case.constants[at] = of.k({x, y, z});
          right[at] = area * of.f({x, y, z});
        }
    const OperatorRun<Conduction<double, Dims>> run(world, rule_case, rank_grids(world.size(), Dims).front(),
                                                    multigrid_depth(2));
    const auto b = run.field(right);
    auto x = run.field(std::vector<double>(right.size()));
    const SolverConfig config{.tolerance = 1e-11, .preconditioner = preconditioner};
    ConjugateGradient<double> solver(run.matrix(), config, b, x);
    EXPECT_TRUE(solver.solve(instance.exec()).converged());
    return world.max(run.largest_difference(x, rule_case.start));
  }

  /// The error of a grid over that of one with half its spacing.
  template <int Dims>
  double gain(grid::Index cells, bool wraps, Preconditioner preconditioner) const {
    const Manufactured<Dims> coarse(cells, wraps), fine(wraps ? 2 * cells : 2 * cells + 1, wraps);
    return error(coarse, preconditioner) / error(fine, preconditioner);
  }
};

TEST_F(KnownSolutions, are_met_with_second_order_where_the_conductivity_varies) {
  for (const bool wraps : {false, true})
    for (const auto preconditioner : {Preconditioner::none, Preconditioner::multigrid}) {
      EXPECT_NEAR(gain<2>(24, wraps, preconditioner), 4, 0.2) << wraps;
      EXPECT_NEAR(gain<3>(16, wraps, preconditioner), 4, 0.3) << wraps;
    }
}

/// The last residual of each solver, as found on a CPU: sums are exact before they are rounded, and nothing
/// else depends on the order in which a backend works.
TEST_F(KnownSolutions, have_residuals_with_the_same_bits_on_all_backends) {
  const auto rule_case = conduction<double, 2>({37, 30, 1}, linear_sides(2)[2], 10);
  const grid::Triple ranks = rank_grids(world.size(), 2).front();
  const SolverConfig plain{.tolerance = 1e-9};
  const auto last = [](const auto& end) { return end.solution.history.back(); };
  const auto with = [&](Preconditioner preconditioner) {
    SolverConfig config = plain;
    config.preconditioner = preconditioner;
    return last(solve(world, rule_case, ranks, config, multigrid_depth(2)));
  };
  EXPECT_EQ(with(Preconditioner::none), 0x1.c0e48a7102ef6p-22);
  EXPECT_EQ(with(Preconditioner::jacobi), 0x1.9f407dae0a15ap-22);
  EXPECT_EQ(with(Preconditioner::polynomial), 0x1.14b693c3b9301p-22);
  EXPECT_EQ(with(Preconditioner::multigrid), 0x1.41bc402887836p-23);
  EXPECT_EQ(last(solve<PipelinedConjugateGradient>(world, rule_case, ranks, plain)), 0x1.ee726d9caf438p-22);
  EXPECT_EQ(last(solve<SStepConjugateGradient>(world, rule_case, ranks, plain, 4)), 0x1.bfa2cd5cb799bp-22);
  EXPECT_EQ(last(solve<Chebyshev>(world, rule_case, ranks, plain)), 0x1.ac1b1ca6aaa16p-22);
  EXPECT_EQ(last(solve<BiCGStab>(world, rule_case, ranks, plain)), 0x1.7fa4488d36386p-22);
  EXPECT_EQ(last(solve<Gmres>(world, rule_case, ranks, plain)), 0x1.fa1eb3b33a1afp-22);
  EXPECT_EQ(last(solve<Multigrid>(world, rule_case, ranks, plain, multigrid_depth(2))),
            0x1.76d90e884df85p-23);
}

}  // namespace
}  // namespace haloheap::comm
