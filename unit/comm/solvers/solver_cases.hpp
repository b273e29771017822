// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#ifndef HALOHEAP_UNIT_COMM_SOLVERS_SOLVER_CASES_HPP
#define HALOHEAP_UNIT_COMM_SOLVERS_SOLVER_CASES_HPP

#include <haloheap/comm/solvers/operator_product.hpp>
#include <haloheap/unit/comm/halo/rule_runs.hpp>

#include <random>
#include <vector>

namespace haloheap::comm {

/// u - k laplace u, where k differs from cell to cell and steps within a row: of a face it is the mean of
/// both sides. Symmetric on any grid; positive definite for shift > 0, or with a side of fixed value.
template <class T, int Dims>
struct Conduction {
  using Fields = stencil::Fields<T>;
  using Constants = stencil::Fields<T>;
  static constexpr int dims = Dims, radius = 1;
  static constexpr auto shape = stencil::StencilShape::star;
  T shift = 1;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION T operator()(const Cell& cell) const {
    T sum = shift * cell(0) + flux(cell, -1, 0, 0) + flux(cell, 1, 0, 0) + flux(cell, 0, -1, 0) +
            flux(cell, 0, 1, 0);
    if constexpr (Dims == 3) sum += flux(cell, 0, 0, -1) + flux(cell, 0, 0, 1);
    return sum;
  }
  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION static T flux(const Cell& cell, int x, int y, int z) {
    return (cell.constant(0) + cell.constant(0, x, y, z)) / 2 * (cell(0) - cell(0, x, y, z));
  }
};

/// Nine points and four further away, without symmetry, for what has to hold for any operator.
struct Wide {
  using Fields = stencil::Fields<double>;
  static constexpr int dims = 2, radius = 2;

  template <class Cell>
  KOKKOS_FORCEINLINE_FUNCTION double operator()(const Cell& cell) const {
    const double near = cell(0, -1, -1) + 2 * cell(0, 1, -1) - cell(0, 0, 1) + 3 * cell(0, 1, 1);
    const double far = cell(0, -2, 0) - 2 * cell(0, 2, 0) + 5 * cell(0, 0, -2) + cell(0, 0, 2);
    return (20 + static_cast<double>(cell.index(0) % 3)) * cell(0) - near - 0.5 * far;
  }
};

inline std::vector<double> drawn(std::size_t count, unsigned seed, double low, double high) {
  std::mt19937 numbers(seed);
  std::vector<double> values(count);
  for (double& value : values) value = low + (high - low) * (static_cast<double>(numbers()) / 0x1p32);
  return values;
}

template <class T>
std::vector<T> as(const std::vector<double>& values) {
  return std::vector<T>(values.begin(), values.end());
}

/// A case of RuleCase whose start is x.
template <class T, int Dims>
RuleCase<Conduction<T, Dims>> conduction(const grid::Triple& cells, const stencil::SideRules& sides,
                                         double contrast = 1000) {
  RuleCase<Conduction<T, Dims>> result{{}, sides, cells, {}, {}};
  const auto count = static_cast<std::size_t>(product(cells));
  result.start = as<T>(drawn(count, 1, -1, 1));
  result.constants = as<T>(drawn(count, 2, 0.5, 2));
  // A bar that conducts well, across all ranks.
  for (grid::Index z = 0; z < cells.z; ++z)
    for (grid::Index y = 0; y < cells.y; ++y)
      for (grid::Index x = 0; x < cells.x; ++x)
        if (x >= cells.x / 3 && x < cells.x / 2 + 1)
          result.constants[result.position(0, {x, y, z})] *= static_cast<T>(contrast);
  return result;
}

/// The sides that operators may have, one after the other.
inline std::vector<stencil::SideRules> linear_sides(int dims) {
  using stencil::Outside;
  stencil::SideRules mixed = stencil::SideRules::everywhere(Outside::mirror(), dims);
  mixed.low[0] = {Outside::value(1)};
  mixed.high[1] = {Outside::mirror(-1)};
  stencil::SideRules strip;
  strip.low[1] = {Outside::value(-2)};
  strip.high[1] = {Outside::mirror()};
  if (dims == 2) return {{}, stencil::SideRules::everywhere(Outside::mirror(), 2), mixed, strip};
  return {{}, mixed, strip};
}

/// One rank's part of an operator and of fields that go with it.
template <class Rule>
class OperatorRun {
 public:
  using T = typename Rule::Fields::type;
  using Case = RuleCase<Rule>;

  OperatorRun(const Communicator& world, const Case& rule_case, const grid::Triple& ranks, int depth = 1)
      : case_(rule_case),
        depth_(depth),
        grid_(rule_case.on(world, ranks)),
        layout_(layout_of<Rule>(grid_, depth)),
        constants_(make_device_array(constants_of())),
        matrix_(make(world)) {}

  const LinearOperator<T>& matrix() const { return matrix_; }
  /// The own cells of values of the whole grid, with nothing around them.
  memory::Array<T> field(const std::vector<T>& values) const {
    Case other = case_;
    other.start = values;
    return make_device_array(own_fields(other, grid_, layout_));
  }
  /// What is wrong with the own cells beside values of the whole grid: how many differ.
  int different(const memory::Array<T>& field, const std::vector<T>& wanted) const {
    int count = 0;
    visit(field, [&](T value, std::size_t there) { count += value == wanted[there] ? 0 : 1; });
    return count;
  }
  double largest_difference(const memory::Array<T>& field, const std::vector<T>& wanted) const {
    double largest = 0;
    visit(field, [&](T value, std::size_t there) {
      const double away = std::abs(static_cast<double>(value) - static_cast<double>(wanted[there]));
      largest = away <= largest ? largest : away;
    });
    return largest;
  }
  /// y = A x, with what is around x.
  void apply(const backend::Exec& exec, const memory::Array<T>& x, const memory::Array<T>& y,
             bool direction) {
    OperatorProduct<T> product(matrix_, x, y);
    if (direction)
      product.apply(exec);
    else
      product.right_side(exec);
    backend::wait_for(exec);
  }
  const Grid& grid() const { return grid_; }
  const grid::FieldLayout& layout() const { return layout_; }

 private:
  static constexpr bool with_constants = GridStepWithConstants<Rule>;

  auto constants_of() const {
    if constexpr (with_constants)
      return own_constants(case_, grid_, depth_);
    else
      return std::vector<T>(1);
  }
  LinearOperator<T> make(const Communicator& world) const {
    if constexpr (with_constants)
      return LinearOperator<T>(world, grid_, case_.rule, case_.sides, FieldData<T>(constants_),
                               {.depth = depth_});
    else
      return LinearOperator<T>(world, grid_, case_.rule, case_.sides, {.depth = depth_});
  }
  template <class Visit>
  void visit(const memory::Array<T>& field, const Visit& visit_value) const {
    const std::vector<T> values = to_host(field);
    for_each_value(case_, grid_.own(), 1, [&](const grid::Triple& cell, int, std::size_t there) {
      visit_value(values[static_cast<std::size_t>(layout_.at(cell))], there);
    });
  }

  Case case_;
  int depth_;
  Grid grid_;
  grid::FieldLayout layout_;
  memory::Array<T> constants_;
  LinearOperator<T> matrix_;
};

/// A matrix, row by row, of a case whose sides are homogeneous.
template <class Rule>
std::vector<std::vector<double>> dense(RuleCase<Rule> rule_case) {
  rule_case.sides = detail::homogeneous(rule_case.sides);
  const auto n = static_cast<std::size_t>(product(rule_case.cells));
  std::vector<std::vector<double>> rows(n, std::vector<double>(n));
  for (std::size_t column = 0; column < n; ++column) {
    rule_case.start.assign(n, 0);
    rule_case.start[column] = 1;
    const auto applied = rule_case.after(1);
    for (std::size_t row = 0; row < n; ++row) rows[row][column] = static_cast<double>(applied[row]);
  }
  return rows;
}

}  // namespace haloheap::comm

#endif
