// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/miniapp/problems/containers/lu_check.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numeric>

namespace haloheap {
namespace {

using Order = std::vector<std::int64_t>;

Order in_order(std::int64_t n) {
  Order rows(static_cast<std::size_t>(n));
  std::iota(rows.begin(), rows.end(), 0);
  return rows;
}

/// Row by row (Doolittle's way), unlike what is tested: the same operations on each element.
std::vector<double> factors_of(const LuMatrix& matrix, const Order& rows) {
  const std::int64_t n = matrix.size;
  std::vector<double> a(static_cast<std::size_t>(n * n));
  const auto at = [&](std::int64_t i, std::int64_t j) -> double& {
    return a[static_cast<std::size_t>(i * n + j)];
  };
  for (std::int64_t i = 0; i < n; ++i)
    for (std::int64_t j = 0; j < n; ++j) {
      at(i, j) = matrix(rows[static_cast<std::size_t>(i)], j);
      for (std::int64_t k = 0; k < std::min(i, j); ++k) at(i, j) -= at(i, k) * at(k, j);
      if (j < i) at(i, j) /= at(j, j);
    }
  return a;
}

TEST(LuCheck, MatrixNeedsNoPivotingWhereItIsDominant) {
  const LuMatrix matrix{40, true};
  for (std::int64_t i = 0; i < 40; ++i) {
    double others = 0;
    for (std::int64_t j = 0; j < 40; ++j) others += i == j ? 0 : std::abs(matrix(i, j));
    EXPECT_LT(others, matrix(i, i));
    EXPECT_GT(others, 10);
  }
}

TEST(LuCheck, RightFactorsPass) {
  for (const std::int64_t n : {1, 2, 9, 60}) {
    const LuMatrix matrix{n, true};
    const std::vector<double> factors = factors_of(matrix, in_order(n));
    const LuCheck check = check_lu(matrix, factors.data(), in_order(n));
    EXPECT_EQ(check.differs, "");
    EXPECT_LT(check.residual, 1);
  }
}

TEST(LuCheck, OtherOrderOfRowsDoesNotPass) {
  const LuMatrix matrix{9, true};
  Order rows = in_order(9);
  std::swap(rows[3], rows[7]);
  const std::vector<double> factors = factors_of(matrix, rows);
  const LuCheck check = check_lu(matrix, factors.data(), rows);
  EXPECT_NE(check.differs.find("the order of the rows is not that of a plain elimination"),
            std::string::npos);
  EXPECT_EQ(check.differs.find("L U"), std::string::npos);  // they are factors of it all the same
}

TEST(LuCheck, OneElementByOneBitDoesNotPass) {
  const LuMatrix matrix{9, true};
  std::vector<double> factors = factors_of(matrix, in_order(9));
  factors[40] = std::nextafter(factors[40], 100.0);
  EXPECT_NE(check_lu(matrix, factors.data(), in_order(9)).differs.find("element (4, 4) is"),
            std::string::npos);
}

TEST(LuCheck, WrongElementsOfLargeMatricesAreSeenByVectors) {
  const LuMatrix matrix{max_rows_compared + 6, true};
  std::vector<double> factors = factors_of(matrix, in_order(matrix.size));
  EXPECT_EQ(check_lu(matrix, factors.data(), in_order(matrix.size)).differs, "");
  for (const std::size_t place : {std::size_t{5}, factors.size() / 2, factors.size() - 2}) {
    for (const double wrong : {factors[place] + 1e-5, std::numeric_limits<double>::quiet_NaN()}) {
      const double right = std::exchange(factors[place], wrong);
      EXPECT_NE(check_lu(matrix, factors.data(), in_order(matrix.size)).differs.find("L U x of row"),
                std::string::npos);
      factors[place] = right;
    }
  }
}

}  // namespace
}  // namespace haloheap
