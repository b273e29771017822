// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/core/base/least_squares.hpp>

#include <gtest/gtest.h>

#include <cmath>

namespace haloheap {
namespace {

TEST(FitCosts, FindsWhatWasPutIn) {
  std::vector<base::Observation> rows;
  for (const double x : {1.0, 2.0, 5.0, 9.0}) rows.push_back({{1, x, 1 / x}, 3e-6 + 2e-9 * x + 5e-7 / x});
  const base::LinearFit fit = base::fit_costs(rows);
  ASSERT_EQ(fit.coefficients.size(), 3U);
  EXPECT_NEAR(fit.coefficients[0], 3e-6, 1e-12);
  EXPECT_NEAR(fit.coefficients[1], 2e-9, 1e-12);
  EXPECT_NEAR(fit.coefficients[2], 5e-7, 1e-12);
  EXPECT_LT(fit.residual, 1e-9);
}

TEST(FitCosts, NoCostIsNegative) {
  // The line through these falls: the best cost that a machine can have is a constant one.
  const base::LinearFit fit = base::fit_costs({{{1, 0}, 4, 1}, {{1, 1}, 2, 1}});
  EXPECT_DOUBLE_EQ(fit.coefficients[0], 3);
  EXPECT_EQ(fit.coefficients[1], 0);
  EXPECT_DOUBLE_EQ(fit.residual, 1);
}

TEST(FitCosts, ErrorsCountRelativeToTheirScale) {
  // Without scales the mean of 1 and 100 would be the best: 50.5.
  EXPECT_NEAR(base::fit_costs({{{1}, 1}, {{1}, 100}}).coefficients[0], 1, 0.001);
  EXPECT_NEAR(base::fit_costs({{{1}, 1}, {{1}, 1.02}}).coefficients[0], 1.00985, 1e-4);
}

TEST(FitCosts, OneDisturbedMeasurementDoesNotBendTheRest) {
  std::vector<base::Observation> rows;
  for (const double x : {1.0, 2.0, 3.0, 4.0, 5.0, 6.0}) rows.push_back({{1, x}, 10 + x});
  rows[2].value *= 3;
  const base::LinearFit fit = base::fit_costs(rows);
  EXPECT_NEAR(fit.coefficients[0], 10, 0.5);
  EXPECT_NEAR(fit.coefficients[1], 1, 0.1);
  EXPECT_GT(fit.residual, 0.2) << "but it shows in the residual";
}

TEST(FitCosts, TermsThatCannotBeToldApartTakeOne) {
  const base::LinearFit fit = base::fit_costs({{{1, 2}, 4}, {{2, 4}, 8}});
  EXPECT_NEAR(fit.coefficients[0] + 2 * fit.coefficients[1], 4, 1e-12);
  EXPECT_TRUE(fit.coefficients[0] == 0 || fit.coefficients[1] == 0);
}

TEST(FitCosts, NothingObservedCostsNothing) {
  EXPECT_TRUE(base::fit_costs({}).coefficients.empty());
  EXPECT_EQ(base::fit_costs({{{0, 1}, 7}}).coefficients[0], 0);
}

TEST(FitCosts, WrongShapesAreRefused) {
  EXPECT_THROW(base::fit_costs({{{1, 2}, 1}, {{1}, 1}}), InternalError);
  EXPECT_THROW(base::fit_costs({{std::vector<double>(9, 1), 1}}), InternalError);
}

}  // namespace
}  // namespace haloheap
