// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/comm/solvers/hessenberg_least_squares.hpp>

#include <gtest/gtest.h>

#include <random>

namespace haloheap::comm::detail {
namespace {

using Vector = std::vector<double>;

constexpr double vanished = 1e-14;

std::vector<Vector> drawn_columns(std::size_t count, unsigned seed) {
  std::mt19937 numbers(seed);
  std::vector<Vector> columns;
  for (std::size_t i = 0; i < count; ++i) {
    Vector column(i + 2);
    for (double& value : column) value = static_cast<double>(numbers()) / 0x1p31 - 1;
    columns.push_back(column);
  }
  return columns;
}

/// (norm, 0, 0, ...) - H y, written out.
Vector rest_of(double norm, const std::vector<Vector>& columns, const Vector& y) {
  Vector rest(columns.size() + 1);
  rest.front() = norm;
  for (std::size_t i = 0; i < columns.size(); ++i)
    for (std::size_t row = 0; row < columns[i].size(); ++row) rest[row] -= columns[i][row] * y[i];
  return rest;
}

double length_of(const Vector& values) {
  double sum = 0;
  for (const double value : values) sum += value * value;
  return std::sqrt(sum);
}

/// What is left is orthogonal to all columns, which no other y has.
TEST(HessenbergLeastSquares, finds_the_smallest_residual_after_each_column) {
  const auto columns = drawn_columns(12, 3);
  HessenbergLeastSquares small(2.5, vanished);
  EXPECT_EQ(small.residual(), 2.5);
  EXPECT_TRUE(small.solution().empty());
  std::vector<Vector> so_far;
  for (const Vector& column : columns) {
    const double before = small.residual(), announced = small.residual_with(column);
    ASSERT_TRUE(small.add(column));
    so_far.push_back(column);
    EXPECT_EQ(small.columns(), so_far.size());
    EXPECT_NEAR(small.residual(), announced, 1e-14);
    EXPECT_LE(small.residual(), before);
    const Vector y = small.solution(), rest = rest_of(2.5, so_far, y), product = small.times(y);
    EXPECT_NEAR(length_of(rest), small.residual(), 1e-13);
    for (std::size_t row = 0; row < rest.size(); ++row)
      EXPECT_NEAR(product[row], (row == 0 ? 2.5 : 0) - rest[row], 1e-12);
    for (const Vector& one : so_far) {
      double common = 0;
      for (std::size_t row = 0; row < one.size(); ++row) common += one[row] * rest[row];
      EXPECT_NEAR(common, 0, 1e-12);
    }
  }
}

TEST(HessenbergLeastSquares, is_solved_where_nothing_is_below_the_diagonal) {
  HessenbergLeastSquares small(3, vanished);
  ASSERT_TRUE(small.add({1, 2}));
  ASSERT_TRUE(small.add({4, 5, 0}));
  EXPECT_EQ(small.residual_with({7, 8, 9, 0}), 0);
  EXPECT_LT(small.residual(), 1e-15);
  const Vector y = small.solution();  // y0 + 4 y1 = 3, 2 y0 + 5 y1 = 0
  EXPECT_NEAR(y[0], -5, 1e-14);
  EXPECT_NEAR(y[1], 2, 1e-14);
}

TEST(HessenbergLeastSquares, takes_no_column_that_depends_on_others) {
  HessenbergLeastSquares small(3, vanished);
  EXPECT_FALSE(small.add({0, 0}));
  EXPECT_EQ(small.residual_with({0, 0}), 3);
  EXPECT_EQ(small.columns(), 0u);
  ASSERT_TRUE(small.add({1, 2}));
  const double residual = small.residual();
  EXPECT_FALSE(small.add({5, 10, 0}));
  EXPECT_FALSE(small.add({5, 10, 1e-14}));
  EXPECT_EQ(small.residual(), residual);
  EXPECT_EQ(small.solution().size(), 1u);
  EXPECT_TRUE(small.add({5, 10, 1e-9}));
}

}  // namespace
}  // namespace haloheap::comm::detail
