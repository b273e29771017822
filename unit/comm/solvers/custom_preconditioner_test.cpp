// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/custom_preconditioner.hpp>
#include <haloheap/comm/solvers/gmres.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/solver_runs.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace haloheap::comm {

/// z = factor * r / diagonal in own cells, and what is no number around them, which nobody may read.
struct DivideByDiagonal {
  static constexpr int dots = 0;
  const double *r, *diagonal;
  double* z;
  double factor;

  KOKKOS_FORCEINLINE_FUNCTION void operator()(const grid::Triple& /*cell*/, grid::Index at) const {
    z[at] = factor * r[at] / diagonal[at];
  }
};

namespace {

using stencil::Outside;

/// As Preconditioner::jacobi, by what a user can reach.
class OwnJacobi final : public CustomPreconditioner<double> {
 public:
  explicit OwnJacobi(const LinearOperator<double>& matrix, double factor = 1)
      : matrix_(matrix), factor_(factor), diagonal_("diagonal", matrix.layout().size()) {}

  void prepare(const Exec& exec) override {
    ++prepared;
    matrix_.kernels().diagonal(exec, diagonal_.data(), false);
  }
  void apply(const Exec& exec, const double* r, double* z) override {
    detail::set_all(exec, z, matrix_.layout(), std::numeric_limits<double>::quiet_NaN());
    detail::for_own_cells(exec, "divide_by_diagonal", matrix_.layout(),
                          DivideByDiagonal{r, diagonal_.data(), z, factor_});
  }
  int prepared = 0;

 private:
  const LinearOperator<double>& matrix_;
  double factor_;
  Kokkos::View<double*> diagonal_;
};

class CustomPreconditioners : public ConjugateGradients {
 protected:
  template <template <class> class Solver>
  void needs_the_iterations_of_jacobi(const RuleCase<Conduction<double, 2>>& rule_case) const {
    const SolverConfig jacobi{.tolerance = 1e-9, .preconditioner = Preconditioner::jacobi};
    for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
      const auto wanted = solve<Solver>(world, rule_case, ranks, jacobi);
      const OperatorRun<Conduction<double, 2>> run(world, rule_case, ranks);
      const auto b = run.field(right_side(rule_case, rule_case.start));
      const auto x = run.field(std::vector<double>(rule_case.start.size()));
      const auto own = std::make_shared<OwnJacobi>(run.matrix());
      Solver<double> solver(run.matrix(), {.tolerance = 1e-9}, b, x, own);
      const Solution found = solver.solve(instance.exec());
      EXPECT_TRUE(found.converged());
      EXPECT_NEAR(found.iterations, wanted.solution.iterations, 2 + wanted.solution.iterations / 20);
      EXPECT_LT(world.max(run.largest_difference(x, rule_case.start)), 1e-4);
      EXPECT_EQ(own->prepared, 1);
      detail::set_all(instance.exec(), x.data(), run.matrix().layout(), 0.0);
      EXPECT_TRUE(solver.solve(instance.exec()).converged());
      EXPECT_EQ(own->prepared, 2);
    }
  }
};

TEST_F(CustomPreconditioners, do_for_conjugate_gradients_what_those_of_the_library_do) {
  for (const auto& sides : linear_sides(2))
    needs_the_iterations_of_jacobi<ConjugateGradient>(conduction<double, 2>({31, 24, 1}, sides));
}

TEST_F(CustomPreconditioners, do_for_bicgstab_what_those_of_the_library_do) {
  for (const auto& sides : linear_sides(2))
    needs_the_iterations_of_jacobi<BiCGStab>(conduction<double, 2>({20, 16, 1}, sides, 10));
}

TEST_F(CustomPreconditioners, do_for_gmres_what_those_of_the_library_do) {
  for (const auto& sides : linear_sides(2))
    needs_the_iterations_of_jacobi<Gmres>(conduction<double, 2>({20, 16, 1}, sides, 10));
}

TEST_F(CustomPreconditioners, have_the_same_bits_on_every_rank_grid_if_they_are_made_so) {
  const auto rule_case = conduction<double, 2>({31, 24, 1}, linear_sides(2)[2]);
  const auto solve_with = [&]<class Solver>(const Communicator& communicator, const grid::Triple& ranks) {
    const OperatorRun<Conduction<double, 2>> run(communicator, rule_case, ranks);
    const auto b = run.field(right_side(rule_case, rule_case.start));
    const auto x = run.field(std::vector<double>(rule_case.start.size()));
    Solver solver(run.matrix(), {.tolerance = 1e-9, .restart = 7}, b, x,
                  std::make_shared<OwnJacobi>(run.matrix()));
    return solver.solve(instance.exec());
  };
  const auto check = [&]<class Solver>(Solver* /*type*/) {
    const Solution serial = solve_with.template operator()<Solver>(alone, {1, 1, 1});
    EXPECT_GT(serial.iterations, 7);
    for (const grid::Triple& ranks : rank_grids(world.size(), 2))
      same_bits<Conduction<double, 2>>(solve_with.template operator()<Solver>(world, ranks), serial);
  };
  check(static_cast<ConjugateGradient<double>*>(nullptr));
  check(static_cast<Gmres<double>*>(nullptr));
}

TEST_F(CustomPreconditioners, that_are_not_definite_are_told) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const auto b = run.field(rule_case.start), x = run.field(std::vector<double>(rule_case.start.size()));
  ConjugateGradient<double> negative(run.matrix(), {}, b, x, std::make_shared<OwnJacobi>(run.matrix(), -1));
  EXPECT_EQ(negative.solve(instance.exec()).reason, StopReason::indefinite);
  ConjugateGradient<double> broken(run.matrix(), {}, b, x,
                                   std::make_shared<OwnJacobi>(run.matrix(), std::nan("")));
  EXPECT_EQ(broken.solve(instance.exec()).reason, StopReason::not_a_number);
  BiCGStab<double> other(run.matrix(), {}, b, x, std::make_shared<OwnJacobi>(run.matrix(), -1));
  EXPECT_TRUE(other.solve(instance.exec()).converged());
  const auto y = run.field(std::vector<double>(rule_case.start.size())),
             z = run.field(std::vector<double>(rule_case.start.size()));
  Gmres<double> gmres(run.matrix(), {}, b, y, std::make_shared<OwnJacobi>(run.matrix(), -1));
  EXPECT_TRUE(gmres.solve(instance.exec()).converged());
  Gmres<double> broken_too(run.matrix(), {}, b, z, std::make_shared<OwnJacobi>(run.matrix(), std::nan("")));
  EXPECT_EQ(broken_too.solve(instance.exec()).reason, StopReason::not_a_number);
}

TEST_F(CustomPreconditioners, stand_alone) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const auto b = run.field(rule_case.start), x = run.field(rule_case.start);
  const SolverConfig both{.preconditioner = Preconditioner::jacobi};
  const auto own = std::make_shared<OwnJacobi>(run.matrix());
  EXPECT_THROW(ConjugateGradient<double>(run.matrix(), both, b, x, own), UsageError);
  EXPECT_THROW(BiCGStab<double>(run.matrix(), both, b, x, own), UsageError);
  EXPECT_THROW(Gmres<double>(run.matrix(), both, b, x, own), UsageError);
}

}  // namespace
}  // namespace haloheap::comm
