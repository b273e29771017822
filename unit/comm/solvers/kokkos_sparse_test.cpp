// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
// Kokkos-Kernels on assembled matrices.
#include <haloheap/comm/solvers/kokkos_operator.hpp>
#include <haloheap/core/base/error.hpp>
#include <haloheap/unit/comm/solvers/assembled_cases.hpp>

#include <KokkosSparse_spmv.hpp>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <vector>

namespace haloheap::comm {

/// Upwind differences: symmetric neither in values nor in pattern.
struct Advection {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return 2.1 * cell(0) - 1.2 * cell(0, -1, 0) - 0.8 * cell(0, 0, -1);
  }
};

/// Nothing on the diagonal.
struct Differences {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    return cell(0, 1, 0) - cell(0, -1, 0);
  }
};

namespace {

using stencil::Outside;

class KokkosSparseMatrices : public ConjugateGradients {
 protected:
  /// A x by Kokkos-Kernels, in the own cells of a field. @param x with its ghost cells
  template <class T>
  void multiply(const AssembledMatrix<T>& assembled, const memory::Array<T>& x,
                const memory::Array<T>& y) const {
    const Kokkos::View<T*> all("all", static_cast<std::size_t>(assembled.rows().column_count)),
        own("own", static_cast<std::size_t>(assembled.own_cells()));
    Kokkos::fence();
    assembled.pack_all(instance.exec(), x.data(), all.data());
    backend::wait_for(instance.exec());
    KokkosSparse::spmv("N", T{1}, kokkos_matrix(assembled.rows()), all, T{0}, own);
    Kokkos::fence();
    assembled.unpack(instance.exec(), own.data(), y.data());
    backend::wait_for(instance.exec());
  }
  template <class Rule>
  void multiplies_as_the_rule(const RuleCase<Rule>& rule_case, double tolerance) const {
    for (const grid::Triple& ranks : rank_grids(world.size(), Rule::dims)) {
      if (!fits(rule_case, ranks)) continue;
      OperatorRun<Rule> run(world, rule_case, ranks);
      const AssembledMatrix<typename Rule::Fields::type> assembled(run.matrix());
      const auto x = run.field(rule_case.start), y = run.field(rule_case.start);
      run.apply(instance.exec(), x, y, true);
      RuleCase<Rule> homogeneous = rule_case;
      homogeneous.sides = detail::homogeneous(rule_case.sides);
      EXPECT_EQ(run.different(y, homogeneous.after(1)), 0);
      multiply(assembled, x, y);
      EXPECT_LT(run.largest_difference(y, homogeneous.after(1)), tolerance);
    }
  }

  /// @returns iterations of a solver with what `make` makes of the assembled matrix
  template <template <class> class Solver, class Rule, class Make>
  int iterations_with(const Communicator& communicator, const RuleCase<Rule>& rule_case,
                      const grid::Triple& ranks, const Make& make) const {
    const OperatorRun<Rule> run(communicator, rule_case, ranks);
    const auto b = run.field(right_side(rule_case, rule_case.start));
    const auto x = run.field(std::vector<double>(rule_case.start.size()));
    Solver<double> solver(run.matrix(), {.tolerance = 1e-10}, b, x,
                          make(AssembledMatrix<double>(run.matrix())));
    const Solution solution = solver.solve(instance.exec());
    EXPECT_TRUE(solution.converged()) << name_of(solution.reason);
    EXPECT_LT(communicator.max(run.largest_difference(x, rule_case.start)), 1e-4);
    return solution.iterations;
  }
};

CustomPreconditionerPtr<double> gauss_seidel(const AssembledMatrix<double>& matrix) {
  return std::make_shared<GaussSeidel<double>>(matrix);
}
CustomPreconditionerPtr<double> two_sweeps(const AssembledMatrix<double>& matrix) {
  return std::make_shared<GaussSeidel<double>>(matrix, GaussSeidelConfig{.sweeps = 2});
}
template <int Level>
CustomPreconditionerPtr<double> factors(const AssembledMatrix<double>& matrix) {
  return std::make_shared<IncompleteFactors<double>>(matrix, Level);
}

TEST_F(KokkosSparseMatrices, share_the_memory_of_their_rows) {
  const auto rule_case = conduction<double, 2>({9, 8, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  KokkosMatrix<double> matrix;
  const double* values = nullptr;
  {
    const AssembledMatrix<double> assembled(run.matrix());
    values = assembled.rows().values.data();
    matrix = kokkos_matrix(assembled.rows());
    EXPECT_EQ(matrix.graph.entries.data(), assembled.rows().columns.data());
    EXPECT_EQ(matrix.graph.row_map.data(), assembled.rows().offsets.data());
  }
  EXPECT_EQ(matrix.values.data(), values);
  EXPECT_EQ(on_host(matrix.values).size(), matrix.nnz());
}

/// What docs/guide/solvers.md quotes.
TEST_F(KokkosSparseMatrices, are_used_as_the_guide_says) {
  const auto rule_case = conduction<double, 2>({40, 36, 1}, linear_sides(2).front(), 10);
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const auto& matrix = run.matrix();
  const auto& exec = instance.exec();
  const auto b = run.field(right_side(rule_case, rule_case.start)),
             x = run.field(std::vector<double>(rule_case.start.size()));
  const AssembledMatrix<double> same(matrix);
  const Kokkos::View<double*> all("all", static_cast<std::size_t>(same.rows().column_count)),
      own("own", static_cast<std::size_t>(same.own_cells()));
  Kokkos::deep_copy(all, 1.0);
  const SolverConfig config{.tolerance = 1e-10};
  // [kokkos-kernels]
  const comm::AssembledMatrix assembled(matrix);
  const auto a = comm::kokkos_matrix(assembled.rows());  // a KokkosSparse::CrsMatrix, which shares the memory
  KokkosSparse::spmv(exec, "N", 1.0, a, all, 0.0, own);  // vectors of all columns and of own cells

  const auto preconditioner = std::make_shared<comm::GaussSeidel<double>>(assembled);
  comm::ConjugateGradient solver(matrix, config, b, x, preconditioner);
  // [kokkos-kernels]
  exec.fence("are_used_as_the_guide_says");
  double products = 0, entries = 0;
  for (const double product : on_host(own)) products += product;
  for (const double entry : on_host(assembled.rows().values)) entries += entry;
  EXPECT_NEAR(products, entries, 1e-9 * std::abs(entries));
  const Solution solution = solver.solve(exec);
  EXPECT_TRUE(solution.converged()) << name_of(solution.reason);
  EXPECT_LT(world.max(run.largest_difference(x, rule_case.start)), 1e-4);
}

TEST_F(KokkosSparseMatrices, multiply_as_the_rule_does) {
  for (const auto& sides : all_linear_sides(2)) {
    multiplies_as_the_rule(conduction<double, 2>({19, 16, 1}, sides), 1e-9);
    const grid::Triple cells{13, 16, 1};
    multiplies_as_the_rule(RuleCase<Scattered<double, 2, 2>>{{3}, sides, cells, drawn(208, 4, -1, 1), {}},
                           1e-12);
  }
  for (const auto& sides : linear_sides(3))
    multiplies_as_the_rule(conduction<float, 3>({9, 8, 7}, sides, 1), 1e-5);
}

/// x'A y = y'A x.
TEST_F(KokkosSparseMatrices, are_symmetric_where_the_operator_is) {
  for (const auto& sides : linear_sides(2)) {
    const auto rule_case = conduction<double, 2>({19, 16, 1}, sides, 10);
    OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
    const AssembledMatrix<double> assembled(run.matrix());
    std::vector<memory::Array<double>> fields, made;
    for (const unsigned seed : {5U, 6U}) {
      fields.push_back(run.field(drawn(rule_case.start.size(), seed, -1, 1)));
      made.push_back(run.field(rule_case.start));
      run.apply(instance.exec(), fields.back(), made.back(), true);  // fills what is around
      multiply(assembled, fields.back(), made.back());
    }
    const auto times = [&](const memory::Array<double>& one, const memory::Array<double>& other) {
      const auto a = to_host(one), b = to_host(other);
      double sum = 0;
      for_each_value(rule_case, run.grid().own(), 1, [&](const grid::Triple& cell, int, std::size_t) {
        const auto at = static_cast<std::size_t>(run.layout().at(cell));
        sum += a[at] * b[at];
      });
      return world.sum(sum);
    };
    EXPECT_NEAR(times(fields[0], made[1]), times(fields[1], made[0]), 1e-9);
  }
}

TEST_F(KokkosSparseMatrices, precondition_conjugate_gradients) {
  for (const auto& sides : linear_sides(2)) {
    const auto rule_case = conduction<double, 2>({40, 36, 1}, sides, 10);
    for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
      const int jacobi =
          solve(world, rule_case, ranks, {.tolerance = 1e-10, .preconditioner = Preconditioner::jacobi})
              .solution.iterations;
      const int sweep = iterations_with<ConjugateGradient>(world, rule_case, ranks, gauss_seidel),
                sweeps = iterations_with<ConjugateGradient>(world, rule_case, ranks, two_sweeps),
                level_0 = iterations_with<ConjugateGradient>(world, rule_case, ranks, factors<0>),
                level_2 = iterations_with<ConjugateGradient>(world, rule_case, ranks, factors<2>);
      EXPECT_LT(sweep, jacobi);
      EXPECT_LT(sweeps, sweep);
      EXPECT_LT(level_0, jacobi);
      EXPECT_LT(level_2, level_0);
    }
  }
}

TEST_F(KokkosSparseMatrices, precondition_what_is_not_symmetric) {
  RuleCase<Advection> rule_case{
      {}, stencil::SideRules::everywhere(Outside::value(0), 2), {24, 20, 1}, drawn(480, 9, -1, 1), {}};
  for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
    const int plain = solve<BiCGStab>(world, rule_case, ranks, {.tolerance = 1e-10}).solution.iterations;
    EXPECT_LT(iterations_with<BiCGStab>(world, rule_case, ranks, gauss_seidel), plain);
    EXPECT_LT(iterations_with<BiCGStab>(world, rule_case, ranks, factors<0>), plain);
  }
}

/// The same iterations but for rounding, with fixed values outside and without.
TEST_F(KokkosSparseMatrices, make_the_products_of_solvers) {
  const auto solves = [&](const auto& rule_case, const grid::Triple& ranks, auto solver_of) {
    for (const Preconditioner preconditioner : {Preconditioner::none, Preconditioner::jacobi}) {
      const OperatorRun<Conduction<double, 2>> run(world, rule_case, ranks);
      const LinearOperator<double> assembled = with_assembled_products(run.matrix());
      const auto b = run.field(right_side(rule_case, rule_case.start));
      const SolverConfig config{.tolerance = 1e-10, .preconditioner = preconditioner};
      int iterations[2] = {};
      for (const bool by_rule : {true, false}) {
        const auto x = run.field(std::vector<double>(rule_case.start.size()));
        const Solution found =
            solver_of(by_rule ? run.matrix() : assembled, config, b, x).solve(instance.exec());
        EXPECT_TRUE(found.converged());
        EXPECT_LT(world.max(run.largest_difference(x, rule_case.start)), 1e-6);
        iterations[by_rule ? 0 : 1] = found.iterations;
      }
      EXPECT_NEAR(iterations[0], iterations[1], 2 + iterations[0] / 10);
    }
  };
  for (const auto& sides : linear_sides(2))
    for (const grid::Triple& ranks : rank_grids(world.size(), 2)) {
      const auto rule_case = conduction<double, 2>({24, 20, 1}, sides, 10);
      solves(rule_case, ranks, [](const auto&... given) { return ConjugateGradient<double>(given...); });
      solves(rule_case, ranks, [](const auto&... given) { return BiCGStab<double>(given...); });
    }
}

/// Without fill there is nothing to leave out.
TEST_F(KokkosSparseMatrices, have_exact_factors_on_a_line) {
  for (const grid::Triple& cells : {grid::Triple{1, 90, 1}, {90, 1, 1}}) {
    const auto rule_case =
        conduction<double, 2>(cells, stencil::SideRules::everywhere(Outside::mirror(-1), 2), 100);
    EXPECT_LE(iterations_with<ConjugateGradient>(alone, rule_case, {1, 1, 1}, factors<0>), 2);
    EXPECT_LE(iterations_with<BiCGStab>(alone, rule_case, {1, 1, 1}, factors<1>), 2);
  }
}

TEST_F(KokkosSparseMatrices, are_told_that_a_diagonal_is_zero) {
  const auto ranks = rank_grids(world.size(), 2).front();
  const RuleCase<Differences> rule_case{{}, {}, {16, 16, 1}, drawn(256, 7, -1, 1), {}};
  const OperatorRun<Differences> run(world, rule_case, ranks);
  const AssembledMatrix<double> assembled(run.matrix());
  using Make = CustomPreconditionerPtr<double> (*)(const AssembledMatrix<double>&);
  for (const Make make : {Make(gauss_seidel), Make(factors<0>)}) {
    const std::string text = error_of([&] { make(assembled); });
    EXPECT_NE(text.find("a diagonal that is 0 or not finite in 256 of its rows"), std::string::npos) << text;
  }
  auto broken = conduction<double, 2>({16, 16, 1}, {});
  broken.constants[20] = std::numeric_limits<double>::quiet_NaN();
  const OperatorRun<Conduction<double, 2>> other(world, broken, ranks);
  const AssembledMatrix<double> other_matrix(other.matrix());
  EXPECT_THROW(gauss_seidel(other_matrix), UsageError);
}

TEST_F(KokkosSparseMatrices, are_told_what_numbers_make_no_preconditioner) {
  const auto rule_case = conduction<double, 2>({16, 16, 1}, {});
  const OperatorRun<Conduction<double, 2>> run(world, rule_case, rank_grids(world.size(), 2).front());
  const AssembledMatrix<double> assembled(run.matrix());
  EXPECT_THROW(GaussSeidel<double>(assembled, {.sweeps = 0}), UsageError);
  EXPECT_THROW(GaussSeidel<double>(assembled, {.omega = 2}), UsageError);
  EXPECT_THROW(IncompleteFactors<double>(assembled, -1), UsageError);
}

}  // namespace
}  // namespace haloheap::comm
