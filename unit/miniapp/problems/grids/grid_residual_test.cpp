// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/base/error.hpp>
#include <haloheap/miniapp/problems/grids/grid_residual.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <sstream>

namespace haloheap {
namespace {

stencil::ResidualSum sum_of(double a, double b, double c) {
  return {{a, b, c}};
}

TEST(GridResidual, TheFirstStepThatDiffersIsNamed) {
  const std::vector<stencil::ResidualSum> sums = {sum_of(1, 2, 3), sum_of(4, 5, 6), sum_of(7, 8, 9)};
  EXPECT_EQ(difference(sums, sums, 1), "");
  auto other = sums;
  other[2].part[0] = 70;
  other[1].part[2] = std::nextafter(6, 7);
  EXPECT_EQ(difference(sums, other, 1), "the residual of step 2") << "one bit of the smallest part";
  EXPECT_EQ(difference(sums, other, 10), "the residual of step 20");
  EXPECT_EQ(difference(sums, {sums[0], sums[1]}, 1), "the residual of step 3") << "one step too many";
  EXPECT_EQ(difference({}, sums, 1), "the residual of step 1");
  EXPECT_EQ(difference({}, {}, 1), "");
}

TEST(GridResidual, IsThatOfSomeSteps) {
  const std::vector<stencil::ResidualSum> sums = {sum_of(1, 2, 3), sum_of(4, 5, 6), sum_of(7, 8, 9)};
  EXPECT_EQ(each(1, sums), sums);
  EXPECT_EQ(each(2, sums), (std::vector{sums[1]}));
  EXPECT_EQ(each(3, sums), (std::vector{sums[2]}));
  EXPECT_TRUE(each(4, sums).empty());
}

TEST(GridResidual, ARunThatLeftTheRangeAgreesWithItself) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(difference({sum_of(nan, 1, 2)}, {sum_of(nan, 1, 2)}, 1), "");
  EXPECT_NE(difference({sum_of(nan, 1, 2)}, {sum_of(1, 1, 2)}, 1), "");
}

TEST(GridResidual, NormsAreRoots) {
  const stencil::ResidualScale scale = stencil::ResidualScale::make(16, 100);
  const auto history = norms(scale, {sum_of(4, 0, 0), sum_of(8, 1, 0)});
  EXPECT_EQ(history, (std::vector<double>{2, 3}));
}

TEST(GridResidual, TheFileHasAllDigits) {
  const auto path = std::filesystem::path(testing::TempDir()) / "grid_residual_test.csv";
  const double third = 1.0 / 3, tiny = 4e-300;
  write_norms(path, {third, tiny}, 4);
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  EXPECT_EQ(text.str().substr(0, 10), "step,norm\n");
  std::string line;
  text.seekg(10);
  int step = 0;
  for (const double expected : {third, tiny}) {
    std::getline(text, line);
    EXPECT_EQ(std::stoi(line), step += 4) << line;
    EXPECT_EQ(std::stod(line.substr(line.find(',') + 1)), expected) << line;
  }
  std::filesystem::remove(path);
  EXPECT_THROW(write_norms(path / "below", {1}, 1), IoError);
}

}  // namespace
}  // namespace haloheap
