// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/fluids/exact_riemann.hpp>
#include <haloheap/miniapp/problems/fluids/power_of_sum.hpp>

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace haloheap::fluids {
namespace {

/// The largest error relative to the result, against long double.
template <class T>
double worst(double gamma, double low, double high) {
  const PowerOfSum<T> power(gamma);
  double error = 0;
  constexpr int points = 20001;  // x = 0 is not among them
  for (int i = 0; i < points; ++i) {
    const T x = static_cast<T>(low + (high - low) * (i + 0.37) / points);
    const long double exact =
        std::expm1(static_cast<long double>(gamma) * std::log1p(static_cast<long double>(x)));
    error = std::max(error,
                     static_cast<double>(std::abs(static_cast<long double>(power.minus_one(x)) / exact - 1)));
  }
  return error;
}

TEST(PowerOfSum, IsExactToRounding) {
  for (const double gamma : {1.40027894002789400278940027894, 1.1, 5.0 / 3, 1.9}) {
    EXPECT_LT(worst<double>(gamma, -0.25, 0.4), 1e-15) << gamma;
    EXPECT_LT(worst<double>(gamma, -0.3, 0.5), 1e-14) << gamma;
    EXPECT_LT(worst<double>(gamma, -1e-6, 1e-6), 1e-15) << gamma;
    EXPECT_LT(worst<double>(gamma, -0.5, 1), 2e-11) << gamma;
    EXPECT_LT(worst<float>(gamma, -0.3, 0.5), 1e-6) << gamma;
  }
}

TEST(PowerOfSum, IsZeroAtZero) {
  EXPECT_EQ(PowerOfSum<double>(1.4).minus_one(0), 0);
}

/// [Toro2009], table 4.3: the states between the waves of five tests.
TEST(ExactRiemann, HasTheStatesOfTheTable) {
  const struct {
    TubeState left, right;
    double pressure, velocity;
  } rows[] = {{{1, 0, 1}, {0.125, 0, 0.1}, 0.30313, 0.92745},
              {{1, -2, 0.4}, {1, 2, 0.4}, 0.00189, 0},
              {{1, 0, 1000}, {1, 0, 0.01}, 460.894, 19.5975},
              {{1, 0, 0.01}, {1, 0, 100}, 46.0950, -6.19633},
              {{5.99924, 19.5975, 460.894}, {5.99242, -6.19633, 46.0950}, 1691.64, 8.68975}};
  for (const auto& row : rows) {
    const ExactRiemann exact(1.4, row.left, row.right);
    EXPECT_NEAR(exact.star_pressure(), row.pressure, 6e-6 * std::max(1.0, row.pressure));
    EXPECT_NEAR(exact.star_velocity(), row.velocity, 6e-6 * std::max(1.0, std::abs(row.velocity)));
  }
}

TEST(ExactRiemann, HasJumpsThatConserve) {
  const ExactRiemann exact(1.4, {1, 0, 1}, {0.125, 0, 0.1});
  const double shock = exact.last_wave(), contact = exact.star_velocity();
  const TubeState before = exact.at(shock + 1e-12), behind = exact.at(shock - 1e-12);
  EXPECT_NEAR(behind.density * (behind.velocity - shock), before.density * (before.velocity - shock), 1e-12);
  EXPECT_NEAR(shock, 1.75216, 1e-5);
  EXPECT_NEAR(exact.at(contact - 1e-9).density, 0.42632, 1e-5);
  EXPECT_NEAR(exact.at(contact + 1e-9).density, 0.26557, 1e-5);
}

TEST(ExactRiemann, IsContinuousInARarefaction) {
  const ExactRiemann exact(1.4, {1, 0, 1}, {0.125, 0, 0.1});
  double before = exact.at(-2).density;
  for (double x = -2; x < exact.star_velocity() - 1e-3; x += 1e-3) {
    const double here = exact.at(x).density;
    EXPECT_LE(here, before + 1e-12);
    EXPECT_LT(before - here, 1e-3);
    before = here;
  }
}

TEST(ExactRiemann, RefusesAVacuum) {
  EXPECT_THROW(ExactRiemann(1.4, {1, -20, 0.4}, {1, 20, 0.4}), UsageError);
}

}  // namespace
}  // namespace haloheap::fluids
