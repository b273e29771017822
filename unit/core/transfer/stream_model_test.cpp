// SPDX-FileCopyrightText: 2026 the haloheap contributors
// SPDX-License-Identifier: BSD-3-Clause
#include <haloheap/core/transfer/stream_model.hpp>

#include <gtest/gtest.h>

namespace haloheap::transfer {
namespace {

TEST(StreamModel, BestNumberBalancesChunksAndLaunches) {
  const StreamModel model{10e-3, 9e-3, 1e-3, 0};  // least where rest / s^2 = per_stream
  EXPECT_EQ(model.best(64), 3);
  EXPECT_EQ(model.best(2), 2);
  EXPECT_DOUBLE_EQ(model.seconds(3), 16e-3);
  EXPECT_EQ((StreamModel{1, 0, 0, 0}).best(64), 1) << "of equal ones the fewest";
}

TEST(StreamModel, FitFindsTheTerms) {
  const StreamModel truth{10e-3, 9e-3, 1e-5, 0};
  std::map<int, double> seconds;
  for (const int streams : {1, 4, 16}) seconds[streams] = truth.seconds(streams);
  const StreamModel fit = fit_streams(seconds);
  EXPECT_NEAR(fit.longest, truth.longest, 1e-9);
  EXPECT_NEAR(fit.rest, truth.rest, 1e-9);
  EXPECT_NEAR(fit.per_stream, truth.per_stream, 1e-9);
  EXPECT_LT(fit.residual, 1e-9);
}

TEST(StreamModel, StreamsThatOnlyCostStayOne) {
  const StreamModel fit = fit_streams({{1, 1.0}, {4, 1.3}, {16, 2.5}});
  EXPECT_EQ(fit.best(64), 1);
  EXPECT_EQ(fit_streams({}).best(64), 1);
}

}  // namespace
}  // namespace haloheap::transfer
